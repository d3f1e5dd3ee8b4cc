import time
import unittest
from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any

from podium_partner.clock import WakeUp


class Tokens(SimpleQueue[None]):
    """Tokens of a wake-up, with what another thread does behind the first one."""

    def __init__(self, after_first: Callable[[], None]) -> None:
        super().__init__()
        self._after_put = after_first
        self.is_waited_for = Event()

    def put(self, *arguments: Any) -> None:
        super().put(*arguments)
        after_put, self._after_put = self._after_put, lambda: None
        after_put()

    def get(self, *arguments: Any, **named: Any) -> None:
        self.is_waited_for.set()
        super().get(*arguments, **named)


class WakeUpTest(unittest.TestCase):
    """One thread waits, and others wake it."""

    def test_wakes_a_thread_that_began_to_wait_while_it_was_being_set(self) -> None:
        woken = WakeUp()
        waiting = Thread(target=woken.wait, args=(10,), daemon=True)

        def wait_again() -> None:
            # The thread that waits was woken by the token, has done all that there was, and waits for more.
            woken.clear()
            waiting.start()
            self.assertTrue(tokens.is_waited_for.wait(5))

        tokens = woken._tokens = Tokens(wait_again)
        woken.set()
        started_s = time.monotonic()
        woken.set()
        waiting.join(10)
        self.assertLess(time.monotonic() - started_s, 5)

    def test_stays_set_until_it_is_cleared(self) -> None:
        woken = WakeUp()
        self.assertEqual((woken.is_set(), woken.wait(0)), (False, False))
        woken.set()
        woken.set()
        self.assertEqual((woken.wait(1), woken.wait(1), woken.is_set()), (True, True, True))
        woken.clear()
        self.assertEqual((woken.is_set(), woken.wait(0)), (False, False))
