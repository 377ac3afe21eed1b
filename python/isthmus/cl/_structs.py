"""Structs as NumPy and the compiler of a device lay them out."""

from __future__ import annotations

from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Device, Queue, RawKernel
from isthmus.cl._places import is_context, loaded_pyopencl, queue_for, queue_in
from isthmus.cl._registry import dtype_to_ctype


def _queue_for(device: Any, context: Any) -> Queue:
    if context is not None:
        if not is_context(context):
            raise TypeError(
                f"match_dtype_to_c_struct: expected a context, not {type(context).__name__!r}"
            )
        return Queue(queue_in(context))
    if isinstance(device, (Device, str)):
        return Queue(device)
    cl = loaded_pyopencl()
    if cl is None or not isinstance(device, cl.Device):
        raise TypeError(
            "match_dtype_to_c_struct: expected a pyopencl.Device or an isthmus.Device, not "
            f"{type(device).__name__!r}"
        )
    return Queue(queue_for(device))


def _is_declared(dtype: np.dtype[Any]) -> bool:
    """Whether the language knows it: all but structs of the program."""
    from isthmus.cl.cltypes import vec_type_to_scalar_and_count

    return dtype.fields is None or dtype in vec_type_to_scalar_and_count


def fields_of(dtype: np.dtype[Any]) -> list[tuple[str, np.dtype[Any], int]]:
    """Name, dtype and offset in bytes of each field, in the order of their places."""
    if dtype.fields is None:
        raise ValueError(f"{dtype} has no fields")
    found = [(name, *dtype.fields[name][:2]) for name in dtype.names or ()]
    return sorted(found, key=lambda field: field[2])


def declaration_of(dtype: np.dtype[Any], name: str) -> str:
    """The struct in C, without what its fields need."""
    lines = []
    for field, kind, _ in fields_of(dtype):
        lengths: tuple[int, ...] = ()
        if kind.subdtype is not None:
            kind, lengths = kind.subdtype
        brackets = "".join(f"[{length}]" for length in lengths)
        lines.append(f"  {dtype_to_ctype(kind)} {field}{brackets};")
    body = "\n".join(lines)
    return f"typedef struct {{\n{body}\n}} {name};\n\n"


def declarations_for(dtypes: list[np.dtype[Any]]) -> str:
    """What stands before a kernel that uses these types: structs, and complex numbers."""
    from isthmus.cl._complex_text import complex_text

    structs: dict[np.dtype[Any], str] = {}
    kinds: set[np.dtype[Any]] = set()

    def visit(dtype: np.dtype[Any]) -> None:
        if dtype.subdtype is not None:
            visit(dtype.subdtype[0])
            return
        kinds.add(dtype)
        if _is_declared(dtype) or dtype in structs:
            return
        for _, kind, _ in fields_of(dtype):
            visit(kind)
        structs[dtype] = declaration_of(dtype, dtype_to_ctype(dtype))

    for dtype in dtypes:
        visit(dtype)
    return complex_text(kinds) + "".join(structs.values())


def match_dtype_to_c_struct(
    device: Any, name: str, dtype: Any, context: Any = None
) -> tuple[np.dtype[Any], str]:
    """(dtype, code): a dtype with the layout of the device, and the struct in C.

    The dtype has the padding that the device's compiler inserts, as determined by a kernel.
    Register this dtype. device is a pyopencl.Device or an isthmus.Device.

    Waits: for the kernel.
    Raises: ValueError for a dtype without fields, or with fields that have no name in C; TypeError
    for what is no device.
    Source: pyopencl 2026.1, match_dtype_to_c_struct.
    """
    given = np.dtype(dtype)
    fields = fields_of(given)
    text = declaration_of(given, name)
    before = declarations_for([kind for _, kind, _ in fields])
    asked = "\n".join(
        f"  result[{i + 1}] = (uint)((__private char*)&one.{field} - (__private char*)&one);"
        for i, (field, _, _) in enumerate(fields)
    )
    kernel = RawKernel(
        f"{before}{text}__kernel void places(__global uint* result) {{\n"
        f"  {name} one;\n  result[0] = sizeof({name});\n{asked}\n}}\n",
        "places",
    )
    queue = _queue_for(device, context)
    with queue:
        result = _isthmus.zeros(len(fields) + 1, "uint32", device=queue.device)
        kernel((1,), (1,), (result,))
        size, *offsets = result.tolist()
    if any(offset >= size for offset in offsets):
        raise RuntimeError(f"match_dtype_to_c_struct: {queue.device} places fields past the struct")
    layout: Any = {
        "names": [field for field, _, _ in fields],
        "formats": [kind for _, kind, _ in fields],
        "offsets": offsets,
        "itemsize": size,
    }
    return np.dtype(layout), text


def dtype_to_c_struct(device: Any, dtype: Any) -> str:
    """The struct in C of a registered dtype; empty for types of the language.

    Raises: ValueError if the device uses another layout.
    Source: pyopencl 2026.1, dtype_to_c_struct.
    """
    given = np.dtype(dtype)
    if _is_declared(given):
        return ""
    matched, text = match_dtype_to_c_struct(device, dtype_to_ctype(given), given)
    if matched != given:
        raise ValueError(f"dtype_to_c_struct: {given} has the layout {matched} on the device")
    return text
