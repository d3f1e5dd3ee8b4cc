import os
import urllib.error
import urllib.parse
import urllib.request

query = urllib.parse.urlencode({"id": "deposit-93f1"})
request = urllib.request.Request(
    f"https://address.podium.invalid/cdp/v1/users/events/status?{query}",
    headers={"Authorization": f"Bearer {os.environ['PODIUM_EVENT_KEY']}"},
)
try:
    with urllib.request.urlopen(request, timeout=30) as response:
        print(response.status, response.read().decode())
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
