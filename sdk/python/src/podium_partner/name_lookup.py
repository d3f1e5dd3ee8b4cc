"""Addresses of hosts."""

from __future__ import annotations

import _thread
import queue
import socket
from collections.abc import Sequence
from typing import Any

from .signal_handlers import is_raised_by_handler

Found = Sequence[tuple[socket.AddressFamily, socket.SocketKind, int, str, Any]]
"""What `socket.getaddrinfo` returns."""


def look_up(host: str, port: int, seconds: float) -> Found:
    """The addresses of a host, in the order in which they are to be tried; raises OSError or ValueError for none in time.

    The system has a limit for each name server and each domain that it searches: together these may be minutes, and nothing
    interrupts it. So it runs in a thread, which ends by itself.
    """
    try:
        return _found(host, port, socket.AI_NUMERICHOST)
    except (OSError, UnicodeError) as error:
        if is_raised_by_handler(error):
            raise
    # It is a name.
    answers: queue.SimpleQueue[Found | Exception] = queue.SimpleQueue()

    def work() -> None:
        try:
            answers.put(_found(host, port, 0))
        except Exception as error:
            answers.put(error)

    try:
        # Not the class Thread: it has a lock, for which the handler of a signal would wait that interrupts it and sends.
        _thread.start_new_thread(work, ())
    except RuntimeError as error:
        if is_raised_by_handler(error):
            raise
        # The interpreter is ending, and starts no more.
        work()
    try:
        answer = answers.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError(f"the address of {host} was not found in time") from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _found(host: str, port: int, flags: int) -> Found:
    return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
