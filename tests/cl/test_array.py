"""isthmus.cl.array beside NumPy: every pair of layouts, and what pyopencl gets silently wrong."""

from __future__ import annotations

import copy
import gc
import operator
import weakref
from collections.abc import Callable
from typing import Any

import isthmus.cl.array as cl_array
import numpy as np
import pytest

import isthmus as xp
from isthmus import _isthmus

Host = np.ndarray[Any, Any]

LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "C": lambda x: x,
    "sliced": lambda x: x[1:3, ::2],
    "negative": lambda x: x[::-1, ::-1],
    "transposed": lambda x: x.T,
    "row": lambda x: x[1:2],
    "empty": lambda x: x[2:2],
    "number": lambda x: x[1, 2],
}

BINARY: list[Callable[[Any, Any], Any]] = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.eq,
    operator.lt,
]


def both(queue: Any, host: Host) -> tuple[Host, cl_array.Array]:
    return host, cl_array.to_device(queue, host)


def same(ours: Any, theirs: Any) -> None:
    found = ours.get() if isinstance(ours, cl_array.Array) else ours
    np.testing.assert_allclose(found, theirs, rtol=1e-6)
    assert found.shape == np.shape(theirs)


def test_operators_on_every_pair_of_layouts(queue: Any) -> None:
    a, x = both(queue, np.arange(1, 17, dtype=np.float32).reshape(4, 4))
    b, y = both(queue, np.asfortranarray(a[::-1] * 3))
    for first in LAYOUTS.values():
        for second in LAYOUTS.values():
            p, q = first(a), second(b)
            try:
                np.broadcast_shapes(np.shape(p), np.shape(q))
            except ValueError:
                with pytest.raises(ValueError):
                    first(x) + second(y)
                continue
            for function in BINARY:
                result = function(first(x), second(y))
                same(result, function(p, q))
    assert (x == x.T).dtype == np.int8


def test_what_pyopencl_gets_silently_wrong(queue: Any) -> None:
    a, x = both(queue, np.arange(4, dtype=np.float32).reshape(2, 2))
    f = cl_array.to_device(queue, np.asfortranarray(a))
    assert f.strides == (4, 8)
    same(x + x.T, a + a.T)
    same(x == x.T, a == a.T)
    same(cl_array.maximum(x, x.T), np.maximum(a, a.T))
    same(cl_array.dot(x, f), (a * a).sum())
    same(cl_array.if_positive(x - 1, x, x.T), np.where(a > 1, a, a.T))
    with pytest.raises(IndexError):
        cl_array.take(x, cl_array.arange(queue, 9, dtype=np.int32)).get()
    ones = cl_array.zeros(queue, 100_000, np.int8) + 1
    same(cl_array.sum(ones), 100_000)


def test_strides_and_offsets_are_bytes(queue: Any) -> None:
    x = cl_array.zeros(queue, (3, 5), np.float64)
    part = x[1:, 2::2]
    assert (x.strides, x.offset, x.nbytes, x.ndim) == ((40, 8), 0, 120, 2)
    assert (part.strides, part.offset) == ((40, 16), 56)
    assert part.T.flags.forc is False and x.T.flags.f_contiguous
    with pytest.raises(cl_array.ArrayHasOffsetError):
        part.data  # noqa: B018
    assert cl_array.empty(queue, (3, 5), np.float32, order="F").strides == (4, 12)
    for shape, strides in (((3, 0, 2), (16, 8, 8)), ((), ()), (0, (8,))):
        host = np.zeros(shape)
        ours = cl_array.zeros(queue, shape, np.float64)
        assert ours.shape == host.shape and ours.get().shape == host.shape
        assert strides is not None and ours.flags.c_contiguous


def test_transfers(queue: Any) -> None:
    a, x = both(queue, np.arange(12, dtype=np.int32).reshape(3, 4))
    same(x[::2, ::-1], a[::2, ::-1])
    x.set(np.arange(12, dtype=np.int32)[::-1])  # another shape of the same size
    assert x.get()[0, 0] == 11
    with pytest.raises(ValueError):
        x.set(np.zeros(5, np.int32))
    with pytest.raises(TypeError):
        x.set(np.zeros((3, 4)))
    target = np.empty((3, 4), np.int32)
    assert x.get(ary=target) is target and target[2, 3] == 0
    host, event = x.get_async()
    event.wait()
    assert (host == target).all()
    with pytest.warns(DeprecationWarning):
        x.get(async_=True)
    strange = np.lib.stride_tricks.as_strided(a, (3, 3), (4, 8))  # pyopencl refuses it
    same(cl_array.to_device(queue, strange), strange)
    mapped = x.map_to_host()
    mapped[0, 0] = 77
    x += 1
    assert mapped[0, 0] == 78
    mapped.base.release()
    assert x.get()[0, 0] == 78
    assert cl_array.to_device(queue, a, array_queue=None).queue is None


def test_writes(queue: Any) -> None:
    a, x = both(queue, np.arange(12, dtype=np.float32).reshape(3, 4))
    old = x + 0
    for key in (0, (slice(None), 1), (slice(None, None, 2), slice(None, None, -1)), Ellipsis):
        a[key] = 5.5
        x[key] = 5.5
        same(x, a)
    a[1:] = np.arange(8).reshape(2, 4)
    x[1:] = np.arange(8).reshape(2, 4)  # another dtype
    a[:, 0] = np.arange(3)
    x[:, 0] = cl_array.arange(queue, 3, dtype=np.int64)
    x.setitem((0, 0), 9)
    a[0, 0] = 9
    same(x, a)
    same(old, np.arange(12, dtype=np.float32).reshape(3, 4))
    view = x[1:]
    x += 1
    x *= x
    same(x, (a + 1) ** 2)
    same(view, ((a + 1) ** 2)[1:])
    whole = cl_array.arange(queue, 5, dtype=np.int32)
    with pytest.raises(TypeError):
        whole /= 2
    with pytest.raises(TypeError):
        whole += 0.5
    whole[cl_array.to_device(queue, np.array([4, 0]))] = cl_array.to_device(
        queue, np.array([7, 8], np.int32)
    )
    assert whole.get().tolist() == [8, 1, 2, 3, 7]
    assert whole.fill(3) is whole and whole.get().tolist() == [3] * 5


def test_arrays_without_a_queue_refuse(queue: Any) -> None:
    x = cl_array.zeros(queue, 3, np.float32).with_queue(None)
    assert x.queue is None and "without a queue" in str(x) + repr(x)
    for call in (lambda: x + 1, lambda: -x, lambda: x.get(), lambda: x.fill(1), lambda: x == x):
        with pytest.raises(ValueError, match="no queue"):
            call()
    assert cl_array.maximum(x, 4, queue=queue).get().tolist() == [4, 4, 4]
    assert cl_array.Array(x.context, 3, np.int8).queue is None


def test_functions(queue: Any) -> None:
    a, x = both(queue, np.array([[3, -1, 2], [5, 0, 4]], np.float32))
    same(cl_array.concatenate([x, x[:, ::-1]], axis=1), np.concatenate([a, a[:, ::-1]], axis=1))
    same(cl_array.stack([x, x], axis=-1), np.stack([a, a], axis=-1))
    same(cl_array.hstack([x, x]), np.hstack([a, a]))
    same(cl_array.diff(x[0]), np.diff(a[0]))
    same(cl_array.cumsum(x[1]), np.cumsum(a[1]))
    same(x.reverse(), a[::-1, ::-1])
    same(x.mul_add(2, x, 3), 5 * a)
    same(abs(x), abs(a))
    same(cl_array.max(x), 5)
    same(cl_array.min(x, initial=-7), -7)
    same(cl_array.sum(x, slice=slice(1, 3)), 1)
    index = cl_array.to_device(queue, np.array([0, 5]))
    same(cl_array.subset_max(index, x), 4)
    same(cl_array.subset_dot(index, x, x), 25)
    same(cl_array.logical_and(x, x - 3), np.logical_and(a, a - 3))
    same(cl_array.logical_not(x), np.logical_not(a))
    same(x.any(), 1)
    same(x.all(), 0)
    assert bool(x[0, 0]) and not (x == 99).any()
    same(cl_array.arange(queue, 1, 2, 0.3, dtype=np.float64), np.arange(1, 2, 0.3))
    same(
        cl_array.as_strided(x, (3, 2), (4, 12)), np.lib.stride_tricks.as_strided(a, (3, 2), (4, 12))
    )
    z = x + 2j
    assert z.dtype == np.complex64
    same(z.conj().imag, -2 * np.ones_like(a))
    same(cl_array.vdot(z, z).real, (abs(a + 2j) ** 2).sum())
    same(x.imag, 0 * a)
    same(x[0].view(np.int32), a[0].view(np.int32))
    same(x.astype(np.int8) % 2, a.astype(np.int8) % 2)
    one, two = cl_array.multi_take([x[0], x[1]], cl_array.arange(queue, 2, dtype=np.int32))
    same(one, a[0, :2])
    same(two, a[1, :2])
    out = [cl_array.zeros(queue, 4, np.float32)]
    cl_array.multi_put([x[0]], cl_array.arange(queue, 3, dtype=np.int32), out=out)
    same(out[0], [*a[0], 0])


@pytest.mark.lazy
def test_chains_fuse(queue: Any) -> None:
    x = cl_array.to_device(queue, np.ones(5000, np.float32))
    if isinstance(queue, xp.Queue) and queue.device.backend == "cpu":
        pytest.skip("counts launches of a device")
    xp.config.inline = "0"
    xp.config.eager = False
    x.get()
    before = xp.statistics()["kernels"]
    y = 2 * x + 1
    y *= y
    y -= x
    y[1:].T  # noqa: B018  # a view that is gone
    assert (y.get() == 8).all()
    assert xp.statistics()["kernels"] - before == 1


NUMBERS = (2, 2.5, True, 1 + 2j, np.float32(2), np.float64(0.5), np.int64(3), np.True_)
WITH_NUMBERS = [*BINARY, operator.floordiv, operator.mod, operator.pow, operator.ne, operator.ge]
WITHOUT_COMPLEX = (operator.lt, operator.ge, operator.floordiv, operator.mod)


@pytest.mark.parametrize("number", NUMBERS, ids=repr)
def test_numbers_stand_on_either_side(queue: Any, number: Any) -> None:
    a, x = both(queue, np.arange(1, 5, dtype=np.float32))
    for function in WITH_NUMBERS:
        for numbers_first in (False, True):
            ours, theirs = (
                ((number, x), (number, a)) if numbers_first else ((x, number), (a, number))
            )
            if number == 1 + 2j and function in WITHOUT_COMPLEX:
                with pytest.raises(TypeError):
                    function(*ours)
                continue
            expected = function(*theirs)
            if expected.dtype == bool:
                expected = expected.astype(np.int8)
            found = function(*ours)
            same(found, expected)
            assert type(found) is cl_array.Array and found.queue is queue
            assert found.dtype == expected.dtype, (function, number)


class Named(cl_array.Array):
    name: str
    whole: Any


def test_results_of_a_derived_class_have_its_attributes(queue: Any) -> None:
    x = Named(queue, 4, np.float32)
    x.name = "lengths"
    x.set(np.arange(4, dtype=np.float32))
    y = cl_array.arange(queue, 4, dtype=np.float32)
    for found in (x + 1, 1 - x, x * y, -x, abs(x), x < y, x[1:], x.copy(), copy.copy(x)):
        assert isinstance(found, Named) and found.name == "lengths"
    assert type(y + x) is cl_array.Array
    again = copy.copy(x)
    again += 5
    assert x.get().tolist() == [5, 6, 7, 8]
    for one in (x, y):
        before, same_one = one.get(), one
        same_one **= 2  # a new array, as of numbers
        assert (same_one.get() == before**2).all() and (one.get() == before).all()


def test_arrays_in_cycles_are_collected(queue: Any) -> None:
    x = Named(queue, 4, np.float32)
    x.whole = [x]
    y = cl_array.arange(queue, 4, dtype=np.float32)
    y.allocator = {"of": y}
    known: list[weakref.ref[Any]] = [weakref.ref(x), weakref.ref(y)]
    del x, y
    gc.collect()
    assert [one() for one in known] == [None, None]


def test_what_an_array_is_made_of_alone_is_none() -> None:
    nothing: Any = _isthmus._ArrayOnQueue()
    calls: list[Callable[[], Any]] = [
        lambda: nothing + 1,
        lambda: 1 - nothing,
        lambda: -nothing,
        lambda: nothing < 1,
        nothing.finish,
    ]
    for call in calls:
        with pytest.raises(AttributeError):
            call()
    nothing._x = "text"
    with pytest.raises(AttributeError):
        nothing * 2
    assert nothing.queue is None


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "u8"])
def test_unsigned_integers_in_place_are_those_of_c(queue: Any, dtype: str) -> None:
    theirs = np.array([-1, 1, -3, 100, 0], np.int8)
    for change in ("__iadd__", "__isub__", "__imul__", "__iand__", "__ixor__"):
        a, x = both(queue, np.array([0, 1, 5, 200, 250], dtype))
        found = getattr(x, change)(cl_array.to_device(queue, theirs))
        assert found is x and x.dtype == dtype
        np.testing.assert_array_equal(x.get(), getattr(a, change)(theirs.astype(dtype)))
    count = cl_array.zeros(queue, 5, dtype)
    for _ in range(3):
        count += cl_array.to_device(queue, theirs) > 0
    count -= np.int16(1)
    wanted = (3 * (theirs > 0) - 1).astype(dtype)
    np.testing.assert_array_equal(count.get(), wanted)
    with pytest.raises(TypeError, match="float64 and does not fit"):
        count += np.float64(0.5)
    with pytest.raises(OverflowError):
        count += -1


def test_views_without_elements_are_of_the_context(queue: Any) -> None:
    none = cl_array.zeros(queue, (0, 3), np.float32).view(np.int32)
    assert (none + cl_array.zeros(queue, (1, 3), np.int32)).get().shape == (0, 3)


def test_the_dtype_of_a_range_is_that_of_its_numbers(cl_queue: Any) -> None:
    """As pyopencl's page says; pyopencl itself asks for one."""
    for numbers in (5,), (1, 3, 0.25), (np.float32(1), np.float32(3)):
        found, wanted = cl_array.arange(cl_queue, *numbers).get(), np.arange(*numbers)
        assert found.tolist() == wanted.tolist(), numbers
    assert cl_array.arange(cl_queue, 5).dtype == np.int64
    assert cl_array.arange(cl_queue, 0, 1, 0.5).dtype == np.float64


@pytest.mark.parametrize(
    ("strides", "problem", "words"),
    [
        ((4,), ValueError, r"1 strides \(4,\) for a shape of 2 axes"),
        ((4, 4, 4), ValueError, "3 strides"),
        (8, TypeError, "expected ints, one for each axis: 8"),
        ((4, 2.5), TypeError, "expected ints, one for each axis"),
    ],
)
def test_strides_are_one_int_for_each_axis(
    cl_queue: Any, strides: Any, problem: type[Exception], words: str
) -> None:
    with pytest.raises(problem, match=words):
        cl_array.Array(cl_queue, (3, 4), np.float32, strides=strides)


NOT_SET: dict[str, Any] = {
    **{"shape": (3, 2), "dtype": np.int32, "strides": (4, 8), "ndim": 1, "size": 7},
    **{"nbytes": 28, "offset": 4},
}


@pytest.mark.parametrize("name", NOT_SET)
def test_what_is_not_set_says_what_would_do(name: str) -> None:
    x = cl_array.zeros(xp.Queue("cpu"), (2, 3), np.float32)
    with pytest.raises(
        AttributeError, match=f"^{name} of an array of isthmus.cl cannot be set to .*; use instead"
    ):
        setattr(x, name, NOT_SET[name])
    setattr(x, name, getattr(x, name))  # as derived classes do
    assert x.shape == (2, 3) and x.nbytes == 24
    x.shape = [2, 3]  # type: ignore[misc, assignment]
    with pytest.raises(AttributeError, match=r"^T of an array of isthmus.cl cannot be set; use"):
        x.T = x.T  # type: ignore[misc]
