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
    """Dtypes without a common dtype."""

class DeviceMismatchError(Error, ValueError):
    """Operands on different devices or in different contexts."""

class DeviceNotFoundError(Error, LookupError):
    """The device does not exist."""

class BackendUnavailableError(Error, ImportError):
    """A backend that is not available here, with the reason."""

class ExchangeError(Error, BufferError):
    """Memory that cannot be shared as requested."""

class CopyRefusedError(ExchangeError, ValueError):
    """copy=False, but a copy is needed."""

class ImplicitHostCopyError(Error, TypeError):
    """
    Implicit access to device memory from the host; x.to_numpy() copies it.
    """

class OutOfMemoryError(Error, MemoryError):
    """A device, or the host, is out of memory."""

class CompileError(Error, RuntimeError):
    """
    A kernel that failed to build.

    `source` is its code, `log` the output of the compiler, `device` the device, and `key` the name of its files in the cache and in ISTHMUS_DUMP.
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
        """Whether it is the same device, or its name: x.device == "opencl:0"."""

    def __reduce__(self) -> tuple[Any, ...]: ...

    @property
    def backend(self) -> str:
        """Name of the backend."""

    @property
    def index(self) -> int:
        """Index of the device in its backend."""

    @property
    def info(self) -> dict[str, Any]:
        """Properties of the device: driver, memory, fp64, memory kinds, limits."""

    def __enter__(self) -> Device:
        """
        Makes it the device of new arrays inside `with`, in this thread or task.
        """

    def __exit__(self, *args: object) -> None: ...

class fusing:
    """
    A promise that no one changes shared memory in the meantime, so that reads of it may be delayed.

    ``with isthmus.fusing():``. Inside, operations on memory that others can access stay
    pending and fuse like all others. The promise holds in this thread or task, and in
    tasks that start inside; for all of them it ends with the block, which calculates the
    delayed operations.

    Returns: a context manager, which may be used more than once. Waits: at the end, for
    operations that read memory that others may write to.
    """

    def __init__(self) -> None: ...

    def __enter__(self) -> None: ...

    def __exit__(self, *args: object) -> None: ...

class implicit_host_copy:
    """
    Sets whether numpy.asarray(x) copies from devices ("allow"), also warns ("warn") or
    raises ("error").

    ``with isthmus.implicit_host_copy("allow"):``. It applies to this thread or task, and
    to tasks that start inside; ``config.implicit_copy`` (ISTHMUS_IMPLICIT_COPY) applies to
    all, and is "error" by default. Memory that the host can access is never copied.
    ``x.to_numpy()`` is always allowed.

    Waits: no. Raises: ValueError for another policy.
    """

    def __init__(self, policy: Literal["allow", "warn", "error"]) -> None: ...

    def __enter__(self) -> None: ...

    def __exit__(self, *args: object) -> None: ...

def _host_copy_policy() -> str | None: ...

def _find_devices() -> tuple[tuple[Device, ...], tuple[tuple[str, str], ...]]: ...

def synchronize(device: Device | str | None = None) -> None:
    """
    Waits until all work that any thread has enqueued on a device has finished.
    """

def _pool_statistics(device: object, /) -> dict[str, int]: ...

def _pool_trim(device: object, keep: int, /) -> int: ...

def _pool_set_cap(device: object, cap: int, /) -> None: ...

def statistics() -> dict[str, Any]:
    """
    Counts of this process: kernels run and where, their operations, transfers between memories, why fusion ended, and the kernel cache.
    """

def counters() -> dict[str, int]:
    """
    Objects of the core that are alive now: memories that are in use or wait to be
    released, pending nodes, and the reaper's backlog: memories that were dropped while
    work on them was unfinished. For idle memory in pools see
    isthmus.memory.pool_statistics.
    """

def _library(device: object, capability: str, /) -> int:
    """
    Address of a backend's function table, for ctypes; 0 if it has none with that name.
    """

def _cache_folder() -> str: ...

def _cache_info() -> tuple[str, int, int, int, int, int, int, int]: ...

def _clear_cache(disk: builtins.bool, /) -> None: ...

class Context:
    """
    A context in which addresses are valid: of SYCL or OpenCL, or the process itself for
    the host.

    Context(device) is the device's default context. Context(object) accepts a
    dpctl.SyclContext, a capsule "SyclContextRef", an object whose _get_capsule() returns
    one, a pyopencl.Context, a queue of any kind for its context, or another Context.

    Waits: no.
    Raises: ExchangeError if it is not a context of a device that Isthmus has.
    """

    def __init__(self, obj: object) -> None: ...

    @property
    def device(self) -> Device:
        """The device that Isthmus uses this context for."""

    def _get_capsule(self) -> Any:
        """
        A new capsule "SyclContextRef", as dpctl.SyclContext returns.

        Raises: ExchangeError if the context is not SYCL's.
        Source: __sycl_usm_array_interface__, syclobj.
        """

    def to_pyopencl(self) -> Any:
        """
        This context as a pyopencl.Context; for a SYCL context, the OpenCL context below it.

        Raises: ExchangeError if there is no OpenCL context; ImportError without pyopencl.
        """

    def __eq__(self, other: object, /) -> builtins.bool:
        """
        Whether they share memory: a SYCL context equals the OpenCL context below it.
        """

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class Queue:
    """
    A queue for work on one device: the device's own queue, or a user's.

    Queue(device) is the device's own queue. Queue(object) accepts a dpctl.SyclQueue, a
    capsule "SyclQueueRef", an object whose _get_capsule() returns one, a
    pyopencl.CommandQueue, or another Queue; Queue(address, device) accepts the address of
    a sycl::queue or cl_command_queue. `with queue:` makes it the current queue on its
    device, in this thread or task: operations run on it, in order with the other work
    there, and new arrays belong to its context.

    Waits: no.
    Raises: ExchangeError if it is not a queue of a device that Isthmus has.
    """

    def __init__(self, obj: object, device: Device | str | None = None) -> None: ...

    @property
    def device(self) -> Device:
        """The device on which its work runs."""

    @property
    def context(self) -> Context:
        """The context whose memory its work can access."""

    @property
    def is_in_order(self) -> builtins.bool:
        """
        Whether each command on it starts only after the one before has finished.
        """

    @property
    def handle(self) -> int:
        """
        Address of a sycl::queue, or a cl_command_queue, valid while this object lives.

        Raises: ExchangeError if the queue has no such handle.
        """

    def _get_capsule(self) -> Any:
        """
        A new capsule "SyclQueueRef", as dpctl.SyclQueue returns.

        Raises: ExchangeError if the queue is not SYCL's.
        Source: __sycl_usm_array_interface__, syclobj.
        """

    def to_pyopencl(self) -> Any:
        """
        This queue as a pyopencl.CommandQueue.

        Raises: ExchangeError if the queue is not OpenCL's; ImportError without pyopencl.
        """

    def synchronize(self) -> None:
        """
        Waits until all work that is on the queue now has finished.

        Raises: LaunchError if work of other libraries on it failed.
        """

    def __enter__(self) -> Queue: ...

    def __exit__(self, *args: object) -> None: ...

    def __eq__(self, other: object, /) -> builtins.bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

def current_queue(device: Device | str | None = None) -> Queue:
    """
    The queue for this thread's work on a device: the device's own queue, or that of the
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
        """Distance between neighbours along each axis, in elements, not bytes."""

    @property
    def offset(self) -> int:
        """Number of elements from the start of the memory to the first element."""

    @property
    def is_read_only(self) -> builtins.bool:
        """Whether the array is read-only."""

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

        stream: the queue for the copy, in any form that __dlpack__ accepts: a queue of the
        target device, or of the array's own device if the target is the host. None: this
        thread's current queue.

        Returns: the array itself if it is on that device, else a copy, counted in statistics().
        Waits: no, except for the array's value if the host must calculate it.
        Raises: DeviceMismatchError for a queue of another device.
        Source: Array API 2025.12.
        """

    def __copy__(self) -> Array: ...

    def __deepcopy__(self, memo: object) -> Array: ...

    def __complex__(self) -> complex: ...

    def __floor__(self) -> int: ...

    def __ceil__(self) -> int: ...

    def __trunc__(self) -> int: ...

    def __round__(self, ndigits: int | None = None, /) -> Any: ...

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

    def clip(self, min: Array | Real | None = None, max: Array | Real | None = None, out: Array | tuple[Array] | None = None) -> Array:
        """
        The number limited to a lower and an upper bound; the upper bound if the lower is greater.

        out: an array that receives the result instead of new memory; it is returned.
        Shapes: operands broadcast.
        Returns: new memory, pending until its value is needed, or `out`.
        Waits: no, unless others may change the memory of an operand.
        Accepts: integers, floats.
        Accuracy: 0 ulp for float32 and float64 in [-100, 100].
        Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
        NumPy: ``np.clip(x, y, z)``.
        """

    def round(self, decimals: int = 0, out: Array | tuple[Array] | None = None) -> Array:
        """
        Rounded to the nearest whole number, halves to even.

        out: an array that receives the result instead of new memory; it is returned.
        Shapes: operands broadcast.
        Returns: new memory, pending until its value is needed, or `out`.
        Waits: no, unless others may change the memory of an operand.
        Accepts: integers, floats, complex.
        Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
        Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
        NumPy: ``np.round(x)``.
        decimals: number of places after the decimal point; negative for places before it, as in NumPy.
        """

    def conj(self) -> Array:
        """
        Complex conjugate.

        Shapes: operands broadcast.
        Returns: new memory, pending until its value is needed.
        Waits: no, unless others may change the memory of an operand.
        Accepts: integers, floats, complex.
        Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
        Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
        NumPy: ``np.conj(x)``.
        """

    def conjugate(self) -> Array:
        """
        Complex conjugate.

        Shapes: operands broadcast.
        Returns: new memory, pending until its value is needed.
        Waits: no, unless others may change the memory of an operand.
        Accepts: integers, floats, complex.
        Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
        Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
        NumPy: ``np.conj(x)``.
        """

    def sum(self, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
        """
        Sum of the elements.

        out: an array that receives the result instead of new memory; it is returned.
        Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
        Returns: new memory, pending until its value is needed, or `out`.
        Waits: no, unless others may change the memory of x.
        Accuracy: floats are added in pairs, with the same bits from run to run.
        Raises: IndexError for an axis out of range, TypeError for structs.
        Source: Array API 2025.12, sum.
        """

    def prod(self, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
        """
        Product of the elements.

        out: an array that receives the result instead of new memory; it is returned.
        Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
        Returns: new memory, pending until its value is needed, or `out`.
        Waits: no, unless others may change the memory of x.
        Accuracy: floats are multiplied in pairs, with the same bits from run to run.
        Raises: IndexError for an axis out of range, TypeError for structs.
        Source: Array API 2025.12, prod.
        """

    def max(self, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
        """
        Largest element; NaN if any is NaN.

        out: an array that receives the result instead of new memory; it is returned.
        Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
        Returns: new memory, pending until its value is needed, or `out`.
        Waits: no, unless others may change the memory of x.
        Accuracy: exact.
        Raises: IndexError for an axis out of range, ValueError for an array without elements, TypeError for complex numbers and structs.
        Source: Array API 2025.12, max.
        """

    def min(self, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
        """
        Smallest element; NaN if any is NaN.

        out: an array that receives the result instead of new memory; it is returned.
        Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
        Returns: new memory, pending until its value is needed, or `out`.
        Waits: no, unless others may change the memory of x.
        Accuracy: exact.
        Raises: IndexError for an axis out of range, ValueError for an array without elements, TypeError for complex numbers and structs.
        Source: Array API 2025.12, min.
        """

    def any(self, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
        """
        Whether any element is true.

        out: an array that receives the result instead of new memory; it is returned.
        Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
        Returns: new memory, pending until its value is needed, or `out`.
        Waits: no, unless others may change the memory of x.
        Accuracy: exact.
        Raises: IndexError for an axis out of range, TypeError for structs.
        Source: Array API 2025.12, any.
        """

    def all(self, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
        """
        Whether all elements are true.

        out: an array that receives the result instead of new memory; it is returned.
        Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
        Returns: new memory, pending until its value is needed, or `out`.
        Waits: no, unless others may change the memory of x.
        Accuracy: exact.
        Raises: IndexError for an axis out of range, TypeError for structs.
        Source: Array API 2025.12, all.
        """

    def mean(self, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
        """
        Arithmetic mean of the elements; one kernel.

        out: an array that receives the result instead of new memory; it is returned.
        Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
        Returns: new memory, pending until its value is needed, or `out`.
        Source: Array API 2025.12, mean.
        """

    def reshape(self, *shape: Shape, order: str = "C", copy: builtins.bool | None = None) -> Array:
        """
        The elements in another shape; see isthmus.reshape. order "F" reads and places them with the first index fastest.
        """

    def ravel(self, order: str = "C") -> Array:
        """
        All elements as a 1-d array.

        Returns: a view if the elements lie in that order, else new memory.
        """

    def flatten(self, order: str = "C") -> Array:
        """
        All elements as a 1-d array.

        Returns: new memory, pending.
        """

    def copy(self, order: str = "C") -> Array:
        """
        A copy in row-major order (C), in column-major order (F), in the order that the elements have in memory (K), or in column-major order if x is, and else in row-major order (A).

        Returns: new memory; pending.
        Waits: no.
        Raises: ValueError for another order.
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
        Removes these axes of length 1, or all axes of length 1.

        Returns: a view.
        """

    def astype(self, dtype: object, copy: builtins.bool = True) -> Array:
        """The elements as another dtype; see isthmus.astype."""

    def view(self, dtype: object | None = None) -> Array:
        """
        The same memory as elements of another dtype, or of the same.

        Elements of another size need a contiguous last axis, which gets longer or shorter.

        Returns: a view.
        Waits: until the calculation of its value has started, if the dtype is another.
        Raises: ValueError if sizes do not fit, or if the new elements would not begin at multiples of their size; TypeError for a class of arrays.
        Source: NumPy 2, ndarray.view.
        """

    def fill(self, value: Array | Number | tuple[Any, ...]) -> None:
        """Sets every element. Waits: no."""

    @property
    def real(self) -> Array:
        """
        The real parts, as a writable view. isthmus.real(x) returns new memory, and fuses.

        Waits: until the calculation of its value has started.
        """

    @real.setter
    def real(self, value: Array | Number, /) -> None: ...

    @property
    def imag(self) -> Array:
        """
        The imaginary parts, as a writable view; for real numbers 0, read-only. isthmus.imag(x)
        returns new memory, and fuses.

        Waits: until the calculation of its value has started.
        """

    @imag.setter
    def imag(self, value: Array | Number, /) -> None: ...

    def repeat(self, repeats: Elements, axis: int | None = None) -> Array:
        """
        Repeats each element along an axis; flattens the array if the axis is None.

        repeats: an integer, or one for each element of the axis.
        Returns: new memory.
        Waits: for `repeats`.
        Raises: ValueError for negative numbers, or if their count is not the length of the axis, TypeError if `repeats` are not integers.
        Source: Array API 2025.12, repeat.
        """

    def take(self, indices: Indices, axis: int | None = None, out: Array | tuple[Array] | None = None, mode: str = 'raise') -> Array:
        """See isthmus.take."""

    def put(self, indices: Indices, values: Any, mode: str = 'raise') -> None:
        """See isthmus.put."""

    def nonzero(self) -> tuple[Array, ...]:
        """See isthmus.nonzero."""

    def searchsorted(self, v: Elements, side: str = 'left', sorter: Elements | None = None) -> Array:
        """See isthmus.searchsorted."""

    def cumsum(self, axis: int | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None) -> Array:
        """
        cumulative_sum under NumPy's name: without an axis, of all elements in row-major order.

        out: an array that receives the result instead of new memory; it is returned.
        Returns: new memory, pending, or `out`.
        Raises: as cumulative_sum.
        Source: NumPy 2, ndarray.cumsum.
        """

    def cumprod(self, axis: int | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None) -> Array:
        """
        cumulative_prod under NumPy's name: without an axis, of all elements in row-major order.

        out: an array that receives the result instead of new memory; it is returned.
        Returns: new memory, pending, or `out`.
        Raises: as cumulative_prod.
        Source: NumPy 2, ndarray.cumprod.
        """

    def sort(self, axis: int = -1, *, descending: builtins.bool = False, stable: builtins.bool = True) -> None:
        """
        Sorts the elements along an axis, in place; isthmus.sort(x) returns a new array.

        Waits: as x[...] = y does.
        Raises: as sort, ValueError for a read-only array.
        Source: NumPy 2, ndarray.sort.
        """

    def partition(self, kth: Axes, axis: int = -1) -> None:
        """
        Partitions the elements along an axis as isthmus.partition does, in place.

        Waits: as x[...] = y does.
        Raises: as partition, ValueError for a read-only array.
        Source: NumPy 2, ndarray.partition.
        """

    def argpartition(self, kth: Axes, axis: int | None = -1) -> Array:
        """See isthmus.argpartition."""

    def argsort(self, axis: int | None = -1, *, descending: builtins.bool = False, stable: builtins.bool = True) -> Array:
        """
        argsort as a method of NumPy: with the axis None, of all elements in row-major order.

        Returns: int64, new memory, pending.
        Raises: as argsort.
        Source: NumPy 2, ndarray.argsort.
        """

    def var(self, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, ddof: float = 0.0, keepdims: builtins.bool = False, *, correction: float | None = None) -> Array:
        """
        Variance: the mean of |x - mean(x)|**2.

        The sum of squares is divided by the number of elements minus `correction`, or by 0 if that is negative. The result is real, in the dtype of mean; half precision is summed in float32.

        ddof: NumPy's name of correction.
        dtype: the dtype of the calculation and of the result, which may be complex.

        out: an array that receives the result instead of new memory; it is returned.
        Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
        Returns: new memory, pending until its value is needed, or `out`.
        Waits: no, unless others may change the memory of x.
        Raises: IndexError for an axis out of range, TypeError for a dtype of integers, ValueError for both ddof and correction.
        Source: Array API 2025.12, var.
        """

    def std(self, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, ddof: float = 0.0, keepdims: builtins.bool = False, *, correction: float | None = None) -> Array:
        """
        Standard deviation: the square root of the variance.

        The sum of squares is divided by the number of elements minus `correction`, or by 0 if that is negative. The result is real, in the dtype of mean; half precision is summed in float32.

        ddof: NumPy's name of correction.
        dtype: the dtype of the calculation and of the result, which may be complex.

        out: an array that receives the result instead of new memory; it is returned.
        Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
        Returns: new memory, pending until its value is needed, or `out`.
        Waits: no, unless others may change the memory of x.
        Raises: IndexError for an axis out of range, TypeError for a dtype of integers, ValueError for both ddof and correction.
        Source: Array API 2025.12, std.
        """

    def argmax(self, axis: int | None = None, out: Array | tuple[Array] | None = None, *, keepdims: builtins.bool = False) -> Array:
        """
        Index of the largest element along an axis, or of all elements in row-major order.

        Of equal elements, the first one; if there is a NaN, the first NaN.

        out: an array that receives the result instead of new memory; it is returned.
        Shapes: the axis is removed, or has length 1 with keepdims; without an axis, all are removed.
        Returns: int64, new memory, pending until its value is needed, or `out`.
        Waits: no, unless others may change the memory of x.
        Raises: ValueError for an axis without elements, IndexError for an axis out of range, TypeError for complex numbers.
        Source: Array API 2025.12, argmax.
        """

    def argmin(self, axis: int | None = None, out: Array | tuple[Array] | None = None, *, keepdims: builtins.bool = False) -> Array:
        """
        Index of the smallest element along an axis, or of all elements in row-major order.

        Of equal elements, the first one; if there is a NaN, the first NaN.

        out: an array that receives the result instead of new memory; it is returned.
        Shapes: the axis is removed, or has length 1 with keepdims; without an axis, all are removed.
        Returns: int64, new memory, pending until its value is needed, or `out`.
        Waits: no, unless others may change the memory of x.
        Raises: ValueError for an axis without elements, IndexError for an axis out of range, TypeError for complex numbers.
        Source: Array API 2025.12, argmin.
        """

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
        """
        The diagonals of the matrices in two axes, as the last axis.

        offset: the column at which they start, or, if negative, minus the row.
        Returns: a view; unlike NumPy's it is writable.
        Raises: ValueError for fewer than two axes, or one axis twice, IndexError for an axis out of range.
        Source: NumPy 2, diagonal.
        """

    def trace(self, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: object | None = None, out: Array | tuple[Array] | None = None) -> Array:
        """
        The sums of the diagonals, as sum returns them.

        offset, axis1, axis2: as for diagonal.
        Returns: new memory, pending, or `out`.
        Raises: as diagonal and sum.
        Source: NumPy 2, trace.
        """

    def dot(self, other: Array | Number, /, out: Array | tuple[Array] | None = None) -> Array:
        """
        The product of this array and another, as numpy.ndarray.dot.

        out: an array that receives the result instead of new memory; it is returned.
        Dtypes: the common dtype; half precision is summed in float32 and rounded once, integers wrap around, bools are combined by "or" of "and".
        Shapes: 0-d arrays and numbers as multiply; 1-d and 2-d arrays as matmul; else the last axis of the first and the second to last axis of the second are summed over.
        Returns: new memory, or `out`. Where the host can access the memory, a BLAS of the host multiplies floats and complex numbers during the call (config.blas), and code of the library multiplies integers and bools in blocks. Elsewhere a kernel multiplies tiles in local memory. Products with vectors and of small matrices are sums of products, and pending.
        Waits: for the operands; also for the result where the host multiplies.
        Raises: ValueError for shapes that do not fit, TypeError for structs.
        Source: NumPy 2, dot.
        """

    def vdot(self, other: Array, /, out: Array | tuple[Array] | None = None) -> Array:
        """
        Sum of conj(x) * other over all elements.

        out: an array that receives the result instead of new memory; it is returned.
        Dtypes: the common dtype; half precision is summed in float32 and rounded once, integers wrap around, bools are combined by "or" of "and".
        Shapes: both have the same number of elements; the result is 0-d.
        Returns: new memory, or `out`; pending.
        Waits: no, unless others may change the memory of an operand.
        Raises: ValueError for different sizes, TypeError for structs.
        Source: NumPy 2, vdot.
        """

    @property
    def memory(self) -> isthmus.memory.Memory:
        """
        The whole allocation that holds the array, as an object of isthmus.memory; for imported
        memory the known part of it.

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
        """The memory layout of the elements, and whether they are writable."""

    @property
    def sycl_queue(self) -> Any:
        """
        For arrays of sycl: the queue that the memory was imported with, else this thread's current
        queue; a dpctl.SyclQueue once dpctl has been imported. Evaluates nothing.

        Raises: AttributeError on other devices.
        """

    @property
    def usm_type(self) -> str:
        """
        For arrays of sycl: 'device', 'shared' or 'host'; 'unknown' for host memory that is not USM.
        Evaluates nothing.

        Raises: AttributeError on other devices.
        """

    def tobytes(self, order: str = "C") -> bytes: ...

def from_pyopencl(x: Any, /, *, queue: Any = None) -> Array:
    """
    Imports the memory of a pyopencl.array.Array, pyopencl.Buffer, SVMAllocation or SVM;
    the latter three as bytes.

    queue: the queue for the owner's work on it, if that is not the object's own queue.
    Work of Isthmus is synchronized with the work there, and waits for the array's events.
    Returns: a view, on the device of the queue or context, read-only for a READ_ONLY buffer.
    Waits: no.
    Raises: TypeError for other objects; ExchangeError (BufferError), naming the field.
    """

def _adopt_pyopencl(memory: Any, queue: Any, /) -> Array:
    """
    As from_pyopencl, for memory that nothing else accesses while the array is alive.
    """

def _lend_to_pyopencl(array: Array, queue: Any, /) -> tuple[Any, int, Any]:
    """
    base_data, offset in bytes and events of the result of to_pyopencl, without pyopencl.array.
    """

def _writing_event(array: Array, queue: Any, /) -> Any:
    """
    Evaluates an array and returns the pyopencl.Event of the kernel that wrote it, in the
    queue's context; None if the host or another library wrote it.
    """

def add(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Sum; logical or for bools.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.add(x, y)``.
    """

def subtract(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Difference.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.subtract(x, y)``.
    """

def multiply(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Product; logical and for bools.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 4 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.multiply(x, y)``.
    """

def divide(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Quotient; integers are divided as floats.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.divide(x, y)``.
    """

def floor_divide(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Quotient rounded towards minus infinity; 0 for an integer divided by 0.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.floor_divide(x, y)``.
    """

def remainder(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Remainder with the sign of the divisor; 0 for an integer divided by 0.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats.
    Accuracy: 1 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.remainder(x, y)``.
    """

def pow(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Power; an array of integers to a negative power is truncated to 0, 1 or -1, and a negative number as the power of integers is refused. For complex numbers the accuracy holds while |y log x| is below 1000.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats, complex.
    Accuracy: 2 ulp for float32 and float64 in [0, 30]; 8 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.pow(x, y)``.
    """

def negative(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The negated number.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.negative(x)``.
    """

def positive(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The number, unchanged.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.positive(x)``.
    """

def abs(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Absolute value.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 3 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.abs(x)``.
    """

def sign(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    -1, 0 or 1 by sign; x / abs(x) for a complex number; NaN for NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 4 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.sign(x)``.
    """

def reciprocal(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    One divided by the number.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 4 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.reciprocal(x)``.
    """

def square(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The number times itself.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 4 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.square(x)``.
    """

def sqrt(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Square root; NaN for a negative real number.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [0, 100]; 4 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.sqrt(x)``.
    """

def hypot(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Length of the vector (x, y), without intermediate overflow.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.hypot(x, y)``.
    """

def copysign(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Magnitude of the first with the sign of the second.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.copysign(x, y)``.
    """

def nextafter(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The next representable number after the first towards the second.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.nextafter(x, y)``.
    """

def ceil(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Smallest whole number that is not less than x.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.ceil(x)``.
    """

def floor(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Largest whole number that is not greater than x.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.floor(x)``.
    """

def trunc(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Rounded towards zero.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.trunc(x)``.
    """

def maximum(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The larger number; NaN if either is NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.maximum(x, y)``.
    """

def minimum(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The smaller number; NaN if either is NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.minimum(x, y)``.
    """

def exp(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    e to the power x.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 4 ulp for float32 and float64 in [-80, 80]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.exp(x)``.
    """

def expm1(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    exp(x) - 1, accurate near 0.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-80, 80]; 8 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.expm1(x)``.
    """

def log(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Natural logarithm; NaN for a negative real number.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 4 ulp for float32 and float64 in [1e-30, 1e+30]; 4 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.log(x)``.
    """

def log1p(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    log(1 + x), accurate near 0.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 2 ulp for float32 and float64 in [-0.9, 1e+30]; 4 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.log1p(x)``.
    """

def log2(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Logarithm to base 2.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [1e-30, 1e+30]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.log2(x)``.
    """

def log10(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Logarithm to base 10.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [1e-30, 1e+30]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.log10(x)``.
    """

def logaddexp(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    log(exp(x) + exp(y)), without intermediate overflow.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 2 ulp for float32 and float64 in [0, 80].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.logaddexp(x, y)``.
    """

def sin(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Sine of an angle in radians.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 4 ulp for float32 and float64 in [-100, 100]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.sin(x)``.
    """

def cos(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Cosine of an angle in radians.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 4 ulp for float32 and float64 in [-100, 100]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.cos(x)``.
    """

def tan(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Tangent of an angle in radians.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 4 ulp for float32 and float64 in [-100, 100]; 8 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.tan(x)``.
    """

def asin(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Arc sine in radians; NaN outside [-1, 1].

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-1, 1]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.asin(x)``.
    """

def acos(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Arc cosine in radians; NaN outside [-1, 1].

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-1, 1]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.acos(x)``.
    """

def atan(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Arc tangent in radians.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-100, 100]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.atan(x)``.
    """

def atan2(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Angle in radians of the point (y, x), in its quadrant.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 4 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.atan2(x, y)``.
    """

def sinh(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Hyperbolic sine.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-80, 80]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.sinh(x)``.
    """

def cosh(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Hyperbolic cosine.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-80, 80]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.cosh(x)``.
    """

def tanh(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Hyperbolic tangent.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 4 ulp for float32 and float64 in [-80, 80]; 8 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.tanh(x)``.
    """

def asinh(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Inverse hyperbolic sine.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-1e+30, 1e+30]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.asinh(x)``.
    """

def acosh(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Inverse hyperbolic cosine; NaN below 1.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [1, 1e+30]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.acosh(x)``.
    """

def atanh(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Inverse hyperbolic tangent; NaN outside [-1, 1].

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats, complex; integers are calculated as floats.
    Accuracy: 3 ulp for float32 and float64 in [-1, 1]; 6 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.atanh(x)``.
    """

def frexp_mantissa(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The number divided by the power of two that makes it at least 0.5 and less than 1; zero, infinity and NaN are unchanged.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-1e+30, 1e+30].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.frexp(x)[0]``.
    """

def frexp_exponent(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The exponent of this power of two, as a float; 0 for zero, infinity and NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-1e+30, 1e+30].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.frexp(x)[1].astype(np.frexp(x)[0].dtype)``.
    """

def equal(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether both are equal; NaN equals nothing.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.equal(x, y)``.
    """

def not_equal(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether both differ.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.not_equal(x, y)``.
    """

def less(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the first is less than the second.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.less(x, y)``.
    """

def less_equal(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the first is less than or equal to the second.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.less_equal(x, y)``.
    """

def greater(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the first is greater than the second.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.greater(x, y)``.
    """

def greater_equal(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the first is greater than or equal to the second.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.greater_equal(x, y)``.
    """

def isfinite(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the number is neither infinite nor NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.isfinite(x)``.
    """

def isinf(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the number is infinite.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.isinf(x)``.
    """

def isnan(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the number is NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.isnan(x)``.
    """

def signbit(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the sign bit is set, also for -0.0 and NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: floats; integers are calculated as floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.signbit(x)``.
    """

def logical_and(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether both are nonzero.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.logical_and(x, y)``.
    """

def logical_or(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether either is nonzero.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.logical_or(x, y)``.
    """

def logical_xor(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether exactly one is nonzero.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.logical_xor(x, y)``.
    """

def logical_not(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Whether the number is zero.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.logical_not(x)``.
    """

def bitwise_and(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Bits that are set in both.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers.
    Accuracy: exact.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.bitwise_and(x, y)``.
    """

def bitwise_or(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Bits that are set in either.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers.
    Accuracy: exact.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.bitwise_or(x, y)``.
    """

def bitwise_xor(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Bits that are set in exactly one.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers.
    Accuracy: exact.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.bitwise_xor(x, y)``.
    """

def bitwise_invert(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    All bits inverted; logical not for a bool.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers.
    Accuracy: exact.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.bitwise_invert(x)``.
    """

def bitwise_left_shift(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Bits shifted left; 0 if shifted by the width or more.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers.
    Accuracy: exact.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.bitwise_left_shift(x, y)``.
    """

def bitwise_right_shift(x1: Array | Number, x2: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Bits shifted right, filled with copies of the sign.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers.
    Accuracy: exact.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.bitwise_right_shift(x, y)``.
    """

def real(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Real part.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.real(x)``.
    """

def imag(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Imaginary part; 0 for a real number.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.imag(x)``.
    """

def conj(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    Complex conjugate.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.conj(x)``.
    """

@overload
def where(x1: Array, x2: Array | Number, x3: Array | Number, /, *, out: Array | tuple[Array] | None = None) -> Array:
    """
    The second where the first is true, else the third.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: bool, integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.where(x, y, z)``.
    """

@overload
def where(x: Array, /) -> tuple[Array, ...]:
    """
    With a condition alone, the same as nonzero(), as in NumPy.

    Returns: int64, new memory.
    Waits: as nonzero.
    Raises: as nonzero.
    Source: NumPy 2, where.
    """

def clip(x: Array, /, min: Array | Real | None = None, max: Array | Real | None = None, out: Array | tuple[Array] | None = None) -> Array:
    """
    The number limited to a lower and an upper bound; the upper bound if the lower is greater.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100].
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.clip(x, y, z)``.
    """

def round(x: Array, /, decimals: int = 0, out: Array | tuple[Array] | None = None) -> Array:
    """
    Rounded to the nearest whole number, halves to even.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: operands broadcast.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of an operand.
    Accepts: integers, floats, complex.
    Accuracy: 0 ulp for float32 and float64 in [-100, 100]; 0 ulp of the larger part for complex numbers.
    Raises: TypeError for other dtypes, ValueError for shapes that do not broadcast.
    NumPy: ``np.round(x)``.
    decimals: number of places after the decimal point; negative for places before it, as in NumPy.
    """

def sum(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Sum of the elements.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Accuracy: floats are added in pairs, with the same bits from run to run.
    Raises: IndexError for an axis out of range, TypeError for structs.
    Source: Array API 2025.12, sum.
    """

def prod(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Product of the elements.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Accuracy: floats are multiplied in pairs, with the same bits from run to run.
    Raises: IndexError for an axis out of range, TypeError for structs.
    Source: Array API 2025.12, prod.
    """

def max(x: Array, /, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Largest element; NaN if any is NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Accuracy: exact.
    Raises: IndexError for an axis out of range, ValueError for an array without elements, TypeError for complex numbers and structs.
    Source: Array API 2025.12, max.
    """

def min(x: Array, /, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Smallest element; NaN if any is NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Accuracy: exact.
    Raises: IndexError for an axis out of range, ValueError for an array without elements, TypeError for complex numbers and structs.
    Source: Array API 2025.12, min.
    """

def any(x: Array, /, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Whether any element is true.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Accuracy: exact.
    Raises: IndexError for an axis out of range, TypeError for structs.
    Source: Array API 2025.12, any.
    """

def all(x: Array, /, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Whether all elements are true.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Accuracy: exact.
    Raises: IndexError for an axis out of range, TypeError for structs.
    Source: Array API 2025.12, all.
    """

def nanmax(x: Array, /, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Largest element that is not NaN; NaN where all are NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Accuracy: exact.
    Raises: IndexError for an axis out of range, ValueError for an array without elements, TypeError for complex numbers and structs.
    Source: NumPy 2, nanmax.
    """

def nanmin(x: Array, /, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Smallest element that is not NaN; NaN where all are NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Accuracy: exact.
    Raises: IndexError for an axis out of range, ValueError for an array without elements, TypeError for complex numbers and structs.
    Source: NumPy 2, nanmin.
    """

def mean(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Arithmetic mean of the elements; one kernel.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending until its value is needed, or `out`.
    Source: Array API 2025.12, mean.
    """

op_table: tuple[dict[str, Any], ...] = ...

reduction_table: tuple[dict[str, Any], ...] = ...

def empty(shape: Shape, dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    An array with undefined elements.

    Returns: new memory; pending until its value is needed.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def empty_like(x: Array, /, dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    An array with undefined elements with the shape of x, row-major whatever the layout of x.

    Returns: new memory; pending until its value is needed.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def zeros(shape: Shape, dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    An array of zeros.

    Returns: new memory; pending until its value is needed.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def zeros_like(x: Array, /, dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    An array of zeros with the shape of x, row-major whatever the layout of x.

    Returns: new memory; pending until its value is needed.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def ones(shape: Shape, dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    An array of ones.

    Returns: new memory; pending until its value is needed.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def ones_like(x: Array, /, dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    An array of ones with the shape of x, row-major whatever the layout of x.

    Returns: new memory; pending until its value is needed.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def full(shape: Shape, fill_value: Number | tuple[Any, ...], dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    An array of one value; a tuple for a dtype of structs.

    Returns: new memory; pending until its value is needed.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def full_like(x: Array, /, fill_value: Number | tuple[Any, ...], dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    An array of one value with the shape of x, row-major whatever the layout of x.

    Returns: new memory; pending until its value is needed.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def arange(start: Real | None = None, /, stop: Real | None = None, step: Real = 1, dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    Evenly spaced numbers in [start, stop).

    Returns: new memory; pending until its value is needed.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def linspace(start: Number, stop: Number, /, num: SupportsIndex = 50, endpoint: builtins.bool = True, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
    """
    `num` evenly spaced numbers from start to stop.

    Returns: new memory; pending until its value is needed.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def eye(n_rows: SupportsIndex, n_cols: SupportsIndex | None = None, /, k: SupportsIndex = 0, dtype: object | None = None, *, device: Device | str | None = None) -> Array:
    """
    Ones on the k-th diagonal, zeros elsewhere.

    Returns: new memory; pending until its value is needed.
    Waits: no.
    Raises: ValueError for a bad shape, MemoryError.
    Source: Array API 2025.12.
    """

def reshape(x: Array, /, shape: Shape, *, copy: builtins.bool | None = None) -> Array:
    """
    The elements in another shape, in which one extent may be -1.

    Returns: a view if strides allow it and copy is not True, else new memory, pending.
    Raises: ValueError if sizes differ, CopyRefusedError if copy is False and strides do not allow a view.
    Source: Array API 2025.12.
    """

def permute_dims(x: Array, /, axes: Axes) -> Array:
    """
    The axes in another order.

    Returns: a view.
    Raises: ValueError if an axis is repeated or missing, IndexError for an axis out of range.
    Source: Array API 2025.12.
    """

def moveaxis(x: Array, source: Axes, destination: Axes, /) -> Array:
    """
    The array with some axes moved to other positions.

    Returns: a view.
    Raises: ValueError if axes are repeated or differ in number, IndexError for an axis out of range.
    Source: Array API 2025.12.
    """

def matrix_transpose(x: Array, /) -> Array:
    """
    The last two axes swapped.

    Returns: a view.
    Raises: ValueError for fewer than two axes.
    Source: Array API 2025.12.
    """

def unstack(x: Array, /, axis: int = 0) -> tuple[Array, ...]:
    """
    Splits the array along an axis into its elements.

    Returns: views without that axis.
    Raises: IndexError for a bad axis, ValueError for an array without axes.
    Source: Array API 2025.12.
    """

def broadcast_arrays(*arrays: Array) -> tuple[Array, ...]:
    """
    Broadcasts the arrays to their common shape.

    Returns: views; those of arrays that had another shape are read-only.
    Raises: ValueError if there is none.
    Source: Array API 2025.12.
    """

def broadcast_shapes(*shapes: Shape) -> tuple[int, ...]:
    """
    The shape to which all these shapes broadcast.

    Raises: ValueError if they do not.
    Source: Array API 2025.12.
    """

def broadcast_to(x: Array, /, shape: Shape) -> Array:
    """
    Broadcasts the array to a larger shape.

    Returns: a read-only view.
    Raises: ValueError if it does not broadcast.
    Source: Array API 2025.12.
    """

def expand_dims(x: Array, /, axis: Axes = 0) -> Array:
    """
    Inserts axes of length 1 at these positions of the result.

    Returns: a view.
    Raises: IndexError for a position out of range, ValueError if one is repeated.
    Source: Array API 2025.12.
    """

def squeeze(x: Array, /, axis: Axes | None = None) -> Array:
    """
    Removes these axes of length 1, or all axes of length 1.

    Returns: a view.
    Raises: ValueError if an axis is longer.
    Source: Array API 2025.12.
    """

def flip(x: Array, /, axis: Axes | None = None) -> Array:
    """
    The elements in reverse order along these axes, or along all.

    Returns: a view.
    Source: Array API 2025.12.
    """

def concat(arrays: Sequence[Array], /, axis: int | None = 0) -> Array:
    """
    Joins the arrays along an axis; flattens them first if the axis is None.

    Returns: new memory, pending; one kernel for each array. More than 2048 arrays are joined immediately, and so are more than 16 on the host whose elements take up to 1 MB.
    Waits: for those on the host.
    Raises: ValueError if shapes differ in another axis.
    Source: Array API 2025.12.
    """

def stack(arrays: Sequence[Array], /, axis: int = 0) -> Array:
    """
    Joins the arrays along a new axis.

    Returns: new memory, pending, and waits, as concat().
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
    The elements shifted along these axes, or in row-major order; elements past the end reappear at the start.

    shift: the number of positions, one for all axes or one for each.
    Returns: new memory.
    Raises: ValueError for a wrong number of shifts, IndexError for an axis out of range.
    Source: Array API 2025.12, roll.
    """

def repeat(x: Array, /, repeats: Elements, axis: int | None = None) -> Array:
    """
    Repeats each element along an axis; flattens the array if the axis is None.

    repeats: an integer, or one for each element of the axis.
    Returns: new memory.
    Waits: for `repeats`.
    Raises: ValueError for negative numbers, or if their count is not the length of the axis, TypeError if `repeats` are not integers.
    Source: Array API 2025.12, repeat.
    """

def tile(x: Array, repetitions: Axes, /) -> Array:
    """
    Repeats the whole array along each axis; axes that are missing on either side are prepended.

    Returns: new memory.
    Raises: ValueError for a negative number.
    Source: Array API 2025.12, tile.
    """

def split(x: Array, indices_or_sections: Indices, /, axis: int = 0) -> tuple[Array, ...]:
    """
    Splits the array along an axis: into this number of equal parts, or before each of these indices.

    Returns: views.
    Raises: ValueError if the axis does not divide into equal parts, IndexError for a bad axis.
    Source: NumPy 2, split.
    """

def hstack(arrays: Sequence[Array], /) -> Array:
    """
    Joins the arrays side by side, along the second axis, or the only one.

    Returns: new memory, pending, as concat().
    Raises: ValueError if shapes do not fit.
    Source: NumPy 2, hstack.
    """

def vstack(arrays: Sequence[Array], /) -> Array:
    """
    Joins the arrays along the first axis; a 0-d or 1-d array is a row.

    Returns: new memory, pending, as concat().
    Raises: ValueError if shapes do not fit.
    Source: NumPy 2, vstack.
    """

def meshgrid(*arrays: Array, indexing: str = 'xy') -> tuple[Array, ...]:
    """
    Broadcasts 1-d arrays to the grid that they span: with "xy" the axis of the second array comes first, with "ij" that of the first.

    Returns: read-only views.
    Raises: ValueError for arrays of more axes, or another indexing.
    Source: Array API 2025.12, meshgrid.
    """

def tril(x: Array, /, k: int = 0) -> Array:
    """
    The elements on the k-th diagonal and below it, of each matrix in the last two axes; zeros elsewhere.

    Returns: new memory, pending; one kernel.
    Raises: ValueError for fewer than two axes.
    Source: Array API 2025.12, tril.
    """

def triu(x: Array, /, k: int = 0) -> Array:
    """
    The elements on the k-th diagonal and above it, of each matrix in the last two axes; zeros elsewhere.

    Returns: new memory, pending; one kernel.
    Raises: ValueError for fewer than two axes.
    Source: Array API 2025.12, triu.
    """

def diff(x: Array, /, n: int = 1, axis: int = -1, prepend: Array | Number | None = None, append: Array | Number | None = None) -> Array:
    """
    Differences of neighbours along an axis, repeated n times; for bools, whether they differ.

    prepend, append: joined to the axis first; a number is one element, broadcast along the other axes.
    Returns: new memory, pending; x itself for n = 0.
    Raises: ValueError for a negative n, or shapes that do not fit.
    Source: Array API 2025.12, diff; NumPy 2 for numbers.
    """

def take(x: Array, indices: Indices, /, axis: int | None = None, out: Array | tuple[Array] | None = None, mode: str = 'raise') -> Array:
    """
    The elements at these indices along an axis, or without an axis in row-major order. The axes of the indices replace the axis.

    out: an array that receives the result instead of new memory; it is returned.
    mode: for an index out of range: "raise" an error, "wrap" around, "clip" to the first or last element. Negative indices count from the end, but with "clip" they select the first element.
    Returns: new memory, pending, or `out`.
    Waits: on `cpu` for the indices, if mode is "raise". On a device, an invalid index that is pending, or that the host cannot access, raises when you wait for the result.
    Raises: IndexError for an index or an axis out of range, TypeError if the indices are not integers, ValueError for an unknown mode.
    Source: Array API 2025.12, take; NumPy 2 for `out`, `mode`, and for indices of several axes or none.
    """

def put(x: Array, indices: Indices, values: Any, /, mode: str = 'raise') -> None:
    """
    Writes values to the elements at these indices, in row-major order. If there are fewer values than indices, the values repeat; for equal indices, the last value is kept.

    mode: as for take.
    Returns: None; x is modified in place.
    Waits: as take. An error of the wait is raised once, and nothing is written.
    Raises: IndexError, before anything is written, TypeError if the indices are not integers, ValueError for read-only memory.
    Source: NumPy 2, put.
    """

def take_along_axis(x: Array, indices: Indices, /, axis: int | None = -1) -> Array:
    """
    The elements at these indices along an axis, such as the indices of argsort; with the axis None, of all elements in row-major order.

    Shapes: indices have as many axes as x; all but `axis` broadcast.
    Returns: new memory, pending.
    Waits: as take.
    Raises: ValueError for a wrong number of axes, IndexError for an index out of range, TypeError if the indices are not integers.
    Source: Array API 2025.12, take_along_axis.
    """

def put_along_axis(x: Array, indices: Indices, values: Any, /, axis: int | None) -> None:
    """
    Writes values, broadcast, to the elements that take_along_axis reads. For equal indices, the last value is kept.

    Returns: None; x is modified in place.
    Waits: as put.
    Raises: as take_along_axis, before anything is written; ValueError for read-only memory.
    Source: NumPy 2, put_along_axis.
    """

def nonzero(x: Array, /) -> tuple[Array, ...]:
    """
    The indices of the elements that are not zero, in row-major order: one array for each axis. NaN is not zero.

    Returns: int64, new memory.
    Waits: for the number of these elements, which is the length of the results.
    Raises: ValueError for a 0-d array.
    Source: Array API 2025.12, nonzero.
    """

def argwhere(x: Array, /) -> Array:
    """
    The indices of the elements that are not zero, one row for each element.

    Shapes: (n0, ..., nk) -> (count, k + 1).
    Returns: int64, new memory.
    Waits: for the number of these elements.
    Source: NumPy 2, argwhere.
    """

def flatnonzero(x: Array, /) -> Array:
    """
    The flat row-major indices of the elements that are not zero.

    Returns: int64, new memory.
    Waits: for the number of these elements.
    Source: NumPy 2, flatnonzero.
    """

def searchsorted(x1: Elements, x2: Elements, /, side: str = 'left', sorter: Elements | None = None) -> Array:
    """
    The index in x1 before which each value of x2 must be inserted to keep x1 sorted.

    x1: 1-d, in ascending order, NaN last; or `sorter` holds the indices that sort it, as argsort returns. A number of x2 outside the range of x1's integer dtype is before or after all elements. At least one of x1 and x2 must be an Array.
    side: "left" before equal elements, "right" after them.
    Shapes: that of x2.
    Returns: int64, new memory, pending.
    Waits: for `sorter`.
    Raises: ValueError for a wrong number of axes or another side, TypeError for complex numbers and dtypes without a common dtype.
    Source: Array API 2025.12, searchsorted.
    """

def digitize(x: Elements, bins: Elements, right: builtins.bool = False) -> Array:
    """
    The index of the bin of each element: i where bins[i-1] <= x < bins[i], or with right where bins[i-1] < x <= bins[i]; likewise for descending bins. At least one of the two must be an Array.

    Returns: int64, new memory, pending.
    Waits: to check the order of the bins.
    Raises: ValueError for bins that are not sorted or have several axes, TypeError for complex numbers.
    Source: NumPy 2, digitize.
    """

def interp(x: Elements, xp: Elements, fp: Elements, left: Elements | None = None, right: Elements | None = None, period: float | None = None) -> Array:
    """
    The value at each x of the straight lines between the points (xp[i], fp[i]). At least one of the three must be an Array.

    xp: the coordinates of the points, in ascending order, which is not checked.
    fp: their values, which may be complex.
    left, right: the values before the first point and after the last. Default: fp[0], fp[-1].
    period: takes coordinates modulo this number; xp may be in any order, and left and right do not count.
    Shapes: that of x; xp and fp have one axis.
    Returns: new memory, pending, in the common dtype, where integers count as the default real dtype; NaN where x is NaN.
    Raises: ValueError for other numbers of axes or elements, none, and a period that is 0 or not finite, TypeError for complex coordinates, structs and dtypes without a common dtype.
    Source: NumPy 2, interp.
    """

def isclose(x: Array | Number, y: Array | Number, /, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: builtins.bool = False) -> Array:
    """
    Whether each element of x is close to the one of y: |x - y| <= atol + rtol * |y|.

    Equal infinities are close, and with equal_nan so are two NaNs. Calculated in the common dtype or, for integers and bools, in the device's default real dtype.
    Returns: new memory, pending; one kernel.
    Raises: TypeError if neither is an Array, ValueError if shapes do not broadcast.
    Source: NumPy 2, isclose.
    """

def allclose(x: Array | Number, y: Array | Number, /, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: builtins.bool = False) -> Array:
    """
    Whether all elements of x are close to those of y, as a 0-d array: |x - y| <= atol + rtol * |y|.

    Equal infinities are close, and with equal_nan so are two NaNs. Calculated in the common dtype or, for integers and bools, in the device's default real dtype.
    Returns: new memory, pending; one kernel.
    Raises: TypeError if neither is an Array, ValueError if shapes do not broadcast.
    Source: NumPy 2, allclose.
    """

def array_equal(x: Array, y: Array, /, equal_nan: builtins.bool = False) -> Array:
    """
    Whether shapes and all elements are equal, as a 0-d array.

    Returns: new memory, pending; one kernel.
    Raises: TypeError if one is not an array, PromotionError for dtypes without a common dtype.
    Source: NumPy 2, array_equal.
    """

def count_nonzero(x: Array, /, axis: Axes | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Number of elements that are not zero, over these axes or all; NaN is not zero.

    Returns: int64, new memory, pending; one kernel.
    Raises: IndexError for an axis out of range.
    Source: Array API 2025.12, count_nonzero.
    """

def cumulative_sum(x: Array, /, axis: int | None = None, dtype: object | None = None, *, include_initial: builtins.bool = False) -> Array:
    """
    Sum of the elements. For each element along the axis, it includes this element and all before it; with include_initial, 0 comes first.

    Shapes: that of x, or one longer with include_initial; without an axis, x must be 1-d.
    Returns: new memory, pending; one kernel together with the operations that calculate x.
    Waits: no, unless others may change the memory of x.
    Accuracy: floats are added in an order that depends only on the shape, with the same bits from run to run.
    Raises: IndexError for an axis out of range, ValueError if an axis is needed, TypeError for a dtype that is refused.
    Source: Array API 2025.12, cumulative_sum.
    """

def cumulative_prod(x: Array, /, axis: int | None = None, dtype: object | None = None, *, include_initial: builtins.bool = False) -> Array:
    """
    Product of the elements. For each element along the axis, it includes this element and all before it; with include_initial, 1 comes first.

    Shapes: that of x, or one longer with include_initial; without an axis, x must be 1-d.
    Returns: new memory, pending; one kernel together with the operations that calculate x.
    Waits: no, unless others may change the memory of x.
    Accuracy: floats are multiplied in an order that depends only on the shape, with the same bits from run to run.
    Raises: IndexError for an axis out of range, ValueError if an axis is needed, TypeError for a dtype that is refused.
    Source: Array API 2025.12, cumulative_prod.
    """

def nancumsum(x: Array, /, axis: int | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None) -> Array:
    """
    x.cumsum(axis, dtype) with 0 in the place of NaN; without an axis, of all elements in row-major order.

    out: an array that receives the result instead of new memory; it is returned.
    Returns: new memory, pending, or `out`.
    Waits: no, unless others may change the memory of x.
    Raises: IndexError for an axis out of range, TypeError for a dtype that is refused.
    Source: NumPy 2, nancumsum.
    """

def nancumprod(x: Array, /, axis: int | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None) -> Array:
    """
    x.cumprod(axis, dtype) with 1 in the place of NaN; without an axis, of all elements in row-major order.

    out: an array that receives the result instead of new memory; it is returned.
    Returns: new memory, pending, or `out`.
    Waits: no, unless others may change the memory of x.
    Raises: IndexError for an axis out of range, TypeError for a dtype that is refused.
    Source: NumPy 2, nancumprod.
    """

def cumulative_max(x: Array, /, axis: int | None = None) -> Array:
    """
    Largest element up to and including each element along the axis; NaN from the first NaN on.

    Shapes: that of x; without an axis, x must be 1-d.
    Returns: new memory, pending; one kernel together with the operations that calculate x.
    Waits: no, unless others may change the memory of x.
    Accuracy: exact.
    Raises: IndexError for an axis out of range, ValueError if an axis is needed, TypeError for a dtype that is refused.
    Source: NumPy 2, accumulate of its ufuncs.
    """

def cumulative_min(x: Array, /, axis: int | None = None) -> Array:
    """
    Smallest element up to and including each element along the axis; NaN from the first NaN on.

    Shapes: that of x; without an axis, x must be 1-d.
    Returns: new memory, pending; one kernel together with the operations that calculate x.
    Waits: no, unless others may change the memory of x.
    Accuracy: exact.
    Raises: IndexError for an axis out of range, ValueError if an axis is needed, TypeError for a dtype that is refused.
    Source: NumPy 2, accumulate of its ufuncs.
    """

def sort(x: Array, /, axis: int | None = -1, *, descending: builtins.bool = False, stable: builtins.bool = True) -> Array:
    """
    The elements sorted along an axis, the smallest first, or the largest with descending. NaN comes last in both directions; complex numbers are ordered by their real parts, then by their imaginary parts, those with a NaN last. Equal elements keep their order, stable or not. With the axis None, all elements are sorted in row-major order.

    Returns: new memory, pending.
    Waits: no, unless others may change the memory of x.
    Raises: IndexError for an axis out of range, ValueError for an array without axes, TypeError for struct dtypes.
    Source: Array API 2025.12, sort.
    """

def argsort(x: Array, /, axis: int | None = -1, *, descending: builtins.bool = False, stable: builtins.bool = True) -> Array:
    """
    The indices along an axis that sort the elements, int64, the smallest first, or the largest with descending. NaN comes last in both directions; complex numbers are ordered by their real parts, then by their imaginary parts, those with a NaN last. Equal elements keep their order, stable or not. With the axis None, all elements are sorted in row-major order.

    Returns: new memory, pending.
    Waits: no, unless others may change the memory of x.
    Raises: IndexError for an axis out of range, ValueError for an array without axes, TypeError for struct dtypes.
    Source: Array API 2025.12, argsort.
    """

def partition(x: Array, /, kth: Axes, axis: int | None = -1) -> Array:
    """
    The elements partitioned along an axis: the elements at the indices kth are where sort() puts them, with none greater before and none less after them. On the host they are selected, for up to 16 indices; other devices sort all elements, which is also such an order. The same input gives the same order each time.

    Returns: new memory, pending.
    Waits: as sort().
    Raises: IndexError for an index out of range of the axis, else as sort().
    Source: NumPy 2, partition.
    """

def argpartition(x: Array, /, kth: Axes, axis: int | None = -1) -> Array:
    """
    The indices along an axis that partition the elements, int64: the elements at the indices kth are where sort() puts them, with none greater before and none less after them. On the host they are selected, for up to 16 indices; other devices sort all elements, which is also such an order. The same input gives the same order each time.

    Returns: new memory, pending.
    Waits: as sort().
    Raises: IndexError for an index out of range of the axis, else as sort().
    Source: NumPy 2, argpartition.
    """

def lexsort(keys: Sequence[Array] | Array, /, axis: int = -1) -> Array:
    """
    The indices along an axis, int64, that sort by the last key; where it has equal elements, by the key before it, and so on.

    keys: arrays of one shape, or one array with the keys along its first axis.
    Returns: new memory, pending.
    Waits: as sort().
    Raises: ValueError for no keys or different shapes, else as sort().
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

    The sum of squares is divided by the number of elements minus `correction`, or by 0 if that is negative. The result is real, in the dtype of mean; half precision is summed in float32.

    ddof: NumPy's name of correction.
    dtype: the dtype of the calculation and of the result, which may be complex.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Raises: IndexError for an axis out of range, TypeError for a dtype of integers, ValueError for both ddof and correction.
    Source: Array API 2025.12, var.
    """

def std(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, ddof: float = 0.0, keepdims: builtins.bool = False, *, correction: float | None = None) -> Array:
    """
    Standard deviation: the square root of the variance.

    The sum of squares is divided by the number of elements minus `correction`, or by 0 if that is negative. The result is real, in the dtype of mean; half precision is summed in float32.

    ddof: NumPy's name of correction.
    dtype: the dtype of the calculation and of the result, which may be complex.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Raises: IndexError for an axis out of range, TypeError for a dtype of integers, ValueError for both ddof and correction.
    Source: Array API 2025.12, std.
    """

def logsumexp(x: Array, /, axis: Axes | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    log(sum(exp(x))), without overflow on the way.

    -inf for no elements, inf if any element is inf, NaN if any is NaN. The result has the dtype of mean.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Raises: IndexError for an axis out of range, TypeError for complex numbers.
    Source: SciPy 1, special.logsumexp.
    """

def min_max(x: Array, /, axis: Axes | None = None, *, keepdims: builtins.bool = False) -> tuple[Array, Array]:
    """
    Smallest and largest elements, as min and max return them.

    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: two arrays in new memory, pending; one kernel writes both if both are alive.
    Raises: ValueError for no elements, IndexError for an axis out of range, TypeError for complex numbers.
    Source: Array API 2025.12, min and max.
    """

def average(x: Array, /, axis: Axes | None = None, weights: Elements | None = None, *, keepdims: builtins.bool = False) -> Array:
    """
    Weighted mean: sum(x * weights) / sum(weights).

    Where the sum of weights is 0 the result is NaN or infinite, without an error. Without weights, the same as mean.

    weights: with the shape of x, or of the axes, in their order.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending.
    Waits: no, unless others may change the memory of x.
    Raises: TypeError for weights of another shape without axes, ValueError for weights that fit neither shape, IndexError for an axis out of range.
    Source: NumPy 2, average.
    """

def nansum(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Sum of the elements that are not NaN; 0 where all are NaN.

    dtype: the dtype of the calculation.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Raises: IndexError for an axis out of range.
    Source: NumPy 2, nansum.
    """

def nanprod(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Product of the elements that are not NaN; 1 where all are NaN.

    dtype: the dtype of the calculation.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Raises: IndexError for an axis out of range.
    Source: NumPy 2, nanprod.
    """

def nanmean(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, keepdims: builtins.bool = False) -> Array:
    """
    Mean of the elements that are not NaN; NaN where all are NaN.

    dtype: the dtype of the calculation.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Raises: IndexError for an axis out of range.
    Source: NumPy 2, nanmean.
    """

def nanvar(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, ddof: float = 0.0, keepdims: builtins.bool = False, *, correction: float | None = None) -> Array:
    """
    Variance of the elements that are not NaN, as var.

    NaN where at most `correction` elements are left.

    ddof: NumPy's name of correction.
    dtype: the dtype of the calculation.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Raises: IndexError for an axis out of range, TypeError for a dtype of integers, ValueError for both ddof and correction.
    Source: NumPy 2, nanvar.
    """

def nanstd(x: Array, /, axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = None, ddof: float = 0.0, keepdims: builtins.bool = False, *, correction: float | None = None) -> Array:
    """
    Standard deviation of the elements that are not NaN, as std.

    NaN where at most `correction` elements are left.

    ddof: NumPy's name of correction.
    dtype: the dtype of the calculation.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.
    Returns: new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Raises: IndexError for an axis out of range, TypeError for a dtype of integers, ValueError for both ddof and correction.
    Source: NumPy 2, nanstd.
    """

def argmax(x: Array, /, axis: int | None = None, out: Array | tuple[Array] | None = None, *, keepdims: builtins.bool = False) -> Array:
    """
    Index of the largest element along an axis, or of all elements in row-major order.

    Of equal elements, the first one; if there is a NaN, the first NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axis is removed, or has length 1 with keepdims; without an axis, all are removed.
    Returns: int64, new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Raises: ValueError for an axis without elements, IndexError for an axis out of range, TypeError for complex numbers.
    Source: Array API 2025.12, argmax.
    """

def argmin(x: Array, /, axis: int | None = None, out: Array | tuple[Array] | None = None, *, keepdims: builtins.bool = False) -> Array:
    """
    Index of the smallest element along an axis, or of all elements in row-major order.

    Of equal elements, the first one; if there is a NaN, the first NaN.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axis is removed, or has length 1 with keepdims; without an axis, all are removed.
    Returns: int64, new memory, pending until its value is needed, or `out`.
    Waits: no, unless others may change the memory of x.
    Raises: ValueError for an axis without elements, IndexError for an axis out of range, TypeError for complex numbers.
    Source: Array API 2025.12, argmin.
    """

def nanargmax(x: Array, /, axis: int | None = None, out: Array | tuple[Array] | None = None, *, keepdims: builtins.bool = False) -> Array:
    """
    Index of the largest element that is not NaN, along an axis or of all elements in row-major order.

    Of equal elements, the first one; never the index of a NaN, even if all other elements are infinite.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axis is removed, or has length 1 with keepdims; without an axis, all are removed.
    Returns: int64, new memory, or `out`.
    Waits: for the result, unless x has an integer or bool dtype.
    Raises: ValueError if there are only NaNs or no elements along the axis, IndexError for an axis out of range, TypeError for complex numbers.
    Source: NumPy 2, nanargmax.
    """

def nanargmin(x: Array, /, axis: int | None = None, out: Array | tuple[Array] | None = None, *, keepdims: builtins.bool = False) -> Array:
    """
    Index of the smallest element that is not NaN, along an axis or of all elements in row-major order.

    Of equal elements, the first one; never the index of a NaN, even if all other elements are infinite.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: the axis is removed, or has length 1 with keepdims; without an axis, all are removed.
    Returns: int64, new memory, or `out`.
    Waits: for the result, unless x has an integer or bool dtype.
    Raises: ValueError if there are only NaNs or no elements along the axis, IndexError for an axis out of range, TypeError for complex numbers.
    Source: NumPy 2, nanargmin.
    """

def unravel_index(indices: Elements, shape: Shape, /, order: str = 'C') -> tuple[Array, ...]:
    """
    Converts flat indices into an array of this shape to an index for each axis.

    order: the order in which elements are counted, "C" (last axis fastest) or "F" (first axis fastest). An index that is too large or negative is not detected: the index of one axis is then out of range.
    Returns: int64, one array for each axis, new memory, pending.
    Raises: TypeError if the indices are not integers, ValueError for a shape without axes or elements and for an unknown order.
    Source: NumPy 2, unravel_index.
    """

def divmod(x1: Array | Number, x2: Array | Number, /) -> tuple[Array, Array]:
    """
    Quotient rounded towards minus infinity, and remainder: as floor_divide and remainder, and as `divmod(x1, x2)` of Python.

    Shapes: operands broadcast.
    Returns: two arrays in new memory, pending; one kernel writes both if both are alive.
    Waits: no, unless others may change the memory of an operand.
    Raises: TypeError for bools, complex numbers and if neither is an array, ValueError for shapes that do not broadcast.
    Source: NumPy 2, divmod.
    """

def modf(x: Array, /) -> tuple[Array, Array]:
    """
    The fractional and the integral part, both with the sign of x.

    For infinity they are 0 and infinity, for NaN both NaN. Integers are calculated as floats.

    Returns: two arrays in new memory, pending; one kernel writes both if both are alive.
    Waits: no, unless others may change the memory of x.
    Raises: TypeError for complex numbers.
    Source: NumPy 2, modf; C17 7.12.6.12.
    """

def frexp(x: Array, /) -> tuple[Array, Array]:
    """
    Mantissa from 0.5 to 1 and exponent, such that x is mantissa * 2**exponent, exactly.

    Zeros, infinities and NaN are their own mantissa and have the exponent 0. Integers are calculated as floats.

    Returns: two arrays in new memory, pending; the exponent is int32. One kernel writes both, if both are alive.
    Waits: no, unless others may change the memory of x.
    Raises: TypeError for complex numbers.
    Source: NumPy 2, frexp; C17 7.12.6.4.
    """

def gradient(x: Array, /, *spacing: Elements, axis: Axes | None = None, edge_order: int = 1) -> Array | tuple[Array, ...]:
    """
    Derivatives along these axes, or all: second-order differences of neighbours inside, and one-sided differences at both ends.

    spacing: the distance between elements, one for all axes or one for each; or, for each axis, an array of coordinates. Default: 1.
    edge_order: the order of the differences at the ends, 1 or 2.
    Returns: a tuple of one array for each axis, or for one axis the array; new memory, pending.
    Raises: TypeError for bools and for a wrong number of distances, ValueError for axes shorter than edge_order + 1, coordinates of a wrong shape and another edge_order, IndexError for an axis out of range.
    Source: NumPy 2, gradient.
    """

def pad(x: Array, pad_width: Indices | dict[int, int | tuple[int, int]], mode: str = 'constant', *, constant_values: Elements | None = None, end_values: Elements | None = None, stat_length: Indices | None = None, reflect_type: str | None = None) -> Array:
    """
    The array with a margin added at its edges.

    pad_width: how many elements to add before and after each axis: one number, one pair, a pair for each axis, or a dict with those of some axes.
    mode: "constant": the number constant_values; "edge": the element at the edge; "linear_ramp": even steps from the element at the edge to the number end_values, rounded down for integers; "mean", "median", "maximum" and "minimum": those along the axis, rounded for integers, halves to even; "reflect" and "symmetric": the elements mirrored, without and with the one at the edge; "wrap": the elements from the other end; "empty": undefined elements.
    constant_values, end_values: a number, one pair for all axes or one for each. Default: 0.
    stat_length: the number of elements at the edge of which the mean, median, maximum or minimum is taken, 1 or more, in the form of pad_width except a dict. Default: all elements, which also applies where an axis has fewer.
    reflect_type: "even", or "odd" for twice the element at the edge minus the mirrored ones.
    Returns: new memory; the work starts at the call.
    Waits: for constant_values and end_values, if they are arrays.
    Raises: ValueError for negative widths, a wrong number of them, an unknown mode, an argument that the mode does not take, a stat_length less than 1, and an axis without elements in all modes but "constant" and "empty"; TypeError for arguments that are not numbers, bools as widths, and struct dtypes in modes that calculate.
    Source: NumPy 2, pad.
    """

def sliding_window_view(x: Array, window_shape: Shape, axis: Axes | None = None) -> Array:
    """
    All windows of this shape on x.

    Shapes: these axes, or all, have one index for each window along them; new axes at the end hold the elements of each window. An axis may be repeated.
    Returns: a read-only view; nothing is calculated.
    Raises: ValueError for a wrong number of lengths, negative lengths and lengths greater than the axis, IndexError for an axis out of range.
    Source: NumPy 2, lib.stride_tricks.sliding_window_view.
    """

def diagonal(x: Array, /, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """
    The diagonals of the matrices in two axes, as the last axis.

    offset: the column at which they start, or, if negative, minus the row.
    Returns: a view; unlike NumPy's it is writable.
    Raises: ValueError for fewer than two axes, or one axis twice, IndexError for an axis out of range.
    Source: NumPy 2, diagonal.
    """

def trace(x: Array, /, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: object | None = None, out: Array | tuple[Array] | None = None) -> Array:
    """
    The sums of the diagonals, as sum returns them.

    offset, axis1, axis2: as for diagonal.
    Returns: new memory, pending, or `out`.
    Raises: as diagonal and sum.
    Source: NumPy 2, trace.
    """

def unique_values(x: Array, /) -> Array:
    """
    The distinct elements of an array.

    Each NaN is distinct from all others; 0.0 and -0.0 are equal, and the first one is returned. Values are in ascending order, as by sort().
    Returns: new memory. Values and the arrays that belong to them are 1-d.
    Waits: for x, which determines the number of values.
    Raises: TypeError for struct dtypes.
    Source: Array API 2025.12, unique_values.
    """

def unique_counts(x: Array, /) -> isthmus._results.UniqueCountsResult:
    """
    The distinct elements of an array, and how often each occurs: (values, counts).

    Each NaN is distinct from all others; 0.0 and -0.0 are equal, and the first one is returned. Values are in ascending order, as by sort().
    Returns: new memory. Values and the arrays that belong to them are 1-d.
    Waits: for x, which determines the number of values.
    Raises: TypeError for struct dtypes.
    Source: Array API 2025.12, unique_counts.
    """

def unique_inverse(x: Array, /) -> isthmus._results.UniqueInverseResult:
    """
    The distinct elements of an array, and for each element of x its index among them: (values, inverse_indices).

    Each NaN is distinct from all others; 0.0 and -0.0 are equal, and the first one is returned. Values are in ascending order, as by sort().
    Returns: new memory. Values and the arrays that belong to them are 1-d; inverse_indices has the shape of x.
    Waits: for x, which determines the number of values.
    Raises: TypeError for struct dtypes.
    Source: Array API 2025.12, unique_inverse.
    """

def unique_all(x: Array, /) -> isthmus._results.UniqueAllResult:
    """
    The distinct elements of an array, the index of the first occurrence of each in row-major order, for each element of x its index among the distinct ones, and how often each occurs: (values, indices, inverse_indices, counts).

    Each NaN is distinct from all others; 0.0 and -0.0 are equal, and the first one is returned. Values are in ascending order, as by sort().
    Returns: new memory. Values and the arrays that belong to them are 1-d; inverse_indices has the shape of x.
    Waits: for x, which determines the number of values.
    Raises: TypeError for struct dtypes.
    Source: Array API 2025.12, unique_all.
    """

def isin(x1: Elements, x2: Elements, /, *, invert: builtins.bool = False) -> Array:
    """
    Whether each element of x1 is equal to any element of x2, or with invert to none; NaN is equal to nothing.

    Shapes: that of x1.
    Returns: bool, new memory, pending; for complex numbers calculated immediately.
    Waits: on the host for x2 if it is an array, which the call calculates and reads; on a device the call enqueues that.
    Raises: TypeError if neither is an array and for struct dtypes, PromotionError for dtypes without a common dtype.
    Source: Array API 2025.12, isin.
    """

def median(x: Array, /, axis: Axes | None = None, *, keepdims: builtins.bool = False) -> Array:
    """
    The median: the middle element in sorted order, or the mean of the two in the middle; NaN if any is NaN, or if there are no elements. Floats and complex numbers keep their dtype, others give the default real dtype; complex numbers are ordered as by sort().

    Shapes: these axes are removed, or have length 1 with keepdims.
    Returns: new memory, pending.
    Waits: on the host for x, which the call calculates and selects from; on a device the call enqueues that.
    Raises: IndexError for an axis out of range, TypeError for struct dtypes.
    Source: NumPy 2, median.
    """

def nanmedian(x: Array, /, axis: Axes | None = None, *, keepdims: builtins.bool = False) -> Array:
    """
    The median of the elements that are not NaN; NaN where there are none. Floats and complex numbers keep their dtype, others give the default real dtype; complex numbers are ordered as by sort().

    Shapes: these axes are removed, or have length 1 with keepdims.
    Returns: new memory, pending.
    Waits: on the host for x, which the call calculates and selects from; on a device the call enqueues that.
    Raises: IndexError for an axis out of range, TypeError for struct dtypes.
    Source: NumPy 2, nanmedian.
    """

def quantile(x: Array, /, q: Elements, axis: Axes | None = None, *, keepdims: builtins.bool = False, method: str = 'linear') -> Array:
    """
    The q-th quantile of the elements, with q from 0 to 1: 0 is the smallest element, 1 the largest one. NaN if any element is NaN.

    method: in sorted order, counted from 0, it is the element at q * (n - 1) of n. If that is between two elements, "linear" interpolates, "lower" and "higher" take one of the two, "nearest" takes the nearer one, or at equal distance the one with an even index, and "midpoint" takes the mean of both. Between two equal infinities the result is the same infinity, where NumPy gives NaN.
    Shapes: that of q, then that of x without these axes, or with length 1 with keepdims.
    Returns: new memory, pending. Floats keep their dtype, whatever the dtype of q; others give the default real dtype for "linear" and "midpoint".
    Waits: for q if it is an Array, and as median().
    Raises: ValueError for an invalid q or method, or no elements, IndexError for an axis out of range, TypeError for complex and struct dtypes.
    Source: NumPy 2, quantile.
    """

def percentile(x: Array, /, q: Elements, axis: Axes | None = None, *, keepdims: builtins.bool = False, method: str = 'linear') -> Array:
    """
    The q-th quantile of the elements, with q from 0 to 100: 0 is the smallest element, 100 the largest one. NaN if any element is NaN.

    method: in sorted order, counted from 0, it is the element at q / 100 * (n - 1) of n. If that is between two elements, "linear" interpolates, "lower" and "higher" take one of the two, "nearest" takes the nearer one, or at equal distance the one with an even index, and "midpoint" takes the mean of both. Between two equal infinities the result is the same infinity, where NumPy gives NaN.
    Shapes: that of q, then that of x without these axes, or with length 1 with keepdims.
    Returns: new memory, pending. Floats keep their dtype, whatever the dtype of q; others give the default real dtype for "linear" and "midpoint".
    Waits: for q if it is an Array, and as median().
    Raises: ValueError for an invalid q or method, or no elements, IndexError for an axis out of range, TypeError for complex and struct dtypes.
    Source: NumPy 2, percentile.
    """

def nanquantile(x: Array, /, q: Elements, axis: Axes | None = None, *, keepdims: builtins.bool = False, method: str = 'linear') -> Array:
    """
    The q-th quantile of the elements, with q from 0 to 1: 0 is the smallest element, 1 the largest one. NaN is ignored; the result is NaN if there is nothing else.

    method: in sorted order, counted from 0, it is the element at q * (n - 1) of n. If that is between two elements, "linear" interpolates, "lower" and "higher" take one of the two, "nearest" takes the nearer one, or at equal distance the one with an even index, and "midpoint" takes the mean of both. Between two equal infinities the result is the same infinity, where NumPy gives NaN.
    Shapes: that of q, then that of x without these axes, or with length 1 with keepdims.
    Returns: new memory, pending. Floats keep their dtype, whatever the dtype of q; others give the default real dtype for "linear" and "midpoint".
    Waits: for q if it is an Array, for the number of elements that are not NaN, and as median().
    Raises: ValueError for an invalid q or method, IndexError for an axis out of range, TypeError for complex and struct dtypes.
    Source: NumPy 2, nanquantile.
    """

def nanpercentile(x: Array, /, q: Elements, axis: Axes | None = None, *, keepdims: builtins.bool = False, method: str = 'linear') -> Array:
    """
    The q-th quantile of the elements, with q from 0 to 100: 0 is the smallest element, 100 the largest one. NaN is ignored; the result is NaN if there is nothing else.

    method: in sorted order, counted from 0, it is the element at q / 100 * (n - 1) of n. If that is between two elements, "linear" interpolates, "lower" and "higher" take one of the two, "nearest" takes the nearer one, or at equal distance the one with an even index, and "midpoint" takes the mean of both. Between two equal infinities the result is the same infinity, where NumPy gives NaN.
    Shapes: that of q, then that of x without these axes, or with length 1 with keepdims.
    Returns: new memory, pending. Floats keep their dtype, whatever the dtype of q; others give the default real dtype for "linear" and "midpoint".
    Waits: for q if it is an Array, for the number of elements that are not NaN, and as median().
    Raises: ValueError for an invalid q or method, IndexError for an axis out of range, TypeError for complex and struct dtypes.
    Source: NumPy 2, nanpercentile.
    """

def convolve(a: Elements, v: Elements, mode: str = 'full') -> Array:
    """
    Convolution of two sequences: element k is the sum of a[i] * v[k - i].

    mode: "full": wherever the two overlap; "same": as many elements as the longer one has, from the middle; "valid": where the shorter one lies inside the longer one.
    Shapes: one axis each, or none. At least one of the two must be an Array.
    Returns: new memory, pending but for floats on the host; a.size * v.size multiplications.
    Waits: if the host calculates float32 or float64.
    Raises: ValueError for several axes, no elements and another mode, TypeError for structs and dtypes without a common dtype.
    Source: NumPy 2, convolve.
    """

def correlate(a: Elements, v: Elements, mode: str = 'valid') -> Array:
    """
    Cross-correlation of two sequences: element k is the sum of a[k + i] * conj(v[i]).

    mode: "full": wherever the two overlap; "same": as many elements as the longer one has, from the middle; "valid": where the shorter one lies inside the longer one.
    Shapes: one axis each, or none. At least one of the two must be an Array.
    Returns: new memory, pending but for floats on the host; a.size * v.size multiplications.
    Waits: if the host calculates float32 or float64.
    Raises: ValueError for several axes, no elements and another mode, TypeError for structs and dtypes without a common dtype.
    Source: NumPy 2, correlate.
    """

def cov(m: Array, y: Elements | None = None, rowvar: builtins.bool = True, bias: builtins.bool = False, ddof: float | None = None, *, dtype: object | None = None) -> Array:
    """
    Covariances of variables: the means of the products of what two of them differ from their means, of which one is conjugated.

    m: a variable in each row, with one observation in each column; or one variable.
    y: further variables, in the same form.
    rowvar: False if the variables are the columns.
    bias: divide by the number of observations n, not by n - 1.
    ddof: divide by n - ddof instead, or by 0 if ddof is greater.
    dtype: the dtype of the calculation and the result.
    Shapes: a square matrix; no axes for one variable.
    Returns: new memory; waits as matmul does.
    Raises: ValueError for more than two axes and another number of observations in y, TypeError for structs, an integer dtype and dtypes without a common dtype.
    Source: NumPy 2, cov.
    """

def corrcoef(x: Array, y: Elements | None = None, rowvar: builtins.bool = True, *, dtype: object | None = None) -> Array:
    """
    Correlation coefficients of variables: their covariances, divided by the standard deviations of both. From -1 to 1; NaN for a variable whose elements are all equal.

    x, y, rowvar, dtype: as for cov.
    Shapes: a square matrix; no axes for one variable.
    Returns: new memory; waits as matmul does.
    Raises: as cov.
    Source: NumPy 2, corrcoef.
    """

def bincount(x: Array, /, weights: Elements | None = None, minlength: int = 0) -> Array:
    """
    How often each number from 0 to the maximum of x occurs in x, or the sums of its weights.

    Shapes: x has one axis, and weights has the shape of x; the result has max(x) + 1 elements, or minlength if that is more.
    Returns: new memory: int64, or the default real dtype with weights. CPUs add weights one after another, as NumPy does, and GPUs in pairs: the bits are the same on every run.
    Waits: for x, since its maximum determines the length.
    Raises: TypeError if x is not of integers, ValueError for negative numbers and wrong shapes.
    Source: NumPy 2, bincount.
    """

def histogram(x: Array, /, bins: int | str | Elements = 10, range: tuple[float, float] | None = None, density: builtins.bool = False, weights: Elements | None = None) -> tuple[Array, Array]:
    """
    Number of elements in each bin, and the edges of the bins: (counts, edges). A bin includes its lower edge, and the last bin both edges. Elements outside all bins are not counted, nor is NaN.

    bins: the number of bins of equal width, from range[0] to range[1] or from the smallest element to the largest; a rule that determines that number, "auto", "doane", "fd", "rice", "scott", "sqrt" or "sturges"; or edges, which must not decrease.
    density: normalize so that the integral over all bins is 1.
    weights: the weight of each element, summed as in bincount(); counts have their dtype.
    Returns: new memory; counts are int64, calculated edges have the dtype of x if that is a float dtype, else the default real dtype.
    Waits: for the smallest and the largest element, or for the edges.
    Raises: ValueError for no bins, an unknown rule, a range that is not finite, that decreases, or whose edges would be equal or infinite, edges that decrease, and wrong shapes; TypeError for complex and struct dtypes and for a rule with weights.
    Source: NumPy 2, histogram.
    """

def add_at(x: Array, indices: Index | tuple[Index, ...], values: Elements, /) -> None:
    """
    x[indices] += values, but an element that is indexed several times receives all its values. Integers are exact. CPUs add floats one after another, as NumPy does, and GPUs in pairs: the bits are the same on every run. Half precision, and values of a wider dtype than x, are added in pairs and rounded once.

    indices: as for x[...]; a tuple has one entry for each axis.
    Shapes: values broadcast to the shape of x[indices].
    Returns: None; x is modified.
    Waits: as put.
    Raises: as x[indices] for the indices, TypeError if the sum has a higher kind of dtype than x, ValueError for read-only memory, a 0-d array and shapes that do not broadcast.
    Source: NumPy 2, add.at.
    """

class LocalMemory:
    """
    Memory that the work-items of a group share, as an argument of a kernel.

    LocalMemory(nbytes): nbytes bytes for each group.

    Source: pyopencl 2026.1, LocalMemory.
    """

    def __init__(self, nbytes: int) -> None: ...

    @property
    def nbytes(self) -> int:
        """Number of bytes for each group."""

class RawKernel:
    """
    One kernel of a program in OpenCL C, for arrays of opencl, sycl and cpu.

    RawKernel(code, name, options=()): the kernel `name` of `code`; options are passed to the
    compiler, ("-DN=4",). It is built for a device on the first call there, once for each
    source; builds are kept in memory and on disk.

    kernel(grid, block, args) runs `grid` groups of `block` work-items each.

    Waits: no. Raises: ValueError for an empty name.
    Source: CuPy 13, RawKernel.
    """

    def __init__(self, code: str, name: str, options: tuple[str, ...] | list[str] | str = ()) -> None: ...

    def __call__(self, grid: int | tuple[int, ...], block: int | tuple[int, ...], args: tuple[object, ...] | list[object]) -> None:
        """
        Runs the kernel in `grid` groups of `block` work-items each, along up to three axes.

        An array is passed as the address of its first element, whatever its strides; the kernel
        reads and writes it in place, in order with all other work. A number is converted to the
        declared type; a struct is a NumPy scalar, or bytes; LocalMemory is memory of a group.
        For arrays of cpu, the kernel runs on an OpenCL device that can access host memory,
        without copies.

        Returns: None. Waits: for the build and for pending arguments; not for the kernel, unless
        the host may access the memory that it writes at any time.
        Raises: CompileError with the code and the compiler's output, TypeError, ValueError and
        OverflowError for arguments that do not fit the declared parameters, ValueError for
        groups that are too large and for read-only memory, DeviceMismatchError for arrays of
        several devices, NotImplementedError for a device without user kernels.
        Source: CuPy 13, RawKernel.
        """

    def attributes(self, device: Device | str | None = None) -> dict[str, int]:
        """
        Resources of the kernel on a device: `largest_group`, the most work-items that a group
        can have, `group_multiple`, of which the group size is best a multiple, `local_bytes` of
        a group and `private_bytes` of a work-item.

        Waits: for the build. Raises: as a call does.
        Source: OpenCL 3.0, clGetKernelWorkGroupInfo.
        """

    @property
    def name(self) -> str:
        """The name of the kernel."""

    def compile(self, device: Device | str | None = None) -> None:
        """
        Builds the kernel for a device, by default the default device, before the first call does it.

        Returns: None. Waits: for the build. Raises: CompileError and NotImplementedError, as a
        call does; for a RawKernel also ValueError if the code has no kernel of its name.
        Source: CuPy 13, RawModule.compile.
        """

    @property
    def code(self) -> str:
        """The source code."""

    @property
    def options(self) -> tuple[str, ...]:
        """Options of the compiler."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

class RawModule:
    """
    A program in OpenCL C with several kernels.

    RawModule(code, options=()): as for RawKernel. get_function(name) returns one of its kernels.

    Waits: no.
    Source: CuPy 13, RawModule.
    """

    def __init__(self, code: str, options: tuple[str, ...] | list[str] | str = ()) -> None: ...

    def get_function(self, name: str) -> RawKernel:
        """
        The kernel of this name. A missing kernel is detected only when it is built.

        Returns: a new RawKernel. Waits: no. Raises: ValueError for an empty name.
        Source: CuPy 13, RawModule.
        """

    def compile(self, device: Device | str | None = None) -> None:
        """
        Builds the kernel for a device, by default the default device, before the first call does it.

        Returns: None. Waits: for the build. Raises: CompileError and NotImplementedError, as a
        call does; for a RawKernel also ValueError if the code has no kernel of its name.
        Source: CuPy 13, RawModule.compile.
        """

    @property
    def code(self) -> str:
        """The source code."""

    @property
    def options(self) -> tuple[str, ...]:
        """Options of the compiler."""

    def __reduce__(self) -> tuple[Any, ...]: ...

def _on_queue(queue: object, function: Callable[..., Any], /, *args: object) -> Any:
    """
    function(*args) of Isthmus with this as the current queue, a pyopencl.CommandQueue or an isthmus.Queue.
    """

_EVENTS_KEPT: int = 12

def _was_written(x: Array) -> None:
    """
    Refreshes mappings of an array that another library has written, and waited for.
    """

def _begin_copy(from_: Array, to: Array) -> None:
    """
    Begins to copy a row-major array of a device to one of the host, of as many bytes. Work on
    the queue comes behind it.
    """

def _bytes_at_rest(x: Array) -> bytes | None:
    """
    A copy of a few elements of a row-major array, if it takes no wait; else None.
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

    _fresh: Any

    _news: int

    _x: Array

class ReductionKernel:
    """
    A reduction kernel in OpenCL C, for arrays of opencl, sycl and cpu.

    ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", 0, "norm")(x, axis=1)

    map_expr is an expression of the input parameters, which are declared as for
    ElementwiseKernel. reduce_expr combines two of its values, a and b, in an order that is
    the same each time: it must be associative and commutative. post_map_expr is a statement
    that assigns the output from a. identity is the result for no elements, a number or C
    code; None makes that an error. reduce_type is the dtype of a and b, or its name in
    `structs`; None is the dtype of the output. All values can be structs, of 128 bytes at
    most: `structs` maps the names that the code uses for them to dtypes. The identity of a
    struct can be an initializer, "{0, -1}". `options` are as for ElementwiseKernel.

    Waits: no.
    Raises: ValueError for parameters that cannot be parsed, and for an output that
    post_map_expr does not name.
    Source: CuPy 13, ReductionKernel.
    """

    def __init__(self, in_params: str, out_params: str, map_expr: str, reduce_expr: str, post_map_expr: str, identity: Number | str | None = None, name: str = 'reduce_kernel', reduce_type: DTypeLike | None = None, preamble: str = '', *, options: tuple[str, ...] | list[str] | str = (), structs: Mapping[str, DTypeLike] | None = None) -> None: ...

    def __call__(self, *args: object, axis: int | tuple[int, ...] | None = None, keepdims: builtins.bool = False) -> Array:
        """
        Broadcasts the arguments and reduces them along these axes, or along all without axis.

        Returns: new memory, pending: the maps, the reduction and the operations around them form
        one kernel. On cpu the kernel runs immediately.
        Waits: no, except on cpu for the build.
        Raises: as ElementwiseKernel; ValueError for no elements without an identity, IndexError
        for an axis out of range.
        Source: CuPy 13, ReductionKernel.
        """

    @property
    def name(self) -> str:
        """The name in errors and profiles."""

    def __repr__(self) -> str: ...

    @property
    def nin(self) -> int:
        """Number of input parameters."""

    @property
    def nout(self) -> int:
        """Number of output parameters."""

    @property
    def nargs(self) -> int:
        """Number of all parameters."""

    @property
    def preamble(self) -> str:
        """Code that is placed before the kernel."""

    @property
    def options(self) -> tuple[str, ...]:
        """Options of the compiler."""

    def __reduce__(self) -> tuple[Any, ...]: ...

class ScanKernel:
    """
    A scan kernel in OpenCL C: the reduction of all elements up to each element.

    ScanKernel("T x", "T y", "x", "a > b ? a : b", "y = a")(x)

    map_expr, scan_expr and post_map_expr are as for ReductionKernel, scan_type as
    reduce_type. Elements are combined in order, so scan_expr need only be associative.
    is_segment_start_expr, an expression of the input parameters, is not 0 where a new
    segment starts. exclusive: an element does not contribute to its own result; the first
    result of each segment is identity, a number or C code, which is neutral: it is not
    combined with the other elements. An exclusive scan takes two kernels. Structs and
    `options` are as for ReductionKernel.

    Waits: no.
    Raises: ValueError for parameters that cannot be parsed, and for an exclusive scan
    without an identity.
    Source: pyopencl 2026.1, InclusiveScanKernel, in the form of CuPy's ReductionKernel.
    """

    def __init__(self, in_params: str, out_params: str, map_expr: str, scan_expr: str, post_map_expr: str, name: str = 'scan_kernel', scan_type: DTypeLike | None = None, preamble: str = '', *, is_segment_start_expr: str | None = None, exclusive: builtins.bool = False, identity: Number | str | None = None, options: tuple[str, ...] | list[str] | str = (), structs: Mapping[str, DTypeLike] | None = None) -> None: ...

    def __call__(self, *args: object, axis: int | None = None) -> Array:
        """
        Broadcasts the arguments and scans them along an axis; without one, they must have one
        axis.

        Returns: new memory, pending. On cpu the kernel runs immediately.
        Waits: no, except on cpu for the build.
        Raises: as ReductionKernel.
        Source: pyopencl 2026.1, InclusiveScanKernel.
        """

    @property
    def name(self) -> str:
        """The name in errors and profiles."""

    def __repr__(self) -> str: ...

    @property
    def nin(self) -> int:
        """Number of input parameters."""

    @property
    def nout(self) -> int:
        """Number of output parameters."""

    @property
    def nargs(self) -> int:
        """Number of all parameters."""

    @property
    def preamble(self) -> str:
        """Code that is placed before the kernel."""

    @property
    def options(self) -> tuple[str, ...]:
        """Options of the compiler."""

    def __reduce__(self) -> tuple[Any, ...]: ...

class ElementwiseKernel:
    """
    An elementwise kernel in OpenCL C, for arrays of opencl, sycl and cpu.

    ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared")(x, y)

    Parameters have a dtype, or one capital letter, which stands for the dtype of the
    argument. The operation can access all elements of a `raw` parameter, x[k] in row-major
    order; the other arrays are broadcast, and the operation sees one element of each. `i` is
    the index of the element in row-major order, `n` the number of elements. The operation
    consists of statements that assign the output parameters. `preamble` is placed before the
    functions in each kernel. `options` are passed to the compiler: those that define macros,
    ("-DN=4",), become lines before the preamble; a kernel with any other, such as
    "-cl-fast-relaxed-math", is compiled with it, and contains only functions with the same
    options. `structs` maps the names that the code uses for structs to their dtypes:
    {"pair": numpy.dtype([("low", "f4"), ("high", "f4")])}.

    Waits: no.
    Raises: ValueError for parameters that cannot be parsed, and for an output that neither
    the operation nor the preamble names.
    Source: CuPy 13, ElementwiseKernel.
    """

    def __init__(self, in_params: str, out_params: str, operation: str, name: str = 'kernel', preamble: str = '', *, options: tuple[str, ...] | list[str] | str = (), structs: Mapping[str, DTypeLike] | None = None) -> None: ...

    def __call__(self, *args: object, size: int | tuple[int, ...] | None = None) -> Any:
        """
        Runs the kernel on arrays and numbers in the order of the parameters. Returns the output, or a tuple of several.

        Arrays after the inputs receive the outputs. Until the operation assigns an output, the
        output holds the old value of its element, 0 in a new array. `size` is the shape if no
        array that is not raw determines it.

        Returns: new memory, pending: it fuses with the operations around it. On cpu, an
        operation that is not plain arithmetic runs immediately, on an OpenCL device that can
        access host memory.
        Waits: no, except on cpu for the build of such an operation.
        Raises: TypeError for dtypes that do not fit, ValueError for shapes, OverflowError for
        numbers, DeviceMismatchError for arrays of several devices, NotImplementedError for a
        device without user kernels. Code that does not compile raises a CompileError where the
        result is needed.
        Source: CuPy 13, ElementwiseKernel.
        """

    @property
    def name(self) -> str:
        """The name in errors and profiles."""

    @property
    def operation(self) -> str:
        """The code of the operation."""

    @property
    def nin(self) -> int:
        """Number of input parameters."""

    @property
    def nout(self) -> int:
        """Number of output parameters."""

    @property
    def nargs(self) -> int:
        """Number of all parameters."""

    @property
    def preamble(self) -> str:
        """Code that is placed before the kernel."""

    @property
    def options(self) -> tuple[str, ...]:
        """Options of the compiler."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

def matmul(x1: Array, x2: Array, /, out: Array | tuple[Array] | None = None) -> Array:
    """
    Matrix product: x1 @ x2.

    out: an array that receives the result instead of new memory; it is returned.
    Dtypes: the common dtype; half precision is summed in float32 and rounded once, integers wrap around, bools are combined by "or" of "and".
    Shapes: (..., m, k) and (..., k, n) give (..., m, n); leading axes broadcast. A 1-d operand is a row on the left and a column on the right, and that axis is removed from the result.
    Returns: new memory, or `out`. Where the host can access the memory, a BLAS of the host multiplies floats and complex numbers during the call (config.blas), and code of the library multiplies integers and bools in blocks. Elsewhere a kernel multiplies tiles in local memory. Products with vectors and of small matrices are sums of products, and pending.
    Waits: for the operands; also for the result where the host multiplies.
    Raises: ValueError for shapes that do not fit and for 0-d operands, TypeError for structs.
    Source: Array API 2025.12, matmul.
    """

def outer(x1: Array | Number, x2: Array | Number, /, out: Array | tuple[Array] | None = None) -> Array:
    """
    All products of an element of x1 and an element of x2.

    out: an array that receives the result instead of new memory; it is returned.
    Shapes: (x1.size, x2.size), each in row-major order. One of them may be a number.
    Returns: new memory, or `out`; pending.
    Waits: no, unless others may change the memory of an operand.
    Raises: TypeError for structs.
    Source: NumPy 2, outer.
    """

def vdot(x1: Array, x2: Array, /, out: Array | tuple[Array] | None = None) -> Array:
    """
    Sum of conj(x1) * x2 over all elements.

    out: an array that receives the result instead of new memory; it is returned.
    Dtypes: the common dtype; half precision is summed in float32 and rounded once, integers wrap around, bools are combined by "or" of "and".
    Shapes: both have the same number of elements; the result is 0-d.
    Returns: new memory, or `out`; pending.
    Waits: no, unless others may change the memory of an operand.
    Raises: ValueError for different sizes, TypeError for structs.
    Source: NumPy 2, vdot.
    """

def dot(x1: Array | Number, x2: Array | Number, /, out: Array | tuple[Array] | None = None) -> Array:
    """
    The product of arrays, as numpy.dot.

    out: an array that receives the result instead of new memory; it is returned.
    Dtypes: the common dtype; half precision is summed in float32 and rounded once, integers wrap around, bools are combined by "or" of "and".
    Shapes: 0-d arrays and numbers as multiply; 1-d and 2-d arrays as matmul; else the last axis of the first and the second to last axis of the second are summed over.
    Returns: new memory, or `out`. Where the host can access the memory, a BLAS of the host multiplies floats and complex numbers during the call (config.blas), and code of the library multiplies integers and bools in blocks. Elsewhere a kernel multiplies tiles in local memory. Products with vectors and of small matrices are sums of products, and pending.
    Waits: for the operands; also for the result where the host multiplies.
    Raises: ValueError for shapes that do not fit, TypeError for structs.
    Source: NumPy 2, dot.
    """

def vecdot(x1: Array, x2: Array, /, out: Array | tuple[Array] | None = None, *, axis: int = -1) -> Array:
    """
    Sum of conj(x1) * x2 along one axis.

    out: an array that receives the result instead of new memory; it is returned.
    Dtypes: the common dtype; half precision is summed in float32 and rounded once, integers wrap around, bools are combined by "or" of "and".
    Shapes: the axis has the same length in both, and is removed; the others broadcast.
    Returns: new memory, or `out`; pending.
    Waits: no, unless others may change the memory of an operand.
    Raises: IndexError for an axis outside an array, ValueError for shapes that do not fit, TypeError for structs.
    Source: Array API 2025.12, vecdot.
    """

def cross(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """
    Cross products of vectors of three elements along one axis.

    Shapes: the axis has 3 elements in both; the others broadcast.
    Returns: new memory; pending.
    Waits: no, unless others may change the memory of an operand.
    Raises: IndexError for an axis outside an array, ValueError for shapes that do not fit, TypeError for bools and structs.
    Source: Array API 2025.12, linalg.cross.
    """

def tensordot(x1: Array, x2: Array, /, axes: SupportsIndex | tuple[Axes, Axes] | list[Axes] | Elements = 2) -> Array:
    """
    Sum of products over pairs of axes.

    axes: the number of axes, the last ones of x1 and the first ones of x2; or axes of x1 and of x2, which are paired in this order, as tuples, lists or one array. 0 gives all products.
    Dtypes: the common dtype; half precision is summed in float32 and rounded once, integers wrap around, bools are combined by "or" of "and".
    Shapes: the other axes of x1, then those of x2.
    Returns: new memory. Where the host can access the memory, a BLAS of the host multiplies floats and complex numbers during the call (config.blas), and code of the library multiplies integers and bools in blocks. Elsewhere a kernel multiplies tiles in local memory. Products with vectors and of small matrices are sums of products, and pending.
    Waits: for the operands; also for the result where the host multiplies.
    Raises: IndexError for an axis outside an array, ValueError for axes that differ in length or number, TypeError for structs.
    Source: Array API 2025.12, tensordot.
    """

def einsum(subscripts: str | Array, /, *operands: Array | Sequence[Any], optimize: builtins.bool | str | Sequence[Any] = True, out: Array | tuple[Array] | None = None) -> Array:
    """
    Sum of products, described by labels of axes: "ij,jk->ik" is a product of matrices.

    One letter stands for each axis of an operand, and "..." for axes that broadcast. Axes that are not listed after "->" are summed over. Without "->", the result has the axes whose letter occurs once, in alphabetical order, after those of "...". A letter twice in one operand takes its diagonal. Numbers can replace letters: einsum(x, [0, 1], y, [1, 2], [0, 2]); each array is followed by the list of its axes, with ... for those that broadcast, and the list of the result may come last.

    optimize: the order of the products. True or "greedy": first the two operands whose product saves most memory. False: from left to right. "optimal", or a word and the most elements that a product may have, ("greedy", 10**6): the order that numpy.einsum_path finds. "auto", "dp" and other words of opt_einsum: the order that this package finds, if it is installed. Or a path of opt_einsum or numpy.einsum_path.
    out: an array that receives the result instead of new memory; it is returned.
    Dtypes: the common dtype; half precision is summed in float32 and rounded once, integers wrap around, bools are combined by "or" of "and".
    Shapes: axes of one letter have the same length, or 1.
    Returns: new memory, or `out`. Where the host can access the memory, a BLAS of the host multiplies floats and complex numbers during the call (config.blas), and code of the library multiplies integers and bools in blocks. Elsewhere a kernel multiplies tiles in local memory. Products with vectors and of small matrices are sums of products, and pending.
    Waits: for the operands; also for the result where the host multiplies.
    Raises: ValueError for subscripts that do not describe the operands, TypeError for structs.
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

        Returns: new memory, or `out`, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.random.
        """

    def standard_normal(self, size: Shape | None = None, dtype: object | None = None, out: Array | None = None, *, device: Device | str | None = None) -> Array:
        """
        Normal numbers of mean 0 and deviation 1, by the Box-Muller method;
        magnitudes are at most 9.42, or 6.67 in float32.

        Returns: new memory, or `out`, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.standard_normal.
        """

    def standard_exponential(self, size: Shape | None = None, dtype: object | None = None, method: str = 'zig', out: Array | None = None, *, device: Device | str | None = None) -> Array:
        """
        Exponential numbers of mean 1, at most 44.4, or 22.2 in float32.

        method: "zig" or "inv", as in NumPy; both calculate -log of a number in (0, 1] here.

        Returns: new memory, or `out`, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.standard_exponential.
        """

    def uniform(self, low: Elements = 0, high: Elements = 1, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Numbers in [low, high); rounding may yield `high` itself.

        Returns: new memory, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: OverflowError for a range that is not finite, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.uniform.
        """

    def normal(self, loc: Elements = 0, scale: Elements = 1, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Normal numbers: loc + scale * standard_normal(). An array `scale` is not checked.

        Returns: new memory, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: ValueError for a scale below 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.normal.
        """

    def exponential(self, scale: Elements = 1, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Exponential numbers of mean `scale`. An array `scale` is not checked.

        Returns: new memory, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: ValueError for a scale below 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.exponential.
        """

    def standard_gamma(self, shape: Elements, size: Shape | None = None, dtype: object | None = None, out: Array | None = None, *, device: Device | str | None = None) -> Array:
        """
        Gamma numbers of a shape and scale 1. An array `shape` is not checked.

        Returns: new memory, or `out`, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: ValueError for a shape below 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.standard_gamma.
        """

    def gamma(self, shape: Elements, scale: Elements = 1, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Gamma numbers of a shape and a scale. Arrays are not checked; a shape below 0 gives NaN.

        Returns: new memory, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: ValueError for parameters below 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.gamma.
        """

    def standard_cauchy(self, size: Shape | None = None, dtype: object | None = None, out: Array | None = None, *, device: Device | str | None = None) -> Array:
        """
        Quotients of two normal numbers.

        Returns: new memory, or `out`, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.standard_cauchy.
        """

    def laplace(self, loc: Elements = 0, scale: Elements = 1, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        loc + scale times the difference of two exponential numbers.

        Returns: new memory, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: ValueError for a scale below 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.laplace.
        """

    def rayleigh(self, scale: Elements = 1, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        scale times the length of a vector of two normal numbers.

        Returns: new memory, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: ValueError for a scale below 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.rayleigh.
        """

    def chisquare(self, df: Elements, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Sums of the squares of `df` normal numbers; df need not be an integer.

        Returns: new memory, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: ValueError unless df is above 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.chisquare.
        """

    def standard_t(self, df: Elements, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Student's t of `df` degrees of freedom.

        Returns: new memory, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: ValueError unless df is above 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.standard_t.
        """

    def beta(self, a: Elements, b: Elements, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Numbers from 0 to 1: x / (x + y) of gamma numbers of the shapes a and b.

        Returns: new memory, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: ValueError unless the parameters are above 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.beta.
        """

    def f(self, dfnum: Elements, dfden: Elements, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Quotients of chisquare(dfnum) / dfnum and chisquare(dfden) / dfden.

        Returns: new memory, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: ValueError unless the parameters are above 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.f.
        """

    def triangular(self, left: Elements, mode: Elements, right: Elements, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Triangular numbers from `left` to `right`, with the peak of the density
        at `mode`. Arrays are not checked.

        Returns: new memory, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: ValueError if the three are not in this order or are all
        equal, OverflowError for a range that is not finite, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.triangular.
        """

    def dirichlet(self, alpha: Elements, size: Shape | None = None, *, dtype: object | None = None, device: Device | str | None = None) -> Array:
        """
        Numbers with the sum 1 along a last axis: gamma numbers of the shapes `alpha`,
        divided by their sum. An array `alpha` is not checked.

        Returns: new memory, pending; its shape is (*size, len(alpha)).
        Waits: no.
        Raises: ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.dirichlet.
        """

    def binomial(self, n: Elements, p: Elements, size: Shape | None = None, *, device: Device | str | None = None) -> Array:
        """
        How many of n trials succeed with probability p, int64. Up to 2^10 trials are
        drawn one by one; more are halved by beta numbers until 2^10 or fewer are
        left. An array p is not checked: where it is NaN or outside 0 to 1, the
        result is -2^63.

        Returns: new memory, pending; 0-d without size if the parameters are numbers.
        Waits: for an array n, and for n above 2^10.
        Raises: ValueError for n below 0 and p outside 0 to 1, TypeError if n is not of integers, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.binomial.
        """

    def negative_binomial(self, n: Elements, p: Elements, size: Shape | None = None, *, device: Device | str | None = None) -> Array:
        """
        How many trials of success probability p fail before n succeed, int64; n need not be an integer.
        Arrays are not checked: where n or p is invalid, the result is -2^63.

        Returns: new memory, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: ValueError unless n and p are above 0, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.negative_binomial.
        """

    def integers(self, low: Elements, high: Elements | None = None, size: Shape | None = None, dtype: object | None = None, endpoint: builtins.bool = False, *, device: Device | str | None = None) -> Array:
        """
        Integers in [low, high), or in [low, high] with endpoint; with one number, in [0, low).

        Each is low + the high half of the product of 64 random bits and the number of
        integers. Nothing is rejected, so some integers are more frequent than others, by at
        most one part in 2^64 / (high - low).

        Returns: new memory, pending; int64 by default.
        Waits: for bounds that are arrays.
        Raises: ValueError if a range is empty or an integer does not fit the dtype, TypeError
        for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.integers.
        """

    def poisson(self, lam: Elements = 1.0, size: Shape | None = None, *, device: Device | str | None = None) -> Array:
        """
        Poisson numbers with the mean `lam`, int64, calculated in the default real dtype of
        the device. An array `lam` is not checked: where it is NaN or below 0, the result
        is -2^63.

        Returns: new memory, pending; 0-d without size if the parameters are numbers.
        Waits: no.
        Raises: ValueError for a mean below 0 or above 9.2e18, ValueError for shapes, TypeError for dtypes, DeviceMismatchError.
        Source: numpy.random.Generator.poisson.
        """

    def bytes(self, length: SupportsIndex) -> bytes:
        """
        Random bytes of the given length.

        Waits: for the bytes.
        Raises: ValueError for a negative length.
        Source: numpy.random.Generator.bytes.
        """

    def permutation(self, x: Elements | SupportsIndex, axis: SupportsIndex = 0, *, device: Device | str | None = None) -> Array:
        """
        The slices of an array along an axis in random order; for an int, the numbers below it, int64.

        Shapes: that of x.
        Returns: new memory, pending.
        Waits: no.
        Raises: IndexError for a bad axis, TypeError.
        Source: numpy.random.Generator.permutation.
        """

    def permuted(self, x: Elements, *, axis: SupportsIndex | None = None, out: Array | None = None, device: Device | str | None = None) -> Array:
        """
        The elements of an array in random order along an axis, in an independent order for
        each index of the other axes; without an axis, all elements.

        Shapes: that of x.
        Returns: new memory, or `out`; pending.
        Waits: no.
        Raises: IndexError for a bad axis, TypeError.
        Source: numpy.random.Generator.permuted.
        """

    def shuffle(self, x: Array, axis: SupportsIndex = 0) -> None:
        """
        Shuffles the slices of an array along an axis, in place.

        Waits: as x[...] = y does.
        Raises: IndexError for a bad axis, ValueError for a read-only array.
        Source: numpy.random.Generator.shuffle.
        """

    def choice(self, a: Elements | SupportsIndex, size: Shape | None = None, replace: builtins.bool = True, p: Elements | None = None, axis: SupportsIndex = 0, shuffle: builtins.bool = True, *, device: Device | str | None = None) -> Array:
        """
        Slices of an array along an axis, or numbers below an int, drawn with or without replacement.

        `p` holds the probability of each, reals with the sum 1. The order is random with
        `shuffle` or without it.

        Shapes: `size` replaces the axis.
        Returns: new memory, pending.
        Waits: to check p, and if fewer than one in 32 are drawn without replacement.
        Raises: ValueError if more are drawn than there are and for an invalid p, IndexError for a bad axis.
        Source: numpy.random.Generator.choice.
        """

def _seeded(seeds: list[list[int]]) -> tuple[int, int, int, int]: ...

def _seeded_by_entropy() -> tuple[int, int, int, int]: ...

def _philox4x32(counter: Array, key: Array) -> Array: ...

def asarray(obj: object, /, dtype: object = None, *, device: Device | str | None = None, copy: builtins.bool | None = None) -> Array:
    """
    Converts an object that holds numbers to an array.

    Accepts objects with __sycl_usm_array_interface__, DLPack, the buffer protocol,
    __array_interface__ or __array__; arrays and memory of pyopencl; memory objects;
    numbers, and nested lists of them, through NumPy unless all are Python numbers. Lists of
    arrays are stacked on the device of the arrays.

    Returns: a view of the object's memory, which it keeps alive; a copy if copy=True, for
    another dtype or device, for numbers and lists, and for NumPy arrays whose elements are
    misaligned, byte-swapped or not a whole number of elements apart.
    Waits: no.
    Raises: CopyRefusedError if copy=False and a copy is needed; ExchangeError (BufferError)
    with the reason of every protocol; TypeError for objects without numbers.
    Source: Array API 2025.12.
    """

def from_dlpack(x: object, /, *, device: Device | str | None = None, copy: builtins.bool | None = None) -> Array:
    """
    Imports an array of another library by DLPack 1.3 or older.

    Returns: a view, read-only if the producer says so and for JAX; a copy if copy=True or
    for another device.
    Waits: no.
    Raises: BufferError, naming the field; CopyRefusedError if copy=False and a copy is needed.
    Source: Array API 2025.12.
    """

class Explanation:
    """Describes what asarray would do with an object, and why; see explain."""

    @property
    def verdict(self) -> str:
        """'zero-copy', 'copy' or 'impossible'."""

    @property
    def protocol(self) -> str:
        """
        How it would be imported: a name of protocols(), 'isthmus' or 'numpy'; else ''.
        """

    @property
    def reason(self) -> str:
        """The reason; for an isthmus.Array, why its memory is shared or private."""

    @property
    def exports(self) -> dict[str, str]:
        """By protocol, how an isthmus.Array could be exported."""

    def __repr__(self) -> str: ...

def explain(obj: object, device: Device | str | None = None) -> Explanation:
    """
    Explains what asarray(obj, device=device) would do: share, copy or fail, by which protocol and why; for an isthmus.Array also why it is shared.

    Waits: for the object's own value, if its protocol requires it, and for arrays in lists.
    """

def _wait(x: Array, /) -> None:
    """
    Waits until the host may access the array: an interrupt is raised here, where NumPy would swallow it.
    """

def protocols() -> tuple[str, ...]:
    """
    Names of the exchange protocols, in the order in which asarray tries them.
    """

class _Memory:
    """Base class of the classes of isthmus.memory."""

    def __init__(self, array: Array) -> None: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

    @property
    def _array(self) -> Array:
        """The bytes as an array of uint8. Returns: a view."""

def _allocate_bytes(bytes: int, alignment: int, queue: Queue, kind: str, /) -> Array: ...

def _bytes_of(array: Array, is_whole: builtins.bool, /) -> Array: ...

def _held_bytes(array: Array, owner: object, /) -> Array: ...

def _owner_of(array: Array, /) -> Any: ...

def _address_of(array: Array, /) -> int: ...

def _kind_of(array: Array, /) -> str: ...

def _is_contiguous(array: Array, /) -> tuple[builtins.bool, builtins.bool]:
    """
    Whether the elements are contiguous in row-major order, and in column-major order.
    """

def _is_host_reachable(array: Array, /) -> builtins.bool:
    """
    Whether the host can access the memory without a copy; evaluates nothing.
    """

def _context_of(array: Array, /) -> Context: ...

def _queue_of(array: Array, /) -> Queue: ...

def _usm_type(array: Array, syclobj: object, /) -> str: ...

def from_memory(memory: Any, shape: int | Sequence[int], dtype: Any, *, strides: Sequence[int] | None = None, offset: int = 0) -> Array:
    """
    An array over the bytes of a memory object: of isthmus.memory or dpctl.memory, a buffer
    or SVM of pyopencl, or anything whose memory asarray shares.

    Units: strides and offset count elements; strides may be negative; without strides the
    array is row-major.
    Returns: a view, which keeps the memory alive.
    Waits: no.
    Raises: ExchangeError if an element is outside the memory, or misaligned.
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
    The device vendor's library for matrix products; empty if there is none.
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
    The source code of the kernels that x waits for, without calculating anything.

    It is in the language of the device of x, and in OpenCL C on the host, which compiles
    no kernels; '' if x is not pending.

    x: an array; or a tuple or list of arrays, such as min_max() returns, which one kernel may write.
    Returns: the text; print it.
    Waits: for a driver, which is opened if necessary.
    Raises: TypeError if one is not an array, ValueError for an empty list; the error of a value that failed.
    """

def show(x: Array | Sequence[Array], /, *, format: Literal["text", "svg", "dot"] = "text") -> str:
    """
    The operations that x waits for, as text with one per line, as a picture ("svg"), or
    as a graph for Graphviz ("dot").

    x: an array; or a tuple or list of arrays, which are shown together.
    Returns: the text; print it. A notebook displays it as a picture, except for "dot".
    Nothing is calculated.
    Waits: no.
    Raises: TypeError if one is not an array, ValueError for an empty list and for an unknown format.
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
    """Base class of the profiles of isthmus.profile()."""

    def __init__(self) -> None: ...

    def __enter__(self) -> Self:
        """Starts recording."""

    def __exit__(self, *args: object) -> None:
        """Stops recording; see Profile."""

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
