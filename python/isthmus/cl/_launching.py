"""Running users' kernel text on arrays: what the three kinds of kernels share."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Queue, RawKernel
from isthmus.cl._array_class import Array
from isthmus.cl._complex_text import with_complex
from isthmus.cl._ordering import not_an_array
from isthmus.cl._parameters import DtypedArgument, ScalarArg, VectorArg, declaration
from isthmus.cl._places import end_of
from isthmus.cl._random123_text import with_random123
from isthmus.cl._registry import dtype_to_ctype, names_of
from isthmus.cl._user_lines import users

GROUP = 64  # work-items; a power of two
_GROUPS = 1024
EACH = 4  # elements of a work-item before there are more groups
_PLAIN_DTYPES = ("f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")

# Before a kernel whose work-items are loops. Intel's compiler for CPUs makes vectors of work-items
# that are neighbours, which took two to eight times the time, and longer to compile.
ONE_BY_ONE = """
#define ISTHMUS_ONE_BY_ONE
#ifdef __has_attribute
#if __has_attribute(intel_vec_len_hint)
#undef ISTHMUS_ONE_BY_ONE
#define ISTHMUS_ONE_BY_ONE __attribute__((intel_vec_len_hint(1)))
#endif
#endif
"""


def as_options(options: Any) -> tuple[str, ...]:
    """The compiler's options as a tuple, from None, a text or a list."""
    if options is None:
        return ()
    return (options,) if isinstance(options, str) else tuple(options)


def text_before(
    parameters: Sequence[Any], others: Sequence[Any], preamble: str, after: str = ""
) -> str:
    """Types that parameters need and the user's preamble, in which pyopencl's headers are ours."""
    from isthmus.cl._complex_text import complex_text

    dtypes = [arg.dtype for arg in parameters if isinstance(arg, DtypedArgument)]
    found = complex_text([*dtypes, *(np.dtype(dtype) for dtype in others)])
    needs_double = "cdouble" in preamble and "ISTHMUS_cdouble_t" not in found
    if needs_double:
        found = complex_text([np.dtype(np.complex64), np.dtype(np.complex128)])
    before = with_random123(with_complex(users("preamble", preamble)))
    aliases = _aliases([*dtypes, *(np.dtype(dtype) for dtype in others)], before)
    return f"{found}{before}\n{aliases}{after}\n"


def _aliases(dtypes: Sequence[np.dtype[Any]], text: str) -> str:
    """A struct may be registered under several names, and the text declare another one than the
    first, by which kernels call it."""
    found = ""
    for dtype in {dtype: None for dtype in dtypes if dtype.fields is not None}:
        first = dtype_to_ctype(dtype)
        used = [name for name in names_of(dtype) if re.search(rf"\b{re.escape(name)}\b", text)]
        if used and first not in used:
            found += f"typedef {used[0]} {first};\n"
    return found


def declared(parameters: Sequence[Any]) -> str:
    """The parameters in C, each with a comma.

    Arrays come as all of their memory and the bytes before the first element: OpenCL's buffers
    cannot be given from any element on.
    """
    found = ""
    for parameter in parameters:
        if isinstance(parameter, VectorArg):
            found += f"__global uchar* {parameter.name}__base, long {parameter.name}__offset, "
        else:
            found += f"{declaration(parameter)}, "
    return found


def pointers(parameters: Sequence[Any], with_null: bool = False) -> str:
    """What makes the arrays of `declared` pointers to their first elements; with_null: those with
    an offset of -1 null."""
    found = ""
    for parameter in parameters:
        if isinstance(parameter, VectorArg):
            name, kind = parameter.name, f"__global {dtype_to_ctype(parameter.dtype)}*"
            null = f"{name}__offset < 0 ? 0 : " if with_null else ""
            found += f"  {kind} {name} = {null}({kind})({name}__base + {name}__offset);\n"
    return found


def passed(x: _isthmus.Array) -> list[Any]:
    """An array as `declared` takes it. The queue is the current one."""
    if not x.size:
        return [_isthmus.empty(1, "uint8", device=x.device), 0]
    return [_isthmus._bytes_of(x, True), x.offset * x.itemsize]


def first_array(parameters: Sequence[Any], args: Sequence[Any], who: str) -> Array:
    """The array that says how many elements there are.

    Raises: RuntimeError if no parameter is one; TypeError for other arguments.
    """
    if len(args) != len(parameters):
        raise TypeError(f"{who} takes {len(parameters)} arguments, not {len(args)}")
    for parameter, arg in zip(parameters, args, strict=True):
        if isinstance(parameter, VectorArg):
            if not isinstance(arg, Array):
                raise not_an_array(arg, who=f"{who}: {parameter.name}: ")
            return arg
    raise RuntimeError(f"{who} has no parameter that is an array")


def scalar(parameter: ScalarArg, value: Any, who: str) -> Any:
    """A number, or a struct, as a kernel takes it.

    Raises: TypeError for what is none, or of a greater kind than the parameter (a real number for
    an integer), OverflowError for an integer that does not fit.
    """
    dtype = parameter.dtype
    if dtype.kind == "f" and isinstance(value, (float, int, np.floating)):
        return float(value)
    if isinstance(value, Array):
        value = value.get()
    if dtype.fields is not None:
        return np.asarray(value, dtype).tobytes()
    found = np.asarray(value)
    fits = found.dtype.kind in "biufc" and np.can_cast(found.dtype, dtype, "same_kind")
    is_integer = found.dtype.kind in "biu" and dtype.kind in "iu"
    if found.size != 1 or not (fits or is_integer):
        raise TypeError(f"{who}: {parameter.name} is {value!r}; expected a {dtype}")
    if is_integer and not np.iinfo(dtype).min <= int(found.item()) <= np.iinfo(dtype).max:
        raise OverflowError(f"{who}: {parameter.name}: {value} does not fit {dtype}")
    made = found.astype(dtype)
    return made.tobytes() if dtype.kind == "c" else made.item()


class Arguments:
    """Arguments on the device. Arrays that are not row-major are copied, and written back.

    Arrays that all lie alike, without gaps, are passed as they are: `i` counts their elements in
    the order of memory then.
    """

    def __init__(self, parameters: Sequence[Any], args: Sequence[Any], who: str) -> None:
        arrays = [arg._x for arg in args if isinstance(arg, Array) and arg._x.ndim > 1]
        is_alike = (
            bool(arrays)
            and len({(x.shape, x.strides) for x in arrays}) == 1
            and len(arrays) == sum(isinstance(arg, Array) and arg.ndim > 0 for arg in args)
            and any(_isthmus._is_contiguous(arrays[0]))
        )
        self.values: list[Any] = []
        self._back: list[tuple[Array, _isthmus.Array]] = []
        self._written: list[Array] = []
        for parameter, arg in zip(parameters, args, strict=True):
            if isinstance(parameter, VectorArg):
                self.values += passed(self._array(parameter, arg, is_alike, who))
            elif isinstance(parameter, ScalarArg):
                self.values.append(scalar(parameter, arg, who))
            else:
                self.values.append(arg._x if isinstance(arg, Array) else arg)

    def _array(self, parameter: VectorArg, arg: Any, is_alike: bool, who: str) -> _isthmus.Array:
        if not isinstance(arg, Array):
            raise not_an_array(arg, who=f"{who}: {parameter.name}: ")
        if arg.dtype.itemsize != parameter.dtype.itemsize:
            raise TypeError(
                f"{who}: {parameter.name} is an array of {arg.dtype}; expected {parameter.dtype}"
            )
        self._written.append(arg)
        x = arg._x
        if is_alike or _isthmus._is_contiguous(x)[0]:
            return x
        dense = _isthmus.reshape(x, (-1,), copy=True)
        self._back.append((arg, dense))
        return dense

    def finish(self) -> None:
        """Writes copies back. The queue is the current one."""
        for arg, dense in self._back:
            arg._x[...] = dense.reshape(arg.shape)
        for arg in self._written:
            arg._wrote()


def launch(
    kernel: RawKernel,
    count: int,
    arguments: Sequence[Any],
    on: Queue,
    each: int = 1,
    group: int = GROUP,
    most: int = _GROUPS,
) -> None:
    """Runs a kernel that loops over `count` elements, each work-item as many as are left to it,
    and `each` before there are more groups of `group`, at most `most`."""
    groups = max(1, min(most, -(-count // (each * group))))
    with on:
        kernel((groups,), (group,), list(arguments))


def kernels_by_step(text: str, name: str, options: Any) -> tuple[RawKernel, RawKernel]:
    """A kernel of elements that are neighbours, which compilers read as vectors, and one of others.

    The text multiplies an index by ISTHMUS_STEP, and has isthmus_step as a parameter.
    """
    dense, strided = (
        RawKernel(f"#define ISTHMUS_STEP {step}\n{text}", name, as_options(options))
        for step in ("1", "isthmus_step")
    )
    return dense, strided


def read_indexed(operation: str, parameters: Sequence[Any]) -> _isthmus._IndexedKernel | None:
    """A text that is plain arithmetic on x[i], which the host can do; None for others."""
    if not all(isinstance(x, DtypedArgument) and _is_plain(x.dtype) for x in parameters):
        return None
    return _isthmus._read_indexed(
        operation, [(x.name, x.dtype, isinstance(x, VectorArg)) for x in parameters]
    )


def plain_kernel(
    kernel: RawKernel, parameters: Sequence[Any], own: _isthmus._IndexedKernel | None
) -> _isthmus._PlainKernel | None:
    """The kernel for calls whose arguments need no preparation; None if some always do. `own` is
    what was read of its text."""
    kinds: list[tuple[str, int]] = []
    for parameter in parameters:
        if isinstance(parameter, VectorArg):
            kinds.append(("v", parameter.dtype.itemsize))
        elif isinstance(parameter, ScalarArg) and _is_plain(parameter.dtype):
            kinds.append((parameter.dtype.kind, parameter.dtype.itemsize))
        else:
            return None
    return _isthmus._PlainKernel(kernel, kinds, GROUP, EACH, _GROUPS, end_of, own)


def _is_plain(dtype: np.dtype[Any]) -> bool:
    return dtype.str[1:] in _PLAIN_DTYPES and dtype.isnative


def indices(n: int, range_: slice | None, slice_: slice | None, who: str) -> tuple[int, int, int]:
    """(start, step, count) of what range or slice leaves of n elements."""
    if range_ is not None and slice_ is not None:
        raise TypeError(f"{who}: both range and slice are given")
    for given in (range_, slice_):
        if given is not None and not isinstance(given, slice):
            raise TypeError(f"{who}: expected a slice, not {type(given).__name__!r}")
    if range_ is not None:
        if range_.stop is None:
            raise TypeError(f"{who}: range has no stop")
        found = range(range_.start or 0, range_.stop, 1 if range_.step is None else range_.step)
    else:
        found = range(n)[slice_ if slice_ is not None else slice(None)]
    return found.start, found.step, len(found)


def number_of(count: Any, what: str, who: str) -> int:
    """A number of elements that the caller gives. Raises: TypeError, ValueError."""
    try:
        found = operator.index(count)
    except TypeError:
        raise TypeError(f"{who}: {what} is a {type(count).__name__}; expected an int") from None
    if found < 0:
        raise ValueError(f"{who}: {what} is {found}; expected 0 or more")
    return found


def need_as_many(values: Array, count: int, what: str, of: str, who: str) -> None:
    """Raises: ValueError for an array that is too short."""
    if values.size < count:
        raise ValueError(f"{who}: {values.size} {what} for {count} {of}; as many are needed")
