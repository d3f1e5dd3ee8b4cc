import os
import socket
import ssl
import subprocess
import tempfile
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from unittest.mock import patch

from podium_partner import NoAnswerError, PodiumClient
from podium_partner.proxy import proxy_of

from .support.documented_server import DocumentedServer
from .support.events import partner_event

HOST = "events.invalid"
"""No machine knows this host: only a proxy connects to it."""


class ForwardProxy:
    """An HTTP proxy that connects to a port of this machine, whatever host it is asked for; without one it refuses."""

    def __init__(self, to_port: int | None, status: int = 200) -> None:
        self.heads: list[bytes] = []
        self._to_port = to_port
        self._status = status
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.host_and_port = f"127.0.0.1:{self._listener.getsockname()[1]}"
        Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            Thread(target=self._forward, args=(connection,), daemon=True).start()

    def _forward(self, connection: socket.socket) -> None:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += connection.recv(65_536)
        self.heads.append(head)
        connection.sendall(b"HTTP/1.1 %d x\r\n\r\n" % self._status)
        if self._to_port is None:
            connection.close()
            return
        target = socket.create_connection(("127.0.0.1", self._to_port))
        Thread(target=self._pump, args=(target, connection), daemon=True).start()
        self._pump(connection, target)

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while part := source.recv(65_536):
                target.sendall(part)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class ProxyTest(unittest.TestCase):
    """Connections to Podium through a proxy."""

    def proxy(self, to_port: int | None, status: int = 200) -> ForwardProxy:
        proxy = ForwardProxy(to_port, status)
        self.addCleanup(proxy.close)
        return proxy

    @contextmanager
    def tls_server(self, folder: str, name: str) -> Iterator[DocumentedServer]:
        """A server whose certificate has a name, and is trusted."""
        key, certificate = Path(folder, "key.pem"), Path(folder, "cert.pem")
        new = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        names = ["-subj", "/CN=podium", "-addext", f"subjectAltName={name}", "-days", "2"]
        subprocess.run([*new, *names, "-keyout", key, "-out", certificate], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        with DocumentedServer() as server, patch.dict(os.environ, SSL_CERT_FILE=str(certificate)):
            server._server.socket = context.wrap_socket(server._server.socket, server_side=True)
            yield server

    def test_sends_over_one_connection_through_the_proxy_which_alone_gets_its_password(self) -> None:
        with tempfile.TemporaryDirectory() as folder, self.tls_server(folder, f"DNS:{HOST}") as server:
            proxy = self.proxy(server.port)
            with PodiumClient(
                url=f"https://{HOST}:{server.port}",
                api_key="secret-key",
                platform="acme",
                proxy=f"http://ada:p%40ss@{proxy.host_and_port}",
            ) as client:
                for event_id in ("a", "b"):
                    self.assertEqual(client.send(partner_event(event_id)).outcome, "accepted")
            [head] = proxy.heads
            self.assertTrue(head.startswith(b"CONNECT %s:%d HTTP/1." % (HOST.encode(), server.port)), head)
            self.assertIn(b"\r\nProxy-Authorization: Basic YWRhOnBAc3M=\r\n", head)
            self.assertNotIn(b"secret-key", head)
            for request in server.requests:
                self.assertEqual(request.headers["host"], f"{HOST}:{server.port}")
                self.assertNotIn("proxy-authorization", request.headers)

    def test_asks_for_an_address_of_ipv6_in_brackets_and_expects_its_certificate(self) -> None:
        with tempfile.TemporaryDirectory() as folder, self.tls_server(folder, "IP:2001:db8::1") as server:
            proxy = self.proxy(server.port)
            address = f"http://{proxy.host_and_port}"
            with PodiumClient(url=f"https://[2001:db8::1]:{server.port}", api_key="k", platform="acme", proxy=address) as client:
                self.assertEqual(client.send(partner_event("e")).outcome, "accepted")
            target = b"[2001:db8::1]:%d" % server.port
            [head] = proxy.heads
            self.assertTrue(head.startswith(b"CONNECT %s HTTP/1." % target), head)
            self.assertIn(b"\r\nHost: %s\r\n" % target, head)
            self.assertEqual(server.requests[0].headers["host"], target.decode())

    def test_says_what_a_proxy_answers_that_refuses(self) -> None:
        proxy = self.proxy(None, 407)
        address = f"http://ada:canary@{proxy.host_and_port}"
        client = PodiumClient(url=f"https://{HOST}", api_key="k", platform="acme", proxy=address)
        with client, self.assertRaises(NoAnswerError) as raised:
            client.send(partner_event("e"))
        self.assertIn("407", str(raised.exception))
        self.assertNotIn("canary", str(raised.exception))

    def test_calls_this_machine_directly_by_plain_http(self) -> None:
        with DocumentedServer() as server:
            client = PodiumClient(url=server.url, api_key="k", platform="acme", proxy="http://127.0.0.1:9")
            self.addCleanup(client.close, 0)
            self.assertEqual(client.send(partner_event("e")).outcome, "accepted")

    def test_takes_the_address_as_the_environment_has_it(self) -> None:
        self.assertEqual([proxy_of(None), proxy_of(""), proxy_of(" ")], [None, None, None])
        for address in ("http://proxy.example:3128", "proxy.example:3128", "http://proxy.example:3128/"):
            proxy = proxy_of(address)
            assert proxy
            self.assertEqual((proxy.host, proxy.port, proxy.headers), ("proxy.example", 3128, {}))
        for address in (
            "https://u:canary@proxy.example",
            "socks5://u:canary@x",
            "http://u:canary@x:port",
            "http://u:canary@:1",
        ):
            with self.assertRaisesRegex(ValueError, "^proxy is not an address") as raised:
                proxy_of(address)
            self.assertNotIn("canary", str(raised.exception))
