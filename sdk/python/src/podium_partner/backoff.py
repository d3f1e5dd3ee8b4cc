"""Delays between attempts, in seconds."""

from __future__ import annotations

from collections.abc import Callable

FIRST_DELAY_S = 0.5
LONGEST_DELAY_S = 60.0
LONGEST_SET_ASIDE_S = 3_600.0


def retry_delay_s(attempt: int, retry_after_s: float | None, random: Callable[[], float]) -> float:
    """How long to wait after a failed attempt, the first being 0: Retry-After in full, plus a delay that doubles.

    Half of the delay is random: otherwise all clients would come back together after an outage.
    """
    growing = min(LONGEST_DELAY_S, FIRST_DELAY_S * 2.0 ** min(attempt, 30))
    return (retry_after_s or 0.0) + growing / 2 + random() * growing / 2


def set_aside_delay_s(attempt: int, retry_after_s: float, random: Callable[[], float]) -> float:
    """How long a user, an event name or an event stays set aside after a failed attempt, the first being 0.

    It doubles from Retry-After to an hour, is never below Retry-After, and has a random fifth on top.
    """
    longest = max(retry_after_s, LONGEST_SET_ASIDE_S)
    return min(longest, retry_after_s * 2.0 ** min(attempt, 30)) * (1 + 0.2 * random())
