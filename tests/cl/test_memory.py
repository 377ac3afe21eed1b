"""Memory objects of arrays: allocators, memory of the caller, users' kernels, events, queues."""

from __future__ import annotations

import contextlib
import importlib.util
import warnings
from collections.abc import Callable
from typing import Any

import isthmus.cl.array as cl_array
import numpy as np
import pytest
from isthmus.cl.elementwise import ElementwiseKernel
from isthmus.cl.reduction import ReductionKernel

import isthmus as xp

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pyopencl") is None, reason="there is no pyopencl"
)

TEXT = "__kernel void add(__global float* x, float a) { x[get_global_id(0)] += a; }"


def add(queue: Any, data: Any, a: float, count: int, **kwargs: Any) -> Any:
    import pyopencl as cl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what compilers say
        kernel = cl.Program(queue.context, TEXT).build().add
    return kernel(queue, (count,), None, data, np.float32(a), **kwargs)


def test_data_goes_into_kernels_of_pyopencl(cl_queue: Any) -> None:
    import pyopencl as cl

    x = cl_array.arange(cl_queue, 10, dtype=np.float32)
    y, part = 2 * x, x[3:6]
    old = y + 0
    assert isinstance(y.data, cl.Buffer) and y.data == y.data
    add(cl_queue, y.data, 1, 10)
    assert (y * 10).get().tolist() == [20 * i + 10 for i in range(10)]
    assert old.get().tolist() == [2 * i for i in range(10)]
    assert part.offset == 12 and part.base_data == x.base_data
    add(cl_queue, x.data, 5, 10)
    assert part.get().tolist() == [8, 9, 10]
    part += 1
    host = np.empty(10, np.float32)
    cl.enqueue_copy(cl_queue, host, x.data)
    assert host.tolist() == [5, 6, 7, 9, 10, 11, 11, 12, 13, 14]
    cl.enqueue_fill_buffer(cl_queue, x.data, np.array(3, np.float32), 0, 40)
    assert x.get().tolist() == [3] * 10


def test_memory_of_the_caller(cl_queue: Any) -> None:
    import pyopencl as cl

    host = np.arange(8, dtype=np.float32)
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    buffer = cl.Buffer(cl_queue.context, flags, hostbuf=host)
    x = cl_array.Array(cl_queue, (2, 2), np.float32, data=buffer, offset=8, strides=(4, 8))
    assert x.get().tolist() == [[2, 4], [3, 5]] and x.base_data is buffer
    x *= 2
    cl.enqueue_copy(cl_queue, host, buffer)
    assert host.tolist() == [0, 1, 4, 6, 8, 10, 6, 7]
    add(cl_queue, buffer, 1, 8)
    assert (x + 0).get().tolist() == [[5, 9], [7, 11]]
    with pytest.raises(BufferError):
        cl_array.Array(cl_queue, 9, np.float32, data=buffer)


def test_allocators(cl_queue: Any) -> None:
    import pyopencl as cl
    import pyopencl.tools

    pool = pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(cl_queue))
    sizes = []

    def allocator(nbytes: int) -> Any:
        sizes.append(nbytes)
        return pool(nbytes)

    x = cl_array.to_device(cl_queue, np.arange(100, dtype=np.float32), allocator=allocator)
    y = 3 * x + 1
    assert y.allocator is allocator and sizes == [400]
    view = y[10:12]
    assert isinstance(y.data, cl.tools.PooledBuffer) and sizes == [400, 400]
    add(cl_queue, y.data, 1, 100)
    assert view.get().tolist() == [32, 35]
    assert (x + y)[1].get() == 6
    ours = cl_array.zeros(xp.Queue("cpu"), 4, np.int32, allocator=lambda n: xp.memory.MemoryHost(n))
    ours += 2
    assert isinstance(ours.data, xp.memory.MemoryHost)
    assert bytes(memoryview(ours.data)) == np.full(4, 2, np.int32).tobytes()


@pytest.mark.lazy
def test_memory_that_only_we_hold_is_lazy(cl_queue: Any) -> None:
    import pyopencl as cl

    def allocator(nbytes: int) -> Any:
        return cl.Buffer(cl_queue.context, cl.mem_flags.READ_WRITE, nbytes)

    xp.config.eager = False
    x = cl_array.zeros(cl_queue, 1000, np.float32, allocator=allocator)
    assert (x + 1)._x.is_pending
    shown = x.data
    assert not (x + 1)._x.is_pending
    del shown


@pytest.mark.lazy
def test_what_fills_memory_of_an_allocator_is_pending(cl_queue: Any) -> None:
    import pyopencl as cl

    sizes = []

    def allocator(nbytes: int) -> Any:
        sizes.append(nbytes)
        return cl.Buffer(cl_queue.context, cl.mem_flags.READ_WRITE, nbytes)

    xp.config.eager, xp.config.inline = False, "0"
    x = cl_array.empty(cl_queue, (20, 50), np.float32, allocator=allocator)
    y = cl_array.arange(cl_queue, 1000, dtype=np.float32).reshape(20, 50)
    x.fill(3)
    x[...] = y
    x[...] = 2 * y
    with xp.profile() as profile:
        z = x + 1
        z.finish()
    assert len(profile.kernels) == 1
    row = x[1]
    add(cl_queue, x.data, 1, 1000)  # in the memory that it got first
    assert sizes == [4000]
    assert (x.get() == 2 * y.get() + 1).all() and (row.get() == x.get()[1]).all()
    x.fill(7)  # is shown: at once
    add(cl_queue, x.data, 1, 1000)
    assert (x.get() == 8).all() and sizes == [4000]
    z[...] = x  # whose memory nobody has asked for
    add(cl_queue, z.data, 1, 1000)
    assert (z.get() == 9).all() and sizes == [4000, 4000]


def test_queues_and_events(cl_queue: Any) -> None:
    import pyopencl as cl

    other = cl.CommandQueue(cl_queue.context)
    x = cl_array.zeros(cl_queue, 1000, np.float32) + 1
    assert all(isinstance(event, cl.Event) for event in x.events) and len(x.events) == 1
    gate = cl.UserEvent(cl_queue.context)
    data = x.data
    x.add_event(add(other, data, 1, 1000, wait_for=[*x.events, gate]))
    gate.set_status(cl.command_execution_status.COMPLETE)
    assert (x * 10).get().tolist() == [20] * 1000
    x.finish()
    assert x.events == []
    for _ in range(30):
        x.fill(4)
    assert 0 < len(x.events) < 30
    y = x.with_queue(other)
    assert y.queue is other and (y + 1).queue is other
    y += 1
    assert x.get()[0] == 5
    context = cl.Context([cl_queue.device])
    strange = cl.CommandQueue(context)
    with pytest.raises(ValueError, match="another context"):
        x.with_queue(strange)
    copied = x.copy(queue=None)
    assert copied.queue is None and copied.with_queue(cl_queue).get()[0] == 5


def test_work_behind_an_event_that_has_failed_is_refused(cl_queue: Any) -> None:
    import pyopencl as cl

    context = cl_queue.context
    failed = cl.UserEvent(context)
    failed.set_status(-5)
    x = cl_array.zeros(cl_queue, 100, np.float32)
    step = ElementwiseKernel(context, "float *x", "x[i] += 1")
    total = ReductionKernel(context, np.float32, "0", "a+b", arguments="float *x", map_expr="x[i]")
    uses: tuple[Callable[[], Any], ...] = (
        lambda: step(x, wait_for=[failed]),
        lambda: total(x, wait_for=[failed]),
        lambda: x.fill(3, wait_for=[failed]),
        lambda: x.any(wait_for=[failed]),
        lambda: x.add_event(failed),
    )
    for use in uses:
        with pytest.raises(xp.LaunchError, match="the work of an event failed, with status -5"):
            use()
    step(x)
    assert x.get().tolist() == [1] * 100


@pytest.mark.parametrize("order", ["C", "F"])
def test_set_behind_an_event_that_is_to_come(cl_queue: Any, order: Any) -> None:
    """With the gate closed, a call that waits hangs."""
    import pyopencl as cl

    x = cl_array.zeros(cl_queue, (100, 4), np.float32, order)
    x.finish()
    gate = cl.UserEvent(cl_queue.context)
    x.add_event(gate)
    host = np.arange(400, dtype=np.float32).reshape(100, 4)
    wanted = host.copy()
    x.set(host, async_=True)
    host[:] = -1
    y = x + 1
    assert x.events[-1].command_execution_status != cl.command_execution_status.COMPLETE
    gate.set_status(cl.command_execution_status.COMPLETE)
    assert (x.get() == wanted).all() and (y.get() == wanted + 1).all()


def test_set_behind_an_event_of_a_part_and_of_what_is_dropped(cl_queue: Any) -> None:
    import pyopencl as cl

    x = cl_array.zeros(cl_queue, (100, 4), np.float32)
    dropped = cl_array.zeros(cl_queue, 1000, np.float32)
    cl_queue.finish()
    gate = cl.UserEvent(cl_queue.context)
    part = x[::2]
    part.add_event(gate)
    part.set(np.ones((50, 4), np.float32), async_=True)
    dropped.add_event(gate)
    dropped.set(np.ones(1000, np.float32), async_=True)
    del dropped  # does not wait either
    gate.set_status(cl.command_execution_status.COMPLETE)
    assert (x.get()[::2] == 1).all() and (x.get()[1::2] == 0).all()


def test_without_pyopencl() -> None:
    import subprocess
    import sys

    program = """
import sys
sys.modules["pyopencl"] = None
import isthmus as xp
import isthmus.cl.algorithm, isthmus.cl.array as cl_array, isthmus.cl.clmath as clmath
queue = xp.Queue("cpu")
x = cl_array.arange(queue, 5, dtype="float64")
y = clmath.sqrt(x * x)
assert (y == x).all() and y.events == []
assert y.data.nbytes == 40
assert y.context == queue.context
from isthmus.cl import tools
assert not any(hasattr(tools, name) for name in ("PooledBuffer", "PooledSVM", "SVMPool"))
for wrong in tools.ImmediateAllocator, tools.DeferredAllocator, tools.MemoryPool:
    try:
        wrong("x")
    except TypeError as error:
        assert f"{wrong.__name__}: expected a" in str(error), error
    else:
        raise AssertionError(wrong)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_deferred_allocators_of_isthmus_use_their_context(cl_queue: Any) -> None:
    from isthmus.cl import tools

    found = xp.asarray(tools.DeferredAllocator(xp.Queue(cl_queue).context)(64))
    found[:] = 3
    there: Any = cl_array.zeros(cl_queue, 64, np.uint8)
    assert ((there._x + found) == 3).all()  # of another context it is refused


def test_a_queue_whose_context_was_released_says_so(cl_queue: Any) -> None:
    import pyopencl as cl

    queue = cl.CommandQueue(cl.Context([cl_queue.device]))  # nobody holds the context
    try:
        alive = xp.Queue(queue)
    except xp.ExchangeError as problem:
        assert "keep the Context" in str(problem)
        with pytest.raises(cl.LogicError):  # as pyopencl says, of this runtime
            _ = queue.context
        return
    with alive:
        assert xp.ones(4, device=alive.device).sum() == 4


@pytest.mark.lazy
def test_results_of_arrays_of_an_allocator_use_memory_again(cl_queue: Any) -> None:
    import pyopencl as cl
    import pyopencl.tools

    xp.config.inline = "0"
    context = cl.Context([cl_queue.device])  # in which nothing else has memory
    queue = cl.CommandQueue(context)
    pool = pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(queue))
    x = cl_array.zeros(queue, 10_000, np.float32, allocator=pool) + 1
    x = cl_array.to_device(queue, x.get(), allocator=pool)
    device = xp.Queue(queue).device

    def misses() -> int:
        (x + 1).finish()
        return xp.memory.pool_statistics(device)["misses"]

    before = misses()
    assert [misses() for _ in range(5)] == [before] * 5


def test_what_is_set_replaces_a_value_that_took_over_memory_of_an_allocator(cl_queue: Any) -> None:
    import pyopencl.tools

    pool = pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(cl_queue))
    x = cl_array.to_device(cl_queue, np.arange(6, dtype=np.float32), allocator=pool)
    x = x * 3  # pending, in the memory of what is gone
    x.set(np.full(6, 9, np.float32))
    assert x.get().tolist() == [9] * 6


@pytest.mark.parametrize("view", ["transposed", "part", "backwards", "bits"])
def test_a_view_that_is_left_alone_with_its_memory_gets_values_as_it_is(
    cl_queue: Any, view: str
) -> None:
    import pyopencl.tools

    pool = pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(cl_queue))

    def seen(x: Any) -> Any:
        if view == "bits":
            return x.view(np.int32)
        return {"transposed": x.T, "part": x[1:], "backwards": x[::-1]}[view]

    host = np.arange(16, dtype=np.float32).reshape(4, 4)
    alone = seen(cl_array.to_device(cl_queue, host, allocator=pool))
    values = np.copy((seen(host) * 10 + np.arange(4)).astype(seen(host).dtype), order="K")
    alone[...] = cl_array.to_device(cl_queue, values, allocator=pool)
    assert alone.base_data is not None
    assert (alone.get() == values).all()
    assert (alone + 1).get().tolist() == (values + 1).tolist()


def test_an_allocator_that_gives_nothing_or_too_little_is_named(cl_queue: Any) -> None:
    import pyopencl as cl

    def half(nbytes: int) -> Any:
        return cl.Buffer(cl_queue.context, cl.mem_flags.READ_WRITE, nbytes // 2)

    with pytest.raises(TypeError, match="the allocator returned None"):
        cl_array.zeros(cl_queue, 100, np.float32, allocator=lambda nbytes: None)
    with pytest.raises(TypeError, match=r"^Array: the allocator returned int; expected .*Buffer"):
        cl_array.zeros(cl_queue, 100, np.float32, allocator=lambda nbytes: 0)
    with pytest.raises(TypeError, match=r"^Array: data is int; expected a memory object: a py"):
        cl_array.Array(cl_queue, 100, np.float32, data=1)
    with pytest.raises(xp.ExchangeError, match="memory of 200 bytes, not the requested 400"):
        cl_array.zeros(cl_queue, 100, np.float32, allocator=half)
    with pytest.raises((cl.LogicError, xp.OutOfMemoryError)):  # NVIDIA's fails with the first work
        cl_array.zeros(cl_queue, 100, np.float32, allocator=lambda nbytes: half(1 << 60)).get()
    assert (cl_array.zeros(cl_queue, 3, np.float32) + 1).get().tolist() == [1, 1, 1]


def test_no_block_of_a_pool_is_used_again_while_work_on_it_is_pending(cl_queue: Any) -> None:
    import pyopencl as cl
    import pyopencl.tools

    other = cl.CommandQueue(cl_queue.context)
    pool = pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(cl_queue))
    count = 1 << 16
    for _ in range(5):
        x = cl_array.to_device(cl_queue, np.full(count, 1, np.float32), allocator=pool)
        found = x + 0
        for _ in range(8):
            found = found + cl_array.sum(found) * 0
        found.events  # noqa: B018  # begins the work
        del x
        y = cl_array.to_device(other, np.full(count, 9, np.float32), allocator=pool)
        y += 1
        assert (y.get() == 10).all() and (found.get() == 1).all()


def test_get_async_fills_pinned_memory(cl_queue: Any) -> None:
    import pyopencl as cl

    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR
    pinned = cl.Buffer(cl_queue.context, flags, 24)
    host, _ = cl.enqueue_map_buffer(
        cl_queue, pinned, cl.map_flags.WRITE, 0, (6,), np.dtype(np.float32)
    )
    x = cl_array.arange(cl_queue, 6, dtype=np.float32) * 2
    found, event = x.get_async(ary=host)
    event.wait()
    assert found is host and host.tolist() == [0, 2, 4, 6, 8, 10]


@pytest.mark.parametrize("axes", [(0, 1), (1, 0)])
def test_get_async_of_gaps(queue: Any, axes: tuple[int, int]) -> None:
    host = np.arange(40, dtype=np.float32).reshape(5, 8)
    x = cl_array.to_device(queue, host)
    for key in ((slice(1, 4), slice(None, None, 3)), (slice(None, None, -2), slice(2, 7))):
        found, event = x[key].transpose(axes).get_async()
        event.wait()
        np.testing.assert_array_equal(found, host[key].transpose(axes))
        into = np.empty(found.shape[::-1], np.float32).T
        x[key].transpose(axes).get_async(ary=into)[1].wait()
        np.testing.assert_array_equal(into, found)


@pytest.mark.parametrize("value", [2.75, -1, 300, np.int16(7), np.float32(3), True, 2**33, 2**63])
@pytest.mark.parametrize("kind", ["f4", "f8", "i1", "u1", "i4", "u4", "u8"])
def test_numbers_are_what_a_kernel_declares_or_refused(
    cl_queue: Any, kind: str, value: Any
) -> None:
    from isthmus.cl.elementwise import ElementwiseKernel
    from isthmus.cl.tools import dtype_to_ctype

    dtype = np.dtype(kind)
    name = dtype_to_ctype(dtype)
    kernel = ElementwiseKernel(cl_queue.context, f"{name} *x, {name} a", "x[i] = a")
    x = cl_array.zeros(cl_queue, 3, dtype)
    is_whole = isinstance(value, (int, np.integer))
    if dtype.kind != "f" and not is_whole:
        error: Any = pytest.raises(TypeError, match=f"a is .*; expected a {dtype}")
    elif dtype.kind != "f" and not np.iinfo(dtype).min <= value <= np.iinfo(dtype).max:
        error = pytest.raises(OverflowError, match=f"a: {value} does not fit {dtype}")
    else:
        error = contextlib.nullcontext()
    with error:
        kernel(x, value).wait()
    expected = 0 if isinstance(error, type(pytest.raises(TypeError))) else dtype.type(value)
    assert (x.get() == expected).all()


@pytest.mark.parametrize("value", [1j, "a", None, [1, 2], np.ones(3)])
def test_what_is_no_number_for_a_kernel_is_refused(cl_queue: Any, value: Any) -> None:
    from isthmus.cl.elementwise import ElementwiseKernel

    kernel = ElementwiseKernel(cl_queue.context, "float *x, float a", "x[i] = a")
    x = cl_array.zeros(cl_queue, 3, np.float32)
    with pytest.raises(TypeError, match=r"elwise_kernel: a is .*; expected a float32"):
        kernel(x, value)
    assert (x.get() == 0).all()
