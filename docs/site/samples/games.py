import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    "https://address.podium.invalid/data/v4/games?limit=5",
    headers={"Authorization": f"Bearer {os.environ['PODIUM_DATA_KEY']}"},
)
try:
    with urllib.request.urlopen(request, timeout=30) as response:
        print(response.status, response.read().decode())
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
