"""Factorizations and solvers: beside NumPy's, and by what they are to give when multiplied."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, put
from tests.device.matrices import (
    EMPTY,
    FLOATS,
    LAYOUTS,
    SHAPES,
    TALL_AND_WIDE,
    adjoint,
    hermitian,
    near,
    positive,
    random,
    reached,
    reals,
)

pytestmark = pytest.mark.no_kernel  # LAPACK calculates on the host
linalg: Any = xp.linalg
dtypes = pytest.mark.parametrize("dtype", FLOATS)


def diagonal_of(s: Any) -> Any:
    return s[..., None] * np.eye(s.shape[-1])


@dtypes
def test_solve_inv_and_determinants_are_numpys(device: xp.Device, dtype: str) -> None:
    reached(device, dtype)
    for shape in SHAPES:
        a, b = random(dtype, shape), random(dtype, (*shape[:-1], 2), 4)
        x, y = put(a, device), put(b, device)
        solved = linalg.solve(x, y)
        assert solved.device == x.device
        assert solved.dtype == x.dtype
        near(get(solved), np.linalg.solve(a, b), dtype, shape)
        near(
            get(linalg.solve(x, y[(0,) * (len(shape) - 2)])),
            np.linalg.solve(a, b[(0,) * (len(shape) - 2)]),
            dtype,
        )
        row = random(dtype, shape[-1:], 5)
        near(
            get(linalg.solve(x, put(row, device))), np.linalg.solve(a, row[:, None])[..., 0], dtype
        )
        near(get(linalg.inv(x)), np.linalg.inv(a), dtype, shape)
        near(get(linalg.det(x)), np.linalg.det(a), dtype, shape)
        sign, size = linalg.slogdet(x)
        assert size.dtype == reals(dtype)
        near(get(sign) * np.exp(get(size)), np.linalg.det(a), dtype, shape)
        near(get(sign), np.linalg.slogdet(a)[0], dtype, shape)


@dtypes
def test_factors_multiply_to_the_matrix(device: xp.Device, dtype: str) -> None:
    reached(device, dtype)
    for shape in SHAPES + TALL_AND_WIDE:
        a = random(dtype, shape)
        x = put(a, device)
        for mode in ("reduced", "complete"):
            q, r = map(get, linalg.qr(x, mode=mode))
            like = np.linalg.qr(a, mode)
            assert (q.shape, r.shape, q.dtype) == (like[0].shape, like[1].shape, a.dtype)
            near(q @ r, a, dtype, (shape, mode))
            near(
                adjoint(q) @ q,
                np.broadcast_to(np.eye(q.shape[-1]), (*shape[:-2], q.shape[-1], q.shape[-1])),
                dtype,
            )
            assert not np.tril(r, -1).any()
        near(get(linalg.qr(x, mode="r")), np.linalg.qr(a, "r"), dtype, shape)
        for full in (False, True):
            made = linalg.svd(x, full_matrices=full)
            u, s, vh = map(get, made)
            likes = np.linalg.svd(a, full_matrices=full)
            assert [u.shape, s.shape, vh.shape] == [one.shape for one in likes]
            assert (made.U.dtype, made.S.dtype, made.Vh.dtype) == (a.dtype, reals(dtype), a.dtype)
            near(s, likes.S, dtype, shape)
            k = s.shape[-1]
            near(u[..., :k] * s[..., None, :] @ vh[..., :k, :], a, dtype, shape)
            near(adjoint(u) @ u, np.zeros_like(adjoint(u) @ u) + np.eye(u.shape[-1]), dtype)
            near(vh @ adjoint(vh), np.zeros_like(vh @ adjoint(vh)) + np.eye(vh.shape[-2]), dtype)
        near(get(linalg.svdvals(x)), likes.S, dtype, shape)
        near(get(linalg.svd(x, compute_uv=False)), likes.S, dtype, shape)


@dtypes
def test_cholesky_reads_one_triangle(device: xp.Device, dtype: str) -> None:
    reached(device, dtype)
    for shape in SHAPES:
        a = positive(dtype, shape)
        lower, upper = np.tril(a), np.triu(a)
        got = get(linalg.cholesky(put(lower, device)))
        near(got, np.linalg.cholesky(a), dtype, shape)
        assert not np.triu(got, 1).any()
        got = get(linalg.cholesky(put(upper, device), upper=True))
        near(got, adjoint(np.linalg.cholesky(a)), dtype, shape)
        assert not np.tril(got, -1).any()


@dtypes
def test_eigenvalues_of_symmetric_matrices(device: xp.Device, dtype: str) -> None:
    reached(device, dtype)
    for shape in SHAPES:
        a = hermitian(dtype, shape)
        wanted = np.linalg.eigvalsh(a)
        for triangle, part in (("L", np.tril(a)), ("U", np.triu(a))):
            x = put(part, device)
            made = linalg.eigh(x, UPLO=triangle)
            w, v = map(get, made)
            assert (w.dtype, v.dtype) == (reals(dtype), a.dtype)
            near(w, wanted, dtype, shape)
            near(v * w[..., None, :] @ adjoint(v), a, dtype, shape)
            near(get(linalg.eigvalsh(x, triangle)), wanted, dtype, shape)
        part = np.tril(a) + np.triu(np.full(shape, np.nan, dtype), 1)  # is not looked at
        near(get(linalg.eigvalsh(put(part, device))), wanted, dtype, shape)
        assert np.isfinite(get(linalg.eigh(put(part, device)).eigenvectors)).all()


@dtypes
def test_eigenvalues_of_any_matrices_are_complex(device: xp.Device, dtype: str) -> None:
    reached(device, dtype)
    for shape in SHAPES:
        a = random(dtype, shape)
        x = put(a, device)
        w, v = map(get, linalg.eig(x))
        assert w.dtype == v.dtype == np.result_type(dtype, "complex64")
        near(a @ v, v * w[..., None, :], dtype, shape)
        near(np.linalg.norm(v, axis=-2), np.ones(shape[:-1]), dtype, shape)
        values = get(linalg.eigvals(x))
        assert values.dtype == w.dtype
        near(np.sort_complex(values), np.sort_complex(w), dtype, shape)
    symmetric = get(linalg.eig(put(np.diag([3, 1, 2]).astype(dtype), device)).eigenvalues)
    near(symmetric, [3, 1, 2], dtype)


@dtypes
def test_pseudoinverses_ranks_and_least_squares_are_numpys(device: xp.Device, dtype: str) -> None:
    reached(device, dtype)
    for shape in SHAPES + TALL_AND_WIDE:
        a = random(dtype, shape)
        a[..., -1, :] = a[..., 0, :]  # of a lesser rank
        x = put(a, device)
        wanted = np.linalg.matrix_rank(a, rtol=1e-4)
        assert (get(linalg.matrix_rank(x)) == wanted).all()
        assert linalg.matrix_rank(x).dtype == np.int64
        assert (get(linalg.matrix_rank(x, rtol=1e-4)) == wanted).all()
        limit = np.full(shape[:-2], 0.5, reals(dtype))
        assert (
            get(linalg.matrix_rank(x, rtol=put(limit, device)))
            == np.linalg.matrix_rank(a, rtol=limit)
        ).all()
        assert (get(linalg.matrix_rank(x, 0.5)) == np.linalg.matrix_rank(a, 0.5)).all()
        assert (
            get(linalg.matrix_rank(x, put(limit, device))) == np.linalg.matrix_rank(a, limit)
        ).all()
        near(get(linalg.pinv(x)), np.linalg.pinv(a, 1e-5), dtype, shape)
        near(get(linalg.pinv(x, 0.3)), np.linalg.pinv(a, 0.3), dtype, shape)
        near(get(linalg.pinv(x, rtol=put(limit, device))), np.linalg.pinv(a, rtol=limit), dtype)
    for m, n in ((5, 3), (3, 5), (4, 4), (1, 2)):
        a, b = random(dtype, (m, n)), random(dtype, (m, 2), 9)
        for right in (b, b[:, 0]):
            got = linalg.lstsq(put(a, device), put(right, device))
            like = np.linalg.lstsq(a, right)
            for one, other in zip(got, like, strict=True):
                near(get(one), other, dtype, (m, n))
            assert (got.x.dtype, got.s.dtype, got.rank.dtype) == (a.dtype, reals(dtype), np.int64)
    none = linalg.lstsq(put(a, device), put(b[:, :0], device))
    assert (none.x.shape, none.residuals.shape, none.rank.item()) == ((2, 0), (0,), 1)
    tall = linalg.lstsq(put(random(dtype, (3, 2)), device), put(np.zeros((3, 0), dtype), device))
    assert (tall.x.shape, tall.residuals.shape) == ((2, 0), (0,))
    a[0] = 0
    got = linalg.lstsq(put(a, device), put(b, device), rcond=-1)
    assert got.rank.item() == 0


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_read(device: xp.Device, layout: str) -> None:
    reached(device)
    for dtype in ("float32", "complex64"):
        base = random(dtype, (2, 4, 4))
        shown, x = LAYOUTS[layout](base, np), LAYOUTS[layout](put(base, device), xp)
        u, s, vh = map(get, linalg.svd(x, full_matrices=False))
        near(u * s[..., None, :] @ vh, shown, dtype, layout)
        q, r = map(get, linalg.qr(x))
        near(q @ r, shown, dtype, layout)
        right = random(dtype, (*shown.shape[:-2], shown.shape[-1], 3), 7)
        if layout == "one row":
            assert (get(linalg.matrix_rank(x)) == 1).all()
            continue
        if shown.shape[-1] != shown.shape[-2]:
            continue
        near(get(linalg.det(x)), np.linalg.det(shown), dtype, layout)
        near(get(linalg.inv(x)), np.linalg.inv(shown), dtype, layout)
        near(get(linalg.solve(x, put(right, device))), np.linalg.solve(shown, right), dtype, layout)
        for near_it in (right[..., ::-1], np.asfortranarray(right), right[..., :1]):
            got = linalg.solve(x, xp.asarray(near_it, device=device, copy=True))
            near(get(got), np.linalg.solve(shown, near_it), dtype, layout)
        w, v = map(get, linalg.eig(x))
        near(shown @ v, v * w[..., None, :], dtype, layout)
        symmetric = x + xp.conj(xp.matrix_transpose(x))
        near(get(linalg.eigvalsh(symmetric)), np.linalg.eigvalsh(shown + adjoint(shown)), dtype)


def test_systems_broadcast(device: xp.Device) -> None:
    reached(device)
    pairs: list[Any] = [
        ((3, 3), (5, 3, 2)), ((1, 3, 3), (5, 3, 2)), ((5, 3, 3), (3, 2)), ((5, 1, 3, 3), (4, 3, 1)),
        ((2, 3, 3), (3, 3)), ((2, 3, 3), (2, 3)), ((3, 3), (3,)), ((2, 4, 3, 3), (3,)),
    ]  # fmt: skip
    for first, second in pairs:
        a, b = random("float32", first), random("float32", second, 8)
        if second == (2, 3):  # matrices of two rows, which do not fit
            with pytest.raises(ValueError, match=r"^solve: shapes \(2, 3, 3\) and \(2, 3\)"):
                linalg.solve(put(a, device), put(b, device))
            continue
        wanted = np.linalg.solve(a, b)
        near(get(linalg.solve(put(a, device), put(b, device))), wanted, "float32", (first, second))


def test_matrices_without_elements(device: xp.Device) -> None:
    reached(device)
    for shape in EMPTY:
        a = np.zeros(shape, "float32")
        x = put(a, device)
        for mode in ("reduced", "complete"):
            for got, like in zip(linalg.qr(x, mode=mode), np.linalg.qr(a, mode), strict=True):
                near(get(got), like, "float32", (shape, mode))
        for full in (False, True):
            likes = np.linalg.svd(a, full_matrices=full)
            for got, like in zip(linalg.svd(x, full_matrices=full), likes, strict=True):
                near(get(got), like, "float32", (shape, full))
        near(get(linalg.svdvals(x)), np.linalg.svd(a, compute_uv=False), "float32")
        assert linalg.pinv(x).shape == (*shape[:-2], shape[-1], shape[-2])
        assert get(linalg.matrix_rank(x)).tolist() == np.zeros(shape[:-2]).tolist()
        if len(shape) == 2:
            wanted: Any = np.linalg.lstsq(a, np.ones((shape[0], 2), "float32"))
            made = linalg.lstsq(x, xp.ones((shape[0], 2), dtype="float32", device=device))
            for got, like in zip(made, wanted, strict=True):
                near(get(got), like, "float32", shape)
        if shape[-1] != shape[-2]:
            continue
        near(get(linalg.det(x)), np.linalg.det(a), "float32", shape)
        for got, like in zip(linalg.slogdet(x), np.linalg.slogdet(a), strict=True):
            near(get(got), like, "float32", shape)
        for name in ("inv", "cholesky", "eigvalsh"):
            near(get(getattr(linalg, name)(x)), getattr(np.linalg, name)(a), "float32", shape)
        assert linalg.eigvals(x).shape == shape[:-1]
        for name in ("eig", "eigh"):
            values, vectors = getattr(linalg, name)(x)
            assert (values.shape, vectors.shape) == (shape[:-1], shape)
        right = xp.ones((shape[-1], 2), dtype="float32", device=device)
        assert linalg.solve(x, right).shape == (*shape[:-1], 2)
    none = xp.ones((3, 0), dtype="float32", device=device)
    assert linalg.solve(xp.eye(3, dtype="float32", device=device), none).shape == (3, 0)


def test_integers_and_bools_are_converted() -> None:
    a = np.array([[2, 1], [1, 3]])
    for dtype in ("int8", "uint16", "int32", "int64", "bool"):
        x = xp.asarray(a.astype(dtype))
        for name in ("det", "inv", "cholesky", "eigvalsh", "svdvals"):
            if dtype == "bool" and name in ("inv", "cholesky"):
                continue
            got = getattr(linalg, name)(x)
            assert got.dtype == np.float64
        assert linalg.eigvals(x).dtype == np.complex128
    solved = linalg.solve(xp.asarray(a), xp.asarray(np.ones(2, "float32")))
    assert solved.dtype == np.float64
    assert (
        linalg.solve(xp.asarray(a.astype("int8")), xp.ones(2, dtype="complex64")).dtype
        == "complex64"
    )


def test_determinants_do_not_overflow_on_the_way() -> None:
    sizes = np.array([1e200, 1e200, 1e-200, 1e-200, 3])
    assert get(linalg.det(xp.asarray(np.diag(sizes)))) == pytest.approx(3)
    assert get(linalg.det(xp.asarray(np.diag(sizes * 1j)))) == pytest.approx(3j)
    assert get(linalg.det(xp.asarray(np.diag(sizes[:2])))) == np.inf
    assert get(linalg.det(xp.asarray(np.diag(sizes[2:4])))) == 0
    sign, size = linalg.slogdet(xp.asarray(np.diag(-sizes[:3])))
    assert (sign.item(), size.item()) == (-1, pytest.approx(200 * np.log(10)))
    sign, size = linalg.slogdet(xp.asarray(np.diag(1j * sizes[:2])))
    assert (sign.item(), size.item()) == (-1, pytest.approx(400 * np.log(10)))
    sign, size = linalg.slogdet(xp.zeros((3, 3)))
    assert (sign.item(), size.item()) == (0, -np.inf)
    exact = [[0, 1, 0], [1, 0, 0], [0, 0, 2.0]]
    assert get(linalg.det(xp.asarray(exact))) == -2


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_determinants_of_singular_matrices_that_overflow(dtype: str) -> None:
    m = 1.7e308
    a = np.array([[0, 0, 0], [0, m, m], [0, -m, m]], dtype)
    with_nan, with_infinity, regular = a.copy(), a.copy(), a.copy()
    with_nan[2, 0], with_infinity[1, 2] = np.nan, np.inf
    # det is -m, but the second pivot overflows, and the third is zero for that reason
    regular[:] = [[m, m, 0], [-m, m, 1], [0, 1, 0]]
    x = xp.asarray(np.stack([a, a.T, with_nan, with_infinity, regular]))
    sign, size = linalg.slogdet(x)
    for found in (get(linalg.det(x)), get(sign)):
        assert (found[:2] == 0).all()
        assert np.isnan(found[2:]).all()
    assert (get(size)[:2] == -np.inf).all()
    assert np.isnan(get(size)[2:]).all()


def test_large_matrices_and_long_stacks(device: xp.Device) -> None:
    reached(device)
    rng = np.random.default_rng(2)
    for shape in ((300, 300), (3, 260, 260), (3000, 3, 3)):
        a = rng.normal(size=shape).astype("float32")
        a += 3 * np.eye(shape[-1], dtype="float32") * shape[-1] ** 0.5
        x = put(a, device)
        b = rng.normal(size=shape[:-1]).astype("float32")[..., None]
        got = get(linalg.solve(x, put(b, device)))
        np.testing.assert_allclose(a @ got, b, 1e-3, 2e-3)
        np.testing.assert_allclose(
            get(linalg.inv(x)) @ a, np.broadcast_to(np.eye(shape[-1]), shape), 1e-3, 2e-3
        )
        q, r = map(get, linalg.qr(x))
        np.testing.assert_allclose(q @ r, a, 1e-3, 2e-3)
        square = a @ adjoint(a)
        lower = get(linalg.cholesky(put(square, device)))
        np.testing.assert_allclose(lower @ adjoint(lower), square, 1e-3, 0.5)


def test_operands_may_be_pending(device: xp.Device) -> None:
    reached(device)
    a = positive("float32", (3, 3))
    x = put(a, device)
    near(get(linalg.inv(2 * x) @ (x + x)), np.eye(3), "float32")
    near(get(linalg.cholesky(x + 0) * 2), 2 * np.linalg.cholesky(a), "float32")
    x[0, 0] += 1
    a[0, 0] += 1
    near(get(linalg.det(x)), np.linalg.det(a), "float32")
    before = get(x).copy()
    linalg.svd(x), linalg.eigh(x), linalg.lstsq(x, x), linalg.solve(x, x)
    assert (get(x) == before).all()  # works on copies


def test_powers_and_chains_of_products(device: xp.Device) -> None:
    reached(device)
    a = random("float32", (2, 3, 3))
    x = put(a, device)
    for n in (-3, -1, 0, 1, 2, 5, 10):
        wanted = np.linalg.matrix_power(a.astype("float64"), n)
        got = get(linalg.matrix_power(x, n))
        np.testing.assert_allclose(got, wanted, 1e-3, 1e-2)
    power = linalg.matrix_power(x, 1)
    power[...] = 0
    assert (get(x) == a).all()
    whole = xp.asarray([[1, 1], [1, 0]])
    assert get(linalg.matrix_power(whole, 30)).tolist() == [[1346269, 832040], [832040, 514229]]
    parts = [random("float32", shape) for shape in ((4, 7), (7, 2), (2, 5), (5, 3))]
    wanted = np.linalg.multi_dot(parts)
    near(get(linalg.multi_dot([put(one, device) for one in parts])), wanted, "float32")
    row, column = random("float32", (4,)), random("float32", (3,), 1)
    ours = [put(one, device) for one in (row, *parts, column)]
    near(get(linalg.multi_dot(ours)), np.linalg.multi_dot([row, *parts, column]), "float32")
    near(get(linalg.multi_dot(ours[:-1])), np.linalg.multi_dot([row, *parts]), "float32")
    near(get(linalg.multi_dot(ours[1:])), np.linalg.multi_dot([*parts, column]), "float32")


def test_several_threads_work_at_once() -> None:
    a = positive("float64", (40, 30, 30))
    wanted = np.linalg.inv(a)
    wrong: list[Any] = []

    def work() -> None:
        x = xp.asarray(a, copy=True)
        for _ in range(5):
            got = get(linalg.inv(x))
            if not np.allclose(got, wanted) or not np.allclose(
                get(linalg.svdvals(x[0])), np.linalg.svdvals(a[0])
            ):
                wrong.append(got)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not wrong
    assert xp.config.num_threads >= 1
