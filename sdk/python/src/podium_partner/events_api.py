"""The requests of the API, each within the rate. Nothing is retried here."""

from __future__ import annotations

import json
import re
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timezone
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from threading import Thread

from .address import ApiAddresses
from .clock import Clock, WakeUp
from .errors import ErrorDetails, NoAnswerError, PodiumError, SendingPausedError
from .event import EncodedEvent
from .http_transport import HttpAnswer, HttpTransport
from .proxy import ProxyAddress
from .rate_pacer import RatePacer
from .results import EventAnswer, EventResult, FailedEvent, batch_results, error_of_answer, result_of
from .retry_class import bounded_retry_after_s
from .signal_handlers import is_raised_by_handler
from .version import __version__

SINGLE_REQUESTS = 8
"""Requests under way at once where there is no batch request."""

BATCH_MISSING_FOR_S = 600.0
"""After this time a deployment that had no batch request is asked again: it may have a new release."""

_MOMENTARY_STATUSES = (408, 425, 429)
"""Of a proxy: the same batch can succeed a moment later."""

_KEY = re.compile(r"[\x21-\x7e]+")


class EventsApi:
    """Sends events with the key that is in force at each request. No method raises for what a server answers."""

    def __init__(
        self,
        addresses: ApiAddresses,
        api_key: Callable[[], str],
        timeout_s: float,
        clock: Clock,
        pacer: RatePacer,
        proxy: ProxyAddress | None = None,
    ) -> None:
        self._addresses = addresses
        self._api_key = api_key
        self._clock = clock
        self._pacer = pacer
        self._transport = HttpTransport(addresses.host, addresses.port, addresses.is_plain, timeout_s, proxy)
        self._batch_missing_until_s = float("-inf")
        # No other event: where the handler of a signal raises in a wait for one, its lock may be released twice.
        self._stopped = WakeUp()

    def send(self, event: EncodedEvent) -> EventResult:
        """Sends one event."""
        self._pacer.take(1, self._stopped)
        answer = self._post(self._addresses.send, event.body)
        if isinstance(answer, PodiumError):
            return FailedEvent(event.id, answer)
        return result_of(event, answer, self._addresses.docs_url)

    def send_batch(self, events: Sequence[EncodedEvent]) -> list[EventResult]:
        """Sends events in one request; a result for each, in order.

        Where the deployment has no such request, or refuses it as a whole, each event gets a request of its own: an event
        is never given up for what another contains.
        """
        if len(events) == 1 or self._clock.now_s() < self._batch_missing_until_s:
            return self._send_each(events)
        self._pacer.take(len(events), self._stopped)
        answer = self._post(self._addresses.batch, batch_body(events))
        if isinstance(answer, PodiumError):
            error = answer
        else:
            results = batch_results(events, answer, self._addresses.docs_url)
            if results is not None:
                self._follow_limit(results)
                return results
            error = error_of_answer(answer, self._addresses.docs_url)
        if error.code == "not_found":
            self._batch_missing_until_s = self._clock.now_s() + BATCH_MISSING_FOR_S
        if _is_refused_as_whole(error):
            # Podium counts a batch that it refuses as one request, and its headers have said so.
            self._pacer.give_back(len(events))
            return self._send_each(events)
        return [FailedEvent(event.id, error) for event in events]

    def close(self) -> None:
        """Ends what is under way, and closes all connections."""
        self._stopped.set()
        self._transport.close()

    def _send_each(self, events: Sequence[EncodedEvent]) -> list[EventResult]:
        results: dict[int, EventResult] = {}
        places = deque(range(len(events)))

        def work() -> None:
            with suppress(IndexError):
                while True:
                    at = places.popleft()
                    results[at] = self.send(events[at])

        threads = [Thread(target=work, daemon=True) for _ in range(1, min(SINGLE_REQUESTS, len(events)))]
        started: list[Thread] = []
        try:
            for thread in threads:
                thread.start()
                started.append(thread)
        except RuntimeError as error:
            # At its end the interpreter starts no thread, and the system none beyond its limits: the others do the work.
            if is_raised_by_handler(error):
                raise
        work()
        for thread in started:
            thread.join()
        return [results[at] for at in range(len(events))]

    def _post(self, path: str, body: bytes) -> EventAnswer | PodiumError:
        try:
            key = self._api_key()
        except Exception as error:
            if is_raised_by_handler(error):
                raise
            # The text of the error may contain the key, and a log with a traceback prints causes.
            return _no_answer(f"The key could not be read ({type(error).__name__})")
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            text = "The event key is empty or has characters that a key never has. Give the key as you received it."
            return SendingPausedError(ErrorDetails(text, "key_unusable"))
        headers = {"authorization": f"Bearer {key}", "user-agent": f"podium-partner-python/{__version__}"}
        try:
            answer = self._transport.post(path, headers, body)
        except (OSError, ValueError, HTTPException) as error:
            if is_raised_by_handler(error):
                raise
            if not isinstance(error, HTTPException):
                return _no_answer(f"No response: {error}", error)
            # Its text may be that of a server, which could return what it was sent.
            return _no_answer(f"The response was not HTTP ({type(error).__name__})")
        self._pacer.learn(answer.headers)
        retry_after_s = _retry_after_s(answer)
        if answer.status == 429:
            self._pacer.block(1.0 if retry_after_s is None else retry_after_s)
        return EventAnswer(answer.status, _parsed(answer.body), retry_after_s, answer.headers.get("x-request-id"))

    def _follow_limit(self, results: Sequence[EventResult]) -> None:
        for result in results:
            if not result.ok and result.error.status == 429:
                self._pacer.block(1.0 if result.error.retry_after_s is None else result.error.retry_after_s)
                return


def batch_body(events: Sequence[EncodedEvent]) -> bytes:
    """The body of a batch: the bodies of its events, unchanged."""
    return b'{"events":[' + b",".join(event.body for event in events) + b"]}"


def _is_refused_as_whole(error: PodiumError) -> bool:
    """Whether a batch was refused for what it contains or for its size, so that its events may succeed alone.

    A proxy may take smaller bodies than Podium. Not sent singly: 401, 403, 404, 405 and 407, which pause, and momentary ones.
    """
    if error.code != "unexpected_response":
        return error.code == "not_found" or error.retry == "never"
    status = error.status or 0
    return error.retry == "now" and 400 <= status < 500 and status not in _MOMENTARY_STATUSES


def _no_answer(reason: str, cause: Exception | None = None) -> NoAnswerError:
    text = f"{reason}. The outcome is unknown; send the event again with the same id."
    error = NoAnswerError(ErrorDetails(text, "no_response"))
    error.__cause__ = cause
    return error


def _retry_after_s(answer: HttpAnswer) -> float | None:
    """Retry-After in seconds, of whole seconds or of a date as proxies send it; None for any other text.

    A date is compared with the answer's own `Date`: the clock of this machine may be off.
    """
    value = answer.headers.get("retry-after", "")
    if re.fullmatch(r"[0-9]{1,9}", value):
        return bounded_retry_after_s(float(value))
    until_s = _time_s(value)
    if until_s is None:
        return None
    answered_at_s = _time_s(answer.headers.get("date", ""))
    seconds = until_s - (time.time() if answered_at_s is None else answered_at_s)
    return bounded_retry_after_s(seconds) if seconds > 0 else None


def _time_s(date: str) -> float | None:
    """An HTTP date in Unix seconds. Its oldest form names no zone; it is GMT as the others (RFC 9110, section 5.6.7)."""
    try:
        parsed = parsedate_to_datetime(date)
        return (parsed if parsed.tzinfo else parsed.replace(tzinfo=timezone.utc)).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None


def _parsed(body: bytes) -> object:
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return parsed
