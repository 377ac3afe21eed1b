"""A few of many, without replacement."""

from __future__ import annotations

import numpy as np

import isthmus as xp
from tests.device.arrays import get
from tests.device.test_random import check_frequencies


def test_a_few_of_many_take_the_time_of_a_few(device: xp.Device) -> None:
    few = get(xp.random.default_rng(3).choice(10**12, 50, replace=False, device=device))
    assert few.dtype == np.int64
    assert len(set(few)) == 50
    assert 0 <= few.min() < few.max() < 10**12
    here = get(xp.random.default_rng(3).choice(10**12, (5, 10), replace=False, device="cpu"))
    assert here.ravel().tolist() == few.tolist()
    rng = xp.random.default_rng(4)
    # both sides of the border, 1 in 32; and pairs that would be drawn twice
    drawn = [get(rng.choice(64, n, replace=False, device=device)) for n in (0, 1, 2, 64)]
    assert [len(set(one)) for one in drawn] == [0, 1, 2, 64]
    pairs = np.concatenate([get(rng.choice(70, 2, replace=False)) for _ in range(1500)])
    assert (pairs[::2] != pairs[1::2]).all()
    check_frequencies(pairs, [1 / 70] * 70)
