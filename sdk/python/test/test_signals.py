import signal
import tempfile
import time
import unittest
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event, Thread, current_thread, main_thread
from types import FrameType
from unittest.mock import patch

from podium_partner import PodiumClient, QueueError, QueueOptions
from podium_partner.event import EncodedEvent
from podium_partner.event_store import EventStore
from podium_partner.group_commit import GroupCommit

from .support.documented_server import DocumentedServer
from .support.events import encoded, partner_event
from .support.until import until

Handler = Callable[[int, FrameType | None], None]
insert_durably = EventStore.insert_durably


def interrupted_insert(store: EventStore, events: Sequence[EncodedEvent]) -> None:
    insert_durably(store, events)
    # What is on disk is not counted yet.
    interrupt()


def interrupt() -> None:
    """Runs the handler of a signal here, if this is the main thread."""
    if current_thread() is main_thread():
        signal.raise_signal(signal.SIGALRM)


class SignalsTest(unittest.TestCase):
    """The handler of a signal runs in the main thread, whatever that is doing."""

    def handle(self, handler: Handler) -> None:
        before = signal.signal(signal.SIGALRM, handler)
        self.addCleanup(signal.signal, signal.SIGALRM, before)

    def test_closes_in_time_in_a_handler_that_interrupts_enqueue_and_keeps_what_enqueue_confirms(self) -> None:
        took: list[float] = []

        with tempfile.TemporaryDirectory() as folder, DocumentedServer() as server:

            def open_client() -> PodiumClient:
                client = PodiumClient(url=server.url, api_key="k", platform="acme", queue=QueueOptions(Path(folder)))
                self.addCleanup(client.close, 0)
                return client

            def handler(*_: object) -> None:
                started_s = time.monotonic()
                self.assertFalse(client.close(0.1))
                took.append(time.monotonic() - started_s)

            client = open_client()
            with patch.object(EventStore, "insert_durably", interrupted_insert):
                self.handle(handler)
                client.enqueue(partner_event("e"))
            self.assertEqual(len(took), 1)
            self.assertLess(took[0], 1)
            with self.assertRaises(QueueError) as raised:
                client.enqueue(partner_event("f"))
            self.assertEqual(raised.exception.code, "client_closed")
            last = open_client()
            until("accepted", lambda: "e" in server.effects)
            self.assertTrue(last.close())

    def test_refuses_an_event_of_a_handler_that_interrupts_a_commit(self) -> None:
        codes: list[str] = []
        commits = GroupCommit(lambda _: interrupt())

        def handler(*_: object) -> None:
            try:
                commits.add(encoded("of-handler"))
            except QueueError as error:
                codes.append(error.code)

        self.handle(handler)
        commits.add(encoded("e"))
        self.assertEqual(codes, ["queue_failed"])
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        commits.add(encoded("after"))

    def test_waits_for_the_commit_of_another_thread_but_not_beyond_its_time(self) -> None:
        ended = Event()

        def commit(_: object) -> None:
            ended.wait(10)

        commits = GroupCommit(commit)
        other = Thread(target=commits.add, args=(encoded("e"),))
        other.start()
        until("a commit", lambda: commits._committer is not None)
        started_s = time.monotonic()
        commits.finish(0.1)
        self.assertLess(0.05, time.monotonic() - started_s)
        self.assertLess(time.monotonic() - started_s, 2)
        ended.set()
        commits.finish(5)
        other.join(5)
        self.assertIsNone(commits._committer)
