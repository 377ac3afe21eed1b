"""How arrays look, travel and behave in Python beyond what the core binds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from isthmus import _isthmus


def _check_numpy_has(x: Any, who: str) -> None:
    """Raises: ValueError. NumPy counts the bytes of those axes that have elements; we count all."""
    if x.size == 0 and math.prod(filter(None, x.shape)) * x.itemsize >= 1 << 63:
        raise ValueError(
            f"{who}: NumPy has no arrays of the shape {x.shape}, even without elements: the axes "
            "that are not 0 must have less than 2^63 bytes"
        )


def _host(x: Any, who: str = "to_numpy") -> np.ndarray[Any, Any]:
    """The elements as a NumPy array, copied from the device if need be."""
    _check_numpy_has(x, who)
    _isthmus._wait(x)
    return np.asarray(x.to_device("cpu"))


def _is_summarised(self: Any) -> bool:
    return bool(self.size > np.get_printoptions()["threshold"])


def _shown(self: Any) -> np.ndarray[Any, Any]:
    """What NumPy prints of a large array, on the host: so little that the rest is dots.

    NumPy looks at the outer elements alone and puts dots between them where an axis has more; one
    element more in each such axis is enough for that, and the others stay where they are.
    """
    edge = np.get_printoptions()["edgeitems"]
    for axis, extent in enumerate(self.shape):
        if extent > 2 * edge + 1:
            front = (slice(None),) * axis
            parts = self[(*front, slice(edge + 1))], self[(*front, slice(extent - edge, None))]
            self = _isthmus.concat(parts, axis=axis)
    return _host(self)


def _text(self: Any, separator: str, prefix: str) -> str:
    is_there = self.device.backend == "cpu"  # a view, of which nothing moves
    if self.size == 0:  # NumPy refuses some shapes of that size
        return "[]"
    if is_there or not _is_summarised(self):
        return np.array2string(_host(self), separator=separator, prefix=prefix)
    return np.array2string(_shown(self), separator=separator, prefix=prefix, threshold=0)


def _repr(self: Any) -> str:
    """The elements as NumPy prints them, the dtype unless default, and the device. Waits."""
    body = _text(self, ", ", "isthmus.array(")
    shape = f", shape={self.shape}" if self.size == 0 or _is_summarised(self) else ""
    dtype = "" if str(self.dtype) in ("float64", "int64", "bool") else f", dtype={self.dtype}"
    return f"isthmus.array({body}{shape}{dtype}, device='{self.device}')"


def _str(self: Any) -> str:
    """The elements as NumPy prints them; of a large array only the outer ones. Waits for it."""
    is_short = self.size and not _is_summarised(self)
    return str(_host(self)) if is_short else _text(self, " ", "")


def _format(self: Any, spec: str) -> str:
    """Formats the only element, or the text of str() if there are more elements or none. Waits.

    Raises: TypeError for a number format unless there is exactly one element.
    """
    is_number = self.size == 1 and self.dtype.names is None
    if spec and is_number:
        return format(self.item(), spec)
    try:
        return format(str(self), spec)
    except ValueError:
        raise TypeError(
            f"format: '{spec}' is for one number, but the array has {self.size} elements; "
            "numpy.array2string(x.to_numpy(), ...) formats each of them"
        ) from None


def _iter(self: Any) -> Any:
    """Views along the first axis, one after the other.

    Raises: TypeError for a 0-d array.
    """
    if self.ndim == 0:
        raise TypeError("iter: cannot iterate over a 0-d array")
    return (self[i] for i in range(len(self)))


def _reversed(self: Any) -> Any:
    """Views along the first axis, the last one first.

    Raises: TypeError for a 0-d array.
    """
    if self.ndim == 0:
        raise TypeError("reversed: cannot iterate over a 0-d array")
    return (self[i] for i in range(len(self) - 1, -1, -1))


def _contains(self: Any, value: Any) -> bool:
    """Whether any element is equal to the value. Waits for the result."""
    found = self == value
    return bool(_isthmus.any(found)) if isinstance(found, type(self)) else bool(found)


def _reduce(self: Any) -> tuple[Any, ...]:
    """For pickle: the elements and the name of the device. Waits for them."""
    return _restore, (_host(self, "pickle"), str(self.device))


def _to_numpy(self: Any) -> np.ndarray[Any, Any]:
    """The elements as a numpy.ndarray.

    Returns: a view if the host can access the memory, else a copy. Waits: for its value.
    """
    _check_numpy_has(self, "to_numpy")
    return np.asarray(self) if _isthmus._is_host_reachable(self) else _host(self)


def _restore(data: np.ndarray[Any, Any], device: str) -> Any:
    """An unpickled array: on its device if there is such a one, which must not be guessed."""
    return _isthmus.asarray(data, device=device, copy=True)


def _tolist(self: Any) -> Any:
    """What NumPy's tolist() gives, of structs and of arrays without elements."""
    return _host(self, "tolist").tolist()


def _namespace(self: Any, /, *, api_version: str | None = None) -> Any:
    """The module isthmus. Raises: ValueError for an unsupported version of the standard.

    Source: Array API 2025.12.
    """
    known = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
    if api_version is not None and api_version not in known:
        raise ValueError(f"__array_namespace__: version {api_version!r} is none of {known}")
    import isthmus

    return isthmus


def install(array: type[Any]) -> None:
    """Adds the methods above to the class."""
    added: dict[str, Any] = {
        "__repr__": _repr,
        "__str__": _str,
        "__format__": _format,
        "__iter__": _iter,
        "__reversed__": _reversed,
        "__contains__": _contains,
        "__reduce__": _reduce,
        "__array_namespace__": _namespace,
        "to_numpy": _to_numpy,
        "__array_priority__": 1000,
    }
    for name, value in added.items():
        if callable(value):  # errors of a wrong call name what the user wrote
            value.__name__, value.__qualname__ = name, f"Array.{name}"
        setattr(array, name, value)
