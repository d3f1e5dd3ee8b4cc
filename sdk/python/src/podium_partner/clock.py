"""Time as the package sees it."""

from __future__ import annotations

import queue
import time
from contextlib import suppress
from threading import Event
from typing import Protocol


class Clock(Protocol):
    """A source of time; tests give their own."""

    def now_s(self) -> float:
        """Seconds that never go back."""

    def wait(self, ended_by: Event, seconds: float) -> None:
        """Returns after a time, or as soon as the event is set."""


class WakeUp(Event):
    """An event without a lock that could stay locked.

    `set` and `wait` are for the handler of a signal as well, and for a thread in which one raises. Where several threads wait and one
    raises in the others' way, these may wake only at the end of their time.
    """

    def __init__(self) -> None:
        super().__init__()
        # It is set while a token is there. A flag beside the tokens could say so while `wait` finds none.
        # The class of this moment: gevent replaces it after the import where a server loads the application first.
        self._tokens: queue.SimpleQueue[None] = queue.SimpleQueue()

    def is_set(self) -> bool:
        return not self._tokens.empty()

    def set(self) -> None:
        # Two threads may both put a token: `clear` takes all.
        if self._tokens.empty():
            self._tokens.put(None)

    def clear(self) -> None:
        with suppress(queue.Empty):
            while True:
                self._tokens.get_nowait()

    def wait(self, timeout: float | None = None) -> bool:
        """Returns whether it is set: as soon as it is, and at the latest after a time."""
        try:
            self._tokens.get(timeout=timeout)
        except queue.Empty:
            return False
        self._tokens.put(None)
        return True


LONGEST_WAIT_S = 86_400.0


class SystemClock:
    """The machine's clock."""

    def now_s(self) -> float:
        return time.monotonic()

    def wait(self, ended_by: Event, seconds: float) -> None:
        ended_by.wait(min(max(seconds, 0.0), LONGEST_WAIT_S))
