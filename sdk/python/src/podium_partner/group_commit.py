"""Events of many threads that share one commit."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import RLock, get_ident

from .clock import WakeUp
from .errors import ErrorDetails, QueueError
from .event import EncodedEvent

_MAX_GROUP = 1_000

_LOOK_AGAIN_S = 0.1
"""After it a thread looks whether its event is stored, although nobody woke it.

The handler of a signal may have raised in the thread that would have.
"""

_FINISH_POLL_S = 0.01


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
        self.woken = WakeUp()
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
        # No condition: where the handler of a signal raises in the wait for one, its lock stays taken, or is released twice.
        self._lock = RLock()
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
        end_s = time.monotonic() + timeout_s
        while not self._is_finished() and (left_s := end_s - time.monotonic()) > 0:
            time.sleep(min(left_s, _FINISH_POLL_S))

    def _is_finished(self) -> bool:
        me = get_ident()
        with self._lock:
            if self._committer is None:
                return all(waiting.thread == me for waiting in self._waiting)
            return self._committer == me

    def _take_turn(self, mine: _Waiting) -> bool:
        """Returns whether this thread has to commit, or False when another thread has finished this thread's event."""
        me = get_ident()
        while True:
            # First, so that what happens from here on ends the wait.
            mine.woken.clear()
            with self._lock:
                if mine.is_finished:
                    return False
                if self._committer is None:
                    # Without a call in between: the handler of a signal, which may raise, can run after each.
                    self._committer = me
                    self._group, self._waiting = self._waiting[:_MAX_GROUP], self._waiting[_MAX_GROUP:]
                    return True
            mine.woken.wait(_LOOK_AGAIN_S)

    def _commit_group(self) -> None:
        try:
            self._commit([waiting.event for waiting in self._group])
        except CommitError as error:
            self._end(error)
        else:
            self._end(None)

    def _end(self, error: CommitError | None) -> None:
        with self._lock:
            ended = self._group
            for waiting in ended:
                waiting.is_stored, waiting.error = error is None, error
            # Last, and without a call in between: `_leave` ends a commit whose end was interrupted.
            self._group, self._committer = [], None
            self._wake(ended)

    def _leave(self, mine: _Waiting) -> None:
        """This thread waits no longer, for instance because the handler of a signal has raised.

        Nobody would tell it that its event is stored, and nobody would end its commit, for which others may wait.
        """
        with self._lock:
            if mine in self._waiting:
                self._waiting.remove(mine)
            if self.is_committing_here:
                self._end(CommitError(InterruptedError("the commit was interrupted")))
            self._wake([])

    def _wake(self, ended: Sequence[_Waiting]) -> None:
        """Wakes the threads whose events are stored or refused, and those that may commit now."""
        for waiting in (*ended, *self._waiting):
            waiting.woken.set()
