"""Numbers that are counted, and integers that are added up, by all threads of the host."""

from __future__ import annotations

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, put


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "int64", "uint64"])
def test_many_numbers_are_counted_by_all_threads(dtype: str) -> None:
    """In tables of their own while numbers are below 2**14, else in one after looking for the
    largest.
    """
    rng = np.random.default_rng(3)
    top = min(int(np.iinfo(dtype).max), 2**14 - 1)
    values = rng.integers(0, top + 1, (1 << 20) + 70_001).astype(dtype)
    for most in (0, 5, min(1000, top), top):
        some = np.minimum(values, most).astype(dtype)
        for minlength in (0, 7, 3000, 2**14, 2**14 + 1):
            got = get(xp.bincount(put(some, "cpu"), minlength=minlength))
            np.testing.assert_array_equal(got, np.bincount(some.astype(int), minlength=minlength))
    x = put(values, "cpu")[::-3]
    np.testing.assert_array_equal(get(xp.bincount(x)), np.bincount(get(x).astype(int)))
    if dtype == "uint8":
        return
    for place in (0, len(values) // 2, len(values) - 1):
        changed = values.copy()
        changed[place] = 2**14 + 3
        wanted = np.bincount(changed.astype(int))
        np.testing.assert_array_equal(get(xp.bincount(put(changed, "cpu"))), wanted)
        if dtype != "uint64":
            changed[place] = -1
            with pytest.raises(ValueError, match="an element is -1"):
                xp.bincount(put(changed, "cpu"))


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "uint64"])
def test_integers_are_added_by_all_threads(dtype: str) -> None:
    """As one thread does it, also in views whose neighbours belong to others."""
    rng = np.random.default_rng(4)
    for size, step in ((1, 1), (100, 1), (1000, 3), (5000, -2), (70_000, 1)):
        at = rng.integers(0, size, 400_000)
        values = rng.integers(0, 100, at.size).astype(dtype)
        whole = rng.integers(0, 100, size * abs(step)).astype(dtype)
        x = put(whole, "cpu")
        for added in (values, values[:1].item()):
            xp.add_at(x[::step], put(at, "cpu"), put(values, "cpu") if added is values else added)
            np.add.at(whole[::step], at, added)
            np.testing.assert_array_equal(get(x), whole, err_msg=f"{size} {step}")
