import random
import sqlite3
import tempfile
import time
import unittest
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from unittest.mock import patch

from podium_partner import QueueError
from podium_partner.event import EncodedEvent
from podium_partner.event_queue import EventQueue
from podium_partner.event_store import StoredEvent
from podium_partner.queue_counts import QueueListener

from .support.events import encoded


class EventQueueTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.claimed: list[int] = []
        self.damaged: list[Path] = []
        self.failed: list[Exception] = []

    def open(self, max_bytes: int = 1_000_000) -> EventQueue:
        listener = QueueListener(lambda events, _: self.claimed.append(events), self.damaged.append, self.failed.append)
        queue = EventQueue(self.folder, max_bytes, listener)
        self.addCleanup(queue.close)
        return queue

    def all(self, queue: EventQueue) -> list[StoredEvent]:
        """Everything that is left, as the sender would read it."""
        while queue.has_claims:
            queue.move_claimed()
        found: list[StoredEvent] = []
        while queue.has_next:
            found.extend(queue.next())
        return found

    def ids(self, queue: EventQueue) -> list[str]:
        return [stored.event.id for stored in self.all(queue)]

    def files(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())

    def test_returns_events_in_order_exactly_as_they_were_appended(self) -> None:
        queue = self.open()
        events = [encoded("1"), encoded('line\nfeed \u2028 "quotes" ü 🎉', "a:b", "c"), encoded("3")]
        for event in events:
            queue.append(event)
        self.assertEqual([stored.event for stored in self.all(queue)], events)

    def test_confirms_no_event_once_another_process_may_have_taken_the_file(self) -> None:
        queue = self.open()
        queue.append(encoded("before"))
        # As a cleaner of old files does.
        for lock in self.folder.glob("*.lock"):
            lock.unlink()
        other = self.open()
        self.assertEqual(self.ids(other), ["before"])
        with self.assertRaises(QueueError) as raised:
            queue.append(encoded("unconfirmed"))
        self.assertEqual(raised.exception.code, "queue_failed")
        self.assertTrue(queue.has_failed)
        queue.recover()
        queue.append(encoded("confirmed"))
        self.assertEqual(self.ids(queue), ["confirmed"])

    def test_returns_what_was_not_done_to_the_next_process_and_only_that(self) -> None:
        first = self.open()
        for n in range(10):
            first.append(encoded(f"e{n}"))
        first.done(self.all(first)[::2])
        self.assertFalse(first.close())
        second = self.open()
        self.assertEqual(self.claimed, [5])
        self.assertEqual(self.ids(second), ["e1", "e3", "e5", "e7", "e9"])

    def test_leaves_nothing_on_disk_when_everything_is_done(self) -> None:
        queue = self.open()
        for n in range(3):
            queue.append(encoded(f"e{n}"))
        queue.done(self.all(queue))
        self.assertEqual(queue.bytes, 0)
        self.assertTrue(queue.close())
        self.assertEqual(self.files(), [])

    def test_leaves_the_events_of_a_process_that_runs_to_it(self) -> None:
        first, second = self.open(), self.open()
        first.append(encoded("of-first"))
        second.append(encoded("of-second"))
        second.tidy()
        self.assertEqual(self.ids(second), ["of-second"])
        first.close()
        second.tidy()
        self.assertEqual(self.ids(second), ["of-first"])

    def test_gives_each_event_to_one_of_several_processes_that_take_over_at_once(self) -> None:
        ended = [self.open() for _ in range(10)]
        for at, queue in enumerate(ended):
            for n in range(3):
                queue.append(encoded(f"{at}-{n}"))
        for queue in ended:
            queue._let_go()
        before = len([name for name in self.files() if name.endswith(".sqlite3")])
        self.assertEqual(before, 10)
        queues: list[EventQueue] = []
        threads = [Thread(target=lambda: queues.append(self.open())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sum(self.claimed), 30)
        self.assertEqual(sum(len(self.all(queue)) for queue in queues), 30)

    def test_refuses_events_beyond_its_size(self) -> None:
        queue = self.open(max_bytes=2_000)
        refused: list[QueueError] = []
        for n in range(20):
            try:
                queue.append(encoded(f"e{n}"))
            except QueueError as error:
                refused.append(error)
        self.assertGreater(len(refused), 10)
        self.assertEqual((refused[0].code, refused[0].retryable, refused[0].event_id), ("queue_full", True, "e5"))
        self.assertEqual(len(self.ids(queue)), 20 - len(refused))

    def test_shares_commits_between_threads(self) -> None:
        queue = self.open()
        writers = 16
        commits: list[int] = []
        insert = queue._commits._commit

        def commit(events: Sequence[EncodedEvent]) -> None:
            # While the first commit lasts, all others arrive.
            while not commits and len(events) + len(queue._commits._waiting) < writers:
                time.sleep(0.001)
            commits.append(len(events))
            insert(events)

        queue._commits._commit = commit
        threads = [Thread(target=queue.append, args=(encoded(f"{writer}"),)) for writer in range(writers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sum(commits), writers)
        self.assertLessEqual(len(commits), 2)
        self.assertEqual(len(set(self.ids(queue))), writers)

    def test_tells_every_thread_of_a_commit_that_failed(self) -> None:
        queue = self.open()

        def fail(events: object) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        codes: list[str] = []

        def work() -> None:
            try:
                queue.append(encoded("e"))
            except QueueError as error:
                codes.append(error.code)

        threads = [Thread(target=work) for _ in range(8)]
        with patch.object(queue, "_insert", fail):
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(codes, ["queue_failed"] * 8)
        self.assertFalse(queue.has_failed)

    def test_begins_another_file_after_a_disk_error_and_keeps_every_event(self) -> None:
        queue = self.open()
        queue.append(encoded("before"))
        broken = queue._file.own
        assert broken
        path = broken.store.path

        def fail(events: object) -> None:
            raise sqlite3.OperationalError("disk I/O error")

        broken.store.insert = fail  # type: ignore[method-assign]
        with self.assertRaises(QueueError):
            queue.append(encoded("refused"))
        self.assertTrue(queue.has_failed)
        queue.recover()
        queue.append(encoded("after"))
        self.assertEqual(sorted(self.ids(queue)), ["after", "before"])
        self.assertFalse(path.exists())

    def test_gives_a_damaged_file_another_name_and_goes_on(self) -> None:
        first = self.open()
        first.append(encoded("lost"))
        first.close()
        (file,) = [path for path in self.folder.iterdir() if path.suffix == ".sqlite3"]
        file.write_bytes(b"x" * 8_192)
        second = self.open()
        second.append(encoded("e"))
        self.assertEqual(self.damaged, [Path(f"{file}.damaged")])
        self.assertEqual(self.ids(second), ["e"])

    def test_takes_over_what_can_be_read_of_a_file_and_gives_it_another_name(self) -> None:
        first = self.open()
        for n in range(5):
            first.append(EncodedEvent(f"e{n}", "u", "deposit", bytes([65 + n]) * 20_000))
        first.close()
        (file,) = [path for path in self.folder.iterdir() if path.suffix == ".sqlite3"]
        content = bytearray(file.read_bytes())
        # A page of the body of e2 names a page that is not there as its next one.
        page = next(at for at in range(0, len(content), 4_096) if content[at + 4 : at + 4_096] == b"C" * 4_092)
        content[page : page + 4] = (10**6).to_bytes(4, "big")
        file.write_bytes(content)
        second = self.open()
        second.append(encoded("later"))
        self.assertEqual(sorted(self.ids(second)), ["e0", "e1", "e3", "e4", "later"])
        self.assertEqual(self.damaged, [Path(f"{file}.damaged")])
        self.assertFalse(second.has_claims)
        self.assertEqual(self.ids(self.open()), [])

    def test_goes_on_without_a_file_that_the_disk_does_not_return_for_the_moment(self) -> None:
        first = self.open()
        first.append(encoded("e"))
        first.close()
        second = self.open()

        def fail(condition: str, *values: object) -> list[StoredEvent]:
            raise sqlite3.OperationalError("disk I/O error")

        store = second._claims.stores[0].store
        # Single events of it may still be read, but could not be deleted: each attempt would copy them.
        store.readable = lambda *_: [StoredEvent(1, encoded("e"))]  # type: ignore[method-assign]
        store._events = fail  # type: ignore[method-assign]
        self.assertEqual(self.ids(second), [])
        self.assertEqual(self.damaged, [])
        second.tidy()
        self.assertEqual(self.ids(second), ["e"])

    def test_reads_at_most_about_a_megabyte_at_once(self) -> None:
        queue = self.open(max_bytes=10_000_000)
        for n in range(50):
            queue.append(encoded(f"{n}" + "x" * 60_000))
        self.assertLessEqual(sum(len(stored.event.body) for stored in queue.next()), 1_000_000)
        self.assertEqual(len(self.ids(queue)), 50 - 16)

    def test_is_readable_by_its_user_only(self) -> None:
        queue = self.open()
        queue.append(encoded("e"))
        for path in self.folder.iterdir():
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)

    def test_loses_and_repeats_nothing_over_random_ends_of_processes(self) -> None:
        seed = random.randrange(2**32)
        draw = random.Random(seed)
        appended: set[str] = set()
        done: list[str] = []
        with self.subTest(seed=seed):
            for life in range(12):
                queue = self.open()
                for n in range(draw.randrange(30)):
                    appended.add(f"{life}-{n}")
                    queue.append(encoded(f"{life}-{n}", f"user-{draw.randrange(3)}"))
                events = self.all(queue)
                finished = draw.sample(events, draw.randrange(len(events) + 1))
                queue.hold("user:x", [stored for stored in events if stored not in finished][:5])
                queue.done(finished)
                done.extend(stored.event.id for stored in finished)
                # As when it is killed: nothing is said to the others.
                queue._let_go()
            done.extend(self.ids(self.open()))
            self.assertEqual(sorted(done), sorted(appended))
