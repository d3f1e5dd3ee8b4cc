"""Sends what is in the queue until each event is accepted, given up with a reason, or set aside."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .backoff import retry_delay_s
from .clock import Clock, WakeUp
from .dead_letter_file import DeadLetter, DeadLetterFile
from .errors import PodiumError
from .event import EncodedEvent, platform_of
from .event_queue import EventQueue
from .event_store import StoredEvent
from .events_in_hand import BatchLimits, EventsInHand
from .notices import Accepted, DeadLettered, Notice, NoticeListener, QueueFailed, Retried, SetAside
from .owned_store import is_full_error
from .results import AcceptedEvent, EventResult, FailedEvent
from .sender_thread import SenderThread
from .sending_pause import SendingPause
from .set_aside import SetAsideEvents, set_aside_reason_of

TIDY_EVERY_S = 30.0
AFTER_DISK_ERROR_S = 5.0
DEFAULT_SET_ASIDE_S = 60.0
"""Of what is set aside without Retry-After, or with one of 0."""


@dataclass(frozen=True)
class EventSenderOptions:
    """What the sender works with."""

    queue: EventQueue
    dead_letters: DeadLetterFile
    send: Callable[[Sequence[EncodedEvent]], Sequence[EventResult]]
    """One result per event, in order."""
    platform: str
    """Of this client; the events of an earlier process may have another."""
    limits: BatchLimits
    clock: Clock
    random: Callable[[], float]
    notify: NoticeListener


class EventSender:
    """A thread that takes events from the queue; a call of `run` is all of its work."""

    def __init__(self, options: EventSenderOptions) -> None:
        self._options = options
        self._set_aside = SetAsideEvents(options.queue, options.random)
        self._in_hand = EventsInHand(options.queue, self._set_aside, options.limits)
        self._pause = SendingPause(options.random)
        self._tidied_at_s = options.clock.now_s()
        self._needs_recovery = False
        self._write_at_s = 0.0
        self._rewind_at_s = 0.0
        self._is_draining = False
        # No other events: the handler of a signal may raise in the thread that sets them.
        self._stopped = WakeUp()
        self._woken = WakeUp()
        self._notices: list[Notice] = []
        self._thread = SenderThread(self.run)

    @property
    def paused_by(self) -> PodiumError | None:
        """The error for which nothing is sent."""
        return self._pause.cause

    @property
    def in_hand(self) -> int:
        return self._in_hand.size

    @property
    def is_current(self) -> bool:
        """Whether the caller is a listener of notices in the thread that sends."""
        return self._thread.is_current

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """Something was appended, or may be sent now."""
        self._woken.set()

    def resume(self) -> None:
        """Ends a pause."""
        self._pause.try_at_s = self._options.clock.now_s()
        self.wake()

    def drain(self, seconds: float) -> None:
        """Returns when nothing is left but what is set aside, and at the latest after a time; the thread ends then."""
        self._is_draining = True
        self.wake()
        self._join(seconds)

    def stop(self, seconds: float) -> None:
        """Ends the thread after the request that is under way; returns then, and at the latest after a time."""
        self._stopped.set()
        self.wake()
        self._join(seconds)

    def _join(self, seconds: float) -> None:
        if not self.is_current:
            self._thread.join(seconds)

    def run(self) -> None:
        """Sends until it is stopped, or drained."""
        while not self._stopped.is_set() and self.step():
            pass

    def step(self) -> bool:
        """Sends one batch, or waits until there may be one; False when it is drained."""
        self._woken.clear()
        try:
            if not self._send_round():
                if self._is_draining and self._is_drained():
                    return False
                self._options.clock.wait(self._woken, self._idle_s())
        except Exception as error:
            if self._stopped.is_set():
                return False
            # A full disk can be read: a file that is begun again would have no space either.
            if not (is_full_error(error) and self._read_only()):
                self._needs_recovery = True
            self._options.notify(QueueFailed(error))
            self._options.clock.wait(self._stopped, AFTER_DISK_ERROR_S)
        return True

    def _send_round(self) -> bool:
        """Sends one batch; False when nothing can be sent now."""
        queue, clock = self._options.queue, self._options.clock
        if self._needs_recovery or queue.has_failed:
            self._in_hand.clear()
            queue.recover()
            self._needs_recovery = False
        now_s = clock.now_s()
        if now_s - self._tidied_at_s >= TIDY_EVERY_S:
            self._tidied_at_s = now_s
            queue.tidy()
        if queue.is_read_only:
            self._write_again(now_s)
        has_moved = queue.has_claims and not queue.is_read_only
        if has_moved:
            queue.move_claimed()
        if now_s < self._pause.try_at_s:
            return has_moved
        self._in_hand.fill(now_s)
        batch = self._in_hand.take(now_s, 1 if self._pause.cause else None)
        if not batch:
            return has_moved
        self._settle(batch, self._options.send([stored.event for stored in batch]))
        return True

    def _settle(self, batch: Sequence[StoredEvent], results: Sequence[EventResult]) -> None:
        """Each event goes where its result says; nothing leaves the queue before its dead letter is on disk."""
        queue = self._options.queue
        was_read_only = queue.is_read_only
        before = (self._pause.cause, self._pause.try_at_s)
        failure = self._write_letters(batch, results)
        try:
            self._place(batch, results, failure is None)
        except (OSError, sqlite3.Error) as error:
            if not is_full_error(error):
                raise
            if not was_read_only:
                if not self._read_only():
                    raise
                self._options.notify(QueueFailed(error))
            self._pause.cause, self._pause.try_at_s = before
            self._place(batch, results, failure is None)
        if queue.is_read_only and not was_read_only:
            # The queue returns them again.
            self._in_hand.clear()
        self._pause.after_round(results, self._options.clock.now_s())
        # Outside of the transaction: a listener may enqueue.
        for notice in self._notices:
            self._options.notify(notice)
        if failure and not queue.is_read_only:
            self._options.notify(QueueFailed(failure))

    def _write_letters(self, batch: Sequence[StoredEvent], results: Sequence[EventResult]) -> OSError | None:
        """Returns the error of letters that may not be on disk."""
        letters = [
            DeadLetter(result.error, stored.event.body)
            for stored, result in zip(batch, results, strict=True)
            if not result.ok and self._is_given_up(stored, result.error)
        ]
        try:
            self._options.dead_letters.write(letters)
        except OSError as error:
            return error
        return None

    def _place(self, batch: Sequence[StoredEvent], results: Sequence[EventResult], has_letters: bool) -> None:
        self._notices = []
        finished: list[StoredEvent] = []
        is_try = self._pause.cause is not None
        with self._options.queue.transaction():
            for stored, result in zip(batch, results, strict=True):
                if isinstance(result, AcceptedEvent):
                    self._accept(stored, result)
                    finished.append(stored)
                elif not self._is_given_up(stored, result.error):
                    self._keep(stored, result.error, is_try)
                elif has_letters:
                    self._refuse(stored, result)
                    finished.append(stored)
                else:
                    self._keep_refused(stored, result.error)
            self._options.queue.done(finished)

    def _is_given_up(self, stored: StoredEvent, error: PodiumError) -> bool:
        """Whether no try can succeed, also not of an event of an earlier process that had another platform."""
        is_foreign = error.code == "platform_mismatch" and platform_of(stored.event) != self._options.platform
        return is_foreign or error.retry == "never"

    def _end_pause(self) -> None:
        resumed = self._pause.end(self._options.clock.now_s())
        if resumed:
            self._notices.append(resumed)

    def _accept(self, stored: StoredEvent, result: AcceptedEvent) -> None:
        self._set_aside.accepted(stored.event)
        self._in_hand.forget(stored)
        self._end_pause()
        self._notices.append(Accepted(result.event_id, result.outcome, result.dropped_attributes, result.warnings))

    def _refuse(self, stored: StoredEvent, result: FailedEvent) -> None:
        self._set_aside.forget_try(stored.event, "user", "name", "event")
        self._in_hand.forget(stored)
        if result.error.retry == "never":
            self._end_pause()
        self._notices.append(DeadLettered(result.event_id, result.error))

    def _keep_refused(self, stored: StoredEvent, error: PodiumError) -> None:
        """Its dead letter cannot be written. Any number of such events may wait until it can, and they hold no other up."""
        self._in_hand.forget(stored)
        # While read only, the queue returns it again.
        if not self._options.queue.is_read_only:
            # The try of the event itself goes on: each makes the time until the next one longer.
            self._set_aside.forget_try(stored.event, "user", "name")
            self._set_aside.add("event", stored, DEFAULT_SET_ASIDE_S, self._options.clock.now_s())
        if error.retry == "never":
            self._end_pause()

    def _keep(self, stored: StoredEvent, error: PodiumError, is_try: bool) -> None:
        now_s = self._options.clock.now_s()
        event = stored.event
        if error.retry == "pause":
            self._in_hand.put_last(stored)
            paused = self._pause.begin(error, now_s)
            if paused:
                self._notices.append(paused)
        elif error.retry == "later":
            self._end_pause()
            self._in_hand.forget(stored)
            self._notices.append(SetAside(event.id, error))
            if self._options.queue.is_read_only:
                return
            reason = set_aside_reason_of(error)
            # The form of an event is checked before its name, and its name before its user.
            if reason == "event":
                self._set_aside.forget_try(event, "user", "name")
            else:
                self._set_aside.forget_try(event, "event")
            if reason == "name":
                self._set_aside.forget_try(event, "user")
            if reason == "user":
                self._set_aside.name_is_known(event)
            self._set_aside.add(reason, stored, error.retry_after_s or DEFAULT_SET_ASIDE_S, now_s)
        else:
            attempt = self._in_hand.count_attempt(stored)
            if is_try:
                # The time until the next try is that of the round.
                self._in_hand.put_last(stored)
            else:
                delay_s = retry_delay_s(attempt, error.retry_after_s, self._options.random)
                self._in_hand.retry_at(stored, now_s + delay_s)
            if not self._stopped.is_set():
                self._notices.append(Retried(event.id, error, attempt + 1))

    def _read_only(self) -> bool:
        """Goes on without changes on a full disk; False when there is nothing to read."""
        if not self._options.queue.read_only():
            return False
        self._set_aside.clear()
        self._in_hand.clear()
        now_s = self._options.clock.now_s()
        self._write_at_s = now_s + AFTER_DISK_ERROR_S
        self._rewind_at_s = now_s + DEFAULT_SET_ASIDE_S
        return True

    def _write_again(self, now_s: float) -> None:
        """Changes the disk as soon as it has space; until then, what was set aside is tried again from time to time."""
        queue = self._options.queue
        if now_s >= self._write_at_s or queue.events == 0:
            self._write_at_s = now_s + AFTER_DISK_ERROR_S
            if queue.write_again():
                self._in_hand.clear()
                return
        if now_s >= self._rewind_at_s and self._in_hand.size == 0 and not queue.has_next:
            self._rewind_at_s = now_s + DEFAULT_SET_ASIDE_S
            queue.rewind()

    def _is_drained(self) -> bool:
        """Whether nothing is left that could be sent now."""
        queue = self._options.queue
        is_empty = self._in_hand.size == 0 and not queue.has_next and not queue.has_claims
        return self._pause.cause is not None or is_empty

    def _idle_s(self) -> float:
        """Until something is due; something appended ends it earlier."""
        now_s = self._options.clock.now_s()
        longest_s = AFTER_DISK_ERROR_S if self._options.queue.is_read_only else TIDY_EVERY_S
        if now_s < self._pause.try_at_s:
            return min(self._pause.try_at_s - now_s, longest_s)
        due = [at_s for at_s in (self._in_hand.next_due_s(), self._set_aside.next_due_s()) if at_s is not None]
        return min(max(min(due) - now_s, 0.001), longest_s) if due else longest_s
