"""Ndarrays as objects with one protocol of the host and no other; what a capsule points to."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from tests.exchange import malformed


class Capsule:
    """Has DLPack's methods, of anything that has them, and writes down how they are called."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.asked: list[dict[str, Any]] = []

    def __dlpack__(self, **given: Any) -> Any:
        self.asked.append(given)
        return self.array.__dlpack__(**given)

    def __dlpack_device__(self) -> tuple[int, int]:
        device: tuple[int, int] = self.array.__dlpack_device__()
        return device


class Interface:
    """Has __array_interface__, with changes."""

    def __init__(self, a: Any, **changes: object) -> None:
        self.keep = a
        self.__array_interface__: Any = {**a.__array_interface__, **changes}


class Method:
    """Has __array__ as NumPy 2 wants it."""

    def __init__(self, a: Any) -> None:
        self.a = a

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Any:
        return self.a


ONLY: dict[str, Callable[[Any], Any]] = {
    "ndarray": lambda a: a,
    "dlpack": Capsule,
    "buffer_protocol": memoryview,
    "array_interface": Interface,
    "array_method": Method,
}


def capsule_name(capsule: object) -> str:
    return str(capsule).split('"')[1]


def head_of(capsule: object) -> Any:
    """The managed tensor, which lives as long as the capsule."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    name = capsule_name(capsule)
    kind = malformed.Managed if name == "dltensor" else malformed.Versioned
    return kind.from_address(get(capsule, name.encode()))
