"""Warnings of this package, for warnings.filterwarnings."""

from __future__ import annotations


class PerformanceWarning(UserWarning):
    """An operation that is more expensive than it looks: an implicit copy."""

    __module__ = "isthmus"


class CompilerWarning(UserWarning):
    """A message of a driver's compiler about a kernel, while ISTHMUS_DUMP writes kernels.

    Otherwise it is a record of ``isthmus.jit`` at level debug, because no one has the code then.
    """

    __module__ = "isthmus"
