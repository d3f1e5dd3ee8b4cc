"""Generated from docs/openapi/partner-events.json."""

from __future__ import annotations

from typing import Literal, TypedDict


class SendEventProblemDto(TypedDict):
    code: str
    """A code of the error catalogue"""
    message: str


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
    """Unix seconds at which the event happened, not when it was sent; at most 5 minutes ahead"""


class SendEventDataDto(_SendEventDataDtoRequired, total=False):
    attributes: list[SendEventAttributeDto]
    """May be empty or missing"""


class SendEventDto(TypedDict):
    platform_user_id: str
    """The user at the partner, as returned in the field sub of the user info response. At most 255 bytes of UTF-8"""
    platform: str
    """The partner's name at the service, given with the key. At most 255 bytes of UTF-8"""
    event: SendEventDataDto


class SendEventAnswerDto(TypedDict):
    outcome: Literal["accepted", "duplicate"]
    """duplicate: the id was handled before; nothing changed"""
    event_id: str
    dropped_attributes: list[str]
    """Names of attributes that are not negotiated and were left out of the stored event"""
