"""Slices of a pyopencl.Buffer that lies in memory of the host."""

from __future__ import annotations

import functools
from typing import Any


@functools.cache
def _class_over(buffer_class: Any) -> Any:
    import pyopencl as cl

    class Buffer(buffer_class):  # type: ignore[misc]
        """A pyopencl.Buffer whose slices are sub-buffers on every runtime.

        pyopencl asks for a sub-buffer with the flags of its buffer, among them USE_HOST_PTR, which
        clCreateSubBuffer does not take (OpenCL 3.0, section 5.2.1); PoCL refuses it.
        """

        __slots__ = ()

        def __getitem__(self, part: Any) -> Any:
            if not isinstance(part, slice):
                return super().__getitem__(part)
            start, stop, step = part.indices(self.size)
            if step != 1 or stop <= start:
                return super().__getitem__(part)  # which says so
            of_the_host = cl.mem_flags.USE_HOST_PTR | cl.mem_flags.COPY_HOST_PTR
            return self.get_sub_region(start, stop - start, self.flags & ~of_the_host)

    Buffer.__qualname__ = buffer_class.__qualname__
    return Buffer


def with_slices(buffer: Any) -> Any:
    """The pyopencl.Buffer, itself, with slices that work though it has USE_HOST_PTR."""
    buffer.__class__ = _class_over(type(buffer))
    return buffer
