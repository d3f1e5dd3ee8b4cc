"""The client that partners use."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import TIMEOUT_MAX, RLock, get_ident
from types import TracebackType

from .client_options import QueueOptions, settings_of
from .clock import SystemClock, WakeUp
from .errors import ErrorDetails, PodiumError, QueueError, RefusedError, SdkErrorCode
from .event import EncodedEvent, PartnerEvent, encode_event
from .events_api import EventsApi, batch_body
from .fork_guard import watch_forks
from .notices import NoticeListener, guarded
from .queued_sending import MAX_BATCH_BYTES, QueuedSending
from .rate_pacer import RatePacer
from .results import AcceptedEvent, EventResult, FailedEvent


@dataclass(frozen=True)
class ClientStats:
    """The state of a client, for gauges."""

    queue_bytes: int
    """Bytes of the queue on disk."""
    queued_events: int
    """Events on disk that are not done, in this process' own file."""
    in_hand: int
    """Events that are sent now or soon."""
    set_aside: int
    """Events that wait until their user is linked or their name negotiated."""
    paused_by: PodiumError | None
    """The error for which nothing is sent."""


class PodiumClient:
    """Sends events of a partner's users to Podium. Its methods are for any thread.

    After a fork the child uses the client as well: with its own connections, thread and file in the queue's folder.
    """

    def __init__(
        self,
        *,
        url: str,
        api_key: str | Callable[[], str],
        platform: str,
        queue: QueueOptions | None = None,
        on_notice: NoticeListener | None = None,
        timeout_s: float = 10.0,
        events_per_second: float = 40.0,
        max_batch: int = 40,
        proxy: str | None = None,
    ) -> None:
        """Opens a client and, if it has a queue, starts to send what the queue holds.

        Raises ValueError for options that cannot work, and QueueError when the queue cannot be opened.

        :param url: the address for events that you were given, with or without the path of the send request
        :param api_key: the event key; a function is called for each request, so that a key can be replaced meanwhile
        :param platform: the name of your platform, given with the key
        :param queue: needed for `enqueue`
        :param on_notice: receives what happens, for logs and metrics; without it the logger `podium_partner` does
        :param timeout_s: most time of one request
        :param events_per_second: rate until an answer names one
        :param max_batch: most events of one batch, at most 100; batches of the queue have no more than the events of one
            second at the rate, either: Podium takes no larger ones
        :param proxy: the address of an HTTP proxy for connections to Podium, such as `os.environ.get("HTTPS_PROXY")`;
            without one they are direct, as they always are to plain http on this machine
        """
        self._settings = settings_of(url, api_key, platform, queue, timeout_s, events_per_second, max_batch, proxy)
        self._notify = guarded(on_notice)
        self._closed_by: int | None = None
        self._has_closed = False
        self._is_empty = False
        # No other event: where the handler of a signal raises in a wait for one, the first `close` may wait for its lock.
        self._closed = WakeUp()
        self._lock = RLock()
        self._process = os.getpid()
        self._api: EventsApi | None = None
        self._queued: QueuedSending | None = None
        self._connected()
        watch_forks(self)

    def send(self, event: PartnerEvent) -> AcceptedEvent:
        """Sends one event, once. Returns when Podium has it; raises the PodiumError of the refusal's retry class."""
        encoded = encode_event(self._settings.platform, event)
        result = self._open_api().send(encoded)
        if isinstance(result, AcceptedEvent):
            return result
        raise result.error

    def send_batch(self, events: Sequence[PartnerEvent]) -> list[EventResult]:
        """Sends events together, once; returns a result for each, in order.

        An event that cannot be sent, for instance because it is larger than 64 KiB, has a RefusedError as its result. Raises
        RefusedError for a batch that is too large, and QueueError when the client is closed.
        """
        api = self._open_api()
        given = [_encoded_or_refused(self._settings.platform, event) for event in events]
        encoded = [each for each in given if isinstance(each, EncodedEvent)]
        max_batch = self._settings.max_batch
        if len(events) > max_batch or len(batch_body(encoded)) > MAX_BATCH_BYTES:
            text = f"A batch has at most {max_batch} events and {MAX_BATCH_BYTES} bytes. Send several, or use enqueue."
            raise RefusedError(ErrorDetails(text, "batch_too_large"))
        sent = iter(api.send_batch(encoded) if encoded else [])
        return [next(sent) if isinstance(each, EncodedEvent) else each for each in given]

    def enqueue(self, event: PartnerEvent) -> None:
        """Hands an event over to the queue.

        Returns when it is on disk; from then on it is sent until Podium has it, also after the process was killed. Raises
        QueueError when it is not stored, RefusedError when it never can be.
        """
        encoded = encode_event(self._settings.platform, event)
        queued = self._open_queue()
        queued.queue.append(encoded)
        queued.sender.wake()

    def resume(self) -> None:
        """Ends a pause at once, for instance when the key was replaced; otherwise one event is tried every few minutes."""
        queued = self._queued
        if queued:
            queued.sender.resume()

    def stats(self) -> ClientStats:
        """The state of the client."""
        queued = self._queued
        if queued is None:
            return ClientStats(0, 0, 0, 0, None)
        queue, sender = queued.queue, queued.sender
        return ClientStats(queue.bytes, queue.events, sender.in_hand, queue.set_aside, sender.paused_by)

    def close(self, deadline_s: float = 10.0) -> bool:
        """Sends what can be sent, for at most a time, then closes everything; returns whether nothing is left.

        What is left stays on disk for the next client of the folder. A further call waits for the first one, for at most its
        own time, and returns the same; it returns False when the first one has not ended by then. A call of a listener
        waits for nothing that is under way.
        """
        # An infinity is no time that the interpreter can wait for.
        deadline_s = min(deadline_s, TIMEOUT_MAX)
        with self._lock:
            is_first = self._closed_by is None
            if is_first:
                self._closed_by = get_ident()
            queued, api = self._queued, self._api
        if is_first:
            try:
                self._is_empty = queued.close(deadline_s) if queued else True
                if api:
                    api.close()
            finally:
                self._has_closed = True
                self._closed.set()
        elif self._closed_by != get_ident() and not (queued and queued.is_held_up_here):
            # A handler of a signal and a listener run in a thread that the first call may wait for.
            self._closed.wait(deadline_s)
        return self._has_closed and self._is_empty

    def __enter__(self) -> PodiumClient:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def before_fork(self) -> None:
        """For the hooks of forks only."""
        self._lock.acquire()
        if self._queued:
            self._queued.queue.before_fork()

    def after_fork_in_parent(self) -> None:
        """For the hooks of forks only."""
        if self._queued:
            self._queued.queue.after_fork_in_parent()
        self._lock.release()

    def after_fork_in_child(self) -> None:
        """For the hooks of forks only: threads, connections and files are the parent's; the next call opens others."""
        queued, self._queued, self._api = self._queued, None, None
        self._lock = RLock()
        self._closed = WakeUp()
        if self._closed_by is not None:
            # The thread that closes it is the parent's.
            self._has_closed = True
            self._closed.set()
        self._process = os.getpid()
        if queued:
            queued.queue.after_fork_in_child()

    def _open_api(self) -> EventsApi:
        return self._connected()[0]

    def _open_queue(self) -> QueuedSending:
        queued = self._connected()[1]
        if queued is None:
            raise _queue_error("queue_missing", "This client has no queue: open it with the option queue.")
        return queued

    def _connected(self) -> tuple[EventsApi, QueuedSending | None]:
        if os.getpid() != self._process:
            # A server forked without the interpreter's knowledge.
            self.after_fork_in_child()
        with self._lock:
            if self._closed_by is not None:
                raise _queue_error("client_closed", "This client is closed: open a new one.")
            if self._api is None:
                settings = self._settings
                clock = SystemClock()
                pacer = RatePacer(clock, settings.events_per_second)
                api = EventsApi(settings.addresses, settings.api_key, settings.timeout_s, clock, pacer, settings.proxy)
                if settings.queue:
                    self._queued = QueuedSending(settings, settings.queue, api, pacer, self._notify)
                self._api = api
            return self._api, self._queued


def _encoded_or_refused(platform: str, event: PartnerEvent) -> EncodedEvent | FailedEvent:
    """An event as it is sent, or the result of one that cannot be."""
    try:
        return encode_event(platform, event)
    except RefusedError as error:
        return FailedEvent(str(event.id), error)


def _queue_error(code: SdkErrorCode, message: str) -> QueueError:
    return QueueError(ErrorDetails(message, code))
