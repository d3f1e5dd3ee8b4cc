"""Events as callers give them and as they are sent."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from .errors import ErrorDetails, RefusedError
from .generated.partner_events import SendEventDto

MAX_EVENT_BYTES = 64 * 1024
"""The largest body of one event (docs, Limits)."""


@dataclass(frozen=True)
class PartnerEvent:
    """An event of a linked user."""

    id: str
    """Unique per distinct event, and the same for every retry."""
    platform_user_id: str
    """The user at the partner, as returned in the field `sub` of the user info response."""
    name: str
    """A negotiated name."""
    created_at: datetime | int
    """When the event happened, not when it is sent: a datetime with a time zone, or whole Unix seconds."""
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Values of negotiated attributes by name; values are always strings."""


@dataclass(frozen=True)
class EncodedEvent:
    """An event as it is sent and stored: its request body, and what the package needs of it."""

    id: str
    platform_user_id: str
    name: str
    body: bytes


def encode_event(platform: str, event: PartnerEvent) -> EncodedEvent:
    """The request body of an event; raises RefusedError for one that has no JSON form or is larger than 64 KiB."""
    for key, text in (("id", event.id), ("platform_user_id", event.platform_user_id), ("name", event.name)):
        if not isinstance(text, str):
            raise _not_encodable(f"{key} is {type(text).__name__}; give a string.", event)
    if not isinstance(event.attributes, Mapping):
        raise _not_encodable(f"attributes is {type(event.attributes).__name__}; give a dict of strings.", event)
    for name, value in event.attributes.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise _not_encodable(f"The attribute {name} is {type(value).__name__}; give its value as a string.", event)
    sent: SendEventDto = {
        "platform": platform,
        "platform_user_id": event.platform_user_id,
        "event": {
            "id": event.id,
            "name": event.name,
            "created_at": _unix_seconds(event),
            "attributes": [{"name": name, "value": value} for name, value in event.attributes.items()],
        },
    }
    try:
        body = json.dumps(sent, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError as error:
        raise _not_encodable("A string contains half of a surrogate pair, which has no UTF-8.", event) from error
    if len(body) > MAX_EVENT_BYTES:
        message = f"The event is larger than {MAX_EVENT_BYTES} bytes. Send fewer or shorter attributes."
        raise RefusedError(ErrorDetails(message, "event_too_large", event_id=event.id))
    return EncodedEvent(event.id, event.platform_user_id, event.name, body)


def _unix_seconds(event: PartnerEvent) -> int:
    at = event.created_at
    if isinstance(at, datetime):
        # Without a time zone Python would take that of the machine.
        if at.tzinfo is None:
            raise _not_encodable("created_at has no time zone; use datetime.now(timezone.utc).", event)
        return math.floor(at.timestamp())
    if isinstance(at, int) and not isinstance(at, bool):
        return at
    raise _not_encodable("created_at is not a datetime or a whole number of Unix seconds.", event)


def _not_encodable(message: str, event: PartnerEvent) -> RefusedError:
    return RefusedError(ErrorDetails(message, "event_not_encodable", event_id=str(event.id)))


def platform_of(event: EncodedEvent) -> object:
    """The platform in the body of an event, which an earlier process may have given."""
    sent: SendEventDto = json.loads(event.body)
    return sent["platform"]
