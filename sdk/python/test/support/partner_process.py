"""A partner's process for tests that kill it: hands events over by several threads, and prints the id of each that is
confirmed.

    python3 -m test.support.partner_process FOLDER URL NAME EVENTS [THREADS]
"""

import sys
import threading

from podium_partner import PodiumClient, QueueOptions

from .events import partner_event


def main(folder: str, url: str, name: str, events: str, threads: str = "4") -> None:
    client = PodiumClient(
        url=url, api_key="podium_test_ev_x", platform="acme", queue=QueueOptions(folder), events_per_second=1_000
    )
    printing = threading.Lock()

    def hand_over(writer: int) -> None:
        for n in range(writer, int(events), int(threads)):
            event_id = f"{name}-{n}"
            client.enqueue(partner_event(event_id))
            with printing:
                sys.stdout.write(f"{event_id}\n")
                sys.stdout.flush()

    writers = [threading.Thread(target=hand_over, args=(writer,)) for writer in range(int(threads))]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    client.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
