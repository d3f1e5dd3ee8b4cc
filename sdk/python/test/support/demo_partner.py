"""A partner's process against a real gateway: hands events over and prints what happens, one line of JSON each.

The event key is in PODIUM_EVENT_KEY; the only argument is a JSON object: url, platform, folder, ids, name, created_at,
linked, attributes. Ids that end in "stranger" are of an unknown user, and those that end in "future" happen tomorrow.
"""

import json
import os
import sys
import time
from threading import Lock, Thread
from typing import Any

from podium_partner import Notice, PartnerEvent, PodiumClient, QueueOptions

printing = Lock()


def say(**line: object) -> None:
    with printing:
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def main(world: dict[str, Any]) -> None:
    def on_notice(notice: Notice) -> None:
        say(type=notice.type, event_id=getattr(notice, "event_id", None), outcome=getattr(notice, "outcome", None))

    client = PodiumClient(
        url=world["url"],
        api_key=lambda: os.environ["PODIUM_EVENT_KEY"],
        platform=world["platform"],
        queue=QueueOptions(world["folder"]),
        on_notice=on_notice,
    )

    def hand_over(event_id: str) -> None:
        user = "nobody-of-the-sdk" if event_id.endswith("stranger") else world["linked"]
        created_at = world["created_at"] + (86_400 if event_id.endswith("future") else 0)
        client.enqueue(PartnerEvent(event_id, user, world["name"], created_at, world["attributes"]))
        say(type="enqueued", event_id=event_id)

    threads = [Thread(target=hand_over, args=(event_id,)) for event_id in world["ids"]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    end_s = time.monotonic() + 60
    while time.monotonic() < end_s:
        stats = client.stats()
        if stats.queued_events == stats.set_aside and stats.in_hand == 0:
            break
        time.sleep(0.05)
    client.close()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
