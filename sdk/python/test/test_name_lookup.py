import signal
import socket
import time
import unittest
from typing import Any
from unittest.mock import patch

from podium_partner import NoAnswerError, PodiumClient

from .support.documented_server import DocumentedServer
from .support.events import partner_event

_look_up = socket.getaddrinfo


def slow(host: str, *args: Any, **options: Any) -> Any:
    """A name server that answers late; addresses need none."""
    if host == "localhost" and not options.get("flags"):
        time.sleep(3)
    return _look_up(host, *args, **options)


class NameLookupTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = DocumentedServer()
        self.server.__enter__()
        self.addCleanup(self.server.__exit__, None, None, None)
        self.url = f"http://localhost:{self.server.port}"

    def test_is_a_part_of_the_time_of_a_request(self) -> None:
        with PodiumClient(url=self.url, api_key="k", platform="acme", timeout_s=0.3) as client:
            start_s = time.monotonic()
            with patch("socket.getaddrinfo", slow), self.assertRaisesRegex(NoAnswerError, "localhost was not found in time"):
                client.send(partner_event("e"))
            self.assertLess(time.monotonic() - start_s, 2)

    def test_raises_what_the_handler_of_a_signal_raises(self) -> None:
        class TimeLimit(Exception):
            pass

        def end(*_: object) -> None:
            raise TimeLimit

        before = signal.signal(signal.SIGALRM, end)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        with PodiumClient(url=self.url, api_key="k", platform="acme") as client, patch("socket.getaddrinfo", slow):
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with self.assertRaises(TimeLimit):
                client.send(partner_event("e"))

    def test_names_a_host_that_is_not_known(self) -> None:
        client = PodiumClient(url="https://events.invalid", api_key="k", platform="acme")
        self.addCleanup(client.close, 0)
        with self.assertRaisesRegex(NoAnswerError, "No response: .*(known|resolution|associated)"):
            client.send(partner_event("e"))
