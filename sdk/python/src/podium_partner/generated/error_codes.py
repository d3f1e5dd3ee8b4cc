"""Generated from the error catalogue (docs/errors.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple


class ErrorCode(NamedTuple):
    """The status, the retry class and the default Retry-After in seconds of an error code."""

    status: int
    retry: Literal["never", "later", "pause", "now"]
    retry_after_s: float | None = None


ERROR_CODES: Mapping[str, ErrorCode] = {
    "invalid_request": ErrorCode(400, "never"),
    "unauthorized": ErrorCode(401, "pause"),
    "environment_mismatch": ErrorCode(403, "pause"),
    "integration_paused": ErrorCode(403, "pause", 300.0),
    "platform_mismatch": ErrorCode(403, "pause"),
    "forbidden": ErrorCode(403, "pause"),
    "origin_refused": ErrorCode(403, "pause"),
    "not_found": ErrorCode(404, "pause"),
    "user_not_linked": ErrorCode(404, "later", 60.0),
    "method_not_allowed": ErrorCode(405, "pause"),
    "request_timeout": ErrorCode(408, "now"),
    "conflict": ErrorCode(409, "never"),
    "payload_too_large": ErrorCode(413, "never"),
    "unsupported_media_type": ErrorCode(415, "never"),
    "event_not_negotiated": ErrorCode(422, "later", 3600.0),
    "unprocessable": ErrorCode(422, "never"),
    "rate_limited": ErrorCode(429, "now", 1.0),
    "headers_too_large": ErrorCode(431, "pause"),
    "internal_error": ErrorCode(500, "now"),
    "unavailable": ErrorCode(503, "now", 2.0),
    "overloaded": ErrorCode(503, "now", 1.0),
}
