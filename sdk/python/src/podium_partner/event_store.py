"""The events of one owner, in a SQLite file. All SQL of the package is here."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from .disk_space import is_out_of_space
from .event import EncodedEvent

RELEASED = ""
"""What an event waits for that waited and may be sent again."""

_SCHEMA_VERSION = 1
_SCHEMA = """
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA journal_mode = WAL;
BEGIN;
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  platform_user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  body BLOB NOT NULL,
  waits_for TEXT
);
CREATE INDEX events_waiting ON events (waits_for, seq) WHERE waits_for IS NOT NULL;
CREATE TABLE waiting (
  key TEXT PRIMARY KEY,
  attempts INTEGER NOT NULL,
  retry_after_s REAL NOT NULL,
  tried_at_s REAL NOT NULL,
  due_at_s REAL NOT NULL,
  is_trying INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX waiting_due ON waiting (due_at_s) WHERE is_trying = 0;
PRAGMA user_version = 1;
COMMIT;
"""
_COLUMNS = "seq, id, platform_user_id, name, body"
_FREE_PAGES = 1_000

MAX_READ_BYTES = 1_000_000
"""Most bytes of bodies that one read returns, unless its first event alone is larger."""


@dataclass(frozen=True)
class StoredEvent:
    """An event in a store; `seq` is its number there."""

    seq: int
    event: EncodedEvent


@dataclass(frozen=True)
class WaitingGroup:
    """What events wait for: a user or an event name. Times are those of the sender's clock."""

    key: str
    attempts: int
    retry_after_s: float
    tried_at_s: float
    due_at_s: float
    is_trying: bool


class EventStore:
    """One connection, for one thread at a time: the queue has the lock."""

    def __init__(self, path: Path) -> None:
        """Opens a file, which is created if it is missing. Raises sqlite3.Error for one that is damaged."""
        self.path = path
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        self._connection = sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False)
        try:
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            if version == 0:
                self._connection.executescript(_SCHEMA)
            elif version != _SCHEMA_VERSION:
                raise sqlite3.DatabaseError(f"{path} was written by another version of podium_partner")
            # The disk of a Mac confirms without this what it has in its cache only.
            self._connection.execute("PRAGMA fullfsync = 1")
            self._connection.execute("PRAGMA cache_size = -2000")
        except BaseException as error:
            self._connection.close()
            self._raise_when_full(error)
            raise

    @contextmanager
    def transaction(self, durable: bool) -> Iterator[None]:
        """Commits what is done in it; `durable` transactions are on disk then, also after a loss of power.

        What others lose is sent twice, which changes nothing.
        """
        try:
            self._begin(durable)
            yield
            self._connection.execute("COMMIT")
        except BaseException as error:
            self._roll_back(error)
            raise

    def insert_durably(self, events: Sequence[EncodedEvent]) -> None:
        """Inserts events, which are on disk then.

        Unlike `transaction` it leaves nothing open, wherever the handler of a signal raises.
        """
        try:
            self._begin(durable=True)
            self.insert(events)
            self._connection.execute("COMMIT")
        except BaseException as error:
            self._roll_back(error)
            raise

    def insert(self, events: Sequence[EncodedEvent]) -> None:
        rows = [(event.id, event.platform_user_id, event.name, event.body) for event in events]
        self._connection.executemany("INSERT INTO events (id, platform_user_id, name, body) VALUES (?, ?, ?, ?)", rows)

    def delete(self, seqs: Sequence[int]) -> None:
        self._connection.executemany("DELETE FROM events WHERE seq = ?", [(seq,) for seq in seqs])

    def last_seq(self) -> int:
        """The number of the last event; 0 when there is none."""
        (last,) = self._row("SELECT coalesce(max(seq), 0) FROM events")
        return last

    def size(self) -> tuple[int, int]:
        """How many events there are, and the bytes of their bodies."""
        count, size = self._row("SELECT count(*), coalesce(sum(length(body)), 0) FROM events")
        return count, size

    def after(self, seq: int, limit: int) -> list[StoredEvent]:
        """The next events behind a place, whatever they wait for."""
        return self._events("WHERE seq > ? ORDER BY seq LIMIT ?", seq, limit)

    def readable(self, limit: int, without: Container[int]) -> list[StoredEvent]:
        """The oldest events that can be read; fewer when the file is damaged elsewhere too."""
        events: list[StoredEvent] = []
        size = 0
        with suppress(sqlite3.DatabaseError):
            for (seq,) in self._connection.execute("SELECT seq FROM events ORDER BY seq"):
                if seq in without:
                    continue
                with suppress(sqlite3.DatabaseError):
                    found = self._events("WHERE seq = ?", seq)
                    events.extend(found)
                    size += sum(len(stored.event.body) for stored in found)
                if len(events) >= limit or size >= MAX_READ_BYTES:
                    break
        return events

    def unread_after(self, seq: int, limit: int) -> list[StoredEvent]:
        """The next events behind a place that wait for nothing."""
        return self._events("WHERE seq > ? AND waits_for IS NULL ORDER BY seq LIMIT ?", seq, limit)

    def waiting_for(self, key: str, limit: int) -> list[StoredEvent]:
        """The last events of a group."""
        return self._events("WHERE waits_for = ? ORDER BY seq DESC LIMIT ?", key, limit)

    def wait_for(self, key: str | None, seqs: Sequence[int]) -> None:
        """Makes events wait for a group, or for nothing."""
        rows = [(key, seq) for seq in seqs]
        self._connection.executemany("UPDATE events SET waits_for = ? WHERE seq = ?", rows)

    def dissolve(self, key: str) -> int:
        """Removes a group, and releases its events; returns how many there were."""
        self._connection.execute("DELETE FROM waiting WHERE key = ?", (key,))
        statement = "UPDATE events SET waits_for = ? WHERE waits_for = ?"
        return self._connection.execute(statement, (RELEASED, key)).rowcount

    def release_all(self) -> None:
        """Removes all groups; no event waits any more."""
        self._connection.execute("UPDATE events SET waits_for = NULL WHERE waits_for IS NOT NULL")
        self._connection.execute("DELETE FROM waiting")

    def group(self, key: str) -> WaitingGroup | None:
        groups = self._groups("WHERE key = ?", key)
        return groups[0] if groups else None

    def groups_among(self, keys: Sequence[str]) -> dict[str, WaitingGroup]:
        """Those of up to 900 groups that exist."""
        places = ",".join("?" * len(keys))
        return {group.key: group for group in self._groups(f"WHERE key IN ({places})", *keys)}

    def due_groups(self, now_s: float, limit: int) -> list[WaitingGroup]:
        return self._groups("WHERE is_trying = 0 AND due_at_s <= ? ORDER BY due_at_s LIMIT ?", now_s, limit)

    def next_due_s(self) -> float | None:
        """When the next group is due."""
        (due_at_s,) = self._row("SELECT min(due_at_s) FROM waiting WHERE is_trying = 0")
        return due_at_s

    def put_group(self, group: WaitingGroup) -> None:
        values = (group.key, group.attempts, group.retry_after_s, group.tried_at_s, group.due_at_s, group.is_trying)
        self._connection.execute("REPLACE INTO waiting VALUES (?, ?, ?, ?, ?, ?)", values)

    def remove_group(self, key: str) -> None:
        self._connection.execute("DELETE FROM waiting WHERE key = ?", (key,))

    def give_back_space(self) -> None:
        """Returns pages to the file system when many are free: after an outage the file is large."""
        (free,) = self._row("PRAGMA freelist_count")
        if free > _FREE_PAGES:
            self._connection.execute(f"PRAGMA incremental_vacuum({_FREE_PAGES})").fetchall()

    def close(self) -> None:
        self._connection.close()

    def remove(self) -> None:
        """Closes the store and removes its files."""
        self._connection.close()
        remove_files(self.path)

    def _begin(self, durable: bool) -> None:
        self._connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        self._connection.execute("BEGIN IMMEDIATE")

    def _roll_back(self, error: BaseException) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        self._raise_when_full(error)

    def _raise_when_full(self, error: BaseException) -> None:
        is_of_disk = isinstance(error, sqlite3.OperationalError) and "disk I/O error" in str(error)
        if is_of_disk and is_out_of_space(self.path.parent):
            raise sqlite3.OperationalError("the disk is full, or your quota of it is used up") from error

    def _events(self, condition: str, *values: object) -> list[StoredEvent]:
        rows = self._connection.execute(f"SELECT {_COLUMNS} FROM events {condition}", values)
        events: list[StoredEvent] = []
        size = 0
        for seq, event_id, user, name, body in rows:
            size += len(body)
            if events and size > MAX_READ_BYTES:
                break
            events.append(StoredEvent(seq, EncodedEvent(event_id, user, name, body)))
        return events

    def _groups(self, condition: str, *values: object) -> list[WaitingGroup]:
        columns = "key, attempts, retry_after_s, tried_at_s, due_at_s, is_trying"
        rows = self._connection.execute(f"SELECT {columns} FROM waiting {condition}", values)
        return [WaitingGroup(*row) for row in rows]

    def _row(self, statement: str) -> tuple[int, ...]:
        row: tuple[int, ...] = self._connection.execute(statement).fetchone()
        return row


def remove_files(path: Path) -> None:
    """Removes the files of a store that nobody has open."""
    for end in ("", "-wal", "-shm"):
        Path(f"{path}{end}").unlink(missing_ok=True)
