"""The file of events that were given up."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from fcntl import LOCK_EX, LOCK_UN, flock
from pathlib import Path

from .errors import PodiumError


@dataclass(frozen=True)
class DeadLetter:
    """An event that was given up, and why."""

    error: PodiumError
    body: bytes
    """The request body."""


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class DeadLetterFile:
    """`dead-letters.ndjson` in the queue's folder, one JSON object per line; nothing is ever removed from it."""

    def __init__(self, folder: Path, now: Callable[[], str] = _now) -> None:
        self.path = folder / "dead-letters.ndjson"
        self._now = now

    def write(self, letters: Sequence[DeadLetter]) -> None:
        """Returns when the letters are on disk; raises OSError when they may not be."""
        if not letters:
            return
        lines = b"".join(self._line(letter) for letter in letters)
        file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            # Several processes write to it; a process may have been killed in the middle of a line.
            flock(file, LOCK_EX)
            size = os.fstat(file).st_size
            is_torn = size > 0 and os.pread(file, 1, size - 1) != b"\n"
            left = memoryview(b"\n" + lines if is_torn else lines)
            while left:
                left = left[os.write(file, left) :]
            os.fsync(file)
        finally:
            try:
                # A process that was forked meanwhile has the file too, and would keep the lock for as long as it runs.
                flock(file, LOCK_UN)
            finally:
                os.close(file)

    def _line(self, letter: DeadLetter) -> bytes:
        error = letter.error
        reason = {
            "at": self._now(),
            "code": error.code,
            "message": error.message,
            "status": error.status,
            "request_id": error.request_id,
            "docs_url": error.docs_url,
        }
        known = {name: value for name, value in reason.items() if value is not None}
        text = json.dumps({**known, "event": json.loads(letter.body)}, ensure_ascii=False, separators=(",", ":"))
        return text.encode() + b"\n"
