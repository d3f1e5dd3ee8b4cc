import unittest

from podium_partner import PodiumClient
from podium_partner.address import addresses_of

from .support.documented_server import DocumentedServer
from .support.events import partner_event


class AddressTest(unittest.TestCase):
    def open(self, url: str) -> PodiumClient:
        return PodiumClient(url=url, api_key="podium_test_ev_secret", platform="acme")

    def test_does_not_send_a_key_over_plain_http_to_another_machine(self) -> None:
        for url in ("http://podium.example", "ftp://podium.example", "podium", "", None):
            with self.subTest(url), self.assertRaisesRegex(ValueError, "^url must begin with https://"):
                self.open(url)  # type: ignore[arg-type]

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

    def test_takes_an_address_with_white_space_around_it_as_files_and_variables_have_it(self) -> None:
        expected = addresses_of("https://podium.example/cdp")
        for url in ("https://podium.example/cdp ", "https://podium.example/cdp\r\n", "\t https://podium.example/cdp/\u00a0"):
            with self.subTest(url):
                self.assertEqual(addresses_of(url), expected)
        self.assertEqual(addresses_of("https://podium.example ").host, "podium.example")

    def test_takes_slashes_that_were_put_together_for_one(self) -> None:
        expected = addresses_of("https://podium.example")
        for path in ("//", "//cdp/v1/users/events/send", "/cdp/v1/users/events/send//"):
            with self.subTest(path):
                self.assertEqual(addresses_of(f"https://podium.example{path}"), expected)

    def test_sends_to_a_path_with_characters_that_no_request_has_as_they_are(self) -> None:
        with DocumentedServer() as server:
            for path, sent in (("/a b/ü", "/a%20b/%C3%BC"), ("/a%20b;v=1,2/~x@y:z", "/a%20b;v=1,2/~x@y:z")):
                client = PodiumClient(url=server.url + path, api_key="k", platform="acme")
                self.addCleanup(client.close, 0)
                self.assertEqual(client.send(partner_event(f"e{path}")).ok, True)
                self.assertEqual(server.requests[-1].path, f"{sent}/cdp/v1/users/events/send")

    def test_sends_the_query_of_an_address_which_a_gateway_may_need(self) -> None:
        addresses = addresses_of("https://podium.example/cdp/v1/users/events/send?tenant=a b&k=%2F#top")
        self.assertEqual(addresses.send, "/cdp/v1/users/events/send?tenant=a%20b&k=%2F")
        self.assertEqual(addresses.batch, "/cdp/v1/users/events/batch?tenant=a%20b&k=%2F")
        self.assertEqual(addresses.docs_url, "https://podium.example/docs/errors")
