import json
import tempfile
import unittest
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from podium_partner import AcceptedEvent, EventResult, FailedEvent, Notice, Paused, Resumed
from podium_partner.dead_letter_file import DeadLetterFile
from podium_partner.errors import ErrorDetails, error_of
from podium_partner.event import EncodedEvent
from podium_partner.event_queue import EventQueue
from podium_partner.event_sender import EventSender, EventSenderOptions
from podium_partner.events_in_hand import BatchLimits
from podium_partner.queue_counts import QueueListener
from podium_partner.retry_class import retry_class_of

from .support.events import encoded
from .support.jumping_clock import JumpingClock

Refusal = tuple[int, str, float | None]
NOT_LINKED: Refusal = (404, "user_not_linked", 60)
NOT_NEGOTIATED: Refusal = (422, "event_not_negotiated", 3_600)
UNAVAILABLE: Refusal = (503, "unavailable", 2)
INVALID: Refusal = (400, "invalid_request", None)
AHEAD: Refusal = (400, "invalid_request", 60)
"""Names the retry class later."""
REVOKED: Refusal = (401, "unauthorized", None)
Answer = Callable[[EncodedEvent, float], Refusal | None]


class EventSenderTest(unittest.TestCase):
    """A sender on a queue of its own, with a clock that jumps; a function plays the service."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.clock = JumpingClock()
        self.notices: list[Notice] = []
        self.sent: list[tuple[str, float]] = []
        self.accepted: list[str] = []
        self.answer: Answer = lambda event, at_s: None
        self.queue = EventQueue(Path(folder.name), 2**30, QueueListener(lambda *_: None, lambda _: None))
        self.addCleanup(self.queue.close)
        self.dead_letters = DeadLetterFile(Path(folder.name), lambda: "2026-01-01T00:00:00.000Z")
        self.sender = EventSender(
            EventSenderOptions(
                queue=self.queue,
                dead_letters=self.dead_letters,
                send=self.send,
                limits=BatchLimits(lambda: 10, 1_000_000, 2**24),
                clock=self.clock,
                random=lambda: 0.5,
                notify=self.notices.append,
            )
        )

    def send(self, events: Sequence[EncodedEvent]) -> list[EventResult]:
        return [self.result(event) for event in events]

    def result(self, event: EncodedEvent) -> EventResult:
        at_s = self.clock.now_s()
        self.sent.append((event.id, at_s))
        refusal = self.answer(event, at_s)
        if refusal is None:
            self.accepted.append(event.id)
            return AcceptedEvent(event.id, "accepted")
        status, code, retry_after_s = refusal
        details = ErrorDetails(code, code, status, retry_after_s=retry_after_s, event_id=event.id)
        return FailedEvent(event.id, error_of(retry_class_of(status, code, "later" if refusal is AHEAD else None), details))

    def append(self, *events: EncodedEvent) -> None:
        for event in events:
            self.queue.append(event)

    def until(self, condition: Callable[[], bool]) -> None:
        for _ in range(100_000):
            if condition():
                return
            self.sender.step()
        self.fail(f"not in time: {self.sent[-20:]}")

    def types(self) -> list[str]:
        return [notice.type for notice in self.notices]

    def letters(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.dead_letters.path.read_text().splitlines()]

    def test_sends_everything_once_in_batches(self) -> None:
        self.append(*(encoded(f"e{n}") for n in range(25)))
        self.until(lambda: len(self.accepted) == 25)
        self.assertEqual([event_id for event_id, _ in self.sent], [f"e{n}" for n in range(25)])
        self.assertEqual(self.types(), ["accepted"] * 25)
        self.assertEqual((self.queue.events, self.queue.bytes), (0, 0))

    def test_holds_back_no_one_for_a_user_who_is_not_linked_and_asks_with_one_event_a_time(self) -> None:
        self.answer = lambda event, at_s: NOT_LINKED if event.platform_user_id == "late" and at_s < 300 else None
        for n in range(50):
            self.append(encoded(f"late{n}", "late"), encoded(f"other{n}", f"user{n}"))
        self.until(lambda: len(self.accepted) == 50)
        self.assertLess(self.clock.now_s(), 1)
        self.assertTrue(all(event_id.startswith("other") for event_id in self.accepted))
        self.assertEqual(self.queue.set_aside, 50)
        self.until(lambda: len(self.accepted) == 100)
        late = [(event_id, at_s) for event_id, at_s in self.sent if event_id.startswith("late")]
        # At Retry-After, because more of the user's events came; then the doubled time with a tenth on top.
        self.assertEqual([round(at_s) for _, at_s in late if 60 <= at_s < 300], [60, 192])
        # Before that only the ones that were in the first batch together.
        self.assertLessEqual(len([at_s for _, at_s in late if at_s < 60]), 5)
        self.assertEqual(self.queue.set_aside, 0)

    def test_sets_a_name_aside_that_is_not_negotiated_and_sends_its_events_when_it_is(self) -> None:
        self.answer = lambda event, at_s: NOT_NEGOTIATED if event.name == "bet" and at_s < 3_000 else None
        self.append(encoded("b1", "u1", "bet"), encoded("d1", "u1"), encoded("b2", "u2", "bet"))
        self.until(lambda: len(self.accepted) == 3)
        self.assertEqual(self.accepted[0], "d1")
        self.assertEqual(len([event_id for event_id, at_s in self.sent if at_s > 1]), 2)

    def test_keeps_events_apart_whose_user_is_not_linked_once_their_name_is_negotiated(self) -> None:
        def answer(event: EncodedEvent, at_s: float) -> Refusal | None:
            if event.name == "bet" and at_s < 3_000:
                return NOT_NEGOTIATED
            return NOT_LINKED if event.platform_user_id == "late" and at_s < 9_000 else None

        self.answer = answer
        self.append(encoded("b1", "late", "bet"), encoded("b2", "u2", "bet"), encoded("b3", "late", "bet"))
        self.until(lambda: len(self.accepted) == 3)
        self.assertEqual(self.accepted[0], "b2")

    def test_writes_refused_events_with_their_reason_and_goes_on(self) -> None:
        self.answer = lambda event, _: INVALID if event.id.startswith("bad") else None
        self.append(encoded("bad1"), encoded("good"), encoded("bad2"))
        self.until(lambda: len(self.notices) == 3)
        self.assertEqual(
            [(letter["code"], letter["event"]["event"]["id"]) for letter in self.letters()],
            [("invalid_request", "bad1"), ("invalid_request", "bad2")],
        )
        self.assertEqual(sorted(self.types()), ["accepted", "dead_letter", "dead_letter"])
        self.assertEqual(len(self.sent), 3)

    def test_keeps_an_event_that_is_ahead_of_the_clock_alone_and_sends_it_after_retry_after(self) -> None:
        self.answer = lambda event, at_s: AHEAD if event.id.startswith("ahead") and at_s < 60 else None
        self.sender._in_hand._limits = BatchLimits(lambda: 1, 1_000_000, 2**24)
        self.append(encoded("ahead1", "u1"), encoded("e", "u1"), encoded("ahead2", "u1"))
        self.until(lambda: len(self.accepted) == 3)
        self.assertEqual(self.accepted[0], "e")
        times = {event_id: [at_s for sent, at_s in self.sent if sent == event_id] for event_id in self.accepted}
        self.assertLess(times["e"][0], 1)
        for ahead in ("ahead1", "ahead2"):
            self.assertEqual(len(times[ahead]), 2)
            self.assertLess(times[ahead][1], 100)
        self.assertFalse(self.dead_letters.path.exists())
        self.assertEqual((self.queue.events, self.queue.set_aside), (0, 0))
        self.assertEqual(self.types().count("set_aside"), 2)

    def test_sets_an_event_aside_for_its_user_that_was_ahead_of_the_clock_before(self) -> None:
        def answer(event: EncodedEvent, at_s: float) -> Refusal | None:
            if event.id == "ahead" and at_s < 60:
                return AHEAD
            return NOT_LINKED if at_s < 300 else None

        self.answer = answer
        self.append(encoded("ahead", "late"), encoded("e", "late"))
        self.until(lambda: len(self.accepted) == 2)
        self.assertEqual((self.queue.events, self.queue.set_aside), (0, 0))

    def test_waits_longer_and_longer_during_an_outage_never_less_than_retry_after_and_loses_nothing(self) -> None:
        self.answer = lambda _, at_s: UNAVAILABLE if at_s < 100 else None
        self.append(*(encoded(f"e{n}") for n in range(15)))
        self.until(lambda: len(set(self.accepted)) == 15)
        rounds = sorted({at_s for _, at_s in self.sent if at_s < 100})
        gaps = [after - before for before, after in zip(rounds, rounds[1:], strict=False)]
        self.assertGreater(len(gaps), 3)
        self.assertGreaterEqual(min(gaps), 2)
        self.assertGreater(gaps[-1], 4 * gaps[0])
        self.assertEqual(len(self.accepted), 15)

    def test_sends_the_others_at_full_speed_when_one_event_alone_fails_for_the_moment(self) -> None:
        self.answer = lambda event, at_s: (500, "internal_error", None) if event.id == "poison" and at_s < 50 else None
        self.append(encoded("poison"), *(encoded(f"e{n}") for n in range(40)))
        self.until(lambda: len(self.accepted) == 40)
        self.assertLess(self.clock.now_s(), 1)
        self.until(lambda: "poison" in self.accepted)

    def test_stops_at_a_refused_key_with_one_notice_asks_with_one_event_and_goes_on_when_it_is_accepted(self) -> None:
        revoked = True
        self.answer = lambda *_: REVOKED if revoked else None
        self.append(*(encoded(f"e{n}") for n in range(30)))
        self.until(lambda: self.clock.now_s() > 1_000)
        paused_by = self.sender.paused_by
        assert paused_by
        self.assertEqual((paused_by.code, paused_by.retry, paused_by.retryable), ("unauthorized", "pause", False))
        self.assertEqual(len([each for each in self.notices if isinstance(each, Paused)]), 1)
        self.assertLessEqual(len(self.sent), 10 + 4)
        revoked = False
        self.until(lambda: len(set(self.accepted)) == 30)
        self.assertEqual(len([each for each in self.notices if isinstance(each, Resumed)]), 1)
        self.assertIsNone(self.sender.paused_by)

    def test_tries_at_once_when_it_is_told_that_the_cause_is_gone(self) -> None:
        self.answer = lambda *_: REVOKED
        self.append(encoded("e"))
        self.until(lambda: self.sender.paused_by is not None)
        self.answer = lambda *_: None
        before_s = self.clock.now_s()
        self.sender.resume()
        self.until(lambda: self.accepted == ["e"])
        self.assertLess(self.clock.now_s() - before_s, 1)

    def test_keeps_every_event_when_the_dead_letter_file_cannot_be_written(self) -> None:
        self.answer = lambda *_: INVALID
        self.dead_letters.path.mkdir()
        self.append(encoded("bad"))
        self.until(lambda: "queue_failed" in self.types())
        self.dead_letters.path.rmdir()
        self.until(lambda: "dead_letter" in self.types())
        self.assertEqual(self.letters()[0]["event"]["event"]["id"], "bad")

    def test_has_few_bytes_in_memory_whatever_is_delayed_and_set_aside(self) -> None:
        self.sender._in_hand._limits = BatchLimits(lambda: 10, 1_000_000, 2_000_000)
        most = 0

        def answer(event: EncodedEvent, at_s: float) -> Refusal | None:
            nonlocal most
            most = max(most, sum(len(stored.event.body) for _, stored in self.sender._in_hand._delayed))
            if int(event.id.split("-")[0]) % 3 == 0:
                return NOT_LINKED if at_s < 1_000 else None
            return UNAVAILABLE if at_s < 100 and int(event.id.split("-")[0]) % 10 else None

        self.answer = answer
        self.append(*(encoded(f"{n}-{'x' * 50_000}", f"user{n}") for n in range(300)))
        self.until(lambda: len(set(self.accepted)) == 300)
        self.assertGreater(most, 500_000)
        self.assertLess(most, 4_000_000)
