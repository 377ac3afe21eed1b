"""sort and argsort of rows that are in order already, nearly so, or short, on the host."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import DTYPES, REALS, assert_same, dtype_of, get, put
from tests.device.orders import numpys_argsort, numpys_sort

pytestmark = pytest.mark.sampled("dtype", others=())

CPU = xp.Device("cpu")
# rows that are ranked, the longest of those, more than a piece, and than what one thread looks at
LENGTHS = [2, 16, 17, 199, 200, 201, 4096, 4097, 8193, 70_001]


def same_as_numpys(x: xp.Array, values: Any, axis: int, note: object) -> None:
    for descending in (False, True):
        got = get(xp.argsort(x, axis=axis, descending=descending))
        assert_same(got, numpys_argsort(values, axis, descending), (note, descending))
        got = get(xp.sort(x, axis=axis, descending=descending))
        assert_same(got, numpys_sort(values, axis, descending), (note, descending))


def rows_in_order(dtype: str, n: int) -> Iterator[tuple[str, Any]]:
    if dtype == "bool":
        rising = np.arange(n) >= n // 2
    else:
        kind = np.int64 if dtype in REALS else dtype_of(dtype)
        most = 100 if np.dtype(kind).itemsize == 1 else 250
        rising = np.sort(np.random.default_rng(n).integers(0, most, n)).astype(dtype_of(dtype))
    yield "rising", rising
    yield "falling, with equal ones", rising[::-1].copy()
    yield "equal", np.full(n, rising[n // 2])
    if dtype in ("int32", "uint64", "float32", "float64"):
        yield "falling", np.arange(n)[::-1].astype(dtype)
    for place in {0, 1, 15, 16, n // 2, 4095, 4096, 32_768, n - 2, n - 1} & set(range(n)):
        for name, row in (("rising", rising), ("falling", np.arange(n)[::-1] % 120)):
            broken = row.astype(dtype_of(dtype))
            broken[place] = dtype == "bool" or 60
            yield f"{name}, but at {place}", broken
    if dtype in REALS:
        signs = rising.copy()
        signs[: n // 2] = 0
        signs[: n // 2 : 3] = -0.0
        signs[n - n // 3 :] = np.nan
        yield "zeros of both signs, and NaN last", signs
        signs[0] = np.nan
        yield "NaN first", signs


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if "complex" not in dtype])
def test_rows_in_order(dtype: str, n: int) -> None:
    for name, row in rows_in_order(dtype, n):
        same_as_numpys(put(row, CPU), row, 0, (name, n))


def test_bits_of_nan_stay_with_their_elements() -> None:
    bits = np.arange(1000, dtype=np.uint32)
    row = (bits + 0x7FC00000).view(np.float32)  # one key, and as many different NaNs
    for shown in (row, row[::-1]):
        x = xp.sort(xp.asarray(shown))
        assert np.array_equal(get(x).view(np.uint32), shown.view(np.uint32))


@pytest.mark.parametrize("dtype", ["int16", "float32", "float64"])
def test_layouts_of_rows_in_order(dtype: str) -> None:
    rows = np.sort(np.random.default_rng(1).integers(0, 9000, (6, 5000)), axis=1).astype(dtype)
    rows[1] = np.arange(5000)[::-1]
    rows[2, 4444] = 0
    x = put(rows, CPU)
    same_as_numpys(x, rows, 1, "rows")
    same_as_numpys(x.T, rows.T, 0, "columns")
    same_as_numpys(x[:, ::-3], rows[:, ::-3], 1, "steps")
    same_as_numpys(x + 1, rows + 1, 1, "calculated")
    out = xp.zeros((5000, 6), dtype=dtype)
    out[:, :] = xp.sort(x, axis=1).T
    assert_same(get(out), np.sort(rows, axis=1).T)


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if "complex" not in dtype])
def test_many_short_rows(dtype: str) -> None:
    rng = np.random.default_rng(2)
    for length in (1, 2, 3, 5, 8, 31, 32, 33, 64, 65, 100, 129, 200, 201, 300):
        rows = rng.integers(0, 2 if length % 2 else 100, (40, length)).astype(dtype_of(dtype))
        if dtype in REALS:
            rows[rng.random(rows.shape) < 0.1] = np.nan
            rows[rng.random(rows.shape) < 0.1] = -0.0
        x = put(rows, CPU)
        same_as_numpys(x, rows, 1, length)
        same_as_numpys(x.T, rows.T, 0, length)
        same_as_numpys(x[::2, ::-1], rows[::2, ::-1], 1, length)
        parted = get(xp.argpartition(x, length // 2, axis=1))
        assert_same(np.sort(parted, axis=1), np.tile(np.arange(length), (40, 1)), length)
        wanted = numpys_sort(rows, 1, False)[:, length // 2]
        got = np.take_along_axis(rows, parted, 1)[:, length // 2]
        assert np.all((got == wanted) | ((got != got) & (wanted != wanted))), length


@pytest.mark.parametrize("dtype", [d for d in DTYPES if dtype_of(d).kind in "iu"])
def test_many_of_the_smallest_and_the_largest_numbers(dtype: str) -> None:
    info, rng = np.iinfo(dtype), np.random.default_rng(3)
    low, high = [info.min, info.min + 1, info.min + 2], [info.max, info.max - 1, info.max - 2]
    for among in (low[:2], low, high[:2], high, low + high):
        values = rng.choice(np.array(among, dtype), 140_000)  # threads share so many
        same_as_numpys(put(values, CPU), values, 0, among)
