"""Errors that the package raises or reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .retry_class import RetryClass

SdkErrorCode = Literal[
    "no_response",
    "unexpected_response",
    "key_unusable",
    "event_not_encodable",
    "event_too_large",
    "batch_too_large",
    "queue_full",
    "queue_failed",
    "queue_missing",
    "client_closed",
]
"""Codes of errors without an answer of Podium."""


@dataclass(frozen=True)
class ErrorDetails:
    """What an error knows about the answer that caused it."""

    message: str
    code: str
    """A code of the error catalogue; without an answer of Podium one of `SdkErrorCode`."""
    status: int | None = None
    """The HTTP status; None when there was no answer."""
    request_id: str | None = None
    """Quote it when you contact Podium."""
    docs_url: str | None = None
    """The section of the error catalogue that explains the code."""
    retry_after_s: float | None = None
    """Seconds before which a retry makes no sense."""
    event_id: str | None = None


class PodiumError(Exception):
    """Every error of this package; raised are its subclasses, one for each retry class."""

    retry: RetryClass = "now"

    def __init__(self, details: ErrorDetails) -> None:
        # The only argument, so that errors can be pickled: task queues send them between processes.
        super().__init__(details)
        self.details = details

    def __str__(self) -> str:
        return f"{self.code}: {self.details.message}"

    @property
    def message(self) -> str:
        return self.details.message

    @property
    def code(self) -> str:
        return self.details.code

    @property
    def status(self) -> int | None:
        return self.details.status

    @property
    def request_id(self) -> str | None:
        return self.details.request_id

    @property
    def docs_url(self) -> str | None:
        return self.details.docs_url

    @property
    def retry_after_s(self) -> float | None:
        return self.details.retry_after_s

    @property
    def event_id(self) -> str | None:
        return self.details.event_id

    @property
    def retryable(self) -> bool:
        """Whether the same event can succeed without a change by a person."""
        return self.retry in ("now", "later")


class RefusedError(PodiumError):
    """The same bytes cannot succeed: correct the event and give it a new try."""

    retry: RetryClass = "never"


class RetryLaterError(PodiumError):
    """The user is not linked, the event is not negotiated, or it is minutes ahead of Podium's clock.

    The same event can succeed once that has changed.
    """

    retry: RetryClass = "later"


class SendingPausedError(PodiumError):
    """Key, address or integration need a person; no event can succeed until then."""

    retry: RetryClass = "pause"


class TemporaryError(PodiumError):
    """The rate was exceeded, the service is unavailable, or the outcome is unknown: send the same event again."""

    retry: RetryClass = "now"


class RateLimitedError(TemporaryError):
    """The rate was exceeded; `retry_after_s` says when to go on."""


class NoAnswerError(TemporaryError):
    """No answer arrived, or one that is not Podium's: whether the event was accepted is unknown."""


class QueueError(TemporaryError):
    """The queue did not take the event: it is full, closed, missing, or its disk failed."""


def error_of(retry: RetryClass, details: ErrorDetails) -> PodiumError:
    """The error of a retry class."""
    if retry == "never":
        return RefusedError(details)
    if retry == "later":
        return RetryLaterError(details)
    if retry == "pause":
        return SendingPausedError(details)
    return RateLimitedError(details) if details.status == 429 else TemporaryError(details)
