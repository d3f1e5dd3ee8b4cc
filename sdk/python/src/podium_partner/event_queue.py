"""Events on disk, in a folder that several processes may use."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock

from .errors import ErrorDetails, QueueError
from .event import EncodedEvent
from .event_store import RELEASED, EventStore, StoredEvent
from .group_commit import GroupCommit
from .owned_store import OwnedStore, claim_store, is_disk_error, stored_bytes_of
from .owner_lock import OwnerLock, owners_in
from .queue_counts import QueueCounts, QueueListener

_READ_EVENTS = 200
_MOVED_EVENTS = 1_000

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
        self._commits = GroupCommit(self._insert)
        self._claims: list[OwnedStore] = []
        self._depth = 0
        self._own: OwnedStore | None = None
        self._counts = QueueCounts()
        self.has_failed = False
        """The disk failed while an event was appended: the queue needs `recover`."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._open()
        self.claim()

    def append(self, event: EncodedEvent) -> None:
        """Returns when the event is on disk; raises QueueError when it is not, or may not be."""
        if self.bytes + stored_bytes_of(event) > self._max_bytes:
            text = f"The queue holds {self.bytes} bytes, of at most {self._max_bytes}. Find out why events are not sent."
            raise QueueError(ErrorDetails(text, "queue_full", event_id=event.id))
        try:
            self._commits.add(event)
        except (sqlite3.Error, OSError) as error:
            self.has_failed = self.has_failed or is_disk_error(error)
            text = f"The event could not be stored: {error}. Hand it over again with the same id."
            raise QueueError(ErrorDetails(text, "queue_failed", event_id=event.id)) from error

    @property
    def bytes(self) -> int:
        """Bytes of all events, those of ended processes included that are taken over."""
        with self._lock:
            return sum(owned.bytes for owned in self._all())

    @property
    def has_next(self) -> bool:
        """Whether `next` would find something."""
        return self._counts.unread > 0 or self._counts.released > 0

    @property
    def has_claims(self) -> bool:
        """Whether events of ended processes are left to be moved."""
        return bool(self._claims)

    @property
    def set_aside(self) -> int:
        """How many events wait for a user or an event name."""
        return self._counts.waiting

    @property
    def events(self) -> int:
        """How many events are in this process' own file."""
        return self._counts.events

    @contextmanager
    def transaction(self, durable: bool = False) -> Iterator[EventStore]:
        """The store, for changes that happen together; after an error in it the queue needs `recover`."""
        with self._lock:
            if self._own is None:
                raise sqlite3.OperationalError("the queue is not open")
            if self._depth > 0:
                yield self._own.store
                return
            self._depth = 1
            try:
                with self._own.store.transaction(durable):
                    yield self._own.store
            finally:
                self._depth = 0

    def next(self) -> list[StoredEvent]:
        """Takes the next events in hand: a few hundred, and about a megabyte, at most."""
        with self.transaction() as store:
            if self._counts.released > 0:
                events = store.waiting_for(RELEASED, _READ_EVENTS)
                store.wait_for(None, [stored.seq for stored in events])
                self._counts.released -= len(events)
                return events
            events = store.unread_after(self._counts.read_to, _READ_EVENTS)
            self._counts.read_to = events[-1].seq if events else self._counts.read_to
            self._counts.unread -= len(events)
            return events

    def hold(self, key: str, events: Sequence[StoredEvent]) -> None:
        """Makes events wait that are in hand."""
        with self.transaction() as store:
            store.wait_for(key, [stored.seq for stored in events])
            self._counts.waiting += len(events)

    def take_last(self, key: str) -> StoredEvent | None:
        """Takes the last event of a group in hand."""
        with self.transaction() as store:
            for stored in store.waiting_for(key, 1):
                store.wait_for(None, [stored.seq])
                self._counts.waiting -= 1
                return stored
        return None

    def dissolve(self, key: str) -> None:
        """`next` returns the events of a group again."""
        with self.transaction() as store:
            released = store.dissolve(key)
            self._counts.waiting -= released
            self._counts.released += released

    def done(self, events: Sequence[StoredEvent]) -> None:
        """Removes events for good."""
        with self.transaction() as store:
            store.delete([stored.seq for stored in events])
            self._counts.events -= len(events)
            if self._own:
                self._own.bytes -= sum(stored_bytes_of(stored.event) for stored in events)

    def claim(self) -> None:
        """Finds files of processes that have ended; `move_claimed` takes their events over."""
        claims: list[OwnedStore] = []
        damaged: list[Path] = []
        with self._lock:
            for owner in owners_in(self.folder):
                claimed = claim_store(self.folder, owner, damaged.append)
                if claimed:
                    claims.append(claimed)
            self._claims.extend(claims)
            reports = [(claimed.store.size()[0], claimed.bytes) for claimed in claims]
        # Outside of the lock: a listener may call the client.
        for path in damaged:
            self._listener.on_damaged(path)
        for events, size in reports:
            self._listener.on_claimed(events, size)

    def move_claimed(self) -> None:
        """Moves some events of an ended process into the own file. An end in between sends them twice, which is harmless."""
        damaged: list[Path] = []
        with self._lock:
            if not self._claims:
                return
            claimed = self._claims[0]
            events, error = claimed.first(_MOVED_EVENTS)
            if events:
                self._insert([stored.event for stored in events])
                error = claimed.delete(events)
                if error is None:
                    return
            self._claims.pop(0)
            claimed.end(error, damaged.append)
        for path in damaged:
            self._listener.on_damaged(path)

    def tidy(self) -> None:
        """Finds files of processes that have ended, and gives free space back."""
        self.claim()
        with self._lock:
            if self._own:
                self._own.store.give_back_space()

    def recover(self) -> None:
        """Begins a file again; the events of the one before are moved into it, as those of an ended process.

        After a failed fsync nobody knows what the disk has of a file, so that it is read only.
        """
        with self._lock:
            self._let_go()
            self._open()
            self.has_failed = False
        self.claim()

    def finish_appending(self) -> None:
        """Returns when all that was handed over is on disk or refused."""
        self._commits.finish()

    def close(self) -> bool:
        """Ends the use of the folder; what is not done stays there for the next process. Returns whether nothing is left."""
        with self._lock:
            is_empty = self._counts.events == 0 and not self._claims
            if self._own and self._counts.events == 0:
                self._own.store.remove()
                self._own.lock.remove()
                self._own = None
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

    def _open(self) -> None:
        lock = OwnerLock.acquire(self.folder)
        try:
            store = EventStore(lock.store_path)
            _sync_folder(self.folder)
        except BaseException:
            lock.release()
            raise
        self._own = OwnedStore(lock, store, 0)
        self._counts = QueueCounts()

    def _insert(self, events: Sequence[EncodedEvent]) -> None:
        with self._lock:
            with self.transaction(durable=True) as store:
                store.insert(events)
            self._counts.unread += len(events)
            self._counts.events += len(events)
            if self._own:
                self._own.bytes += sum(stored_bytes_of(event) for event in events)

    def _all(self) -> list[OwnedStore]:
        return [*self._claims, *([self._own] if self._own else [])]

    def _let_go(self) -> None:
        owned, self._own, self._claims = self._all(), None, []
        for each in owned:
            with suppress(sqlite3.Error):
                each.store.close()
            each.lock.release()


def _sync_folder(folder: Path) -> None:
    """Forces the names of new files to disk."""
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
