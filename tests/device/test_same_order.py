"""Views that are the same elements in the same order end no kernel."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import Values, assert_same, get, put

NUMBERS: Values = np.arange(24, dtype=np.float32).reshape(4, 6)

ONE_KERNEL: dict[str, Callable[[Any, Any, Any], Any]] = {
    "reshape, sum": lambda n, x, y: n.sum(n.reshape(x * 2, (2, 12))),
    "reshape, sum of rows": lambda n, x, y: n.sum(n.reshape(x * 2, (3, 8)), axis=1),
    "reshape, sum of columns": lambda n, x, y: n.sum(n.reshape(x * 2, (3, 8)), axis=0),
    "reshape, map": lambda n, x, y: n.reshape(x * 2, (3, 8)) + 1,
    "there and back": lambda n, x, y: n.reshape(n.reshape(x * 2, (3, 8)) + 1, (4, 6)) * x,
    "ravel": lambda n, x, y: n.sum((x * 2).ravel()) + 1,
    "expand_dims": lambda n, x, y: n.expand_dims(x * 2, axis=1) + 1,
    "None": lambda n, x, y: (x * 2)[:, None, :] + 1,
    "squeeze": lambda n, x, y: n.squeeze(n.reshape(x, (4, 1, 6)) * 2, axis=1) + 1,
    "scan": lambda n, x, y: n.cumulative_sum(n.reshape(x * 2, (3, 8)), axis=1),
    "keepdims": lambda n, x, y: n.sum(x, axis=1, keepdims=True) * 2 + 1,
    "keepdims, column": lambda n, x, y: n.sum(x, axis=1, keepdims=True) * y,
    "reduction, reshape": lambda n, x, y: n.reshape(n.sum(x, axis=1) + 1, (2, 2)) * 2,
    "column": lambda n, x, y: n.reshape(x * y, (4, 2, 3)) + 1,
    "transposed": lambda n, x, y: n.expand_dims(x.T * 2, axis=2) + 1,
    "reversed": lambda n, x, y: n.reshape(x[::-1, ::-1] * 2, (24,)) + 1,
}


@pytest.mark.lazy
@pytest.mark.parametrize("name", ONE_KERNEL)
def test_a_view_of_the_same_order_is_part_of_the_kernel(name: str, device: xp.Device) -> None:
    make = ONE_KERNEL[name]
    column = NUMBERS[:, :1] + 3
    x, y = put(NUMBERS, device), put(column, device)
    before = xp.statistics()["kernels"]
    value = get(make(xp, x, y))
    assert xp.statistics()["kernels"] - before == 1
    assert_same(value, make(np, NUMBERS, column), name)


@pytest.mark.lazy
def test_numbers_of_places_are_part_of_the_kernel(device: xp.Device) -> None:
    before = xp.statistics()["kernels"]
    y = get(xp.reshape(xp.arange(6, dtype="int32", device=device), (2, 3)) * 2)
    z = get(xp.reshape(xp.eye(4, dtype="int32", device=device)[:, None] + 1, (2, 2, 4)) * 2)
    assert xp.statistics()["kernels"] - before == 2
    assert_same(y, np.arange(6, dtype=np.int32).reshape(2, 3) * 2, "arange")
    assert_same(z, ((np.eye(4, dtype=np.int32) + 1) * 2).reshape(2, 2, 4), "eye")


@pytest.mark.lazy
def test_random_numbers_are_the_same_in_another_shape(device: xp.Device) -> None:
    def drawn() -> xp.Array:
        return xp.random.default_rng(3).random((8, 6), dtype="float32", device=device)

    alone = get(drawn())
    before = xp.statistics()["kernels"]
    together = get(xp.reshape(drawn(), (4, 12)) * 2)
    assert xp.statistics()["kernels"] - before == 1
    assert_same(together, (alone * 2).reshape(4, 12), "random")


def test_reads_by_position_are_right_in_another_shape(device: xp.Device) -> None:
    x, y = put(NUMBERS, device), put(np.arange(0, 24, 3), device)
    taken = get(xp.reshape(xp.take(xp.reshape(x, (24,)), y), (2, 4)) + 1)
    assert_same(taken, NUMBERS.reshape(24)[::3].reshape(2, 4) + 1, "take")


def test_arrays_without_elements_have_no_order(device: xp.Device) -> None:
    made = get(xp.sum(xp.reshape(put(NUMBERS, device)[:0] * 2, (6, 0)), axis=1))
    assert_same(made, np.zeros(6, np.float32), "sums of nothing")


@pytest.mark.lazy
def test_what_is_held_is_written_by_the_same_kernel(device: xp.Device) -> None:
    x = put(NUMBERS, device)
    held = x * 2
    y = xp.reshape(held, (3, 8)) + 1
    before = xp.statistics()["kernels"]
    assert_same(get(y), NUMBERS.reshape(3, 8) * 2 + 1, "y")
    assert not held.is_pending
    assert_same(get(held), NUMBERS * 2, "held")
    assert xp.statistics()["kernels"] - before == 1


@pytest.mark.lazy
def test_a_row_is_not_repeated_in_another_shape(device: xp.Device) -> None:
    x = put(NUMBERS, device)
    before = xp.statistics()["kernels"]
    y = get(xp.reshape(x + x[1], (24,)) * 2)
    assert xp.statistics()["kernels"] - before == 2
    assert_same(y, (NUMBERS + NUMBERS[1]).reshape(24) * 2, "y")


def test_writes_see_the_shape_of_their_target(device: xp.Device) -> None:
    x, numbers = put(NUMBERS, device), NUMBERS.copy()
    for n, each in ((xp, x), (np, numbers)):
        each[:, 1:2] = n.sum(n.reshape(each * 2, (4, 3, 2)), axis=(1, 2), keepdims=True)[..., 0]
        each[1:3] = n.reshape(n.reshape(each[:2], (12,)) + 1, (2, 6))
        each += n.reshape(n.reshape(each[::-1] * 2, (24,)) + 1, (4, 6))
    assert_same(get(x), numbers, "x")


def test_parts_of_a_concat_have_shapes_of_their_own(device: xp.Device) -> None:
    x = put(NUMBERS, device)
    for axis in (0, 1):
        parts = [
            n.concat([n.sum(a, axis=1, keepdims=True), n.reshape(a + 1, (8, 3))[:4, :1]], axis=axis)
            for n, a in ((xp, x), (np, NUMBERS))
        ]
        assert_same(get(parts[0]), parts[1], f"axis {axis}")


def steps_of(rng: random.Random) -> list[Callable[[Any, Any], Any]]:
    """A chain of maps, reductions and views, most of the same order."""
    shapes = [(2, 3, 4), (24,), (4, 6), (6, 4), (3, 8), (1, 24), (2, 12, 1), (1, 2, 1, 12), (8, 3)]
    steps: list[Callable[[Any, Any], Any]] = []
    for _ in range(rng.randint(2, 9)):
        shape, number = rng.choice(shapes), rng.randint(1, 5)
        axis, keepdims = rng.randint(-2, 1), rng.random() < 0.5

        def reshaped(n: Any, x: Any, shape: tuple[int, ...] = shape) -> Any:
            return n.reshape(x, shape if x.size == 24 else (-1,))

        def added(n: Any, x: Any, number: int = number) -> Any:
            return x + number

        def broadcast(n: Any, x: Any, number: int = number) -> Any:
            return x * x[..., :1] - number

        def summed(n: Any, x: Any, axis: int = axis, keepdims: bool = keepdims) -> Any:
            if not -x.ndim <= axis < x.ndim:
                return n.expand_dims(x, axis=0)
            return n.sum(x, axis=axis, keepdims=keepdims, dtype=x.dtype)

        def turned(n: Any, x: Any) -> Any:
            return n.permute_dims(x, tuple(reversed(range(x.ndim))))

        def scanned(n: Any, x: Any) -> Any:
            return n.cumulative_sum(x, axis=-1, dtype=x.dtype) if x.ndim else n.reshape(x, (1,))

        all_steps: list[Callable[[Any, Any], Any]]
        all_steps = [reshaped] * 4 + [added] * 4 + [broadcast, summed, turned, scanned]
        step = rng.choice(all_steps)
        steps.append(step)
        if step is broadcast:
            steps.insert(-1, lambda n, x: n.reshape(x, (-1,)))
    return steps


def test_chains_agree_with_numpy(device: xp.Device) -> None:
    rng = random.Random(17)
    numbers = np.arange(24, dtype=np.int32).reshape(4, 6)
    for _ in range(60):
        steps, keeps = steps_of(rng), rng.random() < 0.3
        x, y, kept = put(numbers, device), numbers, []
        for step in steps:
            x, y = step(xp, x), step(np, y)
            if keeps:
                kept.append((x, y))
        for ours, theirs in [(x, y), *kept]:
            assert_same(get(ours), np.asarray(theirs), "chain")
