import unittest

from podium_partner import PodiumClient


class AddressTest(unittest.TestCase):
    def open(self, url: str) -> PodiumClient:
        return PodiumClient(url=url, api_key="podium_test_ev_secret", platform="acme")

    def test_does_not_send_a_key_over_plain_http_to_another_machine(self) -> None:
        for url in ("http://podium.example", "ftp://podium.example", "podium"):
            with self.subTest(url), self.assertRaisesRegex(ValueError, "^url must begin with https://"):
                self.open(url)

    def test_does_not_leave_out_a_user_and_password_that_no_request_would_have(self) -> None:
        expected = "^url must not contain a user name or password: [^/@]*$"
        for url in ("https://user:secret@podium.example", "http://:secret@127.0.0.1:1", "https://user@podium.example/cdp"):
            with self.subTest(url), self.assertRaisesRegex(ValueError, expected):
                self.open(url)

    def test_names_the_option_of_what_is_no_address_and_no_part_of_a_password(self) -> None:
        for url in ("https://user:secret/word@podium.example", "https://[::1", "https://podium.example:123456"):
            with self.subTest(url), self.assertRaisesRegex(ValueError, "^url is not an address: [^:]*https://.$") as raised:
                self.open(url)
            self.assertTrue(raised.exception.__suppress_context__)
