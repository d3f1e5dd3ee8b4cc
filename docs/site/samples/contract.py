import os
import urllib.error
import urllib.request

etag = None  # keep this and the contract between runs

for _ in range(2):
    headers = {"Authorization": f"Bearer {os.environ['PODIUM_EVENT_KEY']}"}
    if etag:
        headers["If-None-Match"] = etag
    request = urllib.request.Request("https://address.podium.invalid/cdp/v1/contract", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            etag = response.headers.get("ETag")
            print(response.status, response.read().decode())
    except urllib.error.HTTPError as error:
        # 304: the contract has not changed, and there is no body.
        print(error.code, error.read().decode())
