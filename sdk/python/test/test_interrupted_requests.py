import signal
import socket
import unittest
from collections.abc import Callable
from functools import partial
from threading import Event
from types import FrameType
from typing import Any
from unittest.mock import patch

from podium_partner import NoAnswerError, PodiumClient
from podium_partner.signal_handlers import is_raised_by_handler

from .support.documented_server import DocumentedServer
from .support.events import partner_event


class InterruptedRequestsTest(unittest.TestCase):
    """The handler of a signal raises while a request is under way: its error is the caller's, not a missing answer."""

    def setUp(self) -> None:
        self.server = DocumentedServer().__enter__()
        self.addCleanup(self.server.__exit__)
        self.raised: list[Exception] = []
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, self.handler))
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)

    def handler(self, _signal: int, _frame: FrameType | None) -> None:
        if self.raised:
            raise self.raised.pop()

    def open(self, api_key: str | Callable[[], str] = "k") -> PodiumClient:
        client = PodiumClient(url=self.server.url, api_key=api_key, platform="acme", timeout_s=5)
        self.addCleanup(client.close)
        return client

    def answer_nothing(self) -> None:
        ended = Event()
        self.addCleanup(ended.set)

        def wait(_: object) -> None:
            ended.wait(10)

        self.server.behaviour.raw = wait

    def handlers(self) -> list[Callable[..., Any]]:
        def handler(*_: object) -> None:
            self.handler(0, None)

        class Handler:
            def __call__(self, number: int, frame: FrameType | None) -> None:
                handler()

        return [self.handler, handler, lambda number, frame: handler(), partial(handler, "first"), Handler()]

    def test_hands_a_time_limit_on_from_the_wait_for_an_answer(self) -> None:
        self.answer_nothing()
        client = self.open()
        for handler in self.handlers():
            for error in (TimeoutError("the limit"), ValueError(), ConnectionResetError(), OSError(5, "of the handler")):
                self.raised = [error]
                signal.signal(signal.SIGALRM, handler)
                with self.subTest(handler=handler, error=error), self.assertRaises(type(error)) as met:
                    signal.setitimer(signal.ITIMER_REAL, 0.05)
                    client.send_batch([partner_event("a"), partner_event("b")])
                self.assertIs(met.exception, error)

    def test_hands_a_time_limit_on_from_the_function_that_gives_the_key(self) -> None:
        def slow() -> str:
            signal.raise_signal(signal.SIGALRM)
            return "k"

        self.raised = [TimeoutError()]
        with self.assertRaises(TimeoutError):
            self.open(slow).send(partner_event("e"))
        self.assertEqual(self.server.requests, [])

    def test_asks_no_other_address_of_a_host_after_a_time_limit(self) -> None:
        connect = socket.socket.connect

        def interrupted(sock: socket.socket, place: Any) -> None:
            signal.raise_signal(signal.SIGALRM)
            connect(sock, place)

        found = socket.getaddrinfo("127.0.0.1", self.server.port, type=socket.SOCK_STREAM)
        client = self.open()
        self.raised = [TimeoutError()]
        with (
            patch.object(socket, "getaddrinfo", return_value=found * 2),
            patch.object(socket.socket, "connect", interrupted),
            self.assertRaises(TimeoutError),
        ):
            client.send(partner_event("e"))
        self.assertEqual(self.server.requests, [])

    def test_takes_no_error_of_the_network_for_one_of_a_handler(self) -> None:
        self.answer_nothing()
        client = PodiumClient(url=self.server.url, api_key="k", platform="acme", timeout_s=0.2)
        self.addCleanup(client.close)
        # A signal whose handler returns changes nothing.
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with self.assertRaises(NoAnswerError) as met:
            client.send(partner_event("e"))
        self.assertIsInstance(met.exception.__cause__, TimeoutError)
        assert met.exception.__cause__
        self.assertFalse(is_raised_by_handler(met.exception.__cause__))
