import errno
import json
import os
import tempfile
import unittest
from pathlib import Path
from threading import Thread
from unittest.mock import patch

from podium_partner import RefusedError
from podium_partner.dead_letter_file import DeadLetter, DeadLetterFile
from podium_partner.errors import ErrorDetails


class DeadLetterFileTest(unittest.TestCase):
    def test_a_process_that_is_forked_in_the_middle_of_a_write_holds_no_later_one_up(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        letters = DeadLetterFile(Path(folder.name))
        letter = DeadLetter(RefusedError(ErrorDetails("m", "invalid_request")), b'{"event":{"id":"e"}}')
        children: list[int] = []
        reader, writer = os.pipe()
        fsync = os.fsync

        def end() -> None:
            os.close(writer)
            os.close(reader)
            for child in children:
                os.waitpid(child, 0)

        def fork_first(file: int) -> None:
            child = os.fork()
            if child == 0:
                # It lives until the test has ended.
                os.close(writer)
                os.read(reader, 1)
                os._exit(0)
            children.append(child)
            fsync(file)

        self.addCleanup(end)
        with patch("os.fsync", fork_first):
            letters.write([letter])
        self.assertEqual(len(children), 1)
        second = Thread(target=letters.write, args=([letter],), daemon=True)
        second.start()
        second.join(5)
        self.assertFalse(second.is_alive())
        lines = letters.path.read_text().splitlines()
        self.assertEqual([json.loads(line)["event"]["event"]["id"] for line in lines], ["e", "e"])

    def test_leaves_no_file_open_when_the_lock_fails(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        letter = DeadLetter(RefusedError(ErrorDetails("m", "invalid_request")), b'{"event":{"id":"e"}}')
        failing = OSError(errno.ENOLCK, "No locks available")
        with (
            patch("podium_partner.dead_letter_file.flock", side_effect=failing),
            patch("os.close", wraps=os.close) as close,
            self.assertRaises(OSError),
        ):
            DeadLetterFile(Path(folder.name)).write([letter])
        close.assert_called_once()
