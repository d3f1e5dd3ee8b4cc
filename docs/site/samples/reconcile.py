import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    "https://address.podium.invalid/cdp/v1/users/events/reconcile",
    headers={
        "Authorization": f"Bearer {os.environ['PODIUM_EVENT_KEY']}",
        "Content-Type": "application/json",
    },
    data=json.dumps({"ids": ["deposit-93f1", "deposit-93f2"]}).encode(),
)
try:
    with urllib.request.urlopen(request, timeout=30) as response:
        print(response.status, response.read().decode())
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
