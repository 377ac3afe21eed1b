"""NumPy's orders, stable and in both directions; NaN comes last in both."""

from __future__ import annotations

from typing import Any

import numpy as np


def comparable(values: Any) -> Any:
    """The same in a dtype that NumPy sorts: bfloat16 is not NumPy's own."""
    return values.astype(np.float32) if values.dtype.name == "bfloat16" else values


def reversed_keys(values: Any) -> Any:
    """Keys in the opposite order, equal where the values are; NaN stays NaN."""
    return ~values if values.dtype.kind in "biu" else -values


def numpys_argsort(values: Any, axis: int = -1, descending: bool = False) -> Any:
    keys = comparable(values)
    if keys.dtype.kind != "c":
        return np.argsort(reversed_keys(keys) if descending else keys, axis=axis, kind="stable")
    if not descending:
        return np.argsort(keys, axis=axis, kind="stable")
    # numbers with NaN in them come behind those without, those with a NaN as real part last
    kind = 2 * np.isnan(keys.real) + np.isnan(keys.imag)
    return np.lexsort((-keys.imag, -keys.real, kind), axis=axis)


def numpys_sort(values: Any, axis: int = -1, descending: bool = False) -> Any:
    return np.take_along_axis(values, numpys_argsort(values, axis, descending), axis)
