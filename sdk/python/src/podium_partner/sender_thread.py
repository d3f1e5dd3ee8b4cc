"""The thread that sends."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread, current_thread


class SenderThread(Thread):
    """No caller meets what is raised in it, and what waits for its end cannot wait in it."""

    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__(target=work, name="podium-partner", daemon=True)

    @property
    def is_current(self) -> bool:
        """Whether the caller runs in it, as a listener of notices does."""
        return current_thread() is self


def is_in_sender_thread() -> bool:
    """Whether the caller runs in a thread that sends, of whatever client."""
    return isinstance(current_thread(), SenderThread)
