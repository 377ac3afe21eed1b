"""Memory as objects: USM of three kinds, plain host memory, OpenCL memory; new, adopted or viewed.

A memory object is bytes without a dtype. Slices of it are views; ``isthmus.asarray(memory)`` is an
array of its bytes and ``isthmus.from_memory`` one of any dtype; ``x.memory`` is the memory of an
array. It is freed, by the allocator it came from, when there are no more references to it and all
work of Isthmus on it has finished. New memory comes from the device's pool and goes back to it.
"""

from __future__ import annotations

import sys
from numbers import Integral, Number
from typing import Any, Self, SupportsIndex

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Array, Context, Device, OutOfMemoryError, Queue

__all__ = [
    "Memory",
    "MemoryBuffer",
    "MemoryHost",
    "MemoryUSMDevice",
    "MemoryUSMHost",
    "MemoryUSMShared",
    "as_memory",
    "pool_statistics",
    "set_pool_cap",
    "trim_pool",
]


class _Shown:
    """What __sycl_usm_array_interface__ says of an allocation, and who owns it."""

    def __init__(self, fields: dict[str, Any], owner: object) -> None:
        self.owner = owner
        self.__sycl_usm_array_interface__ = fields


class _ShownByHost:
    """The same of plain host memory, by __array_interface__."""

    def __init__(self, fields: dict[str, Any], owner: object) -> None:
        self.owner = owner
        self.__array_interface__ = fields


class Memory(_isthmus._Memory):
    """Base of the memory classes: ``nbytes`` bytes at an address of a device.

    ``MemoryUSMShared(64)`` is new memory with undefined contents; ``alignment`` is a power of two
    (0: 64 bytes). ``queue`` (anything that ``isthmus.Queue`` accepts) determines the context.
    Unless it is the device's own queue, others work on the memory there: operations of Isthmus are
    synchronized with the work on that queue. ``MemoryUSMShared(other)`` is the memory of another
    memory object, an array, or anything that ``isthmus.asarray`` accepts without a copy; with
    ``copy=True`` new memory with its bytes.

    Returns: new memory for a number of bytes; else a view, unless ``copy=True``.
    Waits: for a copy; else no.
    Raises: ValueError for no bytes, or memory of another kind; OutOfMemoryError; ExchangeError.
    Source: dpctl.memory; "Zero copy data exchange using SYCL USM".
    """

    _backend = ""
    _kind = ""
    _given: Queue | None = None  # the queue that it was made with

    def __init__(
        self, other: object, alignment: int = 0, queue: object = None, copy: bool = False
    ) -> None:
        self._given = None if queue is None else Queue(queue)
        if isinstance(other, Integral):
            if not self._backend:
                raise TypeError(
                    "Memory: has no kind; use MemoryUSMShared or another of its subclasses"
                )
            super().__init__(self._allocate(int(other), alignment, self._given))
            return
        if isinstance(other, (Number, str)):
            raise TypeError(
                f"{type(self).__name__}: {other!r} is not a number of bytes, and has no memory"
            )
        found = _dense_bytes_of(other) if copy else _bytes_of(other)
        if copy:
            is_alike = found.device.backend == self._backend
            kind = _isthmus._kind_of(found) if is_alike else ""
            whole = self._allocate(max(found.size, 1), alignment, self._given, kind)
            super().__init__(whole[: found.size])
            self.copy_from_device(found)
            return
        if queue is not None or alignment:
            raise ValueError(
                f"{type(self).__name__}: queue and alignment are for new memory; pass copy=True "
                "for new memory"
            )
        super().__init__(found)
        self._refuse_other_kinds(found)

    def _allocate(
        self, nbytes: int, alignment: int, queue: Queue | None, wanted_kind: str = ""
    ) -> Array:
        """Where the class leaves the kind open, `wanted_kind` if the device has that."""
        name = type(self).__name__
        on = _own_queue(self._backend) if queue is None else queue
        if nbytes >= 1 << 63 or alignment >= 1 << 63:
            aligned = f", aligned to {alignment}" if alignment else ""
            raise OutOfMemoryError(f"{name}: {nbytes} bytes{aligned}")
        if on.device.backend != self._backend:
            raise ValueError(f"{name}: a queue of {on.device}; expected {self._backend}")
        kind = self._kind
        if not kind and wanted_kind in on.device.info["memory_kinds"]:
            kind = wanted_kind
        return _isthmus._allocate_bytes(nbytes, alignment, on, kind)

    def _refuse_other_kinds(self, found: Array) -> None:
        is_ours = self._kind in ("", self.kind) and self._backend in ("", self.device.backend)
        if not is_ours:
            raise ValueError(
                f"{type(self).__name__}: the memory is {self.kind} memory of {self.device}; "
                f"{class_of(found).__name__} accepts it, copy=True copies it"
            )

    @classmethod
    def _over(cls, array: Array) -> Self:
        made = cls.__new__(cls)
        _isthmus._Memory.__init__(made, array)
        return made

    @classmethod
    def from_pointer(
        cls, address: int, nbytes: int, syclobj: object = None, owner: object = None
    ) -> Self:
        """Adopts an allocation of another library, which `owner` keeps alive.

        `owner` is released once, when there are no more references to the memory and all work of
        Isthmus on it has finished: for example a capsule whose destructor calls the right
        deallocator. `syclobj` is the queue or context of the allocation, in any form of
        ``__sycl_usm_array_interface__``; plain host memory has none.

        Returns: a view. Waits: no.
        Raises: ExchangeError if the bytes are not within an allocation of that context; ValueError
        if it is of another kind.
        """
        fields = {"typestr": "|u1", "shape": (nbytes,), "data": (address, False)}
        if cls._backend == "cpu":
            return cls(_ShownByHost({**fields, "version": 3}, owner))
        if cls._backend != "sycl":
            raise TypeError(f"{cls.__name__}: use from_pyopencl for OpenCL memory")
        return cls(_Shown({**fields, "version": 1, "syclobj": syclobj}, owner))

    @property
    def nbytes(self) -> int:
        """Number of bytes."""
        return self._array.size

    size = nbytes

    def __len__(self) -> int:
        return self.nbytes

    @property
    def _pointer(self) -> int:
        return _isthmus._address_of(self._array)

    @property
    def kind(self) -> str:
        """'host', 'device', 'shared', or 'buffer' for a cl_mem."""
        return _isthmus._kind_of(self._array)

    @property
    def device(self) -> Device:
        """The device it belongs to."""
        return self._array.device

    @property
    def _context(self) -> Context:
        return _isthmus._context_of(self._array)

    @property
    def _queue(self) -> Queue:
        return _isthmus._queue_of(self._array) if self._given is None else self._given

    @property
    def sycl_device(self) -> Any:
        """The device it belongs to: a dpctl.SyclDevice once dpctl has been imported."""
        queue = self.sycl_queue
        return self.device if isinstance(queue, Queue) else queue.sycl_device

    @property
    def sycl_context(self) -> Any:
        """The context in which its address is valid; a dpctl.SyclContext, as above."""
        return _as_dpctl("SyclContext", self._context)

    @property
    def sycl_queue(self) -> Any:
        """The queue it was created or imported with, else this thread's current queue on the
        device; a dpctl.SyclQueue, as above, since dpctl and dpnp accept no other.
        """
        return _as_dpctl("SyclQueue", self._queue)

    @property
    def reference_obj(self) -> Any:
        """The Python object that it was adopted from, or that was passed to ``from_pointer``; it is
        kept alive. None for memory of Isthmus, for memory imported by DLPack, whose capsule is used
        up, and if another device works on the memory.
        """
        owner = _isthmus._owner_of(self._array)
        return owner.owner if isinstance(owner, _Shown | _ShownByHost) else owner

    def __array__(self, dtype: Any = None, *, copy: bool | None = None) -> Any:
        """NumPy's access to the bytes, if the host has access; BufferError for device memory."""
        return np.array(memoryview(self), dtype=dtype, copy=copy)

    def get_usm_type(self, syclobj: object = None) -> str:
        """'host', 'device' or 'shared'; 'unknown' if it is not USM, in that context if given."""
        return _isthmus._usm_type(self._array, syclobj)

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]:
        fields: dict[str, Any] = self._array.__sycl_usm_array_interface__
        return fields

    def __getitem__(self, part: slice) -> Self:
        """Bytes start to stop. Returns: a view, which keeps the whole memory alive."""
        if not isinstance(part, slice) or part.step not in (None, 1):
            raise TypeError(
                "memory: only m[start:stop] is memory; asarray(m) supports all indexing"
            )
        return self._over(self._array[part])

    def copy_to_host(self, obj: Any = None) -> Any:
        """Copies all bytes into a buffer of the host, or into a new array of uint8; returns it.

        Waits: for work on the memory, and for the copy.
        Raises: ValueError if the buffer is too small, or read-only.
        """
        target = np.empty(self.nbytes, np.uint8) if obj is None else obj
        view = np.frombuffer(target, np.uint8)
        if view.size < self.nbytes:
            raise ValueError(f"copy_to_host: {self.nbytes} bytes into a buffer of {view.size}")
        here = _isthmus.asarray(self._array, device="cpu")
        _isthmus._wait(here)
        view[: self.nbytes] = np.asarray(here)
        return target

    def copy_from_host(self, obj: Any) -> None:
        """Copies the bytes of a buffer of the host into the first bytes.

        Waits: for the copy. Raises: ValueError if the buffer is larger than the memory.
        """
        self._write(_isthmus.asarray(np.frombuffer(obj, np.uint8)))

    def copy_from_device(self, obj: object) -> None:
        """Copies the bytes of other memory or of a dense array into the first bytes.

        Waits: for the copy. Raises: ValueError if there are more bytes than the memory has.
        """
        self._write(_dense_bytes_of(obj))

    def _write(self, source: Array) -> None:
        if source.size > self.nbytes:
            raise ValueError(f"memory: {source.size} bytes into {self.nbytes}")
        if _isthmus._context_of(source) != self._context:
            source = _isthmus.asarray(_isthmus.asarray(source, device="cpu"), device=self.device)
        self._array[: source.size] = source
        _isthmus.synchronize(self.device)

    def memset(self, val: int = 0) -> None:
        """Sets all bytes to val. Waits: for it. Raises: OverflowError outside 0 to 255."""
        self._array[...] = val
        _isthmus.synchronize(self.device)

    def tobytes(self) -> bytes:
        """A copy of all bytes. Waits: for work on the memory, and for the copy."""
        copied: bytes = self.copy_to_host().tobytes()
        return copied

    __bytes__ = tobytes

    def __sizeof__(self) -> int:
        return self.nbytes

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.tobytes(), str(self.device), self.kind)

    def __repr__(self) -> str:
        at = f"{self.kind} memory of {self.device} at {self._pointer:#x}"
        return f"<{type(self).__name__}: {self.nbytes} bytes of {at}>"


class MemoryUSMDevice(Memory):
    """USM that only the device can access; no buffer protocol. See Memory."""

    _backend, _kind = "sycl", "device"


class MemoryUSMShared(Memory):
    """USM that migrates between host and device on access; has the buffer protocol."""

    _backend, _kind = "sycl", "shared"


class MemoryUSMHost(Memory):
    """USM in host memory that the device can access; has the buffer protocol."""

    _backend, _kind = "sycl", "host"


class MemoryHost(Memory):
    """Plain host memory; has the buffer protocol, and adopts other objects that have it."""

    _backend, _kind = "cpu", "host"


class MemoryBuffer(Memory):
    """OpenCL memory in the device's own form: USM if the driver has it, else a cl_mem.

    ``kind`` selects another of the kinds that the device has (``memory_kinds`` in
    ``isthmus.devices(verbose=True)``): "device", "shared" (SVM without USM), "host" or "buffer".
    Pickles and copies of OpenCL memory keep the kind if the device has it.
    """

    _backend, _kind = "opencl", ""

    def __init__(
        self,
        other: object,
        alignment: int = 0,
        queue: object = None,
        copy: bool = False,
        *,
        kind: str = "",
    ) -> None:
        self._kind = kind
        super().__init__(other, alignment, queue, copy)


def _own_queue(backend: str) -> Queue:
    default = _isthmus._default_device()
    return _isthmus.current_queue(default if default.backend == backend else backend)


def _as_dpctl(name: str, ours: Queue | Context) -> Any:
    """Our object as dpctl's where both know it; nobody asks for dpctl's before importing it."""
    dpctl = sys.modules.get("dpctl")
    if dpctl is None or ours.device.backend != "sycl":
        return ours
    return getattr(dpctl, name)(ours._get_capsule())


def _bytes_of(obj: object) -> Array:
    """All that lies under it, from its first byte to its last. Returns: a view."""
    return _isthmus._bytes_of(_isthmus.asarray(obj, copy=False), False)


def _dense_bytes_of(obj: object) -> Array:
    """The bytes of its elements; new memory for an array with holes."""
    array = _isthmus.asarray(obj, copy=False)
    found = _isthmus._bytes_of(array, False)
    if found.size == array.nbytes:
        return found
    return _isthmus._bytes_of(_isthmus.reshape(array, (-1,), copy=True), False)


def class_of(array: Array) -> type[Memory]:
    """The class of memory objects for what lies under an array."""
    kind = _isthmus._kind_of(array)
    for known in (MemoryUSMDevice, MemoryUSMShared, MemoryUSMHost, MemoryHost, MemoryBuffer):
        if known._backend == array.device.backend and known._kind in ("", kind):
            return known
    return Memory


def as_memory(obj: object) -> Memory:
    """The memory that an object exports, as an object of the class for its kind.

    Returns: a view of the bytes that its elements span. Waits: for its own value.
    Raises: ExchangeError, with the reason of every protocol.
    """
    found = _bytes_of(obj)
    return class_of(found)._over(found)


def memory_of(array: Array) -> Memory:
    """The whole allocation that holds an array. See Array.memory."""
    found = _isthmus._bytes_of(array, True)
    return class_of(found)._over(found)


def _rebuild(cls: type[Memory], data: bytes, device: str, kind: str) -> Memory:
    whole = cls.__new__(cls)._allocate(max(len(data), 1), 0, Queue(device), kind)
    memory = cls._over(whole[: len(data)])
    memory.copy_from_host(data)
    return memory


def pool_statistics(device: Device | str | None = None) -> dict[str, int]:
    """Statistics of the pools of a device: bytes in use, idle and peak, blocks, hits, misses.

    Units: bytes, and numbers of blocks and requests. Waits: no.
    Raises: TypeError if it does not name a device, DeviceNotFoundError.
    """
    _check_device("pool_statistics", device)
    return _isthmus._pool_statistics(device)


def trim_pool(device: Device | str | None = None, keep: int = 0) -> int:
    """Returns idle blocks to the driver until at most `keep` bytes are idle.

    Returns: the number of bytes returned to the driver. Waits: for the driver.
    Raises: TypeError if it does not name a device, ValueError for a negative `keep`.
    """
    _check_device("trim_pool", device)
    return _isthmus._pool_trim(device, _count("trim_pool", "keep", keep))


def set_pool_cap(device: Device | str | None, nbytes: int) -> None:
    """Sets how many bytes of a kind may be idle before freed blocks go back to the driver, by
    default half of the device's memory. 0: no cap.

    Raises: TypeError if it does not name a device, ValueError for a negative number.
    """
    _check_device("set_pool_cap", device)
    _isthmus._pool_set_cap(device, _count("set_pool_cap", "nbytes", nbytes))


def _check_device(who: str, device: object) -> None:
    if device is not None and not isinstance(device, Device | str):
        raise TypeError(f'{who}: device: {device!r} is neither a Device nor a name such as "cpu"')


def _count(who: str, name: str, value: object) -> int:
    if not isinstance(value, SupportsIndex):
        raise TypeError(f"{who}: {name}: {value!r} is not a number of bytes")
    count = value.__index__()
    if not 0 <= count < 2**63:
        raise ValueError(f"{who}: {name}: {count} bytes; expected 0 to 2^63-1")
    return count
