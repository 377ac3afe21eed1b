"""Arrays of the host and of the device: get, set, map."""

from __future__ import annotations

import warnings
from numbers import Number
from types import NoneType
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Queue
from isthmus.cl._block import new_on_host
from isthmus.cl._memory import InMemory
from isthmus.cl._ordering import not_a_queue, queue_of
from isthmus.cl._places import (
    OUT_OF_ORDER,
    end_of,
    is_pyopencl_queue,
    is_queue,
    loaded_pyopencl,
    wait_first,
)

_MAP_WRITES = 6  # CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION


class Mapping:
    """The host's view of an array's memory: the ``base`` of what ``map_to_host`` gives."""

    def __init__(self, array: _isthmus.Array, queue: Any, is_writable: bool) -> None:
        self._copy = None
        if not _isthmus._is_host_reachable(array):
            self._copy = _isthmus._HostMapping(array, is_writable)
            array = self._copy.host
        self._array = array  # views that are left after release() read valid memory
        self._view: np.ndarray[Any, Any] | None = array.to_numpy()
        self._queue = queue
        self.__array_interface__ = self._view.__array_interface__

    def release(self, queue: Any = None, wait_for: Any = None) -> Any:
        """Ends the view: the memory is the device's alone again.

        Returns: an event of the queue. Waits: for `wait_for`.
        """
        queue = self._queue if queue is None else queue
        if not is_queue(queue):
            raise not_a_queue(queue, "release")
        wait_first(queue, wait_for)
        if self._copy is not None:
            _isthmus._on_queue(queue, self._copy.end)
        self._view = None
        return end_of(queue)


def _on_host(x: _isthmus.Array) -> np.ndarray[Any, Any]:
    _isthmus._wait(x)  # hears an interrupt
    if x.ndim < 2 or _isthmus._is_contiguous(x)[0]:
        return x.to_numpy()
    # a copy, of memory that the host does not reach, is row-major
    order = sorted(range(x.ndim), key=lambda axis: -abs(x.strides[axis]))
    host: np.ndarray[Any, Any] = _isthmus.permute_dims(x, order).to_numpy()
    return host.transpose(np.argsort(order))


class Transfers(InMemory):
    """Copies between host and device."""

    def get(
        self, queue: Any = None, ary: Any = None, async_: Any = None, **kwargs: Any
    ) -> np.ndarray[Any, Any]:
        """The elements as a NumPy array: `ary`, or a new one with the axes in the same order.

        Any layout can be read. async_ (or `async`) is deprecated, and waits: use get_async.

        Returns: a copy. Waits: for the values.
        Raises: ValueError without a queue; TypeError for `ary` of another size or dtype.
        Source: pyopencl 2026.1, Array.get.
        """
        if _take_async("get", async_, kwargs):
            warnings.warn(
                "get(async_=True) is deprecated, use get_async", DeprecationWarning, stacklevel=2
            )
        queue = queue_of(queue, [self], "copy to the host")
        target = None if ary is None else self._host_array(ary)
        found = None if self._fresh is None else self._fresh.read(queue)
        if found is not None and target is None:
            return found
        if found is None and self._is_simply_shown(queue):
            into = self._host_array(None) if target is None else target
            if self._copied_by_command(queue, into, is_read=True):
                return into if ary is None else ary
        if found is None:
            found = _isthmus._on_queue(queue, _on_host, self._briefly())
        host: np.ndarray[Any, Any] = found
        if target is None:
            return host.copy("K")
        target[...] = host.reshape(target.shape)
        return ary  # type: ignore[no-any-return]

    def _briefly(self) -> _isthmus.Array:
        """What is shown to NumPy and dies then: structs go by an attribute, and as long as the
        object lives that has it, the memory counts as shared."""
        return self._x if self._x.dtype.fields is None else self._x[...]

    def _host_array(self, ary: Any) -> np.ndarray[Any, Any]:
        if ary is None:
            if _isthmus._is_contiguous(self._x)[0]:
                return np.empty(self.shape, self.dtype)
            return new_on_host(self.shape, self.dtype, self._x.strides)[1]
        if not isinstance(ary, np.ndarray):
            raise TypeError(f"get: ary is a {type(ary).__name__}; expected an array of NumPy")
        if ary.size != self.size:
            raise TypeError(f"get: ary has {ary.size} elements, the array {self.size}")
        if ary.dtype != self.dtype:
            raise TypeError(f"get: ary has dtype {ary.dtype}, the array {self.dtype}")
        if ary.shape == self.shape:
            return np.asarray(ary)
        warnings.warn(
            "get into an array of another shape is deprecated", DeprecationWarning, stacklevel=3
        )
        view = ary.view()
        view.shape = self.shape  # raises AttributeError where that is no view
        return np.asarray(view)

    def get_async(self, queue: Any = None, ary: Any = None, **kwargs: Any) -> tuple[Any, Any]:
        """As get, without waiting: (array, event). The array is valid when the event has ended.

        Memory is pinned only if that of `ary` is. An array with gaps is copied on the device first.

        Waits: no, except if `ary` is not contiguous.
        Source: pyopencl 2026.1, Array.get_async.
        """
        if kwargs:
            raise TypeError(f"get_async: unexpected keyword arguments {sorted(kwargs)}")
        queue = queue_of(queue, [self], "copy to the host")
        target = self._host_array(ary)
        if not target.flags.writeable:
            raise ValueError("get_async: ary is read-only")
        axes = sorted(range(target.ndim), key=lambda axis: -target.strides[axis])
        if not (self.size and _is_row_major(target, axes)) or self._x.device == "cpu":
            self.get(queue, target)
            return target if ary is None else ary, end_of(queue)
        with Queue(queue):
            x = _isthmus.permute_dims(self._x, axes)
            if not _isthmus._is_contiguous(x)[0]:
                x = _isthmus.reshape(x, (-1,), copy=True)
            if not is_pyopencl_queue(queue):
                _isthmus._begin_copy(x, _isthmus.asarray(_flat_bytes(target), device="cpu"))
                return target if ary is None else ary, end_of(queue)
            base, offset, _ = _isthmus._lend_to_pyopencl(x, queue)
        cl = loaded_pyopencl()
        is_buffer = isinstance(base, cl.MemoryObjectHolder)
        from_offset = {"src_offset": offset} if is_buffer else {}
        event = cl.enqueue_copy(queue, _flat_bytes(target), base, is_blocking=False, **from_offset)
        return target if ary is None else ary, event

    def set(self, ary: Any, queue: Any = None, async_: Any = None, **kwargs: Any) -> None:
        """Copies from a NumPy array of the same dtype and size, in any layout.

        Of another shape, elements are taken in row-major order. `ary` may be changed when the call
        returns, also with async_.

        Waits: for the copy; with async_ not for an event of add_event: the elements wait in new
        memory.
        Raises: ValueError for another size, and without a queue; TypeError for another dtype.
        Source: pyopencl 2026.1, Array.set.
        """
        is_async = _take_async("set", async_, kwargs)
        host = np.asarray(ary)
        if isinstance(ary, (Number, str, bytes, NoneType)) and not isinstance(ary, np.generic):
            raise TypeError(f"set: ary is a {type(ary).__name__}; expected an array of NumPy")
        if host.size != self.size:
            raise ValueError(f"set: ary has {host.size} elements, the array {self.size}")
        if host.dtype != self.dtype:
            raise TypeError(f"set: ary has dtype {host.dtype}, the array {self.dtype}")
        queue = queue_of(queue, [self], "copy")
        host = host if host.shape == self.shape else host.reshape(self.shape)
        if not is_async or self._has_ended():
            is_simple = self._is_simply_shown(queue)
            if is_simple and self._copied_by_command(queue, host, is_read=False):
                self._wrote()
            else:
                self._overwrite(host, queue)
            return
        with Queue(queue):
            # memory of the device would be written behind what is in the queue
            self._x[...] = _isthmus.asarray(host, device="cpu", copy=True)
        self._wrote()

    def _has_ended(self) -> bool:
        """Whether the events that others have put before the array have ended."""
        if not self._events or not is_pyopencl_queue(self.queue):
            return True
        complete = loaded_pyopencl().command_execution_status.COMPLETE
        return all(event.command_execution_status == complete for event in self._events)

    def _is_simply_shown(self, queue: Any) -> bool:
        """Whether others have its buffer, and commands on the queue come behind each other and
        behind nothing that an interrupt would have to end."""
        block = self._held
        if block is None or not block.is_shown or queue is not self.queue or not self.size:
            return False
        x = self._x
        return (
            is_pyopencl_queue(queue)
            and x.dtype.kind in "biufc"
            and not x.is_read_only
            and _isthmus._kind_of(x) == "buffer"
            and not queue.properties & OUT_OF_ORDER
            and self._has_ended()
        )

    def _copied_by_command(self, queue: Any, host: np.ndarray[Any, Any], is_read: bool) -> bool:
        """Copies by one command of pyopencl's that waits; False, and nothing is done, if the
        elements do not lie alike. The host would have to wait for the queue before it copies, or
        the pool's memory would be between."""
        by_rows, by_columns = _isthmus._is_contiguous(self._x)
        flags = host.flags
        is_alike = (by_rows and flags.c_contiguous) or (by_columns and flags.f_contiguous)
        if not is_alike or (is_read and not flags.writeable):
            return False
        base, offset, _ = _isthmus._lend_to_pyopencl(self._x, queue)
        copy = loaded_pyopencl().enqueue_copy
        if is_read:
            copy(queue, host, base, src_offset=offset, is_blocking=True)
        else:
            copy(queue, base, host, dst_offset=offset, is_blocking=True)
            _isthmus._was_written(self._x)
        return True

    def _shown_buffer(self, queue: Any) -> Any:
        """The buffer of an array without gaps that others have, for commands of pyopencl's on this
        queue, behind the work on it; else None."""
        if not (self._block.is_shown and self.size and is_pyopencl_queue(queue)):
            return None
        found = self.base_data if self.flags.forc else None
        return found if isinstance(found, loaded_pyopencl().MemoryObjectHolder) else None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        """The elements, as get gives them: for ``np.asarray(x)``. Raises: ValueError for copy=False
        and without a queue."""
        if copy is False:
            raise ValueError("an array of a device is copied to the host; map_to_host shares it")
        host = self.get()
        return host if dtype is None else host.astype(dtype, copy=False)

    def __dlpack__(self, **kwargs: Any) -> Any:
        """The memory as a DLPack capsule; vectors (``float4``) have lanes in it.

        The memory counts as shared from then on. Waits: as isthmus.Array.__dlpack__, whose keywords
        it takes. Raises: ExchangeError (BufferError) if DLPack cannot represent it.
        """
        with Queue(self._some_queue()):
            self._x.eval()
            capsule = self._x.__dlpack__(**kwargs)
        self._block.is_shown = True
        return capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        """Kind and number of the device, as DLPack counts them."""
        return self._x.__dlpack_device__()

    def map_to_host(
        self,
        queue: Any = None,
        flags: Any = None,
        is_blocking: bool = True,
        wait_for: Any = None,
    ) -> Any:
        """A NumPy array over the same memory; (array, event) if it is not blocking.

        ``array.base.release(queue)`` ends the mapping, as does the end of the last view. If the
        host can access the memory, there is no copy and `flags` have no effect. Otherwise it is a
        copy. Elements that you change are copied to the device before the next operation of Isthmus
        on the array, and by release, if `flags` (of pyopencl.map_flags; READ | WRITE by default)
        allow writing. The copy is refreshed after each such operation. Kernels of pyopencl on the
        array are not detected: release the mapping before them.

        Waits: for the values; if it is not blocking, not for an event of add_event, on CPUs and for
        an array without gaps. The mapping then has the values when its event has ended, and those
        of later operations after x.finish(). Raises: ValueError without a queue; TypeError for what
        are no flags.
        Source: pyopencl 2026.1, Array.map_to_host.
        """
        if flags is not None and not isinstance(flags, (int, np.integer)):
            raise TypeError(
                f"map_to_host: flags: expected pyopencl.map_flags, not {type(flags).__name__!r}"
            )
        queue = queue_of(queue, [self], "map")
        wait_first(queue, wait_for)
        buffer = None if is_blocking or self._has_ended() else self._shown_buffer(queue)
        cl = loaded_pyopencl()
        if buffer is not None and queue.device.type & cl.device_type.CPU:
            return cl.enqueue_map_buffer(
                queue,
                buffer,
                cl.map_flags.READ | cl.map_flags.WRITE if flags is None else int(flags),
                self.offset,
                self.shape,
                self.dtype,
                strides=self.strides,
                is_blocking=False,
            )
        self._block.is_shown = True
        with Queue(queue):
            self._x.eval()
            ary = np.asarray(Mapping(self._x, queue, flags is None or bool(flags & _MAP_WRITES)))
        return ary if is_blocking else (ary, end_of(queue))


def _flat_bytes(host: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The memory of an array without gaps, whatever its order and dtype."""
    flat = np.lib.stride_tricks.as_strided(host, (host.size,), (host.itemsize,))
    return flat.view(np.uint8)


def _is_row_major(host: np.ndarray[Any, Any], axes: list[int]) -> bool:
    """Whether the elements lie without gaps with the axes in this order."""
    return bool(host.transpose(axes).flags.c_contiguous) if axes else True


def _take_async(name: str, async_: Any, kwargs: dict[str, Any]) -> bool:
    """The value of async_ in both spellings."""
    if "async" in kwargs:
        warnings.warn(
            f"{name}: the keyword async is deprecated, use async_",
            DeprecationWarning,
            stacklevel=3,
        )
        async_ = kwargs.pop("async")
    if kwargs:
        raise TypeError(f"{name}: unexpected keyword arguments {sorted(kwargs)}")
    return bool(async_)
