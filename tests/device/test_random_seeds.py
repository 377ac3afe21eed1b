"""What a generator's numbers follow from."""

from __future__ import annotations

from typing import Any

import numpy as np

from isthmus.random import Generator, default_rng


def test_seeds() -> None:
    assert default_rng(3).state == Generator(3).state == default_rng(np.int64(3)).state
    assert default_rng([3]).state == default_rng((3,)).state == default_rng(np.array([3])).state
    different: list[Any] = [0, 1, 2**64, 2**200, [1, 0], [0, 1], [1, 2**64], [], [2**64 + 1]]
    assert len({default_rng(seed).state["key"] for seed in different}) == len(different)
    assert default_rng().state["key"] != default_rng().state["key"]
    rng = default_rng(1)
    assert default_rng(rng) is rng


def test_seed_sequences_of_numpy() -> None:
    sequence = np.random.SeedSequence(7)
    assert default_rng(sequence).state == default_rng(np.random.SeedSequence(7)).state
    keys = {default_rng(child).state["key"] for child in [sequence, *sequence.spawn(3)]}
    assert len(keys) == 4
    words = [int(word) for word in sequence.generate_state(4, np.uint64)]
    assert default_rng(sequence).state == default_rng(words).state
