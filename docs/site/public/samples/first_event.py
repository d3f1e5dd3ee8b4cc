# python3 first_event.py PLATFORM USER, with your event key in PODIUM_EVENT_KEY
import os
import sys
import uuid
from datetime import datetime, timezone

from podium_partner import PartnerEvent, PodiumClient, PodiumError

platform, user = sys.argv[1:3]
attributes = {"amount": "25.00", "currency": "EUR"}
with PodiumClient(
    url="https://address.podium.invalid", api_key=os.environ["PODIUM_EVENT_KEY"], platform=platform
) as podium:
    try:
        print(podium.send(PartnerEvent(str(uuid.uuid4()), user, "deposit", datetime.now(timezone.utc), attributes)))
    except PodiumError as error:
        sys.exit(f"{error} {error.docs_url or ''}")
