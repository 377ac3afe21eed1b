"""Counts and sums by an index against NumPy: bincount, histogram, add_at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import (
    COMPLEX,
    DTYPES,
    INTEGERS,
    LAYOUTS,
    assert_same,
    dtype_of,
    get,
    needs,
    put,
    random_values,
    wide,
)
from tests.device.orders import comparable

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.sampled("dtype", others=()),
]


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", ["bool", *INTEGERS])
def test_numbers_of_every_dtype_are_counted(dtype: str, device: xp.Device) -> None:
    values = np.random.default_rng(3).integers(0, 2 if dtype == "bool" else 40, 500).astype(dtype)
    x = put(values, device)
    for part in (slice(None), slice(None, None, -3), slice(1), slice(0)):
        shown, of = x[part], values[part].astype(np.int64)  # NumPy refuses uint64
        assert_same(get(xp.bincount(shown)), np.bincount(of))
        assert_same(get(xp.bincount(shown, minlength=50)), np.bincount(of, minlength=50))
    weights = np.random.default_rng(4).integers(-9, 9, 500).astype(np.int32)
    got = get(xp.bincount(x, put(weights, device)))
    wanted = np.bincount(values.astype(np.int64), weights)
    assert_same(got, wanted.astype("float64" if device.info["fp64"] else "float32"))


def test_many_numbers_are_counted(device: xp.Device) -> None:
    rng = np.random.default_rng(3)
    values = rng.integers(0, 3000, 50_000)
    assert_same(get(xp.bincount(put(values, device))), np.bincount(values))
    weights = rng.normal(size=50_000).astype(np.float32)
    got = get(xp.bincount(put(values, device) // 100, put(weights, device)))
    wanted = np.bincount(values // 100, weights)
    assert float(np.max(np.abs(got - wanted))) < 1e-3
    assert_same(get(xp.bincount(put(values, device) // 100, put(weights, device))), got)


def test_weights_are_broadcast_views_and_special(device: xp.Device) -> None:
    values = np.asarray([3, 0, 3, 0, 1, 5])
    weights = np.asarray([1, -0.0, np.nan, -0.0, np.inf, -np.inf], np.float32)
    got = xp.bincount(put(values, device), put(weights, device))
    wanted = np.bincount(values, weights)
    assert_same(get(got), wanted.astype(get(got).dtype))
    two = xp.broadcast_to(put(np.asarray([2], np.float32), device), (6,))
    assert get(xp.bincount(put(values, device), two)).tolist() == [4, 2, 0, 4, 0, 2]


def test_weights_and_edges_may_be_lists(device: xp.Device) -> None:
    x = put(np.asarray([0, 2, 2]), device)
    assert get(xp.bincount(x, [1, 2.5, 4])).tolist() == [1, 0, 6.5]
    counts, _ = xp.histogram(x, [0, 1, 3], weights=(1, 2, 4))
    assert counts.device == x.device and get(counts).tolist() == [1, 6]


def test_what_cannot_be_counted_is_refused() -> None:
    x = xp.asarray([1, 2, 3])
    with pytest.raises(TypeError, match="bincount: does not accept float32"):
        xp.bincount(xp.ones(3, dtype="float32"))
    with pytest.raises(ValueError, match="bincount: an element is -2; all must be 0 or more"):
        xp.bincount(-x + 1)
    with pytest.raises(ValueError, match="bincount: an array of 2 axes; one is needed"):
        xp.bincount(x[None])
    with pytest.raises(ValueError, match="minlength is -1"):
        xp.bincount(x, minlength=-1)
    with pytest.raises(ValueError, match=r"weights of shape \(2,\) for an array of \(3,\)"):
        xp.bincount(x, xp.ones(2))
    with pytest.raises(TypeError, match="does not accept complex64 as weights"):
        xp.bincount(x, xp.ones(3, dtype="complex64"))
    with pytest.raises(xp.OutOfMemoryError):
        xp.bincount(x + 2**61)
    top = xp.asarray(np.asarray([2**64 - 1], np.uint64))
    with pytest.raises(ValueError, match="18446744073709551615 is too large"):
        xp.bincount(top)


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", [d for d in DTYPES if d not in COMPLEX])
def test_bins_of_one_width(dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    values = random_values(dtype, 300, -40, 40, np.random.default_rng(3)).reshape(3, 100)
    x = put(values, device)
    for bins, limits in ((10, None), (7, (-11.5, 23.5)), (1, (0.25, 0.25)), (3, (1000, 2000))):
        counts, edges = xp.histogram(x, bins, limits)
        wanted = np.histogram(comparable(values).astype(np.float64), get(edges).astype(np.float64))
        assert_same(get(counts), wanted[0], (dtype, bins))
        ends = np.histogram_bin_edges(wide(values), bins, limits)
        eps = float(xp.finfo(get(edges).dtype).eps)
        np.testing.assert_allclose(wide(get(edges)), ends, rtol=8 * eps, atol=100 * eps)
    is_real = dtype not in ("bool", *INTEGERS)
    default = "float64" if device.info["fp64"] else "float32"
    assert get(edges).dtype == (dtype_of(dtype) if is_real else default)


def test_bins_between_edges(device: xp.Device) -> None:
    values = np.asarray([1, 2, 2, 3, 4, 5, 5, -1, 9, np.nan], np.float32)
    x = put(values, device)
    for edges in ([1, 2, 5], [2, 2, 5], [1, 5, 5], [0.5], [-np.inf, 2, np.inf], [2.5, 2.5]):
        wanted = np.histogram(values, edges)[0]
        for given in (edges, put(np.asarray(edges, np.float32), device)):
            counts, same = xp.histogram(x, given)
            assert_same(get(counts), wanted.astype(np.int64), edges)
            assert get(same).tolist() == edges
    whole = np.arange(10, dtype=np.int64)
    counts, same = xp.histogram(put(whole, device), put(np.asarray([0, 3, 9]), device))
    assert_same(get(counts), np.histogram(whole, [0, 3, 9])[0])
    assert get(same).dtype == np.int64


@pytest.mark.sampled("layout")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_bins_of_every_layout(layout: str, device: xp.Device) -> None:
    values = np.random.default_rng(4).integers(-50, 50, (6, 10)).astype(np.int16)
    shown = LAYOUTS[layout](values, np)
    x = LAYOUTS[layout](put(values, device), xp)
    xp.sum(x + 1).eval()
    counts, edges = xp.histogram(x, 4)
    wanted = np.histogram(shown, 4)
    assert_same(get(counts), wanted[0].astype(np.int64), layout)
    np.testing.assert_allclose(get(edges), wanted[1], 1e-5)


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", ["int32", "uint8", "float16", "float32", "complex64"])
def test_weights_and_densities(dtype: str, device: xp.Device) -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=300).astype(np.float32)
    weights = random_values(dtype, 300, 0, 0.5 if "int" not in dtype else 3, rng)
    x, edges = put(values, device), np.asarray([-2, -1, 0.5, 0.75, 2], np.float32)
    counts, _ = xp.histogram(x, put(edges, device), weights=put(weights, device))
    wanted = np.histogram(values, edges, weights=weights.astype(wide(weights).dtype))[0]
    assert get(counts).dtype == dtype_of(dtype)
    if "int" in dtype:
        assert_same(get(counts), wanted.astype(dtype))
    else:
        np.testing.assert_allclose(wide(get(counts)), wanted, rtol=2e-3 if "16" in dtype else 1e-5)
    got, _ = xp.histogram(x, put(edges, device), density=True)
    np.testing.assert_allclose(get(got), np.histogram(values, edges, density=True)[0], rtol=1e-5)
    weighed, _ = xp.histogram(x, put(edges, device), weights=put(weights, device), density=True)
    wanted = np.histogram(values, edges, weights=wide(weights), density=True)[0]
    np.testing.assert_allclose(get(weighed), wanted, rtol=2e-3 if "16" in dtype else 1e-5)
    kinds = ("complex128", "complex64") if dtype == "complex64" else ("float64", "float32")
    assert get(weighed).dtype in kinds


def test_what_has_no_histogram_is_refused() -> None:
    x = xp.ones(3, dtype="float32")
    for bins in (0, -1):
        with pytest.raises(ValueError, match=f"histogram: {bins} bins; at least 1 is needed"):
            xp.histogram(x, bins)
    with pytest.raises(ValueError, match="the range from 2 to 1 decreases"):
        xp.histogram(x, 3, (2, 1))
    with pytest.raises(ValueError, match="is not finite; give one that is"):
        xp.histogram(x, 3, (0, np.inf))
    with pytest.raises(ValueError, match="the range from nan to nan is not finite"):
        xp.histogram(x * np.nan)
    with pytest.raises(ValueError, match="histogram: the edges decrease; sort them"):
        xp.histogram(x, [1, 3, 2])
    with pytest.raises(ValueError, match="edges of 2 axes; one is needed"):
        xp.histogram(x, xp.ones((2, 2)))
    with pytest.raises(ValueError, match=r"weights of shape \(2,\) for an array of \(3,\)"):
        xp.histogram(x, 3, weights=xp.ones(2))
    with pytest.raises(TypeError, match="histogram: does not accept complex64"):
        xp.histogram(xp.ones(3, dtype="complex64"))
    with pytest.raises(ValueError, match="histogram: bins: 'stone' is none of auto, doane, fd"):
        xp.histogram(x, "stone")
    with pytest.raises(TypeError, match="histogram: bins: 'auto' does not count weights"):
        xp.histogram(x, "auto", weights=x)
    for wide_range in ((-1.7e308, 1.7e308), (1, 1 + 1e-7)):
        with pytest.raises(ValueError, match=r"10 bins from .* equal or not finite in float32"):
            xp.histogram(x, 10, wide_range)


def test_rules_give_as_many_bins_as_numpys(device: xp.Device) -> None:
    rng = np.random.default_rng(3)
    floats = [rng.normal(size=500), np.ones(5), np.zeros(0)]
    samples = [rng.integers(0, 9, 300).astype(np.int32), *(a.astype(np.float32) for a in floats)]
    rules: tuple[Any, ...] = ("auto", "doane", "fd", "rice", "scott", "sqrt", "sturges")
    for values in samples:
        for rule in rules:
            for limits in (None, (-1.5, 4.0)):
                got, edges = xp.histogram(put(values, device), rule, limits)
                wanted, theirs = np.histogram(values, rule, limits)
                assert get(got).tolist() == wanted.tolist(), (rule, limits, len(values))
                np.testing.assert_allclose(get(edges), theirs, 1e-5, 1e-6)


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", DTYPES)
def test_repeated_indices_add_up(dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    rng = np.random.default_rng(3)
    start = random_values(dtype, 12, -4, 4, rng).reshape(6, 2)
    values = random_values(dtype, 80, -4, 4, rng).reshape(40, 2)
    for indices in (rng.integers(-6, 6, 40), np.full(40, 3), np.arange(40) % 6):
        x, wanted = put(start, device), start.copy()
        xp.add_at(x, put(indices, device), put(values, device))
        if dtype in ("bool", *INTEGERS):
            np.add.at(wanted, indices, values)
            assert_same(get(x), wanted)
            continue
        exact = wide(start)
        np.add.at(exact, indices, wide(values))
        eps = float(xp.finfo(dtype_of(dtype)).eps)
        off = np.abs(wide(get(x)) - exact)
        assert bool(np.all(off <= 41 * 6 * eps)), dtype


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", INTEGERS)
def test_many_integers_add_up(dtype: str, device: xp.Device) -> None:
    rng = np.random.default_rng(9)
    bits = np.iinfo(dtype)
    start = rng.integers(bits.min, bits.max, (50, 3), dtype, endpoint=True)
    values = rng.integers(bits.min, bits.max, (30_000, 1), dtype, endpoint=True)
    indices = rng.integers(-50, 50, 30_000)
    wanted, x = start.copy(), put(start, device)
    for part in (slice(None), slice(0), slice(1), slice(None, None, -7)):
        np.add.at(wanted, indices[part], values[part])  # wraps round
        xp.add_at(x, put(indices, device)[part], put(values, device)[part])
    assert_same(get(x), wanted)
    np.add.at(wanted[::-1, 1], indices % 7, values[:, 0] // 3)
    xp.add_at(x[::-1, 1], put(indices, device) % 7, put(values[:, 0], device) // 3)
    assert_same(get(x), wanted)


@pytest.mark.sampled("layout")
@pytest.mark.parametrize("layout", [n for n in LAYOUTS if "broad" not in n and "one el" not in n])
def test_every_layout_is_added_to(layout: str, device: xp.Device) -> None:
    values = np.random.default_rng(4).integers(-50, 50, (6, 10)).astype(np.int32)
    whole, mine = values.copy(), put(values, device)
    shown, x = LAYOUTS[layout](whole, np), LAYOUTS[layout](mine, xp)
    xp.sum(mine + 1).eval()
    if shown.ndim == 0:
        with pytest.raises(ValueError, match="add_at: an array without axes"):
            xp.add_at(x, put(np.asarray([0]), device), 1)
        return
    if len(shown) == 0:
        with pytest.raises(IndexError, match="out of bounds for axis 0 of length 0"):
            xp.add_at(x, put(np.asarray([0]), device), 1)
        xp.add_at(x, put(np.zeros(0, np.int64), device), 1)
        return
    indices = np.asarray([[0, -1, 0], [len(shown) // 2, 0, -1]], np.int16)
    added = np.arange(3, dtype=np.int32).reshape(3, *[1] * (shown.ndim - 1))
    xp.add_at(x, put(indices, device), 5)
    np.add.at(shown, indices, 5)
    assert_same(get(mine), whole, layout)
    xp.add_at(x, put(indices, device), put(added, device))
    # NumPy broadcasts to one axis wrongly
    np.add.at(
        shown, indices, np.broadcast_to(added, (2, *added.shape[:1], *shown.shape[1:])).copy()
    )
    assert_same(get(mine), whole, layout)


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_many_sums_have_numpys_bits_on_cpus(dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    rng = np.random.default_rng(7)
    indices = np.minimum(rng.geometric(0.05, 20_000), 90)
    values = (rng.uniform(0, 1, 20_000) + 1j * rng.uniform(-1, 1, 20_000)).astype(
        dtype if dtype.startswith("c") else "complex128"
    )
    values = values if dtype.startswith("c") else values.real.astype(dtype)
    eps = np.finfo(dtype).eps
    for length in (100, 10**6):
        x = xp.ones(length, dtype=dtype, device=device)
        xp.add_at(x, put(indices, device), put(values, device) * 2)  # fused
        wanted = np.ones(length, dtype)
        np.add.at(wanted, indices, values * 2)
        if device.info["unified_memory"]:
            assert_same(get(x), wanted)
            continue
        error = np.abs(get(x) - wanted) / np.maximum(np.abs(wanted), 1)
        assert float(np.max(error)) < 1000 * eps
        again = xp.ones(length, dtype=dtype, device=device)
        xp.add_at(again, put(indices, device), put(values * 2, device))
        assert_same(get(again), get(x))


def test_weights_of_many_numbers_have_numpys_bits_on_cpus(device: xp.Device) -> None:
    needs(device, "float64")
    rng = np.random.default_rng(8)
    numbers, weights = rng.integers(0, 50, 20_000), rng.uniform(0, 1, 20_000).astype(np.float32)
    x, w = put(numbers, device), put(weights, device)
    counts, sums = get(xp.bincount(x, w)), get(xp.histogram(x, 7, weights=w)[0])
    if not device.info["unified_memory"]:
        np.testing.assert_allclose(counts, np.bincount(numbers, weights), rtol=1e-14)
        np.testing.assert_allclose(sums, np.histogram(numbers, 7, weights=weights)[0], rtol=1e-6)
        return
    assert_same(counts, np.bincount(numbers, weights))
    assert_same(sums, np.histogram(numbers, 7, weights=weights)[0])


def test_what_is_added_may_be_the_array_itself(device: xp.Device) -> None:
    a = np.arange(6)
    x = put(a, device)
    xp.add_at(x, x[::-1] // 2, x)
    wanted = a.copy()
    np.add.at(wanted, a[::-1] // 2, a)
    assert_same(get(x), wanted)
    xp.add_at(x, [1, 1, -1], 2)
    xp.add_at(x, 0, 7)
    np.add.at(wanted, [1, 1, -1], 2)
    wanted[0] += 7
    assert_same(get(x), wanted)
    pending = put(a, device) * 2
    xp.add_at(pending, put(np.asarray([0, 0]), device), put(np.asarray([1, 2], np.int8), device))
    assert_same(get(pending), np.asarray([3, 2, 4, 6, 8, 10]))


def test_indices_of_several_axes_add_up(device: xp.Device) -> None:
    start = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    rng = np.random.default_rng(3)
    i, j, k = rng.integers(-2, 2, 30), rng.integers(-3, 3, 30), rng.integers(-4, 4, 30)
    mask = start % 3 == 0
    values = np.arange(30, dtype=np.int32)
    calls: list[tuple[Any, Any]] = [
        ((i, j, k), values),
        ((i, j), values[:, None]),
        ((i, slice(None), k), 2),
        ((i[:, None], 1, k[:5]), 1),
        ((slice(1), [0, 0, 2]), 3),
        (([0, 1, 1], [2, 2, 2]), [[1], [2], [3]]),
        ((1, 2), 5),
        ((slice(None, None, -1), 0), np.arange(4, dtype=np.int32)),
        ([], 1),
        (([], []), 1),
        (mask, 4),
    ]
    for key, added in calls:
        wanted, x = start.copy(), put(start, device)
        xp.add_at(x, key, added)
        if str(key) not in ("[]", "([], [])"):  # for NumPy an empty list is one of floats
            np.add.at(wanted, key, added)
        assert_same(get(x), wanted, key)
    x = put(start, device)
    xp.add_at(x, (put(i, device), put(j, device)), put(values[:, None], device))
    wanted = start.copy()
    np.add.at(wanted, (i, j), values[:, None])
    assert_same(get(x), wanted)


def test_what_cannot_be_added_to_is_refused() -> None:
    x = xp.zeros((3, 2), dtype="int32")
    indices = xp.asarray([0, 2, 2])
    with pytest.raises(IndexError, match="add_at: 3 is out of bounds for axis 0 of length 3"):
        xp.add_at(x, indices + 1, 1)
    with pytest.raises(
        TypeError, match=r"add_at: the sum is float64 and .* array's dtype int32; cast"
    ):
        xp.add_at(x, indices, xp.ones((3, 2), dtype="float64"))
    with pytest.raises(IndexError, match=r"add_at: an array of float64 is no.* index"):
        xp.add_at(x, [1.5], 1)
    with pytest.raises(IndexError, match="add_at: 2 is out of bounds for axis 1 of length 2"):
        xp.add_at(x, ([0, 1], [0, 2]), 1)
    with pytest.raises(IndexError, match="add_at: 3 indices for an array of 2 axes"):
        xp.add_at(x, ([0], [0], [0]), 1)
    with pytest.raises(ValueError, match="add_at: "):
        xp.add_at(x, [0, 1], [1, 2, 3])
    with pytest.raises(ValueError, match="broadcast"):
        xp.add_at(x, indices, xp.ones((3, 3), dtype="int32"))
    with pytest.raises(ValueError, match="add_at: the array is read-only"):
        xp.add_at(xp.broadcast_to(x[:1], (3, 2)), indices, 1)
    assert get(x).tolist() == [[0, 0]] * 3


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_edges_between_elements_are_those_of_numpy(dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    generator = np.random.default_rng(8)
    samples = [np.array([1.7142857]), *(generator.standard_normal(n) * 9 for n in (2, 7, 40, 300))]
    for values in [sample.astype(dtype) for sample in samples]:
        for bins in (1, 3, 10, 23):
            wanted, wanted_edges = np.histogram(values, bins)
            counts, edges = xp.histogram(put(values, device), bins)
            assert_same(get(edges), wanted_edges)
            assert_same(get(counts), wanted)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "uint64"])
@pytest.mark.parametrize("bins", [1, 7, 100, 1000])
def test_even_bins_are_those_of_their_edges(bins: int, dtype: str, device: xp.Device) -> None:
    needs(device, dtype)
    generator = np.random.default_rng(bins)
    for base, scale in ((0, 9), (1e6, 9), (3, 1e-6), (0, 1e-35), (0, 1e37)):
        with np.errstate(all="ignore"):
            values = np.clip(base + scale * generator.random(300), 0, 1e38)
            values = values.clip(0, 1e9) if dtype in INTEGERS else values
            values = values.astype(dtype)
        x = put(values, device)
        try:
            edges = get(xp.histogram(x, bins)[1])
        except ValueError:  # so narrow that edges are equal, or too wide
            continue
        if dtype not in INTEGERS:  # on the edges and beside them, and outside
            beside = [edges, np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf)]
            values = np.concatenate([values, *beside, [np.nan, np.inf, -np.inf]]).astype(dtype)
        counts, edges_again = xp.histogram(
            put(values, device), bins, range=(float(edges[0]), float(edges[-1]))
        )
        assert_same(get(counts), get(xp.histogram(put(values, device), edges_again)[0]))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint8"])
def test_bins_of_many_elements_between_any_edges(dtype: str) -> None:
    """From some thousand elements on the host sorts them."""
    rng = np.random.default_rng(6)
    values = (rng.integers(0, 40, 20_000) / 2).astype(dtype)
    if dtype.startswith("float"):
        values[::7], values[3], values[5], values[9] = np.nan, np.inf, -np.inf, -0.0
    x = put(values, "cpu")
    for edges in (
        [-1, 0, 3, 3, 7.5, 12],
        [0.0, 19.5],
        [5, 6, np.inf],
        [-np.inf, 2, 4],
        [2, np.nan],
    ):
        row = np.asarray(edges)
        kind = np.result_type(values, row)
        finite = row[~np.isnan(row)]
        got = get(xp.histogram(x, bins=put(row, "cpu"))[0])
        wanted = np.histogram(values.astype(kind), bins=finite.astype(kind))[0]
        if finite.size == row.size:
            assert_same(got, wanted, edges)
        else:  # NaN is behind all numbers and no element's end
            assert got.tolist() == [np.count_nonzero(values >= 2)]


def test_a_new_axis_is_an_index_to_add_at() -> None:
    x = xp.zeros(2)
    xp.add_at(x, None, [1, 2])
    xp.add_at(x, (None,), 1)
    assert get(x).tolist() == [2, 3]


def sum_in_pairs(values: Any) -> Any:
    """Neighbours, then pairs of neighbours, and so on."""
    while len(values) > 1:
        rest = values[len(values) // 2 * 2 :]
        values = np.concatenate([values[:-1:2] + values[1::2], rest])
    return values[0]


@pytest.mark.parametrize("places", [1, 3, 40, 700])
@pytest.mark.parametrize("size", [1, 16, 17, 700, 5000])
def test_halves_and_sums_on_gpus_are_added_up_in_pairs(
    device: xp.Device, size: int, places: int
) -> None:
    rng = np.random.default_rng(size + places)
    indices = rng.integers(0, places, size)
    values = (rng.normal(size=size) * 10.0 ** rng.integers(-3, 3, size)).astype(np.float16)
    given = values.astype(np.float32)
    for dtype in ("float16",) if device.info["unified_memory"] else ("float16", "float32"):
        x = put(np.zeros(places, dtype), device)
        xp.add_at(x, put(indices, device), put(given.astype(dtype), device))
        for place, found in enumerate(get(x)):
            of_place = given[indices == place]
            wanted = sum_in_pairs(of_place) if len(of_place) else np.float32(0)
            assert found == wanted.astype(dtype)
