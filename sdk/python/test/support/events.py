"""Events with only what a test says about them."""

from podium_partner import PartnerEvent
from podium_partner.event import EncodedEvent, encode_event


def partner_event(event_id: str, user: str = "user-1", name: str = "deposit") -> PartnerEvent:
    return PartnerEvent(event_id, user, name, 1_767_225_600, {"amount": "25.00"})


def encoded(event_id: str, user: str = "user-1", name: str = "deposit") -> EncodedEvent:
    return encode_event("acme", partner_event(event_id, user, name))
