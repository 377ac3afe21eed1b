"""Every function of arrays beside NumPy, on every pair of layouts."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any

import isthmus.cl.array as cl_array
import numpy as np
import pytest
from isthmus.cl import clmath, cltypes, tools
from isthmus.cl.bitonic_sort import BitonicSort
from isthmus.cl.elementwise import ElementwiseKernel
from isthmus.cl.reduction import ReductionKernel
from isthmus.cl.scan import InclusiveScanKernel

import isthmus

Host = np.ndarray[Any, Any]
Pair = tuple[Host, cl_array.Array]

AS_STRIDED = np.lib.stride_tricks.as_strided


def layouts(queue: Any, seed: int, dtype: Any = np.float32) -> dict[str, Pair]:
    """The same shape, (4, 4), in every layout; then others, which broadcast or are empty."""
    drawn = np.random.default_rng(seed)
    host = drawn.integers(1, 30, (9, 8)).astype(dtype)
    x = cl_array.to_device(queue, host)
    f = np.asfortranarray(host[:4, :4])
    row, y = host[0, :4], x[0, :4]
    return {
        "C": (host[:4, :4].copy(), cl_array.to_device(queue, host[:4, :4].copy())),
        "F": (f, cl_array.to_device(queue, f)),
        "sliced": (host[1::2, ::2], x[1::2, ::2]),
        "negative": (host[7:3:-1, 5:1:-1], x[7:3:-1, 5:1:-1]),
        "transposed": (host[2:6, 1:5].T, x[2:6, 1:5].T),
        "broadcast": (
            np.broadcast_to(row, (4, 4)),
            cl_array.as_strided(y, (4, 4), (0, y.strides[0])),
        ),
    }


def others(queue: Any, seed: int) -> dict[str, Pair]:
    host = np.random.default_rng(seed).integers(1, 30, (4, 4)).astype(np.float32)
    x = cl_array.to_device(queue, host)
    return {
        "row": (host[1:2], x[1:2]),
        "column": (host[:, 3:], x[:, 3:]),
        "number": (host[2, 1], x[2, 1]),
        "empty": (host[4:], x[4:]),
    }


def same(ours: Any, theirs: Any, rtol: float = 1e-5) -> None:
    found = ours.get() if isinstance(ours, cl_array.Array) else ours
    assert found.shape == np.shape(theirs)
    np.testing.assert_allclose(found, theirs, rtol=rtol)


OF_TWO: list[tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]] = [
    *((one, one) for one in (operator.add, operator.sub, operator.mul, operator.truediv)),
    *((one, one) for one in (operator.floordiv, operator.mod)),
    *((one, one) for one in (operator.eq, operator.ne, operator.lt, operator.le)),
    *((one, one) for one in (operator.gt, operator.ge)),
    (lambda x, y: (x % 4) ** (y % 3), lambda x, y: (x % 4) ** (y % 3)),
    (cl_array.maximum, np.maximum),
    (cl_array.minimum, np.minimum),
    (cl_array.logical_and, np.logical_and),
    (cl_array.logical_or, np.logical_or),
    (clmath.atan2, np.arctan2),
    (clmath.fmod, np.fmod),
    (lambda x, y: x.mul_add(2, y, 3), lambda x, y: 2 * x + 3 * y),
]

ALIKE: list[tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]] = [  # of one shape
    (cl_array.dot, lambda x, y: (x * y).sum()),
    (cl_array.vdot, lambda x, y: (x * y).sum()),
    (lambda x, y: cl_array.if_positive(x - y, x, y), lambda x, y: np.where(x > y, x, y)),
    (lambda x, y: cl_array.stack([x, y], 1), lambda x, y: np.stack([x, y], 1)),
    (lambda x, y: cl_array.concatenate([x, y]), lambda x, y: np.concatenate([x, y])),
    (lambda x, y: cl_array.concatenate([x, y], 1), lambda x, y: np.concatenate([x, y], 1)),
    (lambda x, y: cl_array.hstack([x, y]), lambda x, y: np.hstack([x, y])),
]

ROW_MAJOR = np.arange(3, dtype=np.int32) * 5

OF_ONE: list[tuple[Callable[[Any], Any], Callable[[Any], Any]]] = [
    (operator.neg, operator.neg),
    (operator.abs, np.abs),
    (cl_array.logical_not, np.logical_not),
    (cl_array.sum, np.sum),
    (cl_array.max, np.max),
    (cl_array.min, np.min),
    (cl_array.cumsum, lambda x: np.cumsum(x).reshape(x.shape)),
    (lambda x: x.any(), np.any),
    (lambda x: x.all(), np.all),
    (lambda x: x.copy(), np.copy),
    (lambda x: x.reverse(), lambda x: x[::-1, ::-1]),
    (lambda x: x.astype(np.int16), lambda x: x.astype(np.int16)),
    (lambda x: x.T, lambda x: x.T),
    (lambda x: x[None, 1:2].squeeze(), lambda x: x[1]),
    (lambda x: cl_array.transpose(x, (1, 0)), np.transpose),
    (lambda x: cl_array.reshape(x[1], (2, 2)), lambda x: x[1].reshape(2, 2)),
    (lambda x: x[1:, ::-1][::2], lambda x: x[1:, ::-1][::2]),
    (lambda x: x.conjugate().real + x.imag, lambda x: x),
    *((getattr(clmath, name), getattr(np, name)) for name in ("sqrt", "exp", "log", "sin")),
    *((getattr(clmath, name), getattr(np, name)) for name in ("floor", "ceil", "trunc", "rint")),
    *((getattr(clmath, name), getattr(np, name)) for name in ("log1p", "expm1", "cosh", "sinh")),
    *((getattr(clmath, name), getattr(np, name)) for name in ("tanh", "cbrt", "log2", "log10")),
]


def test_functions_of_two_arrays(queue: Any) -> None:
    first, second = layouts(queue, 1), layouts(queue, 2)
    small = others(queue, 3)
    for one, (a, x) in {**first, **small}.items():
        for two, (b, y) in {**second, **small}.items():
            if "empty" in (one, two) and {"row", "number", "empty"}.isdisjoint(
                {one, two} - {"empty"}
            ):
                continue  # which do not broadcast
            results = [(ours(x, y), theirs(a, b)) for ours, theirs in OF_TWO]
            if a.shape == b.shape == (4, 4):
                results += [(ours(x, y), theirs(a, b)) for ours, theirs in ALIKE]
            for at, (found, wanted) in enumerate(results):
                try:
                    same(found, wanted)
                except AssertionError as problem:
                    raise AssertionError(f"function {at} of {one} and {two}") from problem


def test_functions_of_one_array(queue: Any) -> None:
    for name, (a, x) in layouts(queue, 4).items():
        for at, (ours, theirs) in enumerate(OF_ONE):
            try:
                same(ours(x), theirs(a))
            except AssertionError as problem:
                raise AssertionError(f"function {at} of {name}") from problem
        indices = cl_array.to_device(queue, ROW_MAJOR)
        same(cl_array.take(x, indices), np.take(a, ROW_MAJOR))
        same(cl_array.subset_max(indices, x), np.take(a, ROW_MAJOR).max())
        same(cl_array.subset_min(indices, x), np.take(a, ROW_MAJOR).min())


IN_PLACE: list[Callable[[Any, Any], Any]] = [
    operator.iadd,
    operator.isub,
    operator.imul,
    operator.itruediv,
]
OF_BITS: list[Callable[[Any, Any], Any]] = [
    operator.iand,
    operator.ior,
    operator.ixor,
    operator.and_,
    operator.or_,
    operator.xor,
]


def test_writes(queue: Any) -> None:
    for one in layouts(queue, 5):
        for two in layouts(queue, 6):
            for function in IN_PLACE:
                a, x = layouts(queue, 5)[one]
                b, y = layouts(queue, 6)[two]
                if one == "broadcast":
                    continue  # elements of one memory
                a = np.array(a)
                same(function(x, y), function(a, b))
            a, x = layouts(queue, 5)[one]
            b, y = layouts(queue, 6)[two]
            if one != "broadcast":
                a = np.array(a)
                x[1:, ::-2] = y[:3, :2]
                a[1:, ::-2] = b[:3, :2]
                same(x, a)
                x[...] = y.astype(np.int64)
                same(x, b)
    for one in ("C", "F", "sliced", "negative", "transposed"):
        for two in ("C", "F", "sliced", "negative", "transposed"):
            for function in OF_BITS:
                a, x = layouts(queue, 7, np.int32)[one]
                b, y = layouts(queue, 8, np.int32)[two]
                same(function(x, y), function(np.array(a), b))
    a, x = layouts(queue, 7, np.int32)["sliced"]
    same(~x, ~a)
    same(x << 2, a << 2)
    same(x >> 1, a >> 1)


def test_kernels(cl_queue: Any) -> None:
    """`i` counts elements row by row, but in the order of memory where all arrays lie alike."""
    context = cl_queue.context
    scale = ElementwiseKernel(context, "float *x, float *y", "x[i] = 2 * y[i] + 1")
    dot = ReductionKernel(context, np.float32, "0", "a + b", "x[i] * y[i]", "float *x, float *y")
    scan = InclusiveScanKernel(context, np.float32, "a + b", "0")
    sort = BitonicSort(context)
    for one in ("C", "F", "sliced", "negative", "transposed"):
        for two in layouts(cl_queue, 9):
            a, x = layouts(cl_queue, 9)[one]
            b, y = layouts(cl_queue, 10)[two]
            same(dot(x, y), (a * b).sum())
            scale(x, y)
            same(x, 2 * b + 1)
            scan(y, x)
            # in the order of memory where both lie alike, without gaps, as in pyopencl
            order: Any = "F" if one == two == "F" else "C"
            sums = np.cumsum(b.ravel(order)).reshape((4, 4), order=order)
            same(x, sums)
            x *= -1
            found, event = sort(x, axis=1)
            event.wait()
            assert found is x
            same(x, np.sort(-sums, axis=1))


@pytest.mark.parametrize("device", ["cpu", "null:1", "null:2"])  # out of the host's reach: the last
def test_get_keeps_the_order_of_axes(device: str) -> None:
    try:
        on = isthmus.Queue(device)
    except LookupError as problem:
        pytest.skip(str(problem))
    cube = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for order in itertools.permutations(range(3)):
        for host in (cube.transpose(order), cube.transpose(order)[::-1], cube[0].T, cube.T[:, :0]):
            x = cl_array.to_device(on, np.array(host, order="K"))
            for got in (x.get(), (x + 1).get() - 1):
                np.testing.assert_array_equal(got, host)
                assert got.strides == x.strides or not x.size
        rows = cl_array.to_device(on, np.array(cube.transpose(order), order="K"))[:, 1:]
        np.testing.assert_array_equal(rows.get(), cube.transpose(order)[:, 1:])
        assert rows.get().strides == rows.copy().strides


def test_sort_along_an_axis(queue: Any) -> None:
    host = np.random.default_rng(11).permutation(60).reshape(5, 12).astype(np.float32)
    x = cl_array.to_device(queue, host)
    index = cl_array.to_device(queue, np.argsort(np.zeros((5, 12)), axis=1, kind="stable"))
    assert BitonicSort(x.context)(x, idx=index, axis=1)[0] is x
    same(x, np.sort(host, axis=1))
    same(index, np.argsort(host, axis=1))
    BitonicSort(x.context)(x)
    same(x, np.sort(np.sort(host, axis=1), axis=0))
    with pytest.raises(ValueError, match="axis 2"):
        BitonicSort(x.context)(x, axis=2)
    with pytest.raises(ValueError, match="idx has shape"):
        BitonicSort(x.context)(x, idx=index[:2])


def test_declarations(cl_queue: Any) -> None:
    given = tools.parse_arg_list("float *x, __global const int *k, double a")
    assert [type(one) for one in given] == [tools.VectorArg, tools.VectorArg, tools.ScalarArg]
    assert tools.get_arg_list_scalar_arg_dtypes(given) == [None, None, np.float64]
    assert tools.parse_c_arg("unsigned int n").declarator() == "uint n"
    with pytest.raises(RuntimeError):
        tools.parse_c_arg("__local float *x")
    assert tools.OtherArg("float4 v", "v").declarator() == "float4 v"
    placed = tools.parse_arg_list("float *x, int n", with_offset=True)
    text = ", ".join(one.declarator() for one in placed)
    assert text == "__global float *x__base, long x__offset, int n"
    assert tools.get_arg_list_scalar_arg_dtypes(placed) == [None, np.int64, np.int32]
    pair = np.dtype([("left", np.int32), ("right", np.float32)])
    pair = tools.get_or_register_dtype("isthmus_test_sides", pair)
    assert "float right;" in tools.dtype_to_c_struct(cl_queue.device, pair)
    vectors: Any = cltypes
    assert tools.dtype_to_c_struct(cl_queue.device, vectors.float4) == ""
