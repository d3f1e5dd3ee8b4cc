"""Owners of a queue's folder while other processes look for ended ones."""

import os
import tempfile
import unittest
from pathlib import Path
from threading import Event, Thread

from podium_partner.owner_lock import OwnerLock, owners_in


class OwnerLockTest(unittest.TestCase):
    def test_becomes_an_owner_while_another_looks_for_ended_ones(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            stopped = Event()

            def remove_ended() -> None:
                while not stopped.is_set():
                    for owner in owners_in(folder):
                        lock = OwnerLock.claim(folder, owner)
                        if lock:
                            lock.remove()

            searches = [Thread(target=remove_ended) for _ in range(3)]
            for search in searches:
                search.start()
            try:
                for _ in range(3_000):
                    lock = OwnerLock.acquire(folder)
                    self.assertIn(lock.owner, owners_in(folder))
                    lock.remove()
            finally:
                stopped.set()
                for search in searches:
                    search.join()
            self.assertEqual(os.listdir(folder), [])
