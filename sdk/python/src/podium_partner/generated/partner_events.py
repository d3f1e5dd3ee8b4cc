"""Generated from docs/openapi/partner-events.json."""

from __future__ import annotations

from typing import Literal, TypedDict


class SendEventProblemDto(TypedDict):
    code: str
    """A code of the error catalogue"""
    message: str
    retry: Literal["never", "later", "pause", "now"]
    """never: the same bytes cannot succeed, keep them for a person. later: set the event aside on a schedule of its own. pause: stop sending and tell a person. now: send it again after Retry-After, then with growing delays"""


class SendEventErrorDto(TypedDict):
    error: SendEventProblemDto


class SendEventAttributeDto(TypedDict):
    name: str
    """Negotiated attribute name; attributes that were not negotiated are dropped. At most 255 bytes of UTF-8"""
    value: str
    """Always a string; may be empty; at most 4 KiB of UTF-8 for a negotiated attribute"""


class _SendEventDataDtoRequired(TypedDict):
    id: str
    """Identifies the event: unique per distinct event, the same for every retry; compared byte for byte. At most 255 bytes of UTF-8"""
    name: str
    """Negotiated event name, compared byte for byte. At most 255 bytes of UTF-8"""
    created_at: int
    """Unix seconds at which the event happened, not when it was sent; at most 5 minutes ahead. An event that is up to 30 minutes ahead is refused with the retry class `later` and Retry-After"""


class SendEventDataDto(_SendEventDataDtoRequired, total=False):
    attributes: list[SendEventAttributeDto]
    """May be empty or missing"""


class SendEventDto(TypedDict):
    platform_user_id: str
    """The user at the partner, as returned in the field sub of the user info response. At most 255 bytes of UTF-8"""
    platform: str
    """The partner's name at the service, given with the key. At most 255 bytes of UTF-8"""
    event: SendEventDataDto


class EventWarningDto(TypedDict):
    code: str
    """value_not_parsed: a value does not parse as its negotiated type, and conditions treat it as absent. content_differs: the id was handled before with other content, which stays. Codes may be added; clients ignore those that they do not know"""
    field: str
    """The path of the field that it is about"""
    message: str
    """A sentence for a person, without the value"""


class _SendEventAnswerDtoRequired(TypedDict):
    outcome: Literal["accepted", "duplicate"]
    """duplicate: the id was handled before; nothing changed"""
    event_id: str
    dropped_attributes: list[str]
    """Names of attributes that are not negotiated and were left out of the stored event"""


class SendEventAnswerDto(_SendEventAnswerDtoRequired, total=False):
    warnings: list[EventWarningDto]
    """What is unintended about the accepted event; missing when there is nothing. Fix the sender, not the event"""


class SendEventBatchDto(TypedDict):
    events: list[SendEventDto]
    """Bodies as a single event has them, of at most 64 KiB each. At most `max_batch`: 40 at the rate of 40 events per second, and never more than 100. Other fields beside it are ignored: at most 16, and 4 KiB of names and values together"""


class _SendEventResultDtoRequired(TypedDict):
    status: int
    """The status that a request with this event alone would get"""
    body: SendEventAnswerDto | SendEventErrorDto
    """The body that a request with this event alone would get: of a success with status 200, otherwise of an error"""


class SendEventResultDto(_SendEventResultDtoRequired, total=False):
    retry_after: int
    """Whole seconds after which a retry of this event makes sense, as Retry-After of a single event"""


class SendEventBatchAnswerDto(TypedDict):
    results: list[SendEventResultDto]
    """A result per event, in the order of the request"""


class EventProblemDto(TypedDict):
    code: str
    """A code of the error catalogue"""
    message: str
    retry: Literal["never", "later", "pause", "now"]
    """never: the same bytes cannot succeed, keep them for a person. later: set the event aside on a schedule of its own. pause: stop sending and tell a person. now: send it again after Retry-After, then with growing delays"""
    field: str
    """The path of the field at fault; empty for the body as a whole"""


class EventReportDto(TypedDict):
    valid: bool
    """Whether no check fails"""
    duplicate: bool
    """Whether the id was handled before: sending the event is answered 200 and changes nothing"""
    problems: list[EventProblemDto]
    """Everything for which the event would be refused; at most the first 100"""
    dropped_attributes: list[str]
    """Names of attributes that are not negotiated and would be left out, among the first 100"""
    warnings: list[EventWarningDto]
    """What is unintended about the event, without being refused; of attributes, about the first 100"""


class ReconcileDto(TypedDict):
    ids: list[str]
    """Ids of events, exactly as they were sent; each at most 255 bytes of UTF-8. The only field of the body"""


class ReconcileAnswerDto(TypedDict):
    missing: list[str]
    """The ids that were never accepted, each once: send these events again, with the same ids"""


class EventStatusDto(TypedDict):
    accepted: bool
    """false: no request with this id was answered 200 before this one"""


class _NegotiatedAttributeDtoRequired(TypedDict):
    name: str
    type: Literal["string", "integer", "decimal", "boolean", "timestamp", "currency"]
    """How the text of the value is read; one that does not parse counts as absent"""


class NegotiatedAttributeDto(_NegotiatedAttributeDtoRequired, total=False):
    currency_attribute: str
    """The attribute of the same event that names the currency of this amount"""
    currencies: list[str]
    """The currencies of the amount; in another one it counts as absent"""
    non_negative: bool
    """A negative value counts as absent"""


class NegotiatedEventDto(TypedDict):
    name: str
    kind: Literal["one_off", "repeatable"]
    """`repeatable` (deposit, trade) is stored for six months, `one_off` (KYC) permanently"""
    attributes: list[NegotiatedAttributeDto]
    schema: dict[str, object]
    """JSON Schema (draft 2020-12) of the field `event` of an event of which nothing is dropped and every value parses"""


class NegotiatedVersionDto(TypedDict):
    version: int
    in_force_from: str
    """The time of receipt from which it applies"""
    events: list[NegotiatedEventDto]
    """Without retired names, which are refused or dropped"""


class PartnerContractDto(TypedDict):
    platform: str
    rate_per_second: int
    """Events per second over all keys; reads count as one event each"""
    burst: int
    """Events at once after idle time"""
    max_batch: int
    """Most events of one batch"""
    in_force: NegotiatedVersionDto | None
    """Null before the first contract"""
    upcoming: list[NegotiatedVersionDto]
    """Versions that will be in force, oldest first"""


class RefusedEventDto(TypedDict):
    event_id: str | None
    """Null when the body has no id that can be read: such refusals share a row per code"""
    code: str
    """Code of the error catalogue"""
    field: str | None
    """Path of the field that was refused"""
    message: str
    """The last error message"""
    platform_user_id: str | None
    refusals: int
    """How often it was refused with this code"""
    first_at: str
    last_at: str
    last_request_id: str
    """`x-request-id` of the last response"""


class RefusedEventsPageDto(TypedDict):
    items: list[RefusedEventDto]
    next_cursor: str | None


class DriftDto(TypedDict):
    day: str
    """Day in UTC"""
    event: str | None
    """Name of the event; null for all names together that are not negotiated, above 200 of a day"""
    attribute: str | None
    """Name of the attribute; null where it is the name of the event that is not negotiated"""
    sent: int
    """How often the name was sent. Equal to another count: that happened every time"""
    not_negotiated: int
    """How often the event was refused because its name is not negotiated"""
    dropped: int
    """How often the attribute was left out because it is not negotiated"""
    not_parsed: int
    """How often the value did not parse as the negotiated type"""
    first_at: str
    last_at: str


class DriftPageDto(TypedDict):
    items: list[DriftDto]
    next_cursor: str | None
