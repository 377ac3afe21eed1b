"""Attributes of arrays that programs for NumPy and dpnp look at."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from isthmus import _isthmus


@dataclass(frozen=True, slots=True)
class Flags:
    """Memory layout of an array, by NumPy's names: flags.c_contiguous, flags["C_CONTIGUOUS"]."""

    c_contiguous: bool
    f_contiguous: bool
    writeable: bool

    def __setitem__(self, name: str, value: object) -> None:
        raise TypeError(_cannot_be_set(name))

    @property
    def contiguous(self) -> bool:
        """c_contiguous."""
        return self.c_contiguous

    @property
    def forc(self) -> bool:
        """Either of the two."""
        return self.c_contiguous or self.f_contiguous

    @property
    def fnc(self) -> bool:
        """f_contiguous and not c_contiguous."""
        return self.f_contiguous and not self.c_contiguous

    @property
    def writable(self) -> bool:
        """writeable, as dpctl spells it."""
        return self.writeable

    @property
    def aligned(self) -> bool:
        """True: arrays of Isthmus are."""
        return True

    def __getitem__(self, name: str) -> bool:
        short = {"C": "c_contiguous", "F": "f_contiguous", "W": "writeable", "A": "aligned"}
        known = {*short.values(), "contiguous", "forc", "fnc", "writable"}
        found = short.get(name, name.lower()) if isinstance(name, str) else ""
        if found not in known:
            raise KeyError(f"flags: {name!r} is none of {', '.join(sorted(map(str.upper, known)))}")
        return bool(getattr(self, found))


def _cannot_be_set(name: str) -> str:
    return (
        f"flags: {name} cannot be set; use instead: isthmus.broadcast_to(x, x.shape), a read-only "
        "view, or x.copy(), which is writable"
    )


def _refuse_flag(self: Flags, name: str, value: object) -> None:
    raise AttributeError(_cannot_be_set(name), name=name, obj=self)


setattr(Flags, "__setattr__", _refuse_flag)  # noqa: B010  # the decorator would not have its own


def _flags(self: Any) -> Flags:
    """The memory layout of the elements, and whether they are writable."""
    return Flags(*_isthmus._is_contiguous(self), not self.is_read_only)


def _tobytes(self: Any, order: str = "C") -> bytes:
    """A copy of all elements as bytes, row by row; order "F": column by column. Waits."""
    copied: bytes = self.to_numpy().tobytes(order)
    return copied


def _require_sycl(x: Any, name: str) -> None:
    if x.device.backend != "sycl":
        raise AttributeError(f"{name}: the array is on {x.device}; only arrays of sycl have one")


def _sycl_queue(self: Any) -> Any:
    """For arrays of sycl: the queue that the memory was imported with, else this thread's current
    queue; a dpctl.SyclQueue once dpctl has been imported. Evaluates nothing.

    Raises: AttributeError on other devices.
    """
    from isthmus.memory import _as_dpctl

    _require_sycl(self, "sycl_queue")
    return _as_dpctl("SyclQueue", _isthmus._queue_of(self))


def _usm_type(self: Any) -> str:
    """For arrays of sycl: 'device', 'shared' or 'host'; 'unknown' for host memory that is not USM.
    Evaluates nothing.

    Raises: AttributeError on other devices.
    """
    _require_sycl(self, "usm_type")
    if self.is_pending:
        kind: str = self.device.info["memory_kinds"][0]
        return kind
    return _isthmus._usm_type(self, None)


# What NumPy's arrays let a program set: what does that here.
SET_BY = {
    "T": "x.T[...] = values",
    "dtype": "x = x.astype(dtype), or x.view(dtype) of its bytes",
    "shape": "x = x.reshape(shape)",
    "strides": "x[a:b:c], transpose, broadcast_to and sliding_window_view",
}


def _refusal(text: str, name: str) -> Any:
    def refuse(self: Any, value: Any) -> None:
        raise AttributeError(text, name=name, obj=self)

    return refuse


def refuse_to_set(array: type[Any], kind: str, instead: Mapping[str, str]) -> None:
    """Has properties of the class say what would do where they are set."""
    for name, advice in instead.items():
        attribute = getattr(array, name)
        refuse = _refusal(f"{name} of {kind} cannot be set; use instead: {advice}", name)
        setattr(array, name, property(attribute.fget, refuse, doc=attribute.__doc__))


def install(array: type[Any]) -> None:
    """Adds the attributes above to the class."""
    refuse_to_set(array, "an isthmus.Array", SET_BY)
    for name, get in (("flags", _flags), ("sycl_queue", _sycl_queue), ("usm_type", _usm_type)):
        get.__name__, get.__qualname__ = name, f"Array.{name}"
        setattr(array, name, property(get, doc=inspect.cleandoc(get.__doc__ or "")))
    _tobytes.__name__, _tobytes.__qualname__ = "tobytes", "Array.tobytes"
    array.tobytes = _tobytes
