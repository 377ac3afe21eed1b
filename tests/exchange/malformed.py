"""DLPack capsules made by hand, good or bad in one field, that count what becomes of them."""

from __future__ import annotations

import ctypes
from typing import Any

VERSIONED, LEGACY = b"dltensor_versioned", b"dltensor"


class DLTensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", DELETER),
        ("flags", ctypes.c_uint64),
        ("tensor", DLTensor),
    )


class Managed(ctypes.Structure):
    _fields_ = (("tensor", DLTensor), ("manager_ctx", ctypes.c_void_p), ("deleter", DELETER))


_new = ctypes.pythonapi.PyCapsule_New
_new.restype = ctypes.py_object
_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_name = ctypes.pythonapi.PyCapsule_GetName
_name.restype = ctypes.c_char_p
_name.argtypes = [ctypes.py_object]


class Producer:
    """Twelve doubles 0.0 to 11.0 as a tensor of shape (3, 4). `legacy` says which form."""

    def __init__(self, legacy: bool = False) -> None:
        self.memory = (ctypes.c_double * 12)(*range(12))
        self.shape = (ctypes.c_int64 * 2)(3, 4)
        self.strides = (ctypes.c_int64 * 2)(4, 1)
        self.deleted = 0
        self.name = LEGACY if legacy else VERSIONED
        self.managed: Any = Managed() if legacy else Versioned(1, 3)
        self.managed.deleter = self.keep = DELETER(self._delete)
        self.managed.tensor = DLTensor(
            ctypes.addressof(self.memory), 1, 0, 2, 2, 64, 1, self.shape, self.strides, 0
        )
        self.capsule: Any = None

    def _delete(self, _: int) -> None:
        self.deleted += 1

    @property
    def tensor(self) -> Any:
        return self.managed.tensor

    def capsule_name(self) -> bytes:
        name: bytes = _name(self.capsule)
        return name

    def __dlpack_device__(self) -> tuple[int, int]:
        return (self.tensor.device_type, self.tensor.device_id)

    def __dlpack__(self, **_: object) -> object:
        if self.capsule is None:
            self.capsule = _new(ctypes.addressof(self.managed), self.name, None)
        return self.capsule
