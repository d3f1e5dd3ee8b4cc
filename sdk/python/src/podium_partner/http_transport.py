"""Requests over connections that are kept for the next one."""

from __future__ import annotations

import io
import select
import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http.client import (
    SWITCHING_PROTOCOLS,
    HTTPConnection,
    HTTPResponse,
    HTTPSConnection,
    IncompleteRead,
    RemoteDisconnected,
)
from threading import RLock
from typing import Any

from .name_lookup import look_up
from .proxy import ProxyAddress
from .signal_handlers import is_raised_by_handler

MAX_ANSWER_BYTES = 4 * 1024 * 1024
"""More than the longest answer to a batch."""

_IDLE_CONNECTIONS = 16

_LONGEST_LINE = 65_536
"""Bytes of a header that are read at once."""


@dataclass(frozen=True)
class HttpAnswer:
    """An answer whose body was read completely; the names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class HttpTransport:
    """Posts JSON to one host; never follows a redirect, which would carry the key."""

    def __init__(self, host: str, port: int, is_plain: bool, timeout_s: float, proxy: ProxyAddress | None = None) -> None:
        self._host = host
        self._port = port
        self._context = None if is_plain else ssl.create_default_context()
        self._timeout_s = timeout_s
        # Plain http is for this machine only.
        self._proxy = None if is_plain else proxy
        # The handler of a signal may close it while it interrupts a request.
        self._lock = RLock()
        self._idle: list[HTTPConnection] = []
        self._busy: set[HTTPConnection] = set()
        self._is_closed = False

    def post(self, path: str, headers: Mapping[str, str], body: bytes) -> HttpAnswer:
        """The answer; raises OSError or HTTPException when there is none in time, from the start to its last byte."""
        deadline_s = time.monotonic() + self._timeout_s
        connection = self._idle_connection()
        if connection:
            try:
                return self._exchange(connection, path, headers, body, deadline_s)
            except (RemoteDisconnected, BrokenPipeError, ConnectionResetError) as error:
                # The server closed it while it was idle. An event may be sent twice: its id is the same.
                if self._is_closed or is_raised_by_handler(error):
                    raise
        return self._exchange(self._new_connection(), path, headers, body, deadline_s)

    def close(self) -> None:
        """Ends requests that are under way, and closes all connections."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
            # A thread that reads from it gets the end of the stream.
            for connection in self._busy:
                _shut_down(connection)
        for connection in idle:
            connection.close()

    def _exchange(
        self, connection: HTTPConnection, path: str, headers: Mapping[str, str], body: bytes, deadline_s: float
    ) -> HttpAnswer:
        is_reusable = False
        with self._lock:
            if self._is_closed:
                raise ConnectionAbortedError("the client is closed")
            self._busy.add(connection)
        try:
            # Also of the proxy, when the connection is made.
            connection.response_class = partial(_ResponseInTime, deadline_s)  # type: ignore[assignment]
            if connection.sock is None:
                connection._create_connection = partial(_connect, deadline_s)  # type: ignore[attr-defined]
                connection.connect()
                if self._is_closed:
                    raise ConnectionAbortedError("the client is closed")
            connection.sock.settimeout(_left(deadline_s))
            connection.request("POST", path, body, {**headers, "content-type": "application/json"})
            response = connection.getresponse()
            content = response.read(MAX_ANSWER_BYTES + 1)
            if len(content) > MAX_ANSWER_BYTES:
                raise ConnectionAbortedError(f"the answer is longer than {MAX_ANSWER_BYTES} bytes")
            # A read with a limit does not say that the answer ended too early.
            if response.length:
                raise IncompleteRead(content, response.length)
            # After 101 the connection is no longer one of HTTP.
            is_reusable = response.isclosed() and not response.will_close and response.status >= 200
            named = {name.lower(): value for name, value in response.getheaders()}
            return HttpAnswer(response.status, named, content)
        finally:
            self._give_back(connection, is_reusable)

    def _give_back(self, connection: HTTPConnection, is_reusable: bool) -> None:
        with self._lock:
            self._busy.discard(connection)
            if is_reusable and not self._is_closed and len(self._idle) < _IDLE_CONNECTIONS:
                self._idle.append(connection)
                return
        connection.close()

    def _idle_connection(self) -> HTTPConnection | None:
        while True:
            with self._lock:
                if not self._idle:
                    return None
                connection = self._idle.pop()
            if connection.sock is not None and not _has_input(connection.sock):
                return connection
            connection.close()

    def _new_connection(self) -> HTTPConnection:
        if self._context is None:
            return HTTPConnection(self._host, self._port)
        if self._proxy is None:
            return HTTPSConnection(self._host, self._port, context=self._context)
        connection = _TunnelledConnection(self._proxy.host, self._proxy.port, context=self._context)
        target = f"{_in_brackets(self._host)}:{self._port}"
        connection.set_tunnel(self._host, self._port, {"Host": target, **self._proxy.headers})
        return connection


def _connect(deadline_s: float, address: tuple[str, int], *_: object) -> socket.socket:
    """A connection to the first address of a host that answers; raises OSError when none does.

    Each has a share of the time that is left, and of much time at least a second: one that drops everything, as addresses of
    IPv6 do in some networks, must leave time for the others.
    """
    found = look_up(*address, _left(deadline_s))
    for at, (family, kind, protocol, _name, place) in enumerate(found):
        sock: socket.socket | None = None
        try:
            sock = socket.socket(family, kind, protocol)
            left_s, others = _left(deadline_s), len(found) - at - 1
            sock.settimeout(max(left_s / (others + 1), min(left_s / 2, 1.0)) if others else left_s)
            sock.connect(place)
            sock.settimeout(_left(deadline_s))
            return sock
        except BaseException as error:
            if sock:
                sock.close()
            if not isinstance(error, OSError) or at == len(found) - 1 or is_raised_by_handler(error):
                raise
    raise OSError("the name has no address")


def _left(deadline_s: float) -> float:
    left_s = deadline_s - time.monotonic()
    if left_s <= 0:
        raise TimeoutError("timed out")
    return left_s


def _has_input(sock: socket.socket) -> bool:
    """Whether an idle connection was closed by the server, or has bytes that belong to no request."""
    if not hasattr(select, "poll"):
        # Eventlet removes it where it replaces what blocks, and its `select` has no limit of file numbers.
        return bool(select.select([sock], [], [], 0)[0])
    poll = select.poll()
    poll.register(sock, select.POLLIN)
    return bool(poll.poll(0))


def _shut_down(connection: HTTPConnection) -> None:
    sock = connection.sock
    if sock is None:
        return
    with suppress(OSError):
        # Not SSLSocket.shutdown, which changes an object that another thread uses.
        socket.socket.shutdown(sock, socket.SHUT_RDWR)


class _TunnelledConnection(HTTPSConnection):
    """A connection through a proxy, which is asked for an address of IPv6 in brackets (RFC 9110, section 9.3.6).

    The standard library writes them from Python 3.13 on.
    """

    def _tunnel(self) -> None:
        host = self._tunnel_host
        self._tunnel_host = _in_brackets(host)
        try:
            super()._tunnel()  # type: ignore[misc]
        finally:
            # The certificate is that of the address alone.
            self._tunnel_host = host


def _in_brackets(host: str) -> str:
    return f"[{host}]" if ":" in host else host


class _ResponseInTime(HTTPResponse):
    """A response whose every read ends at the deadline of its request.

    The timeout of a socket is one of each read: a server that sends a byte from time to time would have no limit. Interim
    responses (RFC 9110, section 15.2) are skipped. The standard library does so for 100 alone: it would take another one for
    the answer, and the answer for that to the next request.
    """

    def __init__(self, deadline_s: float, sock: socket.socket, *args: Any, **options: Any) -> None:
        super().__init__(sock, *args, **options)
        self.fp.close()
        self.fp = io.BufferedReader(_ReaderInTime(sock, deadline_s))

    def _read_status(self) -> tuple[str, int, str]:
        while True:
            status: tuple[str, int, str] = super()._read_status()  # type: ignore[misc]
            if status[1] >= 200 or status[1] == SWITCHING_PROTOCOLS:
                return status
            while self.fp.readline(_LONGEST_LINE) not in (b"\r\n", b"\n", b""):
                pass


class _ReaderInTime(io.RawIOBase):
    def __init__(self, sock: socket.socket, deadline_s: float) -> None:
        super().__init__()
        self._sock = sock
        self._deadline_s = deadline_s
        # It keeps the socket open until the response was read.
        self._raw = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(_left(self._deadline_s))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()
