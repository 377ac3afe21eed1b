"""``pyopencl.array`` on arrays of Isthmus: the class Array and the functions on it."""

# the names hide builtins: all, any, max, min, sum

# ruff: noqa: I001  # "x" below: public, for type checkers

from __future__ import annotations

from isthmus.cl._array_class import Array
from isthmus.cl._facts import (
    ArrayHasOffsetError,
    DoubleDowncastWarning,
    InconsistentOpenCLQueueWarning,
    _copy_queue,  # noqa: F401
    _get_common_dtype,  # noqa: F401
)
from isthmus.cl._creation import (
    _same_as_transfer,  # noqa: F401
    arange,
    as_strided,
    empty,
    empty_like,
    to_device,
    zeros,
    zeros_like,
)
from isthmus.cl._joining import (
    concatenate,
    diff,
    hstack,
    multi_put,
    multi_take,
    multi_take_put,
    reshape,
    stack,
    take,
    transpose,
)
from isthmus.cl._choices import (
    if_positive,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
)
from isthmus.cl._reductions import (
    all,
    any,
    cumsum,
    dot,
    max,
    min,
    subset_dot,
    subset_max,
    subset_min,
    sum,
    vdot,
)
from isthmus.cl._vec import VecLookupWarner, vec
from isthmus.cl.tools import Allocator

__all__ = [
    "Allocator",
    "Array",
    "ArrayHasOffsetError",
    "DoubleDowncastWarning",
    "InconsistentOpenCLQueueWarning",
    "VecLookupWarner",
    "all",
    "any",
    "arange",
    "as_strided",
    "concatenate",
    "cumsum",
    "diff",
    "dot",
    "empty",
    "empty_like",
    "hstack",
    "if_positive",
    "logical_and",
    "logical_not",
    "logical_or",
    "max",
    "maximum",
    "min",
    "minimum",
    "multi_put",
    "multi_take",
    "multi_take_put",
    "reshape",
    "stack",
    "subset_dot",
    "subset_max",
    "subset_min",
    "sum",
    "take",
    "to_device",
    "transpose",
    "vdot",
    "vec",
    "zeros",
    "zeros_like",
]
