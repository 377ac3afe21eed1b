"""Names, signatures and defaults beside pyopencl's own modules: what differs is listed here."""

from __future__ import annotations

import importlib
import importlib.metadata
import inspect
from typing import Any

import pytest

from tests.cl.names import MODULES, PAGE, POOLS, VERSION, differs, methods_of, page, wanted_of


def modules_of(name: str) -> tuple[Any, Any, set[str]]:
    """pyopencl's module, ours, and the names that both should have."""
    pytest.importorskip("pyopencl")
    try:
        theirs = importlib.import_module(f"pyopencl.{name}")
    except ImportError as problem:  # scan and algorithm need Mako, which pyopencl does not require
        pytest.skip(str(problem))
    return theirs, importlib.import_module(f"isthmus.cl.{name}"), wanted_of(name, theirs)


@pytest.mark.parametrize("module", MODULES)
def test_names_and_signatures(module: str) -> None:
    theirs, ours, wanted = modules_of(module)
    assert {name for name in wanted if not hasattr(ours, name)} == set()
    assert {
        name
        for name in wanted - POOLS
        if callable(getattr(theirs, name))
        and differs(name, getattr(theirs, name), getattr(ours, name))
    } == set()


def test_methods() -> None:
    theirs = pytest.importorskip("pyopencl.array").Array
    ours = importlib.import_module("isthmus.cl.array").Array
    wanted = methods_of(theirs)
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


@pytest.mark.parametrize("module", MODULES)
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


def test_the_page_of_names() -> None:
    """`python -m tests.cl.names` writes it."""
    pytest.importorskip("mako")  # else pyopencl has no scans
    pytest.importorskip("pyopencl")
    found = importlib.metadata.version("pyopencl")
    if not found.startswith(VERSION):
        pytest.skip(f"the page is of pyopencl {VERSION}, not {found}")
    assert PAGE.read_text() == page()
