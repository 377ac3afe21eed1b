"""NumPy's other names for functions that Isthmus has, and the nearest for those that it has not."""

from __future__ import annotations

import difflib
from typing import Any

import numpy as np

from isthmus import _isthmus

# NumPy's name: ours.
SPELLINGS = {
    "absolute": "abs",
    "alltrue": "all",
    "amax": "max",
    "amin": "min",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "around": "round",
    "asanyarray": "asarray",
    "bitwise_not": "bitwise_invert",
    "bool_": "bool",
    "cdouble": "complex128",
    "concatenate": "concat",
    "conjugate": "conj",
    "csingle": "complex64",
    "double": "float64",
    "fabs": "abs",
    "fix": "trunc",
    "half": "float16",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "mod": "remainder",
    "power": "pow",
    "product": "prod",
    "right_shift": "bitwise_right_shift",
    "rint": "round",
    "row_stack": "vstack",
    "single": "float32",
    "sometrue": "any",
    "true_divide": "divide",
}

# NumPy's name: what does the same here, perhaps with other arguments.
INSTEAD = {
    "array_split": "split",
    "column_stack": "stack(arrays, axis=1)",
    "compress": "x[mask]",
    "delete": "x[mask]",
    "dstack": "stack(arrays, axis=2)",
    "ediff1d": "diff",
    "extract": "x[mask]",
    "fliplr": "flip(x, axis=1)",
    "flipud": "flip(x, axis=0)",
    "histogram_bin_edges": "histogram(x)[1]",
    "hsplit": "split(x, n, axis=1)",
    "in1d": "isin",
    "msort": "sort(x, axis=0)",
    "place": "x[mask] = values",
    "ptp": "min_max",
    "putmask": "x[mask] = values",
    "rollaxis": "moveaxis",
    "sort_complex": "sort",
    "union1d": "unique_values(concat(arrays))",
    "unique": "unique_values, unique_counts, unique_inverse and unique_all",
    "vsplit": "split(x, n)",
}


def array(
    obj: Any, dtype: Any = None, *, copy: bool | None = True, device: Any = None
) -> _isthmus.Array:
    """NumPy's name for asarray(obj, copy=True). Returns: new memory, unless copy is None or False.

    Raises: as asarray.
    """
    return _isthmus.asarray(obj, dtype=dtype, copy=copy, device=device)


def transpose(x: _isthmus.Array, axes: Any = None) -> _isthmus.Array:
    """NumPy's name for permute_dims; without axes in reverse order. Returns: a view."""
    return _isthmus.Array.transpose(x, axes)


def ravel(x: _isthmus.Array, order: str = "C") -> _isthmus.Array:
    """All elements in one row. Returns: a view where they lie in that order, else new memory."""
    return _isthmus.Array.ravel(x, order)


def swapaxes(x: _isthmus.Array, axis1: int, axis2: int) -> _isthmus.Array:
    """Two axes swapped. Returns: a view."""
    return _isthmus.Array.swapaxes(x, axis1, axis2)


def copy(x: _isthmus.Array) -> _isthmus.Array:
    """A copy. Returns: new memory; pending."""
    return _isthmus.Array.copy(x)


def cumsum(x: _isthmus.Array, axis: int | None = None, dtype: Any = None) -> _isthmus.Array:
    """NumPy's cumulative_sum; without an axis of all elements in row-major order.

    Returns: new memory, pending. Raises: as cumulative_sum.
    """
    return _isthmus.Array.cumsum(x, axis, dtype)


def cumprod(x: _isthmus.Array, axis: int | None = None, dtype: Any = None) -> _isthmus.Array:
    """NumPy's cumulative_prod; without an axis of all elements in row-major order.

    Returns: new memory, pending. Raises: as cumulative_prod.
    """
    return _isthmus.Array.cumprod(x, axis, dtype)


FUNCTIONS = {f.__name__: f for f in (array, transpose, ravel, swapaxes, copy, cumsum, cumprod)}


def own_name(name: str) -> str | None:
    """What a function of NumPy is called here; None for what there is not."""
    import isthmus

    ours = SPELLINGS.get(name, name)
    return ours if ours in isthmus.__all__ or ours in FUNCTIONS else None


# Methods of arrays that NumPy's functions would call, too.
STATISTICS = ("argmax", "argmin", "mean", "std", "var")


def is_calculation(name: str) -> bool:
    """Whether a function of NumPy calculates what an operation or reduction here does."""
    ours = SPELLINGS.get(name, name)
    rows = (*_isthmus.op_table, *_isthmus.reduction_table)
    return ours in STATISTICS or any(row["name"] == ours and not row["space"] for row in rows)


def find(name: str) -> Any:
    """For the module's __getattr__. Raises: AttributeError, with the nearest names there are."""
    import isthmus

    if name in FUNCTIONS:
        return FUNCTIONS[name]
    if name in SPELLINGS:
        return getattr(isthmus, SPELLINGS[name])
    of_numpy = getattr(np, name, None)
    if name in INSTEAD:
        advice = f"; in its place: {INSTEAD[name]}"
    elif isinstance(of_numpy, type):
        advice = "; isthmus.Array is the class of arrays, isthmus.float32 and others are dtypes"
    elif callable(of_numpy):  # a name near it would be of something else
        advice = f"; x.to_numpy() is an array that numpy.{name} takes"
    else:
        known = {*isthmus.__all__, *SPELLINGS, *FUNCTIONS}
        near = [n for n in difflib.get_close_matches(name, known, 3, 0.7) if not n.startswith("_")]
        advice = f"; near it are: {', '.join(near)}" if near else ""
    raise AttributeError(
        f"module 'isthmus' has no attribute {name!r}{advice}", name=name, obj=isthmus
    )


def refusal(name: str, inputs: tuple[Any, ...]) -> str:
    """Why a function of NumPy does not take arrays of ours, and what would do."""
    others = [x for x in inputs if not isinstance(x, _isthmus.Array)]
    arrays = [x for x in others if isinstance(x, np.ndarray)]
    ours = own_name(name)
    if ours and arrays and len(arrays) < len(inputs):
        return (
            f"{name}: one operand is a numpy.ndarray, the other an isthmus.Array; "
            "isthmus.asarray(a) makes the first one of ours without a copy, x.to_numpy() the "
            "second one of NumPy's"
        )
    instead = f"isthmus.{ours} does, and " if ours else ""
    what = f"numpy.{name} does not take an isthmus.Array"
    return f"{what}; {instead}x.to_numpy() is the array as NumPy's"
