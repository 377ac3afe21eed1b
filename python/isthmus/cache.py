"""The kernels that are kept on disk, so that the next process need not build them."""

from __future__ import annotations

from typing import NamedTuple

from isthmus import _isthmus

__all__ = ["Info", "clear", "info"]


class Info(NamedTuple):
    """The contents of the cache; see info."""

    folder: str  #: of this version of the library; empty if the cache is off
    files: int  #: of all versions
    nbytes: int
    limit_nbytes: int  #: the oldest go when there is more (ISTHMUS_CACHE_SIZE)
    hits: int  #: of this process: found in memory
    disk_hits: int  #: loaded from disk
    compiled: int
    rejected: int  #: files of no use, made anew


def info() -> Info:
    """Where kernels are kept, how much space they use, and what this process found there.

    Units: bytes. Waits: for the disk.
    """
    return Info(*_isthmus._cache_info())


def clear(*, disk: bool = True) -> None:
    """Removes kernels from memory and, if `disk`, those of all versions from disk.

    With ISTHMUS_CACHE=ro, kernels on disk are kept.

    Waits: for the disk.
    """
    _isthmus._clear_cache(disk)
