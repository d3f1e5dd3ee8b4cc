"""When nothing is sent, because it would be in vain."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .backoff import retry_delay_s
from .errors import PodiumError
from .notices import Paused, Resumed
from .results import EventResult

PAUSED_TRY_S = 300.0
"""While nothing can be sent, one event is tried after this time: a new key works without a restart.

It counts for a Retry-After of 0 too, which proxies send: nobody corrects a key in no time.
"""


class SendingPause:
    """A pause has a cause that a person must mend. After a round of temporary errors everything waits for a time, too."""

    def __init__(self, random: Callable[[], float]) -> None:
        self.cause: PodiumError | None = None
        """The error for which nothing is sent."""
        self.try_at_s = 0.0
        self._random = random
        self._failed_rounds = 0

    def begin(self, error: PodiumError, now_s: float) -> Paused | None:
        """Begins a pause, or prolongs it; the notice is one per cause, not per event."""
        next_try_in_s = error.retry_after_s or PAUSED_TRY_S
        is_told = self.cause is not None and self.cause.code == error.code
        self.cause = error
        self.try_at_s = now_s + next_try_in_s
        return None if is_told else Paused(error, next_try_in_s)

    def end(self, now_s: float) -> Resumed | None:
        """Podium has answered for an event: key, address and integration are in order."""
        self.try_at_s = now_s
        if self.cause is None:
            return None
        self.cause = None
        return Resumed()

    def after_round(self, results: Sequence[EventResult], now_s: float) -> None:
        """When nothing but temporary errors came back, the service or the way to it is the cause: everything waits."""
        errors = [result.error for result in results if not result.ok and result.error.retry == "now"]
        if len(errors) < len(results):
            self._failed_rounds = 0
            return
        retry_after_s = max(error.retry_after_s or 0.0 for error in errors)
        self.try_at_s = now_s + retry_delay_s(self._failed_rounds, retry_after_s, self._random)
        self._failed_rounds += 1
