"""Allocators and pools: pyopencl's own for its queues and contexts, else on pools of Isthmus."""

from __future__ import annotations

import weakref
from typing import Any

from isthmus import memory
from isthmus._isthmus import Context, Queue
from isthmus.cl._places import loaded_pyopencl, queue_in


def _theirs(name: str, given: object, wanted: str) -> Any:
    """The class of this name of pyopencl, for what is not ours. Without pyopencl: TypeError."""
    if loaded_pyopencl() is None:
        raise TypeError(f"{name}: expected {wanted}, not {type(given).__name__!r}")
    import pyopencl.tools

    return getattr(pyopencl.tools, name)


class AllocatorBase:
    """What gives memory objects of a number of bytes: an allocator of an ``isthmus.Queue``."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue

    def __call__(self, nbytes: int) -> memory.Memory:
        """New memory with undefined contents, of the pool of the device."""
        if self._queue.device.backend == "cpu":
            return memory.MemoryHost(nbytes)
        if self._queue.device.backend == "sycl":
            return memory.MemoryUSMDevice(nbytes, queue=self._queue)
        return memory.MemoryBuffer(nbytes, queue=self._queue)


class ImmediateAllocator(AllocatorBase):
    """ImmediateAllocator(queue, mem_flags): memory at once, in the context of a queue.

    Of pyopencl's queues it is pyopencl's; of an isthmus.Queue mem_flags have no meaning.

    Source: pyopencl 2026.1, ImmediateAllocator.
    """

    def __new__(cls, queue: Any, mem_flags: Any = None) -> Any:
        if isinstance(queue, Queue):
            return super().__new__(cls)
        flags = () if mem_flags is None else (mem_flags,)
        return _theirs("ImmediateAllocator", queue, "a queue")(queue, *flags)

    def __init__(self, queue: Any, mem_flags: Any = None) -> None:
        super().__init__(queue)


class DeferredAllocator(AllocatorBase):
    """DeferredAllocator(context, mem_flags): memory of a context. As ImmediateAllocator.

    Source: pyopencl 2026.1, DeferredAllocator.
    """

    def __new__(cls, context: Any, mem_flags: Any = None) -> Any:
        if isinstance(context, Context):
            return super().__new__(cls)
        flags = () if mem_flags is None else (mem_flags,)
        return _theirs("DeferredAllocator", context, "a context")(context, *flags)

    def __init__(self, context: Any, mem_flags: Any = None) -> None:
        super().__init__(Queue(queue_in(context)))


class MemoryPool:
    """MemoryPool(allocator): memory that is used again.

    Of pyopencl's allocators it is pyopencl's; memory of Isthmus comes from a pool in any case.

    Source: pyopencl 2026.1, MemoryPool.
    """

    def __new__(cls, allocator: Any, leading_bits_in_bin_id: int = 4) -> Any:
        if isinstance(allocator, AllocatorBase):
            return super().__new__(cls)
        theirs = _theirs("MemoryPool", allocator, "an ImmediateAllocator or a DeferredAllocator")
        return theirs(allocator, leading_bits_in_bin_id=leading_bits_in_bin_id)

    def __init__(self, allocator: AllocatorBase, leading_bits_in_bin_id: int = 4) -> None:
        self._allocator = allocator
        self._bits = leading_bits_in_bin_id
        self.active_blocks = 0
        self.active_bytes = 0

    def allocate(self, nbytes: int) -> memory.Memory:
        """Memory of the pool. Where there is none left, what is idle is given back first.

        Raises: what the allocator raises the second time.
        """
        try:
            found = self._allocator(nbytes)
        except MemoryError:
            self.free_held()
            found = self._allocator(nbytes)
        self.active_blocks += 1
        self.active_bytes += nbytes
        weakref.finalize(found, self._returned, nbytes)
        return found

    __call__ = allocate

    def bin_number(self, nbytes: int) -> int:
        """The bin of blocks of this size, by its length in bits and the bits behind the first."""
        exponent = max(nbytes.bit_length() - 1, 0)
        leading = nbytes << self._bits >> exponent
        return exponent << self._bits | leading & ((1 << self._bits) - 1)

    def alloc_size(self, bin: int) -> int:
        """The greatest size of a bin in bytes."""
        exponent, behind = bin >> self._bits, bin & ((1 << self._bits) - 1)
        leading = 1 << self._bits | behind
        if exponent <= self._bits:
            return leading >> (self._bits - exponent)
        return ((leading + 1) << (exponent - self._bits)) - 1

    def _returned(self, nbytes: int) -> None:
        self.active_blocks -= 1
        self.active_bytes -= nbytes

    def _statistics(self) -> dict[str, int]:
        return memory.pool_statistics(self._allocator._queue.device)

    @property
    def held_blocks(self) -> int:
        """Idle blocks, of all of the device's pool."""
        return self._statistics()["blocks_idle"]

    @property
    def managed_bytes(self) -> int:
        """Bytes in use and idle, of all of the device's pool."""
        found = self._statistics()
        return found["bytes_in_use"] + found["bytes_idle"]

    def free_held(self) -> None:
        """Gives what is idle back to the driver."""
        memory.trim_pool(self._allocator._queue.device)

    stop_holding = free_held
