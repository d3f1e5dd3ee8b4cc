import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from podium_partner import Notice, PodiumClient, QueueOptions

from .support.documented_server import DocumentedServer
from .support.events import partner_event
from .support.until import until

SDK = Path(__file__).resolve().parent.parent


class ProcessesTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.server = DocumentedServer().__enter__()
        self.addCleanup(self.server.__exit__)
        self.notices: list[Notice] = []

    def open(self) -> PodiumClient:
        client = PodiumClient(
            url=self.server.url,
            api_key="podium_test_ev_x",
            platform="acme",
            queue=QueueOptions(self.folder),
            on_notice=self.notices.append,
            events_per_second=1_000,
        )
        self.addCleanup(client.close, 0)
        return client

    def start(self, name: str, events: int) -> "subprocess.Popen[str]":
        command = [sys.executable, "-B", "-m", "test.support.partner_process"]
        environment = {**os.environ, "PYTHONPATH": str(SDK / "src")}
        arguments = [str(self.folder), self.server.url, name, str(events)]
        return subprocess.Popen(command + arguments, cwd=SDK, env=environment, stdout=subprocess.PIPE, text=True)

    def confirmed_until_killed(self, process: "subprocess.Popen[str]", events: int) -> list[str]:
        """Kills a process with SIGKILL when it has confirmed some events; returns their ids."""
        assert process.stdout
        lines: list[str] = []
        for line in process.stdout:
            # The last line may be torn.
            if line.endswith("\n"):
                lines.append(line.strip())
            if len(lines) == events:
                process.kill()
        process.wait()
        process.stdout.close()
        self.assertEqual(process.returncode, -signal.SIGKILL)
        return lines

    def test_gets_every_confirmed_event_accepted_when_processes_are_killed_and_none_has_two_effects(self) -> None:
        seed = random.randrange(2**32)
        draw = random.Random(seed)
        confirmed: list[str] = []
        with self.subTest(seed=seed):
            for life in range(4):
                # Two of them share the folder; half of the time the service is away.
                self.server.behaviour.refuse_all = draw.choice([None, "unavailable"])
                processes = [self.start(f"{life}{name}", 100_000) for name in "ab"]
                for process in processes:
                    confirmed += self.confirmed_until_killed(process, draw.randrange(20, 300))
            self.server.behaviour.refuse_all = None
            self.assertGreaterEqual(len(confirmed), 160)
            last = self.open()
            until("all sent", lambda: last.stats().queue_bytes == 0, 60)
            self.assertEqual([event_id for event_id in confirmed if event_id not in self.server.effects], [])
            self.assertEqual({times for times in self.server.effects.values()}, {1})
            # Beside the confirmed ones, at most what was being written when each was killed, or lines of a full pipe.
            self.assertTrue(last.close())
            self.assertEqual(os.listdir(self.folder), [])

    def test_leaves_the_events_of_a_paused_process_to_it(self) -> None:
        self.server.behaviour.refuse_all = "unavailable"
        process = self.start("a", 10)
        assert process.stdout
        for _ in range(10):
            process.stdout.readline()
        process.send_signal(signal.SIGSTOP)
        client = self.open()
        time.sleep(0.2)
        self.assertEqual([notice.type for notice in self.notices], [])
        self.assertEqual(client.stats().queue_bytes, 0)
        process.send_signal(signal.SIGCONT)
        self.server.behaviour.refuse_all = None
        until("all sent", lambda: len(self.server.effects) == 10, 20)
        self.assertEqual(process.wait(20), 0)
        process.stdout.close()

    def test_is_used_by_a_forked_process_with_a_file_and_connections_of_its_own(self) -> None:
        client = self.open()
        client.enqueue(partner_event("before"))
        until("accepted", lambda: "before" in self.server.effects)
        children = []
        for n in range(4):
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    client.enqueue(partner_event(f"child-{n}"))
                    client.send(partner_event(f"direct-{n}"))
                    status = 0 if client.close() else 2
                finally:
                    os._exit(status)
            children.append(child)
            client.enqueue(partner_event(f"parent-{n}"))
        for child in children:
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertTrue(client.close())
        expected = {"before", *(f"{who}-{n}" for who in ("child", "direct", "parent") for n in range(4))}
        self.assertEqual(set(self.server.effects), expected)
        self.assertEqual(os.listdir(self.folder), [])

    def test_is_used_by_a_daemon_with_the_same_folder_although_it_changes_its_working_directory(self) -> None:
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        self.server.behaviour.refuse_all = "unavailable"
        client = PodiumClient(url=self.server.url, api_key="k", platform="acme", queue=QueueOptions("relative"))
        self.addCleanup(client.close, 0)
        daemon = os.fork()
        if daemon == 0:
            status = 1
            try:
                os.mkdir("elsewhere")
                os.chdir("elsewhere")
                client.enqueue(partner_event("of-daemon"))
                status = 0 if os.listdir() == [] else 2
            finally:
                os._exit(status)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(daemon, 0)[1]), 0)
        self.server.behaviour.refuse_all = None
        client.close(0)
        with PodiumClient(url=self.server.url, api_key="k", platform="acme", queue=QueueOptions(f"{self.folder}/relative")):
            until("accepted", lambda: "of-daemon" in self.server.effects)

    def test_a_forked_process_that_lives_longer_does_not_keep_the_events_of_its_parent(self) -> None:
        self.server.behaviour.refuse_all = "unavailable"
        reader, writer = os.pipe()
        parent = os.fork()
        if parent == 0:
            client = self.open()
            client.enqueue(partner_event("of-parent"))
            if os.fork() == 0:
                os.write(writer, f"{os.getpid()}".encode())
                time.sleep(30)
                os._exit(0)
            os.kill(os.getpid(), signal.SIGKILL)
        os.waitpid(parent, 0)
        child = int(os.read(reader, 20))
        os.close(reader)
        os.close(writer)
        self.addCleanup(os.kill, child, signal.SIGKILL)
        self.server.behaviour.refuse_all = None
        self.open()
        until("accepted", lambda: "of-parent" in self.server.effects)

    def test_forks_while_threads_hand_events_over(self) -> None:
        client = self.open()
        process = self.start("busy", 2_000)
        for n in range(20):
            client.enqueue(partner_event(f"p-{n}"))
            child = os.fork()
            if child == 0:
                client.enqueue(partner_event(f"c-{n}"))
                os._exit(0)
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        assert process.stdout
        process.stdout.read()
        process.stdout.close()
        self.assertEqual(process.wait(60), 0)
        client.close()
        last = self.open()
        until("all sent", lambda: last.stats().queue_bytes == 0, 30)
        self.assertEqual(len(self.server.effects), 2_040)
        self.assertEqual({times for times in self.server.effects.values()}, {1})
