"""Reductions of the same elements along the same axes share a kernel, those with a state too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import Values, assert_same, get, needs, put

TOGETHER = (
    ("float32", ("max", "argmax")),
    ("float32", ("sum", "argmax", "min", "argmin")),
    ("float64", ("argmin", "min")),
    ("int16", ("argmax", "argmin")),
    ("bool", ("argmax", "any")),
)


def numbers_of(dtype: str, shape: tuple[int, ...]) -> Values:
    """Elements that repeat, and in every third row a NaN."""
    rng = np.random.default_rng(len(shape) + shape[-1])
    values: Values = rng.integers(0, 9, shape).astype(dtype)
    if values.dtype.kind == "f":
        values[values == 3] = -0.0
        values[::3, shape[1] // 2 :: 7] = np.nan
    return values


def reduced(names: tuple[str, ...], x: Any, axis: int | None) -> list[Any]:
    return [getattr(xp, name)(x, axis=axis) for name in names]


@pytest.mark.lazy
@pytest.mark.sampled("dtype", "names", every=3)
@pytest.mark.parametrize(("dtype", "names"), TOGETHER)
def test_together_they_have_the_bits_of_each_alone(
    dtype: str, names: tuple[str, ...], device: xp.Device
) -> None:
    needs(device, dtype)
    for shape in ((40, 33), (7, 2500), (1100, 17)):
        values = numbers_of(dtype, shape)
        x = put(values, device)
        for axis in (0, 1, None):
            alone = [get(getattr(xp, name)(x, axis=axis)) for name in names]
            together = reduced(names, x, axis)
            before = xp.statistics()["kernels"]
            found = [get(each) for each in together]
            if x.size > 8192 or axis is not None:  # few elements are reduced each alone
                assert xp.statistics()["kernels"] - before == 1, (shape, axis)
            for name, ours, wanted in zip(names, found, alone, strict=True):
                assert_same(ours, wanted, f"{name} of {shape} along {axis}")
                if name.startswith("arg"):
                    assert_same(ours, getattr(np, name)(values, axis=axis), name)


@pytest.mark.lazy
def test_equal_ones_are_one_kernel_too(device: xp.Device) -> None:
    values = numbers_of("float32", (3, 5))[0]
    x = put(values, device)
    flat, kept, largest = xp.argmin(x, axis=0), xp.argmin(x, keepdims=True), xp.max(x)
    assert_same(get(kept), np.argmin(values, keepdims=True))
    assert_same(get(flat), np.asarray(np.argmin(values)))
    assert_same(get(largest), np.asarray(np.max(values)))


@pytest.mark.lazy
def test_maps_before_and_behind_them_join(device: xp.Device) -> None:
    values = numbers_of("int32", (50, 300))
    x = put(values, device) * 3
    highest, place = xp.max(x, axis=1) + 1, xp.argmax(x, axis=1) * 2
    del x
    before = xp.statistics()["kernels"]
    both = get(highest + xp.astype(place, "int32"))
    assert xp.statistics()["kernels"] - before == 1
    wanted = (values * 3).max(1) + 1 + (values * 3).argmax(1) * 2
    assert_same(both, wanted.astype(np.int32), "both")
