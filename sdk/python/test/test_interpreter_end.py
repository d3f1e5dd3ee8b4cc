import subprocess
import sys
import unittest

from .support.documented_server import DocumentedServer

HEAD = """
import atexit, sys, tempfile
from podium_partner import PartnerEvent, PodiumClient, QueueOptions
queue = QueueOptions(tempfile.mkdtemp())
client = PodiumClient(url=sys.argv[1], api_key="k", platform="acme", queue=queue)
"""
SENDS = """
atexit.register(lambda: print(client.send(PartnerEvent("e", "u", "n", 1)).outcome))
"""
CLOSES = """
def close():
    for number in range(20):
        client.enqueue(PartnerEvent(f"e-{number}", "u", "n", 1))
    print(client.close(5))
atexit.register(close)
"""


class InterpreterEndTest(unittest.TestCase):
    """From Python 3.12 on, no thread can be started in handlers of `atexit`."""

    def printed_by(self, program: str, url: str) -> str:
        ended = subprocess.run([sys.executable, "-c", HEAD + program, url], capture_output=True, text=True, timeout=60)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        return ended.stdout

    def test_sends_to_a_host_whose_name_is_looked_up(self) -> None:
        with DocumentedServer() as server:
            self.assertEqual(self.printed_by(SENDS, f"http://localhost:{server.port}"), "accepted\n")

    def test_sends_the_events_of_a_batch_that_is_refused_as_a_whole(self) -> None:
        with DocumentedServer() as server:
            server.behaviour.batch_status_of_proxy = 413
            self.assertEqual(self.printed_by(CLOSES, server.url), "True\n")
            self.assertEqual(len(server.effects), 20)
