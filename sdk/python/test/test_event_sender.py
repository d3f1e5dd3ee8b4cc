from unittest.mock import patch

from podium_partner import Paused, Resumed
from podium_partner.event import EncodedEvent, encode_event
from podium_partner.events_in_hand import BatchLimits

from .support.events import encoded, partner_event
from .support.sender_case import (
    AHEAD,
    INVALID,
    MISMATCH,
    NOT_LINKED,
    NOT_NEGOTIATED,
    REVOKED,
    UNAVAILABLE,
    Refusal,
    SenderCase,
)


class EventSenderTest(SenderCase):
    def test_sends_everything_once_in_batches(self) -> None:
        self.append(*(encoded(f"e{n}") for n in range(25)))
        self.until(lambda: len(self.accepted) == 25)
        self.assertEqual([event_id for event_id, _ in self.sent], [f"e{n}" for n in range(25)])
        self.assertEqual(self.types(), ["accepted"] * 25)
        self.assertEqual((self.queue.events, self.queue.bytes), (0, 0))

    def test_holds_back_no_one_for_a_user_who_is_not_linked_and_asks_with_one_event_a_time(self) -> None:
        self.answer = lambda event, at_s: NOT_LINKED if event.platform_user_id == "late" and at_s < 300 else None
        for n in range(50):
            self.append(encoded(f"late{n}", "late"), encoded(f"other{n}", f"user{n}"))
        self.until(lambda: len(self.accepted) == 50)
        self.assertLess(self.clock.now_s(), 1)
        self.assertTrue(all(event_id.startswith("other") for event_id in self.accepted))
        self.assertEqual(self.queue.set_aside, 50)
        self.until(lambda: len(self.accepted) == 100)
        late = [(event_id, at_s) for event_id, at_s in self.sent if event_id.startswith("late")]
        # At Retry-After, because more of the user's events came; then the doubled time with a tenth on top.
        self.assertEqual([round(at_s) for _, at_s in late if 60 <= at_s < 300], [60, 192])
        # Before that only the ones that were in the first batch together.
        self.assertLessEqual(len([at_s for _, at_s in late if at_s < 60]), 5)
        self.assertEqual(self.queue.set_aside, 0)

    def test_sets_a_name_aside_that_is_not_negotiated_and_sends_its_events_when_it_is(self) -> None:
        self.answer = lambda event, at_s: NOT_NEGOTIATED if event.name == "bet" and at_s < 3_000 else None
        self.append(encoded("b1", "u1", "bet"), encoded("d1", "u1"), encoded("b2", "u2", "bet"))
        self.until(lambda: len(self.accepted) == 3)
        self.assertEqual(self.accepted[0], "d1")
        self.assertEqual(len([event_id for event_id, at_s in self.sent if at_s > 1]), 2)

    def test_keeps_events_apart_whose_user_is_not_linked_once_their_name_is_negotiated(self) -> None:
        def answer(event: EncodedEvent, at_s: float) -> Refusal | None:
            if event.name == "bet" and at_s < 3_000:
                return NOT_NEGOTIATED
            return NOT_LINKED if event.platform_user_id == "late" and at_s < 9_000 else None

        self.answer = answer
        self.append(encoded("b1", "late", "bet"), encoded("b2", "u2", "bet"), encoded("b3", "late", "bet"))
        self.until(lambda: len(self.accepted) == 3)
        self.assertEqual(self.accepted[0], "b2")

    def test_writes_refused_events_with_their_reason_and_goes_on(self) -> None:
        self.answer = lambda event, _: INVALID if event.id.startswith("bad") else None
        self.append(encoded("bad1"), encoded("good"), encoded("bad2"))
        self.until(lambda: len(self.notices) == 3)
        self.assertEqual(
            [(letter["code"], letter["event"]["event"]["id"]) for letter in self.letters()],
            [("invalid_request", "bad1"), ("invalid_request", "bad2")],
        )
        self.assertEqual(sorted(self.types()), ["accepted", "dead_letter", "dead_letter"])
        self.assertEqual(len(self.sent), 3)

    def test_sends_all_others_once_while_the_dead_letters_of_refused_events_cannot_be_written(self) -> None:
        # As a file of another user, it cannot be opened.
        self.dead_letters.path.mkdir()
        self.answer = lambda event, _: INVALID if event.id.startswith("bad") else None
        self.append(*(encoded(f"bad{n}" if n % 3 == 0 else f"e{n}") for n in range(60)))
        self.until(lambda: len(set(self.accepted)) == 40 or len(self.sent) > 500)
        self.assertEqual((len(self.accepted), self.queue.events), (40, 20))
        self.assertIn("queue_failed", self.types())
        self.assertNotIn("dead_letter", self.types())
        self.dead_letters.path.rmdir()
        self.until(lambda: self.types().count("dead_letter") == 20)
        self.assertEqual((len(self.letters()), len(self.accepted), self.queue.events), (20, 40, 0))

    def test_sends_all_others_at_full_speed_when_more_refused_events_than_memory_holds_wait_for_their_letters(self) -> None:
        self.sender._in_hand._limits = BatchLimits(lambda: 10, 1_000_000, 20_000)
        self.dead_letters.path.mkdir()
        self.answer = lambda event, _: INVALID if event.id.startswith("bad") else None
        self.append(*(encoded(f"bad{n}-{'x' * 200}", f"u{n}") for n in range(200)))
        self.append(*(encoded(f"e{n}", f"u{n}") for n in range(50)))
        self.until(lambda: len(self.accepted) == 50)
        self.assertLess(self.clock.now_s(), 1)
        self.assertEqual(len({event_id for event_id, _ in self.sent}), len(self.sent))
        self.assertEqual((self.queue.set_aside, self.sender.in_hand, self.queue.events), (200, 0, 200))
        # Of batches that had a refused event, one each; of no event.
        self.assertEqual((self.types().count("queue_failed"), self.types().count("set_aside")), (20, 0))
        self.until(lambda: self.clock.now_s() > 3_600)
        # After a minute, then doubling.
        self.assertLess(len([None for event_id, _ in self.sent if event_id.startswith("bad0-")]), 8)
        self.dead_letters.path.rmdir()
        self.until(lambda: self.types().count("dead_letter") == 200)
        self.assertEqual((len(self.letters()), self.queue.set_aside, self.queue.events), (200, 0, 0))

    def test_sends_what_waits_for_the_same_as_a_refused_event_whose_dead_letter_cannot_be_written(self) -> None:
        self.dead_letters.path.mkdir()
        for refusal in (NOT_LINKED, NOT_NEGOTIATED):
            with self.subTest(refusal[1]):
                user = name = refusal[1]
                self.accepted.clear()
                self.notices.clear()
                before = self.queue.set_aside
                self.answer = lambda event, _, user=user, refusal=refusal: (  # type: ignore[misc]
                    refusal if event.platform_user_id == user else INVALID
                )
                self.append(encoded(f"{user}-a", user, name))
                self.until(lambda before=before: self.queue.set_aside == before + 1)  # type: ignore[misc]
                self.append(encoded(f"{user}-bad", user, name))
                self.until(lambda before=before: self.queue.set_aside == before + 2)  # type: ignore[misc]
                self.answer = lambda event, _: INVALID if event.id.endswith("-bad") else None
                self.until(lambda: "queue_failed" in self.types())
                self.append(encoded(f"{user}-b", user, name))
                self.until(lambda: len(self.accepted) == 2)
                self.assertEqual(sorted(self.accepted), [f"{user}-a", f"{user}-b"])
                self.assertEqual(self.queue.set_aside, before + 1)

    def test_keeps_an_event_that_is_ahead_of_the_clock_alone_and_sends_it_after_retry_after(self) -> None:
        self.answer = lambda event, at_s: AHEAD if event.id.startswith("ahead") and at_s < 60 else None
        self.sender._in_hand._limits = BatchLimits(lambda: 1, 1_000_000, 2**24)
        self.append(encoded("ahead1", "u1"), encoded("e", "u1"), encoded("ahead2", "u1"))
        self.until(lambda: len(self.accepted) == 3)
        self.assertEqual(self.accepted[0], "e")
        times = {event_id: [at_s for sent, at_s in self.sent if sent == event_id] for event_id in self.accepted}
        self.assertLess(times["e"][0], 1)
        for ahead in ("ahead1", "ahead2"):
            self.assertEqual(len(times[ahead]), 2)
            self.assertLess(times[ahead][1], 100)
        self.assertFalse(self.dead_letters.path.exists())
        self.assertEqual((self.queue.events, self.queue.set_aside), (0, 0))
        self.assertEqual(self.types().count("set_aside"), 2)

    def test_sets_an_event_aside_for_its_user_that_was_ahead_of_the_clock_before(self) -> None:
        def answer(event: EncodedEvent, at_s: float) -> Refusal | None:
            if event.id == "ahead" and at_s < 60:
                return AHEAD
            return NOT_LINKED if at_s < 300 else None

        self.answer = answer
        self.append(encoded("ahead", "late"), encoded("e", "late"))
        self.until(lambda: len(self.accepted) == 2)
        self.assertEqual((self.queue.events, self.queue.set_aside), (0, 0))

    def test_waits_longer_and_longer_during_an_outage_never_less_than_retry_after_and_loses_nothing(self) -> None:
        self.answer = lambda _, at_s: UNAVAILABLE if at_s < 100 else None
        self.append(*(encoded(f"e{n}") for n in range(15)))
        self.until(lambda: len(set(self.accepted)) == 15)
        rounds = sorted({at_s for _, at_s in self.sent if at_s < 100})
        gaps = [after - before for before, after in zip(rounds, rounds[1:], strict=False)]
        self.assertGreater(len(gaps), 3)
        self.assertGreaterEqual(min(gaps), 2)
        self.assertGreater(gaps[-1], 4 * gaps[0])
        self.assertEqual(len(self.accepted), 15)

    def test_sends_the_others_at_full_speed_when_one_event_alone_fails_for_the_moment(self) -> None:
        self.answer = lambda event, at_s: (500, "internal_error", None) if event.id == "poison" and at_s < 50 else None
        self.append(encoded("poison"), *(encoded(f"e{n}") for n in range(40)))
        self.until(lambda: len(self.accepted) == 40)
        self.assertLess(self.clock.now_s(), 1)
        self.until(lambda: "poison" in self.accepted)

    def test_stops_at_a_refused_key_with_one_notice_asks_with_one_event_and_goes_on_when_it_is_accepted(self) -> None:
        revoked = True
        self.answer = lambda *_: REVOKED if revoked else None
        self.append(*(encoded(f"e{n}") for n in range(30)))
        self.until(lambda: self.clock.now_s() > 1_000)
        paused_by = self.sender.paused_by
        assert paused_by
        self.assertEqual((paused_by.code, paused_by.retry, paused_by.retryable), ("unauthorized", "pause", False))
        self.assertEqual(len([each for each in self.notices if isinstance(each, Paused)]), 1)
        self.assertLessEqual(len(self.sent), 10 + 4)
        revoked = False
        self.until(lambda: len(set(self.accepted)) == 30)
        self.assertEqual(len([each for each in self.notices if isinstance(each, Resumed)]), 1)
        self.assertIsNone(self.sender.paused_by)

    def test_looks_for_ended_processes_every_half_a_minute_while_it_is_paused(self) -> None:
        self.answer = lambda *_: REVOKED
        self.append(encoded("e"))
        self.until(lambda: self.sender.paused_by is not None)
        with patch.object(self.queue, "tidy") as tidy:
            begun_s = self.clock.now_s()
            self.until(lambda: self.clock.now_s() > begun_s + 290)
        self.assertGreaterEqual(tidy.call_count, 8)

    def test_waits_before_it_tries_again_after_a_retry_after_of_0(self) -> None:
        for status, code, _ in (REVOKED, NOT_LINKED):
            with self.subTest(code):
                begun_s = self.clock.now_s()
                refusal = (status, code, 0.0)
                self.answer = lambda _, at_s, begun_s=begun_s, refusal=refusal: (  # type: ignore[misc]
                    refusal if at_s < begun_s + 50 else None
                )
                self.sent.clear()
                self.append(encoded(code))
                self.until(lambda code=code: code in self.accepted)  # type: ignore[misc]
                self.assertEqual(len(self.sent), 2)

    def test_tries_at_once_when_it_is_told_that_the_cause_is_gone(self) -> None:
        self.answer = lambda *_: REVOKED
        self.append(encoded("e"))
        self.until(lambda: self.sender.paused_by is not None)
        self.answer = lambda *_: None
        before_s = self.clock.now_s()
        self.sender.resume()
        self.until(lambda: self.accepted == ["e"])
        self.assertLess(self.clock.now_s() - before_s, 1)

    def test_gives_an_event_up_that_has_the_platform_of_an_earlier_process_and_sends_the_others(self) -> None:
        self.answer = lambda event, _: MISMATCH if event.id == "old" else None
        old = encode_event("acmee", partner_event("old"))
        self.append(old, *(encoded(f"e{n}") for n in range(20)))
        self.until(lambda: len(self.accepted) == 20)
        self.assertEqual(
            [(each["code"], each["event"]["platform"]) for each in self.letters()], [("platform_mismatch", "acmee")]
        )
        self.assertEqual((self.types().count("paused"), self.queue.events), (0, 0))

    def test_pauses_for_its_own_platform(self) -> None:
        self.answer = lambda *_: MISMATCH
        self.append(encoded("e"))
        self.until(lambda: self.sender.paused_by is not None)
        self.assertFalse(self.dead_letters.path.exists())
        self.assertEqual(self.queue.events, 1)

    def test_tries_another_event_each_time_while_it_is_paused(self) -> None:
        self.answer = lambda event, _: REVOKED if event.id.startswith("bad") else None
        self.append(encoded("bad1"), encoded("bad2"))
        self.until(lambda: self.sender.paused_by is not None)
        self.append(encoded("good"))
        tried = len(self.sent)
        self.until(lambda: self.accepted == ["good"])
        self.assertLessEqual(len(self.sent) - tried, 3)
        self.sent.clear()
        self.until(lambda: len(self.sent) == 4)
        self.assertEqual({event_id for event_id, _ in self.sent}, {"bad1", "bad2"})

    def test_does_not_try_one_event_alone_that_fails_for_the_moment_while_it_is_paused(self) -> None:
        self.answer = lambda *_: REVOKED
        self.append(encoded("poison"))
        self.until(lambda: self.sender.paused_by is not None)
        self.append(encoded("e"))
        self.answer = lambda event, _: (500, "internal_error", None) if event.id == "poison" else None
        self.sent.clear()
        self.until(lambda: self.accepted == ["e"])
        self.assertLessEqual(len(self.sent), 2)

    def test_ends_a_pause_with_any_answer_about_an_event(self) -> None:
        for answer, kind in ((NOT_LINKED, "set_aside"), (INVALID, "dead_letter")):
            with self.subTest(kind):
                self.notices.clear()
                self.answer = lambda *_: REVOKED
                self.append(*(encoded(f"{kind}{n}", f"{kind}{n}") for n in range(30)))
                self.until(lambda: self.sender.paused_by is not None)
                self.answer = lambda *_, answer=answer: answer
                self.sender.resume()
                before_s = self.clock.now_s()
                self.until(lambda kind=kind: self.types().count(kind) == 30)  # type: ignore[misc]
                self.assertIsNone(self.sender.paused_by)
                self.assertLess(self.clock.now_s() - before_s, 1)
                self.assertEqual((self.types().count("paused"), self.types().count("resumed")), (1, 1))

    def test_keeps_every_event_when_the_dead_letter_file_cannot_be_written(self) -> None:
        self.answer = lambda *_: INVALID
        self.dead_letters.path.mkdir()
        self.append(encoded("bad"))
        self.until(lambda: "queue_failed" in self.types())
        self.dead_letters.path.rmdir()
        self.until(lambda: "dead_letter" in self.types())
        self.assertEqual(self.letters()[0]["event"]["event"]["id"], "bad")

    def test_has_few_bytes_in_memory_whatever_is_delayed_and_set_aside(self) -> None:
        self.sender._in_hand._limits = BatchLimits(lambda: 10, 1_000_000, 2_000_000)
        most = 0

        def answer(event: EncodedEvent, at_s: float) -> Refusal | None:
            nonlocal most
            most = max(most, sum(len(stored.event.body) for _, stored in self.sender._in_hand._delayed))
            if int(event.id.split("-")[0]) % 3 == 0:
                return NOT_LINKED if at_s < 1_000 else None
            return UNAVAILABLE if at_s < 100 and int(event.id.split("-")[0]) % 10 else None

        self.answer = answer
        self.append(*(encoded(f"{n}-{'x' * 50_000}", f"user{n}") for n in range(300)))
        self.until(lambda: len(set(self.accepted)) == 300)
        self.assertGreater(most, 500_000)
        self.assertLess(most, 4_000_000)
