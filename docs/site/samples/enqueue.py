import os
from datetime import datetime, timezone

from podium_partner import PartnerEvent, PodiumClient, QueueOptions

podium = PodiumClient(
    url="https://address.podium.invalid",
    api_key=lambda: os.environ["PODIUM_EVENT_KEY"],
    platform="your-platform-name",
    queue=QueueOptions("/var/lib/my-shop/podium-events"),
)
podium.enqueue(PartnerEvent("deposit-93f1", "user-1", "deposit", datetime.now(timezone.utc), {"amount": "25.00"}))
podium.close()
