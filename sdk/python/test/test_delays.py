import unittest

from podium_partner.backoff import retry_delay_s, set_aside_delay_s


class RetryDelayTest(unittest.TestCase):
    def test_doubles_from_half_a_second_to_a_minute(self) -> None:
        longest = [retry_delay_s(attempt, None, lambda: 1.0) for attempt in (0, 1, 2, 3, 7, 8, 1000)]
        self.assertEqual(longest, [0.5, 1, 2, 4, 60, 60, 60])

    def test_is_random_in_its_upper_half(self) -> None:
        self.assertEqual([retry_delay_s(3, None, lambda: 0.0), retry_delay_s(3, None, lambda: 0.5)], [2, 3])

    def test_comes_on_top_of_retry_after(self) -> None:
        self.assertEqual([retry_delay_s(0, 2, lambda: 0.0), retry_delay_s(0, 2, lambda: 1.0)], [2.25, 2.5])


class SetAsideDelayTest(unittest.TestCase):
    def test_doubles_from_retry_after_to_an_hour_and_is_never_below_retry_after(self) -> None:
        delays = [set_aside_delay_s(attempt, 60, lambda: 0.0) for attempt in (0, 1, 2, 5, 6, 1000)]
        self.assertEqual(delays, [60, 120, 240, 1_920, 3_600, 3_600])
        self.assertEqual(set_aside_delay_s(4, 7_200, lambda: 0.0), 7_200)

    def test_has_a_fifth_of_random_delay_on_top(self) -> None:
        self.assertEqual(set_aside_delay_s(0, 60, lambda: 1.0), 72)
