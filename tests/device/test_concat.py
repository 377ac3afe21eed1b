"""concat and stack wait: each part is one kernel, which writes into its place in the result."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import assert_same, get, put
from tests.device.control import failing_calls
from tests.ways import Way

needs_lazy = pytest.mark.lazy


def kernels_of(action: Callable[[], Any]) -> int:
    before = xp.statistics()["kernels"]
    action()
    return int(xp.statistics()["kernels"] - before)


def numbers(device: xp.Device, *shape: int) -> Any:
    values = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    return put(values, device)


JOINS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "concat": lambda n, x, y: n.concat((x * 2 + 1, y - x, n.sum(y, axis=0, keepdims=True))),
    "concat along the last axis": lambda n, x, y: n.concat((x * 2 + 1, y - x, x), axis=-1),
    "concat of all elements": lambda n, x, y: n.concat((x * 2, (y - x), x + 1), axis=None),
    "stack": lambda n, x, y: n.stack((x * 2 + 1, y - x, x)),
    "stack along the last axis": lambda n, x, y: n.stack((x * 2 + 1, y - x, x), axis=-1),
    "hstack": lambda n, x, y: n.hstack((x * 2 + 1, y - x, x)),
    "vstack": lambda n, x, y: n.vstack((x * 2 + 1, y - x, x)),
    "hstack of rows": lambda n, x, y: n.hstack((x[0] * 2, y[1] - x[0], x[2])),
    "vstack of rows": lambda n, x, y: n.vstack((x[0] * 2, y[1] - x[0], x[2])),
}


@needs_lazy
@pytest.mark.parametrize("join", JOINS)
def test_each_part_is_one_kernel(join: str, device: xp.Device) -> None:
    x, y = numbers(device, 3, 4), numbers(device, 3, 4) + 5
    y.eval()
    made: list[Any] = []
    assert kernels_of(lambda: made.append(JOINS[join](xp, x, y))) == 0
    assert made[0].is_pending
    assert kernels_of(made[0].eval) == 3
    assert_same(get(made[0]), JOINS[join](np, get(x), get(y)))


@needs_lazy
def test_a_pending_value_of_another_shape_joins_the_kernel_of_its_part(device: xp.Device) -> None:
    x = numbers(device, 2, 6)
    made = xp.concat((xp.reshape(x * 2, (4, 3)), xp.reshape(x + 1, (4, 1, 3))[:, 0]), axis=0)
    assert kernels_of(made.eval) == 2
    wanted = get(x)
    assert_same(get(made), np.concat((np.reshape(wanted * 2, (4, 3)), (wanted + 1).reshape(4, 3))))


@needs_lazy
@pytest.mark.no_kernel
def test_what_nobody_reads_never_runs(device: xp.Device) -> None:
    x = numbers(device, 5).eval()

    def drop() -> None:
        joined = xp.concat((x * 2, x, xp.stack((x + 1, x))[0]))
        assert joined.is_pending and xp.counters()["nodes"] > 0
        del joined

    assert kernels_of(drop) == 0
    assert xp.counters()["nodes"] == 0


@needs_lazy
def test_fusion_ends_behind_it_and_says_why(device: xp.Device) -> None:
    x = numbers(device, 5)
    y = xp.concat((x, x * 2)) + 1
    before = xp.statistics()["stops"]["concat"]
    with xp.profile() as p:
        assert kernels_of(y.eval) == 3
    assert xp.statistics()["stops"]["concat"] == before + 1
    assert "it is joined of parts, each of which is a kernel" in str(p)
    assert_same(get(y), np.concat((get(x), get(x) * 2)) + 1)


@needs_lazy
def test_a_held_part_is_written_by_the_same_kernel(device: xp.Device) -> None:
    x = numbers(device, 2, 3)
    held = x * 2
    y = xp.stack((held, x), axis=1)
    assert kernels_of(y.eval) == 2
    assert not held.is_pending
    assert_same(get(held), get(x) * 2)
    assert_same(get(y), np.stack((get(x) * 2, get(x)), axis=1))


def test_a_value_that_is_two_parts(device: xp.Device) -> None:
    x = numbers(device, 3)
    y = x * 2
    joined = xp.concat((y, y, xp.concat((y, x)), xp.stack((y, y))[1]))
    twice = get(x) * 2
    assert_same(get(joined), np.concat((twice, twice, twice, get(x), twice)))


def test_parts_are_as_they_were_at_the_call(device: xp.Device) -> None:
    x, y = numbers(device, 6), numbers(device, 6)
    view, pending = y[1:4], numbers(device, 3) + 1
    joined = xp.concat((x, view, pending, x[::-2]))
    wanted = np.concat((get(x), get(view), np.arange(1, 4), get(x)[::-2]), dtype=np.float32)
    x[1:] = -1
    y += 100
    pending[0] = -7
    assert_same(get(joined), wanted)


def test_a_write_through_the_result_and_into_it(device: xp.Device) -> None:
    x = numbers(device, 4)
    joined = xp.concat((x * 2, x))
    view = joined[2:6]
    view += 10
    joined[0] = -1
    assert get(joined).tolist() == [-1, 2, 14, 16, 10, 11, 2, 3]
    x[...] = xp.concat((x[2:], x[:2]))
    assert get(x).tolist() == [2, 3, 0, 1]
    assert get(joined)[-2:].tolist() == [2, 3]


@pytest.mark.parametrize("count", [1, 3, 255, 256, 1000, 2048, 2049, 5000])
def test_there_may_be_any_number_of_parts(count: int) -> None:
    x = xp.asarray(np.arange(count, dtype=np.int32), copy=True)
    parts = [x[i : i + 1] for i in range(count)]
    assert_same(get(xp.concat(parts)), np.arange(count, dtype=np.int32))
    rows = [part + 1 for part in parts[:300]]
    assert_same(get(xp.stack(rows, axis=1)), np.arange(1, count + 1, dtype=np.int32)[None, :300])


def test_dtypes_are_promoted_in_the_kernels_of_the_parts(device: xp.Device) -> None:
    values = [np.array([1, 2], "i1"), np.array([300], "i2"), np.array([0.5, 7], "f4")]
    arrays = [put(v, device) for v in values]
    assert_same(get(xp.concat(arrays)), np.concat(values, dtype="f4"))
    assert_same(get(xp.concat([a + a for a in arrays])), np.concat([v + v for v in values]))
    bools = put(np.array([True, False]), device)
    assert_same(get(xp.concat([bools, ~bools])), np.array([True, False, False, True]))
    with pytest.raises(xp.PromotionError):
        xp.concat([arrays[0], put(np.zeros(2, "V8"), device)])


def test_parts_without_elements(device: xp.Device) -> None:
    x, none = numbers(device, 2, 3), numbers(device, 0, 3)
    assert_same(get(xp.concat((none, x + 1, none * 2))), get(x) + 1)
    assert xp.concat((none, none + 1)).shape == (0, 3)
    assert xp.stack((none, none)).shape == (2, 0, 3)
    assert_same(get(xp.concat((none, x), axis=None)), get(x).ravel())
    scalar = xp.sum(x)
    assert_same(get(xp.stack((scalar, scalar * 2))), np.array([15, 30], np.float32))
    assert_same(get(xp.concat((scalar, x[0]), axis=None)), np.array([15, 0, 1, 2], np.float32))


def test_structs(device: xp.Device) -> None:
    values = np.array([(1, 2.5), (3, 4.5)], dtype=[("a", "i4"), ("b", "f8")])
    x = put(values, device)
    joined, stacked = xp.concat((x, x[::-1])), xp.stack((x, xp.roll(x, 1)), axis=1)
    assert get(joined).tolist() == np.concatenate((values, values[::-1])).tolist()
    assert get(stacked).tolist() == np.stack((values, values[::-1]), axis=1).tolist()


def test_a_reduction_and_a_sort_as_parts(device: xp.Device) -> None:
    x = numbers(device, 3, 4)
    joined = xp.concat((xp.sum(x, axis=1) / 2, xp.sort(-x[0]), xp.cumulative_sum(x[1])))
    v = get(x)
    assert_same(get(joined), np.concat((v.sum(axis=1) / 2, np.sort(-v[0]), np.cumsum(v[1]))))


@needs_lazy
def test_shared_memory_is_read_at_the_call_unless_fusing() -> None:
    a = np.arange(4, dtype=np.float32)
    x = xp.asarray(a)
    at_once = xp.concat((x, x * 2))
    assert not at_once.is_pending
    with xp.fusing():
        later = xp.stack((x + 1, x))
        assert later.is_pending
    assert not later.is_pending
    a[...] = -1
    assert get(at_once).tolist() == [0, 1, 2, 3, 0, 2, 4, 6]
    assert get(later).tolist() == [[1, 2, 3, 4], [0, 1, 2, 3]]


@needs_lazy
def test_the_tools_that_look(device: xp.Device) -> None:
    x = numbers(device, 3)
    y = xp.concat((x * 2, x, xp.astype(x, "int16")))
    source = xp.source(y)
    assert source.count("multiply") >= 1 and y.is_pending
    assert_same(get(copy.copy(y)), get(y))
    z = xp.concat((x * 2, x))
    assert_same(get(pickle.loads(pickle.dumps(z))), get(z))
    assert_same(get(copy.deepcopy(xp.stack((x, x)))), np.stack((get(x), get(x))))


def test_memory_that_is_not_there_is_an_error_of_the_array() -> None:
    huge = xp.broadcast_to(xp.ones((), dtype="uint8"), (2**52,))
    made = None
    with pytest.raises(xp.OutOfMemoryError, match="host has no"):
        made = xp.concat((huge, huge))
        made.eval()
    small = xp.ones((3,))
    assert get(xp.concat((small, small))).tolist() == [1] * 6


def test_the_error_of_a_part_stays_with_the_array() -> None:
    x = xp.ones((4,), device="null:2").eval()
    raised = 0
    for nth in range(1, 6):  # that of the question how the host reaches the memory is borne
        joined, beside = xp.concat((x * 2, x)), x + 1
        text = ""
        with failing_calls(nth):
            try:
                joined.eval()
            except xp.LaunchError as error:
                text = str(error)
        if text:
            raised += 1
            with pytest.raises(xp.LaunchError) as again:
                get(joined)
            assert str(again.value) == text
        else:
            assert get(joined).tolist() == [2] * 4 + [1] * 4
        assert get(beside).tolist() == [2] * 4
    assert raised >= 3
    joined = xp.concat((x * 2, x))
    with failing_calls(1, sticky=True), pytest.raises(xp.LaunchError) as caught:
        joined.eval()
    with pytest.raises(xp.LaunchError) as again:
        get(joined)
    assert str(again.value) == str(caught.value)


def test_threads_that_want_one_concat(device: xp.Device) -> None:
    x = numbers(device, 100)
    for _ in range(20):
        parts = [x * i for i in range(8)]
        joined = xp.concat(parts)
        found: list[Any] = []
        targets = [lambda a=a, found=found: found.append(get(a)) for a in (joined, *parts)]
        threads = [threading.Thread(target=target) for target in targets]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 9
        assert_same(get(joined), np.concat([get(x) * np.float32(i) for i in range(8)]))


@pytest.mark.parametrize("dtype", ["float32", "int8", "complex64", "bool"])
def test_many_small_parts_of_any_kind(way: Way, device: xp.Device, dtype: str) -> None:
    rng = np.random.default_rng(4)
    for axis, count in ((0, 17), (1, 40), (-1, 300), (None, 30)):
        theirs: list[Any] = []
        ours: list[Any] = []
        for i in range(count):
            shape = [2, 3, 2]
            if axis is not None:
                shape[axis] = i % 3  # 0, too
            values = rng.integers(0, 2, shape).astype(dtype)
            x = put(values, device)
            if i % 5 == 0:  # pending
                values, x = (values | True, x | True) if dtype == "bool" else (values * 2, x * 2)
            if i % 7 == 0 and count == 300:
                values, x = values[::-1], x[::-1]
            theirs.append(values)
            ours.append(x)
        assert_same(get(xp.concat(ours, axis=axis)), np.concatenate(theirs, axis), (axis, count))
    rows = [put(np.asarray([i, 2], dtype), device) for i in range(20)]
    for axis in (0, 1):
        wanted = np.stack([np.asarray([i, 2], dtype) for i in range(20)], axis)
        assert_same(get(xp.stack(rows, axis=axis)), wanted, axis)
    later = xp.concat(rows)
    rows[0][0] = 1
    assert get(later)[0] == np.asarray(0, dtype)
