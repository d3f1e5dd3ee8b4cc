"""Events that cannot be accepted yet, by what they wait for: a user, an event name, or the time of the event itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from .backoff import set_aside_delay_s
from .errors import PodiumError
from .event import EncodedEvent
from .event_queue import EventQueue
from .event_store import StoredEvent, WaitingGroup

SetAsideReason = Literal["user", "name", "event"]


class SetAsideEvents:
    """One event of a group is tried when the group is due; the others wait for its answer and cost no requests.

    All of it is in the queue's file, so that any number of events may wait.
    """

    def __init__(self, queue: EventQueue, random: Callable[[], float]) -> None:
        self._queue = queue
        self._random = random
        self._is_used = False

    def clear(self) -> None:
        """Forgets that anything is set aside."""
        self._is_used = False

    def add(self, reason: SetAsideReason, stored: StoredEvent, retry_after_s: float, now_s: float) -> None:
        """Sets an event aside after its refusal."""
        key = _key_of(reason, stored.event)
        self._is_used = True
        with self._queue.transaction() as store:
            group = store.group(key)
            # Several events of a group may have been under way together: their refusals are one attempt.
            attempts = 1 if group is None else group.attempts + (1 if group.is_trying else 0)
            due_at_s = now_s + set_aside_delay_s(attempts - 1, retry_after_s, self._random)
            store.put_group(WaitingGroup(key, attempts, retry_after_s, now_s, due_at_s, False))
            self._queue.hold(key, [stored])

    def join(self, events: Sequence[StoredEvent]) -> list[StoredEvent]:
        """Sets events aside without a try if their user or name already is; returns the others.

        It makes the next try of a group come as early as the last answer allows: an event of a user who was not linked for
        days may well mean that the user is linked now.
        """
        if not self._is_used or not events:
            return list(events)
        others: list[StoredEvent] = []
        held: dict[str, list[StoredEvent]] = {}
        with self._queue.transaction() as store:
            groups: dict[str, WaitingGroup] = {}
            for at in range(0, len(events), 400):
                part = [stored.event for stored in events[at : at + 400]]
                keys = {_key_of(reason, event) for event in part for reason in _SHARED_REASONS}
                groups.update(store.groups_among(list(keys)))
            for stored in events:
                found = next((key for key in _keys_of(stored.event) if key in groups), None)
                if found is None:
                    others.append(stored)
                else:
                    held.setdefault(found, []).append(stored)
            for key, members in held.items():
                group = groups[key]
                earliest_s = min(group.due_at_s, group.tried_at_s + group.retry_after_s)
                store.put_group(replace(group, due_at_s=earliest_s))
                self._queue.hold(key, members)
        return others

    def begin_due(self, now_s: float, limit: int) -> list[StoredEvent]:
        """Takes one event of each group in hand that is due, up to a limit."""
        tries: list[StoredEvent] = []
        if not self._is_used:
            return tries
        with self._queue.transaction() as store:
            for group in store.due_groups(now_s, limit):
                stored = self._queue.take_last(group.key)
                if stored is None:
                    store.remove_group(group.key)
                else:
                    store.put_group(replace(group, is_trying=True))
                    tries.append(stored)
        return tries

    def next_due_s(self) -> float | None:
        """When the next group is due; None when none is."""
        if not self._is_used:
            return None
        with self._queue.transaction() as store:
            return store.next_due_s()

    def accepted(self, event: EncodedEvent) -> None:
        """An event was accepted: its user is linked and its name negotiated. What waited for the same is released."""
        if self._is_used:
            for key in (*_keys_of(event), _key_of("event", event)):
                self._queue.dissolve(key)

    def name_is_known(self, event: EncodedEvent) -> None:
        """The user of an event is not linked; that is answered only for names that are negotiated."""
        if self._is_used:
            self._queue.dissolve(_key_of("name", event))

    def forget_try(self, event: EncodedEvent, *of: SetAsideReason) -> None:
        """An event was refused for what says nothing about these reasons: another event of the same is tried next."""
        if not self._is_used:
            return
        with self._queue.transaction() as store:
            for reason in of:
                group = store.group(_key_of(reason, event))
                if group is not None and group.is_trying:
                    store.put_group(replace(group, is_trying=False))


_SHARED_REASONS: tuple[SetAsideReason, ...] = ("name", "user")


def set_aside_reason_of(error: PodiumError) -> SetAsideReason:
    """What an event that is refused until later waits for; only a missing link and a name concern other events too."""
    if error.status == 404:
        return "user"
    return "name" if error.status == 422 else "event"


def _key_of(reason: SetAsideReason, event: EncodedEvent) -> str:
    if reason == "user":
        return f"user:{event.platform_user_id}"
    return f"name:{event.name}" if reason == "name" else f"event:{event.id}"


def _keys_of(event: EncodedEvent) -> list[str]:
    """Of the groups that events can share."""
    return [_key_of(reason, event) for reason in _SHARED_REASONS]
