import json
import os
import urllib.error
import urllib.request

event = {"id": "deposit-93f1", "name": "deposit", "created_at": 1767225600, "attributes": []}
request = urllib.request.Request(
    "https://address.podium.invalid/cdp/v1/users/events/validate",
    headers={
        "Authorization": f"Bearer {os.environ['PODIUM_EVENT_KEY']}",
        "Content-Type": "application/json",
    },
    data=json.dumps({"platform": "your-platform-name", "platform_user_id": "user-1", "event": event}).encode(),
)
try:
    with urllib.request.urlopen(request, timeout=30) as response:
        print(response.status, response.read().decode())
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
