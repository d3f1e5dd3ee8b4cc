import sys
import tempfile
import threading
import time
import unittest
from typing import Any
from unittest.mock import patch

from podium_partner import Notice, NoticeListener, PodiumClient, QueueOptions
from podium_partner.group_commit import GroupCommit

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

    def test_waits_for_nothing_when_another_thread_waits_for_the_listener(self) -> None:
        self.server.behaviour.refuse_all = "unauthorized"
        results: list[tuple[bool, float]] = []

        def listener(notice: Notice) -> None:
            if notice.type == "paused":
                until("the close of the other thread", lambda: client._closed_by is not None)
                started_s = time.monotonic()
                results.append((client.close(3), time.monotonic() - started_s))

        client = self.open(listener)
        client.enqueue(partner_event("e"))
        until("a request", lambda: len(self.server.requests) > 0)
        self.assertFalse(client.close(3))
        self.assertEqual(len(results), 1)
        self.assertFalse(results[0][0])
        self.assertLess(results[0][1], 1)

    def test_waits_for_no_commit_of_another_thread(self) -> None:
        self.server.behaviour.refuse_all = "unauthorized"
        took_s: list[float] = []
        finish = GroupCommit.finish

        def timed_finish(commits: GroupCommit, timeout_s: float) -> None:
            took_s.append(timeout_s)
            finish(commits, timeout_s)

        def listener(notice: Notice) -> None:
            if notice.type == "paused":
                client.close(3)

        client = self.open(listener)
        with patch.object(GroupCommit, "finish", timed_finish):
            client.enqueue(partner_event("e"))
            until("closed", lambda: client._has_closed)
        self.assertEqual(took_s, [0])

    def test_ends_the_program_of_a_caller_whose_listener_exits(self) -> None:
        self.server.behaviour.refuse_all = "unauthorized"
        first = self.open()
        first.enqueue(partner_event("e"))
        self.assertFalse(first.close(0))
        with self.assertRaises(SystemExit) as exited:
            self.open(lambda _: sys.exit(3))
        self.assertEqual(exited.exception.code, 3)
        # The files that it took over are free for the next client.
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
