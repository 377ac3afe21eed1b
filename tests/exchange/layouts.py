"""Every layout that an array can have, as NumPy arrays and as arrays of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus

Array = isthmus.Array
NumpyArray = np.ndarray[Any, Any]

# Each makes a view of 24 numbers in a row: what is the same index expression for both libraries.
VIEWS: dict[str, Callable[[Any], Any]] = {
    "row_major": lambda line: line,
    "zero_dimensional": lambda line: line[0, 1, 2],
    "size_zero": lambda line: line[:, 1:1],
    "offset": lambda line: line[1:, 1:, 2:],
    "negative": lambda line: line[::-1, :, ::-1],
    "not_collapsible": lambda line: line[:, ::2, ::2],
    "one_long": lambda line: line[:1, :, 1:2],
    "new_axis": lambda line: line[:, None],
}


def numpy_layouts(dtype: str = "float32") -> dict[str, NumpyArray]:
    made: dict[str, NumpyArray] = {}
    for name, view in VIEWS.items():
        made[name] = view(np.arange(24).astype(dtype).reshape(2, 3, 4))
        if not isinstance(made[name], np.ndarray):
            made[name] = np.arange(24).astype(dtype).reshape(2, 3, 4)[0, 1, 2, ...]
    made["column_major"] = np.asfortranarray(np.arange(24).astype(dtype).reshape(2, 3, 4))
    made["zero_stride"] = np.broadcast_to(np.arange(3).astype(dtype), (4, 3))
    return made


def our_layouts(dtype: str = "float32", device: str = "cpu") -> dict[str, Array]:
    made: dict[str, Array] = {}
    for name, view in VIEWS.items():
        line = isthmus.reshape(isthmus.arange(24, dtype=dtype, device=device), (2, 3, 4))
        made[name] = view(line.eval())
    matrix = isthmus.reshape(isthmus.arange(24, dtype=dtype, device=device), (4, 3, 2)).eval()
    made["column_major"] = isthmus.permute_dims(matrix, (2, 1, 0))
    row = isthmus.arange(3, dtype=dtype, device=device).eval()
    made["zero_stride"] = isthmus.broadcast_to(row, (4, 3))
    return made


NAMES = (*VIEWS, "column_major", "zero_stride")

# Records without padding and their fields: the array, and what is said of it if it is refused.
PACKED: dict[str, tuple[Callable[[], NumpyArray], str]] = {
    "records": (lambda: np.zeros(4, "i1, f8"), ""),
    "records_apart": (lambda: np.zeros(8, "i1, f8, (2,)f4")[::-2], ""),
    "bytes_field": (lambda: np.zeros(4, "i1, f8")["f0"], ""),
    "whole_elements_field": (lambda: np.zeros(4, "f4, f4")["f1"], ""),
    "fraction_field": (lambda: np.zeros(4, "i1, f8")["f1"], "strides: 9 bytes"),
    "misaligned_field": (lambda: np.zeros(4, "i1, f4, (3,)i1")["f1"], "data: 0x.* misaligned"),
}


def address(x: NumpyArray) -> int:
    """Of the first element."""
    found: int = x.__array_interface__["data"][0]
    return found


def root_of(x: NumpyArray) -> NumpyArray:
    """The ndarray at the end of its bases."""
    view = x
    while isinstance(view.base, np.ndarray):
        view = view.base
    return view


def write_through(x: NumpyArray, value: float) -> None:
    """Writes, whether or not the view is allowed to."""
    root_of(x)[...] = value


def is_shared(x: Array) -> bool:
    return str(isthmus.explain(x).reason).startswith("shared")


def assert_one_memory(x: Array, a: NumpyArray) -> None:
    """By address, and by writes of either side, where it may write, that the other sees."""
    assert x.shape == a.shape
    assert x.is_read_only == (not a.flags.writeable)
    if a.size == 0:
        return
    assert address(np.asarray(x)) == address(a)
    if root_of(a).flags.writeable:
        write_through(a, 77)
        assert bool(isthmus.all(x == 77))
    if x.is_read_only:
        with pytest.raises(ValueError, match="read-only"):
            x[...] = 78
    else:
        x[...] = 78
        assert np.all(a == 78)
