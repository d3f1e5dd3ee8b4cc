"""The rate of a platform, as its partner keeps it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from threading import Event, RLock

from .clock import Clock

BURST_SHARE = 0.9
"""A burst below the server's: requests that the network delays and bunches together still fit."""

_NUMBER = re.compile(r"\s*(\d{1,12}(?:\.\d{1,6})?)")


class RatePacer:
    """Spaces events so that the platform's rate is used and not exceeded.

    It starts at a given rate and follows the headers of answers (draft-ietf-httpapi-ratelimit-headers-06), which also
    count what other processes of the platform send.
    """

    def __init__(self, clock: Clock, events_per_second: float) -> None:
        self._clock = clock
        # The handler of a signal may send while it interrupts a request.
        self._lock = RLock()
        self._per_second = events_per_second
        # When the bucket would be full again if nothing more were taken (GCRA).
        self._full_at_s = 0.0
        # The same by the server's last answer alone.
        self._learned_full_at_s = 0.0
        self._blocked_until_s = 0.0

    @property
    def most_at_once(self) -> int:
        """Most events of one batch request at this rate.

        The server's burst is as large as its rate, and it takes no larger batch.
        """
        return max(1, math.floor(self._per_second))

    def take(self, events: int, stopped: Event) -> None:
        """Takes the place of a number of events; returns when they may be sent, or when `stopped` is set."""
        with self._lock:
            self._full_at_s = max(self._full_at_s, self._clock.now_s()) + events / self._per_second
            free_at_s = self._full_at_s - self._burst() / self._per_second
        try:
            while not stopped.is_set():
                with self._lock:
                    wait_s = max(free_at_s, self._blocked_until_s) - self._clock.now_s()
                if wait_s <= 0:
                    return
                self._clock.wait(stopped, wait_s)
        except BaseException:
            # The handler of a signal has raised, such as a time limit: nothing is sent in this place.
            self.give_back(events)
            raise

    def give_back(self, events: int) -> None:
        """Gives places back that the server has not counted: the events go on as other requests."""
        with self._lock:
            self._full_at_s = max(self._learned_full_at_s, self._full_at_s - events / self._per_second)

    def learn(self, headers: Mapping[str, str]) -> None:
        """Takes over the rate and what is left of it from an answer; the names of headers are in lower case."""
        limit = _number(headers.get("ratelimit-limit"))
        left = _number(headers.get("ratelimit-remaining"))
        with self._lock:
            if limit:
                self._per_second = limit
            if left is None:
                return
            used = max(0.0, self._burst() - left)
            self._learned_full_at_s = self._clock.now_s() + used / self._per_second
            self._full_at_s = max(self._full_at_s, self._learned_full_at_s)

    def block(self, seconds: float) -> None:
        """Nothing is sent for a time, because the rate was exceeded."""
        with self._lock:
            self._blocked_until_s = max(self._blocked_until_s, self._clock.now_s() + seconds)

    def _burst(self) -> int:
        return max(1, math.floor(self._per_second * BURST_SHARE))


def _number(header: str | None) -> float | None:
    """The number at the beginning of a header; None when there is none."""
    match = _NUMBER.match(header or "")
    return float(match[1]) if match else None
