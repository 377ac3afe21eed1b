"""Why functions of NumPy and SciPy do not take arrays of ours, and what would do."""

from __future__ import annotations

from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._names import INSTEAD, SPELLINGS, WRITERS, own_name
from isthmus._special_names import instead_of_ufunc

# Methods of arrays that NumPy's functions would call, too.
STATISTICS = ("argmax", "argmin", "mean", "std", "var")


def is_calculation(name: str) -> bool:
    """Whether a function of NumPy calculates what an operation or reduction here does."""
    ours = SPELLINGS.get(name, name)
    rows = (*_isthmus.op_table, *_isthmus.reduction_table)
    return ours in STATISTICS or any(row["name"] == ours and not row["space"] for row in rows)


def why_not_on_the_host(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
    """Why a function of NumPy is not run with arrays of ours as it is; None: it only reads them."""
    if isinstance(kwargs.get("out"), _isthmus.Array):
        return written_by(name)
    if name in WRITERS and args and isinstance(args[0], _isthmus.Array):
        instead = INSTEAD.get(name, f"isthmus.{name}")
        return f"numpy.{name} does not write to an isthmus.Array; use instead: {instead}"
    return refusal(name) if is_calculation(name) else None


def written_by(name: str) -> str:
    """Why a function of NumPy does not write its result to an array of ours."""
    return (
        f"numpy.{name} does not write to out, which is an isthmus.Array; "
        f"out[...] = numpy.{name}(...) does"
    )


# What a method of NumPy's ufuncs is called here.
_REDUCED = {
    **{"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min"},
    **{"logical_and": "all", "logical_or": "any"},
}
OF_METHODS = {
    **{(name, "reduce"): f"{ours}(x)" for name, ours in _REDUCED.items()},
    ("add", "accumulate"): "cumulative_sum(x)",
    ("multiply", "accumulate"): "cumulative_prod(x)",
    ("maximum", "accumulate"): "cumulative_max(x)",
    ("minimum", "accumulate"): "cumulative_min(x)",
    ("multiply", "outer"): "outer(x, y)",
    ("add", "at"): "add_at(x, indices, values)",
}


def _instead_of_ufunc(name: str, method: str) -> str | None:
    """What does here what a method of a ufunc of NumPy does."""
    ours = own_name(name)
    if method == "__call__" or ours is None:
        return ours
    if method == "outer" and ours != "multiply":
        return f"{ours}(expand_dims(x, -1), y)"
    return OF_METHODS.get((ours, method))


def refusal(
    name: str,
    inputs: tuple[Any, ...] = (),
    keywords: tuple[str, ...] = (),
    method: str = "__call__",
) -> str:
    """Why a function of NumPy does not take arrays of ours, and what would do. `inputs`, the names
    of other arguments and `method` are those of ufuncs.
    """
    are_ours = [isinstance(x, _isthmus.Array) for x in inputs]
    if "out" in keywords and not any(are_ours):
        return written_by(name)
    ours = _instead_of_ufunc(name, method)
    if (
        method == "__call__"
        and ours
        and any(are_ours)
        and any(isinstance(x, np.ndarray) for x in inputs)
    ):
        return (
            f"{name}: one operand is a numpy.ndarray, the other an isthmus.Array; "
            "isthmus.asarray(a) converts the first one without a copy, x.to_numpy() the second "
            "one"
        )
    if ours:
        instead = f"isthmus.{ours} does, and "
    else:
        instead = instead_of_ufunc(name) if method == "__call__" else ""
    whose = f"numpy.{name}" if hasattr(np, name) else name  # a ufunc of SciPy's or Numba's
    whose = whose if method == "__call__" else f"{whose}.{method}"
    what = f"{whose} does not take an isthmus.Array"
    return f"{what}; {instead}x.to_numpy() is the array as NumPy's"
