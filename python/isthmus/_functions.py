"""NumPy's functions that are others here by their arguments, under its names."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from isthmus import _isthmus
from isthmus._keywords import worded


def array(
    obj: Any,
    dtype: Any = None,
    *,
    copy: bool | None = True,
    ndmin: int = 0,
    device: Any = None,
) -> _isthmus.Array:
    """NumPy's name for asarray(obj, copy=True). It prepends axes of length 1 until there are
    `ndmin` axes. Returns: new memory, unless copy is None or False.

    Raises: as asarray; TypeError for an ndmin that is not an int, ValueError below 0 or above 64.
    """
    try:
        least = operator.index(ndmin)
    except TypeError:
        raise TypeError(f"array: ndmin: expected an int, not {type(ndmin).__name__}") from None
    if not 0 <= least <= 64:
        raise ValueError(f"array: ndmin is {least}; it must be from 0 to 64")
    made = _isthmus.asarray(obj, dtype=dtype, copy=copy, device=device)
    return made[(None,) * (least - made.ndim) + (...,)] if made.ndim < least else made


def transpose(x: _isthmus.Array, axes: Any = None) -> _isthmus.Array:
    """NumPy's name for permute_dims; without axes, the axes in reverse order. Returns: a view."""
    return _isthmus.Array.transpose(x, axes)


def ravel(x: _isthmus.Array, order: str = "C") -> _isthmus.Array:
    """All elements as a 1-d array. Returns: a view if the elements lie in that order, else new
    memory.
    """
    return _isthmus.Array.ravel(x, order)


def swapaxes(x: _isthmus.Array, axis1: int, axis2: int) -> _isthmus.Array:
    """Two axes swapped. Returns: a view."""
    return _isthmus.Array.swapaxes(x, axis1, axis2)


def copy(x: _isthmus.Array) -> _isthmus.Array:
    """A copy in the memory order of x; x.copy() is row-major. Returns: new memory; pending."""
    return _isthmus.Array.copy(x, "K")


def cumsum(
    x: _isthmus.Array, axis: int | None = None, dtype: Any = None, out: Any = None
) -> _isthmus.Array:
    """NumPy's name for cumulative_sum; without an axis, of all elements in row-major order.

    Returns: new memory, pending, or `out`. Raises: as cumulative_sum.
    """
    return _isthmus.Array.cumsum(x, axis, dtype, out)


def cumprod(
    x: _isthmus.Array, axis: int | None = None, dtype: Any = None, out: Any = None
) -> _isthmus.Array:
    """NumPy's name for cumulative_prod; without an axis, of all elements in row-major order.

    Returns: new memory, pending, or `out`. Raises: as cumulative_prod.
    """
    return _isthmus.Array.cumprod(x, axis, dtype, out)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    f.__name__: worded(f) for f in (array, transpose, ravel, swapaxes, copy, cumsum, cumprod)
}
