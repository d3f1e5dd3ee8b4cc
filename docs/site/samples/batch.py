import json
import os
import urllib.error
import urllib.request


def event(event_id: str, user: str, created_at: int) -> dict[str, object]:
    return {
        "platform": "your-platform-name",
        "platform_user_id": user,
        "event": {"id": event_id, "name": "deposit", "created_at": created_at, "attributes": []},
    }


events = [event("deposit-93f1", "user-1", 1767225600), event("deposit-93f2", "user-2", 1767225601)]
request = urllib.request.Request(
    "https://address.podium.invalid/cdp/v1/users/events/batch",
    headers={
        "Authorization": f"Bearer {os.environ['PODIUM_EVENT_KEY']}",
        "Content-Type": "application/json",
    },
    data=json.dumps({"events": events}).encode(),
)
try:
    with urllib.request.urlopen(request, timeout=30) as response:
        # 207: read the result of each event.
        print(response.status, response.read().decode())
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
