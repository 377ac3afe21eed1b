"""Arrays whose memory object somebody holds: kernels, sub-buffers and handles of pyopencl's."""

from __future__ import annotations

import importlib.util
import threading
import warnings
from typing import Any

import isthmus.cl.array as cl_array
import numpy as np
import pytest

import isthmus as xp

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pyopencl") is None, reason="there is no pyopencl"
)


def slow_kernel(cl_queue: Any) -> Any:
    """A kernel that takes its time, then adds to each element."""
    import pyopencl as cl

    text = """__kernel void slow(__global float* x, float a) {
      float t = 0;
      for (int i = 0; i < 20000; i++) t += sin((float)i + x[get_global_id(0)]);
      x[get_global_id(0)] += t > 1e9f ? 0 : a;
    }"""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what compilers say
        return cl.Program(cl_queue.context, text).build().slow


def test_memory_stays_shared_when_its_object_has_gone(cl_queue: Any) -> None:
    """Kernels keep no reference to their arguments."""
    import pyopencl as cl

    slow, n = slow_kernel(cl_queue), 1024

    def bound(x: Any) -> Any:
        slow.set_args(x.data, np.float32(2))

    def launch() -> None:
        cl.enqueue_nd_range_kernel(cl_queue, slow, (n,), None)

    x = cl_array.zeros(cl_queue, n, np.float32)
    bound(x)
    launch()
    assert x.get()[0] == 2
    y = x * 2
    launch()
    cl_queue.finish()
    assert (y.get()[0], x.get()[0]) == (4, 4)
    x += 1
    launch()
    x += 1
    assert x.get()[0] == 8


def test_memory_stays_shared_with_a_sub_buffer(cl_queue: Any) -> None:
    n = 1024
    x = cl_array.zeros(cl_queue, n, np.float32)
    part = x.data.get_sub_region(0, 4 * n)
    x += 1
    y = x * 2
    slow_kernel(cl_queue)(cl_queue, (n,), None, part, np.float32(2))
    assert (y.get()[0], x.get()[0]) == (2, 3)


def test_slices_of_data_are_sub_buffers(cl_queue: Any) -> None:
    """pyopencl hands USE_HOST_PTR on to them, which PoCL refuses."""
    import pyopencl as cl

    x = cl_array.arange(cl_queue, 4096, dtype=np.float32)
    data: Any = x.data
    assert isinstance(data, cl.Buffer)
    half = cl_array.Array(cl_queue, 2048, np.float32, data=data[8192:])
    assert half.get()[0] == 2048
    half += 1
    assert x.get()[2047:2050].tolist() == [2047, 2049, 2050]
    host = np.empty(2, np.float32)
    cl.enqueue_copy(cl_queue, host, data[4096:-4096])
    assert host.tolist() == [1024, 1025]
    for part in slice(0, 8, 2), slice(8, 8):
        with pytest.raises(cl.LogicError, match="slice"):
            data[part]
    no_slice: Any = 0
    with pytest.raises((TypeError, cl.LogicError)):
        data[no_slice]


def check_upper_half(cl_queue: Any, x: Any) -> None:
    """Of an array of threes: an array on a sub-buffer of it is seen, and sees."""
    part = x.data.get_sub_region(x.nbytes // 2, x.nbytes // 2)
    half = cl_array.Array(cl_queue, (x.size // 2,), np.float32, data=part)
    y = x * 2
    half.fill(-1)
    assert (y.get()[-1], x.get()[-1]) == (6, -1)
    x += 5
    assert half.get()[-1] == 4


def test_memory_stays_shared_with_an_array_on_a_sub_buffer(cl_queue: Any) -> None:
    n = 1024
    x = cl_array.zeros(cl_queue, n, np.float32)
    x += 3
    check_upper_half(cl_queue, x)


def test_memory_stays_shared_with_two_sub_buffers(cl_queue: Any) -> None:
    if "NVIDIA" in cl_queue.device.platform.name:
        pytest.skip("the driver crashes at the release of one, with pyopencl alone, too")
    n = 1024
    x = cl_array.zeros(cl_queue, n, np.float32)
    part = x.data.get_sub_region(0, 4 * n)
    slow_kernel(cl_queue)(cl_queue, (n,), None, part, np.float32(3))
    check_upper_half(cl_queue, x)


def test_memory_stays_shared_with_its_handle(cl_queue: Any) -> None:
    import pyopencl as cl

    n = 1024
    x = cl_array.zeros(cl_queue, n, np.float32)
    again = cl.Buffer.from_int_ptr(x.data.int_ptr, retain=True)
    y = x * 2
    slow_kernel(cl_queue)(cl_queue, (n,), None, again, np.float32(2))
    cl_queue.finish()
    assert (y.get()[0], x.get()[0]) == (0, 2)


def test_work_on_memory_that_is_shown_is_not_waited_for(cl_queue: Any) -> None:
    """Who holds a buffer reaches it by queues, so that calls need not wait."""
    import pyopencl as cl

    xp.config.inline = "0"
    x = cl_array.to_device(cl_queue, np.arange(6, dtype=np.float32))
    data = x.data
    (x * 2 + 1).get()  # what compiles is there
    gate = cl.UserEvent(cl_queue.context)
    cl.enqueue_barrier(cl_queue, wait_for=[gate])
    late = threading.Timer(20, gate.set_status, [cl.command_execution_status.COMPLETE])
    late.start()
    try:
        y = x * 2 + 1
        x += 1
        assert gate.command_execution_status != cl.command_execution_status.COMPLETE
    finally:
        late.cancel()
        late.join()
        if gate.command_execution_status != cl.command_execution_status.COMPLETE:
            gate.set_status(cl.command_execution_status.COMPLETE)
    assert (y.get()[-1], x.get()[-1]) == (11, 6)
    host = np.empty(6, np.float32)
    cl.enqueue_copy(cl_queue, host, data)
    assert host.tolist() == [1, 2, 3, 4, 5, 6]


def test_memory_that_is_set_becomes_the_arrays(cl_queue: Any) -> None:
    import pyopencl as cl

    x = cl_array.to_device(cl_queue, np.arange(6, dtype=np.float32))
    part = x[2:]
    given = cl.Buffer(cl_queue.context, cl.mem_flags.READ_WRITE, 24)
    cl.enqueue_copy(cl_queue, given, np.full(6, 7, np.float32))
    x.base_data = given
    assert x.base_data is given
    assert x.get().tolist() == [7] * 6
    x += 1
    host = np.empty(6, np.float32)
    cl.enqueue_copy(cl_queue, host, given)
    assert host.tolist() == [8] * 6
    assert part.get().tolist() == [2, 3, 4, 5]
    part.base_data = given  # at the same offset
    assert part.offset == 8 and part.get().tolist() == [8] * 4
    part.base_data = part.base_data
    part.fill(1)
    assert x.get().tolist() == [8, 8, 1, 1, 1, 1]


def test_memory_that_does_not_fit_is_not_set(cl_queue: Any) -> None:
    import pyopencl as cl

    x = cl_array.to_device(cl_queue, np.arange(6, dtype=np.float32))
    for wrong in (None, 1, x):
        with pytest.raises(TypeError, match=r"^Array: data is .*; expected a memory object"):
            x.base_data = wrong
    with pytest.raises(xp.ExchangeError):
        x.base_data = cl.Buffer(cl_queue.context, cl.mem_flags.READ_WRITE, 20)
    assert x.get().tolist() == [0, 1, 2, 3, 4, 5]
    y = cl_array.empty(cl_queue, 0, np.float32)
    y.base_data = x.base_data
    assert y.base_data is None


@pytest.fixture
def copies(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The bytes of each copy by a command of pyopencl's."""
    import pyopencl as cl

    found = []
    copy = cl.enqueue_copy

    def counted(queue: Any, to: Any, from_: Any, **more: Any) -> Any:
        found.append((to if isinstance(to, np.ndarray) else from_).nbytes)
        return copy(queue, to, from_, **more)

    monkeypatch.setattr(cl, "enqueue_copy", counted)
    return found


def test_get_and_set_of_shown_memory_are_one_command(cl_queue: Any, copies: list[int]) -> None:
    import pyopencl as cl

    text = "kernel void twice(global float* x) { x[get_global_id(0)] *= 2; }"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what compilers say
        program: Any = cl.Program(cl_queue.context, text).build()
    twice = cl.Kernel(program, "twice")
    host = np.arange(100, dtype=np.float32)
    given = cl.Buffer(cl_queue.context, cl.mem_flags.READ_WRITE, 400)
    x = cl_array.Array(cl_queue, 100, np.float32, data=given)
    for step in range(3):
        before = x + step  # of what set() overwrites
        was = x.get()
        x.set(host + step)
        twice(cl_queue, (100,), None, x.data)
        assert (x.get() == 2 * (host + step)).all()
        assert (before.get() == was + step).all() or step == 0  # at first it has no values
        x += 1
        assert (x.get() == 2 * (host + step) + 1).all()
        twice(cl_queue, (50,), None, x.data)
    assert set(copies) == {400} and len(copies) >= 12
    del copies[:]
    part = x[90:]
    part.set(np.zeros(10, np.float32))
    assert part.get().tolist() == [0] * 10 and x[89].get() != 0
    assert copies == [40, 40, 4]


def test_layouts_of_shown_memory(cl_queue: Any, copies: list[int]) -> None:
    host = np.arange(24, dtype=np.float32).reshape(4, 6)
    x = cl_array.to_device(cl_queue, host)
    assert x.data is not None
    del copies[:]
    into = np.empty((6, 4), np.float32, order="F")
    assert x.T.get(ary=into) is into and (into == host.T).all()
    assert x.T.get().strides == host.T.strides and (x.T.get() == host.T).all()
    x.T.set(np.asfortranarray(host.T + 1))
    assert (x.get() == host + 1).all()
    assert len(copies) == 5
    del copies[:]
    x.T.set(np.ascontiguousarray(host.T))
    rows = np.empty((6, 4), np.float32)
    assert (x.T.get(ary=rows) == host.T).all()
    assert (x[::2, ::-1].get() == host[::2, ::-1]).all()
    x[:, 1:3].set(np.zeros((4, 2), np.float32))
    assert x[0].get().tolist() == [0, 0, 0, 3, 4, 5]
    fixed = np.empty((4, 6), np.float32)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        x.get(ary=fixed)
    assert copies == [24]


def test_commands_wait_for_work_on_other_queues(cl_queue: Any) -> None:
    import pyopencl as cl

    other = cl.CommandQueue(cl_queue.context)
    out_of_order = cl.CommandQueue(
        cl_queue.context,
        properties=cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE,
    )
    x = cl_array.to_device(cl_queue, np.zeros(10_000, np.float32))
    assert x.data is not None
    for step, queue in enumerate(2 * (cl_queue, other, out_of_order)):
        y = x.with_queue(queue)
        y += 1
        assert (x.get() == 2 * step + 1).all()
        x += 1
        assert (y.get() == 2 * step + 2).all()
        y.set(x.get())


@pytest.mark.parametrize("size", [1, 100, 20000])
@pytest.mark.parametrize("dtype", ["i1", "f4", "c8", [("a", "f4"), ("b", "i4")]])
def test_values_are_in_the_memory_object(cl_queue: Any, size: int, dtype: Any) -> None:
    """Few values are put into it by the host, and others by a kernel."""
    import pyopencl as cl

    host = np.arange(size, dtype="i8") % 100
    host = host.astype(dtype) if isinstance(dtype, str) else host.view(dtype)
    of_host = cl_array.to_device(cl_queue, host)
    made = [(of_host, host), (of_host.copy(), host)]
    if isinstance(dtype, str):
        made += [(of_host + of_host, host + host), (of_host[::-1].copy(), host[::-1])]
    for x, wanted in made:
        data = x.data
        assert data is x.base_data and data.size >= wanted.nbytes
        found = np.empty_like(wanted)
        cl.enqueue_copy(cl_queue, found, data)
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(x.get(), wanted)
        part = x[1:]
        cl.enqueue_copy(cl_queue, data, np.zeros_like(wanted))
        np.testing.assert_array_equal(x.get(), np.zeros_like(wanted))
        np.testing.assert_array_equal(part.get(), np.zeros_like(wanted)[1:])
        x.fill(np.ones((), dtype)[()])
        assert x.data is data
        np.testing.assert_array_equal(x.get(), np.ones(size, dtype))


def test_views_move_with_their_memory(cl_queue: Any) -> None:
    x = cl_array.arange(cl_queue, 10, dtype=np.float32) + 1
    part = x[3:]
    turned = (cl_array.arange(cl_queue, 6, dtype=np.float32).reshape(2, 3) + 1).T
    x.data.size  # noqa: B018
    part += 1
    assert turned.T.data is not None
    turned[0, 1] = 7
    assert x.get().tolist() == [1, 2, 3, 5, 6, 7, 8, 9, 10, 11]
    assert turned.get().tolist() == [[1, 7], [2, 5], [3, 6]]


def test_memory_of_values_that_a_barrier_holds_up_is_not_waited_for(cl_queue: Any) -> None:
    import pyopencl as cl

    x = cl_array.zeros(cl_queue, 10, np.float32)
    barrier = cl.UserEvent(cl_queue.context)
    x.data.size  # noqa: B018
    cl.enqueue_barrier(cl_queue, wait_for=[barrier])
    y = x + 1
    data = y.data
    found = np.zeros(10, np.float32)
    read = cl.enqueue_copy(cl_queue, found, data, is_blocking=False)
    barrier.set_status(cl.command_execution_status.COMPLETE)
    read.wait()
    assert found.tolist() == [1] * 10


@pytest.mark.parametrize("size", [6, 40000])
def test_an_error_of_values_stays_their_error(cl_queue: Any, size: int) -> None:
    x = cl_array.to_device(cl_queue, np.arange(size, dtype=np.float32))
    y = cl_array.take(x, cl_array.to_device(cl_queue, np.full(size, 3, np.int32)) * size) * 2
    for _ in range(2):
        for use in (lambda: y.data, y.get):
            with pytest.raises(IndexError):
                use()
        assert (y.shape, y.dtype, y.strides) == ((size,), np.dtype("f4"), (4,))


def test_values_are_read_while_their_memory_object_is_made(cl_queue: Any) -> None:
    x = cl_array.to_device(cl_queue, np.ones(40000, np.float32))
    failures: list[BaseException] = []

    def read(y: Any) -> None:
        try:
            for _ in range(4):
                assert y.get()[-1] == 2
                assert (y + 1).shape == (40000,)
        except BaseException as failure:  # what a thread raises is lost
            failures.append(failure)

    for _ in range(40):
        y = x * 2
        thread = threading.Thread(target=read, args=(y,))
        thread.start()
        y.data.size  # noqa: B018
        thread.join()
    assert not failures


@pytest.mark.parametrize("size", [32, 40000])
def test_threads_that_ask_at_once_get_one_memory_object(cl_queue: Any, size: int) -> None:
    x = cl_array.to_device(cl_queue, np.ones(size, np.float32))
    for _ in range(40):
        y, begin = x * 2, threading.Barrier(2)
        found: list[int] = []

        def ask(y: Any = y, begin: Any = begin, found: list[int] = found) -> None:
            begin.wait()
            found.append(y.data.int_ptr)

        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [y.data.int_ptr] * 2
