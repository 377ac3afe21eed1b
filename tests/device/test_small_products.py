"""Products that the host multiplies in a row of its own, without a library."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, put
from tests.device.test_large_products import assert_close_sums
from tests.device.test_products import assert_near, values_of, wide_of


def test_small_products_of_all_sizes_are_near() -> None:
    """They end in vectors of several widths, and in single elements."""
    for n in (*range(1, 20), 31, 33):
        for dtype in ("float32", "float64"):
            a, b = values_of(dtype, (3, 5, n), n), values_of(dtype, (3, n, n + 2), 6)
            x, y = put(a, "cpu"), put(b, "cpu")
            wanted = wide_of(a) @ wide_of(b)
            assert_near(get(x @ y), wanted, dtype, n)
            turned = xp.matrix_transpose(xp.matrix_transpose(y).copy())
            assert_near(get(x @ turned), wanted, dtype, n)
            flat = get(xp.matrix_transpose(y) @ xp.matrix_transpose(x))
            assert_near(flat, wanted.swapaxes(-1, -2), dtype, n)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_small_products_with_a_column_or_a_row_are_near(dtype: str) -> None:
    """A column has sums in vectors, and a rest; a row is multiplied eight vectors at a time."""
    for rows, inner in itertools.product((1, 2, 4, 7, 9), (1, 3, 8, 15, 17, 33, 90, 257, 600)):
        a, b = values_of(dtype, (2 * rows, inner)), values_of(dtype, (2 * inner, 1), 6)
        c = values_of(dtype, (rows, 1), 9)
        for of_a in (a[:rows], a[::2], a[rows::-1][:rows], np.asfortranarray(a)[:rows]):
            for of_b in (b[:inner], b[::2], b[inner::-1][:inner]):
                x, y = xp.asarray(of_a), xp.asarray(of_b)
                wanted, note = wide_of(of_a) @ wide_of(of_b), (rows, inner)
                assert_close_sums(get(x @ y), wanted, inner, note)
                assert_close_sums(get(x @ y[:, 0]), wanted[:, 0], inner, note)
                assert_close_sums(get(y.T @ x.T), wanted.T, inner, note)
                turned = get(x.T @ put(c, "cpu"))
                assert_close_sums(turned, wide_of(of_a).T @ wide_of(c), rows, note)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_many_rows_by_a_small_matrix_are_near(dtype: str) -> None:
    """More rows than one thread takes, and a number that ends within tiles of every height."""
    for inner, columns in ((4, 4), (5, 8), (16, 16), (7, 24), (64, 64), (4, 1000), (1000, 4)):
        rows = (1 << 18) // (inner * columns) + 13
        a, b = values_of(dtype, (2 * rows, inner)), values_of(dtype, (2 * inner, columns), 6)
        for of_a in (a[:rows], a[::2], a[rows::-1][:rows], np.asfortranarray(a)[:rows]):
            for of_b in (b[:inner], b[::2], b[inner::-1][:inner], np.asfortranarray(b)[:inner]):
                x, y = xp.asarray(of_a), xp.asarray(of_b)
                wanted, note = wide_of(of_a) @ wide_of(of_b), (rows, inner, columns)
                got = get(x @ y)
                assert_close_sums(got, wanted, inner, note)
                assert_close_sums(get(y.T @ x.T), wanted.T, inner, note)
                # a row is the same wherever it stands, and whatever thread calculates it
                at = [0, 1, rows // 2, rows - 2, rows - 1]
                np.testing.assert_array_equal(get(x[at] @ y), got[at], err_msg=str(note))
        stack = put(a[: 2 * (rows // 2)].reshape(2, -1, inner), "cpu")
        wanted = wide_of(get(stack)) @ wide_of(b[:inner])
        assert_close_sums(get(stack @ put(b[:inner], "cpu")), wanted, inner, columns)
        both = put(np.stack([b[:inner], b[inner:]]), "cpu")
        assert_close_sums(get(stack @ both), wide_of(get(stack)) @ wide_of(get(both)), inner, "two")
