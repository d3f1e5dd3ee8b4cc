"""A queue with the thread that sends its events."""

from __future__ import annotations

import random
import sqlite3
import time
from pathlib import Path

from .client_options import ClientSettings, QueueOptions
from .clock import SystemClock
from .dead_letter_file import DeadLetterFile
from .errors import ErrorDetails, QueueError
from .event_queue import EventQueue
from .event_sender import EventSender, EventSenderOptions
from .events_api import EventsApi
from .events_in_hand import BatchLimits
from .notices import Claimed, DamagedFile, NoticeListener, QueueFailed
from .owned_store import is_of_handler
from .queue_counts import QueueListener
from .rate_pacer import RatePacer

MAX_BATCH_BYTES = 1_000_000
"""The largest body of a batch (docs, Limits), less than 1 MiB."""

LAST_ANSWER_S = 1.0
"""Most time for what is under way when the time of `close` is over."""

_BRACKETS_BYTES = 100


class QueuedSending:
    """It sends from the moment it is made."""

    def __init__(
        self,
        settings: ClientSettings,
        options: QueueOptions,
        api: EventsApi,
        pacer: RatePacer,
        notify: NoticeListener,
    ) -> None:
        """Raises QueueError when the queue cannot be opened."""
        listener = QueueListener(
            on_claimed=lambda events, size: notify(Claimed(events, size)),
            on_damaged=lambda path: notify(DamagedFile(str(path))),
            on_failed=lambda error: notify(QueueFailed(error)),
        )
        try:
            self.queue = EventQueue(Path(options.folder), options.max_bytes, listener)
        except (OSError, sqlite3.Error) as error:
            if is_of_handler(error):
                raise
            text = f"The queue in {options.folder} could not be opened: {error}."
            raise QueueError(ErrorDetails(text, "queue_failed")) from error
        limits = BatchLimits(
            max_events=lambda: min(settings.max_batch, pacer.most_at_once),
            max_bytes=MAX_BATCH_BYTES - _BRACKETS_BYTES,
            max_memory_bytes=options.max_memory_bytes,
        )
        self._api = api
        self.sender = EventSender(
            EventSenderOptions(
                queue=self.queue,
                dead_letters=DeadLetterFile(self.queue.folder),
                send=api.send_batch,
                platform=settings.platform,
                limits=limits,
                clock=SystemClock(),
                random=random.random,
                notify=notify,
            )
        )
        self.sender.start()

    @property
    def is_held_up_here(self) -> bool:
        """Whether the caller is a listener in the thread that sends, or the handler of a signal that interrupted a commit.

        What others wait for cannot end before the caller returns, so that it must not wait for them.
        """
        return self.sender.is_current or self.queue.is_committing_here

    def close(self, deadline_s: float) -> bool:
        """Sends what can be sent, for at most a time; returns whether nothing is left."""
        may_wait = not self.is_held_up_here
        end_s = time.monotonic() + deadline_s
        self.queue.finish_appending(deadline_s if may_wait else 0.0)
        self.sender.drain(max(0.0, end_s - time.monotonic()) if may_wait else 0.0)
        # A request that is still under way ends, so that the thread does.
        self._api.close()
        self.sender.stop(LAST_ANSWER_S if may_wait else 0.0)
        return self.queue.close()
