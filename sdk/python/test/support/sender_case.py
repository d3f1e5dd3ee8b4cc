"""A sender with a clock that jumps, for tests."""

import json
import tempfile
import unittest
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from podium_partner import AcceptedEvent, EventResult, FailedEvent, Notice
from podium_partner.dead_letter_file import DeadLetterFile
from podium_partner.errors import ErrorDetails, error_of
from podium_partner.event import EncodedEvent
from podium_partner.event_queue import EventQueue
from podium_partner.event_sender import EventSender, EventSenderOptions
from podium_partner.events_in_hand import BatchLimits
from podium_partner.queue_counts import QueueListener
from podium_partner.retry_class import retry_class_of

from .jumping_clock import JumpingClock

Refusal = tuple[int, str, float | None]
NOT_LINKED: Refusal = (404, "user_not_linked", 60)
NOT_NEGOTIATED: Refusal = (422, "event_not_negotiated", 3_600)
UNAVAILABLE: Refusal = (503, "unavailable", 2)
INVALID: Refusal = (400, "invalid_request", None)
AHEAD: Refusal = (400, "invalid_request", 60)
"""Names the retry class later."""
REVOKED: Refusal = (401, "unauthorized", None)
MISMATCH: Refusal = (403, "platform_mismatch", None)
Answer = Callable[[EncodedEvent, float], Refusal | None]


class SenderCase(unittest.TestCase):
    """A sender on a queue of its own, with a clock that jumps; a function plays the service."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.clock = JumpingClock()
        self.notices: list[Notice] = []
        self.sent: list[tuple[str, float]] = []
        self.accepted: list[str] = []
        self.answer: Answer = lambda event, at_s: None
        self.queue = EventQueue(Path(folder.name), 2**30, QueueListener(lambda *_: None, lambda _: None, lambda _: None))
        self.addCleanup(self.queue.close)
        self.dead_letters = DeadLetterFile(Path(folder.name), lambda: "2026-01-01T00:00:00.000Z")
        self.sender = EventSender(
            EventSenderOptions(
                queue=self.queue,
                dead_letters=self.dead_letters,
                send=self.send,
                platform="acme",
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
