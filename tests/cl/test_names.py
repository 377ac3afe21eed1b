"""Names, signatures and defaults beside pyopencl's own modules: what differs is listed here."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import pytest

# Left out: what pyopencl does not document, and what docs/from-pyopencl.md says.
LEFT_OUT = {
    "array": {"SCALAR_CLASSES", "ArrayT", "ARRAY_KERNEL_EXEC_HOOK", "elwise_kernel_runner"},
    "cltypes": set(),
    "clmath": {"bessel_jn", "bessel_yn", "hankel_01"},
    "algorithm": set(),
    "bitonic_sort": set(),
    "clrandom": {"Random123GeneratorBase"},
}
DOCUMENTED = {
    "tools": {
        *("get_or_register_dtype", "register_dtype", "TypeNameNotKnown", "dtype_to_ctype"),
        *("match_dtype_to_c_struct", "dtype_to_c_struct", "VectorArg", "ScalarArg", "OtherArg"),
        *("parse_arg_list", "MemoryPool", "ImmediateAllocator", "DeferredAllocator"),
        *("PooledBuffer", "SVMAllocator", "SVMPool", "PooledSVM", "AllocatorBase"),
    },
    "elementwise": {"ElementwiseKernel", "ElementwiseTemplate"},
    "reduction": {"ReductionKernel", "ReductionTemplate"},
    "scan": {"GenericScanKernel", "InclusiveScanKernel", "ExclusiveScanKernel", "ScanTemplate"},
}
# With parameters that pyopencl had before, or has in another form: async_, luxury, **kwargs.
OTHER_PARAMETERS = {"to_device", "get", "get_async", "set", "ElementwiseKernel", "fill_rand"}
OTHER_DEFAULTS = {"ArrayHasOffsetError"}  # its text


def public(module: Any) -> set[str]:
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and not inspect.ismodule(value)
        and getattr(value, "__module__", module.__name__) == module.__name__
        and name not in ("TYPE_CHECKING", "P")
    }


def parameters(function: Any) -> list[tuple[str, Any]]:
    found = []
    for one in inspect.signature(function).parameters.values():
        default = one.default.__name__ if isinstance(one.default, type) else one.default
        if not one.name.startswith("_"):
            found.append((one.name, default))
    return found


def differs(name: str, theirs: Any, ours: Any) -> bool:
    if name in OTHER_DEFAULTS:
        return False
    try:
        wanted, found = parameters(theirs), parameters(ours)
    except (TypeError, ValueError):  # compiled, or a constant
        return False
    if name in OTHER_PARAMETERS:
        names = [parameter for parameter, _ in found]
        return [one for one, _ in wanted if one != "kwargs"] != names[: len(wanted)] and (
            "kwargs" not in dict(wanted)
        )
    return wanted != found


def modules_of(name: str) -> tuple[Any, Any, set[str]]:
    """pyopencl's module, ours, and the names that both should have."""
    pytest.importorskip("pyopencl")
    try:
        theirs = importlib.import_module(f"pyopencl.{name}")
    except ImportError as problem:  # scan and algorithm need Mako, which pyopencl does not require
        pytest.skip(str(problem))
    wanted = DOCUMENTED.get(name) or public(theirs) - LEFT_OUT[name]
    return theirs, importlib.import_module(f"isthmus.cl.{name}"), wanted


@pytest.mark.parametrize("module", [*LEFT_OUT, *DOCUMENTED])
def test_names_and_signatures(module: str) -> None:
    theirs, ours, wanted = modules_of(module)
    assert {name for name in wanted if not hasattr(ours, name)} == set()
    pools = {"MemoryPool", "ImmediateAllocator", "DeferredAllocator"}
    assert {
        name
        for name in wanted - pools
        if callable(getattr(theirs, name))
        and differs(name, getattr(theirs, name), getattr(ours, name))
    } == set()


def test_methods() -> None:
    theirs = pytest.importorskip("pyopencl.array").Array
    ours = importlib.import_module("isthmus.cl.array").Array
    wanted = {name for name in dir(theirs) if not name.startswith("_")}
    wanted |= {"__init__", "__add__", "__radd__", "__rpow__", "__div__", "__rdiv__", "__invert__"}
    wanted |= {"__abs__", "__len__", "__bool__", "__iand__", "__ixor__", "__ior__", "__pos__"}
    assert {name for name in wanted if not hasattr(ours, name)} == set()
    assert hasattr(ours, "__nonzero__")
    assert {
        name
        for name in wanted
        if name[0] != "_" and differs(name, getattr(theirs, name), getattr(ours, name))
    } == set()


# Of the classes beside Array, what pyopencl does not document: its templates' and kernels' insides.
INSIDES = {
    "BitonicSort": {"kernels_srcs", "get_program", "sort_b_prepare_wl"},
    "ElementwiseKernel": {"get_kernel"},
    "KeyValueSorter": {"get_kernels"},
    "ListOfListsBuilder": {
        *("do_not_vectorize", "get_compress_kernel", "get_count_kernel"),
        *("get_scan_kernel", "get_write_kernel"),
    },
    "MemoryPool": {"active_blocks", "active_bytes", "alloc_size", "bin_number"},  # pyopencl's own
    **{
        name: {"generator_name", "header_name", "get_gen_kernel"}
        for name in ("PhiloxGenerator", "ThreefryGenerator")
    },
    **{
        name: {"get_preamble", "get_renderer", "get_text_template"}
        for name in ("ElementwiseTemplate", "ReductionTemplate", "ScanTemplate")
    },
    **{
        name: {"ary_output_statement", "finish_setup", "generate_scan_kernel", "get_local_mem_use"}
        for name in ("GenericScanKernel", "InclusiveScanKernel", "ExclusiveScanKernel")
    },
}


@pytest.mark.parametrize("module", [*LEFT_OUT, *DOCUMENTED])
def test_methods_of_other_classes(module: str) -> None:
    theirs, ours, wanted = modules_of(module)
    for name in wanted - {"Array"}:
        one, other = getattr(theirs, name), getattr(ours, name)
        if not inspect.isclass(one):
            continue
        methods = {key for key in dir(one) if key[0] != "_"} - INSIDES.get(name, set())
        methods |= {"__call__"} & set(dir(one))
        assert {key for key in methods if not hasattr(other, key)} == set(), name
        assert {
            key for key in methods if differs(key, getattr(one, key), getattr(other, key))
        } == set(), name
