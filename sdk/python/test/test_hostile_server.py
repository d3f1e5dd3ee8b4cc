import json
import socket
import struct
import threading
import time
import unittest
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from podium_partner import NoAnswerError, PodiumClient, PodiumError, SendingPausedError
from podium_partner.http_transport import MAX_ANSWER_BYTES, HttpTransport

from .support.documented_server import Behaviour, DocumentedServer
from .support.events import partner_event

OK = b'{"outcome":"accepted","event_id":"e","dropped_attributes":[]}'


def head(status: int, length: int, more: bytes = b"") -> bytes:
    return b"HTTP/1.1 %d x\r\ncontent-length: %d\r\n%s\r\n" % (status, length, more)


def writes(*parts: bytes) -> Callable[[Any], None]:
    def write(handler: Any) -> None:
        for part in parts:
            handler.wfile.write(part)

    return write


def refuses(code: str) -> Callable[[Any], None]:
    """Answers 400 with an error in the form of Podium's."""
    body = json.dumps({"error": {"code": code, "message": "x"}}).encode()
    return writes(head(400, len(body)), body)


def drips(text: bytes) -> Callable[[Any], None]:
    def write(handler: Any) -> None:
        for at in range(len(text)):
            handler.wfile.write(text[at : at + 1])
            time.sleep(0.05)

    return write


def resets(handler: Any) -> None:
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def never_ends(handler: Any) -> None:
    handler.wfile.write(head(200, MAX_ANSWER_BYTES * 100))
    while True:
        handler.wfile.write(b"x" * 65_536)


class HostileServerTest(unittest.TestCase):
    """Whatever a server or proxy answers: no acceptance that Podium did not give, no event given up, no endless wait."""

    def result_of(self, raw: Callable[[Any], None], timeout_s: float = 2.0) -> PodiumError:
        with DocumentedServer(Behaviour(raw=raw)) as server:
            client = PodiumClient(url=server.url, api_key="secret-key", platform="acme", timeout_s=timeout_s)
            started_s = time.monotonic()
            try:
                client.send(partner_event("e"))
            except PodiumError as error:
                self.assertLess(time.monotonic() - started_s, timeout_s + 1)
                self.assertNotIn("secret-key", repr(error) + str(error))
                return error
            finally:
                client.close(0)
        raise AssertionError("the event counts as accepted")

    def test_takes_no_foreign_answer_for_an_acceptance_and_gives_no_event_up(self) -> None:
        page = b"<h1>Log in to the hotel</h1>"
        rows: list[tuple[str, Callable[[Any], None], str, str]] = [
            ("a page with status 200", writes(head(200, len(page)), page), "unexpected_response", "now"),
            ("another event", writes(head(200, len(OK)), OK.replace(b'"e"', b'"x"')), "unexpected_response", "now"),
            ("an acceptance with another status", writes(head(202, len(OK)), OK), "unexpected_response", "now"),
            ("an empty answer", writes(head(200, 0)), "unexpected_response", "now"),
            ("a list", writes(head(200, 2), b"[]"), "unexpected_response", "now"),
            ("deep JSON", writes(head(200, 200_000), b"[" * 200_000), "unexpected_response", "now"),
            ("a 400 of a proxy", writes(head(400, len(page)), page), "unexpected_response", "now"),
            ("a 413 of a proxy", writes(head(413, 0)), "unexpected_response", "now"),
            ("an error of a gateway", refuses("BadRequest"), "unexpected_response", "now"),
            ("a code that is no text", refuses("\ud800"), "unexpected_response", "now"),
            ("a 502 of a proxy", writes(head(502, len(page)), page), "unexpected_response", "now"),
            ("half of a body", writes(head(200, len(OK)), OK[:20]), "no_response", "now"),
            ("half of a head", writes(b"HTTP/1.1 200 OK\r\ncontent-"), "unexpected_response", "now"),
            ("no HTTP", writes(b"SSH-2.0-secret-key\r\n"), "no_response", "now"),
            ("a reset", resets, "no_response", "now"),
            ("nothing", writes(), "no_response", "now"),
            ("a flood of headers", writes(b"HTTP/1.1 200 OK\r\n", b"a: b\r\n" * 10_000, b"\r\n"), "no_response", "now"),
            ("an endless answer", never_ends, "no_response", "now"),
            ("a body that drips", drips(head(200, len(OK)) + OK), "no_response", "now"),
        ]
        for name, raw, code, retry in rows:
            with self.subTest(name):
                error = self.result_of(raw)
                self.assertIsInstance(error, NoAnswerError)
                self.assertEqual((error.code, error.retry), (code, retry))

    def test_follows_no_redirect_and_pauses(self) -> None:
        with DocumentedServer() as elsewhere:
            location = b"location: %s/cdp/v1/users/events/send\r\n" % elsewhere.url.encode()
            for status in (301, 302, 307, 308):
                with self.subTest(status):
                    error = self.result_of(writes(head(status, 0, location)))
                    self.assertIsInstance(error, SendingPausedError)
                    self.assertEqual((error.code, error.retry), ("unexpected_response", "pause"))
            self.assertEqual(elsewhere.requests, [])

    def test_takes_no_interim_response_for_the_answer_to_an_event_nor_the_answer_for_that_to_the_next_one(self) -> None:
        refused: list[str] = []

        def answers(handler: Any) -> None:
            handler.close_connection = False
            event_id = server.requests[-1].ids[0]
            body = OK.replace(b'"e"', json.dumps(event_id).encode())
            status = 200
            if event_id == "refused":
                body, status = b'{"error":{"code":"invalid_request","message":"x","retry":"never"}}', 400
            handler.wfile.write(b"HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n")
            time.sleep(0.05)
            handler.wfile.write(head(status, len(body)) + body)

        with DocumentedServer(Behaviour(raw=answers)) as server:
            client = PodiumClient(url=server.url, api_key="k", platform="acme", timeout_s=2)
            self.addCleanup(client.close, 0)
            for event_id in ("a", "refused", "b", "c"):
                try:
                    self.assertEqual(client.send(partner_event(event_id)).event_id, event_id)
                except PodiumError as error:
                    refused.append(f"{event_id} {error.code}")
            self.assertEqual(refused, ["refused invalid_request"])
            self.assertEqual([each.ids for each in server.requests], [["a"], ["refused"], ["b"], ["c"]])

    def test_ends_at_interim_responses_without_end(self) -> None:
        def never_answers(handler: Any) -> None:
            while True:
                handler.wfile.write(b"HTTP/1.1 103 Early Hints\r\n\r\n")
                time.sleep(0.01)

        self.assertEqual(self.result_of(never_answers, timeout_s=0.5).code, "no_response")

    def test_uses_retry_after_of_a_proxy_in_seconds_or_as_a_date(self) -> None:
        date = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 30)).encode()
        day_s = 86_400
        for value, low, high in (
            (b"7", 7, 7),
            (date, 25, 31),
            (b"999999999", day_s, day_s),
            (b"Fri, 31 Dec 9999 23:59:59 GMT", day_s, day_s),
        ):
            error = self.result_of(writes(head(503, 0, b"retry-after: %s\r\n" % value)))
            assert error.retry_after_s is not None
            self.assertTrue(low <= error.retry_after_s <= high, error.retry_after_s)
        for value in (b"-1", b"soon", b"1e9", b"1767225600000", b"Thu, 99 Foo 2020"):
            self.assertIsNone(self.result_of(writes(head(503, 0, b"retry-after: %s\r\n" % value))).retry_after_s)

    def test_compares_a_date_with_that_of_the_answer_whatever_the_clock_of_the_machine_says(self) -> None:
        answered = b"date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
        for value in (
            b"Sun, 06 Nov 1994 08:50:07 GMT",
            b"Sunday, 06-Nov-94 08:50:07 GMT",
            b"Sun Nov  6 08:50:07 1994",
        ):
            with self.subTest(value):
                error = self.result_of(writes(head(503, 0, answered + b"retry-after: %s\r\n" % value)))
                self.assertEqual(error.retry_after_s, 30)


class HttpTransportTest(unittest.TestCase):
    def test_reaches_a_host_one_of_whose_addresses_drops_everything(self) -> None:
        dropping = socket.create_server(("127.0.0.1", 0), backlog=0)
        self.addCleanup(dropping.close)
        for _ in range(3):
            # They fill its backlog.
            waiting = socket.socket()
            waiting.setblocking(False)
            waiting.connect_ex(dropping.getsockname())
            self.addCleanup(waiting.close)
        with DocumentedServer() as server:
            client = PodiumClient(url=server.url, api_key="k", platform="acme", timeout_s=2)
            self.addCleanup(client.close, 0)
            tcp = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
            found = [(*tcp, dropping.getsockname()), (*tcp, ("127.0.0.1", server.port))]
            with patch("socket.getaddrinfo", return_value=found):
                self.assertEqual(client.send(partner_event("e")).outcome, "accepted")

    def test_keeps_connections_and_sends_again_when_the_server_closed_one_that_was_idle(self) -> None:
        connections: list[socket.socket] = []
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                connections.append(connection)
                threading.Thread(target=answer, args=(connection,), daemon=True).start()

        def answer(connection: socket.socket) -> None:
            # The third request of the first connection is read, and not answered.
            read_request(connection)
            connection.sendall(head(200, 2) + b"{}")
            if len(connections) == 1:
                read_request(connection)
                connection.sendall(head(200, 2) + b"{}")
            read_request(connection)
            connection.close()

        def read_request(connection: socket.socket) -> None:
            # Headers and body may arrive one after the other.
            request = b""
            while not request.endswith(b"\r\n\r\n{}"):
                part = connection.recv(65_536)
                if part == b"":
                    return
                request += part

        threading.Thread(target=serve, daemon=True).start()
        transport = HttpTransport("127.0.0.1", listener.getsockname()[1], True, 5)
        self.addCleanup(transport.close)
        for expected in (1, 1, 2):
            self.assertEqual(transport.post("/", {}, b"{}").status, 200)
            self.assertEqual(len(connections), expected)
