"""Every layout that an array can have, as NumPy arrays and as arrays of ours."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

# what the tests ask for on purpose, the annotations forbid
isthmus: Any = importlib.import_module("isthmus")


Array = Any
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


def our_layouts(dtype: str = "float32") -> dict[str, Array]:
    made: dict[str, Array] = {}
    for name, view in VIEWS.items():
        line = isthmus.reshape(isthmus.arange(24, dtype=dtype), (2, 3, 4))
        made[name] = view(line.eval())
    matrix = isthmus.reshape(isthmus.arange(24, dtype=dtype), (4, 3, 2)).eval()
    made["column_major"] = isthmus.permute_dims(matrix, (2, 1, 0))
    made["zero_stride"] = isthmus.broadcast_to(isthmus.arange(3, dtype=dtype).eval(), (4, 3))
    return made


NAMES = (*VIEWS, "column_major", "zero_stride")


def address(x: NumpyArray) -> int:
    """Of the first element."""
    found: int = x.__array_interface__["data"][0]
    return found


def write_through(x: NumpyArray, value: float) -> None:
    """Writes, whether or not the view is allowed to."""
    view = x
    while isinstance(view.base, np.ndarray):
        view = view.base
    view[...] = value


def exports_of(x: Array) -> str:
    return str(isthmus.explain(x).reason)
