"""A clock that jumps to the end of each wait, so that hours take no time."""

from threading import Event, Lock


class JumpingClock:
    def __init__(self) -> None:
        self._at_s = 0.0
        self._lock = Lock()

    def now_s(self) -> float:
        return self._at_s

    def wait(self, ended_by: Event, seconds: float) -> None:
        if not ended_by.is_set():
            with self._lock:
                # A remainder of floating-point numbers must not be waited for for ever.
                self._at_s += max(seconds, 0.000_001)
