"""Events that were read from the queue and may be sent now or soon."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from .event_queue import EventQueue
from .event_store import StoredEvent
from .set_aside import SetAsideEvents

MAX_DELAYED = 1_000
"""Events that are delayed with their content; while there are more, the queue is not read on."""

SHARE_OF_TRIES = 0.25
"""Of a batch, while others wait: tries of what was set aside must not use up the rate."""


@dataclass(frozen=True)
class BatchLimits:
    """Limits of one request, and of what is in memory."""

    max_events: Callable[[], int]
    """May change with the rate."""
    max_bytes: int
    max_memory_bytes: int


class EventsInHand:
    """At most `max_memory_bytes`, and one step of reading."""

    def __init__(self, queue: EventQueue, set_aside: SetAsideEvents, limits: BatchLimits) -> None:
        self._queue = queue
        self._set_aside = set_aside
        self._limits = limits
        self._ready: deque[StoredEvent] = deque()
        # To be sent whatever is set aside: tries of it, and events whose delay is over.
        self._urgent: deque[StoredEvent] = deque()
        self._delayed: list[tuple[float, StoredEvent]] = []
        # Failed while nothing was sent: each try is another event, so that one of them cannot keep the others.
        self._last: deque[StoredEvent] = deque()
        self._attempts: dict[int, int] = {}

    @property
    def size(self) -> int:
        return len(self._urgent) + len(self._ready) + len(self._delayed) + len(self._last)

    def fill(self, now_s: float) -> None:
        """Reads on until a batch is ready or the queue is empty. Events of users or names that are set aside join them."""
        max_events = self._limits.max_events()
        self._urgent.extend(self._set_aside.begin_due(now_s, max(1, int(max_events * SHARE_OF_TRIES))))
        while len(self._ready) < max_events and self._has_room() and self._queue.has_next:
            self._ready.extend(self._set_aside.join(self._queue.next()))

    def take(self, now_s: float, max_events: int | None = None) -> list[StoredEvent]:
        """Takes the next batch: events whose delay is over come first, those that were put behind the others last."""
        count = self._limits.max_events() if max_events is None else max_events
        self._urgent.extend(stored for due_at_s, stored in self._delayed if due_at_s <= now_s)
        self._delayed = [(due_at_s, stored) for due_at_s, stored in self._delayed if due_at_s > now_s]
        # Since they were read, their user or name may have been set aside.
        self._ready = deque(self._set_aside.join(list(self._ready)))
        batch: list[StoredEvent] = []
        size = 0
        for source in (self._urgent, self._ready, self._last):
            while source and len(batch) < count:
                size += len(source[0].event.body) + 1
                if batch and size > self._limits.max_bytes:
                    return batch
                batch.append(source.popleft())
        return batch

    def retry_at(self, stored: StoredEvent, due_at_s: float) -> None:
        """An event is sent again at a time."""
        self._delayed.append((due_at_s, stored))

    def put_last(self, stored: StoredEvent) -> None:
        """An event is sent again after all others."""
        self._last.append(stored)

    def count_attempt(self, stored: StoredEvent) -> int:
        """How often an event has failed before this time."""
        before = self._attempts.get(stored.seq, 0)
        self._attempts[stored.seq] = before + 1
        return before

    def forget(self, stored: StoredEvent) -> None:
        """An event is no longer in hand."""
        self._attempts.pop(stored.seq, None)

    def next_due_s(self) -> float | None:
        """When the next delay is over; None when none is."""
        return min((due_at_s for due_at_s, _ in self._delayed), default=None)

    def clear(self) -> None:
        """Forgets all of it; the queue returns the events again."""
        self._ready.clear()
        self._urgent.clear()
        self._delayed = []
        self._last.clear()
        self._attempts = {}

    def _has_room(self) -> bool:
        held = sum(len(stored.event.body) for source in (self._urgent, self._ready, self._last) for stored in source)
        held += sum(len(stored.event.body) for _, stored in self._delayed)
        return len(self._delayed) < MAX_DELAYED and held < self._limits.max_memory_bytes
