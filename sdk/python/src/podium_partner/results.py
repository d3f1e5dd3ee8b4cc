"""What answers say about events."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote

from .errors import ErrorDetails, NoAnswerError, PodiumError, error_of
from .event import EncodedEvent
from .retry_class import bounded_retry_after_s, default_retry_after_s, retry_class_of

_CODE = re.compile(r"[a-z][a-z0-9_]{0,63}")
"""What all codes of the catalogue look like. Gateways have errors of the same form, with codes such as `BadRequest`."""


@dataclass(frozen=True)
class EventWarning:
    """Something of an accepted event that was not intended: fix the sender, the event itself is with Podium."""

    code: str
    """`value_not_parsed`: conditions treat the value as absent. `content_differs`: the id was used before. Others may follow."""
    field: str
    """The path of the field, such as `event.attributes[0].value`."""
    message: str


@dataclass(frozen=True)
class AcceptedEvent:
    """An event that Podium has."""

    event_id: str
    outcome: Literal["accepted", "duplicate"]
    """`duplicate`: Podium had it before."""
    dropped_attributes: tuple[str, ...] = ()
    """Names of attributes that are not negotiated and were left out."""
    warnings: tuple[EventWarning, ...] = ()
    """What Podium noticed about an accepted event."""
    ok: Literal[True] = True


@dataclass(frozen=True)
class FailedEvent:
    """An event that Podium does not have, or may not have."""

    event_id: str
    error: PodiumError
    ok: Literal[False] = False


EventResult = AcceptedEvent | FailedEvent


@dataclass(frozen=True)
class EventAnswer:
    """An answer to one event: of a send request, or an element of `results` of a batch."""

    status: int
    body: object
    """The parsed body; anything when the answer is not Podium's."""
    retry_after_s: float | None = None
    request_id: str | None = None


def result_of(event: EncodedEvent, answer: EventAnswer, docs_url: str) -> EventResult:
    """The result of one event. Only a documented success counts as one: a proxy may answer 200 as well."""
    body = _fields_of(answer.body)
    outcome = body.get("outcome")
    if answer.status != 200 or outcome not in ("accepted", "duplicate") or body.get("event_id") != event.id:
        return FailedEvent(event.id, error_of_answer(answer, docs_url, event.id))
    dropped = tuple(str(name) for name in _list_of(body.get("dropped_attributes")))
    warnings = tuple(_warning_of(given) for given in _list_of(body.get("warnings")))
    return AcceptedEvent(event.id, outcome, dropped, warnings)


def _warning_of(given: object) -> EventWarning:
    fields = _fields_of(given)
    texts = [value if isinstance(value := fields.get(name), str) else "" for name in ("code", "field", "message")]
    return EventWarning(*texts)


def error_of_answer(answer: EventAnswer, docs_url: str, event_id: str | None = None) -> PodiumError:
    """The error of an answer that is not a success."""
    fields = _fields_of(_fields_of(answer.body).get("error"))
    code, message = fields.get("code"), fields.get("message")
    status, request_id, retry_after_s = answer.status, answer.request_id, answer.retry_after_s
    if not isinstance(code, str) or not _CODE.fullmatch(code):
        text = f"The response with status {status} is not one of Podium. Check the address, and proxies on the way."
        details = ErrorDetails(text, "unexpected_response", status, request_id, None, retry_after_s, event_id)
        foreign = retry_class_of(status)
        return NoAnswerError(details) if foreign == "now" else error_of(foreign, details)
    details = ErrorDetails(
        message=message if isinstance(message, str) else code,
        code=code,
        status=status,
        request_id=request_id,
        docs_url=f"{docs_url}#{quote(code, safe='')}",
        retry_after_s=default_retry_after_s(code) if retry_after_s is None else retry_after_s,
        event_id=event_id,
    )
    return error_of(retry_class_of(status, code, fields.get("retry")), details)


def batch_results(events: Sequence[EncodedEvent], answer: EventAnswer, docs_url: str) -> list[EventResult] | None:
    """The results of a batch in the order of its events; None when the answer is not one to these events."""
    results = _fields_of(answer.body).get("results")
    if answer.status not in (200, 207) or not isinstance(results, list) or len(results) != len(events):
        return None
    return [
        result_of(event, _element_of(result, answer.request_id), docs_url)
        for event, result in zip(events, results, strict=True)
    ]


def _element_of(result: object, request_id: str | None) -> EventAnswer:
    fields = _fields_of(result)
    status, retry_after_s = fields.get("status"), fields.get("retry_after")
    return EventAnswer(
        status=status if isinstance(status, int) else 0,
        body=fields.get("body"),
        retry_after_s=bounded_retry_after_s(retry_after_s) if isinstance(retry_after_s, (int, float)) else None,
        request_id=request_id,
    )


def _fields_of(value: object) -> Mapping[str, Any]:
    """The fields of an object; none of anything else."""
    return value if isinstance(value, dict) else {}


def _list_of(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
