import unittest
from typing import Any

from podium_partner import PartnerEvent, PodiumClient, RefusedError

from .support.documented_server import DocumentedServer
from .support.events import partner_event


class EncodeEventTest(unittest.TestCase):
    def test_refuses_attributes_that_are_no_mapping_and_sends_the_other_events_of_the_batch(self) -> None:
        wrong: list[Any] = [None, [("amount", "1")], "amount=1"]
        with DocumentedServer() as server, PodiumClient(url=server.url, api_key="k", platform="acme") as client:
            for attributes in wrong:
                event = PartnerEvent("wrong", "user-1", "deposit", 1_767_225_600, attributes)
                results = client.send_batch([partner_event("right"), event])
                self.assertTrue(results[0].ok)
                assert not results[1].ok
                self.assertIsInstance(results[1].error, RefusedError)
                self.assertEqual(results[1].error.code, "event_not_encodable")
                self.assertIn("attributes is ", results[1].error.message)
