"""How drivers are made to fail: any call of any driver, and the commands of the null backend, by
its control table (isthmus/backend/null/control.h), called through ctypes."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

from isthmus import _isthmus

# Values of isthmus::Errc (isthmus/base/error.h); the tests see the class of the exception.
OUT_OF_MEMORY, LAUNCH = 12, 14
_int64 = ctypes.c_int64


class _Table(ctypes.Structure):
    """The first entries, in their order."""

    _fields_ = (
        ("set_fail_at", ctypes.CFUNCTYPE(None, _int64, ctypes.c_bool, ctypes.c_int)),
        ("calls_so_far", ctypes.CFUNCTYPE(_int64)),
        ("set_command_fail_at", ctypes.CFUNCTYPE(None, _int64, ctypes.c_bool, ctypes.c_int)),
        ("commands_so_far", ctypes.CFUNCTYPE(_int64)),
        ("set_hook", ctypes.c_void_p),
        ("records", ctypes.c_void_p),
        ("clear_records", ctypes.c_void_p),
        ("set_seed", ctypes.CFUNCTYPE(None, ctypes.c_uint64)),
        ("set_delay", ctypes.CFUNCTYPE(None, _int64)),
        *((name, ctypes.c_void_p) for name in ("make_context", "drop_context", "make_queue")),
        *((name, ctypes.c_void_p) for name in ("drop_queue", "drop_event", "live_objects")),
        ("set_lost", ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_bool)),
    )


def table() -> _Table:
    """Of the null backend's devices, which share it."""
    address = _isthmus._library("null:1", "null.control")
    assert address, "the null backend has no control table"
    return _Table.from_address(address)


@contextmanager
def failing_calls(nth: int, *, sticky: bool = False, code: int = LAUNCH) -> Iterator[None]:
    """The nth driver call from here fails, whatever the driver, and all after it if sticky."""
    _isthmus._fail_calls(nth, sticky, code)
    try:
        yield
    finally:
        _isthmus._fail_calls(0, False, code)


@contextmanager
def lost(name: str) -> Iterator[None]:
    """The null device of this name refuses all work, and what it had not done yet fails."""
    number = int(name.removeprefix("null:"))
    table().set_lost(number, True)
    try:
        yield
    finally:
        table().set_lost(number, False)


@contextmanager
def failing_commands(nth: int, *, sticky: bool = False, code: int = LAUNCH) -> Iterator[None]:
    """The nth command from here fails while it runs on its queue."""
    control = table()
    control.set_command_fail_at(nth, sticky, code)
    try:
        yield
    finally:
        control.set_command_fail_at(0, False, code)
