"""Which process owns which file of a queue."""

from __future__ import annotations

import errno
import os
import re
import secrets
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path

_FILE_NAME = re.compile(r"([0-9a-f]{16})\.(?:lock|sqlite3)")


class OwnerLock:
    """A lock on a file next to the owner's events, for as long as its process runs.

    The kernel releases it when the process ends, however it ends, so that no timeout and no process id decides whether an
    owner is alive.
    """

    def __init__(self, folder: Path, owner: str, file: int) -> None:
        self.owner = owner
        self.store_path = folder / f"{owner}.sqlite3"
        self._path = _path_of(folder, owner)
        self._file = file

    @staticmethod
    def acquire(folder: Path) -> OwnerLock:
        """Becomes an owner in a folder, with a name that was never used before."""
        while True:
            # A process that looks for ended owners may have locked the file before this one could. It removes it.
            lock = OwnerLock.claim(folder, secrets.token_hex(8))
            if lock:
                return lock

    @staticmethod
    def claim(folder: Path, owner: str) -> OwnerLock | None:
        """The lock of an owner whose process has ended; None while it runs, or when another process was faster."""
        path = _path_of(folder, owner)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            flock(file, LOCK_EX | LOCK_NB)
            # Its owner may have removed it between the two calls: a lock on a file without a name excludes nobody.
            if os.fstat(file).st_nlink > 0:
                return OwnerLock(folder, owner, file)
        except BlockingIOError:
            pass
        except BaseException:
            os.close(file)
            raise
        os.close(file)
        return None

    def require_name(self) -> None:
        """Raises FileNotFoundError when the lock's file was removed, as cleaners of old files do, or is another one.

        Other processes then take this one for ended, and its file of events with it.
        """
        if os.stat(self._path).st_ino != os.fstat(self._file).st_ino:
            raise FileNotFoundError(errno.ENOENT, "The lock was replaced", str(self._path))

    def remove(self) -> None:
        """Removes the lock with its file, once nothing is left that it protects."""
        self._path.unlink(missing_ok=True)
        self.release()

    def release(self) -> None:
        """Gives the owner's events to the next process.

        In a forked child it only closes the child's copy: the parent keeps its lock.
        """
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def owners_in(folder: Path) -> list[str]:
    """The owners that have files in a folder, alive or not."""
    names = (_FILE_NAME.fullmatch(name) for name in os.listdir(folder))
    return sorted({match[1] for match in names if match})


def _path_of(folder: Path, owner: str) -> Path:
    return folder / f"{owner}.lock"
