import json
import os
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from email.utils import parsedate_to_datetime

pages = {}  # address: (ETag, body); keep this between runs


def wait_s(retry_after):
    """Retry-After has seconds or, of a proxy, a date (RFC 9110): at least a second, at most a day."""
    try:
        seconds = int(retry_after) if retry_after.isdecimal() else parsedate_to_datetime(retry_after).timestamp() - time.time()
    except (TypeError, ValueError):
        seconds = 1
    return min(max(seconds, 1), 86_400)


def read_all(following):
    """Yields every item of a list; pages that have not changed are taken from the cache."""
    while following:
        etag, body = pages.get(following, (None, None))
        headers = {"Authorization": f"Bearer {os.environ['PODIUM_DATA_KEY']}"}
        if etag:
            headers["If-None-Match"] = etag
        try:
            response = urllib.request.urlopen(urllib.request.Request(following, headers=headers), timeout=30)
        except urllib.error.HTTPError as error:
            if error.code in (429, 503):
                time.sleep(wait_s(error.headers.get("Retry-After", "1")))
                continue
            if error.code != 304:
                raise
            response = error
        print(response.status, following)
        if response.status == 200:
            body = json.load(response)
            pages[following] = (response.headers.get("ETag"), body)
        yield from body["items"]
        # Also at 304: a page that has not changed may have got a next one. The address is relative to the host.
        link = re.search(r'<([^>]+)>; ?rel="next"', response.headers.get("Link") or "")
        following = urllib.parse.urljoin(following, link[1]) if link else None


for _ in range(2):
    for item in read_all("https://address.podium.invalid/data/v4/games?limit=2"):
        print(item)
