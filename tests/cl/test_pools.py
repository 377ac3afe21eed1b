"""Pools on allocators of Isthmus, which need no pyopencl."""

from __future__ import annotations

import gc
import sys
from typing import Any

import isthmus.cl.array as cl_array
import numpy as np
import pytest
from isthmus.cl import tools

import isthmus as xp


def _pool() -> Any:
    return tools.MemoryPool(tools.ImmediateAllocator(xp.Queue("cpu")))


def test_pools_count_their_blocks() -> None:
    queue = xp.Queue("cpu")
    pool, other = _pool(), _pool()
    x = cl_array.arange(queue, 10, dtype=np.int32, allocator=pool)
    assert pool.active_blocks == 1 and pool.active_bytes == 40 <= pool.managed_bytes
    assert isinstance(x.data, xp.memory.MemoryHost) and (x + 1).allocator is pool
    del x
    assert (pool.active_blocks, pool.active_bytes, pool.held_blocks) == (0, 0, 1)
    assert other.held_blocks == 0 == other.managed_bytes
    again = pool.allocate(41)
    assert again.nbytes == 41 and pool.held_blocks == 0 and pool.active_bytes == 41
    larger = pool.allocate(400)
    assert pool.active_blocks == 2
    del again, larger
    assert pool.held_blocks == 2 and pool.managed_bytes >= 441
    pool.free_held()
    assert pool.held_blocks == 0 == pool.managed_bytes


def test_pools_stop_holding() -> None:
    pool = _pool()
    first, second = pool.allocate(100), pool.allocate(100)
    del first
    pool.stop_holding()
    assert pool.held_blocks == 0 and pool.active_blocks == 1
    del second
    assert pool.held_blocks == 0 == pool.managed_bytes
    assert pool.allocate(10).nbytes == 10 and pool.held_blocks == 0


def test_pools_wait_for_the_last_user() -> None:
    """Also for arrays, and for views of NumPy's, that outlive the memory object."""
    pool = _pool()
    block = pool.allocate(80)
    array = xp.from_memory(block, 10, np.float64)
    array[...] = 3.0
    pending = array + 1
    host = array.to_numpy()
    del block, array
    assert pool.active_blocks == 1 and pool.held_blocks == 0
    assert (host == 3).all() and (pending.to_numpy() == 4).all()
    del host, pending
    gc.collect()
    assert pool.active_blocks == 0 and pool.held_blocks == 1


def test_pools_of_isthmus_take_whole_numbers_and_whole_blocks() -> None:
    pool = _pool()
    assert pool.allocate(np.int64(100)).nbytes == 100
    for wrong in (0, -1, -1000):
        with pytest.raises(ValueError, match=f"MemoryPool: {wrong} bytes; expected at least 1"):
            pool.allocate(wrong)
    with pytest.raises(TypeError):
        pool.allocate(1.5)
    for large in (1 << 62, 1 << 70):
        with pytest.raises(xp.OutOfMemoryError, match="bytes"):
            pool.allocate(large)

    class Half(tools.AllocatorBase):
        def __call__(self, nbytes: int) -> Any:
            return super().__call__(nbytes // 2)

    with pytest.raises(
        xp.ExchangeError, match="returned memory of 511 bytes, not the requested 1023"
    ):
        tools.MemoryPool(Half(xp.Queue("cpu"))).allocate(1000)

    class Named(tools.MemoryPool):
        def __init__(self, allocator: Any, *, name: str) -> None:
            super().__init__(allocator)
            self.name = name

    named = Named(tools.ImmediateAllocator(xp.Queue("cpu")), name="a")
    assert isinstance(named, Named) and not isinstance(pool, Named)
    assert named.allocate(10).nbytes == 10


def test_a_block_that_an_interrupt_loses_is_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a signal's handler that raises where the block comes back."""
    pool = _pool()
    block = pool.allocate(100)

    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    seen: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda error: seen.append(error.exc_type))
    monkeypatch.setattr(pool, "_take_back", interrupted)
    del block
    monkeypatch.undo()
    assert seen == [KeyboardInterrupt]
    assert (pool.active_blocks, pool.active_bytes, pool.managed_bytes) == (0, 0, 0)
    assert pool.allocate(100).nbytes == 100


@pytest.mark.parametrize("queue", ["isthmus-opencl", "isthmus-sycl"], indirect=True)
def test_the_collector_gives_no_block_back_under_work(queue: Any) -> None:
    """A block of arrays in a cycle of garbage, to which a kernel still writes."""
    pool = tools.MemoryPool(tools.ImmediateAllocator(queue))
    slow = xp.RawKernel(
        "__kernel void slow(__global float* x, long n) { float v = 0; for (long i = 0; i < n; i++) "
        "v = v * 0.999f + 1.0f + (float)(i & 3); x[get_global_id(0)] = v > 0 ? 7.0f : v; }",
        "slow",
    )
    slow.compile(queue.device)

    def work() -> None:
        x = xp.from_memory(pool.allocate(1 << 14), (1 << 12,), np.float32)
        with queue:
            slow((64,), (64,), (x, np.int64(300_000)))
        cycle: list[Any] = [x]
        cycle.append(cycle)

    work()
    gc.collect()
    y = xp.from_memory(pool.allocate(1 << 14), (1 << 12,), np.float32)
    y[...] = 1.0
    with queue:
        xp.synchronize(queue.device)
    assert (y.to_numpy() == 1).all()
    del y
    gc.collect()


@pytest.mark.parametrize("queue", ["isthmus-opencl", "isthmus-sycl"], indirect=True)
def test_pools_on_devices(queue: Any) -> None:
    """Memory that only we hold is private, and comes back when the work on it has ended."""
    pool = tools.MemoryPool(tools.ImmediateAllocator(queue))
    for turn in range(20):
        x = cl_array.arange(queue, 100_000, dtype=np.float32, allocator=pool)
        x += turn
        x *= 2
        y = cl_array.empty(queue, 100_000, np.float32, allocator=pool)
        y[...] = x + 1
        assert (y.get() == np.arange(100_000, dtype=np.float32) * 2 + 2 * turn + 1).all()
        del x, y
    xp.synchronize(queue.device)
    assert pool.active_blocks == 0 and 0 < pool.held_blocks <= 4


def test_bins_are_those_of_pyopencl(cl_queue: Any) -> None:
    import pyopencl.tools

    for bits in (2, 4, 7):
        theirs: Any = pyopencl.tools.MemoryPool(
            pyopencl.tools.ImmediateAllocator(cl_queue), leading_bits_in_bin_id=bits
        )
        ours = tools.MemoryPool(tools.ImmediateAllocator(xp.Queue("cpu")), bits)
        for size in (*range(300), *(3**k + d for k in range(5, 30) for d in (-1, 0, 1))):
            number = ours.bin_number(size)
            assert number == theirs.bin_number(size), (bits, size)
            assert ours.alloc_size(number) == theirs.alloc_size(number), (bits, size)


def test_pools_try_once_more() -> None:
    class Allocator(tools.AllocatorBase):
        calls = 0
        failing = range(1, 2)

        def __call__(self, nbytes: int) -> Any:
            self.calls += 1
            if self.calls - 1 in self.failing:
                raise MemoryError("there is none left")
            return super().__call__(nbytes)

    allocator = Allocator(xp.Queue("cpu"))
    pool = tools.MemoryPool(allocator)
    first = pool.allocate(5000)
    del first
    again = pool.allocate(1 << 20)
    assert again.nbytes == 1 << 20 and allocator.calls == 3 and pool.active_blocks == 1
    allocator.failing = range(3, 9)
    with pytest.raises(MemoryError, match="there is none left"):
        pool.allocate(1)
    assert allocator.calls == 5 and pool.active_blocks == 1
