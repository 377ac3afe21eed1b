"""The parts of the Array API standard that are about dtypes and shapes, not elements."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Array, Device

_KINDS: dict[str, tuple[str, ...]] = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float32", "float64"),
    "complex floating": ("complex64", "complex128"),
}
_KINDS["integral"] = _KINDS["signed integer"] + _KINDS["unsigned integer"]
_KINDS["numeric"] = _KINDS["integral"] + _KINDS["real floating"] + _KINDS["complex floating"]
_HALVES = ("float16", "bfloat16")


class FInfo(NamedTuple):
    """Limits of a floating dtype; see finfo."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: np.dtype[Any]


class IInfo(NamedTuple):
    """Limits of an integer dtype; see iinfo."""

    bits: int
    max: int
    min: int
    dtype: np.dtype[Any]


def _dtype(value: Any) -> np.dtype[Any]:
    return value.dtype if isinstance(value, Array) else np.dtype(value)


def finfo(type: Any, /) -> FInfo:
    """Limits of a floating dtype, or of the parts of a complex dtype.

    Raises: TypeError for other dtypes.
    Source: Array API 2025.12, finfo.
    """
    dtype = _dtype(type)
    if dtype == _isthmus.bfloat16:
        import ml_dtypes

        brain: Any = ml_dtypes.finfo  # which has no types
        info: Any = brain(dtype)
    elif dtype.kind in "fc":
        info = np.finfo(dtype)
    else:
        raise TypeError(f"finfo: {dtype} is not a floating dtype")
    part = np.dtype(info.dtype)
    return FInfo(
        int(info.bits),
        float(info.eps),
        float(info.max),
        float(info.min),
        float(info.smallest_normal),
        part,
    )


def iinfo(type: Any, /) -> IInfo:
    """Limits of an integer dtype.

    Raises: TypeError for other dtypes.
    Source: Array API 2025.12, iinfo.
    """
    dtype = _dtype(type)
    if dtype.kind not in "iu":
        raise TypeError(f"iinfo: {dtype} is not an integer dtype")
    info = np.iinfo(dtype)
    return IInfo(int(info.bits), int(info.max), int(info.min), dtype)


def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether a dtype is of a kind: a dtype, a name of the standard, or a tuple of them.

    Waits: no. Raises: ValueError for an unknown name.
    Source: Array API 2025.12, isdtype.
    """
    return _is_of_kind("isdtype", _dtype(dtype), kind)


def _is_of_kind(who: str, dtype: np.dtype[Any], kind: Any) -> bool:
    if isinstance(kind, tuple):
        return any(_is_of_kind(who, dtype, one) for one in kind)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ValueError(f"{who}: kind: {kind!r} is none of {', '.join(_KINDS)}")
        names = _KINDS[kind]
        is_half = str(dtype) in _HALVES and kind in ("real floating", "numeric")
        return is_half or str(dtype) in names
    return bool(dtype == np.dtype(kind))


def result_type(*arrays_and_dtypes: Any) -> np.dtype[Any]:
    """The common dtype of all arguments; Python numbers take the dtype of the others.

    Raises: TypeError (PromotionError) if there is none; ValueError for Python numbers alone.
    Source: Array API 2025.12, result_type; NumPy 2 where the standard is silent.
    """
    dtypes = []
    numbers = []
    for one in arrays_and_dtypes:
        if isinstance(one, (bool, int, float, complex)) and not isinstance(one, np.generic):
            numbers.append(one)
        else:
            dtypes.append(_dtype(one))
    if not dtypes:
        raise ValueError("result_type: needs an array or a dtype among its arguments")
    dtypes.sort(key=lambda dtype: dtype.kind in "biu")  # each joins what has fractions by itself
    result: Any = functools.reduce(_isthmus._promote, dtypes)
    for number in numbers:
        result = (_isthmus.zeros((), dtype=result) + _plain(number)).dtype
    found: np.dtype[Any] = np.dtype(result)
    return found


def _plain(number: Any) -> Any:
    """A number of the same kind that fits every dtype of its kind; what bool adds is nothing."""
    return _isthmus.zeros((), dtype="bool") if isinstance(number, bool) else type(number)(0)


def can_cast(from_: Any, to: Any, /) -> bool:
    """Whether promotion alone converts one dtype to the other.

    Source: Array API 2025.12, can_cast.
    """
    source, target = _dtype(from_), _dtype(to)
    try:
        return bool(_isthmus._promote(source, target) == target)
    except _isthmus.PromotionError:
        return False


class __array_namespace_info__:
    """Describes the namespace. Source: Array API 2025.12, inspection."""

    __module__ = "isthmus"

    def capabilities(self) -> dict[str, Any]:
        """Capabilities. Indexing by masks, nonzero and the like wait for the shape of their
        results.
        """
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> Device:
        """The device of new arrays."""
        return _isthmus._default_device()

    def devices(self) -> tuple[Device, ...]:
        """The devices of this machine."""
        return _isthmus._find_devices()[0]

    def default_dtypes(self, *, device: Any = None) -> dict[str, np.dtype[Any]]:
        """The default dtypes of new arrays on a device; single precision if it has no double
        precision.
        """
        double = _isthmus._has_dtype(device, "float64")
        return {
            "real floating": np.dtype("float64" if double else "float32"),
            "complex floating": np.dtype("complex128" if double else "complex64"),
            "integral": np.dtype("int64"),
            "indexing": np.dtype("int64"),
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, np.dtype[Any]]:
        """The dtypes of the standard that a device can calculate in, of one kind or of all."""
        names = ("bool", *_KINDS["numeric"])
        found = {n: np.dtype(n) for n in names if _isthmus._has_dtype(device, n)}
        return {n: d for n, d in found.items() if kind is None or _is_of_kind("dtypes", d, kind)}
