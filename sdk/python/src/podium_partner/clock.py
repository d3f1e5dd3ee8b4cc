"""Time as the package sees it."""

from __future__ import annotations

import time
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event
from typing import Protocol


class Clock(Protocol):
    """A source of time; tests give their own."""

    def now_s(self) -> float:
        """Seconds that never go back."""

    def wait(self, ended_by: Event, seconds: float) -> None:
        """Returns after a time, or as soon as the event is set."""


class WakeUp(Event):
    """An event that one thread waits for.

    `set` is for the handler of a signal as well, and for a thread in which one raises: no lock of it could stay locked.
    """

    def __init__(self) -> None:
        super().__init__()
        self._tokens: SimpleQueue[None] = SimpleQueue()
        self._is_set = False

    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        if not self._is_set:
            self._tokens.put(None)
            self._is_set = True

    def clear(self) -> None:
        self._is_set = False
        with suppress(Empty):
            while True:
                self._tokens.get_nowait()

    def wait(self, timeout: float | None = None) -> bool:
        """Returns when it is set, and at the latest after a time; one that was set before may end it early."""
        if not self._is_set:
            with suppress(Empty):
                self._tokens.get(timeout=timeout)
        return self._is_set


LONGEST_WAIT_S = 86_400.0


class SystemClock:
    """The machine's clock."""

    def now_s(self) -> float:
        return time.monotonic()

    def wait(self, ended_by: Event, seconds: float) -> None:
        ended_by.wait(min(max(seconds, 0.0), LONGEST_WAIT_S))
