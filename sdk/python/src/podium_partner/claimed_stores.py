"""Files of processes that have ended."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from .event import EncodedEvent
from .owned_store import OwnedStore, claim_store
from .owner_lock import owners_in
from .queue_counts import QueueListener

_MOVED_EVENTS = 1_000

Report = Callable[[], None]
"""Tells the listener, which may call the client: outside of the queue's lock."""


class ClaimedStores:
    """What this process takes over. A file that cannot be opened concerns that file alone."""

    def __init__(self, folder: Path, listener: QueueListener) -> None:
        self.stores: list[OwnedStore] = []
        self._folder = folder
        self._listener = listener
        self._unopened: set[str] = set()

    def find(self) -> list[Report]:
        """Takes the files of processes that have ended."""
        reports: list[Report] = []

        def report_damaged(path: Path) -> None:
            reports.append(partial(self._listener.on_damaged, path))

        owners = self._owners(reports)
        self._unopened.intersection_update(owners)
        for owner in owners:
            try:
                claimed = claim_store(self._folder, owner, report_damaged)
            except (OSError, sqlite3.OperationalError) as error:
                # Once per owner: the next search meets the same error again.
                if owner not in self._unopened:
                    self._unopened.add(owner)
                    reports.append(partial(self._listener.on_failed, _with_path(self._folder, owner, error)))
                continue
            self._unopened.discard(owner)
            if claimed:
                self.stores.append(claimed)
                reports.append(partial(self._listener.on_claimed, claimed.counted, claimed.bytes))
        return reports

    def move_some(self, insert: Callable[[Sequence[EncodedEvent]], None]) -> list[Report]:
        """Moves some events of the first one to another file; ends its ownership when it is empty or cannot be read."""
        if not self.stores:
            return []
        claimed = self.stores[0]
        events, error = claimed.first(_MOVED_EVENTS)
        if events:
            insert([stored.event for stored in events])
            error = claimed.delete(events)
            if error is None:
                return []
        self.stores.pop(0)
        damaged: list[Path] = []
        claimed.end(error, damaged.append)
        return [partial(self._listener.on_damaged, path) for path in damaged]

    def _owners(self, reports: list[Report]) -> list[str]:
        try:
            return owners_in(self._folder)
        except OSError as error:
            # The own file is open and goes on; the next search comes in half a minute.
            reports.append(partial(self._listener.on_failed, error))
            return []


def _with_path(folder: Path, owner: str, error: Exception) -> Exception:
    """An error of SQLite does not say which file it is about."""
    return error if isinstance(error, OSError) else sqlite3.OperationalError(f"{error}: {folder / owner}.sqlite3")
