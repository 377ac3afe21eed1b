"""Threads that change the same array in place: one after the other."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any


class _Turn:
    """A lock that exists while somebody holds it or waits for it."""

    __slots__ = ("lock", "users")

    def __init__(self) -> None:
        self.lock = threading.RLock()  # a handler of signals may come in between
        self.users = 0


_table = threading.RLock()  # for a moment each: nothing of others runs under it
_turns: dict[int, _Turn] = {}


def _forget() -> None:
    """Threads that held locks are not in a forked child."""
    global _table
    _table = threading.RLock()
    _turns.clear()


os.register_at_fork(after_in_child=_forget)


def in_turn(thing: object, call: Callable[..., Any], *args: Any) -> Any:
    """The call, while no other thread makes one for the same object.

    One lock for each object: the work of one may wait for an event that a thread sets later, which
    changes other objects before.
    """
    key = id(thing)
    with _table:
        turn = _turns.setdefault(key, _Turn())
        turn.users += 1
    try:
        with turn.lock:
            return call(*args)
    finally:
        with _table:
            turn.users -= 1
            if not turn.users and _turns.get(key) is turn:
                del _turns[key]
