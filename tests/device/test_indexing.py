"""Basic indexing against NumPy, for reading and writing."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import assert_same, get, put


def random_index(rng: random.Random, shape: tuple[int, ...]) -> Any:
    items: list[Any] = []
    for extent in shape[: rng.randint(0, len(shape))]:
        if extent and rng.random() < 0.3:
            items.append(rng.randint(-extent, extent - 1))
        else:
            bounds: list[Any] = [
                rng.choice([None, rng.randint(-extent - 2, extent + 2)]) for _ in range(2)
            ]
            step = rng.choice([None, 1, 2, 3, -1, -2, -3, extent + 5, 1 << 62, -(1 << 62)])
            items.append(slice(bounds[0], bounds[1], step))
        if rng.random() < 0.1:
            items.append(None)
    if rng.random() < 0.4:
        items.insert(rng.randint(0, len(items)), Ellipsis)
    return items[0] if len(items) == 1 and rng.random() < 0.5 else tuple(items)


SHAPES = [(), (7,), (3, 4), (2, 3, 4), (5, 1, 0), (2, 1, 3, 2)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_random_indices_show_what_numpy_shows(shape: tuple[int, ...], device: xp.Device) -> None:
    rng = random.Random(len(shape))
    values = np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)
    x = put(values, device) + 0
    x.eval()
    (xp.ones((1,), dtype="int8", device=device) + 1).eval()
    for _ in range(150):
        index = random_index(rng, shape)
        try:
            wanted = np.asarray(values[index])
        except IndexError:
            with pytest.raises(IndexError):
                x[index]
            continue
        assert_same(get(x[index]), wanted, index)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_random_indices_write_where_numpy_writes(shape: tuple[int, ...], device: xp.Device) -> None:
    rng = random.Random(17 + len(shape))
    values = np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)
    x = put(values, device)
    (xp.ones((1,), dtype="int8", device=device) + 1).eval()
    for number in range(100):
        index = random_index(rng, shape)
        try:
            shown = values[index]
        except IndexError:
            with pytest.raises(IndexError):
                x[index] = number
            continue
        if rng.random() < 0.5:
            values[index] = number
            x[index] = number
        else:
            part = np.arange(np.size(shown), dtype=np.int16).reshape(np.shape(shown)) + number
            values[index] = part
            x[index] = put(part, device)
        assert_same(get(x), values, index)


def test_what_is_assigned_is_cast_and_broadcast(device: xp.Device) -> None:
    x: Any = xp.zeros((2, 3), dtype="int16", device=device)
    x[0] = put(np.array([1.7, -1.7, 2.5], np.float32), device)
    x[1] = True
    assert get(x).tolist() == [[1, -1, 2], [1, 1, 1]]
    x[:, 1:] = put(np.array([[[7]]], np.int8), device)
    assert get(x).tolist() == [[1, 7, 7], [1, 7, 7]]
    x[0] = [4, 5, 6]
    x[1, :2] = np.array([8, 9])
    assert get(x).tolist() == [[4, 5, 6], [8, 9, 7]]
    x[...] = xp.ones((), dtype="int64", device="cpu")
    assert get(x).tolist() == [[1, 1, 1], [1, 1, 1]]


def test_wrong_indices_are_refused_with_numbers(device: xp.Device) -> None:
    x: Any = xp.zeros((2, 3), dtype="int16", device=device).eval()
    for index, words in [
        ((2,), "2 is out of bounds for axis 0 of length 2"),
        ((0, -4), "-4 is out of bounds for axis 1 of length 3"),
        ((0, 0, 0), "3 indices for an array of 2 axes"),
        ((..., ...), "2 ellipses"),
        ((1 << 70,), "out of bounds for every axis"),
        (("a",), "is not an index"),
        ((1.0,), "is not an index"),
    ]:
        with pytest.raises(IndexError, match=words):
            x[index]
        with pytest.raises(IndexError, match=words):
            x[index] = 1
    with pytest.raises(ValueError, match="step of 0"):
        x[::0]
    with pytest.raises(ValueError, match="cannot be broadcast"):
        x[0] = xp.zeros((2,), dtype="int16", device=device)
    with pytest.raises(TypeError, match="cannot be deleted"):
        del x[0]


@pytest.mark.no_kernel
def test_a_broadcast_is_read_only(device: xp.Device) -> None:
    x = xp.broadcast_to(put(np.zeros(3, np.int8), device), (2, 3))
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        x += 1
    with pytest.raises(ValueError, match="read-only"):
        x[::-1, 1:][...] = 1


def test_arrays_and_numpy_integers_are_indices(device: xp.Device) -> None:
    x: Any = put(np.arange(5, dtype=np.int32), device)
    i = put(np.array(1, np.int8), device) + 1
    assert x[i].item() == 2
    assert x[np.int64(-1)].item() == 4
    assert get(x[np.uint8(1) : i]).tolist() == [1]


def test_iteration_len_and_membership(device: xp.Device) -> None:
    x = put(np.arange(6, dtype=np.int32).reshape(3, 2), device)
    assert len(x) == 3
    assert [get(row).tolist() for row in x] == [[0, 1], [2, 3], [4, 5]]
    assert 3 in x and 9 not in x
    with pytest.raises(TypeError, match="has no length"):
        len(x[0, 0])
    assert [get(row).tolist() for row in reversed(x)] == [[4, 5], [2, 3], [0, 1]]
    for function in (iter, reversed):
        with pytest.raises(TypeError, match="cannot iterate over a 0-d array"):
            function(x[0, 0])
