"""How arrays look, travel and behave in Python beyond what the core binds."""

from __future__ import annotations

from typing import Any

import numpy as np

from isthmus import _isthmus


def _host(x: Any) -> np.ndarray[Any, Any]:
    """The elements as a NumPy array, copied from the device if need be."""
    return np.asarray(x.to_device("cpu"))


def _repr(self: Any) -> str:
    if self.size == 0:
        body = f"[], shape={self.shape}"
    else:
        body = np.array2string(_host(self), separator=", ", prefix="isthmus.array(")
    dtype = "" if str(self.dtype) in ("float64", "int64", "bool") else f", dtype={self.dtype}"
    return f"isthmus.array({body}{dtype}, device='{self.device}')"


def _str(self: Any) -> str:
    return str(_host(self))


def _format(self: Any, spec: str) -> str:
    return format(self.item(), spec) if self.ndim == 0 else format(str(self), spec)


def _iter(self: Any) -> Any:
    if self.ndim == 0:
        raise TypeError("iter: an array without axes has no elements to go through")
    return (self[i] for i in range(len(self)))


def _contains(self: Any, value: Any) -> bool:
    return bool(_isthmus.any(self == value))


def _reduce(self: Any) -> tuple[Any, ...]:
    return _restore, (_host(self), str(self.device))


def _restore(data: np.ndarray[Any, Any], device: str) -> Any:
    """An unpickled array: on its device if there is such a one, which must not be guessed."""
    return _isthmus.asarray(data, device=device, copy=True)


def _tolist(self: Any) -> Any:
    """The elements as nested lists of Python numbers. Waits."""
    return _host(self).tolist()


def _namespace(self: Any, /, *, api_version: str | None = None) -> Any:
    """The module isthmus. Raises: ValueError for a version of the standard that it does not know.

    Source: Array API 2025.12.
    """
    known = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
    if api_version is not None and api_version not in known:
        raise ValueError(f"__array_namespace__: version {api_version!r} is none of {known}")
    import isthmus

    return isthmus


def install(array: type[Any]) -> None:
    """Adds the methods above to the class."""
    added = {
        "__repr__": _repr,
        "__str__": _str,
        "__format__": _format,
        "__iter__": _iter,
        "__contains__": _contains,
        "__reduce__": _reduce,
        "__array_namespace__": _namespace,
        "tolist": _tolist,
        "__array_ufunc__": None,  # NumPy's operators leave mixed operands to us, which refuse them
        "__array_priority__": 1000,
    }
    for name, value in added.items():
        setattr(array, name, value)
