"""The table of DLPack's C exchange API as ctypes sees it: ours, and those of made-up peers."""

from __future__ import annotations

import ctypes
import importlib
import sys
from pathlib import Path
from typing import Any

# what the tests ask for on purpose, the annotations forbid
isthmus: Any = importlib.import_module("isthmus")

sys.path.insert(0, str(Path(__file__).parent))
malformed = importlib.import_module("malformed")

SET_ERROR = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)
NAME = b"dlpack_exchange_api"


class Table(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("previous", ctypes.c_void_p),
        (
            "allocate",
            ctypes.PYFUNCTYPE(
                ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, SET_ERROR
            ),
        ),
        ("from_object", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)),
        ("to_object", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)),
        ("borrow", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)),
        (
            "stream",
            ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p),
        ),
    )

    def set(self, name: str, function: Any) -> None:
        """Makes a Python function one of the table's."""
        setattr(self, name, type(getattr(self, name))(function))


_get = ctypes.pythonapi.PyCapsule_GetPointer
_get.restype, _get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_new = ctypes.pythonapi.PyCapsule_New
_new.restype = ctypes.py_object
_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def ours() -> Any:
    return Table.from_address(_get(isthmus.Array.__dlpack_c_exchange_api__, NAME))


def capsule_of(table: Table) -> Any:
    """What a peer's type has as an attribute; the table must outlive it."""
    return _new(ctypes.addressof(table), NAME, None)


def put(out: int, pointer: int | None) -> int:
    """Answers a call by a pointer; the status of success."""
    ctypes.c_void_p.from_address(out).value = pointer
    return 0


def managed_of(x: Any) -> Any:
    """An owning tensor of ours."""
    out = ctypes.c_void_p()
    assert ours().from_object(x, ctypes.addressof(out)) == 0
    return malformed.Versioned.from_address(out.value)


def borrowed_of(x: Any) -> Any:
    tensor = malformed.DLTensor()
    assert ours().borrow(x, ctypes.addressof(tensor)) == 0
    return tensor


def array_of(managed: Any) -> Any:
    """Ours of an owning tensor, which is taken over."""
    out = ctypes.py_object()
    assert ours().to_object(ctypes.addressof(managed), ctypes.addressof(out)) == 0
    array = out.value
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(array))  # the call gave us a reference
    return array


def stream_of(device: tuple[int, int]) -> int | None:
    out = ctypes.c_void_p(7)
    assert ours().stream(*device, ctypes.addressof(out)) == 0
    return out.value
