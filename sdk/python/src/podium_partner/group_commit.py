"""Events of many threads that share one commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Condition

from .event import EncodedEvent

_MAX_GROUP = 1_000


class _Waiting:
    def __init__(self, event: EncodedEvent) -> None:
        self.event = event
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
        self._is_committing = False

    def add(self, event: EncodedEvent) -> None:
        """Returns when the event is committed; raises what its commit raised."""
        mine = _Waiting(event)
        with self._changed:
            self._waiting.append(mine)
        while not mine.is_stored:
            group = self._next_group(mine)
            if mine.error:
                raise mine.error
            if group:
                self._commit_group(group)

    def finish(self) -> None:
        """Returns when nothing is being committed."""
        with self._changed:
            while self._is_committing or self._waiting:
                self._changed.wait()

    def _next_group(self, mine: _Waiting) -> list[_Waiting]:
        """What this thread has to commit; nothing when another thread has finished this thread's event."""
        with self._changed:
            try:
                while self._is_committing and not mine.is_finished:
                    self._changed.wait()
            except BaseException:
                # The thread was interrupted: nobody would wait for the event.
                if mine in self._waiting:
                    self._waiting.remove(mine)
                raise
            if mine.is_finished:
                return []
            self._is_committing = True
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
                self._is_committing = False
                for waiting in group:
                    waiting.is_stored, waiting.error = error is None, error
                self._changed.notify_all()
