"""What happens to open clients when the process is forked, as servers of Python do."""

from __future__ import annotations

import os
from typing import Protocol
from weakref import WeakSet


class ForkAware(Protocol):
    """Something that must not be used by two processes."""

    def before_fork(self) -> None: ...

    def after_fork_in_parent(self) -> None: ...

    def after_fork_in_child(self) -> None: ...


_open: WeakSet[ForkAware] = WeakSet()
_held: list[ForkAware] = []


def watch_forks(aware: ForkAware) -> None:
    """Tells an object of forks, for as long as it is used."""
    _open.add(aware)


def _before() -> None:
    _held.extend(_open)
    for aware in _held:
        aware.before_fork()


def _after_in_parent() -> None:
    for aware in _held:
        aware.after_fork_in_parent()
    _held.clear()


def _after_in_child() -> None:
    for aware in _held:
        aware.after_fork_in_child()
    _held.clear()


os.register_at_fork(before=_before, after_in_parent=_after_in_parent, after_in_child=_after_in_child)
