"""Keywords of NumPy and CuPy that functions of Isthmus have not: what would do in their place."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_NOTHING = "leave it out"

# The keyword: what does the same. {name} is the function.
INSTEAD = {
    "a_max": "max=",
    "a_min": "min=",
    "allow_pickle": f"{_NOTHING}: there are no Python objects",
    "after_loop": "statements of the operation",
    "assume_unique": _NOTHING,
    "block_size": f"{_NOTHING}: it is the library's choice",
    "casting": "astype(x, dtype) of an operand",
    "dtype": "astype(x, dtype) of an operand",
    "hermitian": _NOTHING,
    "initial": "maximum(r, initial), r + initial and the like, of the result r",
    "interpolation": "method=",
    "kind": f"{_NOTHING}: equal elements keep their order",
    "like": "device=",
    "loop_prep": "statements of the operation",
    "no_return": _NOTHING,
    "normed": "density=",
    "out": "y[...] = {name}(...)",
    "overwrite_input": _NOTHING,
    "reduce_dims": _NOTHING,
    "retstep": "(stop - start) / (num - 1)",
    "return_tuple": _NOTHING,
    "reps": "repetitions=",
    "returned": "sum(weights)",
    "shape": "zeros(shape, x.dtype), ones or full",
    "shared_mem": "LocalMemory(bytes), an argument",
    "sparse": "expand_dims(x, axis): operations broadcast",
    "stream": "with queue:",
    "subok": _NOTHING,
    "where": "where(mask, x, value) instead of x",
}

# The same, of one function.
OF_ONE = {
    ("isin", "kind"): _NOTHING,
    ("mean", "where"): "nanmean(where(mask, x, nan)), or mean(x[mask])",
    ("std", "where"): "nanstd(where(mask, x, nan)), or std(x[mask])",
    ("var", "where"): "nanvar(where(mask, x, nan)), or var(x[mask])",
    ("nanmean", "where"): "where(mask, x, nan) instead of x",
    ("nanstd", "where"): "where(mask, x, nan) instead of x",
    ("nanvar", "where"): "where(mask, x, nan) instead of x",
    ("median", "where"): "nanmedian(where(mask, x, nan)), or median(x[mask])",
    ("sum", "where"): "where(mask, x, 0) instead of x",
    ("prod", "where"): "where(mask, x, 1) instead of x",
    ("any", "where"): "x & mask instead of x",
    ("all", "where"): "x | ~mask instead of x",
    ("concat", "dtype"): "astype(concat(arrays), dtype)",
    ("stack", "dtype"): "astype(stack(arrays), dtype)",
    ("meshgrid", "copy"): "copy() of a result, which is a read-only view, to write to it",
    ("quantile", "weights"): "repeat(x, counts) instead of x, if weights are counts",
    ("percentile", "weights"): "repeat(x, counts) instead of x, if weights are counts",
    ("nanquantile", "weights"): "repeat(x, counts) instead of x, if weights are counts",
    ("nanpercentile", "weights"): "repeat(x, counts) instead of x, if weights are counts",
    ("astype", "casting"): f"{_NOTHING}: all casts are done; can_cast(x, dtype) identifies safe "
    "ones",
    ("max", "initial"): "maximum(r, initial) of the result r",
    ("min", "initial"): "minimum(r, initial) of the result r",
    ("prod", "initial"): "initial * r of the result r",
    ("sum", "initial"): "initial + r of the result r",
    ("reshape", "shape"): "x.reshape(shape), without its name",
    ("reshape", "newshape"): "shape=",
    ("reshape", "order"): "x.reshape(shape, order=...), a method",
    ("std", "mean"): _NOTHING,
    ("var", "mean"): _NOTHING,
    ("partition", "kind"): _NOTHING,
    ("RawKernel", "backend"): f"{_NOTHING}: the code is OpenCL C",
    ("RawModule", "backend"): f"{_NOTHING}: the code is OpenCL C",
    ("argpartition", "kind"): _NOTHING,
    ("ElementwiseKernel.__call__", "out"): "kernel(x, y), the array after the inputs",
    ("ReductionKernel.__call__", "out"): "y[...] = kernel(x)",
    ("ScanKernel.__call__", "out"): "y[...] = kernel(x)",
    ("sort", "order"): "x[argsort(x['field'])]",
    ("argsort", "order"): "argsort(x['field']), or lexsort of several",
}


def instead_of(function: str, keyword: str) -> str:
    """Behind what is wrong: what would do in the place of a keyword, or nothing."""
    plain = function.rpartition(".")[2]
    known = OF_ONE.get((function, keyword)) or OF_ONE.get((plain, keyword))
    advice = known or INSTEAD.get(keyword, "")
    if keyword == "shape" and function.startswith("Generator."):
        advice = "size="
    return f"; instead of {keyword}: {advice.format(name=plain)}" if advice else ""


def worded(function: Callable[P, R]) -> Callable[P, R]:
    """A function in Python that says so as the compiled ones do."""
    known = inspect.signature(function).parameters
    name = function.__name__

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        unknown = [keyword for keyword in kwargs if keyword not in known]
        if unknown:
            raise TypeError(
                f"{name}: got an unexpected keyword argument {unknown[0]!r}; it takes "
                f"({', '.join(known)}){instead_of(name, unknown[0])}"
            )
        return function(*args, **kwargs)

    return called
