"""Whether there is space, by the disk and by the quota of this user."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT)

_PROBE_BYTES = 256 * 1024


def is_out_of_space(folder: Path) -> bool:
    """Tries to write a file without a name. SQLite itself reports a quota that is exceeded as an error of the disk."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_PROBE_BYTES))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error.errno in FULL_ERRORS
    return False
