"""Events on disk, in a folder that several processes may use."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock

from .claimed_stores import ClaimedStores, Report
from .errors import ErrorDetails, QueueError
from .event import EncodedEvent
from .event_store import RELEASED, EventStore, StoredEvent
from .group_commit import CommitError, GroupCommit
from .owned_store import OwnedStore, is_disk_error, is_of_handler, stored_bytes_of
from .queue_counts import Inserting, QueueListener
from .queue_file import READ_EVENTS, QueueFile


# Stores of the parent of a forked process. Closing them there could touch files that the parent uses.
_abandoned: list[object] = []


class EventQueue:
    """An event is in it from the moment `append` returns until it is done, through any end of the process.

    Each process writes a file of its own, and moves the events of processes that have ended into it. Methods are for any
    thread; only one thread takes events from it.
    """

    def __init__(self, folder: Path, max_bytes: int, listener: QueueListener) -> None:
        """Opens the queue of a folder. Raises OSError or sqlite3.Error when that is impossible."""
        self.folder = folder
        self._max_bytes = max_bytes
        self._listener = listener
        self._lock = RLock()
        self._commits = GroupCommit(self._commit)
        self._claims = ClaimedStores(folder, listener)
        self._file = QueueFile(folder, self._claims, listener)
        self._depth = 0
        self._is_inserting = False
        self._is_closed = False
        self.has_failed = False
        """The disk failed while an event was appended: the queue needs `recover`."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._begin()

    def append(self, event: EncodedEvent) -> None:
        """Returns when the event is on disk; raises QueueError when it is not, or may not be."""
        if self.bytes + stored_bytes_of(event) > self._max_bytes:
            text = f"The queue holds {self.bytes} bytes, of at most {self._max_bytes}. Find out why events are not sent."
            raise QueueError(ErrorDetails(text, "queue_full", event_id=event.id))
        try:
            self._commits.add(event)
        except CommitError as error:
            self.has_failed = self.has_failed or is_disk_error(error.reason)
            text = f"The event could not be stored: {error}. Hand it over again with the same id."
            raise QueueError(ErrorDetails(text, "queue_failed", event_id=event.id)) from error.reason

    @property
    def is_read_only(self) -> bool:
        """The disk is full: events are read and sent, and what is done is kept in memory until it can be deleted."""
        return self._file.is_read_only

    @property
    def bytes(self) -> int:
        """Bytes of all events, those of ended processes included that are taken over."""
        with self._lock:
            return sum(owned.bytes for owned in self._all())

    @property
    def has_next(self) -> bool:
        """Whether `next` may find something."""
        return self._file.counts.unread > 0 or self._file.counts.released > 0 or self._file.inserting is not None

    @property
    def has_claims(self) -> bool:
        """Whether events of ended processes are left to be moved."""
        return bool(self._claims.stores)

    @property
    def set_aside(self) -> int:
        """How many events wait for a user or an event name."""
        return self._file.counts.waiting

    @property
    def events(self) -> int:
        """How many events are in this process' own file."""
        return self._file.counts.events

    @contextmanager
    def transaction(self, durable: bool = False) -> Iterator[EventStore]:
        """The store, for changes that happen together; after an error in it the queue needs `recover`."""
        with self._lock:
            store = self._file.store
            if self._depth > 0:
                yield store
                return
            self._depth = 1
            try:
                with store.transaction(durable):
                    yield store
            finally:
                self._depth = 0

    def next(self) -> list[StoredEvent]:
        """Takes the next events in hand: a few hundred, and about a megabyte, at most."""
        with self._lock:
            self._file.count_inserted()
            if self.is_read_only:
                return self._file.next_of_all()
        with self.transaction() as store:
            if self._file.counts.released > 0:
                events = store.waiting_for(RELEASED, READ_EVENTS)
                store.wait_for(None, [stored.seq for stored in events])
                self._file.counts.released -= len(events)
                return events
            events = store.unread_after(self._file.counts.read_to, READ_EVENTS)
            self._file.counts.read_to = events[-1].seq if events else self._file.counts.read_to
            self._file.counts.unread = max(0, self._file.counts.unread - len(events))
            return events

    def hold(self, key: str, events: Sequence[StoredEvent]) -> None:
        """Makes events wait that are in hand."""
        with self.transaction() as store:
            store.wait_for(key, [stored.seq for stored in events])
            self._file.counts.waiting += len(events)

    def take_last(self, key: str) -> StoredEvent | None:
        """Takes the last event of a group in hand."""
        with self.transaction() as store:
            for stored in store.waiting_for(key, 1):
                store.wait_for(None, [stored.seq])
                self._file.counts.waiting -= 1
                return stored
        return None

    def dissolve(self, key: str) -> None:
        """`next` returns the events of a group again."""
        with self.transaction() as store:
            released = store.dissolve(key)
            self._file.counts.waiting -= released
            self._file.counts.released += released

    def done(self, events: Sequence[StoredEvent]) -> None:
        """Removes events for good."""
        if self.is_read_only:
            with self._lock:
                self._file.finish(events)
            return
        with self.transaction() as store:
            store.delete([stored.seq for stored in events])
            self._file.counts.events -= len(events)
            if self._file.own:
                self._file.own.bytes -= sum(stored_bytes_of(stored.event) for stored in events)

    def claim(self) -> None:
        """Finds files of processes that have ended; `move_claimed` takes their events over."""
        with self._lock:
            reports = self._claims.find()
        _tell(reports)

    def move_claimed(self) -> None:
        """Moves some events of an ended process into the own file. An end in between sends them twice, which is harmless."""
        with self._lock:
            reports = self._claims.move_some(self._insert)
        _tell(reports)

    def tidy(self) -> None:
        """Finds files of processes that have ended, and gives free space back."""
        self.claim()
        with self._lock:
            if self._file.own and not self.is_read_only:
                self._file.own.store.give_back_space()

    def read_only(self) -> bool:
        """Goes on without a change on the disk, which is full; False when there is no file to read.

        `next` then returns all events again that are not done.
        """
        with self._lock:
            return self._file.read_only()

    def rewind(self) -> None:
        """While read only, makes `next` begin with the first event again."""
        with self._lock:
            self._file.rewind()

    def write_again(self) -> bool:
        """Ends reading only if the disk has space again, or by removing the file, all of which is done; whether it did.

        `next` then returns all events again that are not done.
        """
        with self._lock:
            reports = self._file.write_again()
        if reports is None:
            return False
        _tell(reports)
        return True

    def recover(self) -> None:
        """Begins a file again; the events of the one before are moved into it, as those of an ended process.

        After a failed fsync nobody knows what the disk has of a file, so that it is read only.
        """
        with self._lock:
            self._let_go()
            self.has_failed = False
        self._begin()

    @property
    def is_committing_here(self) -> bool:
        """Whether the caller is the handler of a signal that interrupted `append`, which has the lock of the queue."""
        return self._commits.is_committing_here

    def finish_appending(self, timeout_s: float) -> None:
        """Returns when all that was handed over is on disk or refused, and at the latest after a time."""
        self._commits.finish(timeout_s)

    def close(self) -> bool:
        """Ends the use of the folder; what is not done stays there for the next process. Returns whether nothing is left."""
        with self._lock:
            self._is_closed = True
            if self._is_inserting:
                # The handler of a signal has interrupted `_insert`, which lets go: its events may be on disk already.
                return False
            self._file.count_inserted()
            is_empty = self._file.remove_if_empty() and not self._claims.stores
            self._let_go()
            return is_empty

    def before_fork(self) -> None:
        """No thread may be inside SQLite while the process is copied: its locks would never be released in the copy."""
        self._lock.acquire()

    def after_fork_in_parent(self) -> None:
        self._lock.release()

    def after_fork_in_child(self) -> None:
        """The files are the parent's: it stays their owner, also when this process lives longer."""
        for owned in self._all():
            owned.lock.release()
        _abandoned.append(self)

    def _begin(self) -> None:
        """Opens what ended processes have left, then a file: on a full disk the former may be all that there is."""
        try:
            with self._lock:
                reports = self._claims.find()
                reports += self._file.open_or_adopt()
            # A listener that exits leaves the files to the next process.
            _tell(reports)
        except BaseException:
            with self._lock:
                self._let_go()
            raise

    def _commit(self, events: Sequence[EncodedEvent]) -> None:
        try:
            self._insert(events)
        except (sqlite3.Error, OSError) as error:
            if is_of_handler(error):
                raise
            raise CommitError(error) from error

    def _insert(self, events: Sequence[EncodedEvent]) -> None:
        with self._lock:
            if self._file.is_of_ended:
                raise sqlite3.OperationalError("the disk is full")
            store = self._file.store
            self._file.count_inserted()
            size = sum(stored_bytes_of(event) for event in events)
            self._is_inserting = True
            try:
                self._file.inserting = Inserting(store.last_seq(), len(events), size)
                store.insert_durably(events)
                if self._file.own:
                    # After the commit: who takes the file from now on finds the events in it.
                    self._file.own.lock.require_name()
            finally:
                self._is_inserting = False
                self._file.count_inserted()
                if self._is_closed:
                    self._let_go()

    def _all(self) -> list[OwnedStore]:
        return [*self._claims.stores, *([self._file.own] if self._file.own else [])]

    def _let_go(self) -> None:
        owned, self._file.own, self._claims.stores = self._all(), None, []
        for each in owned:
            with suppress(sqlite3.Error):
                each.store.close()
            each.lock.release()


def _tell(reports: Sequence[Report]) -> None:
    """Outside of the lock: a listener may call the client."""
    for report in reports:
        report()
