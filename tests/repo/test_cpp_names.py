"""The public names of Python and of C++ are the same, but for those in two tables."""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess
from collections.abc import Iterable

import pytest

import isthmus as xp

INCLUDE = pathlib.Path(xp.__file__).parent / "include"

# What C++ has otherwise, or what has no meaning there, and why.
OTHERWISE = {
    "bool": "a keyword of C++: bool_",
    "CompilerWarning": "C++ has no warnings: a record of the log",
    "PerformanceWarning": "C++ has no warnings: a record of the log",
    "cache": "a namespace: cache::info, cache::clear",
    "config": "functions: set_eager, set_inline_policy, set_profile_file, detail of settings.h",
    "from_pyopencl": "pyopencl is Python's; from_native takes what is below it",
    "fuse": "a decorator; Fusing is a scope",
    "fusing": "Fusing is a scope",
    "implicit_host_copy": "nothing copies to the host implicitly",
    "linalg": "a namespace: linalg::solve",
    "memory": "a module of Python; its functions and Memory are in isthmus itself",
    "profile": "Profile is a scope",
    "special": "a namespace: special::erf",
    "protocols": "Python objects speak protocols; from_span, from_dlpack, from_native are called",
    "random": "a namespace: random::default_rng",
}

MEMBERS_OTHERWISE = {
    "conjugate": "conj",
    "flags": "layout() and is_read_only()",
    "memory": "storage()->memory()",
    "offset": "layout().offset",
    "strides": "layout().strides, in elements",
    "sycl_queue": "dpnp's name; current_queue",
    "to_numpy": "NumPy is Python's; to_host and to_span",
    "to_pyopencl": "pyopencl is Python's; Lease",
    "tobytes": "to_vector<std::byte> is no dtype; to_span",
    "tolist": "to_vector",
    "usm_type": "dpnp's name",
}

# Members of other classes, of which "Class.name" is otherwise in C++, and why.
OTHERS_OTHERWISE = {
    "ElementwiseKernel.nin": "CuPy's name; input_count()",
    "ElementwiseKernel.nout": "CuPy's name; output_count()",
    "ElementwiseKernel.nargs": "CuPy's name; input_count() + output_count()",
    "ReductionKernel.nin": "CuPy's name; input_count()",
    "ReductionKernel.nout": "CuPy's name; one",
    "ReductionKernel.nargs": "CuPy's name; input_count() + 1",
    "ScanKernel.nin": "CuPy's name; input_count()",
    "ScanKernel.nout": "CuPy's name; one",
    "ScanKernel.nargs": "CuPy's name; input_count() + 1",
    "Context.to_pyopencl": "pyopencl is Python's; native()",
    "Explanation.exports": "what a Python object offers to others",
    "Explanation.protocol": "Python objects speak protocols",
    "Memory.from_pointer": "from_native of a NativeMemory",
    "Memory.get_usm_type": "dpctl's name; kind()",
    "Memory.reference_obj": "objects are Python's; the owner of a NativeMemory",
    "Memory.size": "dpctl's name; nbytes()",
    "Memory.sycl_context": "dpctl's name; context()",
    "Memory.sycl_device": "dpctl's name; device()",
    "Memory.sycl_queue": "dpctl's name; queue()",
    "Memory.tobytes": "copy_to_host()",
    "Queue.to_pyopencl": "pyopencl is Python's; native()",
}
# What isthmus.memory has otherwise.
MEMORY_OTHERWISE = {
    "MemoryBuffer": "Memory, whose kind() says so",
    "MemoryHost": "Memory, whose kind() says so",
    "MemoryUSMDevice": "Memory, whose kind() says so",
    "MemoryUSMHost": "Memory, whose kind() says so",
    "MemoryUSMShared": "Memory, whose kind() says so",
}
CLASSES = (
    *(xp.Context, xp.Device, xp.ElementwiseKernel, xp.Explanation, xp.Queue, xp.RawKernel),
    *(xp.RawModule, xp.ReductionKernel, xp.ScanKernel, xp.memory.Memory),
)


def missing(lines: Iterable[str]) -> set[str]:
    """Lines that do not compile, by the name that ends them."""
    compiler = shutil.which("g++")
    if not compiler:
        pytest.skip("no g++")
    rows = ['#include "isthmus/isthmus.h"', *lines]
    text = "\n".join(rows)
    done = subprocess.run(
        [
            compiler,
            "-std=c++20",
            "-fsyntax-only",
            "-fmax-errors=0",
            "-I",
            INCLUDE,
            "-x",
            "c++",
            "-",
        ],
        input=text,
        capture_output=True,
        text=True,
    )
    numbers = {int(n) for n in re.findall(r"^<stdin>:(\d+):.* error: ", done.stderr, re.M)}
    assert (done.returncode == 0) == (not numbers), done.stderr
    return {rows[number - 1].split()[-1].strip(";}").rpartition("::")[2] for number in numbers}


def test_the_functions_and_classes_are_the_same() -> None:
    names = [name for name in xp.__all__ if not name.startswith("__")]
    found = missing(f"namespace probe {{ using isthmus::{name};}}" for name in names)
    assert found == OTHERWISE.keys()


def test_the_functions_of_special_are_the_same() -> None:
    names = xp.special.__all__
    found = missing(f"namespace probe {{ using isthmus::special::{name};}}" for name in names)
    assert found == set()
    assert len(names) > 20


def test_the_functions_of_linalg_are_the_same() -> None:
    names = xp.linalg.__all__
    found = missing(f"namespace probe {{ using isthmus::linalg::{name};}}" for name in names)
    assert found == set()
    assert len(names) >= 30


def test_the_members_of_arrays_are_the_same() -> None:
    names = [name for name in dir(xp.ones(1)) if not name.startswith("_")]
    found = missing(
        f"struct Probe{i} : isthmus::Array {{ using isthmus::Array::{name};}};"
        for i, name in enumerate(names)
    )
    assert found == MEMBERS_OTHERWISE.keys()


def test_the_members_of_other_classes_are_the_same() -> None:
    # dir() of a class has entries, too, that say what would do in the place of a name
    names = [
        (c.__name__, name)
        for c in CLASSES
        for name in dir(c)
        if not name.startswith("_") and hasattr(c, name)
    ]
    found = missing(
        f"struct Probe{i} : isthmus::{of} {{ using isthmus::{of}::{name};}};  // {of}.{name}"
        for i, (of, name) in enumerate(names)
    )
    assert found == OTHERS_OTHERWISE.keys()


def test_the_functions_of_memory_and_of_the_cache_are_the_same() -> None:
    names = xp.memory.__all__
    found = missing(f"namespace probe {{ using isthmus::{name};}}" for name in names)
    assert found == MEMORY_OTHERWISE.keys()
    names = ["Info", "clear", "info"]
    assert set(names) <= set(dir(xp.cache))
    assert missing(f"namespace probe {{ using isthmus::cache::{n};}}" for n in names) == set()


def test_random_numbers_are_drawn_by_the_same_names() -> None:
    names = [name for name in dir(xp.random.default_rng(1)) if not name.startswith("_")]
    lines = ["#define RNG isthmus::random::Generator"]
    lines += [f"struct Probe{i} : RNG {{ using RNG::{name};}};" for i, name in enumerate(names)]
    lines += [f"namespace probe {{ using isthmus::random::{name};}}" for name in xp.random.__all__]
    assert missing(lines) == set()


def test_a_name_that_is_nowhere_is_found_missing() -> None:
    assert missing(["namespace probe { using isthmus::nothing_such;}"]) == {"nothing_such"}
