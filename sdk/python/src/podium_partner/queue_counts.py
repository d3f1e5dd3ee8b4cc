"""What a queue tells others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass
class QueueCounts:
    """Numbers of events of a process' own file; `read_to` is the number of the last event that was read on to."""

    read_to: int = 0
    unread: int = 0
    released: int = 0
    waiting: int = 0
    events: int = 0


@dataclass(frozen=True)
class Inserting:
    """Events that are inserted behind the event with a number."""

    after_seq: int
    events: int
    bytes: int


@dataclass(frozen=True)
class QueueListener:
    """What a queue reports."""

    on_claimed: Callable[[int, int], None]
    """Events, and their bytes, of a process that has ended are taken over."""
    on_damaged: Callable[[Path], None]
    """A file was damaged, and has another name."""
    on_failed: Callable[[Exception], None]
    """A file of another process cannot be opened, which is told once, or none can be created; both are tried again."""
