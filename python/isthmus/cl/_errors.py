"""Errors of Isthmus as those that programs for pyopencl catch."""

from __future__ import annotations

from typing import Any

from isthmus._isthmus import CompileError, DeviceMismatchError, LaunchError, OutOfMemoryError

__all__ = ["join"]


def join(cl: Any) -> None:
    """Makes ours of the kind that pyopencl has for the same, for ``except cl.MemoryError``.

    From then on they are in the whole process: an exception is caught by its class alone, and ours
    exist before pyopencl is imported, and without it.
    """
    for ours, theirs in (
        (CompileError, cl.RuntimeError),
        (LaunchError, cl.RuntimeError),
        (OutOfMemoryError, cl.MemoryError),
        (DeviceMismatchError, cl.LogicError),
    ):
        if not issubclass(ours, theirs):
            ours.__bases__ += (theirs,)
