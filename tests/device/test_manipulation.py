"""Views by shape, and joining, against NumPy; a view is a view wherever NumPy's is one."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import LAYOUTS, assert_same, get, put
from tests.ways import Way


def base() -> Any:
    return np.arange(60, dtype=np.int32).reshape(6, 10)


def is_view(made: xp.Array, of: xp.Array) -> bool:
    """Whether a write through the one is seen by the other."""
    if made.size == 0:
        return False
    of[...] = 0
    made[...] = 1
    return bool(xp.any(of != 0).item())


SHAPES = [(60,), (3, 20), (2, 3, 10), (6, 5, 2), (5, 12), (1, 60, 1), (-1, 4), (15, 4), (6, 10)]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_reshape_is_a_view_wherever_that_of_numpy_is(layout: str, device: xp.Device) -> None:
    values = base()
    shown = values[3, 4, ...] if layout == "no axes" else LAYOUTS[layout](values, np)
    (xp.ones((1,), dtype="int8", device=device) + 1).eval()
    shapes: set[tuple[int, ...]] = {(shown.size,), (1, *shown.shape), shown.shape[::-1], *SHAPES}
    for shape in shapes:
        x = LAYOUTS[layout](put(base(), device), xp)
        try:
            wanted = np.reshape(shown, shape)
        except ValueError:
            with pytest.raises(ValueError, match=r"do not fill|-1"):
                xp.reshape(x, shape)
            continue
        assert_same(get(xp.reshape(x, shape)), wanted, shape)
        shares = bool(np.shares_memory(wanted, shown)) or shown.size == 0
        if shares:
            assert_same(get(xp.reshape(x, shape, copy=False)), wanted, shape)
        else:
            with pytest.raises(xp.CopyRefusedError, match="without a copy"):
                xp.reshape(x, shape, copy=False)
        if not x.is_read_only:
            assert is_view(xp.reshape(x, shape), x) == (shares and shown.size > 0), shape
            assert not is_view(xp.reshape(x, shape, copy=True), x)


def test_axes_move_as_in_numpy(device: xp.Device) -> None:
    values = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
    x = put(values, device) + 0
    x.eval()
    for order in itertools.permutations(range(3)):
        assert_same(get(xp.permute_dims(x, order)), np.permute_dims(values, order))
        negative = tuple(axis - 3 for axis in order)
        assert_same(get(xp.permute_dims(x, negative)), np.permute_dims(values, order))
    for a, b in itertools.product(range(-3, 3), repeat=2):
        assert_same(get(xp.moveaxis(x, a, b)), np.moveaxis(values, a, b))
    assert_same(get(xp.matrix_transpose(x)), np.matrix_transpose(values))
    assert_same(get(x.mT), values.mT)
    assert_same(get(x[0].T), values[0].T)
    for axis in (None, 0, -1, (0, 2), (1, 0)):
        assert_same(get(xp.flip(x, axis=axis)), np.flip(values, axis=axis))
    for axis in (0, 1, -1, (0, 2), (-1, 0)):
        assert_same(get(xp.expand_dims(x, axis)), np.expand_dims(values, axis))
    one = xp.expand_dims(x, (0, -1))
    assert_same(get(xp.squeeze(one, (0, 4))), values)
    for part, wanted in zip(xp.unstack(x, axis=1), np.unstack(values, axis=1), strict=True):
        assert_same(get(part), wanted)


def test_broadcasting_is_that_of_numpy(device: xp.Device) -> None:
    values = np.arange(3, dtype=np.int16).reshape(3, 1)
    x = put(values, device) + 0
    x.eval()
    shapes: list[tuple[int, ...]] = [(3, 4), (2, 3, 1), (5, 3, 7), (3, 0), (3, 1)]
    for shape in shapes:
        assert_same(get(xp.broadcast_to(x, shape)), np.broadcast_to(values, shape))
    shapes = [(3,), (4, 1), (3, 1, 2), ()]
    for shape in shapes:
        with pytest.raises(ValueError, match="cannot be broadcast"):
            xp.broadcast_to(x, shape)
    y = xp.zeros((2, 1, 4), dtype="int8", device=device)
    for made, wanted in zip(
        xp.broadcast_arrays(x, y),
        np.broadcast_arrays(values, np.zeros((2, 1, 4), "i1")),
        strict=True,
    ):
        assert_same(get(made), np.asarray(wanted))
    whole, row = xp.broadcast_arrays(y, y[0, 0])
    assert row.is_read_only
    whole[1] = 5  # it had the shape
    assert get(y).tolist() == [[[0] * 4], [[5] * 4]]
    assert xp.broadcast_to(y, y.shape).is_read_only
    with pytest.raises(ValueError, match="cannot be broadcast together"):
        x + xp.zeros((4, 4), dtype="int16", device=device)


@pytest.mark.parametrize("axis", [0, 1, -1, None])
def test_concat_and_stack_join_as_in_numpy(axis: Any, device: xp.Device) -> None:
    values = [base(), base()[::-1] * 2, base().T.copy().T.astype(np.int16)]
    arrays = [put(v, device) for v in values]
    arrays[1] = arrays[1] + 0
    assert_same(get(xp.concat(arrays, axis=axis)), np.concat(values, axis=axis))
    if axis is not None:
        same = [arrays[0], arrays[1]]
        assert_same(get(xp.stack(same, axis=axis)), np.stack(values[:2], axis=axis))
    joined = xp.concat(arrays, axis=axis)
    arrays[0][...] = -1
    assert int(xp.min(joined).item()) == 0, "it is a copy"


def test_joining_refuses_what_does_not_fit(device: xp.Device) -> None:
    x = xp.zeros((2, 3), dtype="int8", device=device)
    x.eval()
    with pytest.raises(ValueError, match="no arrays"):
        xp.concat([])
    with pytest.raises(ValueError, match="differ in axes other than 0"):
        xp.concat([x, xp.zeros((2, 4), dtype="int8", device=device)])
    with pytest.raises(ValueError, match="differ"):
        xp.stack([x, x[0]])
    with pytest.raises(IndexError, match="axis 2"):
        xp.concat([x, x], axis=2)
    with pytest.raises(ValueError, match="repeated"):
        xp.permute_dims(x, (0, 0))
    with pytest.raises(ValueError, match="has length 2, not 1"):
        xp.squeeze(x, 0)
    with pytest.raises(TypeError, match=r"is not an isthmus\.Array"):
        xp.concat([x, np.zeros((2, 3))])  # type: ignore[list-item]


def test_strides_and_order_of_results_are_those_of_numpy(device: xp.Device) -> None:
    values = base()
    x = put(values, device)
    y = x.T + x.T
    y.eval()
    assert y.strides == (1, 10)
    assert x[:, None].strides == (10, 0, 1)
    assert x[::-1, ::2].strides == (-10, 2) and x[::-1].offset == 50
    assert (x.T * 2 + xp.sum(x.T)).strides == (1, 10)
    assert x.nbytes == 240 and x.itemsize == 4 and x.ndim == 2 and x.size == 60


def test_results_lie_in_memory_as_those_of_numpy_whatever_the_operands_do() -> None:
    rng = random.Random(5)
    for _ in range(3000):
        shape = tuple(rng.choice((1, 2, 3)) for _ in range(rng.choice((2, 3, 4))))
        theirs, ours = [], []
        for _ in range(rng.choice((1, 2, 2, 3))):
            extents = [1 if rng.random() < 0.2 else extent for extent in shape]
            axes = rng.sample(range(len(shape)), len(shape))
            steps = [rng.choice((-1, 1, 1, 2)) for _ in shape]
            whole = [extents[axis] * abs(steps[axis]) for axis in axes]
            values = np.arange(np.prod(whole), dtype=np.int64).reshape(whole)
            back = tuple(axes.index(axis) for axis in range(len(shape)))
            key = tuple(slice(None, None, step) for step in steps)
            theirs.append(np.transpose(values, back)[key])
            ours.append(xp.permute_dims(xp.asarray(values, copy=True), back)[key])
        if len(ours) == 1:
            wanted, got = np.negative(*theirs), xp.negative(*ours)
        elif len(ours) == 2:
            wanted, got = np.add(*theirs), xp.add(*ours)
        else:
            wanted = np.where(theirs[0] > 2, theirs[1], theirs[2])
            got = xp.where(ours[0] > 2, ours[1], ours[2])
        strides = [
            (stride // wanted.itemsize, own)
            for extent, stride, own in zip(wanted.shape, wanted.strides, got.strides, strict=True)
            if extent > 1  # else it means nothing
        ]
        assert all(stride == own for stride, own in strides), [x.strides for x in theirs]
        assert np.array_equal(get(got), wanted)


@pytest.mark.no_kernel  # some have no elements
@pytest.mark.parametrize("layout", LAYOUTS)
def test_copies_lie_in_memory_as_those_of_numpy(way: Way, device: xp.Device, layout: str) -> None:
    base = np.arange(60, dtype=np.float32).reshape(6, 10)
    a: Any = LAYOUTS[layout](base, np)
    x: Any = LAYOUTS[layout](put(base, device), xp)
    for order in ("C", "F", "A", "K"):
        wanted, got = a.copy(order=order), x.copy(order)
        assert_same(get(got), wanted, order)
        strides = zip(wanted.shape, wanted.strides, got.strides, strict=True)
        if wanted.size:  # else they mean nothing
            assert all(their == own * 4 for n, their, own in strides if n > 1), order
    assert x.copy().strides == x.copy("C").strides
    spellings: Any = xp
    assert spellings.copy(x).strides == x.copy("K").strides
    row = x.copy()
    row.ravel()[:] = 7  # a view
    assert (get(row) == 7).all() and (x.size == 0 or not (get(x) == 7).all())
    with pytest.raises(ValueError, match="copy: order: 'B' is none of C, F, A, K"):
        x.copy("B")


@pytest.mark.parametrize("dtype", ["int8", "int16", "float32", "float64", "complex128"])
def test_transposed_copies_of_any_size(dtype: str) -> None:
    rng = np.random.default_rng(6)
    for rows, columns in ((32, 32), (31, 200), (33, 65), (130, 47), (257, 144), (1000, 37)):
        a = rng.integers(0, 100, (3, rows, columns)).astype(dtype)
        x = put(a, xp.Device("cpu"))
        assert np.array_equal(get(x[0].T.copy()), a[0].T), (rows, columns)
        assert np.array_equal(get(x.mT.copy()), np.swapaxes(a, 1, 2)), (rows, columns)
        turned = xp.zeros((columns, rows), dtype=dtype).T[::-1]
        turned[...] = x[1]  # columns are written one after another
        assert np.array_equal(get(turned), a[1]), (rows, columns)
        assert np.array_equal(get(x[2, ::-1, 1:].T.copy()), a[2, ::-1, 1:].T), (rows, columns)
