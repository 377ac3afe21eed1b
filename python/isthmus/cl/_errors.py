"""Errors of Isthmus as those that programs for pyopencl catch."""

from __future__ import annotations

import re
from typing import Any

from isthmus._isthmus import CompileError, DeviceMismatchError, LaunchError, OutOfMemoryError

__all__ = ["join"]


# What the text of an error of a driver says; what pyopencl has for those of ours.
_CALL = re.compile(r"\b(cl[A-Z]\w+): CL_\w+ \((-\d+)\)")
_CALLS = {
    CompileError: ("clBuildProgram", -11),  # BUILD_PROGRAM_FAILURE
    LaunchError: ("clWaitForEvents", -14),  # EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
    OutOfMemoryError: ("clCreateBuffer", -4),  # MEM_OBJECT_ALLOCATION_FAILURE
    DeviceMismatchError: ("clSetKernelArg", -34),  # INVALID_CONTEXT
}


def _call_of(error: BaseException) -> tuple[str, int]:
    found = _CALL.search(str(error))
    if found:
        return found[1], int(found[2])
    return next(call for kind, call in _CALLS.items() if isinstance(error, kind))


def join(cl: Any) -> None:
    """Makes ours of the kind that pyopencl has for the same, for ``except cl.MemoryError``.

    From then on they are in the whole process: an exception is caught by its class alone, and ours
    exist before pyopencl is imported, and without it.
    """
    pairs: tuple[tuple[Any, Any], ...] = (
        (CompileError, cl.RuntimeError),
        (LaunchError, cl.RuntimeError),
        (OutOfMemoryError, cl.MemoryError),
        (DeviceMismatchError, cl.LogicError),
    )
    for ours, theirs in pairs:
        if not issubclass(ours, theirs):
            ours.__bases__ += (theirs,)
            ours.routine = property(lambda error: _call_of(error)[0])
            ours.code = property(lambda error: _call_of(error)[1])
