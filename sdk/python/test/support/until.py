"""Waits for what other threads or processes do."""

import time
from collections.abc import Callable


def until(what: str, condition: Callable[[], bool], seconds: float = 10.0) -> None:
    """Returns as soon as a condition holds; fails after a time."""
    end_s = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end_s:
            raise AssertionError(f"not in time: {what}")
        time.sleep(0.005)
