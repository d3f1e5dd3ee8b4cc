"""Stores of events and their owners' locks."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .disk_space import FULL_ERRORS
from .event import EncodedEvent
from .event_store import EventStore, StoredEvent, remove_files
from .owner_lock import OwnerLock

EVENT_OVERHEAD_BYTES = 200
"""About what a stored event needs on disk beside its body."""

_DELETED_AT_ONCE = 500


@dataclass
class OwnedStore:
    """A store that this process owns, and the bytes of its events."""

    lock: OwnerLock
    store: EventStore
    bytes: int
    finished: dict[int, int] = field(default_factory=dict)
    """Numbers of events that are done and could not be deleted because the disk is full, with their bytes."""
    counted: int = 0
    """Events at the last count."""

    def after(self, seq: int, limit: int) -> tuple[list[StoredEvent], int]:
        """The next events behind a place that are not done, and how far this read: the same place at the end."""
        while True:
            events = self.store.after(seq, limit)
            if not events:
                return [], seq
            seq = events[-1].seq
            left = self._not_finished(events)
            if left:
                return left, seq

    def first(self, limit: int) -> tuple[list[StoredEvent], sqlite3.DatabaseError | None]:
        """The oldest events. One that is damaged does not keep the others: it is left out, and the error is returned.

        Nothing is read of a file whose disk fails: its events could not be deleted, and would be copied again and again.
        """
        try:
            return self.after(0, limit)[0], None
        except sqlite3.OperationalError as error:
            return [], error
        except sqlite3.DatabaseError as error:
            return self.store.readable(limit, self.finished), error

    def delete(self, events: Sequence[StoredEvent]) -> sqlite3.DatabaseError | None:
        """Removes events, and returns the error of a file that is damaged. Raises sqlite3.OperationalError.

        On a full disk it keeps in memory which they are.
        """
        try:
            with self.store.transaction(durable=False):
                self.store.delete([stored.seq for stored in events])
            self.bytes -= sum(stored_bytes_of(stored.event) for stored in events)
            self.store.give_back_space()
        except sqlite3.OperationalError as error:
            if not is_full_error(error):
                raise
            self.finish(events)
        except sqlite3.DatabaseError as error:
            return error
        return None

    def finish(self, events: Sequence[StoredEvent]) -> int:
        """Keeps in memory that events are done; returns how many of them were not before."""
        new = {stored.seq: stored_bytes_of(stored.event) for stored in events if stored.seq not in self.finished}
        self.finished.update(new)
        self.bytes -= sum(new.values())
        return len(new)

    def delete_finished(self) -> None:
        """Deletes what is done, and releases what waits. Raises sqlite3.OperationalError while the disk is full."""
        for part in _parts_of(list(self.finished)):
            with self.store.transaction(durable=False):
                self.store.delete(part)
            for seq in part:
                del self.finished[seq]
        with self.store.transaction(durable=False):
            self.store.release_all()

    def count(self) -> int:
        """Counts the events that are not done, and their bytes."""
        count, size = self.store.size()
        self.bytes = size + count * EVENT_OVERHEAD_BYTES - sum(self.finished.values())
        self.counted = count - len(self.finished)
        return self.counted

    def remove(self) -> None:
        """Removes the store and its lock, when nothing is left in it."""
        self.store.remove()
        self.lock.remove()

    def end(self, error: sqlite3.DatabaseError | None, on_damaged: Callable[[Path], None]) -> None:
        """Ends the ownership, because the store is empty or for the error that keeps the rest of it."""
        if error is None:
            self.remove()
            return
        self.store.close()
        if isinstance(error, sqlite3.OperationalError):
            # The disk or the system failed, not the file: the next attempt may succeed.
            self.lock.release()
        else:
            on_damaged(_set_damaged_aside(self.lock))

    def _not_finished(self, events: Sequence[StoredEvent]) -> list[StoredEvent]:
        return [stored for stored in events if stored.seq not in self.finished]


def new_store(folder: Path) -> OwnedStore:
    """A store of its own for this process; leaves no file when that fails."""
    lock = OwnerLock.acquire(folder)
    try:
        store = EventStore(lock.store_path)
        try:
            _sync_folder(folder)
        except BaseException:
            store.close()
            raise
        return OwnedStore(lock, store, 0)
    except BaseException:
        remove_files(lock.store_path)
        lock.remove()
        raise


def claim_store(folder: Path, owner: str, on_damaged: Callable[[Path], None]) -> OwnedStore | None:
    """The events of an owner whose process has ended; None when it runs, or has left none.

    Raises OSError or sqlite3.OperationalError for files that cannot be opened; their owner stays as it was.
    """
    lock = OwnerLock.claim(folder, owner)
    if lock is None:
        return None
    try:
        if not lock.store_path.exists():
            lock.remove()
            return None
        try:
            return _claimed(lock)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            on_damaged(_set_damaged_aside(lock))
            return None
    except BaseException:
        lock.release()
        raise


def stored_bytes_of(event: EncodedEvent) -> int:
    """Bytes that an event needs on disk."""
    return len(event.body) + EVENT_OVERHEAD_BYTES


def is_disk_error(error: Exception) -> bool:
    """Whether an error leaves unknown what the disk has of a file. A full disk does not: the transaction is undone."""
    is_of_system = isinstance(error, OSError) and not is_of_handler(error)
    return is_of_system or "disk I/O error" in str(error) or "malformed" in str(error)


def is_of_handler(error: Exception) -> bool:
    """Whether the handler of a signal has raised an error: those that the system raises for a disk have a number.

    The time limits of handlers are often a TimeoutError, which is an OSError.
    """
    return isinstance(error, TimeoutError) or (isinstance(error, OSError) and error.errno is None)


def is_full_error(error: Exception) -> bool:
    """Whether the disk has no space: what is on it can be read."""
    if isinstance(error, OSError):
        return error.errno in FULL_ERRORS
    return isinstance(error, sqlite3.OperationalError) and "disk is full" in str(error)


def _claimed(lock: OwnerLock) -> OwnedStore | None:
    store = EventStore(lock.store_path)
    try:
        owned = OwnedStore(lock, store, 0)
        if owned.count() > 0:
            return owned
        owned.remove()
        return None
    except BaseException:
        store.close()
        raise


def _set_damaged_aside(lock: OwnerLock) -> Path:
    damaged = Path(f"{lock.store_path}.damaged")
    for end in ("", "-wal"):
        file = Path(f"{lock.store_path}{end}")
        if file.exists():
            file.rename(f"{damaged}{end}")
    lock.remove()
    return damaged


def _sync_folder(folder: Path) -> None:
    """Forces the names of new files to disk."""
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _parts_of(seqs: Sequence[int]) -> list[Sequence[int]]:
    return [seqs[at : at + _DELETED_AT_ONCE] for at in range(0, len(seqs), _DELETED_AT_ONCE)]
