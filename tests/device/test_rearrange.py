"""Elements at other places, against NumPy: every layout, size 0, negative and huge arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import LAYOUTS, assert_same, get, put
from tests.ways import Way

pytestmark = pytest.mark.sampled("dtype", others=())


def base() -> Any:
    return np.arange(60, dtype=np.int32).reshape(6, 10)


def numpys(call: Callable[..., Any]) -> Any:
    """What NumPy gives, or that it refuses."""
    try:
        return call(np)
    except (ValueError, IndexError):
        return None


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "roll": lambda xp, x: xp.roll(x, 2),
    "roll back": lambda xp, x: xp.roll(x, -3, axis=0),
    "roll round": lambda xp, x: xp.roll(x, 25, axis=-1),
    "roll by nothing": lambda xp, x: xp.roll(x, 0),
    "roll several": lambda xp, x: xp.roll(x, (1, -2), axis=(0, 1)),
    "roll one axis twice": lambda xp, x: xp.roll(x, (1, 2), axis=(1, 1)),
    "roll all by one": lambda xp, x: xp.roll(x, 1, axis=(0, 1)),
    "repeat": lambda xp, x: xp.repeat(x, 3),
    "repeat along": lambda xp, x: xp.repeat(x, 2, axis=1),
    "repeat never": lambda xp, x: xp.repeat(x, 0, axis=0),
    "repeat once": lambda xp, x: xp.repeat(x, 1, axis=-1),
    "repeat each": lambda xp, x: xp.repeat(x, list(range(x.shape[0])), axis=0),
    "tile": lambda xp, x: xp.tile(x, 2),
    "tile to more axes": lambda xp, x: xp.tile(x, (2, 1, 3)),
    "tile never": lambda xp, x: xp.tile(x, (0, 2)),
    "tile by nothing": lambda xp, x: xp.tile(x, ()),
    "hstack": lambda xp, x: xp.hstack([x, x[:, :1]]),
    "vstack": lambda xp, x: xp.vstack((x, x[:2])),
    "vstack rows": lambda xp, x: xp.vstack([x[0], x[1]]),
    "hstack rows": lambda xp, x: xp.hstack([x[0], x[1]]),
    "tril": lambda xp, x: xp.tril(x),
    "tril above": lambda xp, x: xp.tril(x, k=2),
    "triu": lambda xp, x: xp.triu(x),
    "triu below": lambda xp, x: xp.triu(x, k=-1),
    "triu far": lambda xp, x: xp.triu(x, k=10**6),
    "diff": lambda xp, x: xp.diff(x),
    "diff twice": lambda xp, x: xp.diff(x, n=2, axis=0),
    "diff of none": lambda xp, x: xp.diff(x, n=0),
    "diff too often": lambda xp, x: xp.diff(x, n=50),
    "diff with ends": lambda xp, x: xp.diff(x, prepend=x[:, :1], append=x[:, -2:]),
    "diff with numbers": lambda xp, x: xp.diff(x, axis=0, prepend=x.dtype.type(3), append=x[0, 0]),
    "diff with a number": lambda xp, x: xp.diff(x, n=2, append=x[1, 1]),
}


# matrices go through all of them, other layouts through those that take any array
ANY = ("roll", "roll by nothing", "repeat", "tile")
CASES = [
    (name, layout)
    for name in CALLS
    for layout in LAYOUTS
    if name in ANY or LAYOUTS[layout](base(), np).ndim == 2
]


@pytest.mark.no_kernel  # some have no elements
@pytest.mark.parametrize(("name", "layout"), CASES)
def test_elements_go_where_numpys_go(way: Way, device: xp.Device, name: str, layout: str) -> None:
    x = LAYOUTS[layout](put(base(), device), xp)
    a = LAYOUTS[layout](base(), np)
    wanted = numpys(lambda module: CALLS[name](module, a))
    if wanted is None:
        with pytest.raises((ValueError, IndexError)):
            CALLS[name](xp, x)
        return
    got = CALLS[name](xp, x)
    assert_same(get(got), wanted, (name, layout))
    assert got.device == x.device


@pytest.mark.parametrize("name", ["roll by nothing", "repeat once", "tile by nothing"])
def test_new_memory_is_new_although_nothing_moves(device: xp.Device, name: str) -> None:
    x = put(base(), device)
    got = CALLS[name](xp, x)
    got[...] = 7
    assert_same(get(x), base())


@pytest.mark.parametrize("dtype", ["bool", "uint8", "float16", "float32", "complex64"])
def test_every_dtype_is_moved(way: Way, device: xp.Device, dtype: str) -> None:
    a = (np.arange(12).reshape(3, 4) % 3).astype(dtype)
    x = put(a, device)
    assert_same(get(xp.tril(x, k=-1)), np.tril(a, k=-1))
    assert_same(get(xp.triu(x)), np.triu(a))
    assert_same(get(xp.roll(x, 1, axis=1)), np.roll(a, 1, axis=1))
    assert_same(get(xp.tile(x, (2, 2))), np.tile(a, (2, 2)))
    assert_same(get(xp.diff(x)), np.diff(a))


def test_a_number_beside_differences_is_promoted_as_an_operand(device: xp.Device) -> None:
    x = put(np.array([1, 4], np.float32), device)
    assert xp.diff(x, prepend=2).dtype == np.float32
    assert get(xp.diff(x, prepend=2)).tolist() == [-1, 3]
    whole = put(np.array([1, 4], np.int32), device)
    assert xp.diff(whole, append=2).dtype == np.int32
    there = put(np.array([1, 4], np.int8), device)
    assert get(xp.diff(there, append=xp.asarray(0.5, dtype="float32", device=device))).tolist() == [
        3,
        -3.5,
    ]
    assert xp.diff(xp.asarray([1, 4]), append=0.5).tolist() == [3, -3.5]
    assert get(xp.diff(put(np.array([True]), device), prepend=False)).tolist() == [True]
    with pytest.raises(OverflowError):
        xp.diff(whole, prepend=2**40)
    with pytest.raises(TypeError, match=r"^diff: "):
        xp.diff(x, prepend="a")  # type: ignore[arg-type]


def test_triangles_of_many_matrices(way: Way, device: xp.Device) -> None:
    a = np.arange(2 * 3 * 4, dtype=np.float32).reshape(2, 3, 4)
    for k in (-5, -1, 0, 2, 9):
        assert_same(get(xp.tril(put(a, device), k=k)), np.tril(a, k=k))
        assert_same(get(xp.triu(put(a, device), k=k)), np.triu(a, k=k))


def test_what_is_pending_fuses_into_a_triangle() -> None:
    if xp.config.eager:
        pytest.skip("each operation is a kernel")
    x = xp.ones((4, 4)).eval()
    before = xp.statistics()["kernels"]
    total = float(xp.sum(xp.tril(x * 2)))  # an assert would hold on to what is in it
    assert total == 20
    assert xp.statistics()["kernels"] == before + 1


def test_parts_are_views(device: xp.Device) -> None:
    x = put(base(), device)
    for part in xp.split(x, 3):
        part[...] = 1
    assert bool(xp.all(x == 1))
    a = base()
    for where in (2, [1, 4], [4, 1], [-2, 100], []):
        for axis in (0, 1, -1):
            got = xp.split(put(a, device), where, axis)
            for mine, wanted in zip(got, np.split(a, where, axis), strict=True):
                assert_same(get(mine), wanted, (where, axis))
    for three in (np.array(3), np.int8(3), put(np.array(3), device)):
        assert [part.shape for part in xp.split(x, three)] == [(2, 10)] * 3
    for count in (0, -1, 4):
        with pytest.raises(ValueError, match="equal parts"):
            xp.split(x, count)
    with pytest.raises(IndexError):
        xp.split(x, 2, axis=2)


def test_ints_may_be_an_array(device: xp.Device) -> None:
    a = base()
    x = put(a, device)
    for ints in (lambda *values: put(np.array(values), device), lambda *values: np.array(values)):
        for mine, wanted in zip(xp.split(x, ints(1, 4)), np.split(a, [1, 4]), strict=True):
            assert_same(get(mine), wanted)
        assert_same(get(xp.reshape(x, ints(10, 6))), a.reshape(10, 6))
        assert_same(get(xp.tile(x, ints(2, 1))), np.tile(a, (2, 1)))
        assert_same(get(xp.roll(x, ints(1, -2), ints(0, 1))), np.roll(a, (1, -2), (0, 1)))
        assert_same(get(xp.sum(x, axis=ints(0, 1))), np.sum(a))
        assert_same(get(xp.pad(x, ints(1, 2))), np.pad(a, (1, 2)))
        assert xp.zeros(ints(2, 3), device=device).shape == (2, 3)
    for width in (np.array([[1, 0], [0, 2]]), put(np.array([[1, 0], [0, 2]]), device)):
        assert_same(get(xp.pad(x, width)), np.pad(a, [(1, 0), (0, 2)]))
    with pytest.raises(TypeError):
        xp.split(x, put(np.array([1.5]), device))


@pytest.mark.parametrize("indexing", ["xy", "ij"])
def test_grids_span_what_numpys_span(device: xp.Device, indexing: Any) -> None:
    for lengths in ((), (3,), (3, 2), (3, 2, 4), (3, 0)):
        arrays = [np.arange(n, dtype=np.float32) for n in lengths]
        got = xp.meshgrid(*(put(a, device) for a in arrays), indexing=indexing)
        for mine, wanted in zip(got, np.meshgrid(*arrays, indexing=indexing), strict=True):
            assert_same(get(mine), wanted, lengths)
            assert mine.is_read_only
    with pytest.raises(ValueError, match="none of xy, ij"):
        xp.meshgrid(xp.ones(3), indexing="yx")
    with pytest.raises(ValueError, match="one is needed"):
        xp.meshgrid(xp.ones((3, 2)))


def test_numbers_of_repeats_may_be_an_array(device: xp.Device) -> None:
    a = np.arange(4, dtype=np.int32)
    x = put(a, device)
    for dtype in ("int8", "uint64", "int64"):
        times = put(np.asarray([2, 0, 1, 3], dtype), device)
        assert_same(get(xp.repeat(x, times)), np.repeat(a, [2, 0, 1, 3]), dtype)
    assert_same(
        get(xp.repeat(x, xp.asarray([True, False, True, True], device=device))), a[[0, 2, 3]]
    )
    assert_same(get(xp.repeat(x, [3])), np.repeat(a, [3]))
    assert_same(get(xp.repeat(x, [0, 0, 0, 0])), a[:0])
    assert_same(get(xp.repeat(x[:0], [])), a[:0])
    assert_same(get(xp.repeat(x, 2)), np.repeat(a, 2))


def test_many_numbers_of_repeats_take_few_kernels(way: Way, device: xp.Device) -> None:
    times = np.random.default_rng(3).integers(0, 4, 5000)
    a = np.arange(10_000, dtype=np.float32).reshape(2, 5000)
    x, each = put(a, device), put(times, device)
    before = xp.statistics()["kernels"]
    got = xp.repeat(x, each, axis=1).eval()
    assert xp.statistics()["kernels"] - before <= 12
    assert_same(get(got), np.repeat(a, times, axis=1))
    struct = np.asarray([(1, 2.5), (3, 4.5)], [("a", "i4"), ("b", "f8")])
    assert get(xp.repeat(put(struct, device), [2, 1])).tolist() == [*[(1, 2.5)] * 2, (3, 4.5)]


def test_numbers_of_repeats_that_cannot_be_are_refused() -> None:
    x = xp.ones((2, 3))
    with pytest.raises(TypeError, match=r"repeat: repeats are float64; .*integers"):
        xp.repeat(x, [1.0, 2.0], 0)
    with pytest.raises(TypeError, match="repeat: repeats are float64"):
        xp.repeat(x, 1.5)
    with pytest.raises(ValueError, match="repeat: repeats is -1; it must be 0 or more"):
        xp.repeat(x, [1, -1], 0)
    with pytest.raises(ValueError, match="repeat: 3 repeats for an axis of length 2"):
        xp.repeat(x, [1, 1, 1], 0)
    with pytest.raises(ValueError, match="repeat: repeats of 2 axes; at most one is needed"):
        xp.repeat(x, [[1, 1]], 0)
    with pytest.raises(ValueError, match=r"repeat: axis 0 is longer than 2\^63-1"):
        xp.repeat(x, [2**62, 2**62], 0)
    with pytest.raises(ValueError, match=r"repeat: shape \(4611686018427387904, 3\)"):
        xp.repeat(x, [2**62, 0], 0)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: xp.repeat(x, -1),
        lambda x: xp.repeat(x, 2**62, axis=0),
        lambda x: xp.repeat(x, [1, 2, 3, 4, 5], axis=0),
        lambda x: xp.tile(x, (-1,)),
        lambda x: xp.tile(x, 2**62),
        lambda x: xp.roll(x, (1, 2, 3), axis=(0, 1)),
        lambda x: xp.roll(x, (1, 2)),
        lambda x: xp.tril(x[0]),
        lambda x: xp.diff(x, n=-1),
        lambda x: xp.hstack([x, x[:2]]),
        lambda x: xp.vstack([x[:0, :0], x]),
    ],
)
def test_what_does_not_fit_is_refused(call: Callable[[Any], Any]) -> None:
    with pytest.raises((ValueError, MemoryError)):
        call(xp.ones((6, 10)))
    with pytest.raises(TypeError):
        call([1])


def test_no_arrays_cannot_be_joined() -> None:
    for join in (xp.hstack, xp.vstack):
        with pytest.raises(ValueError, match="no arrays"):
            join([])


@pytest.mark.parametrize("k", [2**63 - 1, -(2**63)])
def test_the_farthest_diagonals(k: int) -> None:
    x = xp.ones((3, 3))
    assert float(xp.sum(xp.tril(x, k=k))) == (9 if k > 0 else 0)
    assert float(xp.sum(xp.triu(x, k=k))) == (0 if k > 0 else 9)


def test_many_axes_are_rolled_at_once(way: Way, device: xp.Device) -> None:
    a = np.arange(2 * 3 * 2 * 2 * 3 * 2, dtype=np.int32).reshape(2, 3, 2, 2, 3, 2)
    x = put(a, device)
    for shifts in ((1, 2, 1, 1, 1, 1), (1, 0, -3, 2, 7, 1), (0,) * 6):
        assert_same(get(xp.roll(x, shifts, tuple(range(6)))), np.roll(a, shifts, tuple(range(6))))
