import unittest

from podium_partner.errors import ErrorDetails, error_of
from podium_partner.generated.error_codes import ERROR_CODES
from podium_partner.retry_class import default_retry_after_s, retry_class_of


class RetryClassTest(unittest.TestCase):
    def test_is_that_of_the_catalogue_for_every_code(self) -> None:
        self.assertGreater(len(ERROR_CODES), 15)
        for code, row in ERROR_CODES.items():
            with self.subTest(code):
                self.assertEqual(retry_class_of(row.status, code), row.retry)
                self.assertEqual(default_retry_after_s(code), row.retry_after_s)
                error = error_of(row.retry, ErrorDetails("m", code, row.status))
                self.assertEqual((error.retry, error.retryable), (row.retry, row.retry in ("now", "later")))

    def test_is_the_one_that_the_answer_names_which_may_be_newer(self) -> None:
        self.assertEqual(retry_class_of(400, "invalid_request", "later"), "later")
        self.assertEqual(retry_class_of(400, "invalid_request", "someday"), "never")

    def test_follows_the_status_of_an_unknown_code(self) -> None:
        rows = {400: "never", 413: "never", 415: "never", 401: "pause", 403: "pause", 451: "pause", 404: "later"}
        for status, retry in {**rows, 422: "later", 408: "now", 429: "now", 503: "now", 507: "now"}.items():
            with self.subTest(status):
                self.assertEqual(retry_class_of(status, "brand_new"), retry)

    def test_gives_no_event_up_for_an_answer_of_a_proxy(self) -> None:
        rows = {200: "now", 302: "pause", 400: "now", 401: "pause", 403: "pause", 404: "pause", 407: "pause"}
        for status, retry in {**rows, 413: "now", 429: "now", 502: "now"}.items():
            with self.subTest(status):
                self.assertEqual(retry_class_of(status), retry)
