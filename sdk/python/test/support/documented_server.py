"""A plain HTTP server with the documented answers of the partner API. It is not Podium."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from podium_partner.generated.error_codes import ERROR_CODES

Sent = dict[str, Any]


@dataclass
class Behaviour:
    """How the server answers."""

    refuse: Callable[[Sent], str | None] = lambda sent: None
    """The code of a refusal for an event, or None for one that is accepted."""
    refuse_all: str | None = None
    """The code with which every request is refused."""
    raw: Callable[[Any], None] | None = None
    """Writes anything at all to the connection, as a proxy might."""
    has_batch: bool = True
    batch_status_of_proxy: int | None = None
    """The status with which a proxy answers every batch."""
    rate: int = 1_000
    """Events per second that answers name; a batch with more of them is refused as a whole."""
    warnings: list[Any] = field(default_factory=list)
    """Of each event that is accepted."""
    named_retry: str | None = None
    """The retry class in the body of errors."""


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict[str, str]
    ids: list[str]
    at_s: float


@dataclass
class DocumentedServer:
    behaviour: Behaviour = field(default_factory=Behaviour)
    requests: list[Request] = field(default_factory=list)
    effects: dict[str, int] = field(default_factory=dict)
    """How often an event of each id had an effect."""
    port: int = 0

    def __enter__(self) -> DocumentedServer:
        server = self
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                is_batch = self.path.endswith("/batch")
                sent = body["events"] if is_batch else [body]
                headers = {name.lower(): value for name, value in self.headers.items()}
                ids = [each["event"]["id"] for each in sent]
                with lock:
                    server.requests.append(Request(self.path, headers, ids, time.monotonic()))
                    answer = server.answer(is_batch, sent)
                if is_batch and server.behaviour.batch_status_of_proxy:
                    self.send_response(server.behaviour.batch_status_of_proxy)
                    self.send_header("content-length", "0")
                    self.end_headers()
                elif server.behaviour.raw:
                    self.close_connection = True
                    server.behaviour.raw(self)
                else:
                    self.reply(*answer)

            def reply(self, status: int, body: dict[str, Any]) -> None:
                text = json.dumps(body).encode()
                self.send_response(status)
                if "error" in body and body["error"].get("retry_after_s"):
                    self.send_header("retry-after", str(int(body["error"].pop("retry_after_s"))))
                self.send_header("x-request-id", f"request-{len(server.requests)}")
                rate = server.behaviour.rate
                self.send_header("ratelimit-limit", f"{rate}, {rate};w=1")
                self.send_header("content-length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *args: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *args: object) -> None:
                """Clients that go away are part of tests."""

        self._server = Server(("127.0.0.1", self.port), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def answer(self, is_batch: bool, sent: list[Sent]) -> tuple[int, dict[str, Any]]:
        if self.behaviour.raw:
            return 0, {}
        if self.behaviour.refuse_all:
            return self._refusal(self.behaviour.refuse_all)
        if is_batch and not self.behaviour.has_batch:
            return self._refusal("not_found")
        if is_batch and len(sent) > self.behaviour.rate:
            return self._refusal("invalid_request")
        results = [self._result(each) for each in sent]
        if not is_batch:
            return results[0]
        elements = []
        for status, body in results:
            retry_after_s = body.get("error", {}).pop("retry_after_s", None)
            retry_after = {"retry_after": int(retry_after_s)} if retry_after_s else {}
            elements.append({"status": status, "body": body, **retry_after})
        return (200 if all(status == 200 for status, _ in results) else 207), {"results": elements}

    def _result(self, sent: Sent) -> tuple[int, dict[str, Any]]:
        code = self.behaviour.refuse(sent)
        if code:
            return self._refusal(code)
        event_id = sent["event"]["id"]
        outcome = "duplicate" if event_id in self.effects else "accepted"
        if outcome == "accepted":
            self.effects[event_id] = self.effects.get(event_id, 0) + 1
        body = {"outcome": outcome, "event_id": event_id, "dropped_attributes": []}
        return 200, {**body, "warnings": self.behaviour.warnings} if self.behaviour.warnings else body

    def _refusal(self, code: str) -> tuple[int, dict[str, Any]]:
        row = ERROR_CODES[code]
        error: dict[str, Any] = {"code": code, "message": f"The sentence of {code}.", "retry_after_s": row.retry_after_s}
        if self.behaviour.named_retry:
            error["retry"] = self.behaviour.named_retry
        return row.status, {"error": error}
