"""Reductions of so many rows or chunks that work-items on CPUs have several of them each."""

from __future__ import annotations

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, put

# Up to 255 units have a work-item each; beside them, what no number of work-items divides. Rows of
# 1500 are two chunks.
SHAPES = [(255, 70), (256, 70), (257, 70), (1031, 64), (4099, 65), (143, 1500), (331, 1500)]


@pytest.mark.sampled("shape", every=2)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_row_is_reduced_once(shape: tuple[int, int], device: xp.Device) -> None:
    a = np.random.default_rng(7).integers(-1000, 1000, shape, dtype=np.int32)
    x = put(a, device)
    beside = put(np.arange(shape[0], dtype=np.int32), device)
    assert np.array_equal(get(xp.sum(x, axis=1, dtype=xp.int32)), a.sum(axis=1, dtype=np.int32))
    got = get(xp.max(x * 2, axis=1) - beside)
    assert np.array_equal(got, (a * 2).max(axis=1) - np.arange(shape[0], dtype=np.int32))
    assert np.array_equal(get(xp.argmin(x, axis=1)), a.argmin(axis=1))
    assert int(xp.sum(x[:, ::-1])) == a.sum()


@pytest.mark.parametrize("length", [255 * 1024 + 1, 256 * 1024, 700_001])
def test_every_chunk_is_reduced_once(length: int, device: xp.Device) -> None:
    a = np.random.default_rng(8).integers(-1000, 1000, length, dtype=np.int32)
    x = put(a, device)
    assert int(xp.sum(x, dtype=xp.int32)) == a.sum()
    assert int(xp.argmax(x)) == a.argmax()
    assert int(xp.count_nonzero(x)) == np.count_nonzero(a)
    total = xp.cumulative_sum(x, dtype=xp.int32)
    assert np.array_equal(get(total), np.cumsum(a, dtype=np.int32))
