import queue
import select
import unittest
from unittest.mock import patch

from podium_partner import PodiumClient

from .support.documented_server import DocumentedServer
from .support.events import partner_event


class GreenThreadsTest(unittest.TestCase):
    def test_keeps_connections_where_a_library_of_green_threads_has_removed_poll(self) -> None:
        # As eventlet.monkey_patch does.
        self.addCleanup(setattr, select, "poll", select.poll)
        del select.poll
        with DocumentedServer() as server, PodiumClient(url=server.url, api_key="k", platform="acme") as client:
            outcomes = [client.send(partner_event(event_id)).outcome for event_id in ("e-1", "e-2", "e-3")]
        self.assertEqual(outcomes, ["accepted"] * 3)

    def test_waits_in_what_a_library_of_green_threads_has_put_there_after_the_import(self) -> None:
        # As gevent.monkey.patch_all does in a worker of a server that has loaded the application before.
        made: list[object] = []

        class Green(queue._PySimpleQueue):  # type: ignore[name-defined,misc]
            def __init__(self) -> None:
                super().__init__()
                made.append(self)

        with patch("queue.SimpleQueue", Green), DocumentedServer() as server:
            client = PodiumClient(url=f"http://localhost:{server.port}", api_key="k", platform="acme")
            before = len(made)
            self.assertEqual(client.send(partner_event("e")).outcome, "accepted")
            client.close()
        # Waits for the rate and for the name.
        self.assertGreater(before, 0)
        self.assertGreater(len(made), before)
