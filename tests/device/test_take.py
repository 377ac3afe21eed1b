"""take, put, nonzero and searches against NumPy, in every layout and dtype."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import (
    DTYPES,
    INTEGERS,
    LAYOUTS,
    assert_same,
    dtype_of,
    get,
    has,
    needs,
    put,
)
from tests.ways import Way

pytestmark = pytest.mark.sampled("dtype", others=())

MODES = ("raise", "wrap", "clip")


def base() -> Any:
    return np.arange(60, dtype=np.int32).reshape(6, 10)


@pytest.mark.no_kernel  # some have no elements
@pytest.mark.sampled("layout", every=1)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_take_reads_what_numpy_takes(way: Way, device: xp.Device, layout: str, mode: Any) -> None:
    a, x = LAYOUTS[layout](base(), np), LAYOUTS[layout](put(base(), device), xp)
    rng = np.random.default_rng(3)
    for axis in (None, *range(-1, a.ndim)) if a.ndim else (None,):
        length = a.size if axis is None else a.shape[axis]
        for shape in ((4,), (2, 3), (), (0,)):
            low, high = (-length, length) if mode == "raise" else (-2 * length - 3, 3 * length + 3)
            if length == 0 and 0 not in shape:
                with pytest.raises(IndexError):
                    xp.take(x, put(np.zeros(shape, np.int64), device), axis=axis, mode=mode)
                continue
            at = rng.integers(low, max(high, low + 1), shape)
            wanted = np.take(a, at, axis=axis, mode=mode)
            assert_same(get(xp.take(x, put(at, device), axis=axis, mode=mode)), wanted, (axis, at))
            if axis is not None:
                assert_same(get(x.take(at, axis, None, mode)), wanted, (axis, at))


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", INTEGERS)
def test_indices_of_every_dtype(way: Way, device: xp.Device, dtype: str) -> None:
    a = np.arange(300, dtype=np.float32)
    x = put(a, device)
    low, top = np.iinfo(dtype).min, np.iinfo(dtype).max
    some = np.asarray([low, low + 1, 0, 1, 5, top - 1, top], dtype)
    for mode in ("wrap", "clip"):
        wide = np.asarray(
            [int(i) % 300 if mode == "wrap" else min(max(int(i), 0), 299) for i in some]
        )
        assert_same(get(xp.take(x, put(some, device), mode=mode)), a[wide], mode)
    assert_same(get(xp.take(x, put(some[2:5], device))), a[some[2:5]])
    if top > 300:
        with pytest.raises(
            IndexError, match=f"({low}|{top - 1}|{top}) is out of bounds for axis 0 of length 300"
        ):
            get(xp.take(x, put(some, device)))


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", DTYPES)
def test_whole_rows(way: Way, device: xp.Device, dtype: str) -> None:
    needs(device, dtype)
    rng, high = np.random.default_rng(6), 2 if dtype == "bool" else 100
    for shape in ((40, 16), (9, 4, 25), (300, 100), (11, 1000), (2, 5000)):
        a = rng.integers(0, high, shape).astype(dtype_of(dtype))
        x = put(a, device)
        at, mask = rng.integers(-shape[0], shape[0], 2 * shape[0]), rng.random(shape[0]) < 0.5
        i, m = put(at, device), put(mask, device)
        assert_same(get(x[i]), a[at], shape)
        assert_same(get(x[m]), a[mask], shape)
        assert_same(get(xp.take(x, i, axis=0)), a[at], shape)
        assert_same(get(x[i, ..., 3:-1]), a[at, ..., 3:-1], shape)
        assert_same(get(x[i, ..., ::-2]), a[at, ..., ::-2], shape)
        turned = xp.permute_dims(x, tuple(range(len(shape)))[::-1])
        assert_same(get(turned[..., i]), a.T[..., at], shape)
        assert_same(get(xp.stack([x[i], x[::-1][i]])), np.stack([a[at], a[::-1][at]]), shape)
        b, y = a.copy(), put(a, device)
        values = rng.integers(0, high, (len(at), *shape[1:])).astype(a.dtype)
        b[at], y[i] = values, put(values, device)
        assert_same(get(y), b, shape)
        b[mask, ..., ::2], y[m, ..., ::2] = 1, 1
        assert_same(get(y), b, shape)
        b[mask], y[m] = values[: mask.sum()], put(values[: mask.sum()], device)
        assert_same(get(y), b, shape)


@pytest.mark.parametrize("shape", [(40, 16), (300, 100), (11, 1000), (3, 5000), (64, 4, 25)])
def test_what_is_made_of_whole_rows(way: Way, device: xp.Device, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(7)
    a, at = rng.integers(-99, 99, shape).astype(np.int32), rng.integers(0, shape[0], 3 * shape[0])
    x, i = put(a, device), put(at, device)
    assert_same(get(x[i] * 2 + x[i[::-1]]), a[at] * 2 + a[at[::-1]])
    for axis in range(len(shape)):
        wanted: Any = np.sum(a[at], axis=axis, dtype=np.int64)
        assert_same(get(xp.sum(x[i], axis=axis)), wanted, axis)
        assert_same(get(xp.max(x[i] - 1, axis=axis)), np.max(a[at] - 1, axis=axis), axis)
        wanted = np.cumsum(a[at], axis=axis, dtype=np.int64)
        assert_same(get(xp.cumulative_sum(x[i], axis=axis)), wanted, axis)
    table = rng.permutation(shape[0])
    assert_same(get(x[put(table, device)[i]]), a[table[at]])


@pytest.mark.lazy
def test_the_positions_are_part_of_the_kernel_that_writes(device: xp.Device) -> None:
    x, at = xp.zeros(300, device=device).eval(), put(np.arange(0, 300, 3), device)
    values = xp.ones(100, device=device).eval()
    before = xp.statistics()["kernels"]
    x[at] = values
    x.eval()
    # another one looks whether all are inside, where the host cannot look at once
    assert xp.statistics()["kernels"] - before in (1, 2)
    assert float(xp.sum(x)) == 100


@pytest.mark.parametrize("layout", ["contiguous", "negative steps", "F order", "three axes"])
def test_along_an_axis(way: Way, device: xp.Device, layout: str) -> None:
    a, x = LAYOUTS[layout](base(), np), LAYOUTS[layout](put(base(), device), xp)
    rng = np.random.default_rng(4)
    for axis in range(-1, a.ndim):
        shape = list(a.shape)
        shape[axis] = 4
        at = rng.integers(-a.shape[axis], a.shape[axis], shape)
        wanted = np.take_along_axis(a, at, axis)
        assert_same(get(xp.take_along_axis(x, put(at, device), axis=axis)), wanted, axis)
        one = at[tuple(slice(0, 1) if i != axis % a.ndim else slice(None) for i in range(a.ndim))]
        wanted = np.take_along_axis(a, one, axis)
        assert_same(get(xp.take_along_axis(x, put(one, device), axis=axis)), wanted, axis)
        b, y = a.copy(), put(np.ascontiguousarray(a), device)
        values = np.arange(at.size, dtype=np.int32).reshape(at.shape)
        for part in (values, 7, values[..., :1]):
            np.put_along_axis(b, at, part, axis)
            xp.put_along_axis(y, put(at, device), part, axis)
            assert_same(get(y), b, axis)
    flat = rng.integers(0, a.size, 5)
    wanted = np.take_along_axis(a, flat, None)
    assert_same(get(xp.take_along_axis(x, put(flat, device), axis=None)), wanted)


@pytest.mark.parametrize("mode", MODES)
def test_put_writes_where_numpy_puts(way: Way, device: xp.Device, mode: Any) -> None:
    rng = np.random.default_rng(5)
    for layout in ("contiguous", "negative", "strided", "F order"):
        whole, mine = base(), put(base(), device)
        a, x = LAYOUTS[layout](whole, np), LAYOUTS[layout](mine, xp)
        high = a.size if mode == "raise" else 3 * a.size
        low = -high if mode != "clip" else 0
        for values in (5, [1, 2, 3], np.arange(12), np.arange(20, dtype=np.int16), []):
            at = rng.integers(low, high, (3, 4))
            np.put(a, at, values, mode)
            xp.put(x, put(at, device), values, mode)
            assert_same(get(mine), whole, (layout, values))
            x.put(at[0], values, mode)
            np.put(a, at[0], values, mode)
            assert_same(get(mine), whole, (layout, values))


@pytest.mark.no_kernel
def test_wrong_calls_are_refused_and_nothing_is_written(device: xp.Device) -> None:
    x: Any = put(base(), device)
    at = put(np.asarray([0, 60]), device)
    for call in (
        lambda: xp.take(x, at),
        lambda: xp.take(x, at, axis=0),
        lambda: xp.put(x, at, 1),
        lambda: xp.take(x, at, axis=2),
        lambda: xp.take_along_axis(x, at, axis=None),
        lambda: xp.put_along_axis(x, xp.reshape(at, (1, 2)), 1, 1),
        lambda: xp.take(x[:, :0], at, axis=1, mode="clip"),
        lambda: xp.take(x, 2**70),
    ):
        with pytest.raises(IndexError, match=r"out of bounds|axis"):
            made = call()
            get(x if made is None else made)
    for call in (
        lambda: xp.take(x, at, mode="other"),
        lambda: xp.put(x, at, 1, "other"),
        lambda: xp.take_along_axis(x, at),
        lambda: xp.take_along_axis(x, put(np.zeros((7, 7), np.int8), device), axis=0),
        lambda: xp.put(xp.broadcast_to(x, (2, 6, 10)), [0], 1),
        lambda: xp.put_along_axis(x, put(np.zeros((6, 2), np.int8), device), [1, 2, 3], 1),
    ):
        with pytest.raises(ValueError, match=r"\w+: "):
            call()
    for call in (
        lambda: xp.take(x, put(np.asarray([1.0], np.float32), device)),
        lambda: xp.take(x, put(np.asarray([True]), device)),
        lambda: xp.take(x, "a"),
        lambda: xp.take([1, 2], at),  # type: ignore[arg-type]
        lambda: xp.put(x, [0], 1j),
        lambda: xp.take_along_axis(x, put(np.zeros((6, 2), np.float32), device)),
    ):
        with pytest.raises(TypeError, match=r"\w+: "):
            call()
    assert_same(get(x), base())


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", DTYPES)
def test_nonzero_finds_what_numpy_finds(way: Way, device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip("no double precision")
    rng = np.random.default_rng(6)
    for shape in ((7,), (3, 4), (2, 3, 4), (0,), (3, 0), (1,)):
        a = rng.integers(0, 3, shape).astype(dtype_of(dtype))
        x = put(a, device) + 0 if dtype != "bool" else put(a, device)
        for mine, wanted in zip(xp.nonzero(x), np.nonzero(a), strict=True):
            assert_same(get(mine), wanted, shape)
        assert_same(get(xp.argwhere(x)), np.argwhere(a), shape)
        assert_same(get(xp.flatnonzero(x)), np.flatnonzero(a), shape)
        if a.ndim == 2:
            for mine, wanted in zip(x.T.nonzero(), a.T.nonzero(), strict=True):
                assert_same(get(mine), wanted, shape)


@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_many_elements_are_found(way: Way, device: xp.Device, share: float) -> None:
    count = 1_000_003 if str(way).startswith("cpu") else 70_001
    a = np.random.default_rng(7).random(count) < share
    x = put(a, device)
    assert_same(get(xp.flatnonzero(x)), np.flatnonzero(a))
    values = np.arange(count, dtype=np.float32)
    assert_same(get(put(values, device)[x]), values[a])


def test_nonzero_of_no_axes(device: xp.Device) -> None:
    x = put(np.float32(3), device)
    with pytest.raises(ValueError, match="without axes"):
        xp.nonzero(x)
    assert xp.argwhere(x).shape == (1, 0)
    assert xp.argwhere(x * 0).shape == (0, 0)
    assert get(xp.flatnonzero(x)).tolist() == [0]


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("dtype", DTYPES[:-2])
def test_searches_find_what_numpys_find(way: Way, device: xp.Device, dtype: str, side: Any) -> None:
    if not has(device, dtype):
        pytest.skip("no double precision")
    rng = np.random.default_rng(8)
    a = np.sort(rng.integers(0, 20, 33)).astype(dtype_of(dtype))
    a.sort()
    wanted = rng.integers(0, 25, (4, 5)).astype(dtype_of(dtype))
    got = xp.searchsorted(put(a, device), put(wanted, device), side=side)
    assert_same(get(got), np.searchsorted(a, wanted, side), dtype)
    backwards = put(a, device)[::-1]
    order = put(np.arange(33)[::-1], device)
    got = xp.searchsorted(backwards, put(wanted, device), side=side, sorter=order)
    assert_same(get(got), np.searchsorted(a, wanted, side), dtype)
    one = xp.searchsorted(put(a, device), put(wanted, device)[1, 2], side=side)
    assert one.shape == () and int(one) == np.searchsorted(a, wanted[1, 2], side)


def test_searches_of_mixed_dtypes_and_nan(way: Way, device: xp.Device) -> None:
    a = np.asarray([-np.inf, -1, 0, 2, np.inf, np.nan, np.nan], np.float32)
    wanted = np.asarray([np.nan, 0, -0.0, 3, np.inf, -np.inf], np.float32)
    for side in ("left", "right"):
        got = xp.searchsorted(put(a, device), put(wanted, device), side=side)
        assert_same(get(got), np.searchsorted(a, wanted, side), side)
        whole = np.asarray([-5, 0, 3], np.int8)
        got = xp.searchsorted(put(a, device), put(whole, device), side=side)
        assert_same(get(got), np.searchsorted(a, whole, side), side)
        got = xp.searchsorted(put(whole, device), put(wanted, device), side=side)
        assert_same(get(got), np.searchsorted(whole, wanted, side), side)
        assert int(xp.searchsorted(put(whole, device), 3, side=side)) == (
            2 if side == "left" else 3
        )
    none = put(np.zeros(0, np.float32), device)
    assert get(xp.searchsorted(none, put(wanted, device))).tolist() == [0] * 6
    wrongs: list[Any] = [
        lambda: xp.searchsorted(put(base(), device), put(wanted, device)),
        lambda: xp.searchsorted(put(a, device), put(wanted, device), side="middle"),
        lambda: xp.searchsorted(put(a, device), put(wanted, device), sorter=put(whole, device)),
    ]
    for wrong in wrongs:
        with pytest.raises(ValueError, match="searchsorted: "):
            wrong()
    with pytest.raises(TypeError, match="cannot be ordered"):
        xp.searchsorted(put(a, device), put(wanted.astype(np.complex64), device))


@pytest.mark.parametrize("right", [False, True])
def test_bins_are_those_of_numpy(way: Way, device: xp.Device, right: bool) -> None:
    x = np.asarray([0.2, 6.4, 3.0, 1.6, -1, 10, np.nan, 4], np.float32)
    nan = np.nan  # comes last, as sort() has it
    for bins in ([0, 1, 2.5, 4, 10], [10, 4, 4, 0], [], [1], [2, 2], [1, 3, nan], [nan, nan, 3]):
        b = np.asarray(bins, np.float32)
        got = xp.digitize(put(x, device), put(b, device), right=right)
        assert_same(get(got), np.digitize(x, b, right), bins)
    for wrong in ([1, 3, 2], [1, nan, 2]):
        with pytest.raises(ValueError, match="not sorted"):
            xp.digitize(put(x, device), put(np.asarray(wrong, np.float32), device))
    with pytest.raises(ValueError, match="one is needed"):
        xp.digitize(put(x, device), put(base(), device))


def test_searches_take_lists_and_numbers_past_the_dtype(device: xp.Device) -> None:
    a = np.asarray([0, 3, 3, 255], np.uint8)
    x = put(a, device)
    sides: tuple[Any, ...] = ("left", "right")
    for side in sides:
        for number in (300, -1, 2**70, -(2**70), 255, 0, 3):
            got = xp.searchsorted(x, number, side=side)
            assert got.device == device and int(got) == int(np.searchsorted(a, number, side))
        for values in ([1, 300], [[3], [-4]]):
            wanted = np.searchsorted(a, values, side)
            assert_same(get(xp.searchsorted(x, values, side=side)), wanted, values)
    assert get(xp.searchsorted([1, 4], x)).tolist() == [0, 1, 1, 2]
    at = put(np.asarray([2, 0, 1]), device)
    assert get(xp.searchsorted(at, [1, 2], sorter=[1, 2, 0])).tolist() == [1, 2]
    assert get(xp.digitize(x, [1, 300])).tolist() == [0, 1, 1, 1]
    assert int(xp.digitize(0.5, put(np.asarray([0, 1], np.float32), device))) == 1
    with pytest.raises(
        IndexError, match="searchsorted: sorter: 5 is out of bounds for axis 0 of length 3"
    ):
        int(xp.searchsorted(at, 1, sorter=[0, 1, 5]))
    with pytest.raises(TypeError, match="searchsorted: sorter: indices are float32"):
        xp.searchsorted(at, 1, sorter=put(np.zeros(3, np.float32), device))
    with pytest.raises(TypeError, match="searchsorted: a list and an int; one must be"):
        xp.searchsorted([1, 2], 1)


def test_take_fills_out_which_stands_before_mode(way: Way, device: xp.Device) -> None:
    x = put(np.arange(4, dtype=np.float32), device) + 1
    out = xp.empty(2, dtype="float32", device=device)
    assert x.take([-1, 9], 0, out, "wrap") is out
    assert_same(get(out), np.array([4, 2], np.float32))
    assert xp.take(x, [3, 2, 1, 0], out=x) is x
    assert_same(get(x), np.array([4, 3, 2, 1], np.float32))
    assert x.cumsum(None, None, x) is x
    assert_same(get(x), np.array([4, 7, 9, 10], np.float32))
    wrong: Any = "wrap"
    with pytest.raises(TypeError, match=r"take: out: expected an Array, not a text; write mode="):
        x.take([0], 0, wrong)
