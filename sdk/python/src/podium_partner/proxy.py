"""A proxy through which connections to other hosts are made."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit


@dataclass(frozen=True)
class ProxyAddress:
    """An HTTP proxy that lets connections through (CONNECT)."""

    host: str
    port: int
    headers: Mapping[str, str]
    """Of the request to the proxy alone: its user and password."""


def proxy_of(address: str | None) -> ProxyAddress | None:
    """The proxy at an address such as `http://user:password@proxy.example:3128`, as the variable HTTPS_PROXY holds it.

    None for an empty one. Raises ValueError, without the password, for an address that cannot be used.
    """
    text = (address or "").strip()
    if not text:
        return None
    problem = "proxy is not an address such as http://proxy.example:3128. The proxy itself is called by plain http."
    try:
        # Programs such as curl take it without http:// as well.
        parts = urlsplit(text if "://" in text else f"http://{text}")
        host, port = parts.hostname, parts.port or 80
    except ValueError:
        # Not as its cause: the text of the error may have the password.
        raise ValueError(problem) from None
    if parts.scheme != "http" or not host:
        raise ValueError(problem)
    user = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    given = {} if user == ":" else {"Proxy-Authorization": f"Basic {b64encode(user.encode()).decode()}"}
    return ProxyAddress(host, port, given)
