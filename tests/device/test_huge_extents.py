"""Extents whose sums and products do not fit 64 bits: an error, or a right answer; never a wrong
place in memory."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp

HUGE = 2**62
TOO_MANY = (ValueError, MemoryError)


def broadcast(*shape: int, dtype: str = "uint8") -> Any:
    return xp.broadcast_to(xp.ones((), dtype=dtype), shape)


@pytest.mark.parametrize("join", [xp.concat, xp.stack])
@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_joined_arrays_that_are_too_long_are_refused(join: Any, count: int) -> None:
    with pytest.raises(TOO_MANY):
        join([broadcast(HUGE)] * count)


def test_concat_names_the_axis_that_is_too_long() -> None:
    with pytest.raises(ValueError, match="concat: axis 0 is longer than 2\\^63-1"):
        xp.concat([broadcast(HUGE)] * 4)
    with pytest.raises(ValueError, match="concat: axis 1 is longer than 2\\^63-1"):
        xp.concat([broadcast(0, HUGE)] * 4, axis=1)


def test_what_is_made_of_too_many_elements_has_its_name() -> None:
    makers: dict[str, Callable[[int], xp.Array]] = {
        "zeros": lambda n: xp.zeros(n),
        "arange": lambda n: xp.arange(n),
        "linspace": lambda n: xp.linspace(0, 1, n),
        "eye": lambda n: xp.eye(n, 1),
    }
    for name, make in makers.items():
        with pytest.raises(MemoryError, match=f"^{name}: {HUGE} elements of 8 bytes are more"):
            make(HUGE)
        with pytest.raises((ValueError, OverflowError), match=f"^{name}: .*(past|beyond)"):
            make(2**63)
    for k in (0, 1, -1, HUGE, -HUGE):
        with pytest.raises(TOO_MANY):
            xp.eye(1, 2**63 - 1, k=k, dtype="int8")
        with pytest.raises(TOO_MANY):
            xp.eye(2**63 - 1, 1, k=k, dtype="int8")


def test_a_view_has_at_most_so_many_bytes_as_numpys() -> None:
    assert broadcast(2**63 - 1).nbytes == 2**63 - 1
    for shape in ((HUGE,), (2**31, 2**31)):
        with pytest.raises(ValueError, match=r"more than 2\^63-1 bytes"):
            broadcast(*shape, dtype="float64")
        with pytest.raises(ValueError, match=r"too big|maximum"):
            np.broadcast_to(np.ones((), "f8"), shape)


def test_a_result_has_at_most_so_many_bytes() -> None:
    with pytest.raises(MemoryError):
        xp.astype(broadcast(HUGE), "float64")
    with pytest.raises(MemoryError):
        broadcast(HUGE) + xp.ones((), dtype="float64")


def test_indices_that_repeat_are_looked_at_once() -> None:
    x = xp.asarray(np.arange(5))
    with pytest.raises(IndexError, match="5"):
        x[xp.broadcast_to(xp.asarray(5), (2**50,))]
    with pytest.raises(MemoryError):
        xp.take(x, xp.broadcast_to(xp.asarray([[4], [-1]]), (2, 2**50))).eval()


EMPTY = (0, 2**40, 2**40)


@pytest.mark.parametrize("at", range(3))
def test_an_empty_array_may_have_any_other_extents(at: int) -> None:
    shape = EMPTY[at:] + EMPTY[:at]
    x = xp.zeros(shape, dtype="float32")
    assert (x.size, x.nbytes) == (0, 0)
    assert xp.flip(x).shape == shape
    assert x[..., ::-1, ::3].size == 0
    assert xp.permute_dims(x, (2, 0, 1)).size == 0
    assert xp.reshape(x, (0,)).shape == (0,)
    assert (x + 1).shape == shape
    assert xp.concat([x, x]).size == 0
    assert x.to_device("cpu").shape == shape
    for axis in range(3):
        index: list[Any] = [slice(None)] * 3
        if shape[axis]:
            index[axis] = shape[axis] - 1
            assert x[tuple(index)].size == 0
            index[axis] = slice(shape[axis] // 2, None, -(2**39))
            assert x[tuple(index)].size == 0
    for axes in ((0, 1), (0, 2), (1, 2)):
        kept = shape[3 - sum(axes)]
        if kept == 0:
            assert xp.sum(x, axis=axes).shape == xp.mean(x, axis=axes).shape == (0,)
    x[...] = 3
    x += 1


def test_a_sum_over_no_elements_of_many_is_zero() -> None:
    x = xp.zeros((3, 0, 2**40, 2**40), dtype="float32")
    assert xp.sum(x, axis=(1, 2, 3)).tolist() == [0, 0, 0]
    assert xp.prod(x, axis=(1, 2, 3)).tolist() == [1, 1, 1]
    assert xp.all(x == 0, axis=(1, 2, 3)).tolist() == [True] * 3
    assert np.all(np.isnan(xp.mean(x, axis=(1, 2, 3)).to_numpy()))
    with pytest.raises(ValueError, match="no elements"):
        xp.max(x, axis=(1, 2, 3))


INTERESTING = (0, 1, 2, 3, 2**16, 2**31 - 1, 2**31, 2**32, 2**40, 2**62, 2**63 - 1)
FACTORS = (0, 1, 2, 3, 2**62, 2**63 - 1)  # nothing of that size is allocated

OPERATIONS: dict[str, Callable[[Any, random.Random], Any]] = {
    "flip": lambda x, r: xp.flip(x),
    "permute": lambda x, r: xp.permute_dims(x, r.sample(range(x.ndim), x.ndim)),
    "slice": lambda x, r: x[
        tuple(
            slice(r.choice((None, r.choice(INTERESTING))), None, r.choice((1, -1, 2, 2**40, -3)))
            for _ in x.shape
        )
    ],
    "integer": lambda x, r: x[r.choice((0, -1, x.shape[0] - 1 if x.ndim else 0))],
    "expand": lambda x, r: xp.expand_dims(x, axis=r.randint(0, x.ndim)),
    "flatten": lambda x, r: xp.reshape(x, (-1,), copy=False),
    "broadcast": lambda x, r: xp.broadcast_to(x, (r.choice(INTERESTING), *x.shape)),
    "concat": lambda x, r: xp.concat([x, x, x], axis=r.randrange(max(x.ndim, 1))),
    "stack": lambda x, r: xp.stack([x, x]),
    "squeeze": lambda x, r: xp.squeeze(x, axis=0),
    "add": lambda x, r: x + x,
    "sum": lambda x, r: xp.sum(x, axis=r.randrange(max(x.ndim, 1))),
    "mean": lambda x, r: xp.mean(x, axis=r.randrange(max(x.ndim, 1))),
    "show": lambda x, r: xp.show(x),
    "roll": lambda x, r: xp.roll(x, r.choice(INTERESTING), axis=r.choice((None, 0))),
    "moveaxis": lambda x, r: xp.moveaxis(x, 0, -1),
    "swapaxes": lambda x, r: x.swapaxes(0, -1),
    "tile": lambda x, r: xp.tile(x, r.choice(FACTORS)),
    "repeat": lambda x, r: xp.repeat(x, r.choice(FACTORS), axis=0),
    "pad": lambda x, r: xp.pad(x, r.choice(FACTORS)),
    "windows": lambda x, r: xp.sliding_window_view(x, r.choice(INTERESTING), axis=0),
    "split": lambda x, r: xp.split(x, [r.choice(INTERESTING)], axis=-1)[0],
    "take": lambda x, r: xp.take(x, xp.asarray([0, -1]), axis=0),
    "indices": lambda x, r: x[xp.asarray([0, -1, 0])],
    "diff": lambda x, r: xp.diff(x, axis=0),
    "tril": lambda x, r: xp.tril(x, k=r.choice(INTERESTING)),
    "scan": lambda x, r: xp.cumulative_sum(x, axis=-1),
    "sort": lambda x, r: xp.sort(x, axis=0),
    "argmax": lambda x, r: xp.argmax(x, axis=0),
    "product": lambda x, r: xp.matmul(x[..., :9, :], xp.matrix_transpose(x[..., :9, :])),
    "item": lambda x, r: x.item(r.choice(INTERESTING)),
    "array": lambda x, r: np.asarray(x).shape,
    "buffer": lambda x, r: memoryview(x).strides,
    "interface": lambda x, r: np.asarray(Holder(x.__array_interface__)).shape,
    "dlpack": lambda x, r: np.from_dlpack(x).shape,
    "there and back": lambda x, r: xp.asarray(np.asarray(x)),
    "list": lambda x, r: x.tolist() if math.prod(n or 1 for n in x.shape) < MOST else None,
}
VIEWS = {
    *("flip", "permute", "slice", "integer", "expand", "flatten", "broadcast", "squeeze", "show"),
    *("moveaxis", "swapaxes", "windows", "split", "buffer", "interface", "dlpack", "item"),
}

SHOWN = ("buffer", "interface", "dlpack", "item")  # which evaluate what is pending
JOINS = ("concat", "stack", "add", "tile", "repeat", "pad", "roll")  # pending, or refused


class Holder:
    """What NumPy reads by that interface."""

    def __init__(self, interface: dict[str, Any]) -> None:
        self.__array_interface__ = interface


MOST = 2**20  # elements of what is calculated here


def test_random_extents_give_an_error_or_an_array() -> None:
    for seed in range(1500):
        rng = random.Random(seed)
        shape = tuple(rng.choice(INTERESTING) for _ in range(rng.randint(0, 4)))
        try:
            x = xp.broadcast_to(xp.ones((), dtype=rng.choice(("uint8", "float64"))), shape)
        except (ValueError, MemoryError):
            continue
        for _ in range(6):
            name = rng.choice(list(OPERATIONS))
            is_evaluated = name not in VIEWS or (x.is_pending and name in SHOWN)
            if MOST < x.size and is_evaluated and (x.size < 2**50 or name not in JOINS):
                continue  # it would take for ever, or there may be so much memory
            try:
                made = OPERATIONS[name](x, rng)
            except (ValueError, MemoryError, IndexError, BufferError):
                continue
            if not isinstance(made, xp.Array):
                continue
            assert made.nbytes >= 0
            assert made.size == np.prod(np.array(made.shape, object), initial=1)
            x = made


@pytest.mark.parametrize("length", [2**63 - 1, 2**63 - 512, 2**62 + 1])
def test_a_reduction_of_more_than_there_is_room_for_says_so(length: int) -> None:
    x = xp.broadcast_to(xp.ones((), dtype="int8"), (length,))
    for reduce in (xp.sum, xp.max):
        with pytest.raises(MemoryError):
            reduce(x).eval()
