"""Names of types, kernels' parameters, and memory pools.

Allocators and pools are pyopencl's own where it is installed, else pools of Isthmus of the same
names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from isthmus.cl._parameters import (
    Argument,
    DtypedArgument,
    OtherArg,
    ScalarArg,
    VectorArg,
    get_arg_list_scalar_arg_dtypes,
    parse_arg_list,
    parse_c_arg,
)
from isthmus.cl._pools import AllocatorBase, DeferredAllocator, ImmediateAllocator, MemoryPool
from isthmus.cl._registry import (
    TypeNameNotKnown,
    dtype_to_ctype,
    get_or_register_dtype,
    register_dtype,
)
from isthmus.cl._structs import (
    dtype_to_c_struct,
    match_dtype_to_c_struct,
)

Allocator = Callable[[int], Any]

__all__ = [
    "Allocator",
    "AllocatorBase",
    "Argument",
    "DeferredAllocator",
    "DtypedArgument",
    "ImmediateAllocator",
    "MemoryPool",
    "OtherArg",
    "ScalarArg",
    "TypeNameNotKnown",
    "VectorArg",
    "dtype_to_c_struct",
    "dtype_to_ctype",
    "get_arg_list_scalar_arg_dtypes",
    "get_or_register_dtype",
    "match_dtype_to_c_struct",
    "parse_arg_list",
    "parse_c_arg",
    "register_dtype",
]

_OF_PYOPENCL = ("PooledBuffer", "PooledSVM", "SVMAllocator", "SVMPool")


def __getattr__(name: str) -> Any:
    """pyopencl's own classes, which have no meaning without its queues."""
    if name not in _OF_PYOPENCL:
        raise AttributeError(f"isthmus.cl.tools has no {name!r}")
    try:
        import pyopencl.tools
    except ImportError as error:
        raise AttributeError(f"isthmus.cl.tools.{name} is pyopencl's: {error}") from error
    return getattr(pyopencl.tools, name)
