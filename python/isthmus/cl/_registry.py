"""Names of C types and their dtypes."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np


class TypeNameNotKnown(RuntimeError):  # pyopencl's name
    """A C type for which no dtype is registered."""


_by_name: dict[str, np.dtype[Any]] = {}
_by_dtype: dict[np.dtype[Any], str] = {}

_INTEGERS = (
    (np.int8, ("char", "signed char", "int8_t")),
    (np.uint8, ("uchar", "unsigned char", "uint8_t")),
    (np.int16, ("short", "signed short", "short int", "signed short int", "short signed int")),
    (np.uint16, ("ushort", "unsigned short", "unsigned short int", "short unsigned int")),
    (np.int32, ("int", "signed int", "signed", "int32_t")),
    (np.uint32, ("uint", "unsigned", "unsigned int", "uint32_t")),
    (np.int64, ("long", "long int", "signed long", "signed long int", "long signed int")),
    (np.uint64, ("ulong", "unsigned long", "unsigned long int", "long unsigned int", "size_t")),
)
_OTHERS = (
    (np.bool_, ("bool",)),
    (np.float16, ("half",)),
    (np.float32, ("float",)),
    (np.float64, ("double",)),
    (np.complex64, ("cfloat_t",)),
    (np.complex128, ("cdouble_t",)),
    (np.intp, ("intptr_t", "ptrdiff_t")),
    (np.uintp, ("uintptr_t",)),
)


def get_or_register_dtype(names: str | Sequence[str], dtype: Any = None) -> np.dtype[Any]:
    """The dtype of C type names; registered for them first, if one is given.

    Returns: the dtype object that was registered first, of equal ones.
    Raises: TypeNameNotKnown for names without a dtype; RuntimeError for a name that has another;
    ValueError for no names.
    Source: pyopencl 2026.1, get_or_register_dtype.
    """
    names = [names] if isinstance(names, str) else list(names)
    if not names or not all(isinstance(name, str) for name in names):
        raise ValueError(f"get_or_register_dtype: {names}; expected one or more names of a C type")
    if dtype is None:
        found = {_known_name(name) for name in names}
        if len(found) != 1:
            raise RuntimeError(f"get_or_register_dtype: {names} are names of several types")
        return found.pop()
    wanted: np.dtype[Any] = np.dtype(dtype)
    known: str | None = _by_dtype.get(wanted)
    if known is not None:
        wanted = _by_name[known]
    for name in names:
        if _by_name.setdefault(name, wanted) != wanted:
            raise RuntimeError(f"get_or_register_dtype: {name} is {_by_name[name]}, not {wanted}")
    _by_dtype.setdefault(wanted, names[0])
    return wanted


def _known_name(name: str) -> np.dtype[Any]:
    if name in _by_name:
        return _by_name[name]
    theirs = _pyopencl_registry()
    if theirs is not None and name in theirs.name_to_dtype:
        found: np.dtype[Any] = theirs.name_to_dtype[name]
        return found
    raise TypeNameNotKnown(f"no dtype is registered for the C type {name!r}")


def _pyopencl_registry() -> Any:
    """What the program registered with pyopencl.tools, if it uses that."""
    module = sys.modules.get("pyopencl.compyte.dtypes")
    return None if module is None else module.TYPE_REGISTRY


def names_of(dtype: np.dtype[Any]) -> list[str]:
    """All C type names of a dtype; that of dtype_to_ctype is the first."""
    return [name for name, known in _by_name.items() if known == dtype]


def register_dtype(dtype: Any, c_names: str | Sequence[str], alias_ok: bool = False) -> None:
    """As get_or_register_dtype, which replaces it.

    Raises: RuntimeError for a dtype that has a name, unless alias_ok.
    """
    warnings.warn(
        "register_dtype is deprecated, use get_or_register_dtype", DeprecationWarning, stacklevel=2
    )
    known = _by_dtype.get(np.dtype(dtype))
    if known is not None and not alias_ok:
        raise RuntimeError(f"register_dtype: {np.dtype(dtype)} is registered as {known!r}")
    get_or_register_dtype(c_names, dtype)


def dtype_to_ctype(dtype: Any) -> str:
    """A C type name of a dtype. Raises: ValueError for one that has none."""
    if dtype is None:
        raise ValueError("dtype_to_ctype: dtype is None")
    wanted: np.dtype[Any] = np.dtype(dtype)
    found: Any = _by_dtype.get(wanted)
    theirs = None if found is not None else _pyopencl_registry()
    if theirs is not None:
        found = theirs.dtype_to_name.get(wanted)
    if found is None:
        raise ValueError(f"dtype_to_ctype: no C type is registered for {wanted}")
    return str(found)


for _dtype, _names in (*_INTEGERS, *_OTHERS):
    get_or_register_dtype(_names, _dtype)
