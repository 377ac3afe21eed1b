"""map_to_host: the host's view of memory while work on it goes on."""

from __future__ import annotations

import gc
import threading
from typing import Any

import isthmus.cl.array as cl_array
import numpy as np
import pytest

import isthmus as xp


@pytest.fixture(params=("ours", "a buffer", "a pool"))
def memory(request: pytest.FixtureRequest) -> str:
    """Where the host reaches it, and buffers of pyopencl's, where it does not."""
    return str(request.param)


def ones_in(memory: str, cl_queue: Any) -> Any:
    import pyopencl as cl

    more: dict[str, Any] = {}
    if memory == "a buffer":
        more["data"] = cl.Buffer(cl_queue.context, cl.mem_flags.READ_WRITE, 4 * 64)
    elif memory == "a pool":
        tools: Any = cl.tools
        more["allocator"] = tools.MemoryPool(tools.ImmediateAllocator(cl_queue))
    return cl_array.Array(cl_queue, (8, 8), np.float32, **more).fill(1)


def test_work_is_seen_and_sees(memory: str, cl_queue: Any) -> None:
    x = ones_in(memory, cl_queue)
    view = x[::2, ::-1]
    mapped = view.map_to_host()
    assert mapped.strides == view.strides and (mapped == 1).all()
    mapped[:] = 5
    host = (x + 1).get()
    assert (host[::2] == 6).all() and (host[1::2] == 2).all()
    x += 1
    assert (mapped == 6).all()
    x[0, 7] = 4
    assert mapped[0, 0] == 4
    x.set(np.full((8, 8), 3, np.float32))
    assert (mapped == 3).all()
    mapped[0, 0] = 9
    mapped.base.release()
    assert x.get()[0, 7] == 9


def test_the_last_view_ends_it(memory: str, cl_queue: Any) -> None:
    x = ones_in(memory, cl_queue)
    part = x.map_to_host()[2]
    part[:] = 7
    del part
    gc.collect()
    assert (x.get()[2] == 7).all()


def test_to_read(memory: str, cl_queue: Any) -> None:
    import pyopencl as cl

    x = ones_in(memory, cl_queue)
    mapped, event = x.map_to_host(flags=cl.map_flags.READ, is_blocking=False)
    event.wait()
    x += 1
    assert (mapped == 2).all()
    mapped.base.release().wait()


def test_behind_an_event_that_is_to_come(memory: str, cl_queue: Any) -> None:
    """With the gate closed, a call that waits hangs."""
    import pyopencl as cl

    if not cl_queue.device.type & cl.device_type.CPU:
        pytest.skip("elsewhere a map is a copy, which waits")
    x = ones_in(memory, cl_queue)
    x.finish()
    gate = cl.UserEvent(cl_queue.context)
    x.add_event(gate)
    mapped, event = x.map_to_host(is_blocking=False)
    assert event.command_execution_status != cl.command_execution_status.COMPLETE
    gate.set_status(cl.command_execution_status.COMPLETE)
    event.wait()
    assert (mapped == 1).all()
    mapped[0] = 5
    x += 1
    x.finish()
    assert (mapped[0] == 6).all() and (mapped[1:] == 2).all()
    mapped.base.release(cl_queue).wait()
    assert (x.get()[0] == 6).all()


def test_flags_are_numbers(memory: str, cl_queue: Any) -> None:
    with pytest.raises(TypeError, match=r"flags: expected pyopencl\.map_flags, not 'str'"):
        ones_in(memory, cl_queue).map_to_host(flags="rw")


def test_without_elements(cl_queue: Any) -> None:
    mapped = cl_array.zeros(cl_queue, (0, 3), np.float32).map_to_host()
    assert mapped.shape == (0, 3)
    mapped.base.release()


def test_kernels_of_users(memory: str, cl_queue: Any) -> None:
    from isthmus.cl.elementwise import ElementwiseKernel

    x = ones_in(memory, cl_queue)
    double = ElementwiseKernel(x.context, "float *x", "x[i] = 2 * x[i]", "double_it")
    mapped = x.map_to_host()
    mapped[:] = 3
    double(x)
    x.finish()
    assert (mapped == 6).all()


def test_memory_that_is_seen_stays_where_it_is(memory: str, cl_queue: Any) -> None:
    """A result lies in the pool until its memory object is asked for."""
    x = ones_in(memory, cl_queue) + 1
    mapped = x.map_to_host()
    assert x.base_data is not None
    mapped[0] = 5
    x += 1
    assert (x.get()[:2] == [[6] * 8, [3] * 8]).all()
    assert (mapped == x.get()).all()
    y = ones_in(memory, cl_queue) + 1
    shared = xp.from_dlpack(y)
    assert y.base_data is not None
    y += 1
    assert (shared.to_device("cpu") == 3).all()


def test_several_maps_of_one_memory(memory: str, cl_queue: Any) -> None:
    x = ones_in(memory, cl_queue)
    first, second, rows = x.map_to_host(), x.map_to_host(), x[1:].map_to_host()
    x *= 2
    assert (x.get() == 2).all()
    first[0, 0], second[0, 1], rows[0, 0] = 5, 6, 7
    x += 1
    wanted = np.full((8, 8), 3, np.float32)
    wanted[0, :2], wanted[1, 0] = (6, 7), 8
    for found in (x.get(), first, second):
        assert (found == wanted).all()
    assert (rows == wanted[1:]).all()
    first[7, 7] = 9
    first.base.release()
    assert second[7, 7] == rows[6, 7] == x.get()[7, 7] == 9


def test_maps_begin_and_end_on_several_threads(memory: str, cl_queue: Any) -> None:
    x = ones_in(memory, cl_queue)

    def maps(row: int) -> None:
        for count in range(20):
            mapped = x.map_to_host()
            mapped[row] = count
            mapped.base.release()

    threads = [threading.Thread(target=maps, args=(row,), daemon=True) for row in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert (x.get()[:4] == 19).all() and (x.get()[4:] == 1).all()


def test_views_of_a_mapping_that_has_ended_can_be_read(memory: str, cl_queue: Any) -> None:
    x = ones_in(memory, cl_queue)
    mapped = x.map_to_host()
    mapped.base.release()
    del x
    gc.collect()
    xp.memory.trim_pool(xp.Queue(cl_queue).device)
    assert mapped.sum() == 64
