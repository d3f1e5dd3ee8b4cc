import sys
import tempfile
import threading
import time
import unittest
from typing import Any

from podium_partner import Notice, NoticeListener, PodiumClient, QueueOptions

from .support.documented_server import DocumentedServer
from .support.events import partner_event
from .support.until import until


class ListenersTest(unittest.TestCase):
    """The listener of notices runs in the thread that sends."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.server = DocumentedServer().__enter__()
        self.addCleanup(self.server.__exit__)

    def open(self, on_notice: NoticeListener | None = None) -> PodiumClient:
        options: dict[str, Any] = {"url": self.server.url, "api_key": "k", "platform": "acme"}
        client = PodiumClient(**options, queue=QueueOptions(self.folder), on_notice=on_notice)
        self.addCleanup(client.close, 0)
        return client

    def test_closes_the_client_without_waiting_for_itself(self) -> None:
        self.server.behaviour.refuse_all = "unauthorized"
        results: list[tuple[bool, float]] = []

        def listener(notice: Notice) -> None:
            if notice.type == "paused":
                started_s = time.monotonic()
                results.append((client.close(), time.monotonic() - started_s))

        client = self.open(listener)
        client.enqueue(partner_event("e"))
        until("closed", lambda: len(results) == 1)
        self.assertFalse(results[0][0])
        self.assertLess(results[0][1], 5)
        until("the end of the thread", lambda: all(t.name != "podium-partner" for t in threading.enumerate()))
        # Its file is free for the next client.
        self.server.behaviour.refuse_all = None
        self.open()
        until("accepted", lambda: "e" in self.server.effects)

    def test_goes_on_when_the_listener_exits(self) -> None:
        client = self.open(lambda _: sys.exit(1))
        with self.assertLogs("podium_partner", "WARNING"):
            client.enqueue(partner_event("e"))
            until("accepted", lambda: "e" in self.server.effects)
            client.enqueue(partner_event("f"))
            until("the other one, too", lambda: "f" in self.server.effects)
