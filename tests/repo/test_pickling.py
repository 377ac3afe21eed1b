"""Functions and settings in pickles and copies: they are found by their names."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from typing import Any

import pytest

import isthmus as xp

NAMED: list[Any] = [
    xp.sin,
    xp.asarray,
    xp.special.erf,
    xp.linalg.svd,
    xp.einsum,
    xp.Array.sum,
    xp.config,
    xp.fuse,
]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("thing", NAMED)
def test_what_has_a_name_is_found_by_it(thing: Any, protocol: int) -> None:
    assert pickle.loads(pickle.dumps(thing, protocol)) is thing


def test_pickles_have_public_names() -> None:
    for thing in (xp.sin, xp.special.erf, xp.config):
        assert b"isthmus._isthmus" not in pickle.dumps(thing)


@pytest.mark.parametrize("thing", NAMED)
def test_copies_are_the_thing_itself(thing: Any) -> None:
    assert copy.copy(thing) is thing
    assert copy.deepcopy([thing])[0] is thing


def test_another_configuration_is_refused() -> None:
    with pytest.raises(pickle.PicklingError):
        pickle.dumps(type(xp.config)())


KERNELS: list[Any] = [
    xp.ElementwiseKernel("T x", "T y", "y = x * K", "scaled", "#define K 3\n"),
    xp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0, "total", "float64"),
    xp.ScanKernel("T x", "T y", "x", "a > b ? a : b", "y = a", scan_type="float64"),
    xp.ScanKernel(
        *("T x", "T y", "x", "a + b", "y = a"),
        is_segment_start_expr="x > 2",
        exclusive=True,
        identity=7,
    ),
]


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_are_made_of_their_texts_again(kernel: Any) -> None:
    x = xp.asarray([1.0, 2.0, 3.0])
    once = pickle.loads(pickle.dumps(kernel))
    for other in (once, pickle.loads(pickle.dumps(once)), copy.copy(kernel), copy.deepcopy(once)):
        assert type(other) is type(kernel)
        assert other.name == kernel.name
        assert other(x).tolist() == kernel(x).tolist()


def test_raw_kernels_keep_their_options() -> None:
    code = "__kernel void f(__global double* x) { x[get_global_id(0)] = N; }"
    module = xp.RawModule(code, ["-DN=4"])
    again = pickle.loads(pickle.dumps(module))
    for kernel in (
        module.get_function("f"),
        again.get_function("f"),
        xp.RawKernel(code, "f", "-DN=4"),
    ):
        for other in (kernel, pickle.loads(pickle.dumps(kernel)), copy.deepcopy(kernel)):
            x = xp.zeros(3)
            other((1,), (3,), (x,))
            assert x.tolist() == [4, 4, 4]
    assert again.code == code


def test_a_kernel_keeps_no_number_of_the_program() -> None:
    """Such an object could refer to the kernel, and the collector would not see that."""

    class Number(float):
        kernel: Any

    identity = Number(2)
    kernel = xp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", identity)
    identity.kernel = kernel
    gone = weakref.ref(identity)
    del identity, kernel
    gc.collect()
    assert gone() is None
