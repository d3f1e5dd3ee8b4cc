"""Events of many threads that share one commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Condition, get_ident

from .errors import ErrorDetails, QueueError
from .event import EncodedEvent

_MAX_GROUP = 1_000


class _Waiting:
    def __init__(self, event: EncodedEvent) -> None:
        self.event = event
        self.thread = get_ident()
        self.is_stored = False
        self.error: Exception | None = None

    @property
    def is_finished(self) -> bool:
        return self.is_stored or self.error is not None


class GroupCommit:
    """Commits what waits at the same time together: a commit costs an fsync, however many events are in it.

    The first thread that finds no commit under way does it for all.
    """

    def __init__(self, commit: Callable[[Sequence[EncodedEvent]], None]) -> None:
        self._commit = commit
        self._changed = Condition()
        self._waiting: list[_Waiting] = []
        # The handler of a signal runs in the thread that it interrupts, which cannot go on until the handler returns.
        self._committer: int | None = None

    @property
    def is_committing_here(self) -> bool:
        """Whether the caller is the handler of a signal that interrupted a commit."""
        return self._committer == get_ident()

    def add(self, event: EncodedEvent) -> None:
        """Returns when the event is committed; raises what its commit raised, and QueueError in the handler of a signal
        that interrupted a commit."""
        if self.is_committing_here:
            text = "The handler of a signal interrupted enqueue. Hand the event over again outside of the handler."
            raise QueueError(ErrorDetails(text, "queue_failed", event_id=event.id))
        mine = _Waiting(event)
        with self._changed:
            self._waiting.append(mine)
        while not mine.is_stored:
            group = self._next_group(mine)
            if mine.error:
                raise mine.error
            if group:
                self._commit_group(group)

    def finish(self, timeout_s: float) -> None:
        """Returns when nothing is being committed that can end while the caller waits, and at the latest after a time."""
        me = get_ident()

        def is_finished() -> bool:
            if self._committer is None:
                return all(waiting.thread == me for waiting in self._waiting)
            return self._committer == me

        with self._changed:
            self._changed.wait_for(is_finished, timeout_s)

    def _next_group(self, mine: _Waiting) -> list[_Waiting]:
        """What this thread has to commit; nothing when another thread has finished this thread's event."""
        with self._changed:
            try:
                while self._committer is not None and not mine.is_finished:
                    self._changed.wait()
            except BaseException:
                # The thread was interrupted: nobody would wait for the event.
                if mine in self._waiting:
                    self._waiting.remove(mine)
                raise
            if mine.is_finished:
                return []
            self._committer = get_ident()
            group, self._waiting = self._waiting[:_MAX_GROUP], self._waiting[_MAX_GROUP:]
            return group

    def _commit_group(self, group: list[_Waiting]) -> None:
        # Also what an interrupt leaves: the others must not wait for ever.
        error: Exception | None = InterruptedError("the commit was interrupted")
        try:
            self._commit([waiting.event for waiting in group])
            error = None
        except Exception as thrown:
            error = thrown
        finally:
            with self._changed:
                self._committer = None
                for waiting in group:
                    waiting.is_stored, waiting.error = error is None, error
                self._changed.notify_all()
