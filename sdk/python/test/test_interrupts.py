import signal
import sqlite3
import sys
import tempfile
import unittest
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Condition, Event, Thread, Timer
from types import FrameType
from typing import Any
from unittest.mock import DEFAULT, patch

from podium_partner.address import addresses_of
from podium_partner.clock import SystemClock, WakeUp
from podium_partner.event_queue import EventQueue
from podium_partner.events_api import EventsApi
from podium_partner.group_commit import GroupCommit, _Waiting
from podium_partner.owned_store import is_disk_error
from podium_partner.queue_counts import QueueListener
from podium_partner.rate_pacer import RatePacer

from .support.events import encoded
from .support.until import until


class TimeLimit(Exception):
    """What the handler of a signal raises, as time limits of task queues do."""


class InterruptedConnection:
    """A connection during one of whose statements a signal arrives: its handler runs when the statement has ended."""

    def __init__(self, connection: sqlite3.Connection, statement: str) -> None:
        self._connection = connection
        self._statement = statement

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        cursor = self._connection.execute(statement, *values)
        if statement == self._statement:
            self._statement = ""
            signal.raise_signal(signal.SIGALRM)
        return cursor

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


class InterruptsTest(unittest.TestCase):
    """The handler of a signal raises in the middle of `append`, and the process goes on."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

        self.raised: Exception = TimeLimit()

        def handler(*_: object) -> None:
            raise self.raised

        before = signal.signal(signal.SIGALRM, handler)
        self.addCleanup(signal.signal, signal.SIGALRM, before)

    def open(self) -> EventQueue:
        queue = EventQueue(self.folder, 1_000_000, QueueListener(lambda *_: None, lambda _: None, lambda _: None))
        self.addCleanup(queue.close)
        return queue

    def interrupted_during(self, statement: str) -> EventQueue:
        queue = self.open()
        assert queue._file.own
        store = queue._file.own.store
        store._connection = InterruptedConnection(store._connection, statement)  # type: ignore[assignment]
        with self.assertRaises(type(self.raised)) as met:
            queue.append(encoded("interrupted"))
        self.assertIs(met.exception, self.raised)
        return queue

    def ids(self, queue: EventQueue) -> list[str]:
        found = []
        while queue.has_claims:
            queue.move_claimed()
        while queue.has_next:
            found.extend(queue.next())
        queue.done(found)
        return [stored.event.id for stored in found]

    def test_returns_and_keeps_every_event_after_an_interrupted_commit(self) -> None:
        queue = self.interrupted_during("COMMIT")
        queue.append(encoded("a"))
        self.assertEqual(self.ids(queue), ["interrupted", "a"])
        queue.append(encoded("b"))
        self.assertTrue(queue.has_next)
        self.assertFalse(queue.close())
        self.assertEqual(self.ids(self.open()), ["b"])

    def test_keeps_an_event_that_is_stored_although_its_commit_was_interrupted(self) -> None:
        queue = self.interrupted_during("COMMIT")
        self.assertEqual((queue.events, queue.bytes > 0), (1, True))
        self.assertFalse(queue.close())
        self.assertEqual(self.ids(self.open()), ["interrupted"])

    def test_removes_no_file_with_events_that_were_not_counted(self) -> None:
        queue = self.open()
        queue.append(encoded("e"))
        queue._file.counts.events = queue._file.counts.unread = 0
        self.assertFalse(queue.close())
        self.assertEqual(self.ids(self.open()), ["e"])

    def test_ends_a_transaction_that_was_interrupted_when_it_had_just_begun(self) -> None:
        queue = self.interrupted_during("BEGIN IMMEDIATE")
        queue.append(encoded("a"))
        self.assertEqual(self.ids(queue), ["a"])

    def test_takes_no_error_of_a_handler_for_one_of_the_disk(self) -> None:
        for self.raised in (TimeoutError(), TimeoutError("the limit of 30 s"), OSError("the device is not there")):
            with self.subTest(repr(self.raised)):
                queue = self.interrupted_during("COMMIT")
                self.assertFalse(queue.has_failed)
                queue.append(encoded("a"))
                self.assertEqual(self.ids(queue), ["interrupted", "a"])
                self.assertTrue(queue.close())

    def test_hands_the_error_of_a_handler_on_that_interrupts_the_wait_for_a_commit(self) -> None:
        queue = self.open()
        queue._commits._committer = -1
        with patch.object(WakeUp, "wait", side_effect=TimeoutError), self.assertRaises(TimeoutError):
            queue.append(encoded("interrupted"))
        queue._commits._committer = None
        self.assertFalse(queue.has_failed)

    def test_lets_other_threads_commit_when_one_is_interrupted_before_its_commit(self) -> None:
        stored: list[str] = []
        commits = GroupCommit(lambda events: stored.extend(event.id for event in events))

        def interrupt(frame: FrameType, event: str, argument: object) -> None:
            if frame.f_code is GroupCommit._commit_group.__code__:
                sys.settrace(None)
                raise TimeLimit

        sys.settrace(interrupt)
        try:
            with self.assertRaises(TimeLimit):
                commits.add(encoded("interrupted"))
        finally:
            sys.settrace(None)
        other = Thread(target=commits.add, args=(encoded("of-other"),), daemon=True)
        other.start()
        other.join(5)
        commits.add(encoded("later"))
        self.assertEqual(stored, ["of-other", "later"])

    def test_wakes_other_threads_although_the_end_of_a_commit_is_interrupted(self) -> None:
        def commit(_: object) -> None:
            if not other.is_alive():
                other.start()
                until("the other thread waits", lambda: len(commits._waiting) == 1)

        commits = GroupCommit(commit)
        other = Thread(target=commits.add, args=(encoded("of-other"),), daemon=True)
        with (
            patch.object(commits, "_wake", side_effect=[TimeLimit, *[DEFAULT] * 9], wraps=commits._wake),
            self.assertRaises(TimeLimit),
        ):
            commits.add(encoded("e"))
        other.join(5)
        self.assertFalse(other.is_alive())

    def test_leaves_no_lock_behind_that_another_thread_would_wait_for(self) -> None:
        commits, woken = GroupCommit(lambda _: None), WakeUp()

        def work() -> None:
            commits.add(encoded("e"))
            woken.set()

        def interrupt(frame: FrameType, event: str, argument: object) -> Any:
            # Between the lock of a condition and the block that would unlock it.
            if frame.f_code is Condition.__enter__.__code__ and event == "return":
                sys.settrace(None)
                raise TimeLimit
            return interrupt

        sys.settrace(interrupt)
        with suppress(TimeLimit):
            work()
        sys.settrace(interrupt)
        with suppress(TimeLimit):
            woken.set()
        sys.settrace(None)
        woken.clear()
        other = Thread(target=work, daemon=True)
        other.start()
        self.assertTrue(woken.wait(5))
        other.join(5)
        self.assertFalse(other.is_alive())

    def steps_until_interrupted(self, step: int, work: Callable[[], None]) -> bool:
        """Runs work, and raises at the end of its n-th call, as the handler of a signal may; whether it came to that."""
        left = step

        def interrupt(frame: FrameType, event: str, argument: object) -> None:
            nonlocal left
            # A handler runs behind calls, not before they begin: the end of a `with` is one.
            if frame.f_code.co_filename == __file__ or event == "c_call":
                return
            left -= 1
            if left == 0:
                sys.setprofile(None)
                raise TimeLimit

        sys.setprofile(interrupt)
        try:
            work()
        except TimeLimit:
            return True
        finally:
            sys.setprofile(None)
        return False

    def test_hands_the_error_of_a_handler_on_wherever_it_interrupts_the_wait_for_a_commit(self) -> None:
        step, is_interrupted = 0, True
        while is_interrupted:
            step += 1
            begun, may_end = Event(), Event()

            def commit(_: object, begun: Event = begun, may_end: Event = may_end) -> None:
                if not begun.is_set():
                    begun.set()
                    may_end.wait(5)

            commits = GroupCommit(commit)
            other = Thread(target=commits.add, args=(encoded("of-other"),), daemon=True)
            other.start()
            begun.wait(5)
            ending = Timer(0.02, may_end.set)
            ending.start()
            is_interrupted = self.steps_until_interrupted(step, partial(commits.add, encoded("interrupted")))
            may_end.set()
            later = Thread(target=commits.add, args=(encoded("later"),), daemon=True)
            later.start()
            for thread in (ending, other, later):
                thread.join(5)
                self.assertFalse(thread.is_alive(), step)
        self.assertGreater(step, 20)

    def test_hands_the_error_of_a_handler_on_wherever_it_interrupts_the_wait_for_the_rate(self) -> None:
        step, is_interrupted = 0, True
        while is_interrupted:
            step += 1
            pacer = RatePacer(SystemClock(), 1_000)
            api = EventsApi(addresses_of("http://127.0.0.1:9"), lambda: "k", 1, SystemClock(), pacer)
            pacer.block(0.02)
            is_interrupted = self.steps_until_interrupted(step, partial(pacer.take, 1, api._stopped))
        self.assertGreater(step, 10)

    def test_tells_other_threads_of_the_same_commit_that_it_was_interrupted(self) -> None:
        def commit(_: object) -> None:
            signal.raise_signal(signal.SIGALRM)

        commits = GroupCommit(commit)
        of_other = _Waiting(encoded("of-other"))
        commits._waiting.append(of_other)
        with self.assertRaises(TimeLimit):
            commits.add(encoded("e"))
        # `append` turns it into a QueueError; the file is in order.
        assert of_other.error
        self.assertFalse(is_disk_error(of_other.error.reason))
