"""Warnings of this package, for warnings.filterwarnings."""

from __future__ import annotations


class PerformanceWarning(UserWarning):
    """What works, and costs more than it seems to: a copy that nobody wrote."""

    __module__ = "isthmus"


class CompilerWarning(UserWarning):
    """What a driver's compiler had to say about a kernel, while ISTHMUS_DUMP has kernels written.

    Without that it is a record of ``isthmus.jit`` at level debug: nobody has the text then.
    """

    __module__ = "isthmus"
