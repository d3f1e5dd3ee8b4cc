"""Paths of the API below the address that a partner gets."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlsplit

SEND_PATH = "/cdp/v1/users/events/send"
BATCH_PATH = "/cdp/v1/users/events/batch"
ERRORS_PAGE = "/docs/errors"

_OF_A_PATH = "/%!$&'()*+,;=:@~"
"""Characters that a path has as they are (RFC 3986), and those that are percent-encoded already."""


@dataclass(frozen=True)
class ApiAddresses:
    """The addresses of one environment."""

    is_plain: bool
    """Whether it is http, on this machine."""
    host: str
    port: int
    send: str
    """The path of the send request, with the query of the address: a gateway on the way may need it."""
    batch: str
    docs_url: str
    """The error catalogue; a code is its anchor."""


def addresses_of(url: str) -> ApiAddresses:
    """The addresses below a base address, or below the address of the send request.

    Raises ValueError for anything but https, because each request carries the key; plain http is for this machine only. It
    raises it for a user and password too, which no request would carry.
    """
    try:
        # A variable that is not set gives None, where callers do not check types.
        parts = urlsplit((url or "").strip())
        host, port = parts.hostname or "", parts.port
    except ValueError:
        # Its error does not say which option it is about, and may have a part of a password.
        text = "url is not an address: give the one for events that you were given, which begins with https://."
        raise ValueError(text) from None
    is_local = host in ("localhost", "127.0.0.1", "::1")
    is_plain = parts.scheme == "http" and is_local
    if not host or not (parts.scheme == "https" or is_plain):
        raise ValueError("url must begin with https://: requests carry the key. Plain http is for 127.0.0.1 only.")
    if parts.username is not None:
        raise ValueError("url must not contain a user name or password: requests are authorized by the key alone.")
    prefix = quote(parts.path, safe=_OF_A_PATH).rstrip("/")
    if prefix.endswith(SEND_PATH):
        prefix = prefix[: -len(SEND_PATH)].rstrip("/")
    port = port or (80 if is_plain else 443)
    origin = f"{parts.scheme}://{parts.netloc}"
    query = f"?{quote(parts.query, safe=_OF_A_PATH + '?')}" if parts.query else ""
    return ApiAddresses(
        is_plain=is_plain,
        host=host,
        port=port,
        send=prefix + SEND_PATH + query,
        batch=prefix + BATCH_PATH + query,
        # In logs, which are no place for what may be a secret.
        docs_url=f"{origin}{prefix}{ERRORS_PAGE}",
    )
