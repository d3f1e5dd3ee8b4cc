import errno
import os
import tempfile
import unittest
from pathlib import Path
from unittest.mock import patch

from podium_partner.event_queue import EventQueue
from podium_partner.owner_lock import OwnerLock
from podium_partner.queue_counts import QueueListener

from .support.events import encoded

FOREIGN = "7" * 16
claim = OwnerLock.claim


def claim_own(folder: Path, owner: str) -> OwnerLock | None:
    """As for files of another user, whose mode is 0600."""
    if owner == FOREIGN:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder / f"{owner}.lock"))
    return claim(folder, owner)


class ClaimedStoresTest(unittest.TestCase):
    """Files of other processes that cannot be opened."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.failed: list[Exception] = []
        self.ended("of-other", FOREIGN)

    def open(self) -> EventQueue:
        queue = EventQueue(self.folder, 1_000_000, QueueListener(lambda *_: None, lambda _: None, self.failed.append))
        self.addCleanup(queue.close)
        return queue

    def ended(self, event_id: str, owner: str) -> None:
        with patch("secrets.token_hex", return_value=owner):
            queue = self.open()
        queue.append(encoded(event_id))
        queue._let_go()

    def ids(self, queue: EventQueue) -> list[str]:
        while queue.has_claims:
            queue.move_claimed()
        return sorted(stored.event.id for stored in queue.next())

    def descriptors(self) -> int:
        return len(os.listdir("/proc/self/fd")) if os.path.exists("/proc/self/fd") else 0

    def test_a_file_of_another_user_stops_nothing_is_told_once_and_taken_over_when_it_can_be(self) -> None:
        with patch.object(OwnerLock, "claim", claim_own):
            # Around it by name, so that one search meets all three.
            self.ended("before", "0" * 16)
            self.failed.clear()
            queue = self.open()
            self.ended("behind", "f" * 16)
            queue.append(encoded("own"))
            queue.tidy()
            self.assertEqual(self.ids(queue), ["before", "behind", "own"])
            counts: list[tuple[int, int]] = []
            for _ in range(5):
                queue.tidy()
                queue.recover()
                self.assertEqual(self.ids(queue), ["before", "behind", "own"])
                counts.append((self.descriptors(), len(list(self.folder.iterdir()))))
            self.assertEqual(counts, counts[:1] * 5)
            self.assertEqual([type(error) for error in self.failed], [PermissionError] * 2)
        queue.tidy()
        self.assertEqual(self.ids(queue), ["of-other"])

    def test_releases_the_lock_of_a_file_that_it_cannot_open(self) -> None:
        with patch("podium_partner.owned_store.EventStore", side_effect=PermissionError(errno.EACCES, "denied")):
            queue_failed = self.open_or_none()
        self.assertIsNone(queue_failed)
        self.assertEqual(self.ids(self.open()), ["of-other"])

    def test_a_search_that_fails_stops_nothing_and_is_told(self) -> None:
        queue = self.open()
        self.ids(queue)
        error = OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        with patch("podium_partner.claimed_stores.owners_in", side_effect=error):
            queue.tidy()
        self.assertEqual(self.failed, [error])
        queue.append(encoded("own"))
        self.assertEqual(self.ids(queue), ["own"])

    def open_or_none(self) -> EventQueue | None:
        try:
            return self.open()
        except PermissionError:
            return None
