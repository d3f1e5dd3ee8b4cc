"""A partner's process with the SDK for Python; the only argument is the plan of partner-plan.ts as JSON.

It goes on where a killed process ended, and is told to end by a line.
"""

import json
import os
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any

from podium_partner import Notice, PartnerEvent, PodiumClient, PodiumError, QueueOptions

CHUNK = 100


class Seen:
    """Counts what the client tells."""

    def __init__(self) -> None:
        self.accepted = 0
        self.limited = 0
        self.last_s = 0.0

    def on_notice(self, notice: Notice) -> None:
        if notice.type == "accepted":
            self.accepted += 1
            self.last_s = time.monotonic()
        elif notice.type == "retried" and getattr(getattr(notice, "error", None), "status", None) == 429:
            self.limited += 1


def main(plan: dict[str, Any]) -> None:
    confirmed: set[str] = set()
    if os.path.exists(plan["confirmedFile"]):
        with open(plan["confirmedFile"], encoding="utf8") as before:
            confirmed = set(before.read().split("\n"))
    file = open(plan["confirmedFile"], "a", encoding="utf8", buffering=1)
    # A killed process may have left half a line.
    file.write("\n")
    writing = Lock()
    seen = Seen()
    client = PodiumClient(
        url=plan["url"],
        api_key=lambda: os.environ["PODIUM_EVENT_KEY"],
        platform=plan["platform"],
        queue=QueueOptions(plan["folder"]),
        on_notice=seen.on_notice,
    )

    def event_of(number: int) -> PartnerEvent:
        is_late = number % plan["lateEvery"] == plan["lateEvery"] - 1
        account = plan["lateAccount"] if is_late else plan["accounts"][number % len(plan["accounts"])]
        attributes = {"amount": "1.00", "currency": "EUR"}
        return PartnerEvent(f"{plan['prefix']}-{number}", account, "deposit", plan["createdAt"], attributes)

    def send_until_accepted(event: PartnerEvent) -> None:
        while True:
            try:
                client.send(event)
                return
            except PodiumError as error:
                if error.retry != "now":
                    raise
                time.sleep(max(0.2, error.retry_after_s or 0))

    def hand_over(number: int) -> None:
        event = event_of(number)
        is_single = number % plan["singleEvery"] == 0 and event.platform_user_id != plan["lateAccount"]
        if is_single:
            send_until_accepted(event)
        else:
            client.enqueue(event)
        with writing:
            file.write(f"{event.id}\n")

    started_s = time.monotonic()
    left = [number for number in range(plan["events"]) if f"{plan['prefix']}-{number}" not in confirmed]
    singles: list[Future[None]] = []
    with ThreadPoolExecutor(16) as queueing, ThreadPoolExecutor(8) as sending:
        for start in range(0, len(left), CHUNK):
            numbers = left[start : start + CHUNK]
            singles += [sending.submit(hand_over, each) for each in numbers if each % plan["singleEvery"] == 0]
            list(queueing.map(hand_over, [each for each in numbers if each % plan["singleEvery"] != 0]))
            time.sleep(max(0.0, started_s + (start + CHUNK) / plan["enqueuePerSecond"] - time.monotonic()))
        for single in singles:
            single.result()

    def drained() -> int:
        while True:
            stats = client.stats()
            if stats.queued_events == stats.set_aside and stats.in_hand == 0:
                return stats.set_aside
            time.sleep(0.05)

    say(type="drained", setAside=drained())
    sys.stdin.readline()
    # An event of a user who was set aside brings the next try forward.
    client.enqueue(PartnerEvent(f"{plan['prefix']}-end", plan["lateAccount"], "deposit", plan["createdAt"], event_of(0).attributes))
    while drained() > 0:
        time.sleep(0.05)
    client.close()
    took_ms = (seen.last_s - started_s) * 1000
    say(type="finished", accepted=seen.accepted, tookMs=took_ms, limited=seen.limited)


def say(**line: object) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
