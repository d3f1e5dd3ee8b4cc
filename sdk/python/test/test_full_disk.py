import errno
import sqlite3
import tempfile
import unittest
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

from podium_partner import PodiumClient, QueueError, QueueOptions
from podium_partner.dead_letter_file import DeadLetterFile
from podium_partner.event_queue import EventQueue
from podium_partner.event_store import EventStore
from podium_partner.queue_counts import QueueListener

from .support.events import encoded
from .support.sender_case import INVALID, NOT_LINKED, SenderCase

FULL = sqlite3.OperationalError("database or disk is full")
CHANGES = ("insert", "delete", "wait_for", "put_group", "dissolve", "release_all")


def full_disk() -> ExitStack:
    """No change of a store succeeds, and no new one can be begun."""
    stack = ExitStack()
    for change in CHANGES:
        stack.enter_context(patch.object(EventStore, change, side_effect=FULL))
    stack.enter_context(patch("podium_partner.queue_file.new_store", side_effect=FULL))
    return stack


class FullDiskSenderTest(SenderCase):
    def stores(self) -> list[Path]:
        return sorted(self.queue.folder.glob("*.sqlite3"))

    def test_sends_everything_while_nothing_can_be_deleted_and_deletes_it_as_soon_as_it_can(self) -> None:
        self.answer = lambda event, at_s: NOT_LINKED if event.id == "late" and at_s < 1_000 else None
        self.append(encoded("late", "late"), *(encoded(f"e{n}") for n in range(300)))
        before = self.stores()
        with full_disk(), patch.object(self.queue, "recover") as recover:
            self.until(lambda: len(self.accepted) == 300)
            self.until(lambda: self.clock.now_s() > 200)
            self.assertEqual([event_id for event_id in self.accepted if self.accepted.count(event_id) > 1], [])
            recover.assert_not_called()
            self.assertEqual(self.stores(), before)
            self.assertGreater(len([event_id for event_id, _ in self.sent if event_id == "late"]), 2)
        self.until(lambda: not self.queue.is_read_only)
        self.assertEqual((self.queue.events, self.stores()), (1, before))
        self.append(encoded("after"))
        self.until(lambda: self.accepted[300:] == ["after", "late"])
        self.assertEqual((self.queue.events, self.queue.bytes, len(self.accepted)), (0, 0, 302))

    def test_sends_everything_although_the_quota_of_the_user_is_used_up(self) -> None:
        self.append(*(encoded(f"e{n}") for n in range(25)))
        # What SQLite makes of it.
        failed = sqlite3.OperationalError("disk I/O error")
        quota = OSError(errno.EDQUOT, "Disk quota exceeded")
        with ExitStack() as stack:
            stack.enter_context(patch("podium_partner.disk_space.tempfile.TemporaryFile", side_effect=quota))
            stack.enter_context(patch("podium_partner.event_store._SCHEMA", "SELECT * FROM missing"))
            for change in CHANGES:
                stack.enter_context(patch.object(EventStore, change, side_effect=failed))
            with self.assertRaises(QueueError) as raised:
                self.append(encoded("refused"))
            self.assertIn("quota", raised.exception.message)
            self.until(lambda: len(self.accepted) == 25 and self.queue.is_read_only)
        self.until(lambda: not self.queue.is_read_only)
        self.assertEqual((self.queue.events, len(self.accepted)), (0, 25))

    def test_removes_a_file_all_of_which_is_done_although_nothing_can_be_deleted_from_it(self) -> None:
        self.append(*(encoded(f"e{n}") for n in range(25)))
        before = self.stores()
        with patch.object(EventStore, "delete", side_effect=FULL):
            self.until(lambda: len(self.accepted) == 25 and not self.queue.is_read_only)
        self.assertEqual(len(self.accepted), 25)
        self.assertEqual(len(self.stores()), 1)
        self.assertNotEqual(self.stores(), before)

    def test_sends_what_waited_before_the_disk_was_full(self) -> None:
        self.answer = lambda *_: NOT_LINKED
        self.append(*(encoded(f"late{n}", "late") for n in range(5)))
        self.until(lambda: self.queue.set_aside == 5)
        self.answer = lambda *_: None
        with full_disk():
            self.until(lambda: len(self.accepted) == 5)

    def test_keeps_refused_events_whose_dead_letters_have_no_space_and_sends_the_others_once(self) -> None:
        self.answer = lambda event, _: INVALID if event.id == "bad" else None
        self.append(encoded("bad"), *(encoded(f"e{n}") for n in range(20)))
        with patch.object(DeadLetterFile, "write", side_effect=OSError(errno.ENOSPC, "No space left on device")):
            self.until(lambda: len(self.accepted) == 20)
            self.until(lambda: self.clock.now_s() > 100)
            self.assertEqual(self.queue.events, 1)
        self.until(lambda: "dead_letter" in self.types())
        self.assertEqual([letter["event"]["event"]["id"] for letter in self.letters()], ["bad"])
        self.assertEqual((len(self.accepted), self.queue.events), (20, 0))


class FullDiskQueueTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def open(self) -> EventQueue:
        queue = EventQueue(self.folder, 1_000_000, QueueListener(lambda *_: None, lambda _: None, lambda _: None))
        self.addCleanup(queue.close)
        return queue

    def ended(self, *ids: str) -> None:
        queue = self.open()
        for event_id in ids:
            queue.append(encoded(event_id))
        queue.close()

    def test_reads_what_an_ended_process_has_left_when_no_file_can_be_begun(self) -> None:
        self.ended("a", "b", "c")
        with full_disk():
            queue = self.open()
            first, second, third = queue.next()
            with self.assertRaises(QueueError):
                queue.append(encoded("refused"))
            queue.done([first, third])
            self.assertFalse(queue.write_again())
        self.assertTrue(queue.write_again())
        queue.append(encoded("later"))
        while queue.has_claims:
            queue.move_claimed()
        self.assertEqual([stored.event.id for stored in queue.next()], ["later", second.event.id])
        self.assertEqual(len(list(self.folder.glob("*.sqlite3"))), 1)

    def test_moves_events_once_that_cannot_be_deleted_where_they_were(self) -> None:
        self.ended("a", "b")
        queue = self.open()
        with patch.object(EventStore, "delete", side_effect=FULL):
            while queue.has_claims:
                queue.move_claimed()
        self.assertEqual([stored.event.id for stored in queue.next()], ["a", "b"])
        self.assertEqual(len(list(self.folder.glob("*.sqlite3"))), 1)

    def test_leaves_no_file_when_none_can_be_begun(self) -> None:
        with patch("podium_partner.event_store._SCHEMA", "SELECT * FROM missing"), self.assertRaises(QueueError):
            PodiumClient(url="http://127.0.0.1:1", api_key="k", platform="acme", queue=QueueOptions(self.folder))
        self.assertEqual(list(self.folder.iterdir()), [])
