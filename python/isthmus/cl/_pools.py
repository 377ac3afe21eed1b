"""Allocators and pools: pyopencl's own for its queues and contexts, else on pools of Isthmus."""

from __future__ import annotations

import operator
import weakref
from typing import Any

from isthmus import _isthmus, memory
from isthmus._isthmus import Context, Queue
from isthmus.cl._places import loaded_pyopencl, queue_in


def _theirs(name: str, given: object, wanted: str) -> Any:
    """The class of this name of pyopencl, for what is not ours. Without pyopencl: TypeError."""
    if loaded_pyopencl() is None:
        raise TypeError(f"{name}: expected {wanted}, not {type(given).__name__!r}")
    import pyopencl.tools

    return getattr(pyopencl.tools, name)


class _WithTheirs(type):
    """For isinstance: pyopencl's class of the same name is the same class."""

    def __instancecheck__(cls, instance: object) -> bool:
        if super().__instancecheck__(instance):
            return True
        if cls.__module__ != __name__ or loaded_pyopencl() is None:
            return False  # classes that derive from ours are no classes of theirs
        return isinstance(instance, _theirs(cls.__name__, instance, ""))


class AllocatorBase(metaclass=_WithTheirs):
    """What gives memory objects of a number of bytes: an allocator of an ``isthmus.Queue``."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue

    def __call__(self, nbytes: int) -> memory.Memory:
        """New memory with undefined contents, in the context of the queue.

        Waits: no. Raises: OutOfMemoryError; ValueError for no bytes.
        """
        if nbytes < 1:
            raise ValueError(f"{type(self).__name__}: {nbytes} bytes; expected at least 1")
        if nbytes >= 1 << 63:
            raise _isthmus.OutOfMemoryError(f"{type(self).__name__}: {nbytes} bytes")
        with self._queue as queue:
            made = _isthmus.empty(nbytes, "uint8", device=queue.device)
        return memory.class_of(made)._over(made)


class ImmediateAllocator(AllocatorBase):
    """ImmediateAllocator(queue, mem_flags): allocates immediately, in the context of a queue.

    For pyopencl queues it is pyopencl's; for an isthmus.Queue mem_flags have no effect.

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
    """DeferredAllocator(context, mem_flags): allocates in a context. As ImmediateAllocator.

    Source: pyopencl 2026.1, DeferredAllocator.
    """

    def __new__(cls, context: Any, mem_flags: Any = None) -> Any:
        if isinstance(context, Context):
            return super().__new__(cls)
        flags = () if mem_flags is None else (mem_flags,)
        return _theirs("DeferredAllocator", context, "a context")(context, *flags)

    def __init__(self, context: Any, mem_flags: Any = None) -> None:
        super().__init__(Queue(queue_in(context)))


class _Block:
    """A block in use: what the memory that a pool gave keeps until all work on it has ended."""

    __slots__ = ("__weakref__", "bin", "pool", "whole")

    def __init__(self, pool: MemoryPool, whole: memory.Memory, bin: int) -> None:
        self.pool = pool
        self.whole = whole
        self.bin = bin

    def __del__(self) -> None:
        self.pool._take_back(self)


class MemoryPool(metaclass=_WithTheirs):
    """MemoryPool(allocator): a pool that reuses memory.

    For pyopencl allocators it is pyopencl's. For those of this module it keeps blocks that are no
    longer used, and on which all work has finished, for requests of their size.

    Source: pyopencl 2026.1, MemoryPool.
    """

    def __new__(cls, allocator: Any, *args: Any, **kwargs: Any) -> Any:
        if issubclass(type(allocator), AllocatorBase):
            return super().__new__(cls)
        theirs = _theirs("MemoryPool", allocator, "an ImmediateAllocator or a DeferredAllocator")
        return theirs(allocator, *args, **kwargs)

    def __init__(self, allocator: AllocatorBase, leading_bits_in_bin_id: int = 4) -> None:
        self._allocator = allocator
        self._bits = leading_bits_in_bin_id
        self._is_holding = True
        # Changed by single calls of dict and list alone: blocks come back on any thread, and
        # wherever the interpreter drops an object.
        self._idle: dict[int, list[memory.Memory]] = {}
        # Bytes asked for, and of the block. A signal's handler that raises where a block comes back
        # loses it, so that it is freed: what is no longer there does not count.
        self._active: dict[int, tuple[weakref.ref[_Block], int, int]] = {}

    def allocate(self, nbytes: int) -> memory.Memory:
        """Memory of this size, idle or new; its contents are undefined.

        If no memory is left, idle blocks are freed first.

        Raises: ValueError for no bytes; ExchangeError (BufferError) if the allocator returns too
        few; the allocator's error if it fails a second time.
        """
        nbytes = operator.index(nbytes)
        if nbytes < 1:
            raise ValueError(f"MemoryPool: {nbytes} bytes; expected at least 1")
        bin = self.bin_number(nbytes)
        try:
            whole = self._idle[bin].pop()
        except (KeyError, IndexError):
            whole = self._new(self.alloc_size(bin))
        block = _Block(self, whole, bin)
        self._active[id(block)] = (weakref.ref(block), nbytes, whole.nbytes)
        return type(whole)._over(_isthmus._held_bytes(whole._array, block))[:nbytes]

    __call__ = allocate

    def _new(self, nbytes: int) -> memory.Memory:
        try:
            found = self._allocator(nbytes)
        except MemoryError:
            self.free_held()
            found = self._allocator(nbytes)
        if not isinstance(found, memory.Memory):
            raise TypeError(
                f"MemoryPool: the allocator returned {type(found).__name__!r}, not memory of "
                "isthmus.memory"
            )
        if found.nbytes < nbytes:
            raise _isthmus.ExchangeError(
                f"MemoryPool: the allocator returned memory of {found.nbytes} bytes, not the "
                f"requested {nbytes}"
            )
        return found

    def _take_back(self, block: _Block) -> None:
        if self._active.pop(id(block), None) and self._is_holding:
            self._idle.setdefault(block.bin, []).append(block.whole)

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

    def _used(self) -> list[tuple[int, int]]:
        """Of the blocks in use: bytes asked for, and of the block."""
        active = list(self._active.values())
        return [(asked, whole) for block, asked, whole in active if block() is not None]

    def _held(self) -> list[memory.Memory]:
        return [whole for idle in list(self._idle.values()) for whole in list(idle)]

    @property
    def held_blocks(self) -> int:
        """Idle blocks."""
        return len(self._held())

    @property
    def active_blocks(self) -> int:
        """Blocks in use."""
        return len(self._used())

    @property
    def active_bytes(self) -> int:
        """Bytes in use, as requested."""
        return sum(asked for asked, _ in self._used())

    @property
    def managed_bytes(self) -> int:
        """Bytes of all blocks, in use and idle."""
        used = sum(whole for _, whole in self._used())
        return used + sum(whole.nbytes for whole in self._held())

    def free_held(self) -> None:
        """Frees idle blocks, also to the driver."""
        self._idle.clear()
        memory.trim_pool(self._allocator._queue.device)

    def stop_holding(self) -> None:
        """Frees idle blocks, and from now on every block as soon as it is no longer used."""
        self._is_holding = False
        self.free_held()
