"""The file that a queue appends to and reads, and how it is used while the disk is full."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from .claimed_stores import ClaimedStores, Report
from .event_store import EventStore, StoredEvent
from .owned_store import OwnedStore, is_full_error, new_store
from .queue_counts import Inserting, QueueCounts, QueueListener

READ_EVENTS = 200
"""How many events are read at once."""


class QueueFile:
    """A file of this process, or, on a full disk, one of an ended process. The caller has the lock of the queue."""

    def __init__(self, folder: Path, claims: ClaimedStores, listener: QueueListener) -> None:
        self.own: OwnedStore | None = None
        self.counts = QueueCounts()
        self.inserting: Inserting | None = None
        """What is being inserted and was not counted yet."""
        self.is_read_only = False
        """The disk is full: events are read and sent, and what is done is kept in memory until it can be deleted."""
        self.is_of_ended = False
        """While read only: the file is one of an ended process, which nothing is appended to."""
        self._folder = folder
        self._claims = claims
        self._listener = listener

    @property
    def store(self) -> EventStore:
        """Raises sqlite3.OperationalError while there is none."""
        return self._opened().store

    def open_or_adopt(self) -> list[Report]:
        """Opens a new file, or, on a full disk, one of an ended process, which is then read only."""
        try:
            self._open()
        except (OSError, sqlite3.Error) as error:
            if not is_full_error(error) or not self._claims.stores:
                raise
            self.own = self._claims.stores.pop(0)
            self.is_read_only = True
            self.is_of_ended = True
            self.rewind()
            return [partial(self._listener.on_failed, error)]
        return []

    def count_inserted(self) -> None:
        """Counts `inserting`, if it is there: the handler of a signal may have raised before, during or after the commit."""
        own, inserting = self.own, self.inserting
        # Of a disk that fails nothing is known: the queue needs `recover`, which counts.
        with suppress(sqlite3.Error):
            if own and inserting and own.store.last_seq() > inserting.after_seq:
                # Without a call in between: the handler of a signal can run after each.
                self.counts.unread += inserting.events
                self.counts.events += inserting.events
                own.bytes += inserting.bytes
                self.inserting = None
        self.inserting = None

    def remove_if_empty(self) -> bool:
        """Removes the file when nothing is left in it; returns whether nothing is."""
        own = self.own
        with suppress(sqlite3.Error):
            # Counted again, because nothing brings back what was in a removed file.
            if self.counts.events == 0 and (own is None or own.count() == 0):
                self.own = None
                if own:
                    own.remove()
                return True
        return False

    def read_only(self) -> bool:
        """Goes on without a change on the disk; False when there is no file to read."""
        if self.own is None:
            return False
        self.is_read_only = True
        self.rewind()
        return True

    def rewind(self) -> None:
        """While read only, begins with the first event again."""
        if self.own:
            count = self.own.count()
            self.counts = QueueCounts(unread=count, events=count)
            self.inserting = None

    def next_of_all(self) -> list[StoredEvent]:
        """While read only: the next events that are not done, whatever they wait for."""
        events, self.counts.read_to = self._opened().after(self.counts.read_to, READ_EVENTS)
        # Some may have been done since they were counted.
        self.counts.unread = max(1, self.counts.unread - len(events)) if events else 0
        return events

    def finish(self, events: Sequence[StoredEvent]) -> None:
        """While read only: keeps in memory that events are done."""
        self.counts.events -= self.own.finish(events) if self.own else 0

    def write_again(self) -> list[Report] | None:
        """Ends reading only if the disk has space again, or by removing the file, all of which is done; else None."""
        own = self.own
        if own is None:
            return None
        try:
            if self.counts.events == 0:
                self.own = None
                own.remove()
                return self.open_or_adopt()
            if self.is_of_ended:
                self._open()
                self._claims.stores.insert(0, own)
            else:
                own.delete_finished()
                self.is_read_only = False
                self.rewind()
        except (OSError, sqlite3.Error) as error:
            if self.own is None or not is_full_error(error):
                raise
            return None
        return []

    def _open(self) -> None:
        self.own = new_store(self._folder)
        self.is_read_only = False
        self.is_of_ended = False
        self.counts = QueueCounts()
        self.inserting = None

    def _opened(self) -> OwnedStore:
        if self.own is None:
            raise sqlite3.OperationalError("the queue is not open")
        return self.own
