"""Stores of events and their owners' locks."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .event import EncodedEvent
from .event_store import EventStore, StoredEvent
from .owner_lock import OwnerLock

EVENT_OVERHEAD_BYTES = 200
"""About what a stored event needs on disk beside its body."""


@dataclass
class OwnedStore:
    """A store that this process owns, and the bytes of its events."""

    lock: OwnerLock
    store: EventStore
    bytes: int

    def first(self, limit: int) -> tuple[list[StoredEvent], sqlite3.DatabaseError | None]:
        """The oldest events. One that is damaged does not keep the others: it is left out, and the error is returned.

        Nothing is read of a file whose disk fails: its events could not be deleted either, and would be copied again and again.
        """
        try:
            return self.store.first(limit), None
        except sqlite3.OperationalError as error:
            return [], error
        except sqlite3.DatabaseError as error:
            return self.store.first_readable(limit), error

    def delete(self, events: Sequence[StoredEvent]) -> sqlite3.DatabaseError | None:
        """Removes events, and returns the error of a file that is damaged. Raises sqlite3.OperationalError."""
        try:
            with self.store.transaction(durable=False):
                self.store.delete([stored.seq for stored in events])
            self.bytes -= sum(stored_bytes_of(stored.event) for stored in events)
            self.store.give_back_space()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            return error
        return None

    def end(self, error: sqlite3.DatabaseError | None, on_damaged: Callable[[Path], None]) -> None:
        """Ends the ownership, because the store is empty or for the error that keeps the rest of it."""
        if error is None:
            self.store.remove()
            self.lock.remove()
            return
        self.store.close()
        _give_up(self.lock, error, on_damaged)


def claim_store(folder: Path, owner: str, on_damaged: Callable[[Path], None]) -> OwnedStore | None:
    """The events of an owner whose process has ended; None when it runs, or has left none."""
    lock = OwnerLock.claim(folder, owner)
    if lock is None:
        return None
    if not lock.store_path.exists():
        lock.remove()
        return None
    try:
        store = EventStore(lock.store_path)
        count, size = store.size()
    except sqlite3.DatabaseError as error:
        _give_up(lock, error, on_damaged)
        return None
    if count > 0:
        return OwnedStore(lock, store, size + count * EVENT_OVERHEAD_BYTES)
    store.remove()
    lock.remove()
    return None


def stored_bytes_of(event: EncodedEvent) -> int:
    """Bytes that an event needs on disk."""
    return len(event.body) + EVENT_OVERHEAD_BYTES


def is_disk_error(error: Exception) -> bool:
    """Whether an error leaves unknown what the disk has of a file. A full disk does not: the transaction is undone."""
    return isinstance(error, OSError) or "disk I/O error" in str(error) or "malformed" in str(error)


def _give_up(lock: OwnerLock, error: sqlite3.DatabaseError, on_damaged: Callable[[Path], None]) -> None:
    if isinstance(error, sqlite3.OperationalError):
        # The disk or the system failed, not the file: the next attempt may succeed.
        lock.release()
    else:
        on_damaged(_set_damaged_aside(lock))


def _set_damaged_aside(lock: OwnerLock) -> Path:
    damaged = Path(f"{lock.store_path}.damaged")
    for end in ("", "-wal"):
        file = Path(f"{lock.store_path}{end}")
        if file.exists():
            file.rename(f"{damaged}{end}")
    lock.remove()
    return damaged
