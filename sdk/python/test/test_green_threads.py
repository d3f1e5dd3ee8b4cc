import select
import unittest

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
