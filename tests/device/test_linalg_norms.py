"""Norms, traces, diagonals and cross products, which need no LAPACK, on every device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, has, put, real_of
from tests.device.matrices import near, random, reached, reals

linalg: Any = xp.linalg
any_np: Any = np
ORDERS = (2, 1, 0, np.inf, -np.inf, 3, 0.5, -1, -2.5)


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_vector_norms_are_numpys(device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    a = random(dtype, (3, 4, 5))
    x = put(a, device)
    axes: tuple[Any, ...] = (None, 0, -1, (0, 2), (2, -2))
    for i, ord in enumerate(ORDERS):
        for axis in axes if ord == 2 else (axes[i % 5],):
            for keepdims in (False, True):
                given: Any = {"axis": axis, "ord": ord, "keepdims": keepdims}
                got = linalg.vector_norm(x, **given)
                assert got.dtype == reals(dtype)
                near(get(got), np.linalg.vector_norm(a, **given), dtype, given)


def test_norms_of_integers_halves_and_nothing(device: xp.Device) -> None:
    whole = put(np.array([3, -4], "int16"), device)
    assert linalg.vector_norm(whole).dtype == real_of(device)
    assert get(linalg.vector_norm(whole)) == 5
    assert get(linalg.vector_norm(whole > 0)) == 1
    half = put(np.array([3, -4], "float16"), device)
    assert linalg.vector_norm(half).dtype == np.float16
    assert get(linalg.vector_norm(half)) == 5
    nothing = put(np.zeros((0, 3), "float32"), device)
    for ord in (2, 1, 0, np.inf):
        assert get(linalg.vector_norm(nothing, ord=ord)) == 0
        assert get(linalg.vector_norm(nothing, ord=ord, axis=0)).tolist() == [0, 0, 0]
    assert linalg.vector_norm(nothing, ord=-np.inf, axis=1).shape == (0,)
    for name in ("fro", 1, np.inf):
        assert get(linalg.matrix_norm(nothing, ord=name)) == 0
    with pytest.raises(ValueError, match=r"^vector_norm: ord -inf of no elements"):
        linalg.vector_norm(nothing, ord=-np.inf)
    for rows, columns, ord in (
        (0, 3, -1),
        (3, 0, -np.inf),
    ):  # sums of nothing, of which one is least
        table = put(np.zeros((rows, columns), "float32"), device)
        assert get(linalg.matrix_norm(table, ord=ord)) == 0
        assert get(linalg.norm(table.T, ord, axis=(1, 0), keepdims=True)).tolist() == [[0]]


def test_norms_are_pending_and_one_kernel() -> None:
    x = xp.asarray(random("float32", (40, 50)), copy=True).eval()
    for ord in ORDERS:
        norm = linalg.vector_norm(x * 2, ord=ord, axis=0)
        before = xp.statistics()["kernels"]
        norm.eval()
        assert xp.statistics()["kernels"] - before == 1


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", ["float32", "complex64", "float64"])
def test_matrix_norms_are_numpys(device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip(f"no {dtype}")
    a = random(dtype, (2, 3, 4))
    x = put(a, device)
    for ord in ("fro", None, 1, -1, np.inf, -np.inf):
        for keepdims in (False, True):
            given: Any = {"ord": ord, "keepdims": keepdims}
            got = linalg.matrix_norm(x, **given)
            assert got.dtype == reals(dtype)
            near(get(got), np.linalg.norm(a, ord, (-2, -1), keepdims), dtype, given)
    with pytest.raises(ValueError, match=r"^matrix_norm: ord 3 is none of 1, -1, 2, -2, inf, -inf"):
        linalg.matrix_norm(x, ord=3)
    with pytest.raises(ValueError, match=r"^matrix_norm: ord: 'x' is none of 'fro', 'nuc'"):
        linalg.matrix_norm(x, ord="x")
    with pytest.raises(ValueError, match=r"^matrix_norm: an array of 1 axis"):
        linalg.matrix_norm(x[0, 0])
    with pytest.raises(TypeError, match=r"^vector_norm: ord: expected a real number, not a list"):
        linalg.vector_norm(x, ord=[])


@pytest.mark.no_kernel
def test_a_least_column_needs_columns() -> None:
    for shape, ord, least in (
        ((3, 0), -1, "columns"),
        ((0, 3), -np.inf, "rows"),
        ((0, 3), -2, "singular values"),
        ((3, 0), -2, "singular values"),
    ):
        rows, columns = shape
        text = (
            rf"ord {ord} is a minimum over {least}, of which {rows} x {columns} matrices have none"
        )
        with pytest.raises(ValueError, match=f"^matrix_norm: {text}$"):
            linalg.matrix_norm(xp.zeros(shape), ord=ord)
        with pytest.raises(ValueError, match=f"^norm: {text}$"):
            linalg.norm(xp.zeros((columns, rows)), ord, axis=(1, 0))


@pytest.mark.no_kernel
def test_conditions_of_singular_matrices_are_infinite(device: xp.Device) -> None:
    reached(device)
    p: Any
    for dtype in ("float32", "complex64"):
        a = np.stack([np.eye(2), np.zeros((2, 2)), np.ones((2, 2)), np.eye(2) * 1e-42]).astype(
            dtype
        )
        x = put(a, device)
        for p in (None, 2, -2):
            assert get(linalg.cond(x[1], p)) == np.inf
            got = get(linalg.cond(put(np.zeros((2, 2, 3), dtype), device), p))
            assert got.tolist() == [np.inf] * 2
        for p in (1, -1, np.inf, -np.inf, "fro", "nuc"):
            got = get(linalg.cond(x, p))
            assert got.dtype == np.float32
            near(got[0], np.linalg.cond(np.eye(2), p), dtype, p)
            assert (got[1:] == np.inf).all(), (p, got)
    a[1, 0, 1] = np.nan
    for p in (1, -np.inf, "fro"):
        got = get(linalg.cond(put(a[:3], device), p))
        assert np.isnan(got).tolist() == [False, True, False]
        assert got[2] == np.inf
    for p in (None, -2, "nuc"):
        with pytest.raises(linalg.LinAlgError, match=r"^cond: matrix \(1\) of the stack has NaN"):
            linalg.cond(put(a, device), p)


@pytest.mark.no_kernel
def test_conditions_need_elements() -> None:
    p: Any
    for shape in ((0, 0), (3, 0, 0), (2, 0), (0, 3)):
        for p in (None, -2, 1, -np.inf, "fro", "nuc"):
            with pytest.raises(ValueError, match=r"^cond: matrices of no elements, in shape \("):
                linalg.cond(xp.zeros(shape), p)
    for p in (None, 1, "nuc"):
        assert linalg.cond(xp.zeros((0, 2, 2)), p).shape == (0,)


@pytest.mark.no_kernel
def test_norms_of_singular_values_and_condition_numbers(device: xp.Device) -> None:
    reached(device)
    for dtype in ("float32", "complex64"):
        a = random(dtype, (2, 3, 4))
        x = put(a, device)
        for ord in (2, -2, "nuc"):
            for keepdims in (False, True):
                wanted = np.linalg.matrix_norm(a, ord=ord, keepdims=keepdims)
                near(get(linalg.matrix_norm(x, ord=ord, keepdims=keepdims)), wanted, dtype, ord)
        near(get(linalg.cond(x)), np.linalg.cond(a), dtype)
        a, x = a[..., :3], x[..., :3]
        for p in (None, 2, -2, 1, -1, np.inf, -np.inf, "fro", "nuc"):
            np.testing.assert_allclose(get(linalg.cond(x, p)), np.linalg.cond(a, p), 1e-3)
    with pytest.raises(ValueError, match=r"^cond: shape \(2, 3\): the last two axes must be equal"):
        linalg.cond(xp.ones((2, 3)), 1)
    nothing = xp.ones((0, 3))
    assert (
        linalg.matrix_norm(nothing, ord=2).item()
        == linalg.matrix_norm(nothing, ord="nuc").item()
        == 0
    )


def test_norm_is_numpys(device: xp.Device) -> None:
    a = random("float32", (2, 3, 4))
    x = put(a, device)
    cases: list[tuple[Any, ...]] = [
        (None, None), (None, 1), (None, (0, 2)), (1, 1), (3, -1), (np.inf, (1, 2)), ("fro", (2, 0)),
        (-1, (2, 0)), (1, (0, 1)), (0, 2),
    ]  # fmt: skip
    for ord, axis in cases:
        for keepdims in (False, True):
            wanted = np.linalg.norm(a, ord, axis, keepdims)
            near(get(linalg.norm(x, ord, axis, keepdims)), wanted, "float32", (ord, axis, keepdims))
    near(get(linalg.norm(x[0], 1)), np.linalg.norm(a[0], 1), "float32")
    near(get(linalg.norm(x[0, 0], 3)), np.linalg.norm(a[0, 0], 3), "float32")
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: linalg.norm(x, 1), r"^norm: 3 axes of shape \(2, 3, 4\); give one for vectors"),
        (lambda: linalg.norm(x, None, (0, 1, 2)), "^norm: 3 axes of shape"),
        (lambda: linalg.norm(x, "fro", 1), "^norm: ord 'fro' is one of matrices"),
        (lambda: linalg.norm(x, 3, (0, 1)), "^norm: ord 3 is none of"),
        (lambda: linalg.norm(x, 1, (0, 0)), "^norm: axis 0 is repeated"),
    ]
    for call, text in calls:
        with pytest.raises(ValueError, match=text):
            call()
    with pytest.raises(IndexError, match=r"^norm"):
        linalg.norm(x, 1, 3)
    for name in ("norm", "vector_norm"):
        with pytest.raises(
            TypeError, match=rf"^{name}: axis: expected an int or a sequence of ints"
        ):
            getattr(linalg, name)(x, axis=1.0)


def test_cross_products_are_numpys(device: xp.Device) -> None:
    shapes = [((3,), (3,)), ((4, 3), (4, 3)), ((2, 1, 3), (4, 3)), ((3,), (5, 3))]
    for dtype in ("float32", "complex64", "int32", "uint8"):
        for first, second in shapes:
            rng = np.random.default_rng(6)
            a, b = (rng.integers(0, 9, shape).astype(dtype) for shape in (first, second))
            x, y = put(a, device), put(b, device)
            got = get(xp.cross(x, y))
            assert got.dtype == a.dtype
            np.testing.assert_array_equal(got, np.cross(a, b))
    a, b = random("float32", (3, 4)), random("float32", (2, 3, 4), 5)
    made = linalg.cross(put(a, device), put(b, device), axis=-2)
    near(get(made), any_np.linalg.cross(a, b, axis=-2), "float32")
    made = xp.cross(put(b, device), put(b[::-1].copy(), device), axis=1)
    near(get(made), any_np.linalg.cross(b, b[::-1], axis=1), "float32")
    x = put(np.ones((2, 3), "float32"), device)
    with pytest.raises(
        ValueError, match=r"^cross: shapes \(2, 3\) and \(2, 3\): axis 0 must have 3"
    ):
        xp.cross(x, x, axis=0)
    with pytest.raises(IndexError, match=r"^cross"):
        xp.cross(x, x, axis=2)
    with pytest.raises(TypeError, match=r"^cross: does not accept bool"):
        xp.cross(x > 0, x > 0)


def test_traces_and_diagonals_are_of_the_last_two_axes(device: xp.Device) -> None:
    for dtype in ("float32", "int16", "uint8"):
        a = np.arange(24).reshape(2, 3, 4).astype(dtype)
        x = put(a, device)
        for offset in (0, 1, -2, 5, -5):
            got = get(linalg.diagonal(x, offset=offset))
            np.testing.assert_array_equal(got, np.linalg.diagonal(a, offset=offset))
            trace = linalg.trace(x, offset=offset)
            np.testing.assert_array_equal(get(trace), np.linalg.trace(a, offset=offset))
            assert trace.dtype == xp.sum(x).dtype
    assert linalg.trace(x, dtype="float32").dtype == np.float32
    linalg.diagonal(x)[...] = 0  # a view
    assert get(linalg.trace(x)).tolist() == [0, 0]
    with pytest.raises(ValueError, match=r"^diagonal: an array of 1 axis"):
        linalg.diagonal(x[0, 0])
    with pytest.raises(ValueError, match=r"^trace: an array of 1 axis"):
        linalg.trace(x[0, 0])


def test_products_are_those_of_the_main_namespace() -> None:
    any_xp: Any = xp
    for name in ("cross", "matmul", "matrix_transpose", "outer", "tensordot", "vecdot"):
        assert getattr(linalg, name) is getattr(any_xp, name)
    (xp.ones(3) + 1).eval()


CALLS: dict[str, Callable[[Any], Any]] = {
    "norm": lambda flag: linalg.norm(xp.ones((2, 2)), keepdims=flag),
    "svd": lambda flag: linalg.svd(xp.ones((2, 3)), full_matrices=flag).Vh,
    "cholesky": lambda flag: linalg.cholesky(xp.eye(2), upper=flag),
}


@pytest.mark.no_kernel
@pytest.mark.parametrize("name", CALLS)
def test_flags_are_bools(name: str) -> None:
    for flag in (True, False):
        assert CALLS[name](np.bool_(flag)).shape == CALLS[name](flag).shape
    with pytest.raises(TypeError, match="expected bool"):
        CALLS[name]("yes")
