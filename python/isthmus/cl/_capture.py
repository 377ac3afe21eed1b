"""A call of a kernel as a program that makes it again (``capture_as``)."""

from __future__ import annotations

import pathlib
from base64 import b64encode
from collections.abc import Iterable
from typing import Any
from zlib import compress

import numpy as np

from isthmus.cl._array_class import Array
from isthmus.cl._parameters import declaration
from isthmus.cl._registry import dtype_to_ctype

BEGIN = '''"""A call of the kernel {name}, with its arguments as they were before it."""

from base64 import b64decode
from zlib import decompress

import isthmus.cl.array as cl_array
import numpy as np
from isthmus.cl.elementwise import ElementwiseKernel
from isthmus.cl.tools import get_or_register_dtype, parse_c_arg

import isthmus


def values(type_name, shape, order, data):
    dtype = parse_c_arg(f"{{type_name}} x").dtype
    return np.frombuffer(decompress(b64decode(data)), dtype).reshape(shape, order=order)


'''
END = """

def main(queue):
    arguments = [
{arguments}    ]
    kernel(*arguments, range={range!r}, slice={slice!r})
    return arguments


if __name__ == "__main__":
    for argument in main(isthmus.Queue("opencl")):
        print(argument)
"""


def values_of(host: Any) -> str:
    """The expression that makes these elements again."""
    order = "F" if host.flags.f_contiguous and not host.flags.c_contiguous else "C"
    data = b64encode(compress(host.tobytes(order))).decode()
    return f"values({dtype_to_ctype(host.dtype)!r}, {host.shape}, {order!r}, {data!r})"


def expression_of(argument: Any, name: str) -> str:
    """The expression that makes an argument again."""
    if isinstance(argument, Array):
        return f"cl_array.to_device(queue, {values_of(argument.get())})"
    if isinstance(argument, int | float | complex) and not isinstance(argument, np.generic):
        return repr(argument)
    if isinstance(argument, np.generic | np.ndarray) and np.ndim(argument) == 0:
        return f"{values_of(np.asarray(argument))}[()]"
    raise TypeError(
        f"{name}: capture_as: arrays and numbers can be written to a program, not a "
        f"{type(argument).__name__}"
    )


def structs_in(dtypes: Iterable[Any]) -> str:
    """The lines that register the structs among these dtypes."""
    lines = ""
    for dtype in dict.fromkeys(dtypes):
        if dtype.names is not None:
            lines += f"get_or_register_dtype({dtype_to_ctype(dtype)!r}, np.{dtype!r})\n"
    return lines


def capture(kernel: Any, args: Any, over: Any, part: Any, target: Any) -> None:
    """Writes the program to `target`, a path or an open file; see ElementwiseKernel.

    The arguments are copied to the host first, so it waits for them.
    Raises: TypeError for arguments that are neither arrays nor numbers.
    """
    parameters = kernel.parameters
    given = ", ".join(
        repr(text)
        for text in (
            ", ".join(declaration(parameter).replace("__global ", "") for parameter in parameters),
            kernel.operation,
            kernel.name,
            kernel.options,
        )
    )
    more = ", ".join(f"{name}={value!r}" for name, value in kernel.texts.items())
    lines = "".join(f"        {expression_of(argument, kernel.name)},\n" for argument in args)
    program = (
        BEGIN.format(name=kernel.name)
        + structs_in(parameter.dtype for parameter in parameters if hasattr(parameter, "dtype"))
        + f"kernel = ElementwiseKernel(None, {given}, {more})\n"
        + END.format(arguments=lines, range=over, slice=part)
    )
    if isinstance(target, str | pathlib.PurePath):
        pathlib.Path(target).write_text(program)
    else:
        target.write(program)
