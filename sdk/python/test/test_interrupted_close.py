import sys
import tempfile
import unittest
from threading import Event, Thread, Timer
from types import FrameType
from unittest.mock import patch

from podium_partner import PodiumClient, QueueOptions
from podium_partner.queued_sending import QueuedSending

from .support.documented_server import DocumentedServer


class TimeLimit(Exception):
    """What the handler of a signal raises."""


class InterruptedCloseTest(unittest.TestCase):
    def closes_until_interrupted(self, client: PodiumClient, step: int) -> bool:
        """Closes, and raises at the end of the n-th call, as the handler of a signal may; whether it came to that."""
        left = step

        def interrupt(frame: FrameType, event: str, argument: object) -> None:
            nonlocal left
            if frame.f_code.co_filename == __file__ or event == "c_call":
                return
            left -= 1
            if left == 0:
                sys.setprofile(None)
                raise TimeLimit

        sys.setprofile(interrupt)
        try:
            client.close(1)
        except TimeLimit:
            return True
        finally:
            sys.setprofile(None)
        return False

    def test_ends_the_first_call_wherever_the_second_one_is_interrupted(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        server = DocumentedServer().__enter__()
        self.addCleanup(server.__exit__)
        close_queued, step, is_interrupted = QueuedSending.close, 0, True
        while is_interrupted:
            step += 1
            begun, may_end = Event(), Event()
            results: list[bool] = []
            client = PodiumClient(url=server.url, api_key="k", platform="acme", queue=QueueOptions(folder.name))

            def close(client: PodiumClient = client, results: list[bool] = results) -> None:
                results.append(client.close(1))

            def slow(queued: QueuedSending, deadline_s: float, begun: Event = begun, may_end: Event = may_end) -> bool:
                begun.set()
                may_end.wait(5)
                return close_queued(queued, deadline_s)

            with patch.object(QueuedSending, "close", slow):
                callers = [Thread(target=close, daemon=True) for _ in range(2)]
                callers[0].start()
                self.assertTrue(begun.wait(5))
                callers[1].start()
                ending = Timer(0.02, may_end.set)
                ending.start()
                is_interrupted = self.closes_until_interrupted(client, step)
                may_end.set()
                for thread in (ending, *callers):
                    thread.join(8)
                    self.assertFalse(thread.is_alive(), step)
            self.assertEqual((results, client.close()), ([True, True], True), step)
        self.assertGreater(step, 5)
