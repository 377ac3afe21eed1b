"""Parameters of users' kernels, as C declarations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus.cl._registry import TypeNameNotKnown, dtype_to_ctype, get_or_register_dtype

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class Argument:
    """A parameter of a kernel."""

    name: str

    def declarator(self) -> str:
        """How the kernel declares it."""
        raise NotImplementedError


@dataclass(frozen=True, init=False)
class DtypedArgument(Argument):
    """A parameter that has a dtype and a name."""

    dtype: np.dtype[Any]
    name: str

    def __init__(self, dtype: Any, name: str) -> None:
        if not (isinstance(name, str) and _NAME.fullmatch(name)):
            raise ValueError(
                f"{type(self).__name__}: {name!r} is no name in C: letters, digits and _, of which "
                "a digit is not the first"
            )
        object.__setattr__(self, "dtype", np.dtype(dtype))
        object.__setattr__(self, "name", name)


@dataclass(frozen=True, init=False)
class VectorArg(DtypedArgument):
    """An array. The kernels of isthmus.cl get its first element, with_offset or not; it is for
    kernels that declare their parameters by `declarator`."""

    with_offset: bool

    def __init__(self, dtype: Any, name: str, with_offset: bool = False) -> None:
        super().__init__(dtype, name)
        object.__setattr__(self, "with_offset", with_offset)

    def declarator(self) -> str:
        """How the kernel declares it: with an offset as a memory object and a number of bytes."""
        if self.with_offset:
            return f"{self._pointer}__base, long {self.name}__offset"
        return self._pointer

    @property
    def _pointer(self) -> str:
        return f"__global {dtype_to_ctype(self.dtype)} *{self.name}"


@dataclass(frozen=True, init=False)
class ScalarArg(DtypedArgument):
    """A number, or one struct."""

    def declarator(self) -> str:
        """How the kernel declares it."""
        return f"{dtype_to_ctype(self.dtype)} {self.name}"


@dataclass(frozen=True)
class OtherArg(Argument):
    """A parameter with a declaration of its own."""

    decl: str
    name: str

    def declarator(self) -> str:
        """How the kernel declares it."""
        return self.decl


def declaration(arg: Argument) -> str:
    """How our kernels declare it: arrays come as their first elements, without an offset."""
    return arg._pointer if isinstance(arg, VectorArg) else arg.declarator()


_DECLARATION = re.compile(r"^(.*?)(\**)\s*([A-Za-z_]\w*)\s*((?:\[[ 0-9]*\]\s*)*)$", re.DOTALL)
_QUALIFIERS = re.compile(r"\b(const|volatile|restrict|__restrict__|__restrict|__global|global)\b")


def parse_c_arg(c_arg: str, with_offset: bool = False) -> DtypedArgument:
    """``"float *x"`` as a VectorArg, ``"float a"`` as a ScalarArg.

    Raises: ValueError for an invalid declaration, and for unknown types; RuntimeError for local and
    constant memory.
    Source: pyopencl 2026.1, parse_c_arg.
    """
    if re.search(r"\b(__local|__constant|local|constant)\b", c_arg):
        raise RuntimeError(f"{c_arg.strip()!r}: local and constant memory is not supported")
    found = _DECLARATION.match(_QUALIFIERS.sub(" ", c_arg).strip())
    if found is None:
        raise ValueError(f"{c_arg.strip()!r} is not a declaration")
    kind, stars, name, brackets = found.groups()
    try:
        dtype = get_or_register_dtype(" ".join(kind.split()))
    except TypeNameNotKnown as problem:
        raise ValueError(f"{c_arg.strip()!r}: {problem}") from None
    if stars or brackets:
        return VectorArg(dtype, name, with_offset)
    return ScalarArg(dtype, name)


def parse_arg_list(arguments: Any, with_offset: bool = False) -> list[Any]:
    """Parameters of a text with commas, or of a sequence of texts and Arguments.

    Raises: as parse_c_arg. Source: pyopencl 2026.1, parse_arg_list.
    """
    given: Sequence[Any] = arguments.split(",") if isinstance(arguments, str) else arguments
    return [parse_c_arg(arg, with_offset) if isinstance(arg, str) else arg for arg in given]


def reserve_names(parameters: Sequence[Any], meanings: dict[str, str], who: str) -> None:
    """Names that C or texts have of their own stay free of parameters, which have one each.

    Raises: ValueError.
    """
    seen = set()
    for parameter in parameters:
        if parameter.name in seen:
            raise ValueError(f"{who}: two parameters have the name {parameter.name!r}")
        seen.add(parameter.name)
        if _isthmus._is_word_of_c(parameter.name):
            raise ValueError(
                f"{who}: {parameter.name!r} is a word of OpenCL C; give the parameter another name"
            )
        if (meaning := meanings.get(parameter.name)) is not None:
            raise ValueError(
                f"{who}: {parameter.name!r} is {meaning}; give the parameter another name"
            )


def get_arg_list_scalar_arg_dtypes(arg_types: Sequence[Argument]) -> list[Any]:
    """The dtype of each scalar, None for arrays, and behind these int64 for an offset.

    Raises: RuntimeError for an OtherArg. Source: pyopencl 2026.1.
    """
    found: list[Any] = []
    for arg in arg_types:
        if not isinstance(arg, DtypedArgument):
            raise RuntimeError(f"{arg!r} has no dtype")
        found.append(arg.dtype if isinstance(arg, ScalarArg) else None)
        if isinstance(arg, VectorArg) and arg.with_offset:
            found.append(np.dtype(np.int64))
    return found
