"""Writes of few elements, which the host does without a plan, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import assert_same, get, needs, put

SIZES = (1, 2, 10, 64, 65, 700, 5000)
KEYS = (
    np.s_[:],
    np.s_[1:],
    np.s_[:-1],
    np.s_[::-1],
    np.s_[::2],
    np.s_[-1:0:-2],
    np.s_[3:3],
)


def pairs(whole: Any) -> list[tuple[Any, Any]]:
    """Keys of as many elements."""
    return [(a, b) for a in KEYS for b in KEYS if whole[a].shape == whole[b].shape]


@pytest.mark.no_kernel  # of one bool
@pytest.mark.sampled("size")
@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "float64", "complex128"])
@pytest.mark.parametrize("size", SIZES)
def test_views_of_an_array_are_written_to_each_other(
    size: int, dtype: str, device: xp.Device
) -> None:
    needs(device, dtype)
    whole = (np.arange(size) % 7 % 5).astype(dtype)
    x = put(whole, device)
    for to, of in pairs(whole):
        x[to] = x[of]
        whole[to] = whole[of].copy()
        assert_same(get(x), whole, (to, of))
        if dtype == "bool":
            continue
        x[to] += x[of]
        whole[to] += whole[of].copy()
        x[to] = x[of] * 2 - x[to]
        whole[to] = whole[of] * 2 - whole[to]
        assert_same(get(x), whole, (to, of))


@pytest.mark.no_kernel  # of no elements
@pytest.mark.parametrize("shape", [(), (1,), (3, 4), (4, 0), (2, 3, 4), (40, 60)])
def test_arrays_of_other_layouts_are_written(shape: tuple[int, ...], device: xp.Device) -> None:
    values = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    y = put(values, device)
    axes = tuple(reversed(range(len(shape))))
    turned = xp.permute_dims(put(np.zeros(shape[::-1], np.float32), device), axes)
    wanted = np.zeros(shape[::-1], np.float32).T
    turned[...] = y
    wanted[...] = values
    assert_same(get(turned), wanted)
    turned += y * 2
    wanted += values * 2
    assert_same(get(turned), wanted)
    turned[...] = 3
    assert_same(get(turned), np.full(shape, 3, np.float32))
    if shape:
        turned[...] = y[:1]
        wanted[...] = values[:1]
        assert_same(get(turned), wanted)


@pytest.mark.parametrize("size", SIZES)
def test_what_others_hold_or_read_keeps_its_value(size: int, device: xp.Device) -> None:
    a, b = np.arange(size, dtype=np.float32), np.ones(size, np.float32)
    x, y = put(a, device), put(b, device)
    before = x * 3  # pending, and reads what is written next
    both = x + y
    x[...] = both
    both_again = both * 2
    x += y
    x[...] = x * x
    y[...] = 7
    assert_same(get(before), a * 3)
    assert_same(get(both_again), (a + 1) * 2)
    assert_same(get(both), a + 1)
    assert_same(get(x), (a + 2) ** 2)
    assert_same(get(y), np.full(size, 7, np.float32))


@pytest.mark.no_kernel
def test_what_does_not_fit_changes_nothing(device: xp.Device) -> None:
    x = put(np.arange(4, dtype=np.int32), device)
    with pytest.raises(TypeError):
        x += 1.5
    with pytest.raises(ValueError):
        x[:2] = x
    with pytest.raises(ValueError):
        xp.broadcast_to(x, (2, 4))[...] = x
    assert get(x).tolist() == [0, 1, 2, 3]


STEP = xp.ElementwiseKernel("T x, T y", "T z", "T t = x * 2; z = x > 3 ? t - y : y", "step")
ADD = xp.ElementwiseKernel("T x", "T z", "z += x", "add")
COPY = xp.ElementwiseKernel("T x", "T z", "z = x", "copy")


@pytest.mark.sampled("size")
@pytest.mark.parametrize("dtype", ["int16", "float32"])
@pytest.mark.parametrize("size", (1, 5, 65, 5000))
def test_users_kernels_write_views_of_what_they_read(
    size: int, dtype: str, device: xp.Device
) -> None:
    whole = (np.arange(size) % 7).astype(dtype)
    x = put(whole, device)
    for to, of in pairs(whole):
        a, b = whole[of].copy(), whole[to].copy()
        STEP(x[of], x[to], x[to])
        whole[to] = np.where(a > 3, a * 2 - b, b)
        assert_same(get(x), whole, (to, of))
        ADD(x[of], x[to])
        whole[to] += whole[of].copy()
        COPY(x[to], x[of])
        whole[of] = whole[to].copy()
        assert_same(get(x), whole, (to, of))
    some = STEP(x + 1, 2) * x
    assert_same(get(some), (np.where(whole + 1 > 3, (whole + 1) * 2 - 2, 2) * whole).astype(dtype))


@pytest.mark.lazy
def test_one_kernel_writes_and_is_named() -> None:
    x, y = xp.arange(10.0).eval(), xp.ones(10).eval()
    writes: list[tuple[Any, tuple[str, ...]]] = [
        (lambda: STEP(x, y, x), ("step",)),
        (lambda: COPY(x, x), ("copy",)),
        (lambda: x.__setitem__(..., STEP(y * 2, y) + x), ("multiply", "step", "add")),
        (lambda: x.__iadd__(y), ("add",)),
        (lambda: x.__setitem__(..., y * 2 + x), ("multiply", "add")),
        (lambda: x.__setitem__(..., y), ()),
    ]
    for write, names in writes:
        before = xp.statistics()["kernels"]
        with xp.profile() as profile:
            write()
        assert xp.statistics()["kernels"] == before + 1
        assert [kernel.operations for kernel in profile.kernels] == [names]
