import builtins
from types import EllipsisType, ModuleType
from typing import Protocol, SupportsIndex, TypeAlias
from typing_extensions import Buffer
from collections.abc import Callable, Iterator, Mapping, Sequence
import enum
from typing import Any, Literal, Self, SupportsIndex, overload

import numpy
from numpy.typing import DTypeLike
from typing_extensions import CapsuleType

from isthmus._attributes import Flags
import isthmus._results
import isthmus.memory


_version: str = '0.1.0'

class Error(Exception):
    """Base of the errors of Isthmus."""

class PromotionError(Error, TypeError):
    """Dtypes without a common one."""

class DeviceMismatchError(Error, ValueError):
    """Operands of two devices or contexts."""

class DeviceNotFoundError(Error, LookupError):
    """No such device."""

class BackendUnavailableError(Error, ImportError):
    """A backend that is not to be had here, with the reason."""

class ExchangeError(Error, BufferError):
    """Memory that cannot be shared as asked."""

class CopyRefusedError(ExchangeError, ValueError):
    """copy=False, but it takes a copy."""

class ImplicitHostCopyError(Error, TypeError):
    """Device memory that was asked of the host; x.to_numpy() copies it."""

class OutOfMemoryError(Error, MemoryError):
    """A device, or the host, has no memory left."""

class CompileError(Error, RuntimeError):
    """
    A kernel that did not build.

    `source` is its text, `log` what the compiler wrote, `device` where, and `key` the name of its files in the cache and in ISTHMUS_DUMP.
    """

    source: str = ''

    log: str = ''

    device: str = ''

    key: str = ''

class LaunchError(Error, RuntimeError):
    """A driver refused a call, or work on a device failed."""

class FileError(Error, OSError):
    """A file that could not be opened, read or written."""

    def __str__(self) -> str: ...

bool: numpy.dtype[Any] = ...

int8: numpy.dtype[Any] = ...

int16: numpy.dtype[Any] = ...

int32: numpy.dtype[Any] = ...

int64: numpy.dtype[Any] = ...

uint8: numpy.dtype[Any] = ...

uint16: numpy.dtype[Any] = ...

uint32: numpy.dtype[Any] = ...

uint64: numpy.dtype[Any] = ...

float16: numpy.dtype[Any] = ...

bfloat16: numpy.dtype[Any] = ...

float32: numpy.dtype[Any] = ...

float64: numpy.dtype[Any] = ...

complex64: numpy.dtype[Any] = ...

complex128: numpy.dtype[Any] = ...

def _promote(a: object, b: object, /) -> numpy.dtype[Any]: ...

def _has_dtype(device: object, dtype: object, /) -> builtins.bool: ...

class Device:
    """One device of one backend, such as "opencl:0"."""

    def __init__(self, name: str | Device, /) -> None: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __hash__(self) -> int: ...

    def __eq__(self, other: object, /) -> builtins.bool:
        """Whether it is the same device, or its text: x.device == "opencl:0"."""

    def __reduce__(self) -> tuple[Any, ...]: ...

    @property
    def backend(self) -> str:
        """Name of the backend."""

    @property
    def index(self) -> int:
        """Number of the device in its backend."""

    @property
    def info(self) -> dict[str, Any]:
        """
        What the device says of itself: driver, memory, fp64, memory kinds, limits.
        """

    def __enter__(self) -> Device:
        """
        Makes it the device of new arrays inside `with`, in this thread or task.
        """

    def __exit__(self, *args: object) -> None: ...

class fusing:
    """
    A promise that nobody changes shared memory meanwhile, so that reading it may be put off.

    ``with isthmus.fusing():``. Inside, operations on memory that others can reach stay pending
    and fuse like any other. It holds in this thread or task, and in tasks that begin inside;
    for all of them it ends with the block, which calculates what was put off.

    Returns: a context, which may be used more than once. Waits: at the end, for what reads
    memory that others may write to.
    """

    def __init__(self) -> None: ...

    def __enter__(self) -> None: ...

    def __exit__(self, *args: object) -> None: ...

class implicit_host_copy:
    """
    Inside, numpy.asarray(x) copies from devices ("allow"), warns too ("warn") or raises
    ("error").

    ``with isthmus.implicit_host_copy("allow"):``. For this thread or task, and tasks that begin
    inside; ``config.implicit_copy`` (ISTHMUS_IMPLICIT_COPY) is for all, and at first "error".
    Memory that the host reaches is never copied. ``x.to_numpy()`` always may.

    Waits: no. Raises: ValueError for another word.
    """

    def __init__(self, policy: Literal["allow", "warn", "error"]) -> None: ...

    def __enter__(self) -> None: ...

    def __exit__(self, *args: object) -> None: ...

def _host_copy_policy() -> str | None: ...

def _find_devices() -> tuple[tuple[Device, ...], tuple[tuple[str, str], ...]]: ...

def synchronize(device: Device | str | None = None) -> None:
    """
    Waits until all work that was enqueued on a device, by any thread, has ended.
    """

def _pool_statistics(device: object, /) -> dict[str, int]: ...

def _pool_trim(device: object, keep: int, /) -> int: ...

def _pool_set_cap(device: object, cap: int, /) -> None: ...

def statistics() -> dict[str, Any]:
    """
    Kernels run so far, where, their operations, transfers between memories, why fusion ended, and the kernel cache.
    """

def counters() -> dict[str, int]:
    """
    Objects of the core that are alive now: memories that somebody holds or that wait to be
    released, pending nodes, and the reaper's backlog: memories that were dropped while work
    on them was unfinished. What lies idle in a pool is in isthmus.memory.pool_statistics.
    """

def _library(device: object, capability: str, /) -> int:
    """
    Address of a backend's table of functions, for ctypes; 0 if it has none of that name.
    """

def _cache_folder() -> str: ...

def _cache_info() -> tuple[str, int, int, int, int, int, int, int]: ...

def _clear_cache(disk: builtins.bool, /) -> None: ...

class Context:
    """
    Where addresses mean something: a context of SYCL or OpenCL, or the process itself for the
    host.

    Context(device) is the device's default one. Context(object) takes a dpctl.SyclContext, a
    capsule "SyclContextRef", an object whose _get_capsule() gives one, a pyopencl.Context, a
    Queue of any kind for the one that it works in, or another Context.

    Waits: no.
    Raises: ExchangeError for what is no context of a device that Isthmus has.
    """

    def __init__(self, obj: object) -> None: ...

    @property
    def device(self) -> Device:
        """The device as which this context is used."""

    def _get_capsule(self) -> Any:
        """
        A new capsule "SyclContextRef", as dpctl.SyclContext has it.

        Raises: ExchangeError if the context is not SYCL's.
        Source: __sycl_usm_array_interface__, syclobj.
        """

    def to_pyopencl(self) -> Any:
        """
        A pyopencl.Context that is this one, or the one below a context of SYCL.

        Raises: ExchangeError if there is no context of OpenCL; ImportError without pyopencl.
        """

    def __eq__(self, other: object, /) -> builtins.bool:
        """
        Whether they share memory: a SYCL context equals the OpenCL context below it.
        """

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class Queue:
    """
    Where work of one device is put: the device's own queue, or a user's.

    Queue(device) is the device's own. Queue(object) takes a dpctl.SyclQueue, a capsule
    "SyclQueueRef", an object whose _get_capsule() gives one, a pyopencl.CommandQueue, or
    another Queue; Queue(address, device) the address of a sycl::queue or cl_command_queue.
    `with queue:` makes it the current queue on its device, in this thread or task: operations
    run on it, in order with what else is there, and new arrays are of its context.

    Waits: no.
    Raises: ExchangeError for what is no queue of a device that Isthmus has.
    """

    def __init__(self, obj: object, device: Device | str | None = None) -> None: ...

    @property
    def device(self) -> Device:
        """The device that its work runs on."""

    @property
    def context(self) -> Context:
        """The context whose memory its work can reach."""

    @property
    def is_in_order(self) -> builtins.bool:
        """Whether each work put on it begins when the one before has ended."""

    @property
    def handle(self) -> int:
        """
        Address of a sycl::queue, or a cl_command_queue, valid while this object lives.

        Raises: ExchangeError where there is no such thing.
        """

    def _get_capsule(self) -> Any:
        """
        A new capsule "SyclQueueRef", as dpctl.SyclQueue has it.

        Raises: ExchangeError if the queue is not SYCL's.
        Source: __sycl_usm_array_interface__, syclobj.
        """

    def to_pyopencl(self) -> Any:
        """
        A pyopencl.CommandQueue that is this one.

        Raises: ExchangeError if the queue is not OpenCL's; ImportError without pyopencl.
        """

    def synchronize(self) -> None:
        """
        Waits until all that is on the queue now has ended.

        Raises: LaunchError if work of others on it failed.
        """

    def __enter__(self) -> Queue: ...

    def __exit__(self, *args: object) -> None: ...

    def __eq__(self, other: object, /) -> builtins.bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

def current_queue(device: Device | str | None = None) -> Queue:
    """
    Where this thread puts its work on a device: the device's own queue, or that of the
    innermost `with queue:`.
    """

class Array:
    """An n-d array on one device; see isthmus.asarray."""

    __hash__: None = ...  # type: ignore[assignment]

    def __lt__(self, other: Array | Number, /) -> Array: ...

    def __le__(self, other: Array | Number, /) -> Array: ...

    def __eq__(self, other: Array | Number | None, /) -> Array: ...  # type: ignore[override]

    def __ne__(self, other: Array | Number | None, /) -> Array: ...  # type: ignore[override]

    def __gt__(self, other: Array | Number, /) -> Array: ...

    def __ge__(self, other: Array | Number, /) -> Array: ...

    def __add__(self, other: Array | Number, /) -> Array: ...

    def __radd__(self, other: Array | Number, /) -> Array: ...

    def __sub__(self, other: Array | Number, /) -> Array: ...

    def __rsub__(self, other: Array | Number, /) -> Array: ...

    def __mul__(self, other: Array | Number, /) -> Array: ...

    def __rmul__(self, other: Array | Number, /) -> Array: ...

    def __mod__(self, other: Array | Number, /) -> Array: ...

    def __rmod__(self, other: Array | Number, /) -> Array: ...

    def __divmod__(self, other: Array | Number, /) -> tuple[Array, Array]: ...

    def __rdivmod__(self, other: Array | Number, /) -> tuple[Array, Array]: ...

    def __pow__(self, other: Array | Number, /) -> Array: ...

    def __rpow__(self, other: Array | Number, /) -> Array: ...

    def __neg__(self, /) -> Array: ...

    def __pos__(self, /) -> Array: ...

    def __abs__(self, /) -> Array: ...

    def __bool__(self, /) -> builtins.bool: ...

    def __invert__(self, /) -> Array: ...

    def __lshift__(self, other: Array | Number, /) -> Array: ...

    def __rlshift__(self, other: Array | Number, /) -> Array: ...

    def __rshift__(self, other: Array | Number, /) -> Array: ...

    def __rrshift__(self, other: Array | Number, /) -> Array: ...

    def __and__(self, other: Array | Number, /) -> Array: ...

    def __rand__(self, other: Array | Number, /) -> Array: ...

    def __xor__(self, other: Array | Number, /) -> Array: ...

    def __rxor__(self, other: Array | Number, /) -> Array: ...

    def __or__(self, other: Array | Number, /) -> Array: ...

    def __ror__(self, other: Array | Number, /) -> Array: ...

    def __int__(self, /) -> int: ...

    def __float__(self, /) -> float: ...

    def __iadd__(self, other: Array | Number, /) -> Array: ...

    def __isub__(self, other: Array | Number, /) -> Array: ...

    def __imul__(self, other: Array | Number, /) -> Array: ...

    def __imod__(self, other: Array | Number, /) -> Array: ...

    def __ipow__(self, other: Array | Number, /) -> Array: ...

    def __ilshift__(self, other: Array | Number, /) -> Array: ...

    def __irshift__(self, other: Array | Number, /) -> Array: ...

    def __iand__(self, other: Array | Number, /) -> Array: ...

    def __ixor__(self, other: Array | Number, /) -> Array: ...

    def __ior__(self, other: Array | Number, /) -> Array: ...

    def __floordiv__(self, other: Array | Number, /) -> Array: ...

    def __rfloordiv__(self, other: Array | Number, /) -> Array: ...

    def __truediv__(self, other: Array | Number, /) -> Array: ...

    def __rtruediv__(self, other: Array | Number, /) -> Array: ...

    def __ifloordiv__(self, other: Array | Number, /) -> Array: ...

    def __itruediv__(self, other: Array | Number, /) -> Array: ...

    def __index__(self, /) -> int: ...

    def __matmul__(self, other: Array, /) -> Array: ...

    def __rmatmul__(self, other: Array, /) -> Array: ...

    def __imatmul__(self, other: Array, /) -> Array: ...

    def __len__(self, /) -> int: ...

    def __getitem__(self, key: Index | tuple[Index, ...] | str | list[str], /) -> Array: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

    def __setitem__(self, key: Index | tuple[Index, ...] | str | list[str], value: Elements, /) -> None: ...

    @property
    def dtype(self) -> numpy.dtype[Any]:
        """The dtype of the elements."""

    @property
    def device(self) -> Device:
        """The device that the memory belongs to."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the axes."""

    @property
    def ndim(self) -> int:
        """Number of axes."""

    @property
    def size(self) -> int:
        """Number of elements."""

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""

    @property
    def strides(self) -> tuple[int, ...]:
        """Elements, not bytes, from one index of an axis to the next."""

    @property
    def offset(self) -> int:
        """Elements from the start of the memory to the first."""

    @property
    def is_read_only(self) -> builtins.bool:
        """Whether writing is refused."""

    @property
    def is_pending(self) -> builtins.bool:
        """Whether the value is not calculated yet."""

    @property
    def T(self) -> Array:
        """The transpose of a matrix, as a view."""

    @property
    def mT(self) -> Array:
        """The last two axes swapped, as a view."""

    def to_device(self, device: Device | str, /, *, stream: Any = None) -> Array:
        """
        The array on another device.

        stream: the queue that the copy is put on, in every spelling of __dlpack__'s: one of the
        device, or of where the array comes from if that is the host. None: this thread's current
        queue.

        Returns: itself if it is there, else a copy, counted in statistics().
        Waits: no; for the array's value if the host must calculate it.
        Raises: DeviceMismatchError for a queue of another device.
        Source: Array API 2025.12.
        """

    def copy(self) -> Array:
        """
        A copy.

        Returns: new memory; pending.
        Waits: no.
        """

    def __copy__(self) -> Array: ...

    def __deepcopy__(self, memo: object) -> Array: ...

    def __complex__(self) -> complex: ...

    def eval(self) -> Array: ...

    def item(self, *args: SupportsIndex | tuple[SupportsIndex, ...]) -> Any: ...

    def tolist(self) -> Any: ...

    def __array_ufunc__(self, ufunc: Any, method: str, /, *inputs: Any, **kwargs: Any) -> Any: ...

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any, /) -> Any: ...

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]: ...

    __dlpack_c_exchange_api__: CapsuleType = ...

    def to_pyopencl(self, /, *, queue: Any = None) -> Any: ...

    def __dlpack__(self, /, *, stream: object = None, max_version: tuple[int, int] | None = None, dl_device: tuple[enum.Enum | int, int] | None = None, copy: builtins.bool | None = None) -> CapsuleType: ...

    def __dlpack_device__(self, /) -> tuple[int, int]: ...

    @property
    def __array_interface__(self) -> dict[str, Any]: ...

    def __array__(self, dtype: DTypeLike | None = None, *, copy: builtins.bool | None = None) -> numpy.ndarray[Any, Any]: ...

    def clip(self, min: Array | Real | None = None, max: Array | Real | None = None, *, out: Array | tuple[Array] | None = None) -> Array:
        """
        The number limited to a lower and an upper bound; the upper bound if the lower is greater.

        out: an array that gets the result instead of new memory, and is returned.
        Shapes: operands broadcast.
        Returns: new memory, pending until somebody looks, or `out`.
        Waits: no, unless an operand is shared with others who may change it.
        Accepts: integers, floats.
        Accuracy: 0 ulp for float32 and float64 in [-100, 100].
        Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
        NumPy: ``np.clip(x, y, z)``.
        """

    def round(self, decimals: int = 0, *, out: Array | tuple[Array] | None = None) -> Array:
        """
        Rounded to the nearest whole number, halves to even.

        out: an array that gets the result instead of new memory, and is returned.
        Shapes: operands broadcast.
        Returns: new memory, pending until somebody looks, or `out`.
        Waits: no, unless an operand is shared with others who may change it.
        Accepts: integers, floats, complex.
        Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
        Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
        NumPy: ``np.round(x)``.
        decimals: places after the point; negative ones before it, as NumPy does.
        """

    def conj(self) -> Array:
        """
        Complex conjugate.

        out: an array that gets the result instead of new memory, and is returned.
        Shapes: operands broadcast.
        Returns: new memory, pending until somebody looks, or `out`.
        Waits: no, unless an operand is shared with others who may change it.
        Accepts: integers, floats, complex.
        Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
        Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
        NumPy: ``np.conj(x)``.
        """

    def conjugate(self) -> Array:
        """
        Complex conjugate.

        out: an array that gets the result instead of new memory, and is returned.
        Shapes: operands broadcast.
        Returns: new memory, pending until somebody looks, or `out`.
        Waits: no, unless an operand is shared with others who may change it.
        Accepts: integers, floats, complex.
        Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
        Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
        NumPy: ``np.conj(x)``.
        """

    def sum(self, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
        """
        Sum of the elements.

        out: an array that gets the result instead of new memory, and is returned.
        Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
        Returns: new memory, pending until somebody looks, or `out`.
        Waits: no, unless x is shared with others who may change it.
        Accuracy: floats are added up in pairs, with the same bits from run to run.
        Raises: IndexError for an axis outside the array, TypeError for structs.
        Source: Array API 2025.12, sum.
        """

    def prod(self, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
        """
        Product of the elements.

        out: an array that gets the result instead of new memory, and is returned.
        Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
        Returns: new memory, pending until somebody looks, or `out`.
        Waits: no, unless x is shared with others who may change it.
        Accuracy: floats are multiplied in pairs, with the same bits from run to run.
        Raises: IndexError for an axis outside the array, TypeError for structs.
        Source: Array API 2025.12, prod.
        """

    def max(self, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
        """
        Largest element; NaN if any is NaN.

        out: an array that gets the result instead of new memory, and is returned.
        Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
        Returns: new memory, pending until somebody looks, or `out`.
        Waits: no, unless x is shared with others who may change it.
        Accuracy: exact.
        Raises: IndexError for an axis outside the array, ValueError for no elements, TypeError for complex numbers and structs.
        Source: Array API 2025.12, max.
        """

    def min(self, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
        """
        Smallest element; NaN if any is NaN.

        out: an array that gets the result instead of new memory, and is returned.
        Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
        Returns: new memory, pending until somebody looks, or `out`.
        Waits: no, unless x is shared with others who may change it.
        Accuracy: exact.
        Raises: IndexError for an axis outside the array, ValueError for no elements, TypeError for complex numbers and structs.
        Source: Array API 2025.12, min.
        """

    def any(self, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
        """
        Whether any element is true.

        out: an array that gets the result instead of new memory, and is returned.
        Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
        Returns: new memory, pending until somebody looks, or `out`.
        Waits: no, unless x is shared with others who may change it.
        Accuracy: exact.
        Raises: IndexError for an axis outside the array, TypeError for structs.
        Source: Array API 2025.12, any.
        """

    def all(self, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
        """
        Whether all elements are true.

        out: an array that gets the result instead of new memory, and is returned.
        Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
        Returns: new memory, pending until somebody looks, or `out`.
        Waits: no, unless x is shared with others who may change it.
        Accuracy: exact.
        Raises: IndexError for an axis outside the array, TypeError for structs.
        Source: Array API 2025.12, all.
        """

    def mean(self, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
        """
        Arithmetic mean of the elements; one kernel.

        out: an array that gets the result instead of new memory, and is returned.
        Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
        Returns: new memory, pending until somebody looks, or `out`.
        Source: Array API 2025.12, mean.
        """

    def reshape(self, *shape: Shape, order: str = "C", copy: builtins.bool | None = None) -> Array:
        """
        The elements in another shape; see isthmus.reshape. order "F" takes and places them with the first index fastest.
        """

    def ravel(self, order: str = "C") -> Array:
        """
        All elements in one row.

        Returns: a view where they lie in that order, else new memory.
        """

    def flatten(self, order: str = "C") -> Array:
        """
        All elements in one row.

        Returns: new memory, pending.
        """

    def transpose(self, *axes: Axes | None) -> Array:
        """
        The axes in another order, or in reverse order.

        Returns: a view.
        """

    def swapaxes(self, axis1: int, axis2: int) -> Array:
        """
        Two axes swapped.

        Returns: a view.
        """

    def squeeze(self, axis: Axes | None = None) -> Array:
        """
        Without these axes of length 1, or without all such.

        Returns: a view.
        """

    def astype(self, dtype: object, copy: builtins.bool = True) -> Array:
        """The elements as another dtype; see isthmus.astype."""

    def fill(self, value: Array | Number | tuple[Any, ...]) -> None:
        """Sets every element. Waits: no."""

    @property
    def real(self) -> Array:
        """
        The real parts, as a view that can be written to. isthmus.real(x) is new memory, and fuses.

        Waits: for its value to be begun.
        """

    @real.setter
    def real(self, value: Array | Number, /) -> None: ...

    @property
    def imag(self) -> Array:
        """
        The imaginary parts, as a view that can be written to; of real numbers 0, read-only.
        isthmus.imag(x) is new memory, and fuses.

        Waits: for its value to be begun.
        """

    @imag.setter
    def imag(self, value: Array | Number, /) -> None: ...

    def repeat(self, repeats: Elements, axis: int | None = None) -> Array:
        """
        Each element so many times, one after another, along an axis; flattened if it is None.

        repeats: an integer, or one for each element of the axis.
        Returns: new memory.
        Waits: for `repeats`.
        Raises: ValueError for negative numbers, or another number of them than the axis has elements, TypeError for what are no integers.
        Source: Array API 2025.12, repeat.
        """

    def take(self, indices: Indices, axis: int | None = None, mode: str = 'raise') -> Array:
        """See isthmus.take."""

    def put(self, indices: Indices, values: Any, mode: str = 'raise') -> None:
        """See isthmus.put."""

    def nonzero(self) -> tuple[Array, ...]:
        """See isthmus.nonzero."""

    def searchsorted(self, v: Elements, side: str = 'left', sorter: Elements | None = None) -> Array:
        """See isthmus.searchsorted."""

    def cumsum(self, axis: int | None = None, dtype: object | None = None) -> Array:
        """
        cumulative_sum as NumPy spells it: without an axis of the elements in row-major order.

        Returns: new memory, pending.
        Raises: as cumulative_sum.
        Source: NumPy 2, ndarray.cumsum.
        """

    def cumprod(self, axis: int | None = None, dtype: object | None = None) -> Array:
        """
        cumulative_prod as NumPy spells it: without an axis of the elements in row-major order.

        Returns: new memory, pending.
        Raises: as cumulative_prod.
        Source: NumPy 2, ndarray.cumprod.
        """

    def sort(self, axis: int = -1, *, descending: builtins.bool = False, stable: builtins.bool = True) -> None:
        """
        Puts the elements along an axis in order, in place; isthmus.sort(x) gives a new array.

        Waits: as x[...] = y does.
        Raises: as sort, ValueError for a read-only array.
        Source: NumPy 2, ndarray.sort.
        """

    def partition(self, kth: Axes, axis: int = -1) -> None:
        """
        Puts the elements along an axis in the order of isthmus.partition, in place.

        Waits: as x[...] = y does.
        Raises: as partition, ValueError for a read-only array.
        Source: NumPy 2, ndarray.partition.
        """

    def argpartition(self, kth: Axes, axis: int | None = -1) -> Array:
        """See isthmus.argpartition."""

    def argsort(self, axis: int | None = -1, *, descending: builtins.bool = False, stable: builtins.bool = True) -> Array:
        """
        argsort as NumPy spells it: with None of the elements in row-major order.

        Returns: int64, new memory, pending.
        Raises: as argsort.
        Source: NumPy 2, ndarray.argsort.
        """

    def var(self, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, ddof: float = 0.0, keepdims: builtins.bool = False, *, correction: float | None = None) -> Array:
        """
        Variance: the mean of |x - mean(x)|**2.

        The sum of squares is divided by the number of elements less `correction`, or by 0 if that is greater. Real, in the dtype of mean; half precision is summed up in float32.

        ddof: NumPy's name of correction.
        dtype: what to calculate in, and that of the result, complex too.

        out: an array that gets the result instead of new memory, and is returned.
        Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
        Returns: new memory, pending until somebody looks, or `out`.
        Waits: no, unless x is shared with others who may change it.
        Raises: IndexError for an axis outside the array, TypeError for a dtype of integers, ValueError for both ddof and correction.
        Source: Array API 2025.12, var.
        """

    def std(self, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, ddof: float = 0.0, keepdims: builtins.bool = False, *, correction: float | None = None) -> Array:
        """
        Standard deviation: the square root of the variance.

        The sum of squares is divided by the number of elements less `correction`, or by 0 if that is greater. Real, in the dtype of mean; half precision is summed up in float32.

        ddof: NumPy's name of correction.
        dtype: what to calculate in, and that of the result, complex too.

        out: an array that gets the result instead of new memory, and is returned.
        Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
        Returns: new memory, pending until somebody looks, or `out`.
        Waits: no, unless x is shared with others who may change it.
        Raises: IndexError for an axis outside the array, TypeError for a dtype of integers, ValueError for both ddof and correction.
        Source: Array API 2025.12, std.
        """

    def argmax(self, axis: int | None = None, out: Array | tuple[Array] | None = None, *, keepdims: builtins.bool = False) -> Array:
        """
        Index of the largest element along an axis, or in row-major order of all.

        The first one of equal elements, and the first NaN if there is one.

        out: an array that gets the result instead of new memory, and is returned.
        Shapes: the axis goes, or has length 1 with keepdims; without an axis all go.
        Returns: int64, new memory, pending until somebody looks, or `out`.
        Waits: no, unless x is shared with others who may change it.
        Raises: ValueError for no elements along the axis, IndexError for an axis outside the array, TypeError for complex numbers.
        Source: Array API 2025.12, argmax.
        """

    def argmin(self, axis: int | None = None, out: Array | tuple[Array] | None = None, *, keepdims: builtins.bool = False) -> Array:
        """
        Index of the smallest element along an axis, or in row-major order of all.

        The first one of equal elements, and the first NaN if there is one.

        out: an array that gets the result instead of new memory, and is returned.
        Shapes: the axis goes, or has length 1 with keepdims; without an axis all go.
        Returns: int64, new memory, pending until somebody looks, or `out`.
        Waits: no, unless x is shared with others who may change it.
        Raises: ValueError for no elements along the axis, IndexError for an axis outside the array, TypeError for complex numbers.
        Source: Array API 2025.12, argmin.
        """

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
        """
        The diagonals of the matrices that two axes make, as the last axis.

        offset: the column at which they begin, or less than 0 the row.
        Returns: a view, through which x is written to, unlike NumPy's.
        Raises: ValueError for fewer than two axes, or one axis twice, IndexError for an axis outside the array.
        Source: NumPy 2, diagonal.
        """

    def trace(self, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: object | None = None, out: Array | tuple[Array] | None = None) -> Array:
        """
        The sums of the diagonals, as sum gives them.

        offset, axis1, axis2: as of diagonal.
        Returns: new memory, pending, or `out`.
        Raises: as diagonal and sum.
        Source: NumPy 2, trace.
        """

    def dot(self, other: Array | Number, /, out: Array | tuple[Array] | None = None) -> Array:
        """
        NumPy's product of this array and another.

        out: an array that gets the result instead of new memory, and is returned.
        Dtypes: that of both; halves are summed in float32 and rounded once, integers wrap around, bools are joined by "or" of "and".
        Shapes: without axes, and of a number, as multiply; of one or two, as matmul; else the last axis of the first and the last but one of the second go.
        Returns: new memory, or `out`. Floats and complex numbers are multiplied by a BLAS of the host where it reaches the memory, when this is called (config.blas); integers and bools in blocks of ours. Elsewhere a kernel multiplies tiles in local memory. Products with vectors and of small matrices are sums of products, and pending.
        Waits: for the operands; for the result too, where the host multiplies.
        Raises: ValueError for shapes that do not fit, TypeError for structs.
        Source: NumPy 2, dot.
        """

    def vdot(self, other: Array, /, out: Array | tuple[Array] | None = None) -> Array:
        """
        Sum of conj(x) * other over all elements.

        out: an array that gets the result instead of new memory, and is returned.
        Dtypes: that of both; halves are summed in float32 and rounded once, integers wrap around, bools are joined by "or" of "and".
        Shapes: both have equally many elements; the result has no axes.
        Returns: new memory, or `out`; pending.
        Waits: no, unless an operand is shared with others who may change it.
        Raises: ValueError for other sizes, TypeError for structs.
        Source: NumPy 2, vdot.
        """

    @property
    def memory(self) -> isthmus.memory.Memory:
        """
        All of the allocation that the array lies in, as an object of isthmus.memory; for imported
        memory what is known of it.

        Returns: a view.
        Waits: for its value to be begun.
        """

    def __repr__(self, /) -> str: ...

    def __str__(self, /) -> str: ...

    def __format__(self, text: str, /) -> str: ...

    def __iter__(self, /) -> Iterator[Array]: ...

    def __reversed__(self, /) -> Iterator[Array]: ...

    def __contains__(self, value: object, /) -> builtins.bool: ...

    def __reduce__(self, /) -> tuple[Any, ...]: ...

    def __array_namespace__(self, /, *, api_version: str | None = None) -> ModuleType: ...

    def to_numpy(self) -> numpy.ndarray[Any, Any]: ...

    __array_priority__: int = 1000

    @property
    def flags(self) -> Flags:
        """How the elements lie in memory, and whether they may be written to."""

    @property
    def sycl_queue(self) -> Any:
        """
        Of arrays of sycl: the queue that the memory came with, else this thread's current one; a
        dpctl.SyclQueue once somebody has imported dpctl. Evaluates nothing.

        Raises: AttributeError on other devices.
        """

    @property
    def usm_type(self) -> str:
        """
        Of arrays of sycl: 'device', 'shared' or 'host'; 'unknown' for memory of the host that is no
        USM. Evaluates nothing.

        Raises: AttributeError on other devices.
        """

    def tobytes(self, order: str = "C") -> bytes: ...

def from_pyopencl(x: Any, /, *, queue: Any = None) -> Array:
    """
    The memory of a pyopencl.array.Array, pyopencl.Buffer, SVMAllocation or SVM; the latter
    three as bytes.

    queue: where its owner puts work on it, if that is not the object's own queue. Our work
    takes turns with what is put there, and comes behind the array's events.
    Returns: a view, on the device of the queue or context, read-only for a READ_ONLY buffer.
    Waits: no.
    Raises: TypeError for other objects; ExchangeError (BufferError), naming the field.
    """

def _adopt_pyopencl(memory: Any, queue: Any, /) -> Array:
    """
    As from_pyopencl, for memory that nobody else reaches while the array lives.
    """

def _lend_to_pyopencl(array: Array, queue: Any, /) -> tuple[Any, int, Any]:
    """
    base_data, offset in bytes and events of what to_pyopencl gives, without pyopencl.array.
    """

def _writing_event(array: Array, queue: Any, /) -> Any:
    """
    The pyopencl.Event of the kernel that wrote an array, in the queue's context, evaluated;
    None where the host wrote it, or others did.
    """

def add(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Sum; logical or for bools.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.add(x, y)``.
    """

def subtract(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Difference.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.subtract(x, y)``.
    """

def multiply(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Product; logical and for bools.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 4 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.multiply(x, y)``.
    """

def divide(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Quotient; integers are divided as floats.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.divide(x, y)``.
    """

def floor_divide(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Quotient rounded towards minus infinity; 0 for an integer divided by 0.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.floor_divide(x, y)``.
    """

def remainder(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Remainder with the sign of the divisor; 0 for an integer divided by 0.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: integers, floats.
    Accuracy: 1 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.remainder(x, y)``.
    """

def pow(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Power; an array of integers to a negative power is truncated to 0, 1 or -1, and a negative number as the power of integers is refused. For complex numbers the accuracy holds while |y log x| is below 1000.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: integers, floats, complex.
    Accuracy: 2 ulp for float32 and float64 in [0, 30]; 8 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.pow(x, y)``.
    """

def negative(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The negated number.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.negative(x)``.
    """

def positive(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The number, unchanged.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.positive(x)``.
    """

def abs(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Absolute value.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 3 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.abs(x)``.
    """

def sign(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    -1, 0 or 1 by sign; x / abs(x) for a complex number; NaN for NaN.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 4 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.sign(x)``.
    """

def reciprocal(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    One divided by the number.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 4 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.reciprocal(x)``.
    """

def square(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The number times itself.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 4 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.square(x)``.
    """

def sqrt(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Square root; NaN for a negative real number.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [0, 100]; 4 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.sqrt(x)``.
    """

def hypot(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Length of the vector (x, y), without intermediate overflow.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.hypot(x, y)``.
    """

def copysign(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Magnitude of the first with the sign of the second.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.copysign(x, y)``.
    """

def nextafter(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The next representable number after the first towards the second.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.nextafter(x, y)``.
    """

def ceil(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Smallest whole number that is not less than x.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.ceil(x)``.
    """

def floor(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Largest whole number that is not greater than x.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.floor(x)``.
    """

def trunc(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Rounded towards zero.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.trunc(x)``.
    """

def maximum(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The larger number; NaN if either is NaN.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.maximum(x, y)``.
    """

def minimum(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The smaller number; NaN if either is NaN.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.minimum(x, y)``.
    """

def exp(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    e to the power x.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 4 ulp for float32 and float64 in [-80, 80]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.exp(x)``.
    """

def expm1(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    exp(x) - 1, accurate near 0.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-80, 80]; 8 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.expm1(x)``.
    """

def log(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Natural logarithm; NaN for a negative real number.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 4 ulp for float32 and float64 in [1e-30, 1e+30]; 4 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.log(x)``.
    """

def log1p(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    log(1 + x), accurate near 0.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 2 ulp for float32 and float64 in [-0.9, 1e+30]; 4 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.log1p(x)``.
    """

def log2(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Logarithm to base 2.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [1e-30, 1e+30]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.log2(x)``.
    """

def log10(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Logarithm to base 10.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [1e-30, 1e+30]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.log10(x)``.
    """

def logaddexp(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    log(exp(x) + exp(y)), without intermediate overflow.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 2 ulp for float32 and float64 in [0, 80].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.logaddexp(x, y)``.
    """

def sin(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Sine of an angle in radians.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 4 ulp for float32 and float64 in [-100, 100]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.sin(x)``.
    """

def cos(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Cosine of an angle in radians.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 4 ulp for float32 and float64 in [-100, 100]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.cos(x)``.
    """

def tan(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Tangent of an angle in radians.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 4 ulp for float32 and float64 in [-100, 100]; 8 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.tan(x)``.
    """

def asin(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Arc sine in radians; NaN outside [-1, 1].

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-1, 1]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.asin(x)``.
    """

def acos(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Arc cosine in radians; NaN outside [-1, 1].

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-1, 1]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.acos(x)``.
    """

def atan(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Arc tangent in radians.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-100, 100]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.atan(x)``.
    """

def atan2(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Angle in radians of the point (y, x), in its quadrant.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 4 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.atan2(x, y)``.
    """

def sinh(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Hyperbolic sine.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-80, 80]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.sinh(x)``.
    """

def cosh(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Hyperbolic cosine.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-80, 80]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.cosh(x)``.
    """

def tanh(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Hyperbolic tangent.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 4 ulp for float32 and float64 in [-80, 80]; 8 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.tanh(x)``.
    """

def asinh(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Inverse hyperbolic sine.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-1e+30, 1e+30]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.asinh(x)``.
    """

def acosh(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Inverse hyperbolic cosine; NaN below 1.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [1, 1e+30]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.acosh(x)``.
    """

def atanh(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Inverse hyperbolic tangent; NaN outside [-1, 1].

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-1, 1]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.atanh(x)``.
    """

def frexp_mantissa(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The number divided by the power of two that makes it at least 0.5 and less than 1; zero, infinity and NaN are unchanged.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-1e+30, 1e+30].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.frexp(x)[0]``.
    """

def frexp_exponent(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The exponent of this power of two, as a float; 0 for zero, infinity and NaN.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-1e+30, 1e+30].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.frexp(x)[1].astype(np.frexp(x)[0].dtype)``.
    """

def equal(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether both are equal; NaN equals nothing.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.equal(x, y)``.
    """

def not_equal(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether both differ.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.not_equal(x, y)``.
    """

def less(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the first is less than the second.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.less(x, y)``.
    """

def less_equal(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the first is less than or equal to the second.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.less_equal(x, y)``.
    """

def greater(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the first is greater than the second.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.greater(x, y)``.
    """

def greater_equal(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the first is greater than or equal to the second.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.greater_equal(x, y)``.
    """

def isfinite(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the number is neither infinite nor NaN.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.isfinite(x)``.
    """

def isinf(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the number is infinite.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.isinf(x)``.
    """

def isnan(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the number is NaN.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.isnan(x)``.
    """

def signbit(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the sign bit is set, also for -0.0 and NaN.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.signbit(x)``.
    """

def logical_and(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether both are nonzero.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.logical_and(x, y)``.
    """

def logical_or(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether either is nonzero.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.logical_or(x, y)``.
    """

def logical_xor(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether exactly one is nonzero.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.logical_xor(x, y)``.
    """

def logical_not(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the number is zero.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.logical_not(x)``.
    """

def bitwise_and(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Bits that are set in both.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers.
    Accuracy: exact.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.bitwise_and(x, y)``.
    """

def bitwise_or(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Bits that are set in either.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers.
    Accuracy: exact.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.bitwise_or(x, y)``.
    """

def bitwise_xor(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Bits that are set in exactly one.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers.
    Accuracy: exact.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.bitwise_xor(x, y)``.
    """

def bitwise_invert(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    All bits inverted; logical not for a bool.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers.
    Accuracy: exact.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.bitwise_invert(x)``.
    """

def bitwise_left_shift(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Bits shifted left; 0 if shifted by the width or more.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: integers.
    Accuracy: exact.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.bitwise_left_shift(x, y)``.
    """

def bitwise_right_shift(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Bits shifted right, filled with copies of the sign.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: integers.
    Accuracy: exact.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.bitwise_right_shift(x, y)``.
    """

def real(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Real part.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.real(x)``.
    """

def imag(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Imaginary part; 0 for a real number.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.imag(x)``.
    """

def conj(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Complex conjugate.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.conj(x)``.
    """

@overload
def where(x1: Array, x2: Array | Number, x3: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The second where the first is true, else the third.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.where(x, y, z)``.
    """

@overload
def where(x: Array, /) -> tuple[Array, ...]:
    """
    Of a condition alone: nonzero(), as NumPy spells it, too.

    Returns: int64, new memory.
    Waits: as nonzero.
    Raises: as nonzero.
    Source: NumPy 2, where.
    """

def clip(x: Array, /, min: Array | Real | None = None, max: Array | Real | None = None, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The number limited to a lower and an upper bound; the upper bound if the lower is greater.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.clip(x, y, z)``.
    """

def round(x: Array, /, decimals: int = 0, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Rounded to the nearest whole number, halves to even.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless an operand is shared with others who may change it.
    Accepts: integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.round(x)``.
    decimals: places after the point; negative ones before it, as NumPy does.
    """

def sum(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Sum of the elements.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Accuracy: floats are added up in pairs, with the same bits from run to run.
    Raises: IndexError for an axis outside the array, TypeError for structs.
    Source: Array API 2025.12, sum.
    """

def prod(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Product of the elements.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Accuracy: floats are multiplied in pairs, with the same bits from run to run.
    Raises: IndexError for an axis outside the array, TypeError for structs.
    Source: Array API 2025.12, prod.
    """

def max(x: Array, /, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Largest element; NaN if any is NaN.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Accuracy: exact.
    Raises: IndexError for an axis outside the array, ValueError for no elements, TypeError for complex numbers and structs.
    Source: Array API 2025.12, max.
    """

def min(x: Array, /, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Smallest element; NaN if any is NaN.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Accuracy: exact.
    Raises: IndexError for an axis outside the array, ValueError for no elements, TypeError for complex numbers and structs.
    Source: Array API 2025.12, min.
    """

def any(x: Array, /, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Whether any element is true.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Accuracy: exact.
    Raises: IndexError for an axis outside the array, TypeError for structs.
    Source: Array API 2025.12, any.
    """

def all(x: Array, /, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Whether all elements are true.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Accuracy: exact.
    Raises: IndexError for an axis outside the array, TypeError for structs.
    Source: Array API 2025.12, all.
    """

def nanmax(x: Array, /, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Largest element that is not NaN; NaN where all are NaN.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Accuracy: exact.
    Raises: IndexError for an axis outside the array, ValueError for no elements, TypeError for complex numbers and structs.
    Source: NumPy 2, nanmax.
    """

def nanmin(x: Array, /, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Smallest element that is not NaN; NaN where all are NaN.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Accuracy: exact.
    Raises: IndexError for an axis outside the array, ValueError for no elements, TypeError for complex numbers and structs.
    Source: NumPy 2, nanmin.
    """

def mean(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Arithmetic mean of the elements; one kernel.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending until somebody looks, or `out`.
    Source: Array API 2025.12, mean.
    """

op_table: tuple[dict[str, Any], ...] = ...

reduction_table: tuple[dict[str, Any], ...] = ...

def empty(shape: Shape, dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    An array with undefined elements.

    Returns: new memory; pending until somebody looks.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def empty_like(x: Array, /, dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    An array with undefined elements of the shape of x, row-major whatever x is.

    Returns: new memory; pending until somebody looks.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def zeros(shape: Shape, dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    An array of zeros.

    Returns: new memory; pending until somebody looks.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def zeros_like(x: Array, /, dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    An array of zeros of the shape of x, row-major whatever x is.

    Returns: new memory; pending until somebody looks.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def ones(shape: Shape, dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    An array of ones.

    Returns: new memory; pending until somebody looks.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def ones_like(x: Array, /, dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    An array of ones of the shape of x, row-major whatever x is.

    Returns: new memory; pending until somebody looks.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def full(shape: Shape, fill_value: Number | tuple[Any, ...], dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    An array of one value; a tuple for a dtype of structs.

    Returns: new memory; pending until somebody looks.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def full_like(x: Array, /, fill_value: Number | tuple[Any, ...], dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    An array of one value of the shape of x, row-major whatever x is.

    Returns: new memory; pending until somebody looks.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def arange(start: Real | None = None, /, stop: Real | None = None, step: Real = 1, dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    Evenly spaced numbers in [start, stop).

    Returns: new memory; pending until somebody looks.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def linspace(start: Number, stop: Number, /, num: SupportsIndex = 50, endpoint: builtins.bool = True, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
    """
    `num` evenly spaced numbers from start to stop.

    Returns: new memory; pending until somebody looks.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def eye(n_rows: SupportsIndex, n_cols: SupportsIndex | None = None, /, k: SupportsIndex = 0, dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    Ones on the k-th diagonal, zeros elsewhere.

    Returns: new memory; pending until somebody looks.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def reshape(x: Array, /, shape: Shape, *, copy: builtins.bool | None = None) -> Array:
    """
    The elements in another shape, one extent of which may be -1.

    Returns: a view if strides allow it and copy is not True, else new memory, pending.
    Raises: ValueError if sizes differ, CopyRefusedError if copy is False and strides do not allow a view.
    Source: Array API 2025.12.
    """

def permute_dims(x: Array, /, axes: Axes) -> Array:
    """
    The axes in another order.

    Returns: a view.
    Raises: ValueError if an axis is repeated or missing, IndexError outside the array.
    Source: Array API 2025.12.
    """

def moveaxis(x: Array, source: Axes, destination: Axes, /) -> Array:
    """
    The array with some axes at other places.

    Returns: a view.
    Raises: ValueError if axes are repeated or differ in number, IndexError outside the array.
    Source: Array API 2025.12.
    """

def matrix_transpose(x: Array, /) -> Array:
    """
    The last two axes swapped.

    Returns: a view.
    Raises: ValueError for fewer axes.
    Source: Array API 2025.12.
    """

def unstack(x: Array, /, axis: int = 0) -> tuple[Array, ...]:
    """
    The array cut along an axis.

    Returns: views without that axis.
    Raises: IndexError for a bad axis, ValueError for an array without axes.
    Source: Array API 2025.12.
    """

def broadcast_arrays(*arrays: Array) -> tuple[Array, ...]:
    """
    The arrays seen through their common shape.

    Returns: read-only views.
    Raises: ValueError if there is none.
    Source: Array API 2025.12.
    """

def broadcast_shapes(*shapes: Shape) -> tuple[int, ...]:
    """
    The shape that all broadcast to.

    Raises: ValueError if they do not.
    Source: Array API 2025.12.
    """

def broadcast_to(x: Array, /, shape: Shape) -> Array:
    """
    The array seen through a larger shape.

    Returns: a read-only view.
    Raises: ValueError if it does not broadcast.
    Source: Array API 2025.12.
    """

def expand_dims(x: Array, /, axis: Axes = 0) -> Array:
    """
    New axes of length 1 at these places of the result.

    Returns: a view.
    Raises: IndexError outside the result, ValueError if one is repeated.
    Source: Array API 2025.12.
    """

def squeeze(x: Array, /, axis: Axes | None = None) -> Array:
    """
    Without these axes of length 1, or without all such.

    Returns: a view.
    Raises: ValueError if one is longer.
    Source: Array API 2025.12.
    """

def flip(x: Array, /, axis: Axes | None = None) -> Array:
    """
    The elements in reverse order along these axes, or all.

    Returns: a view.
    Source: Array API 2025.12.
    """

def concat(arrays: Sequence[Array], /, axis: int | None = 0) -> Array:
    """
    The arrays one after the other along an axis; flattened if it is None.

    Returns: new memory, pending; one kernel for each array. More than 2048 are joined at once.
    Waits: no.
    Raises: ValueError if shapes differ beside the axis.
    Source: Array API 2025.12.
    """

def stack(arrays: Sequence[Array], /, axis: int = 0) -> Array:
    """
    The arrays along a new axis.

    Returns: new memory, pending, as concat().
    Waits: no.
    Raises: ValueError if shapes differ.
    Source: Array API 2025.12.
    """

def astype(x: Array, dtype: object, /, *, copy: builtins.bool = True, device: Device | str | None = None) -> Array:
    """
    The elements as another dtype.

    Returns: new memory, pending; x itself if it has the dtype and copy is False.
    Source: Array API 2025.12.
    """

def roll(x: Array, /, shift: Axes, axis: Axes | None = None) -> Array:
    """
    The elements moved on along these axes, or in row-major order; the last ones come first again.

    shift: places, one number for all axes or one for each.
    Returns: new memory.
    Raises: ValueError for other numbers of shifts, IndexError outside the array.
    Source: Array API 2025.12, roll.
    """

def repeat(x: Array, /, repeats: Elements, axis: int | None = None) -> Array:
    """
    Each element so many times, one after another, along an axis; flattened if it is None.

    repeats: an integer, or one for each element of the axis.
    Returns: new memory.
    Waits: for `repeats`.
    Raises: ValueError for negative numbers, or another number of them than the axis has elements, TypeError for what are no integers.
    Source: Array API 2025.12, repeat.
    """

def tile(x: Array, repetitions: Axes, /) -> Array:
    """
    The whole array so many times along each axis; axes that are missing on either side come first.

    Returns: new memory.
    Raises: ValueError for a negative number.
    Source: Array API 2025.12, tile.
    """

def split(x: Array, indices_or_sections: Indices, /, axis: int = 0) -> tuple[Array, ...]:
    """
    The array cut along an axis: in as many equal parts, or before each of these indices.

    Returns: views.
    Raises: ValueError if the axis does not divide, IndexError for a bad axis.
    Source: NumPy 2, split.
    """

def hstack(arrays: Sequence[Array], /) -> Array:
    """
    The arrays side by side, along the second axis, or the only one.

    Returns: new memory, pending, as concat().
    Raises: ValueError if shapes do not fit.
    Source: NumPy 2, hstack.
    """

def vstack(arrays: Sequence[Array], /) -> Array:
    """
    The arrays one below the other, along the first axis; one of no or one axis is a row.

    Returns: new memory, pending, as concat().
    Raises: ValueError if shapes do not fit.
    Source: NumPy 2, vstack.
    """

def meshgrid(*arrays: Array, indexing: str = 'xy') -> tuple[Array, ...]:
    """
    Arrays of one axis, each seen through the shape that all span: "xy" has the second one's axis first, "ij" the first one's.

    Returns: read-only views.
    Raises: ValueError for more axes, or another word.
    Source: Array API 2025.12, meshgrid.
    """

def tril(x: Array, /, k: int = 0) -> Array:
    """
    Of each matrix in the last two axes, what lies on the k-th diagonal and below it; zeros elsewhere.

    Returns: new memory, pending; one kernel.
    Raises: ValueError for fewer than two axes.
    Source: Array API 2025.12, tril.
    """

def triu(x: Array, /, k: int = 0) -> Array:
    """
    Of each matrix in the last two axes, what lies on the k-th diagonal and above it; zeros elsewhere.

    Returns: new memory, pending; one kernel.
    Raises: ValueError for fewer than two axes.
    Source: Array API 2025.12, triu.
    """

def diff(x: Array, /, n: int = 1, axis: int = -1, prepend: Array | Number | None = None, append: Array | Number | None = None) -> Array:
    """
    Differences of neighbours along an axis, n times over; of bools, whether they differ.

    prepend, append: joined to the axis first; a number as one element, all along it.
    Returns: new memory, pending; x itself for n = 0.
    Raises: ValueError for a negative n, or shapes that do not fit.
    Source: Array API 2025.12, diff; NumPy 2 for numbers.
    """

def take(x: Array, indices: Indices, /, axis: int | None = None, mode: str = 'raise') -> Array:
    """
    The elements at these indices, whose axes take the place of the axis; without an axis, of the elements in row-major order.

    mode: of an index outside the axis: "raise" an error, "wrap" around, "clip" to the first or last one. Negative ones count from the end, but with "clip" they are the first one.
    Returns: new memory, pending.
    Waits: on `cpu` for the indices, if mode is "raise". On a device an index that is still to be calculated, or out of the host's reach, is an error of the wait for the result.
    Raises: IndexError for an index or an axis that is outside, TypeError for what are no integers, ValueError for another mode.
    Source: Array API 2025.12, take; NumPy 2 for `mode`, and for indices of several axes or none.
    """

def put(x: Array, indices: Indices, values: Any, /, mode: str = 'raise') -> None:
    """
    Writes values to the elements at these indices, in row-major order. Fewer values than indices begin again; of equal indices the last one counts.

    mode: as of take.
    Returns: None; writes in place.
    Waits: as take. An error of the wait comes once, and nothing is written.
    Raises: IndexError, before anything is written, TypeError for what are no integers, ValueError for read-only memory.
    Source: NumPy 2, put.
    """

def take_along_axis(x: Array, indices: Indices, /, axis: int | None = -1) -> Array:
    """
    Along an axis the elements at these indices, as those that argsort gives; None: of the elements in row-major order.

    Shapes: of as many axes as x; all but `axis` broadcast.
    Returns: new memory, pending.
    Waits: as take.
    Raises: ValueError for another number of axes, IndexError for an index that is outside, TypeError for what are no integers.
    Source: Array API 2025.12, take_along_axis.
    """

def put_along_axis(x: Array, indices: Indices, values: Any, /, axis: int | None) -> None:
    """
    Writes values, broadcast, to the elements that take_along_axis reads. Of equal indices the last one counts.

    Returns: None; writes in place.
    Waits: as put.
    Raises: as take_along_axis, before anything is written; ValueError for read-only memory.
    Source: NumPy 2, put_along_axis.
    """

def nonzero(x: Array, /) -> tuple[Array, ...]:
    """
    The indices of the elements that are not zero, in row-major order: an array for each axis. NaN is not zero.

    Returns: int64, new memory.
    Waits: for how many they are, which is the results' length.
    Raises: ValueError for an array without axes.
    Source: Array API 2025.12, nonzero.
    """

def argwhere(x: Array, /) -> Array:
    """
    The indices of the elements that are not zero, a row for each element.

    Shapes: (n0, ..., nk) -> (count, k + 1).
    Returns: int64, new memory.
    Waits: for how many they are.
    Source: NumPy 2, argwhere.
    """

def flatnonzero(x: Array, /) -> Array:
    """
    The places, in row-major order, of the elements that are not zero.

    Returns: int64, new memory.
    Waits: for how many they are.
    Source: NumPy 2, flatnonzero.
    """

def searchsorted(x1: Elements, x2: Elements, /, side: str = 'left', sorter: Elements | None = None) -> Array:
    """
    Before which of the elements of x1 each value of x2 belongs, so that they stay sorted.

    x1: of one axis, in ascending order, NaN last; or `sorter` says in which order it is, as argsort does. A number of x2 that is past all integers of x1's dtype is before or behind all elements. At least one of x1 and x2 is an Array.
    side: "left" before equal elements, "right" behind them.
    Shapes: that of x2.
    Returns: int64, new memory, pending.
    Waits: for `sorter`.
    Raises: ValueError for another number of axes or another word, TypeError for complex numbers and dtypes without a common one.
    Source: Array API 2025.12, searchsorted.
    """

def digitize(x: Elements, bins: Elements, right: builtins.bool = False) -> Array:
    """
    In which bin each element lies: i where bins[i-1] <= x < bins[i], or with right where bins[i-1] < x <= bins[i]; of descending bins likewise. At least one of both is an Array.

    Returns: int64, new memory, pending.
    Waits: to look at the order of the bins.
    Raises: ValueError for bins that are in no order or have several axes, TypeError for complex numbers.
    Source: NumPy 2, digitize.
    """

def isclose(x: Array | Number, y: Array | Number, /, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: builtins.bool = False) -> Array:
    """
    Whether each element of x is close to that of y: |x - y| <= atol + rtol * |y|.

    Infinities are close to themselves, and NaNs to each other with equal_nan. Calculated in the dtype that both have in common or, for integers and bools, the device's default real one.
    Returns: new memory, pending; one kernel.
    Raises: TypeError if neither is an array, ValueError if shapes do not broadcast.
    Source: NumPy 2, isclose.
    """

def allclose(x: Array | Number, y: Array | Number, /, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: builtins.bool = False) -> Array:
    """
    Whether all elements of x are close to those of y, as an array without axes: |x - y| <= atol + rtol * |y|.

    Infinities are close to themselves, and NaNs to each other with equal_nan. Calculated in the dtype that both have in common or, for integers and bools, the device's default real one.
    Returns: new memory, pending; one kernel.
    Raises: TypeError if neither is an array, ValueError if shapes do not broadcast.
    Source: NumPy 2, allclose.
    """

def array_equal(x: Array, y: Array, /, equal_nan: builtins.bool = False) -> Array:
    """
    Whether shapes and all elements are equal, as an array without axes.

    Returns: new memory, pending; one kernel.
    Raises: TypeError for what is no array, PromotionError for dtypes without a common one.
    Source: NumPy 2, array_equal.
    """

def count_nonzero(x: Array, /, axis: Axes | None = None, keepdims: builtins.bool = False) -> Array:
    """
    How many elements are not zero, over these axes or all; NaN is not zero.

    Returns: int64, new memory, pending; one kernel.
    Raises: IndexError for an axis outside the array.
    Source: Array API 2025.12, count_nonzero.
    """

def cumulative_sum(x: Array, /, axis: int | None = None, dtype: object | None = None, *, include_initial: builtins.bool = False) -> Array:
    """
    Sum of the elements. Up to each element along the axis, this one included; with include_initial behind a 0.

    Shapes: that of x, or one longer with include_initial; without an axis x has one axis.
    Returns: new memory, pending; one kernel with what gives x.
    Waits: no, unless x is shared with others who may change it.
    Accuracy: floats are added up in an order that the shape alone decides, with the same bits from run to run.
    Raises: IndexError for an axis outside the array, ValueError if an axis is needed, TypeError for a dtype that is refused.
    Source: Array API 2025.12, cumulative_sum.
    """

def cumulative_prod(x: Array, /, axis: int | None = None, dtype: object | None = None, *, include_initial: builtins.bool = False) -> Array:
    """
    Product of the elements. Up to each element along the axis, this one included; with include_initial behind a 1.

    Shapes: that of x, or one longer with include_initial; without an axis x has one axis.
    Returns: new memory, pending; one kernel with what gives x.
    Waits: no, unless x is shared with others who may change it.
    Accuracy: floats are multiplied in an order that the shape alone decides, with the same bits from run to run.
    Raises: IndexError for an axis outside the array, ValueError if an axis is needed, TypeError for a dtype that is refused.
    Source: Array API 2025.12, cumulative_prod.
    """

def cumulative_max(x: Array, /, axis: int | None = None) -> Array:
    """
    Largest element up to each element along the axis, this one included; from the first NaN on NaN.

    Shapes: that of x; without an axis x has one axis.
    Returns: new memory, pending; one kernel with what gives x.
    Waits: no, unless x is shared with others who may change it.
    Accuracy: exact.
    Raises: IndexError for an axis outside the array, ValueError if an axis is needed, TypeError for a dtype that is refused.
    Source: NumPy 2, accumulate of its ufuncs.
    """

def cumulative_min(x: Array, /, axis: int | None = None) -> Array:
    """
    Smallest element up to each element along the axis, this one included; from the first NaN on NaN.

    Shapes: that of x; without an axis x has one axis.
    Returns: new memory, pending; one kernel with what gives x.
    Waits: no, unless x is shared with others who may change it.
    Accuracy: exact.
    Raises: IndexError for an axis outside the array, ValueError if an axis is needed, TypeError for a dtype that is refused.
    Source: NumPy 2, accumulate of its ufuncs.
    """

def sort(x: Array, /, axis: int | None = -1, *, descending: builtins.bool = False, stable: builtins.bool = True) -> Array:
    """
    The elements along an axis in order, the smallest first, or the largest with descending. NaN comes last in both directions; complex numbers are in the order of their real, then of their imaginary parts, those with a NaN last. Equal elements keep their order, stable or not. With the axis None all elements, in row-major order.

    Returns: new memory, pending.
    Waits: no, unless x is shared with others who may change it.
    Raises: IndexError for an axis outside the array, ValueError for an array without axes, TypeError for struct dtypes.
    Source: Array API 2025.12, sort.
    """

def argsort(x: Array, /, axis: int | None = -1, *, descending: builtins.bool = False, stable: builtins.bool = True) -> Array:
    """
    Where along an axis the elements of sort() are, int64, the smallest first, or the largest with descending. NaN comes last in both directions; complex numbers are in the order of their real, then of their imaginary parts, those with a NaN last. Equal elements keep their order, stable or not. With the axis None all elements, in row-major order.

    Returns: new memory, pending.
    Waits: no, unless x is shared with others who may change it.
    Raises: IndexError for an axis outside the array, ValueError for an array without axes, TypeError for struct dtypes.
    Source: Array API 2025.12, argsort.
    """

def partition(x: Array, /, kth: Axes, axis: int | None = -1) -> Array:
    """
    The elements along an axis in such an order that those at the indices kth are where sort() has them, with none greater before and none less behind. On the host they are selected, for up to 16 indices; other devices sort, which is such an order. The same input has the same order each time.

    Returns: new memory, pending.
    Waits: as sort().
    Raises: IndexError for an index outside the axis, else as sort().
    Source: NumPy 2, partition.
    """

def argpartition(x: Array, /, kth: Axes, axis: int | None = -1) -> Array:
    """
    Where along an axis, int64, the elements are in such an order that those at the indices kth are where sort() has them, with none greater before and none less behind. On the host they are selected, for up to 16 indices; other devices sort, which is such an order. The same input has the same order each time.

    Returns: new memory, pending.
    Waits: as sort().
    Raises: IndexError for an index outside the axis, else as sort().
    Source: NumPy 2, argpartition.
    """

def lexsort(keys: Sequence[Array] | Array, /, axis: int = -1) -> Array:
    """
    Where along an axis, int64, the elements are in the order of the last key; where that has equal elements in the order of the one before it, and so on.

    keys: arrays of one shape, or one array, whose first axis counts them.
    Returns: new memory, pending.
    Waits: as sort().
    Raises: ValueError for no keys or other shapes, else as sort().
    Source: NumPy 2, lexsort.
    """

def topk(x: Array, k: int, /, axis: int = -1, largest: builtins.bool = True) -> tuple[Array, Array]:
    """
    The k largest elements along an axis in descending order, and their indices: (values, indices).

    largest: False gives the k smallest elements in ascending order. Equal elements keep their order. NaN comes last in both cases.
    Returns: new memory, pending; indices are int64.
    Waits: as sort().
    Raises: ValueError unless 0 <= k <= the length of the axis, else as sort().
    Source: sort() of the Array API 2025.12.
    """

def var(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, ddof: float = 0.0, keepdims: builtins.bool = False, *, correction: float | None = None) -> Array:
    """
    Variance: the mean of |x - mean(x)|**2.

    The sum of squares is divided by the number of elements less `correction`, or by 0 if that is greater. Real, in the dtype of mean; half precision is summed up in float32.

    ddof: NumPy's name of correction.
    dtype: what to calculate in, and that of the result, complex too.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Raises: IndexError for an axis outside the array, TypeError for a dtype of integers, ValueError for both ddof and correction.
    Source: Array API 2025.12, var.
    """

def std(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, ddof: float = 0.0, keepdims: builtins.bool = False, *, correction: float | None = None) -> Array:
    """
    Standard deviation: the square root of the variance.

    The sum of squares is divided by the number of elements less `correction`, or by 0 if that is greater. Real, in the dtype of mean; half precision is summed up in float32.

    ddof: NumPy's name of correction.
    dtype: what to calculate in, and that of the result, complex too.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Raises: IndexError for an axis outside the array, TypeError for a dtype of integers, ValueError for both ddof and correction.
    Source: Array API 2025.12, std.
    """

def logsumexp(x: Array, /, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    log(sum(exp(x))), without overflow on the way.

    -inf for no elements, inf if any is, NaN if any is. In the dtype of mean.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Raises: IndexError for an axis outside the array, TypeError for complex numbers.
    Source: SciPy 1, special.logsumexp.
    """

def min_max(x: Array, /, axis: Axes | None = None, *, keepdims: builtins.bool = False) -> tuple[Array, Array]:
    """
    Smallest and largest elements: what min and max give.

    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: two arrays in new memory, pending; one kernel writes both, if both are alive.
    Raises: ValueError for no elements, IndexError for an axis outside the array, TypeError for complex numbers.
    Source: Array API 2025.12, min and max.
    """

def average(x: Array, /, axis: Axes | None = None, weights: Elements | None = None, *, keepdims: builtins.bool = False) -> Array:
    """
    Mean of elements that count as much as their weights: sum(x * weights) / sum(weights).

    Where that sum is 0 the result is NaN or infinite, without an error. Without weights mean.

    weights: of the shape of x, or of that of the axes, in their order.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending.
    Waits: no, unless x is shared with others who may change it.
    Raises: TypeError for weights of another shape without axes, ValueError for those that fit neither, IndexError for an axis outside the array.
    Source: NumPy 2, average.
    """

def nansum(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Sum of the elements that are not NaN; 0 where all are.

    dtype: what to calculate in.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Raises: IndexError for an axis outside the array.
    Source: NumPy 2, nansum.
    """

def nanprod(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Product of the elements that are not NaN; 1 where all are.

    dtype: what to calculate in.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Raises: IndexError for an axis outside the array.
    Source: NumPy 2, nanprod.
    """

def nanmean(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Mean of the elements that are not NaN; NaN where all are.

    dtype: what to calculate in.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Raises: IndexError for an axis outside the array.
    Source: NumPy 2, nanmean.
    """

def nanvar(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, ddof: float = 0.0, keepdims: builtins.bool = False, *, correction: float | None = None) -> Array:
    """
    Variance of the elements that are not NaN, as var.

    NaN where no more than `correction` elements are left.

    ddof: NumPy's name of correction.
    dtype: what to calculate in.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Raises: IndexError for an axis outside the array, TypeError for a dtype of integers, ValueError for both ddof and correction.
    Source: NumPy 2, nanvar.
    """

def nanstd(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, ddof: float = 0.0, keepdims: builtins.bool = False, *, correction: float | None = None) -> Array:
    """
    Standard deviation of the elements that are not NaN, as std.

    NaN where no more than `correction` elements are left.

    ddof: NumPy's name of correction.
    dtype: what to calculate in.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axes in `axis` (all, if None) go, or have length 1 with keepdims.
    Returns: new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Raises: IndexError for an axis outside the array, TypeError for a dtype of integers, ValueError for both ddof and correction.
    Source: NumPy 2, nanstd.
    """

def argmax(x: Array, /, axis: int | None = None, out: Array | tuple[Array] | None = None, *, keepdims: builtins.bool = False) -> Array:
    """
    Index of the largest element along an axis, or in row-major order of all.

    The first one of equal elements, and the first NaN if there is one.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axis goes, or has length 1 with keepdims; without an axis all go.
    Returns: int64, new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Raises: ValueError for no elements along the axis, IndexError for an axis outside the array, TypeError for complex numbers.
    Source: Array API 2025.12, argmax.
    """

def argmin(x: Array, /, axis: int | None = None, out: Array | tuple[Array] | None = None, *, keepdims: builtins.bool = False) -> Array:
    """
    Index of the smallest element along an axis, or in row-major order of all.

    The first one of equal elements, and the first NaN if there is one.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axis goes, or has length 1 with keepdims; without an axis all go.
    Returns: int64, new memory, pending until somebody looks, or `out`.
    Waits: no, unless x is shared with others who may change it.
    Raises: ValueError for no elements along the axis, IndexError for an axis outside the array, TypeError for complex numbers.
    Source: Array API 2025.12, argmin.
    """

def nanargmax(x: Array, /, axis: int | None = None, out: Array | tuple[Array] | None = None, *, keepdims: builtins.bool = False) -> Array:
    """
    Index of the largest element that is not NaN, along an axis or in row-major order of all.

    The first one of equal elements; of an element that is not NaN also where that is infinite.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axis goes, or has length 1 with keepdims; without an axis all go.
    Returns: int64, new memory, or `out`.
    Waits: for the result, unless x is of integers or bools.
    Raises: ValueError for nothing but NaN or no elements along the axis, IndexError for an axis outside the array, TypeError for complex numbers.
    Source: NumPy 2, nanargmax.
    """

def nanargmin(x: Array, /, axis: int | None = None, out: Array | tuple[Array] | None = None, *, keepdims: builtins.bool = False) -> Array:
    """
    Index of the smallest element that is not NaN, along an axis or in row-major order of all.

    The first one of equal elements; of an element that is not NaN also where that is infinite.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: the axis goes, or has length 1 with keepdims; without an axis all go.
    Returns: int64, new memory, or `out`.
    Waits: for the result, unless x is of integers or bools.
    Raises: ValueError for nothing but NaN or no elements along the axis, IndexError for an axis outside the array, TypeError for complex numbers.
    Source: NumPy 2, nanargmin.
    """

def unravel_index(indices: Elements, shape: Shape, /, order: str = 'C') -> tuple[Array, ...]:
    """
    Indices into the elements of an array of this shape as an index for each axis.

    order: in which elements are counted, "C" for the last axis first, "F" for the first axis first. An index that is too large or negative is not found out: that of one axis is outside the shape then.
    Returns: int64, one array for each axis, new memory, pending.
    Raises: TypeError for what are no integers, ValueError for a shape without axes or elements and another order.
    Source: NumPy 2, unravel_index.
    """

def divmod(x1: Array | Number, x2: Array | Number, /) -> tuple[Array, Array]:
    """
    Quotient rounded towards minus infinity, and remainder: what floor_divide and remainder give, and `divmod(x1, x2)` of Python.

    Shapes: operands broadcast.
    Returns: two arrays in new memory, pending; one kernel writes both, if both are alive.
    Waits: no, unless an operand is shared with others who may change it.
    Raises: TypeError for bools, complex numbers and numbers alone, ValueError for shapes that do not broadcast.
    Source: NumPy 2, divmod.
    """

def modf(x: Array, /) -> tuple[Array, Array]:
    """
    The part behind the point and the part before it, both with the sign of x.

    Of infinity 0 and infinity, of NaN both NaN. Integers are calculated as floats.

    Returns: two arrays in new memory, pending; one kernel writes both, if both are alive.
    Waits: no, unless x is shared with others who may change it.
    Raises: TypeError for complex numbers.
    Source: NumPy 2, modf; C17 7.12.6.12.
    """

def frexp(x: Array, /) -> tuple[Array, Array]:
    """
    Mantissa from 0.5 to 1 and exponent, of which x is mantissa * 2**exponent, exactly.

    Zeros, infinities and NaN are their own mantissa and have the exponent 0. Integers are calculated as floats.

    Returns: two arrays in new memory, pending; the exponent is int32. One kernel writes both, if both are alive.
    Waits: no, unless x is shared with others who may change it.
    Raises: TypeError for complex numbers.
    Source: NumPy 2, frexp; C17 7.12.6.4.
    """

def gradient(x: Array, /, *spacing: Elements, axis: Axes | None = None, edge_order: int = 1) -> Array | tuple[Array, ...]:
    """
    Derivatives along these axes, or all: differences of neighbours, of the second order inside and one-sided at both ends.

    spacing: the distance of the elements, for all axes or one for each; or, for each, an array of their coordinates. 1 without it.
    edge_order: the order at the ends, 1 or 2.
    Returns: one array for each axis in a tuple, or for one axis the array; new memory, pending.
    Raises: TypeError for bools and for another number of distances, ValueError for axes shorter than edge_order + 1, coordinates of another shape and another edge_order, IndexError for an axis outside the array.
    Source: NumPy 2, gradient.
    """

def pad(x: Array, pad_width: Indices | dict[int, int | tuple[int, int]], mode: str = 'constant', *, constant_values: Elements | None = None, end_values: Elements | None = None, stat_length: Indices | None = None, reflect_type: str | None = None) -> Array:
    """
    The array with a margin.

    pad_width: how many elements come before and after an axis: one number, one pair, a pair for each axis, or a dict with those of some axes.
    mode: "constant" for the number constant_values, "edge" for the element at the edge, "linear_ramp" for even steps from that to the number end_values, rounded down for integers, "mean", "median", "maximum" and "minimum" for those along the axis, rounded for integers, halves to even, "reflect" and "symmetric" for the elements mirrored, without and with that at the edge, "wrap" for those from the other end, "empty" for undefined elements.
    constant_values, end_values: a number, one pair of them for all axes or one for each; 0 without them.
    stat_length: of how many elements at the edge the mean and its like are, 1 or more, as pad_width but for a dict; without it of all, and where an axis has fewer.
    reflect_type: "even", or "odd" for twice the element at the edge less those that are mirrored.
    Returns: new memory; the work starts at the call.
    Waits: for constant_values and end_values, if they are arrays.
    Raises: ValueError for negative widths, another number of them, another mode, an argument that the mode does not take, a stat_length less than 1, and an axis without elements in all modes but "constant" and "empty"; TypeError for numbers that are none, bools as widths, and struct dtypes in modes that calculate.
    Source: NumPy 2, pad.
    """

def sliding_window_view(x: Array, window_shape: Shape, axis: Axes | None = None) -> Array:
    """
    All windows of this shape into x.

    Shapes: these axes, or all, get as many indices as there are windows along them; new axes at the end have the elements of each. An axis may be repeated.
    Returns: a read-only view; nothing is calculated.
    Raises: ValueError for another number of lengths, negative ones and those longer than the axis, IndexError for an axis outside the array.
    Source: NumPy 2, lib.stride_tricks.sliding_window_view.
    """

def diagonal(x: Array, /, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """
    The diagonals of the matrices that two axes make, as the last axis.

    offset: the column at which they begin, or less than 0 the row.
    Returns: a view, through which x is written to, unlike NumPy's.
    Raises: ValueError for fewer than two axes, or one axis twice, IndexError for an axis outside the array.
    Source: NumPy 2, diagonal.
    """

def trace(x: Array, /, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: object | None = None, out: Array | tuple[Array] | None = None) -> Array:
    """
    The sums of the diagonals, as sum gives them.

    offset, axis1, axis2: as of diagonal.
    Returns: new memory, pending, or `out`.
    Raises: as diagonal and sum.
    Source: NumPy 2, trace.
    """

def unique_values(x: Array, /) -> Array:
    """
    The distinct elements of an array.

    Each NaN is distinct from all others; 0.0 and -0.0 are equal, and the first one is given. Values are in ascending order, as in sort().
    Returns: new memory. Values and what belongs to them have one axis.
    Waits: for x, since the number of values is known only then.
    Raises: TypeError for struct dtypes.
    Source: Array API 2025.12, unique_values.
    """

def unique_counts(x: Array, /) -> isthmus._results.UniqueCountsResult:
    """
    The distinct elements of an array, and how often each is there: (values, counts).

    Each NaN is distinct from all others; 0.0 and -0.0 are equal, and the first one is given. Values are in ascending order, as in sort().
    Returns: new memory. Values and what belongs to them have one axis.
    Waits: for x, since the number of values is known only then.
    Raises: TypeError for struct dtypes.
    Source: Array API 2025.12, unique_counts.
    """

def unique_inverse(x: Array, /) -> isthmus._results.UniqueInverseResult:
    """
    The distinct elements of an array, and for each element of x which of them it is: (values, inverse_indices).

    Each NaN is distinct from all others; 0.0 and -0.0 are equal, and the first one is given. Values are in ascending order, as in sort().
    Returns: new memory. Values and what belongs to them have one axis; inverse_indices has the shape of x.
    Waits: for x, since the number of values is known only then.
    Raises: TypeError for struct dtypes.
    Source: Array API 2025.12, unique_inverse.
    """

def unique_all(x: Array, /) -> isthmus._results.UniqueAllResult:
    """
    The distinct elements of an array, where each is first among x's in row-major order, for each element of x which of them it is, and how often each is there: (values, indices, inverse_indices, counts).

    Each NaN is distinct from all others; 0.0 and -0.0 are equal, and the first one is given. Values are in ascending order, as in sort().
    Returns: new memory. Values and what belongs to them have one axis; inverse_indices has the shape of x.
    Waits: for x, since the number of values is known only then.
    Raises: TypeError for struct dtypes.
    Source: Array API 2025.12, unique_all.
    """

def isin(x1: Elements, x2: Elements, /, *, invert: builtins.bool = False) -> Array:
    """
    Whether each element of x1 is equal to any of x2, or with invert to none; NaN is equal to nothing.

    Shapes: that of x1.
    Returns: bool, new memory, pending; of complex numbers written out at once.
    Waits: on the host for x2 if it is an array, which the call calculates and looks at; on a device it queues that.
    Raises: TypeError if neither is an array and for struct dtypes, PromotionError for dtypes without a common one.
    Source: Array API 2025.12, isin.
    """

def median(x: Array, /, axis: Axes | None = None, *, keepdims: builtins.bool = False) -> Array:
    """
    The middle of the elements in order, or the mean of the two in the middle; NaN if any is NaN, or if there are none. Floats and complex numbers keep their dtype, others give the default real one; complex numbers are in the order of sort().

    Shapes: without these axes, or with length 1 for keepdims.
    Returns: new memory, pending.
    Waits: on the host for x, which the call calculates and selects from; on a device it queues that.
    Raises: IndexError for an axis outside the array, TypeError for struct dtypes.
    Source: NumPy 2, median.
    """

def nanmedian(x: Array, /, axis: Axes | None = None, *, keepdims: builtins.bool = False) -> Array:
    """
    The median of the elements that are not NaN; NaN where there are none. Floats and complex numbers keep their dtype, others give the default real one; complex numbers are in the order of sort().

    Shapes: without these axes, or with length 1 for keepdims.
    Returns: new memory, pending.
    Waits: on the host for x, which the call calculates and selects from; on a device it queues that.
    Raises: IndexError for an axis outside the array, TypeError for struct dtypes.
    Source: NumPy 2, nanmedian.
    """

def quantile(x: Array, /, q: Elements, axis: Axes | None = None, *, keepdims: builtins.bool = False, method: str = 'linear') -> Array:
    """
    The q-th quantile of the elements, with q from 0 to 1: 0 is the smallest element, 1 the largest one. NaN if any element is NaN.

    method: of n elements in order, counted from 0, it is the element at q * (n - 1). Where that lies between two elements, "linear" interpolates, "lower" and "higher" take one of the two, "nearest" the nearer one, or of two as near the one with an even index, and "midpoint" the mean of both. Between two equal infinities lies the same infinity, where NumPy gives NaN.
    Shapes: that of q, then that of x without these axes, or with length 1 for keepdims.
    Returns: new memory, pending. Floats keep their dtype, whatever that of q is; others give the default real one for "linear" and "midpoint".
    Waits: for q if it is an Array, and as median().
    Raises: ValueError for another q or method, or no elements, IndexError for an axis outside the array, TypeError for complex and struct dtypes.
    Source: NumPy 2, quantile.
    """

def percentile(x: Array, /, q: Elements, axis: Axes | None = None, *, keepdims: builtins.bool = False, method: str = 'linear') -> Array:
    """
    The q-th quantile of the elements, with q from 0 to 100: 0 is the smallest element, 100 the largest one. NaN if any element is NaN.

    method: of n elements in order, counted from 0, it is the element at q / 100 * (n - 1). Where that lies between two elements, "linear" interpolates, "lower" and "higher" take one of the two, "nearest" the nearer one, or of two as near the one with an even index, and "midpoint" the mean of both. Between two equal infinities lies the same infinity, where NumPy gives NaN.
    Shapes: that of q, then that of x without these axes, or with length 1 for keepdims.
    Returns: new memory, pending. Floats keep their dtype, whatever that of q is; others give the default real one for "linear" and "midpoint".
    Waits: for q if it is an Array, and as median().
    Raises: ValueError for another q or method, or no elements, IndexError for an axis outside the array, TypeError for complex and struct dtypes.
    Source: NumPy 2, percentile.
    """

def nanquantile(x: Array, /, q: Elements, axis: Axes | None = None, *, keepdims: builtins.bool = False, method: str = 'linear') -> Array:
    """
    The q-th quantile of the elements, with q from 0 to 1: 0 is the smallest element, 1 the largest one. NaN is left out; NaN where there is nothing else.

    method: of n elements in order, counted from 0, it is the element at q * (n - 1). Where that lies between two elements, "linear" interpolates, "lower" and "higher" take one of the two, "nearest" the nearer one, or of two as near the one with an even index, and "midpoint" the mean of both. Between two equal infinities lies the same infinity, where NumPy gives NaN.
    Shapes: that of q, then that of x without these axes, or with length 1 for keepdims.
    Returns: new memory, pending. Floats keep their dtype, whatever that of q is; others give the default real one for "linear" and "midpoint".
    Waits: for q if it is an Array, for how many elements are not NaN, and as median().
    Raises: ValueError for another q or method, IndexError for an axis outside the array, TypeError for complex and struct dtypes.
    Source: NumPy 2, nanquantile.
    """

def nanpercentile(x: Array, /, q: Elements, axis: Axes | None = None, *, keepdims: builtins.bool = False, method: str = 'linear') -> Array:
    """
    The q-th quantile of the elements, with q from 0 to 100: 0 is the smallest element, 100 the largest one. NaN is left out; NaN where there is nothing else.

    method: of n elements in order, counted from 0, it is the element at q / 100 * (n - 1). Where that lies between two elements, "linear" interpolates, "lower" and "higher" take one of the two, "nearest" the nearer one, or of two as near the one with an even index, and "midpoint" the mean of both. Between two equal infinities lies the same infinity, where NumPy gives NaN.
    Shapes: that of q, then that of x without these axes, or with length 1 for keepdims.
    Returns: new memory, pending. Floats keep their dtype, whatever that of q is; others give the default real one for "linear" and "midpoint".
    Waits: for q if it is an Array, for how many elements are not NaN, and as median().
    Raises: ValueError for another q or method, IndexError for an axis outside the array, TypeError for complex and struct dtypes.
    Source: NumPy 2, nanpercentile.
    """

def bincount(x: Array, /, weights: Elements | None = None, minlength: int = 0) -> Array:
    """
    How often each number from 0 to the greatest of x is in x, or the sums of its weights.

    Shapes: x has one axis, weights its shape; the result has the greatest number + 1, or minlength if that is more.
    Returns: new memory: int64, or the default real dtype with weights. CPUs add these up one after another, as NumPy does, and GPUs in pairs: the bits are the same on every run.
    Waits: for x, since its greatest number decides the length.
    Raises: TypeError for what are no integers, ValueError for negative numbers, other axes or shapes.
    Source: NumPy 2, bincount.
    """

def histogram(x: Array, /, bins: int | str | Elements = 10, range: tuple[float, float] | None = None, density: builtins.bool = False, weights: Elements | None = None) -> tuple[Array, Array]:
    """
    How many elements are in each bin, and the edges between bins: (counts, edges). A bin has its lower edge, and the last one both; what is in none is not counted, nor is NaN.

    bins: a number of bins of one width, from range[0] to range[1] or from the smallest element to the largest; a rule that finds it, "auto", "doane", "fd", "rice", "scott", "sqrt" or "sturges"; or edges, which do not fall.
    density: the integral over all bins is 1.
    weights: what each element counts, added up as in bincount(); counts have their dtype.
    Returns: new memory; counts are int64, edges in the dtype of floats, else the default real one.
    Waits: for the smallest and the largest element, or for edges.
    Raises: ValueError for no bins, another rule, a range that is not finite, that falls, or whose edges would be equal or infinite, edges that fall, other shapes, TypeError for complex and struct dtypes and for a rule with weights.
    Source: NumPy 2, histogram.
    """

def add_at(x: Array, indices: Index | tuple[Index, ...], values: Elements, /) -> None:
    """
    x[indices] += values, where an element that is meant several times gets all its values. Integers are exact. CPUs add floats up one after another, as NumPy does, and GPUs in pairs: the bits are the same on every run. Halves, and values of a wider dtype than x, are added up in pairs and rounded once.

    indices: what x[...] takes; a tuple has one entry for each axis.
    Shapes: values broadcast to that of x[indices].
    Returns: nothing; x is changed.
    Waits: as put.
    Raises: as x[indices] for those, TypeError for a sum of a greater family than x, ValueError for read-only memory, an array without axes and shapes that do not broadcast.
    Source: NumPy 2, add.at.
    """

class LocalMemory:
    """
    Memory that the work-items of a group share, as an argument of a kernel.

    LocalMemory(nbytes): so many bytes for each group.

    Source: pyopencl 2026.1, LocalMemory.
    """

    def __init__(self, nbytes: int) -> None: ...

    @property
    def nbytes(self) -> int:
        """Bytes of each group."""

class RawKernel:
    """
    One kernel of a text in OpenCL C, for arrays of opencl, sycl and cpu.

    RawKernel(code, name, options=()): the kernel `name` of `code`; options are the compiler's,
    ("-DN=4",). It is built for a device when it is first called there, once for each text;
    builds are kept in memory and on disk.

    kernel(grid, block, args) runs `grid` groups of `block` work-items each.

    Waits: no. Raises: ValueError for an empty name.
    Source: CuPy 13, RawKernel.
    """

    def __init__(self, code: str, name: str, options: tuple[str, ...] | list[str] | str = ()) -> None: ...

    def __call__(self, grid: int | tuple[int, ...], block: int | tuple[int, ...], args: tuple[object, ...] | list[object]) -> None:
        """
        Runs the kernel in `grid` groups of `block` work-items each, along up to three axes.

        Arrays are passed as the address of their first element, whatever their strides; the kernel
        reads and writes them in place, in order with all other work. A number becomes what the text
        declares; a struct is a NumPy scalar, or bytes; LocalMemory is memory of a group. Arrays of
        cpu are worked on where they lie, by an OpenCL device that reaches the host's memory.

        Returns: None. Waits: for what the arguments are calculated from, and for the build; not for
        the kernel, unless the host may look at what it writes without asking.
        Raises: CompileError with the text and the compiler's words, TypeError, ValueError and
        OverflowError for arguments that do not fit what the text declares, ValueError for groups that
        are too large and for read-only memory, DeviceMismatchError for arrays of several devices,
        NotImplementedError for a device without kernels of users.
        Source: CuPy 13, RawKernel.
        """

    def attributes(self, device: Device | str | None = None) -> dict[str, int]:
        """
        What the kernel takes of a device: `largest_group`, the work-items that a group can have,
        `group_multiple`, of which it best has a multiple, `local_bytes` of a group and
        `private_bytes` of a work-item.

        Waits: for the build. Raises: as a call does.
        Source: OpenCL 3.0, clGetKernelWorkGroupInfo.
        """

    @property
    def name(self) -> str:
        """Of the kernel."""

    def compile(self, device: Device | str | None = None) -> None:
        """
        Builds it for a device, which a first call does by itself; by default for default_device.

        Returns: None. Waits: for the build. Raises: CompileError and NotImplementedError, as a call
        does; of a kernel ValueError where the text has none of its name.
        Source: CuPy 13, RawModule.compile.
        """

    @property
    def code(self) -> str:
        """All of the text."""

    @property
    def options(self) -> tuple[str, ...]:
        """Of the compiler."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

class RawModule:
    """
    A text in OpenCL C with several kernels.

    RawModule(code, options=()): as of RawKernel. get_function(name) is one of its kernels.

    Waits: no.
    Source: CuPy 13, RawModule.
    """

    def __init__(self, code: str, options: tuple[str, ...] | list[str] | str = ()) -> None: ...

    def get_function(self, name: str) -> RawKernel:
        """
        The kernel of this name. Whether there is one shows when it is built.

        Returns: a new RawKernel. Waits: no. Raises: ValueError for an empty name.
        Source: CuPy 13, RawModule.
        """

    def compile(self, device: Device | str | None = None) -> None:
        """
        Builds it for a device, which a first call does by itself; by default for default_device.

        Returns: None. Waits: for the build. Raises: CompileError and NotImplementedError, as a call
        does; of a kernel ValueError where the text has none of its name.
        Source: CuPy 13, RawModule.compile.
        """

    @property
    def code(self) -> str:
        """All of the text."""

    @property
    def options(self) -> tuple[str, ...]:
        """Of the compiler."""

    def __reduce__(self) -> tuple[Any, ...]: ...

def _on_queue(queue: object, function: Callable[..., Any], /, *args: object) -> Any:
    """
    function(*args) of Isthmus with this current queue, a pyopencl.CommandQueue or one of ours.
    """

_EVENTS_KEPT: int = 12

def _reinterpreted(array: Array, dtype: object, has_lanes: builtins.bool) -> Array:
    """
    The memory of an array as the lanes of its vectors, a new last axis, or as the vectors
    whose lanes its last axis has. Private, if the memory is.
    """

def _begin_copy(from_: Array, to: Array) -> None:
    """
    Begins to copy a row-major array of a device to one of the host, of as many bytes. Work on
    the queue comes behind it.
    """

class _HostMapping:
    """
    A copy on the host of an array on a device: changed elements are copied to the
    device before operations on the memory, and it is refreshed after them.
    """

    def __init__(self, array: Array, is_writable: builtins.bool) -> None: ...

    @property
    def host(self) -> Array:
        """The copy, of the array's shape and strides."""

    def end(self) -> None:
        """Copies the last changes to the device, and detaches the copy. Waits."""

class _IndexedKernel:
    """A text about x[i] that is plain arithmetic, which the host can do."""

def _is_word_of_c(name: str) -> builtins.bool: ...

def _read_indexed(operation: str, parameters: list[tuple[str, object, builtins.bool]]) -> _IndexedKernel | None:
    """
    The text of an ElementwiseKernel; parameters are names, dtypes and whether they are
    arrays. None for other texts.
    """

class _PlainKernel:
    """A kernel of isthmus.cl for arguments that need no preparation."""

    def __init__(self, kernel: RawKernel, parameters: list[tuple[str, int]], group: int, each: int, most: int, end_of: Any, own: _IndexedKernel | None) -> None: ...

    def __call__(self, args: tuple[object, ...], queue: object) -> Any:
        """
        An event, end_of(queue) where the driver gives none; None, and nothing was done, for other
        arguments.
        """

class _ArrayOnQueue:
    """What each operation of isthmus.cl.array.Array needs."""

    __hash__: None = ...  # type: ignore[assignment]

    def __lt__(self, other: Any, /) -> Self: ...

    def __le__(self, other: Any, /) -> Self: ...

    def __eq__(self, other: object, /) -> Self: ...  # type: ignore[override]

    def __ne__(self, other: object, /) -> Self: ...  # type: ignore[override]

    def __gt__(self, other: Any, /) -> Self: ...

    def __ge__(self, other: Any, /) -> Self: ...

    def __add__(self, other: Any, /) -> Self: ...

    def __radd__(self, other: Any, /) -> Self: ...

    def __sub__(self, other: Any, /) -> Self: ...

    def __rsub__(self, other: Any, /) -> Self: ...

    def __mul__(self, other: Any, /) -> Self: ...

    def __rmul__(self, other: Any, /) -> Self: ...

    def __mod__(self, other: Any, /) -> Self: ...

    def __rmod__(self, other: Any, /) -> Self: ...

    def __pow__(self, other: Any, /) -> Self: ...

    def __rpow__(self, other: Any, /) -> Self: ...

    def __neg__(self, /) -> Self: ...

    def __abs__(self, /) -> Self: ...

    def __invert__(self, /) -> Self: ...

    def __lshift__(self, other: Any, /) -> Self: ...

    def __rlshift__(self, other: Any, /) -> Self: ...

    def __rshift__(self, other: Any, /) -> Self: ...

    def __rrshift__(self, other: Any, /) -> Self: ...

    def __and__(self, other: Any, /) -> Self: ...

    def __rand__(self, other: Any, /) -> Self: ...

    def __xor__(self, other: Any, /) -> Self: ...

    def __rxor__(self, other: Any, /) -> Self: ...

    def __or__(self, other: Any, /) -> Self: ...

    def __ror__(self, other: Any, /) -> Self: ...

    def __iadd__(self, other: Any, /) -> Self: ...

    def __isub__(self, other: Any, /) -> Self: ...

    def __imul__(self, other: Any, /) -> Self: ...

    def __iand__(self, other: Any, /) -> Self: ...

    def __ixor__(self, other: Any, /) -> Self: ...

    def __ior__(self, other: Any, /) -> Self: ...

    def __floordiv__(self, other: Any, /) -> Self: ...

    def __rfloordiv__(self, other: Any, /) -> Self: ...

    def __truediv__(self, other: Any, /) -> Self: ...

    def __rtruediv__(self, other: Any, /) -> Self: ...

    def __itruediv__(self, other: Any, /) -> Self: ...

    def finish(self) -> None: ...

    queue: Any

    allocator: Any

    _context: Any

    _events: list[Any]

    _held: Any

    _lanes: Array | None

    _vector: numpy.dtype[Any]

    _news: int

    _x: Array

class ReductionKernel:
    """
    A reduction, as text in OpenCL C, for arrays of opencl, sycl and cpu.

    ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", 0, "norm")(x, axis=1)

    map_expr is an expression of the input parameters, which are those of an ElementwiseKernel;
    reduce_expr combines two of its values, a and b, in an order that is the same each time: it
    must be associative and commutative. post_map_expr is a statement that assigns the output from a. identity is
    what no elements give, a number or C text; None: that is an error. reduce_type is the dtype
    of a and b, or its name in `structs`; None: that of the output. All values can be structs, of 128 bytes at most:
    `structs` are their dtypes by the names that the texts have for them. The identity of a struct
    can be an initializer, "{0, -1}". `options` are as of ElementwiseKernel.

    Waits: no.
    Raises: ValueError for parameters that cannot be read, and for an output that
    post_map_expr does not name.
    Source: CuPy 13, ReductionKernel.
    """

    def __init__(self, in_params: str, out_params: str, map_expr: str, reduce_expr: str, post_map_expr: str, identity: Number | str | None = None, name: str = 'reduce_kernel', reduce_type: DTypeLike | None = None, preamble: str = '', *, options: tuple[str, ...] | list[str] | str = (), structs: Mapping[str, DTypeLike] | None = None) -> None: ...

    def __call__(self, *args: object, axis: int | tuple[int, ...] | None = None, keepdims: builtins.bool = False) -> Array:
        """
        The reduction along axes of what the arguments are broadcast to; without axis, of all.

        Returns: new memory, pending: the map, the reduction and what follows are one kernel, with
        the operations around them. On cpu the kernel runs at once.
        Waits: no, but for arrays of cpu: for the build.
        Raises: as ElementwiseKernel; ValueError for no elements where there is no identity, IndexError
        for an axis that is not there.
        Source: CuPy 13, ReductionKernel.
        """

    @property
    def name(self) -> str:
        """As errors and profiles have it."""

    def __repr__(self) -> str: ...

    @property
    def nin(self) -> int:
        """Of input parameters."""

    @property
    def nout(self) -> int:
        """Of output parameters."""

    @property
    def nargs(self) -> int:
        """Of all parameters."""

    @property
    def preamble(self) -> str:
        """What stands before its text."""

    @property
    def options(self) -> tuple[str, ...]:
        """Of the compiler."""

    def __reduce__(self) -> tuple[Any, ...]: ...

class ScanKernel:
    """
    A scan, as text in OpenCL C: what a reduction gives up to each element.

    ScanKernel("T x", "T y", "x", "a > b ? a : b", "y = a")(x)

    map_expr, scan_expr and post_map_expr are as of ReductionKernel, scan_type as reduce_type.
    Elements are combined in their order: scan_expr must be associative, no more.
    is_segment_start_expr, an expression of the input parameters, is not 0 where the scan begins
    anew. exclusive: an element is not part of its own result; the first one, of each segment, is
    identity, a number or C text, which is neutral: it is not combined with the others. That is two
    kernels. Values can be structs, and `options` are, as there.

    Waits: no.
    Raises: ValueError for parameters that cannot be read, and for an exclusive scan without
    an identity.
    Source: pyopencl 2026.1, InclusiveScanKernel, in the form of CuPy's ReductionKernel.
    """

    def __init__(self, in_params: str, out_params: str, map_expr: str, scan_expr: str, post_map_expr: str, name: str = 'scan_kernel', scan_type: DTypeLike | None = None, preamble: str = '', *, is_segment_start_expr: str | None = None, exclusive: builtins.bool = False, identity: Number | str | None = None, options: tuple[str, ...] | list[str] | str = (), structs: Mapping[str, DTypeLike] | None = None) -> None: ...

    def __call__(self, *args: object, axis: int | None = None) -> Array:
        """
        The scan along an axis of what the arguments are broadcast to; without one there must be one
        axis.

        Returns: new memory, pending. On cpu the kernel runs at once.
        Waits: no, but for arrays of cpu: for the build.
        Raises: as ReductionKernel.
        Source: pyopencl 2026.1, InclusiveScanKernel.
        """

    @property
    def name(self) -> str:
        """As errors and profiles have it."""

    def __repr__(self) -> str: ...

    @property
    def nin(self) -> int:
        """Of input parameters."""

    @property
    def nout(self) -> int:
        """Of output parameters."""

    @property
    def nargs(self) -> int:
        """Of all parameters."""

    @property
    def preamble(self) -> str:
        """What stands before its text."""

    @property
    def options(self) -> tuple[str, ...]:
        """Of the compiler."""

    def __reduce__(self) -> tuple[Any, ...]: ...

class ElementwiseKernel:
    """
    A function of elements, as text in OpenCL C, for arrays of opencl, sycl and cpu.

    ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared")(x, y)

    Parameters have a dtype, or one capital letter, which stands for the dtype of what is given.
    Of a `raw` one the text has all elements in row-major order, x[k]; of the others one element
    of arrays that are broadcast. `i` is the number of the element in row-major order, `n` how
    many there are. The operation is statements that assign the output parameters. `preamble`
    stands before the functions in each kernel. `options` are the compiler's: those that define
    macros, ("-DN=4",), are lines before the preamble; a kernel with others, such as
    "-cl-fast-relaxed-math", is compiled with them, and calculates nothing but functions with
    the same ones. `structs` are the dtypes of structs by the names that the texts have for them:
    {"pair": numpy.dtype([("low", "f4"), ("high", "f4")])}.

    Waits: no.
    Raises: ValueError for parameters that cannot be read, and for an output that
    neither the operation nor the preamble names.
    Source: CuPy 13, ElementwiseKernel.
    """

    def __init__(self, in_params: str, out_params: str, operation: str, name: str = 'kernel', preamble: str = '', *, options: tuple[str, ...] | list[str] | str = (), structs: Mapping[str, DTypeLike] | None = None) -> None: ...

    def __call__(self, *args: object, size: int | tuple[int, ...] | None = None) -> Any:
        """
        The output, or a tuple of several, for arrays and numbers in the order of the parameters.

        Behind the inputs arrays may stand that outputs are written to. An output is what its
        element was until the text assigns it, in a new array 0. `size` is the shape where no array
        that is not raw says it.

        Returns: new memory, pending: it fuses with what is around it. On cpu a text that is no
        plain arithmetic runs at once, on an OpenCL device that reaches the host's memory.
        Waits: no, but for such a text of arrays of cpu: for the build.
        Raises: TypeError for dtypes that do not fit, ValueError for shapes,
        OverflowError for numbers, DeviceMismatchError for arrays of several devices,
        NotImplementedError for a device without kernels of users. What does not compile is a
        CompileError where the result is needed.
        Source: CuPy 13, ElementwiseKernel.
        """

    @property
    def name(self) -> str:
        """As errors and profiles have it."""

    @property
    def operation(self) -> str:
        """Its text."""

    @property
    def nin(self) -> int:
        """Of input parameters."""

    @property
    def nout(self) -> int:
        """Of output parameters."""

    @property
    def nargs(self) -> int:
        """Of all parameters."""

    @property
    def preamble(self) -> str:
        """What stands before its text."""

    @property
    def options(self) -> tuple[str, ...]:
        """Of the compiler."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

def matmul(x1: Array, x2: Array, /, out: Array | tuple[Array] | None = None) -> Array:
    """
    Product of matrices: x1 @ x2.

    out: an array that gets the result instead of new memory, and is returned.
    Dtypes: that of both; halves are summed in float32 and rounded once, integers wrap around, bools are joined by "or" of "and".
    Shapes: (..., m, k) and (..., k, n) give (..., m, n); axes in front broadcast. One axis is a row on the left and a column on the right, and goes.
    Returns: new memory, or `out`. Floats and complex numbers are multiplied by a BLAS of the host where it reaches the memory, when this is called (config.blas); integers and bools in blocks of ours. Elsewhere a kernel multiplies tiles in local memory. Products with vectors and of small matrices are sums of products, and pending.
    Waits: for the operands; for the result too, where the host multiplies.
    Raises: ValueError for shapes that do not fit and for operands without axes, TypeError for structs.
    Source: Array API 2025.12, matmul.
    """

def outer(x1: Array | Number, x2: Array | Number, /, out: Array | tuple[Array] | None = None) -> Array:
    """
    All products of an element of x1 and one of x2.

    out: an array that gets the result instead of new memory, and is returned.
    Shapes: (x1.size, x2.size), each in row-major order. One of them may be a number.
    Returns: new memory, or `out`; pending.
    Waits: no, unless an operand is shared with others who may change it.
    Raises: TypeError for structs.
    Source: NumPy 2, outer.
    """

def vdot(x1: Array, x2: Array, /, out: Array | tuple[Array] | None = None) -> Array:
    """
    Sum of conj(x1) * x2 over all elements.

    out: an array that gets the result instead of new memory, and is returned.
    Dtypes: that of both; halves are summed in float32 and rounded once, integers wrap around, bools are joined by "or" of "and".
    Shapes: both have equally many elements; the result has no axes.
    Returns: new memory, or `out`; pending.
    Waits: no, unless an operand is shared with others who may change it.
    Raises: ValueError for other sizes, TypeError for structs.
    Source: NumPy 2, vdot.
    """

def dot(x1: Array | Number, x2: Array | Number, /, out: Array | tuple[Array] | None = None) -> Array:
    """
    NumPy's product of arrays.

    out: an array that gets the result instead of new memory, and is returned.
    Dtypes: that of both; halves are summed in float32 and rounded once, integers wrap around, bools are joined by "or" of "and".
    Shapes: without axes, and of a number, as multiply; of one or two, as matmul; else the last axis of the first and the last but one of the second go.
    Returns: new memory, or `out`. Floats and complex numbers are multiplied by a BLAS of the host where it reaches the memory, when this is called (config.blas); integers and bools in blocks of ours. Elsewhere a kernel multiplies tiles in local memory. Products with vectors and of small matrices are sums of products, and pending.
    Waits: for the operands; for the result too, where the host multiplies.
    Raises: ValueError for shapes that do not fit, TypeError for structs.
    Source: NumPy 2, dot.
    """

def vecdot(x1: Array, x2: Array, /, out: Array | tuple[Array] | None = None, *, axis: int = -1) -> Array:
    """
    Sum of conj(x1) * x2 along one axis.

    out: an array that gets the result instead of new memory, and is returned.
    Dtypes: that of both; halves are summed in float32 and rounded once, integers wrap around, bools are joined by "or" of "and".
    Shapes: the axis is equally long in both, and goes; the others broadcast.
    Returns: new memory, or `out`; pending.
    Waits: no, unless an operand is shared with others who may change it.
    Raises: IndexError for an axis outside an array, ValueError for shapes that do not fit, TypeError for structs.
    Source: Array API 2025.12, vecdot.
    """

def tensordot(x1: Array, x2: Array, /, axes: SupportsIndex | tuple[Axes, Axes] | list[Axes] | Elements = 2) -> Array:
    """
    Sum of products over pairs of axes.

    axes: how many, the last of x1 and the first of x2; or axes of x1 and of x2, which are paired in this order, as tuples, lists or one array. 0 gives all products.
    Dtypes: that of both; halves are summed in float32 and rounded once, integers wrap around, bools are joined by "or" of "and".
    Shapes: the other axes of x1, then those of x2.
    Returns: new memory, or `out`. Floats and complex numbers are multiplied by a BLAS of the host where it reaches the memory, when this is called (config.blas); integers and bools in blocks of ours. Elsewhere a kernel multiplies tiles in local memory. Products with vectors and of small matrices are sums of products, and pending.
    Waits: for the operands; for the result too, where the host multiplies.
    Raises: IndexError for an axis outside an array, ValueError for axes that differ in length or number, TypeError for structs.
    Source: Array API 2025.12, tensordot.
    """

def einsum(subscripts: str | Array, /, *operands: Array | Sequence[Any], optimize: builtins.bool | str | Sequence[Any] = True, out: Array | tuple[Array] | None = None) -> Array:
    """
    Sum of products that names of axes describe: "ij,jk->ik" is a product of matrices.

    One letter stands for each axis of an operand, and "..." for axes that broadcast. Axes that are not behind "->" are summed over; without "->" those stay that one operand has once, in the order of the alphabet, behind those of "...". A letter twice in one operand is its diagonal. Numbers can stand for letters: einsum(x, [0, 1], y, [1, 2], [0, 2]); each array is followed by the list of its axes, with ... for those that broadcast, and perhaps the list of the result comes last.

    optimize: True or "greedy": first the two whose product saves most memory. False: from left to right. "optimal", or a word and the elements that a product may have, ("greedy", 10**6): the order that numpy.einsum_path finds. Or a path of opt_einsum or numpy.einsum_path.
    out: an array that gets the result instead of new memory, and is returned.
    Dtypes: that of both; halves are summed in float32 and rounded once, integers wrap around, bools are joined by "or" of "and".
    Shapes: axes of one letter are equally long, or 1.
    Returns: new memory, or `out`. Floats and complex numbers are multiplied by a BLAS of the host where it reaches the memory, when this is called (config.blas); integers and bools in blocks of ours. Elsewhere a kernel multiplies tiles in local memory. Products with vectors and of small matrices are sums of products, and pending.
    Waits: for the operands; for the result too, where the host multiplies.
    Raises: ValueError for text that does not describe the operands, TypeError for structs.
    Source: NumPy 2, einsum.
    """

class _Generator:
    """Draws random numbers; see isthmus.random.Generator."""

    def __init__(self, key: int, stream: int, counter: int, children: int) -> None: ...

    def _state(self) -> tuple[int, int, int, int]: ...

    def _set_state(self, key: int, stream: int, counter: int, children: int) -> None: ...

    def _spawn(self, count: int) -> list[tuple[int, int, int, int]]: ...

    def _jumped(self, jumps: int) -> list[tuple[int, int, int, int]]: ...

    def random(self, size: Shape | None = None, dtype: object | None = None, out: Array | None = None, *, device: Device | str | None = None) -> Array:
        """
        Numbers in [0, 1): multiples of 2^-53, or of 2^-24 in float32.

        Returns: new memory, or `out`, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.random.
        """

    def standard_normal(self, size: Shape | None = None, dtype: object | None = None, out: Array | None = None, *, device: Device | str | None = None) -> Array:
        """
        Normal numbers of mean 0 and deviation 1, by the method of Box and Muller; none is farther out
        than 9.42, or 6.67 in float32.

        Returns: new memory, or `out`, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.standard_normal.
        """

    def standard_exponential(self, size: Shape | None = None, dtype: object | None = None, method: str = 'zig', out: Array | None = None, *, device: Device | str | None = None) -> Array:
        """
        Exponential numbers of mean 1; none exceeds 44.4, or 22.2 in float32.

        method: "zig" or "inv", as NumPy has them; both are -log of a number in (0, 1] here.

        Returns: new memory, or `out`, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.standard_exponential.
        """

    def uniform(self, low: Elements = 0, high: Elements = 1, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Numbers in [low, high); rounding may give `high` itself.

        Returns: new memory, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: OverflowError for a range that is not finite, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.uniform.
        """

    def normal(self, loc: Elements = 0, scale: Elements = 1, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Normal numbers: loc + scale * standard_normal(). An array `scale` is not looked at.

        Returns: new memory, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: ValueError for a scale below 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.normal.
        """

    def exponential(self, scale: Elements = 1, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Exponential numbers of mean `scale`. An array `scale` is not looked at.

        Returns: new memory, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: ValueError for a scale below 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.exponential.
        """

    def standard_gamma(self, shape: Elements, size: Shape | None = None, dtype: object | None = None, out: Array | None = None, *, device: Device | str | None = None) -> Array:
        """
        Gamma numbers of a shape and scale 1. An array `shape` is not looked at.

        Returns: new memory, or `out`, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: ValueError for a shape below 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.standard_gamma.
        """

    def gamma(self, shape: Elements, scale: Elements = 1, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Gamma numbers of a shape and a scale. Arrays are not looked at; a shape below 0 gives NaN.

        Returns: new memory, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: ValueError for parameters below 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.gamma.
        """

    def standard_cauchy(self, size: Shape | None = None, dtype: object | None = None, out: Array | None = None, *, device: Device | str | None = None) -> Array:
        """
        Quotients of two normal numbers.

        Returns: new memory, or `out`, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.standard_cauchy.
        """

    def laplace(self, loc: Elements = 0, scale: Elements = 1, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        loc + scale times the difference of two exponential numbers.

        Returns: new memory, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: ValueError for a scale below 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.laplace.
        """

    def rayleigh(self, scale: Elements = 1, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        scale times the length of a vector of two normal numbers.

        Returns: new memory, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: ValueError for a scale below 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.rayleigh.
        """

    def chisquare(self, df: Elements, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Sums of the squares of `df` normal numbers; df may have a fraction.

        Returns: new memory, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: ValueError for a df that is not above 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.chisquare.
        """

    def standard_t(self, df: Elements, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Student's t of `df` degrees of freedom.

        Returns: new memory, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: ValueError for a df that is not above 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.standard_t.
        """

    def beta(self, a: Elements, b: Elements, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Numbers from 0 to 1: x / (x + y) of gamma numbers of the shapes a and b.

        Returns: new memory, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: ValueError for parameters that are not above 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.beta.
        """

    def f(self, dfnum: Elements, dfden: Elements, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Quotients of chisquare(dfnum) / dfnum and chisquare(dfden) / dfden.

        Returns: new memory, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: ValueError for parameters that are not above 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.f.
        """

    def triangular(self, left: Elements, mode: Elements, right: Elements, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Numbers from `left` to `right` that are the more frequent the nearer they are to `mode`. Arrays are not
        looked at.

        Returns: new memory, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: ValueError where the three are not in this order, or all equal, OverflowError for a range
        that is not finite, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.triangular.
        """

    def dirichlet(self, alpha: Elements, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Numbers along a last axis whose sum is 1: gamma numbers of the shapes `alpha`, divided by their sum.
        An array `alpha` is not looked at.

        Returns: new memory, pending; its shape is (*size, len(alpha)).
        Waits: no.
        Raises: ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.dirichlet.
        """

    def binomial(self, n: Elements, p: Elements, size: Shape | None = None, *, device: Device | str | None = None) -> Array:
        """
        How many of n trials of chance p succeed, int64. Up to 2^10 trials are drawn one by one, more are
        halved by beta numbers until they are so few. An array p is not looked at: where it is no chance,
        NaN or outside of 0 to 1, the number is -2^63.

        Returns: new memory, pending; of no axes for no size and parameters that are numbers.
        Waits: for an array n, and for n above 2^10.
        Raises: ValueError for n below 0 and p outside of 0 to 1, TypeError for an n of reals, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.binomial.
        """

    def negative_binomial(self, n: Elements, p: Elements, size: Shape | None = None, *, device: Device | str | None = None) -> Array:
        """
        How many trials of chance p fail before n succeed, int64; n may have a fraction. Arrays are not looked
        at: where n or p is none, the number is -2^63.

        Returns: new memory, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: ValueError for n or p that is not above 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.negative_binomial.
        """

    def integers(self, low: Elements, high: Elements | None = None, size: Shape | None = None, dtype: object | None = None, endpoint: builtins.bool = False, *, device: Device | str | None = None) -> Array:
        """
        Integers in [low, high), or with endpoint in [low, high]; of one number in [0, low).

        Each is low + the high half of a product of 64 random bits and the number of integers. Nothing is
        rejected, so that some integers are more frequent than others, by at most one part in
        2^64 / (high - low).

        Returns: new memory, pending; int64 by default.
        Waits: for bounds that are arrays.
        Raises: ValueError where there is no integer or one does not fit the dtype, TypeError for dtypes,
        DeviceMismatchError.
        Source: numpy.random.Generator.integers.
        """

    def poisson(self, lam: Elements = 1.0, size: Shape | None = None, *, device: Device | str | None = None) -> Array:
        """
        Poisson numbers of the mean `lam`, int64, calculated in the default real dtype of the device.
        An array `lam` is not looked at: where it is no mean, NaN or below 0, the number is -2^63.

        Returns: new memory, pending; of no axes for no size and parameters that are numbers.
        Waits: no.
        Raises: ValueError for a mean below 0 or past 9.2e18, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.poisson.
        """

    def bytes(self, length: SupportsIndex) -> bytes:
        """
        So many random bytes.

        Waits: until they are there.
        Raises: ValueError for a negative length.
        Source: numpy.random.Generator.bytes.
        """

    def permutation(self, x: Elements | SupportsIndex, axis: SupportsIndex = 0, *, device: Device | str | None = None) -> Array:
        """
        The parts of an array along an axis in random order; of an int the numbers below it, int64.

        Shapes: that of x.
        Returns: new memory, pending.
        Waits: no.
        Raises: IndexError for a bad axis, TypeError.
        Source: numpy.random.Generator.permutation.
        """

    def permuted(self, x: Elements, *, axis: SupportsIndex | None = None, out: Array | None = None, device: Device | str | None = None) -> Array:
        """
        The elements of an array in random order along an axis, another order for each place on the others;
        without an axis all elements.

        Shapes: that of x.
        Returns: new memory, or `out`; pending.
        Waits: no.
        Raises: IndexError for a bad axis, TypeError.
        Source: numpy.random.Generator.permuted.
        """

    def shuffle(self, x: Array, axis: SupportsIndex = 0) -> None:
        """
        Puts the parts of an array along an axis in random order, in place.

        Waits: as x[...] = y does.
        Raises: IndexError for a bad axis, ValueError for a read-only array.
        Source: numpy.random.Generator.shuffle.
        """

    def choice(self, a: Elements | SupportsIndex, size: Shape | None = None, replace: builtins.bool = True, p: Elements | None = None, axis: SupportsIndex = 0, shuffle: builtins.bool = True, *, device: Device | str | None = None) -> Array:
        """
        Parts of an array along an axis, or numbers below an int, drawn with or without replacement.

        With `p`, reals with the sum 1, each is drawn so often. Their order is random, too, with `shuffle` or
        without it.

        Shapes: `size` stands in the place of the axis.
        Returns: new memory, pending.
        Waits: to look at p, and where fewer than one in 32 are drawn without replacement.
        Raises: ValueError for more than there are and for a p that is none, IndexError for a bad axis.
        Source: numpy.random.Generator.choice.
        """

def _seeded(seeds: list[list[int]]) -> tuple[int, int, int, int]: ...

def _seeded_by_entropy() -> tuple[int, int, int, int]: ...

def _philox4x32(counter: Array, key: Array) -> Array: ...

def asarray(obj: object, /, dtype: object = None, *, device: Device | str | None = None, copy: builtins.bool | None = None) -> Array:
    """
    Anything that holds numbers as an array: by __sycl_usm_array_interface__, DLPack, the
    buffer protocol, __array_interface__ or __array__; arrays and memory of pyopencl; memory
    objects; numbers, and nested lists of them, through NumPy if they are not all Python's own.
    Lists of arrays are stacked where the arrays lie.

    Returns: a view of the object's memory, which it keeps alive; a copy if copy=True, for
    another dtype or device, for numbers and lists, and for NumPy arrays whose elements are
    misaligned, swapped or not a whole number of elements apart.
    Waits: no.
    Raises: CopyRefusedError if copy=False and it takes a copy; ExchangeError (BufferError)
    with the reason of every protocol; TypeError for what is no numbers.
    Source: Array API 2025.12.
    """

def from_dlpack(x: object, /, *, device: Device | str | None = None, copy: builtins.bool | None = None) -> Array:
    """
    The memory of an array of another library, by DLPack 1.3 or older.

    Returns: a view, read-only where the producer says so and for JAX; a copy if copy=True or
    for another device.
    Waits: no.
    Raises: BufferError, naming the field; CopyRefusedError if copy=False and it takes a copy.
    Source: Array API 2025.12.
    """

class Explanation:
    """What asarray would do with an object, and why; see explain."""

    @property
    def verdict(self) -> str:
        """'zero-copy', 'copy' or 'impossible'."""

    @property
    def protocol(self) -> str:
        """
        Who would bring it: a name of protocols(), 'isthmus' or 'numpy'; else ''.
        """

    @property
    def reason(self) -> str:
        """Why; for our own arrays, why the memory is shared or private."""

    @property
    def exports(self) -> dict[str, str]:
        """By protocol, how an array of ours could be shown to others."""

    def __repr__(self) -> str: ...

def explain(obj: object, device: Device | str | None = None) -> Explanation:
    """
    What asarray(obj, device=device) would do: share, copy or fail, by which protocol and why; for an array of ours also why it is shared.

    Waits: for the object's own value, where its protocol says so, and for arrays in lists.
    """

def _wait(x: Array, /) -> None:
    """
    Until the host may look at it: an interrupt shows here, where NumPy would swallow it.
    """

def protocols() -> tuple[str, ...]:
    """
    Names of the exchange protocols, in the order in which asarray asks them.
    """

class _Memory:
    """What the classes of isthmus.memory derive from."""

    def __init__(self, array: Array) -> None: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

    @property
    def _array(self) -> Array:
        """Its bytes: an array of uint8. Returns: a view."""

def _allocate_bytes(bytes: int, alignment: int, queue: Queue, kind: str, /) -> Array: ...

def _bytes_of(array: Array, is_whole: builtins.bool, /) -> Array: ...

def _held_bytes(array: Array, owner: object, /) -> Array: ...

def _owner_of(array: Array, /) -> Any: ...

def _address_of(array: Array, /) -> int: ...

def _kind_of(array: Array, /) -> str: ...

def _is_contiguous(array: Array, /) -> tuple[builtins.bool, builtins.bool]:
    """
    Whether the elements lie in row-major order, and in column-major order.
    """

def _is_host_reachable(array: Array, /) -> builtins.bool:
    """Whether the host sees the memory where it lies; evaluates nothing."""

def _context_of(array: Array, /) -> Context: ...

def _queue_of(array: Array, /) -> Queue: ...

def _usm_type(array: Array, syclobj: object, /) -> str: ...

def from_memory(memory: Any, shape: int | Sequence[int], dtype: Any, *, strides: Sequence[int] | None = None, offset: int = 0) -> Array:
    """
    The bytes of a memory object as elements: of isthmus.memory, of dpctl.memory, a buffer or
    SVM of pyopencl, or anything whose memory asarray shares.

    Units: strides and offset count elements; strides may be negative; without them the array
    is row-major.
    Returns: a view, which keeps the memory alive.
    Waits: no.
    Raises: ExchangeError if an element is outside of the memory, or misaligned.
    """

def _save(path: bytes, x: Array, /) -> None: ...

def _write_npy(file: object, x: Array, /) -> None: ...

def _savez(path: bytes, names: list[str], arrays: list[Array], /) -> None: ...

def _write_npz(file: object, names: list[str], arrays: list[Array], /) -> None: ...

def _load(path: bytes, mode: str, device: Device | str | None, /) -> Array: ...

def _read_npy(file: object, before: bytes, left: int | None, /) -> Array: ...

def _forward_log(deliver: Any, /) -> None: ...

def _drain_log() -> None: ...

def _log_levels() -> str: ...

def _set_log_levels(levels: str, /) -> None: ...

def _variable(name: str, /) -> str: ...

def _set_variable(name: str, value: str, /) -> None: ...

def _backend_names() -> list[str]:
    """Those for users."""

def _has_backend(name: str, /) -> builtins.bool:
    """Whether this package has its module."""

def _warn_of_setting(text: str, /) -> None: ...

def _check_settings() -> None:
    """Says now what is wrong with variables that are read later."""

def _set_log_file(name: str, /) -> None: ...

def _set_on_build(callback: object, /) -> None: ...

def _add_signatures(function: object, signature: property, /) -> None: ...

def _set_up_runtimes(folders: list[str], /) -> None:
    """
    Where wheels put libraries; and makes OpenCL loaders find Intel's. Calls no driver.
    """

def _end_compiling() -> None:
    """
    Waits for the drivers' compilers, which no other thread calls from now on.
    """

def _default_device() -> Device:
    """Of this context: that of `with device:` too."""

def _set_default_device(device: Device | str, /) -> None: ...

def _inline() -> str: ...

def _set_inline(policy: str, /) -> None: ...

def _blas_library() -> str: ...

def _blas_library_of(device: Device | str, /) -> str:
    """
    The library of the device's vendor that multiplies matrices; empty if there is none.
    """

def _blas_setting() -> str: ...

def _set_blas(wanted: str, /) -> None: ...

def _eager() -> builtins.bool: ...

def _set_eager(eager: builtins.bool, /) -> None: ...

def _num_threads() -> int: ...

def _set_num_threads(count: int, /) -> None: ...

def _instruction_set() -> str: ...

def source(x: Array | Sequence[Array], /) -> str:
    """
    The text of the kernels that x waits for, in the language of its device, and in OpenCL C on
    the host, which compiles none; '' for a value that is there. Nothing is calculated.

    x: an array; or a tuple or list of some, such as min_max() gives, which one kernel may write.
    Returns: the text; print it.
    Waits: for a driver, which is opened if it is not yet.
    Raises: TypeError for what is no array, ValueError for none; the error of a value that failed.
    """

def show(x: Array | Sequence[Array], /, *, format: Literal["text", "svg", "dot"] = "text") -> str:
    """
    The operations that x waits for, one a line, as a picture ("svg"), or as a graph for
    Graphviz ("dot").

    x: an array; or a tuple or list of some, which are shown together.
    Returns: the text; print it. A notebook that displays it draws the picture, but of "dot".
    Nothing is calculated.
    Waits: no.
    Raises: TypeError for what is no array, ValueError for none and for another format.
    """

def _fail_calls(nth: int, is_sticky: builtins.bool, code: int, /) -> None:
    """
    The nth driver call from now fails (0: none does), and all after it if sticky.
    """

def _driver_calls() -> int:
    """Driver calls that this process has made."""

def _calls_with_gil() -> int:
    """
    Driver calls made while their thread had the GIL; counts from when it is first asked.
    """

def _format(x: Array, /) -> str:
    """The text that C++ prints."""

class _Recording:
    """What isthmus.profile() derives from."""

    def __init__(self) -> None: ...

    def __enter__(self) -> Self:
        """Begins to record."""

    def __exit__(self, *args: object) -> None:
        """Ends that; see Profile."""

    def _evaluations(self) -> tuple[tuple[Any, ...], ...]: ...

    def _trace(self) -> str: ...

def _is_profiled() -> builtins.bool: ...

def _read_profile_setting() -> None: ...

def _profile_file() -> str: ...

def _set_profile_file(file: str, /) -> None: ...

def _found_as(object: object, /) -> str:
    """"an int", "None": see arguments.h."""

def _word_call_errors(problem: Any, /) -> None:
    """
    From now on calls with wrong arguments raise what `problem(function, args, kwargs)` returns.
    """

Index: TypeAlias = SupportsIndex | slice | EllipsisType | None | Indices
Number: TypeAlias = int | float | complex | numpy.number[Any] | numpy.bool_
Real: TypeAlias = int | float | numpy.integer[Any] | numpy.floating[Any] | numpy.bool_
Shape: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
Axes: TypeAlias = SupportsIndex | Sequence[SupportsIndex]

class _SpeaksDLPack(Protocol):
    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...

Indices: TypeAlias = Array | SupportsIndex | Buffer | _SpeaksDLPack | Sequence[Any]
Elements: TypeAlias = Array | Number | list[Any] | tuple[Any, ...] | Buffer | _SpeaksDLPack
