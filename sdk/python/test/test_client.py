import gc
import json
import logging
import os
import pickle
import signal
import tempfile
import threading
import time
import unittest
from datetime import datetime, timezone
from pathlib import Path
from traceback import format_exception
from typing import Any
from unittest.mock import patch

from podium_partner import (
    Accepted,
    DeadLettered,
    EventWarning,
    Notice,
    PartnerEvent,
    PodiumClient,
    PodiumError,
    QueueError,
    QueueOptions,
    RateLimitedError,
    RefusedError,
    RetryLaterError,
    SendingPausedError,
    TemporaryError,
    __version__,
)
from podium_partner.address import addresses_of
from podium_partner.event_sender import EventSender
from podium_partner.events_api import EventsApi
from podium_partner.rate_pacer import RatePacer

from .support.documented_server import Behaviour, DocumentedServer
from .support.events import encoded, partner_event
from .support.jumping_clock import JumpingClock
from .support.until import until

API_KEY = "podium_test_ev_secret"


class ClientTest(unittest.TestCase):
    """The client against a plain HTTP server with the documented answers."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.server = self.enterContext(DocumentedServer()) if hasattr(self, "enterContext") else self.entered()
        self.notices: list[Notice] = []

    def entered(self) -> DocumentedServer:
        server = DocumentedServer().__enter__()
        self.addCleanup(server.__exit__)
        return server

    def open(self, **options: Any) -> PodiumClient:
        client = PodiumClient(
            **{
                "url": self.server.url,
                "api_key": API_KEY,
                "platform": "acme",
                "on_notice": self.notices.append,
                **options,
            }
        )
        self.addCleanup(client.close, 0)
        return client

    def queue(self) -> QueueOptions:
        return QueueOptions(self.folder)

    def types(self) -> list[str]:
        return [notice.type for notice in self.notices]

    def test_sends_an_event_and_says_that_it_was_a_duplicate_the_second_time(self) -> None:
        client = self.open(url=f"{self.server.url}/cdp/v1/users/events/send")
        self.assertEqual([client.send(partner_event("e")).outcome for _ in range(2)], ["accepted", "duplicate"])
        request = self.server.requests[0]
        self.assertEqual(request.path, "/cdp/v1/users/events/send")
        self.assertEqual(request.headers["authorization"], f"Bearer {API_KEY}")
        self.assertEqual(request.headers["user-agent"], f"podium-partner-python/{__version__}")

    def test_raises_an_error_of_each_class_that_has_all_that_one_needs(self) -> None:
        rows: list[tuple[str, type[PodiumError], int, float | None]] = [
            ("invalid_request", RefusedError, 400, None),
            ("unauthorized", SendingPausedError, 401, None),
            ("user_not_linked", RetryLaterError, 404, 60),
            ("event_not_negotiated", RetryLaterError, 422, 3_600),
            ("rate_limited", RateLimitedError, 429, 1),
            ("unavailable", TemporaryError, 503, 2),
        ]
        for code, kind, status, retry_after_s in rows:
            with self.subTest(code):
                self.server.behaviour = Behaviour(refuse=lambda _, code=code: code)  # type: ignore[misc]
                with self.assertRaises(kind) as raised:
                    self.open().send(partner_event("e"))
                error = raised.exception
                self.assertIs(type(error), kind)
                self.assertEqual((error.code, error.status, error.retry_after_s), (code, status, retry_after_s))
                self.assertEqual(error.docs_url, f"{self.server.url}/docs/errors#{code}")
                self.assertEqual(error.request_id, f"request-{len(self.server.requests)}")
                self.assertEqual(error.event_id, "e")
                copy = pickle.loads(pickle.dumps(error))
                self.assertEqual((type(copy), copy.details), (kind, error.details))

    def test_follows_the_retry_class_in_the_body(self) -> None:
        self.server.behaviour = Behaviour(refuse_all="invalid_request", named_retry="later")
        with self.assertRaises(RetryLaterError):
            self.open().send(partner_event("e"))

    def test_sends_a_batch_in_one_request_with_a_result_for_each_event(self) -> None:
        self.server.behaviour.refuse = lambda sent: "user_not_linked" if sent["platform_user_id"] == "late" else None
        results = self.open().send_batch([partner_event("a"), partner_event("b", "late"), partner_event("c")])
        said = [result.outcome if result.ok else result.error.code for result in results]
        self.assertEqual(said, ["accepted", "user_not_linked", "accepted"])
        self.assertEqual([request.path for request in self.server.requests], ["/cdp/v1/users/events/batch"])
        failed = results[1]
        assert not failed.ok
        self.assertEqual((failed.error.status, failed.error.retry_after_s), (404, 60))

    def test_sends_each_event_alone_where_there_is_no_batch_request(self) -> None:
        self.server.behaviour.has_batch = False
        client = self.open()
        for ids in (("a", "b", "c"), ("d", "e")):
            self.assertTrue(all(result.ok for result in client.send_batch([partner_event(each) for each in ids])))
        # It asks for it once.
        self.assertEqual([request.path.split("/")[-1] for request in self.server.requests], ["batch"] + ["send"] * 5)

    def test_sends_each_event_alone_when_a_proxy_refuses_the_batch_and_not_when_it_fails_for_the_moment(self) -> None:
        rows = [(status, True) for status in (400, 406, 413)]
        rows += [(status, False) for status in (401, 403, 404, 405, 407, 408, 425, 429, 502, 503)]
        for status, is_accepted in rows:
            with self.subTest(status):
                self.server.behaviour.batch_status_of_proxy = status
                self.server.requests.clear()
                results = self.open().send_batch([partner_event("a"), partner_event("b")])
                self.assertEqual([result.ok for result in results], [is_accepted] * 2)
                self.assertEqual(len(self.server.requests), 3 if is_accepted else 1)

    def test_gives_an_event_that_cannot_be_sent_its_result_and_sends_the_others_of_the_batch(self) -> None:
        large = PartnerEvent("large", "u", "n", 1, {"note": "x" * 70_000})
        undated = PartnerEvent("undated", "u", "n", datetime(2026, 1, 1))
        results = self.open().send_batch([large, partner_event("a"), undated, partner_event("b")])
        said = [(result.event_id, result.outcome if result.ok else result.error.code) for result in results]
        expected = [("large", "event_too_large"), ("a", "accepted"), ("undated", "event_not_encodable"), ("b", "accepted")]
        self.assertEqual(said, expected)
        self.assertEqual([request.ids for request in self.server.requests], [["a", "b"]])

    def test_refuses_what_it_cannot_send_before_any_request(self) -> None:
        client = self.open(max_batch=2)
        bad: list[tuple[PartnerEvent, str]] = [
            (PartnerEvent("e", "u", "n", 1, {"note": "x" * 70_000}), "event_too_large"),
            (PartnerEvent("e", "u", "n", datetime(2026, 1, 1)), "event_not_encodable"),
            (PartnerEvent("e", "u", "n", 1.5), "event_not_encodable"),  # type: ignore[arg-type]
            (PartnerEvent("e", "u", "n", True), "event_not_encodable"),
            (PartnerEvent("e", "u", "n", 1, {"amount": 25}), "event_not_encodable"),  # type: ignore[dict-item]
            (PartnerEvent("half \ud83d", "u", "n", 1), "event_not_encodable"),
        ]
        for event, code in bad:
            with self.subTest(code, event=repr(event)[:60]), self.assertRaises(RefusedError) as raised:
                client.send(event)
            self.assertEqual(raised.exception.code, code)
        with self.assertRaises(RefusedError) as too_many:
            client.send_batch([partner_event(each) for each in "abc"])
        self.assertEqual(too_many.exception.code, "batch_too_large")
        with self.assertRaises(QueueError) as missing:
            client.enqueue(partner_event("e"))
        self.assertEqual(missing.exception.code, "queue_missing")
        self.assertEqual(self.server.requests, [])

    def test_sends_dates_as_whole_seconds(self) -> None:
        seen: list[Any] = []
        self.server.behaviour.refuse = lambda sent: seen.append(sent["event"]["created_at"])
        self.open().send(PartnerEvent("e", "u", "n", datetime(2026, 1, 1, 0, 0, 0, 999_999, timezone.utc)))
        self.assertEqual(seen, [1_767_225_600])

    def test_sends_what_was_handed_over_in_batches(self) -> None:
        client = self.open(queue=self.queue())
        threads = [threading.Thread(target=client.enqueue, args=(partner_event(f"e{n}"),)) for n in range(100)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        until("all accepted", lambda: len(self.server.effects) == 100)
        self.assertTrue(client.close())
        self.assertEqual(os.listdir(self.folder), [])
        self.assertEqual(client.stats().queued_events, 0)

    def test_sends_no_batch_that_is_too_large_for_the_rate_of_answers(self) -> None:
        self.server.behaviour.rate = 20
        client = self.open(queue=self.queue())
        client.enqueue(partner_event("first"))
        until("the first accepted", lambda: "accepted" in self.types())
        threads = [threading.Thread(target=client.enqueue, args=(partner_event(f"e{n}"),)) for n in range(30)]
        for thread in threads:
            thread.start()
        until("all accepted", lambda: len(self.server.effects) == 31)
        sizes = [len(request.ids) for request in self.server.requests]
        self.assertEqual(sum(sizes), 31)
        self.assertLessEqual(max(sizes), 20)

    def test_takes_one_place_for_each_event_of_a_batch_that_is_refused_as_a_whole(self) -> None:
        self.server.behaviour.rate = 30
        clock = JumpingClock()
        addresses = addresses_of(self.server.url)
        pacer = RatePacer(clock, 40)
        api = EventsApi(addresses, lambda: API_KEY, 5, clock, pacer)
        self.addCleanup(api.close)
        with (
            patch.object(pacer, "take", wraps=pacer.take) as taken,
            patch.object(pacer, "give_back", wraps=pacer.give_back) as given,
        ):
            results = api.send_batch([encoded(f"e{n}") for n in range(40)])
        self.assertEqual(len([result for result in results if result.ok]), 40)
        self.assertEqual(len(self.server.requests), 41)
        places = [sum(call.args[0] for call in mock.call_args_list) for mock in (taken, given)]
        self.assertEqual(places, [80, 40])

    def test_sends_after_a_restart_what_a_client_before_could_not(self) -> None:
        self.server.behaviour.refuse_all = "unavailable"
        first = self.open(queue=self.queue())
        first.enqueue(partner_event("e"))
        until("a retry", lambda: "retried" in self.types())
        self.assertFalse(first.close(deadline_s=0.02))
        self.server.behaviour = Behaviour()
        self.open(queue=self.queue())
        until("accepted", lambda: "e" in self.server.effects)
        self.assertIn("claimed", self.types())

    def test_sends_to_a_server_that_was_away(self) -> None:
        self.server.__exit__()
        client = self.open(queue=self.queue())
        client.enqueue(partner_event("e"))
        until("a retry", lambda: "retried" in self.types())
        with DocumentedServer(port=self.server.port) as server:
            until("accepted", lambda: "e" in server.effects)

    def test_writes_a_refused_event_to_the_dead_letter_file_without_the_key(self) -> None:
        self.server.behaviour.refuse = lambda sent: "invalid_request" if sent["event"]["id"] == "bad" else None
        client = self.open(queue=self.queue())
        client.enqueue(partner_event("bad"))
        client.enqueue(partner_event("good"))
        until("both settled", lambda: sorted(self.types()) == ["accepted", "dead_letter"])
        self.assertTrue(client.close())
        text = (self.folder / "dead-letters.ndjson").read_text()
        letter = json.loads(text)
        self.assertEqual((letter["code"], letter["status"], letter["event"]["event"]["id"]), ("invalid_request", 400, "bad"))
        self.assertRegex(letter["request_id"], "^request-")
        (refused,) = [each for each in self.notices if isinstance(each, DeadLettered)]
        self.assertEqual(refused.event_id, "bad")
        self.assertNotIn("secret", text + repr(self.notices))

    def test_reads_the_key_for_each_request_so_that_a_paused_client_goes_on_with_a_new_one(self) -> None:
        keys = ["revoked"]
        self.server.behaviour.refuse_all = "unauthorized"
        client = self.open(api_key=lambda: keys[-1], queue=self.queue())
        client.enqueue(partner_event("e"))
        until("a pause", lambda: client.stats().paused_by is not None)
        self.server.behaviour = Behaviour()
        keys.append("new")
        client.resume()
        until("accepted", lambda: "e" in self.server.effects)
        self.assertEqual(self.server.requests[-1].headers["authorization"], "Bearer new")

    def test_tells_no_one_a_key_that_cannot_be_a_header(self) -> None:
        with self.assertRaises(SendingPausedError) as raised:
            self.open(api_key="secret\nkey").send(partner_event("e"))
        self.assertEqual(raised.exception.code, "key_unusable")
        self.assertNotIn("secret", str(raised.exception))

        def failing() -> str:
            raise RuntimeError("secret")

        with self.assertRaises(TemporaryError) as failed:
            self.open(api_key=failing).send(partner_event("e"))
        self.assertNotIn("secret", "".join(format_exception(failed.exception)))

    def test_pauses_the_queue_at_once_for_a_key_that_cannot_be_a_header(self) -> None:
        client = self.open(api_key=lambda: "secret\nkey", queue=self.queue())
        client.enqueue(partner_event("e"))
        until("a pause", lambda: client.stats().paused_by is not None)
        self.assertEqual(self.types(), ["paused"])
        self.assertNotIn("secret", repr(self.notices))
        self.assertEqual(self.server.requests, [])

    def test_closes_in_time_when_a_request_hangs_and_takes_nothing_more(self) -> None:
        ended = threading.Event()
        self.addCleanup(ended.set)
        self.server.behaviour.raw = lambda _: ended.wait(20)
        client = self.open(queue=self.queue())
        client.enqueue(partner_event("e"))
        until("a request", lambda: len(self.server.requests) > 0)
        closed = threading.Thread(target=client.close, args=(0.1,))
        closed.start()
        closed.join(3)
        self.assertFalse(closed.is_alive())
        with self.assertRaises(QueueError) as raised:
            client.enqueue(partner_event("f"))
        self.assertEqual(raised.exception.code, "client_closed")

    def test_closes_without_a_limit_of_time(self) -> None:
        self.server.behaviour.refuse_all = "internal_error"
        client = self.open(queue=self.queue())
        client.enqueue(partner_event("e"))
        until("retried", lambda: "retried" in self.types())
        self.server.behaviour.refuse_all = None
        with patch.object(EventSender, "drain", autospec=True, side_effect=EventSender.drain) as drain:
            self.assertTrue(client.close(float("inf")))
        self.assertIn("e", self.server.effects)
        years_s = drain.call_args.args[1]
        self.assertGreater(years_s, threading.TIMEOUT_MAX - 60)

    def test_tells_every_caller_of_close_that_something_is_left(self) -> None:
        self.server.behaviour.refuse_all = "unavailable"
        client = self.open(queue=self.queue())
        client.enqueue(partner_event("e"))
        results: list[bool] = []
        callers = [threading.Thread(target=lambda: results.append(client.close(0.3))) for _ in range(2)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join(5)
        self.assertEqual(results, [False, False])
        self.assertFalse(client.close())

    def test_does_not_wait_for_itself_when_the_handler_of_a_signal_closes_it_again(self) -> None:
        self.server.behaviour.refuse_all = "unavailable"
        client = self.open(queue=self.queue())
        client.enqueue(partner_event("e"))
        again: list[bool] = []
        before = signal.signal(signal.SIGALRM, lambda *_: again.append(client.close()))
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        drain = EventSender.drain

        def interrupted(sender: EventSender, seconds: float) -> None:
            signal.raise_signal(signal.SIGALRM)
            drain(sender, seconds)

        started_s = time.monotonic()
        with patch.object(EventSender, "drain", interrupted):
            self.assertFalse(client.close(0.3))
        self.assertEqual(again, [False])
        self.assertLess(time.monotonic() - started_s, 3)

    def test_hands_warnings_to_the_caller_of_send_and_to_the_listener(self) -> None:
        warning = {"code": "value_not_parsed", "field": "event.attributes[0].value", "message": "does not parse"}
        self.server.behaviour.warnings = [{**warning, "later": 1}, "odd"]
        expected = (EventWarning(**warning), EventWarning("", "", ""))
        client = self.open(queue=self.queue())
        self.assertEqual(client.send(partner_event("e")).warnings, expected)
        client.enqueue(partner_event("f"))
        until("accepted", lambda: "accepted" in self.types())
        notice = next(notice for notice in self.notices if isinstance(notice, Accepted))
        self.assertEqual((notice.level, notice.warnings), (logging.WARNING, expected))

    def test_goes_on_when_the_listener_raises(self) -> None:
        def listener(_: Notice) -> None:
            raise RuntimeError("of the listener")

        client = self.open(queue=self.queue(), on_notice=listener)
        with self.assertLogs("podium_partner", "WARNING") as logged:
            client.enqueue(partner_event("e"))
            client.enqueue(partner_event("f"))
            until("both accepted", lambda: len(self.server.effects) == 2 and len(logged.records) >= 2)
        self.assertIn("of the listener", str(logged.output))

    def test_lets_a_listener_hand_events_over(self) -> None:
        client = self.open(queue=self.queue(), on_notice=lambda notice: hand_over(notice))

        def hand_over(notice: Notice) -> None:
            if notice.type == "accepted" and len(self.server.effects) < 5:
                client.enqueue(partner_event(f"e{len(self.server.effects)}"))

        client.enqueue(partner_event("e0"))
        until("five accepted", lambda: len(self.server.effects) == 5)

    def test_leaves_no_thread_and_no_descriptor_behind(self) -> None:
        def descriptors() -> int:
            gc.collect()
            return len(os.listdir("/proc/self/fd")) if os.path.exists("/proc/self/fd") else 0

        for _ in range(3):
            with self.open(queue=self.queue()) as client:
                client.enqueue(partner_event("e"))
        before, threads = descriptors(), threading.active_count()
        for _ in range(20):
            with self.open(queue=self.queue()) as client:
                client.enqueue(partner_event("e"))
        until("the ends of connections", lambda: descriptors() <= before + 3, 5)
        self.assertLessEqual(len([t for t in threading.enumerate() if t.name == "podium-partner"]), 0)
        # Those of the server end a moment after their connections.
        until("the ends of threads", lambda: threading.active_count() <= threads + 2, 5)
