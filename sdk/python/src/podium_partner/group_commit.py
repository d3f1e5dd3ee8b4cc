"""Events of many threads that share one commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Condition, RLock, get_ident

from .errors import ErrorDetails, QueueError
from .event import EncodedEvent

_MAX_GROUP = 1_000


class CommitError(Exception):
    """Events were not committed, or may not be.

    A type of its own: the handler of a signal may raise whatever a disk does, while a thread waits for its commit.
    """

    def __init__(self, reason: Exception) -> None:
        super().__init__(str(reason))
        self.reason = reason


class _Waiting:
    def __init__(self, event: EncodedEvent) -> None:
        self.event = event
        self.thread = get_ident()
        self.is_stored = False
        self.error: CommitError | None = None

    @property
    def is_finished(self) -> bool:
        return self.is_stored or self.error is not None


class GroupCommit:
    """Commits what waits at the same time together: a commit costs an fsync, however many events are in it.

    The first thread that finds no commit under way does it for all.
    """

    def __init__(self, commit: Callable[[Sequence[EncodedEvent]], None]) -> None:
        """`commit` raises CommitError; what else it raises is of the handler of a signal, and only its thread meets it."""
        self._commit = commit
        # Taken by its own name: the handler of a signal may raise inside of `with` on a condition, which then stays locked.
        self._lock = RLock()
        self._changed = Condition(self._lock)
        self._waiting: list[_Waiting] = []
        self._group: list[_Waiting] = []
        # The handler of a signal runs in the thread that it interrupts, which cannot go on until the handler returns.
        self._committer: int | None = None

    @property
    def is_committing_here(self) -> bool:
        """Whether the caller is the handler of a signal that interrupted a commit."""
        return self._committer == get_ident()

    def add(self, event: EncodedEvent) -> None:
        """Returns when the event is committed; raises CommitError, and QueueError in the handler of a signal that
        interrupted a commit."""
        if self.is_committing_here:
            text = "The handler of a signal interrupted enqueue. Hand the event over again outside of the handler."
            raise QueueError(ErrorDetails(text, "queue_failed", event_id=event.id))
        mine = _Waiting(event)
        try:
            with self._lock:
                self._waiting.append(mine)
            while not mine.is_stored:
                if self._take_turn(mine):
                    self._commit_group()
                if mine.error:
                    raise mine.error
        except BaseException:
            self._leave(mine)
            raise

    def finish(self, timeout_s: float) -> None:
        """Returns when nothing is being committed that can end while the caller waits, and at the latest after a time."""
        me = get_ident()

        def is_finished() -> bool:
            if self._committer is None:
                return all(waiting.thread == me for waiting in self._waiting)
            return self._committer == me

        with self._lock:
            self._changed.wait_for(is_finished, timeout_s)

    def _take_turn(self, mine: _Waiting) -> bool:
        """Returns whether this thread has to commit, or False when another thread has finished this thread's event."""
        me = get_ident()
        with self._lock:
            while self._committer is not None and not mine.is_finished:
                self._changed.wait()
            if mine.is_finished:
                return False
            # Without a call in between: the handler of a signal, which may raise, can run after each.
            self._committer = me
            self._group, self._waiting = self._waiting[:_MAX_GROUP], self._waiting[_MAX_GROUP:]
            return True

    def _commit_group(self) -> None:
        try:
            self._commit([waiting.event for waiting in self._group])
        except CommitError as error:
            self._end(error)
        else:
            self._end(None)

    def _end(self, error: CommitError | None) -> None:
        with self._lock:
            for waiting in self._group:
                waiting.is_stored, waiting.error = error is None, error
            # Last, and without a call in between: `_leave` ends a commit whose end was interrupted.
            self._group, self._committer = [], None
            self._changed.notify_all()

    def _leave(self, mine: _Waiting) -> None:
        """This thread waits no longer, for instance because the handler of a signal has raised.

        Nobody would tell it that its event is stored, and nobody would end its commit, for which others may wait.
        """
        with self._lock:
            if mine in self._waiting:
                self._waiting.remove(mine)
            if self.is_committing_here:
                self._end(CommitError(InterruptedError("the commit was interrupted")))
            self._changed.notify_all()
