"""What happens to an event that was refused."""

from __future__ import annotations

from typing import Literal

from .generated.error_codes import ERROR_CODES

RetryClass = Literal["never", "later", "pause", "now"]
"""`never`: the same bytes cannot succeed. `later`: the event is set aside on a schedule of its own. `pause`: nothing is sent
until a person has changed something. `now`: the event is sent again after a short delay."""


def retry_class_of(status: int, code: str | None = None, retry: object = None) -> RetryClass:
    """The retry class of an answer: the one it names, otherwise that of its code, otherwise that of its status.

    `code` is None when the answer is not Podium's.
    """
    if code is None:
        return _class_of_foreign_answer(status)
    if retry == "never" or retry == "later" or retry == "pause" or retry == "now":
        return retry
    row = ERROR_CODES.get(code)
    return row.retry if row else _class_of_status(status)


LONGEST_RETRY_AFTER_S = 86_400.0
"""What an answer may ask for at most: a proxy, such as with a date that is years away, must not stop the queue for long."""


def bounded_retry_after_s(seconds: float) -> float:
    """The time that an answer asks for, within bounds."""
    return float(max(0.0, min(seconds, LONGEST_RETRY_AFTER_S)))


def default_retry_after_s(code: str) -> float | None:
    """The catalogue's Retry-After of a code in seconds."""
    row = ERROR_CODES.get(code)
    return row.retry_after_s if row else None


def _class_of_status(status: int) -> RetryClass:
    """Of a code that this version of the package does not know."""
    if status in (400, 413, 415):
        return "never"
    if status in (404, 422):
        return "later"
    return "now" if status in (408, 429) or status >= 500 else "pause"


def _class_of_foreign_answer(status: int) -> RetryClass:
    """Of an answer of something between the caller and Podium, such as a proxy.

    It says nothing about the event, so the event is never given up. A refused credential, a wrong address or a redirect
    needs a person.
    """
    needs_person = 300 <= status < 400 or status in (401, 403, 404, 405, 407)
    return "pause" if needs_person else "now"
