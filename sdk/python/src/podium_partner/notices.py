"""What the package reports, for logs and metrics. `level` is that of the module logging."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

from .errors import PodiumError
from .results import EventWarning
from .sender_thread import is_in_sender_thread

_logger = logging.getLogger("podium_partner")


@dataclass(frozen=True)
class Accepted:
    """Podium has the event."""

    type: ClassVar[str] = "accepted"
    event_id: str
    outcome: Literal["accepted", "duplicate"]
    dropped_attributes: tuple[str, ...]
    warnings: tuple[EventWarning, ...]

    @property
    def level(self) -> int:
        return logging.WARNING if self.warnings else logging.DEBUG


@dataclass(frozen=True)
class Retried:
    """The event is sent again after a delay."""

    type: ClassVar[str] = "retried"
    level: ClassVar[int] = logging.INFO
    event_id: str
    error: PodiumError
    attempt: int


@dataclass(frozen=True)
class SetAside:
    """The event waits until its user is linked or its name negotiated."""

    type: ClassVar[str] = "set_aside"
    level: ClassVar[int] = logging.WARNING
    event_id: str
    error: PodiumError


@dataclass(frozen=True)
class DeadLettered:
    """The event is in the dead-letter file."""

    type: ClassVar[str] = "dead_letter"
    level: ClassVar[int] = logging.ERROR
    event_id: str
    error: PodiumError


@dataclass(frozen=True)
class Paused:
    """Nothing is sent: tell a person."""

    type: ClassVar[str] = "paused"
    level: ClassVar[int] = logging.ERROR
    error: PodiumError
    next_try_in_s: float


@dataclass(frozen=True)
class Resumed:
    """Events are sent again after a pause."""

    type: ClassVar[str] = "resumed"
    level: ClassVar[int] = logging.INFO


@dataclass(frozen=True)
class Claimed:
    """Events of a process that ended are taken over."""

    type: ClassVar[str] = "claimed"
    level: ClassVar[int] = logging.INFO
    events: int
    bytes: int


@dataclass(frozen=True)
class DamagedFile:
    """A file of the queue is damaged; it was renamed, with events in it that may be lost."""

    type: ClassVar[str] = "damaged_file"
    level: ClassVar[int] = logging.ERROR
    path: str


@dataclass(frozen=True)
class QueueFailed:
    """The queue's disk failed or is full, or a file of an ended process cannot be opened; sending goes on after a delay."""

    type: ClassVar[str] = "queue_failed"
    level: ClassVar[int] = logging.ERROR
    error: Exception


Notice = Accepted | Retried | SetAside | DeadLettered | Paused | Resumed | Claimed | DamagedFile | QueueFailed

NoticeListener = Callable[[Notice], None]
"""Receives notices. It must not block; what it raises is logged, except an exit in a thread of the caller."""


def log_notice(notice: Notice) -> None:
    """Writes a notice to the logger `podium_partner`: what happens without a listener."""
    _logger.log(notice.level, "%s", notice)


def guarded(listener: NoticeListener | None) -> NoticeListener:
    """A listener whose errors do not stop the sender; without one, the notices are logged."""
    if listener is None:
        return log_notice

    def notify(notice: Notice) -> None:
        try:
            listener(notice)
        except (Exception, SystemExit) as error:
            # An exit would end only the thread that sends. In the caller's thread it is the caller's.
            if isinstance(error, SystemExit) and not is_in_sender_thread():
                raise
            _logger.warning("The listener of notices failed", exc_info=True)

    return notify
