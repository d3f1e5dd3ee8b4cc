"""Time as the package sees it."""

from __future__ import annotations

import time
from threading import Event
from typing import Protocol


class Clock(Protocol):
    """A source of time; tests give their own."""

    def now_s(self) -> float:
        """Seconds that never go back."""

    def wait(self, ended_by: Event, seconds: float) -> None:
        """Returns after a time, or as soon as the event is set."""


LONGEST_WAIT_S = 86_400.0


class SystemClock:
    """The machine's clock."""

    def now_s(self) -> float:
        return time.monotonic()

    def wait(self, ended_by: Event, seconds: float) -> None:
        ended_by.wait(min(max(seconds, 0.0), LONGEST_WAIT_S))
