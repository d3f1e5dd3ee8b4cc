import unittest
from threading import Event
from unittest.mock import patch

from podium_partner.rate_pacer import RatePacer

from .support.jumping_clock import JumpingClock


class RatePacerTest(unittest.TestCase):
    def setUp(self) -> None:
        self.clock = JumpingClock()
        self.pacer = RatePacer(self.clock, 40)
        self.never = Event()

    def test_sends_a_burst_below_the_rate_at_once_then_one_event_per_interval(self) -> None:
        at_s = []
        for _ in range(400):
            self.pacer.take(1, self.never)
            at_s.append(self.clock.now_s())
        self.assertEqual(len([each for each in at_s if each < 0.001]), 36)
        excess = [
            (last + 1 - first) - (at_s[last] - at_s[first]) * 40
            for first in range(0, 400, 3)
            for last in range(first, 400, 3)
        ]
        self.assertLessEqual(max(excess), 40)
        self.assertAlmostEqual(at_s[-1], (400 - 36) / 40, 2)

    def test_spaces_batches_by_their_events(self) -> None:
        for _ in range(5):
            self.pacer.take(40, self.never)
        self.assertAlmostEqual(self.clock.now_s(), (200 - 36) / 40, 2)

    def test_follows_the_rate_of_answers(self) -> None:
        self.pacer.learn({"ratelimit-limit": "100, 100;w=1", "ratelimit-remaining": "100"})
        for _ in range(190):
            self.pacer.take(1, self.never)
        self.assertAlmostEqual(self.clock.now_s(), 1, 2)

    def test_counts_what_other_processes_of_the_platform_send(self) -> None:
        self.pacer.learn({"ratelimit-limit": "40, 40;w=1", "ratelimit-remaining": "0"})
        self.pacer.take(1, self.never)
        self.assertAlmostEqual(self.clock.now_s(), 0.025, 3)

    def test_gives_back_places_that_the_server_has_not_counted_and_none_that_it_has(self) -> None:
        self.pacer.take(36, self.never)
        self.pacer.give_back(36)
        self.pacer.take(36, self.never)
        self.assertLess(self.clock.now_s(), 0.001)
        self.pacer.learn({"ratelimit-limit": "40, 40;w=1", "ratelimit-remaining": "16"})
        self.pacer.give_back(36)
        for _ in range(16):
            self.pacer.take(1, self.never)
        self.assertLess(self.clock.now_s(), 0.001)
        self.pacer.take(1, self.never)
        self.assertAlmostEqual(self.clock.now_s(), 0.025, 3)

    def test_takes_at_most_the_events_of_a_second_at_once(self) -> None:
        for initial, header, expected in ((40, "20, 20;w=1", 20), (0.1, "none", 1), (12.5, "none", 12)):
            pacer = RatePacer(self.clock, initial)
            pacer.learn({"ratelimit-limit": header})
            self.assertEqual(pacer.most_at_once, expected)

    def test_ignores_headers_that_are_no_numbers(self) -> None:
        for value in ("", "x", "-1", "0", "nan", "1" * 400):
            self.pacer.learn({"ratelimit-limit": value})
        self.pacer.learn({"ratelimit-remaining": "none"})
        for _ in range(36):
            self.pacer.take(1, self.never)
        self.assertLess(self.clock.now_s(), 0.1)

    def test_sends_nothing_until_retry_after_is_over(self) -> None:
        self.pacer.block(7)
        self.pacer.take(1, self.never)
        self.assertGreaterEqual(self.clock.now_s(), 7)

    def test_gives_a_place_back_whose_caller_a_time_limit_ends(self) -> None:
        self.pacer.take(36, self.never)
        with patch.object(self.clock, "wait", side_effect=TimeoutError):
            for _ in range(100):
                with self.assertRaises(TimeoutError):
                    self.pacer.take(40, self.never)
        self.pacer.take(1, self.never)
        self.assertAlmostEqual(self.clock.now_s(), 0.025, 3)

    def test_stops_waiting_when_it_is_told(self) -> None:
        stopped = Event()
        stopped.set()
        self.pacer.take(1_000_000, stopped)
        self.assertEqual(self.clock.now_s(), 0)
