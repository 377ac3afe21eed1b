"""A few of many, without replacement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get
from tests.device.test_random import check_frequencies
from tests.ways import QUEUES, REAL, WHOSE


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


@pytest.mark.parametrize("device", [name for name in REAL if name.partition(":")[0] in WHOSE])
def test_numbers_are_of_the_context_of_their_parameters(device: str) -> None:
    with QUEUES[WHOSE[device.partition(":")[0]]](device):
        a = xp.asarray(np.asarray([0.25, 0.5, 0.25], np.float32), device=device, copy=True).eval()
        i = xp.asarray(np.asarray([3, 4, 5]), device=device, copy=True).eval()
    calls: tuple[Callable[[Any, xp.Array, xp.Array], xp.Array], ...] = (
        lambda g, a, i: g.permutation(a),
        lambda g, a, i: g.permuted(a),
        lambda g, a, i: g.choice(a, 3),
        lambda g, a, i: g.choice(a, 2, replace=False),
        lambda g, a, i: g.choice(3, 4, p=a),
        lambda g, a, i: g.normal(a),
        lambda g, a, i: g.uniform(a, a + 1),
        lambda g, a, i: g.integers(0, i + 1),
        lambda g, a, i: g.exponential(a),
        lambda g, a, i: g.binomial(i, 0.5),
        lambda g, a, i: g.triangular(a, a + 1, 3),
        lambda g, a, i: xp.diff(a, prepend=3, append=1.5),
    )
    for call in calls:
        got = call(xp.random.default_rng(5), a, i) + a[:1] * 0  # in one context
        wanted = call(xp.random.default_rng(5), a.to_device("cpu"), i.to_device("cpu"))
        assert np.array_equal(get(got), get(wanted).astype(get(got).dtype))
    xp.random.default_rng(5).shuffle(a)
    assert sorted(get(a).tolist()) == [0.25, 0.25, 0.5]
