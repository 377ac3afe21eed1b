"""x[...] by arrays of indices and masks against NumPy, for reading and writing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import DTYPES, LAYOUTS, assert_same, get, has, put
from tests.device.index_keys import SHAPES, Keys
from tests.ways import Way

pytestmark = pytest.mark.sampled("dtype", others=())


def how_many(way: Way) -> int:
    """A driver compiles a kernel for most keys."""
    return 12 if way.is_real else 250


def is_refused(a: Any, key: Any) -> bool:
    try:
        a[key]
    except IndexError:
        return True
    return False


def has_mask(key: Any) -> bool:
    """For one alone NumPy takes values of one axis only."""
    entries = key if isinstance(key, tuple) else (key,)
    return any(isinstance(entry, np.ndarray) and entry.dtype == bool for entry in entries)


def launch(device: xp.Device) -> None:
    (xp.ones((1,), dtype="int8", device=device) + 1).eval()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_random_keys_read_what_numpy_reads(
    way: Way, device: xp.Device, shape: tuple[int, ...]
) -> None:
    launch(device)
    values = np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)
    x = put(values, device)
    refused = 0
    for theirs, ours in Keys(shape, device, len(shape)).keys(how_many(way)):
        try:
            wanted = np.asarray(values[theirs])
        except IndexError:
            refused += 1
            with pytest.raises(IndexError):
                get(x[ours])
            continue
        assert_same(get(x[ours]), wanted, theirs)
    assert refused < how_many(way) / 2


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_random_keys_write_where_numpy_writes(
    way: Way, device: xp.Device, shape: tuple[int, ...]
) -> None:
    launch(device)
    values = np.zeros(shape, np.int32)
    x = put(values, device)
    keys = Keys(shape, device, 40 + len(shape))
    for number, (theirs, ours) in enumerate(keys.keys(how_many(way))):
        try:
            shown = np.asarray(values[theirs])
        except IndexError:
            with pytest.raises(IndexError):
                x[ours] = number
                get(x)
            assert_same(get(x), values, theirs)
            continue
        part: Any = number + 1
        if keys.rng.random() < 0.6:
            part = np.arange(shown.size, dtype=np.int16).reshape(shown.shape) + number
        if keys.rng.random() < 0.2 and shown.ndim and not has_mask(theirs):
            part = np.asarray(np.arange(shown.shape[-1]) - number, np.int64)[None]
        values[theirs] = part
        x[ours] = put(part, device) if isinstance(part, np.ndarray) else part
        assert_same(get(x), values, theirs)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_read_and_written(way: Way, device: xp.Device, layout: str) -> None:
    launch(device)
    bases = (
        np.arange(60, dtype=np.int32).reshape(6, 10),
        put(np.arange(60, dtype=np.int32).reshape(6, 10), device),
    )
    a, x = LAYOUTS[layout](bases[0], np), LAYOUTS[layout](bases[1], xp)
    for theirs, ours in Keys(a.shape, device, 5).keys(4 if way.is_real else 40):
        if is_refused(a, theirs) or a.ndim == 0:
            continue
        assert_same(get(x[ours]), np.asarray(a[theirs]), theirs)
        if x.is_read_only:
            with pytest.raises(ValueError, match="read-only"):
                x[ours] = 1
            continue
        part = np.arange(np.size(a[theirs])).reshape(np.shape(a[theirs])) + 100
        a[theirs], x[ours] = part, put(part, device)
        assert_same(get(bases[1]), bases[0], theirs)
        a[theirs] = x[ours] = 5
        assert_same(get(bases[1]), bases[0], theirs)


@pytest.mark.sampled("dtype")
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_is_read_and_written(way: Way, device: xp.Device, dtype: str) -> None:
    if not has(device, dtype):
        pytest.skip("no double precision")
    a = (np.arange(12).reshape(3, 4) % 5).astype(np.dtype(getattr(xp, dtype)))
    x = put(a, device)
    mask = a == 1
    at = np.asarray([2, 0, 2])
    assert_same(get(x[put(mask, device)]), a[mask])
    assert_same(get(x[at]), a[at])
    assert_same(get(x[:, at]), a[:, at])
    x[at], a[at] = x[[0, 1, 1]], a[[0, 1, 1]]
    assert_same(get(x), a)
    x[mask], a[mask] = 0, 0
    assert_same(get(x), a)
    mask = put(mask, device)
    x[mask] = x.reshape(-1)[: int(xp.count_nonzero(mask))]
    a[get(mask)] = a.reshape(-1)[: int(xp.count_nonzero(mask))].copy()
    assert_same(get(x), a)


def test_elements_that_are_written_while_they_are_read(way: Way, device: xp.Device) -> None:
    a = np.random.default_rng(1).permutation(100)
    x = put(a, device)
    x[:], a[:] = x[x], a[a]
    assert_same(get(x), a)
    x[x], a[a] = x[::-1], a[::-1].copy()
    assert_same(get(x), a)
    x[10:][x[:90] % 90], a[10:][a[:90] % 90] = x[:90], a[:90].copy()
    assert_same(get(x), a)
    x[x > 50], a[a > 50] = x[x > 50] - 1, a[a > 50] - 1
    assert_same(get(x), a)
    x[x > 50] = x[0]
    a[a > 50] = a[0]
    assert_same(get(x), a)


def test_masks_that_write_to_themselves(way: Way, device: xp.Device) -> None:
    a = np.random.default_rng(3).random(1000) < 0.5
    x = put(a, device)
    x[x], a[a] = False, False
    assert_same(get(x), a)
    x[::2][~x[::2]], a[::2][~a[::2]] = True, True
    assert_same(get(x), a)
    x[1:][x[:-1]] = xp.zeros((), dtype="bool", device=device)
    a[1:][a[:-1].copy()] = False
    assert_same(get(x), a)


@pytest.mark.no_kernel
def test_a_mask_without_elements_chooses_nothing(device: xp.Device) -> None:
    x: Any = put(np.arange(6, dtype=np.int32).reshape(2, 3), device)
    for shape, wanted in (((0,), (0, 3)), ((2, 0), (0,)), ((0, 3), (0,)), ((0, 0), (0,))):
        mask = put(np.zeros(shape, bool), device)  # as the Array API says
        assert x[mask].shape == wanted
        x[mask] = 1
        x[mask] = put(np.zeros(wanted, np.int32), device)
    with pytest.raises(IndexError, match="does not fit"):
        x[put(np.zeros((0, 4), bool), device)]
    assert_same(get(x), np.arange(6, dtype=np.int32).reshape(2, 3))


@pytest.mark.no_kernel
@pytest.mark.parametrize("kind", ["mask", "indices", "structs"])
def test_nothing_is_written_of_values_with_more_axes(kind: str, device: xp.Device) -> None:
    """As in NumPy, whatever the lengths of the axes in front; those behind have to fit."""
    dtype: Any = [("a", "i2"), ("b", "f4")] if kind == "structs" else np.int32
    n: Any = np.ones((3, 4, 5), dtype)
    x: Any = put(n, device)
    key = np.zeros(0, np.int64) if kind == "indices" else np.zeros(3, bool)
    shapes = [
        *((0, 4, 5), (0, 0, 4, 5), (7, 0, 4, 5), (1, 0, 4, 5), (0, 0, 0, 4, 5), (0, 0, 1, 5)),
        *((0, 1, 4, 5), (0, 2, 4, 5), (0, 0, 4, 6), (2, 4, 5), (7, 1, 4, 5), (0, 0)),
    ]
    for shape in shapes:
        values = np.zeros(shape, dtype)
        try:
            n[key] = values
        except ValueError:
            with pytest.raises(ValueError, match="cannot be broadcast"):
                x[put(key, device)] = put(values, device)
        else:
            x[put(key, device)] = put(values, device)
    assert get(x).tolist() == n.tolist()


def test_of_equal_indices_the_last_one_counts(way: Way, device: xp.Device) -> None:
    at = np.random.default_rng(2).integers(0, 10, 5000)
    a, x = np.zeros(10, np.int64), put(np.zeros(10, np.int64), device)
    a[at] = np.arange(5000)
    x[put(at, device)] = np.arange(5000)
    assert_same(get(x), a)
    square = put(np.zeros((2, 3), np.int64), device).T  # row-major order is not that of memory
    x[square] = put(np.arange(6).reshape(3, 2), device)
    assert get(x)[0] == 5
    x[[1, 1, 1]] += 1  # read, add, write: once
    a[0] = 5
    a[1] += 1
    assert_same(get(x), a)


def test_of_many_equal_indices_the_last_one_counts(way: Way, device: xp.Device) -> None:
    rng = np.random.default_rng(5)
    i, j = rng.integers(-300, 300, 20_000), rng.integers(-4, 4, 20_000)
    values = rng.integers(-99, 99, 20_000).astype(np.float32)
    start = np.zeros((300, 4), np.float32)
    wanted, x = start.copy(), put(start, device)
    wanted[i, j] = values
    x[put(i, device), put(j, device)] = put(values, device)
    assert_same(get(x), wanted)
    rows = rng.integers(0, 300, 900)
    wanted[rows] = values[:3600].reshape(900, 4)
    x[put(rows, device)] = put(values[:3600].reshape(900, 4), device)
    assert_same(get(x), wanted)
    wanted[i, j] = np.floor(values / 4)  # values that are calculated by all work-items first
    x[put(i, device), put(j, device)] = xp.floor(put(values, device) / 4)
    assert_same(get(x), wanted)
    wanted[i, j] = np.remainder(i, 7)
    x[put(i, device), put(j, device)] = put(i, device) % 7
    assert_same(get(x), wanted)
    wanted[rows % 4, rows % 3] = wanted[rows, 1]  # of what it writes
    x[put(rows % 4, device), put(rows % 3, device)] = x[put(rows, device), 1]
    assert_same(get(x), wanted)
    x[put(i[:0], device)] = 7
    i[12_345] = 300
    for added in (False, True):
        with pytest.raises(IndexError, match="300 is out of bounds for axis 0 of length 300"):
            if added:
                xp.add_at(x, put(i, device), 1)
            else:
                x[put(i, device), put(j, device)] = put(values, device)
            get(x)
        assert_same(get(x), wanted)


def test_a_result_is_new_memory_and_pending(way: Way, device: xp.Device) -> None:
    x = put(np.arange(5), device)
    at = put(np.asarray([1, 2]), device)
    y = x[at]
    y[...] = 9
    assert get(x).tolist() == [0, 1, 2, 3, 4]
    z = x[at] * 2
    x[1] = 7
    assert get(z).tolist() == [2, 4]


@pytest.mark.lazy
def test_a_fill_by_a_mask_is_one_kernel(way: Way, device: xp.Device) -> None:
    x = put(np.arange(1000, dtype=np.float32), device)
    mask = (x > 5).eval()
    before = xp.statistics()["kernels"]
    x[mask] = 0
    assert xp.statistics()["kernels"] == before + 1
    assert get(x).tolist() == [0, 1, 2, 3, 4, 5] + [0] * 994
    table = put(np.arange(12).reshape(3, 4), device)
    rows = (table[:, 0] > 0).eval()
    before = xp.statistics()["kernels"]
    table[rows] = 7
    table[:, table[0].copy() < 1] = 8
    assert xp.statistics()["kernels"] <= before + 4
    assert get(table).tolist() == [[8, 1, 2, 3], [8, 7, 7, 7], [8, 7, 7, 7]]


@pytest.mark.lazy
def test_indices_are_checked_by_one_kernel_and_read_by_another(way: Way, device: xp.Device) -> None:
    x = put(np.arange(10_000, dtype=np.float32), device)
    at = put(np.arange(9_000)[::-1] - 20, device)
    before = xp.statistics()["kernels"]
    total = float(xp.sum(x[at]))
    assert total == float(np.arange(10_000)[np.arange(9_000) - 20].sum())
    assert xp.statistics()["kernels"] == before + 2


WRONG: list[tuple[Any, Any, str]] = [
    ([0, 2], IndexError, "2 is out of bounds for axis 0 of length 2"),
    (([0], [-4]), IndexError, "-4 is out of bounds for axis 1 of length 3"),
    (([0], [0], [0]), IndexError, "3 indices for an array of 2 axes"),
    (np.asarray([2**62]), IndexError, "4611686018427387904 is out of bounds"),
    (np.asarray([2**64 - 1], np.uint64), IndexError, "18446744073709551615 is out of bounds"),
    (np.asarray([2**63], np.uint64), IndexError, "9223372036854775808 is out of bounds"),
    (np.asarray([-(2**63)]), IndexError, "-9223372036854775808 is out of bounds"),
    (np.asarray([-128], np.int8), IndexError, "-128 is out of bounds"),
    ([0.0, 1.0], IndexError, "float64"),
    (np.asarray([np.nan]), IndexError, "float64"),
    (np.asarray([0, 1], np.complex64), IndexError, "complex64"),
    (np.asarray(1.0), IndexError, "float64"),
    (np.float64(1), IndexError, "float64"),
    (["a"], IndexError, "an array of other objects is not an index; use integers or bools"),
    (b"ab", IndexError, "a bytes is not an index"),
    (bytearray(1), IndexError, "a bytearray is not an index"),
    ([[1], [1, 0]], ValueError, "index: a list whose parts have different lengths is not an index"),
    ([True, False, True], IndexError, r"\(3,\).*\(2, 3\)"),
    (np.ones((2, 4), bool), IndexError, r"\(2, 4\).*\(2, 3\)"),
    (np.ones((2, 3, 1), bool), IndexError, "3 indices for an array of 2 axes"),
    ((np.ones((2, 3), bool), 0), IndexError, "3 indices for an array of 2 axes"),
    (([0, 1], [0, 1, 2]), IndexError, r"\(2,\) and \(3,\) cannot be broadcast together"),
    ((..., [0], ...), IndexError, "2 ellipses"),
]


@pytest.mark.no_kernel
@pytest.mark.parametrize(("key", "error", "words"), WRONG)
def test_wrong_keys_are_refused_and_nothing_is_written(
    device: xp.Device, key: Any, error: Any, words: str
) -> None:
    a = np.arange(6, dtype=np.int32).reshape(2, 3)
    x: Any = put(a, device)
    with pytest.raises(error, match=words):
        get(x[key])
    with pytest.raises(error, match=words):
        x[key] = 1
        get(x)
    with pytest.raises(error, match=words):
        x[key] = put(np.ones(1, np.int32), device)
        get(x)
    assert_same(get(x), a)
    assert_same(get(x[[1]]), a[[1]])


def test_wrong_values_are_refused(device: xp.Device) -> None:
    x: Any = put(np.arange(6, dtype=np.int32).reshape(2, 3), device)
    launch(device)
    with pytest.raises(ValueError, match="cannot be broadcast"):
        x[[0, 1]] = put(np.ones(2, np.int32), device)
    with pytest.raises(ValueError, match="cannot be broadcast"):
        x[x > 3] = [1, 2, 3]
    with pytest.raises(OverflowError):
        x[[0]] = 2**40
    with pytest.raises(OverflowError):
        x[x > 3] = 2**40
    with pytest.raises(TypeError):
        x[[0]] = 1j
    with pytest.raises(TypeError):
        x[x > 3] = 1j
    view = xp.broadcast_to(x, (2, 2, 3))
    for key in ([0], view > 0):
        with pytest.raises(ValueError, match="read-only"):
            view[key] = 1
    assert_same(get(x), np.arange(6, dtype=np.int32).reshape(2, 3))


def test_indices_of_another_device_are_refused(device: xp.Device) -> None:
    if device == xp.Device("cpu"):
        pytest.skip("the host")
    launch(device)
    x = put(np.arange(6), device)
    with pytest.raises(xp.DeviceMismatchError, match="to_device"):
        x[xp.asarray(np.asarray([1]))]
    x[[1]] = xp.asarray(np.asarray([5]))  # what is assigned is brought
    assert get(x).tolist() == [0, 5, 2, 3, 4, 5]


def test_memory_of_numpy_is_read_and_written_at_once() -> None:
    a, at = np.arange(6), np.asarray([4, 1])
    x = xp.asarray(a)
    y = x[at]
    a[4] = at[0] = 0
    assert y.tolist() == [4, 1]
    x[at] = [7, 8]
    assert a.tolist() == [7, 8, 2, 3, 0, 5]
    with xp.fusing():
        y = x[at] * 2
        x[a == 7] = -1
    assert y.tolist() == [14, 16]
    assert a[0] == -1
    a %= 6
    assert x[a].tolist() == a[a].tolist()


@pytest.mark.no_kernel
def test_structs_are_chosen_whole(device: xp.Device) -> None:
    for fields in ([("a", "i1"), ("b", "i1"), ("c", "i1")], [("a", "f8"), ("b", "i8", 2)]):
        a = np.zeros(6, fields)
        a["a"] = np.arange(6)
        a["b"] = np.arange(a["b"].size).reshape(a["b"].shape) + 10
        x = put(a, device)
        mask = a["a"] > 2
        assert get(x[[4, 0]]).tobytes() == a[[4, 0]].tobytes()
        assert get(x[mask]).tobytes() == a[mask].tobytes()
        cut = np.ascontiguousarray(a.reshape(2, 3)[:, [2, 0]])
        assert get(x.reshape(2, 3)[:, [2, 0]]).tobytes() == cut.tobytes()
        x[[0, 1]], a[[0, 1]] = x[[5, 4]], a[[5, 4]]
        x[mask], a[mask] = x[3], a[3]
        assert get(x).tobytes() == a.tobytes()
        with pytest.raises(TypeError, match="structs"):
            x[[0]] = 1
