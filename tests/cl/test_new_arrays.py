"""New arrays: their memory is made when it is used, and their memory object without a copy."""

from __future__ import annotations

import gc
import importlib.util
import warnings
from typing import Any

import isthmus.cl.array as cl_array
import numpy as np
import pytest
from isthmus.cl import cltypes

import isthmus as xp

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pyopencl") is None, reason="there is no pyopencl"
)


def buffers_of(cl_queue: Any) -> Any:
    """An allocator that remembers what it made, in `made`."""
    import pyopencl as cl

    def allocate(nbytes: int) -> Any:
        made.append(cl.Buffer(cl_queue.context, cl.mem_flags.READ_WRITE, nbytes))
        return made[-1]

    made: list[Any] = []
    allocate.made = made  # type: ignore[attr-defined]
    return allocate


def index_kernel(cl_queue: Any) -> Any:
    import pyopencl as cl

    text = "__kernel void f(__global float* x) { x[get_global_id(0)] = get_global_id(0); }"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what compilers say
        return cl.Program(cl_queue.context, text).build().f


def seen(cl_queue: Any, x: Any) -> list[float]:
    """What a program of pyopencl finds in the memory object."""
    import pyopencl as cl

    host = np.empty(x.size, x.dtype)
    cl.enqueue_copy(cl_queue, host, x.base_data)
    return list(host.tolist())


def memory_in_use(cl_queue: Any) -> int:
    gc.collect()
    return xp.memory.pool_statistics(xp.Queue(cl_queue).device)["bytes_in_use"]


@pytest.mark.parametrize("order", ["C", "F"])
def test_facts_need_no_memory(cl_queue: Any, order: str) -> None:
    before = memory_in_use(cl_queue)
    x = cl_array.empty(cl_queue, (300, 1, 500), np.float32, order=order)
    host = np.empty((300, 1, 500), np.float32, order=order)  # type: ignore[call-overload]
    assert (x.shape, x.dtype, x.strides) == (host.shape, host.dtype, host.strides)
    assert (x.size, x.ndim, x.nbytes, x.offset, len(x)) == (150000, 3, 600000, 0, 300)
    assert x.flags.c_contiguous == host.flags.c_contiguous
    assert x.flags.f_contiguous == host.flags.f_contiguous
    assert memory_in_use(cl_queue) == before
    x._x.eval()
    assert (x.shape, x.dtype, x.strides) == (host.shape, host.dtype, host.strides)
    assert x.flags.c_contiguous == host.flags.c_contiguous
    assert memory_in_use(cl_queue) > before


@pytest.mark.parametrize("is_allocated", [False, True])
def test_a_kernel_of_the_program_writes_a_new_array(cl_queue: Any, is_allocated: bool) -> None:
    kernel = index_kernel(cl_queue)
    allocator = buffers_of(cl_queue) if is_allocated else None
    x = cl_array.empty(cl_queue, 5, np.float32, allocator=allocator)
    kernel(cl_queue, (5,), None, x.data)
    assert x.get().tolist() == [0, 1, 2, 3, 4]
    into = np.zeros(5, np.float32)
    assert x.get(ary=into) is into
    assert into.tolist() == [0, 1, 2, 3, 4]
    y = x * 2
    x += 1
    assert seen(cl_queue, x) == x.get().tolist() == [1, 2, 3, 4, 5]
    kernel(cl_queue, (5,), None, x.data)
    assert (x + 1).get().tolist() == [1, 2, 3, 4, 5]
    assert y.get().tolist() == [0, 2, 4, 6, 8]
    if is_allocated:
        assert x.data is allocator.made[0]  # type: ignore[union-attr]


@pytest.mark.parametrize("is_allocated", [False, True])
@pytest.mark.parametrize("has_queue", [False, True])
def test_views_of_a_new_array_see_the_same_memory(
    cl_queue: Any, is_allocated: bool, has_queue: bool
) -> None:
    kernel = index_kernel(cl_queue)
    place = cl_queue if has_queue else cl_queue.context
    allocator = buffers_of(cl_queue) if is_allocated else None
    x = cl_array.empty(place, (2, 3), np.float32, allocator=allocator)
    on_queue = x.with_queue(cl_queue)
    last, flipped = on_queue[1], on_queue.T
    kernel(cl_queue, (6,), None, x.data)
    assert x.data.int_ptr == on_queue.data.int_ptr == last.base_data.int_ptr
    assert last.get().tolist() == [3, 4, 5]
    last.fill(7)
    assert flipped.get().tolist() == [[0, 7], [1, 7], [2, 7]]
    assert seen(cl_queue, x) == [0, 1, 2, 7, 7, 7]
    late = cl_array.empty(place, (2, 3), np.float32, allocator=allocator)
    shown = late.data
    kernel(cl_queue, (6,), None, shown)
    cl_queue.finish()
    assert late.with_queue(cl_queue)[1].get().tolist() == [3, 4, 5]
    assert late.data is shown


@pytest.mark.parametrize("dtype", ["i1", "f4", "c16", cltypes.float4, [("a", "f4"), ("b", "i8")]])
@pytest.mark.parametrize("how", ["zeros", "zeros_like", "_zero_fill", "shown first"])
@pytest.mark.parametrize("is_allocated", [False, True])
def test_zeros(cl_queue: Any, dtype: Any, how: str, is_allocated: bool) -> None:
    allocator = buffers_of(cl_queue) if is_allocated else None
    kind = np.dtype(dtype)

    def new() -> Any:
        if how == "zeros":
            return cl_array.zeros(cl_queue, 3, kind, allocator=allocator)
        x = cl_array.empty(cl_queue, 3, kind, allocator=allocator)
        if how == "zeros_like":
            return cl_array.zeros_like(x)
        if how == "shown first":
            assert x.data is not None
        x._zero_fill()
        return x

    nothing = np.zeros(3, kind).tolist()
    assert new().get().tolist() == nothing
    assert seen(cl_queue, new()) == nothing
    x = new()
    assert len(x.events) == 1
    assert seen(cl_queue, x) == x.get().tolist() == nothing
    x = new()
    assert x.data is x.data
    assert x.get().tolist() == seen(cl_queue, x[:]) == nothing


def test_zeros_of_a_context_are_there_for_every_queue(cl_queue: Any) -> None:
    import pyopencl as cl

    x = cl_array.zeros(cl_queue.context, 3, np.float32)
    x.base_data  # noqa: B018
    assert seen(cl.CommandQueue(cl_queue.context), x) == [0, 0, 0]


def test_zeros_come_first_on_a_queue_out_of_order(cl_queue: Any) -> None:
    import pyopencl as cl

    mode = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    queue = cl.CommandQueue(cl_queue.context, properties=mode)
    kernel = index_kernel(cl_queue)
    for _ in range(300):  # some ran the other way round
        x = cl_array.zeros(queue, 5, np.float32)
        x.add_event(kernel(queue, (5,), None, x.data))
        assert x.get().tolist() == [0, 1, 2, 3, 4]


def test_zero_fill_of_an_array_in_use(cl_queue: Any) -> None:
    x = cl_array.arange(cl_queue, 6, dtype=np.int32).reshape(2, 3)
    x[1]._zero_fill(queue=cl_queue, wait_for=[])
    assert x.get().tolist() == [[0, 1, 2], [0, 0, 0]]
    cl_array.empty(cl_queue, 0, np.int32)._zero_fill()
    with pytest.raises(ValueError, match="no queue"):
        x.with_queue(None)._zero_fill()


def test_another_queue_reads_what_the_first_has_written(cl_queue: Any) -> None:
    import pyopencl as cl

    kernel, other = index_kernel(cl_queue), cl.CommandQueue(cl_queue.context)
    x = cl_array.empty(cl_queue, 5, np.float32)
    kernel(cl_queue, (5,), None, x.data)
    assert x.get(queue=other).tolist() == [0, 1, 2, 3, 4]


def test_arrays_of_a_buffer_of_the_caller(cl_queue: Any) -> None:
    import pyopencl as cl

    kernel = index_kernel(cl_queue)
    given = cl.Buffer(cl_queue.context, cl.mem_flags.READ_WRITE, 20)
    kernel(cl_queue, (5,), None, given)
    x, y = (cl_array.Array(cl_queue, 5, np.float32, data=given) for _ in range(2))
    assert x.data is given
    assert x.get().tolist() == y.get().tolist() == [0, 1, 2, 3, 4]
    y += 1
    assert x.get().tolist() == [1, 2, 3, 4, 5]
    x._zero_fill()
    assert y.get().tolist() == seen(cl_queue, y) == [0] * 5
    cl_array.Array(cl_queue, 5, np.float32, data=given)._zero_fill()
    kernel(cl_queue, (5,), None, given)
    assert (x + y).get().tolist() == [0, 2, 4, 6, 8]
    read_only = cl.Buffer(cl_queue.context, cl.mem_flags.READ_ONLY, 20)
    with pytest.raises(ValueError, match="read-only"):
        cl_array.Array(cl_queue, 5, np.float32, data=read_only).fill(1)
    with pytest.raises(BufferError):
        cl_array.Array(cl_queue, 6, np.float32, data=given)
    with pytest.raises(TypeError):
        cl_array.Array(cl_queue, 5, "U1", data=given)
    context = cl.Context([cl_queue.device])
    with pytest.raises(BufferError, match="context"):
        cl_array.Array(cl.CommandQueue(context), 5, np.float32, data=given)


def test_events_of_other_queues_are_waited_for(cl_queue: Any) -> None:
    import pyopencl as cl

    kernel, other = index_kernel(cl_queue), cl.CommandQueue(cl_queue.context)
    gate = cl.UserEvent(cl_queue.context)
    x = cl_array.empty(cl_queue, 5, np.float32)
    behind = kernel(other, (5,), None, x.data, wait_for=[gate])
    other.flush()
    x.add_event(behind)
    y = x + 1
    gate.set_status(cl.command_execution_status.COMPLETE)
    assert y.get().tolist() == [1, 2, 3, 4, 5]
    x.add_event(kernel(cl_queue, (5,), None, x.data))
    assert x.get().tolist() == [0, 1, 2, 3, 4]


def test_axes_in_another_order_are_read_so(cl_queue: Any) -> None:
    kernel = index_kernel(cl_queue)
    like = cl_array.empty(cl_queue, (2, 3, 4), np.float32).transpose((1, 2, 0))
    x = cl_array.empty_like(like)
    kernel(cl_queue, (24,), None, x.data)
    host = x.get()
    assert host.strides == x.strides == like.strides
    assert host.transpose((2, 0, 1)).ravel().tolist() == list(range(24))


def test_pending_values_are_calculated_in_their_memory_object(cl_queue: Any) -> None:
    x = cl_array.arange(cl_queue, 5, dtype=np.float32)
    y = x * 2
    z = y + 1
    last = y[3:]
    assert seen(cl_queue, y) == [0, 2, 4, 6, 8]
    last.fill(9)
    assert seen(cl_queue, y) == [0, 2, 4, 9, 9]
    assert z.get().tolist() == [1, 3, 5, 7, 9]


def test_what_no_array_can_be_is_refused_at_once(cl_queue: Any) -> None:
    with pytest.raises(TypeError):
        cl_array.empty(cl_queue, 3, "U4")
    with pytest.raises(TypeError, match="objects"):
        cl_array.empty(cl_queue, 3, object)
    with pytest.raises(MemoryError):
        cl_array.empty(cl_queue, 2**42, np.float64)


def test_fill_names_itself(cl_queue: Any) -> None:
    x = cl_array.empty(cl_queue, 3, [("a", "f4"), ("b", "i4")])
    with pytest.raises(TypeError, match="fill: 0 cannot become a struct"):
        x.fill(0)
    with pytest.raises(TypeError, match="fill: value is a 'str'"):
        cl_array.empty(cl_queue, 3, np.float32).fill("a")
    element = np.array((1, 2), x.dtype)
    assert x.fill(element).get().tolist() == [(1, 2)] * 3


@pytest.mark.parametrize(
    ("dtype", "numbers"),
    [
        ("u8", (2**64 - 3, 2**64 - 1)),
        ("u8", (2**63, 2**63 + 3)),
        ("u8", (2**63 - 2, 2**63 + 2)),
        ("u8", (2**64 - 1, 2**64 - 6, -2)),
        ("u8", (5, -1, -1)),
        ("u8", (0, 2**64 - 1, 2**63)),
        ("u8", (2**64 - 1, -1, -(2**63))),
        ("i8", (-(2**63), 2**63 - 1, 2**63)),
        ("i8", (2**63 - 1, -(2**63), -(2**63))),
        ("i8", (-(2**63), -(2**63) + 3)),
        ("u8", (2**63, 2**63)),
    ],
)
def test_ranges_at_the_ends_of_the_integers(
    queue: Any, dtype: str, numbers: tuple[int, ...]
) -> None:
    found = cl_array.arange(queue, *numbers, dtype=np.dtype(dtype))
    assert found.dtype == dtype and found.get().tolist() == list(range(*numbers))
    for start, stop in ((2**64 - 1, 2**64 + 1), (-1, 2)):
        with pytest.raises(OverflowError, match=r"arange: .* to .* do not fit uint64"):
            cl_array.arange(queue, start, stop, dtype=np.uint64)
