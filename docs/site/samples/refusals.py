import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    "https://address.podium.invalid/cdp/v1/refusals?limit=10",
    headers={"Authorization": f"Bearer {os.environ['PODIUM_EVENT_KEY']}"},
)
try:
    with urllib.request.urlopen(request, timeout=30) as response:
        print(response.status, response.read().decode())
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
