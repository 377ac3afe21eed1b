"""Partitions of rows that are long enough to be selected from on the host, and what is made of
them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import (
    DTYPES,
    assert_same,
    get,
    needs,
    patterns,
    put,
    random_values,
    special_values,
)
from tests.device.orders import comparable, numpys_argsort, numpys_sort

pytestmark = pytest.mark.sampled("dtype", others=())


def check_parted(got: Any, values: Any, kth: Any, axis: int, note: object) -> None:
    """What is in order at the places `kth`, with none greater before and none less behind, of the
    very elements that there are."""
    rows = np.moveaxis(got, axis, -1).reshape(-1, got.shape[axis])
    wanted = np.moveaxis(numpys_sort(values, axis), axis, -1).reshape(rows.shape)
    assert got.dtype == values.dtype and got.shape == values.shape, note
    ends = sorted({k % rows.shape[1] for k in np.atleast_1d(kth)})
    for row, in_order in zip(rows, wanted, strict=True):
        np.testing.assert_array_equal(comparable(row[ends]), comparable(in_order[ends]), str(note))
        begin = 0
        for end in [*ends, len(row)]:  # each part has those that it has in order
            part = comparable(numpys_sort(row[begin:end]))
            np.testing.assert_array_equal(part, comparable(in_order[begin:end]), str(note))
            begin = end
        bits = f"u{row.dtype.itemsize}"
        if row.dtype.kind != "c":
            assert_same(np.sort(row.view(bits)), np.sort(in_order.view(bits)), note)


def check(x: xp.Array, values: Any, kth: Any, axis: int = -1, note: object = "") -> None:
    check_parted(get(xp.partition(x, kth, axis)), values, kth, axis, (note, kth, axis))
    where = get(xp.argpartition(x, kth, axis))
    assert where.dtype == np.int64
    every = np.moveaxis(np.sort(where, axis), axis, -1)
    assert (every == np.arange(every.shape[-1])).all(), "each index once"
    found = np.take_along_axis(values, where, axis)
    check_parted(found, values, kth, axis, (note, kth, axis))


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", DTYPES)
def test_long_rows_of_every_dtype(dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    rng = np.random.default_rng(11)
    some = np.concatenate([special_values(dtype), random_values(dtype, 3000, -3, 3, rng)])
    values = rng.choice(some, (2, 20_001))
    x = put(values, device)
    for kth in (0, 10_000, (-1, 1000, 1001, 10)):
        check(x, values, kth, -1, dtype)
        check(x[0], values[0], kth, 0, dtype)
    check(x[:, ::-2], values[:, ::-2], 100, 1, dtype)
    check(x.T[1:], values.T[1:], (100, 101), 0, dtype)


# Of (8, 6000) elements; `n` is NumPy or Isthmus.
LONG: dict[str, Callable[[Any, Any], Any]] = {
    "dense": lambda x, n: x,
    "one axis": lambda x, n: n.reshape(x, (48_000,)),
    "transposed": lambda x, n: x.T,
    "backwards": lambda x, n: x[::-1, ::-1],
    "every second backwards": lambda x, n: n.reshape(x, (4, 12_000))[::2, ::-2],
    "the same row": lambda x, n: n.broadcast_to(x[3], (5, 6000)),
    "the same element": lambda x, n: n.broadcast_to(x[3, :1], (2, 6000)),
    "three axes": lambda x, n: n.permute_dims(n.reshape(x, (4, 6000, 2)), (2, 0, 1)),
    "no rows": lambda x, n: x[:0],
    "no elements": lambda x, n: x[:, :0],
}


@pytest.mark.sampled("layout")
@pytest.mark.parametrize("layout", LONG)
def test_long_rows_of_every_layout(layout: str, device: xp.Device) -> None:
    values = np.random.default_rng(4).integers(-500, 500, (8, 6000)).astype(np.int32)
    shown = LONG[layout](values, np)
    x = LONG[layout](put(values, device), xp)
    xp.sum(x + 1).eval()
    for axis in range(shown.ndim):
        length = shown.shape[axis]
        if not length:
            with pytest.raises(
                IndexError, match="kth: index 0 is out of bounds for an axis of length 0"
            ):
                xp.partition(x, 0, axis)
            continue
        if shown.size and length >= 40:  # shorter rows are those of test_orders.py
            check(x, shown, (length // 2, -1), axis, layout)
            check(x, shown, 0, axis, layout)
        assert get(xp.partition(x, 0, axis)).shape == shown.shape
        assert_same(get(xp.partition(x, [], axis)), np.sort(shown, axis))


@pytest.mark.parametrize("dtype", ["uint8", "int32", "float32", "uint64", "float64"])
def test_patterns_on_the_host(dtype: str) -> None:
    n = 140_003  # that threads share
    rng = np.random.default_rng(7)
    more = {
        "mostly one": np.where(rng.random(n) < 0.9, 100, rng.integers(0, 256, n)),
        "heaps within heaps": 2.0 ** -rng.integers(0, 30, n) * 2**30 + rng.integers(0, 4, n),
    }
    for name, values in (patterns(n, rng) | more).items():
        numbers = (values.astype(np.int64) % (256 if dtype == "uint8" else 2**31)).astype(dtype)
        x = put(numbers, xp.Device("cpu"))
        for kth in (n // 2, (1, n // 4, n // 2, n // 2 + 1, n - 1)):
            check(x, numbers, kth, 0, name)


@pytest.mark.parametrize("length", [300, 301, 4096, 4097, 8191, 16_385, 32_769, 131_073])
def test_lengths_about_those_that_change_how_it_is_done(length: int) -> None:
    values = np.random.default_rng(length).standard_normal(length).astype(np.float32)
    x = put(values, xp.Device("cpu"))
    for kth in (0, length // 3, length - 1, (length // 2, length // 2 + 1)):
        check(x, values, kth, 0, length)


def test_a_sample_that_misleads_costs_time_alone() -> None:
    """Small ones lie in a pattern, of which a sample sees none or too many."""
    n = 40_000
    for period in (2, 16, 78, 79, 156, 157, 4096):
        values = np.where(np.arange(n) % period == 0, np.arange(n) - 2 * n, np.arange(n))
        x = put(values, xp.Device("cpu"))
        for k in (n // period - 1, n // period, (0, n // 2, n - 1)):
            check(x, values, k, 0, period)
    for begin in range(0, n, 4096):  # all of one piece
        values = np.arange(n)
        values[begin : begin + 4096] = -values[begin : begin + 4096]
        check(put(values, xp.Device("cpu")), values, (1000, 4096, n // 2), 0, begin)


@pytest.fixture
def _threads() -> Iterator[None]:
    before = xp.config.num_threads
    yield
    xp.config.num_threads = before


@pytest.mark.usefixtures("_threads")
@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "int64"])
def test_any_number_of_threads_gives_the_same(dtype: str) -> None:
    rng = np.random.default_rng(3)
    values = (rng.standard_normal((3, 200_001)) * 20).astype(dtype)
    if values.dtype.kind == "f":
        values[rng.random(values.shape) < 0.01] = np.nan
        values[rng.random(values.shape) < 0.3] = rng.choice([0.0, -0.0])
    kth = (100, 100_000, 100_001, 199_999)
    for x in (put(values[0], xp.Device("cpu")), put(values, xp.Device("cpu")).T):
        made = []
        for threads in (1, 2, 5):
            xp.config.num_threads = threads
            made.append([get(f(x, kth, 0)) for f in (xp.partition, xp.argpartition)])
        for one in made[1:]:
            for first, other in zip(made[0], one, strict=True):
                assert_same(other, first)
    check(x, values.T, kth, 0)


def test_equal_elements_keep_their_order_on_the_host() -> None:
    values = np.random.default_rng(1).integers(0, 9, 30_000).astype(np.float32)
    values[values == 4] = -0.0
    x = put(values, xp.Device("cpu"))
    where = get(xp.argpartition(x, (3000, 20_000)))
    for key in np.unique(values):
        assert (np.diff(where[values[where] == key]) > 0).all()
    assert_same(values[where], get(xp.partition(x, (3000, 20_000))))


def test_more_places_than_are_selected_are_sorted(device: xp.Device) -> None:
    values = np.random.default_rng(1).standard_normal(9000).astype(np.float32)
    x = put(values, device)
    for count in (15, 16, 17, 200):
        check(x, values, [*range(0, 9000, 9000 // count)][:count], 0, count)


def test_a_partition_may_be_written_over_what_it_reads(device: xp.Device) -> None:
    values = np.random.default_rng(5).integers(-999, 999, 9000)
    for target in (slice(None), slice(None, None, -1)):
        x = put(values, device)
        x[target] = xp.partition(x, 4500)
        check_parted(get(x)[target], values, 4500, 0, target)
    x = put(values, device)
    x.partition((10, -10))
    check_parted(get(x), values, (10, -10), 0, "in place")
    y = put(values, device)[::-1]
    check(y * y - y, (values * values - values)[::-1], 77)
    both = xp.where(y > 0, xp.partition(y, 9), y)  # what is parted is used beside it
    assert_same(get(both)[values[::-1] <= 0], values[::-1][values[::-1] <= 0])


def test_places_are_numbers_of_a_call(device: xp.Device) -> None:
    """One kernel for all of them."""
    x = put(np.random.default_rng(1).standard_normal(5000).astype(np.float32), device)
    xp.partition(x, 5).eval()
    before = xp.cache.info().compiled
    for k in range(100, 120):
        assert get(xp.partition(x, k))[k] == np.sort(get(x))[k]
    assert xp.cache.info().compiled == before


@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "float64", "uint64"])
def test_the_largest_of_many_keep_their_order(dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    rng = np.random.default_rng(2)
    values = random_values(dtype, 3 * 20_000, -9, 9, rng).reshape(3, 20_000)
    if values.dtype.kind == "f":
        values[:, ::3] = np.round(values[:, ::3])
        values[1, rng.random(20_000) < 0.2] = np.nan
        values[2] = np.nan
        values[2, :40] = -0.0
    x = put(values, device)
    for k in (1, 30, 2500, 2501, 20_000):
        for largest in (True, False):
            found, where = xp.topk(x, k, largest=largest)
            wanted = numpys_argsort(values, -1, largest)[:, :k]
            assert_same(get(where), wanted, (dtype, k))
            assert_same(get(found), np.take_along_axis(values, wanted, -1), (dtype, k))
    found, where = xp.topk(x.T, 20, axis=0)
    assert_same(get(where), numpys_argsort(values.T, 0, True)[:20])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("share", [0, 1e-3, 0.6, 1])
def test_medians_and_quantiles_of_many(share: float, device: xp.Device) -> None:
    rng = np.random.default_rng(8)
    values = rng.standard_normal((3, 9001)).astype(np.float32)
    chosen = rng.random(values.shape) < share
    chosen[0] = False
    values[chosen] = np.nan
    x = put(values, device)
    q = [0.0, 0.1, 0.25, 0.5, 0.99, 1.0]
    for axis in (1, None):
        for mine, numpys in (
            (xp.median(x, axis), np.median(values, axis)),
            (xp.nanmedian(x, axis), np.nanmedian(values, axis)),
            (xp.quantile(x, q, axis), np.quantile(values, q, axis)),
            (xp.nanquantile(x, q, axis), np.nanquantile(values, q, axis)),
        ):
            np.testing.assert_allclose(get(mine), numpys, rtol=1e-5, atol=1e-6)
