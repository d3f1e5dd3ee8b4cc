"""Options of a client, checked."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from .address import ApiAddresses, addresses_of
from .proxy import ProxyAddress, proxy_of


@dataclass(frozen=True)
class QueueOptions:
    """A queue on disk."""

    folder: str | os.PathLike[str]
    """A folder on a local disk, for this queue alone."""
    max_bytes: int = 2**30
    """Most bytes on disk, beyond which `enqueue` raises; 1 GiB by default."""
    max_memory_bytes: int = 16 * 2**20
    """Most bytes of events in memory; 16 MiB by default. One step of reading, about a megabyte, comes on top."""


@dataclass(frozen=True)
class ClientSettings:
    """Options with their defaults."""

    addresses: ApiAddresses
    api_key: Callable[[], str]
    platform: str
    queue: QueueOptions | None
    timeout_s: float
    events_per_second: float
    max_batch: int
    proxy: ProxyAddress | None


def settings_of(
    url: str,
    api_key: str | Callable[[], str],
    platform: str,
    queue: QueueOptions | None,
    timeout_s: float,
    events_per_second: float,
    max_batch: int,
    proxy: str | None,
) -> ClientSettings:
    """Checks options; raises ValueError for what cannot work."""
    if not api_key:
        raise ValueError("api_key is missing: give the event key of this environment.")
    if not platform:
        raise ValueError("platform is missing: give the name that you received with the key.")
    if queue:
        _require_within("queue.max_bytes", queue.max_bytes, 1, 2**50)
        _require_within("queue.max_memory_bytes", queue.max_memory_bytes, 1, 2**50)
    _require_within("timeout_s", timeout_s, 0.1, 300)
    _require_within("events_per_second", events_per_second, 0.1, 100_000)
    _require_within("max_batch", max_batch, 1, 100)
    return ClientSettings(
        addresses=addresses_of(url),
        api_key=_reader_of(api_key),
        platform=platform,
        # A daemon changes its working directory after it was forked.
        queue=replace(queue, folder=Path(queue.folder).absolute()) if queue else None,
        timeout_s=timeout_s,
        events_per_second=events_per_second,
        max_batch=max_batch,
        proxy=proxy_of(proxy),
    )


def _reader_of(api_key: str | Callable[[], str]) -> Callable[[], str]:
    if isinstance(api_key, str):
        text = api_key
        return lambda: text
    return api_key


def _require_within(name: str, value: float, lowest: float, highest: float) -> None:
    if not lowest <= value <= highest:
        raise ValueError(f"{name} is {value}; it must be from {lowest} to {highest}.")
