"""Devices, and what users may set."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any, Literal, ParamSpec, TypeVar, overload

from isthmus import _isthmus
from isthmus._isthmus import Device

_P = ParamSpec("_P")
_R = TypeVar("_R")


@overload
def devices(*, verbose: Literal[False] = False) -> tuple[Device, ...]: ...
@overload
def devices(*, verbose: Literal[True]) -> dict[str, Any]: ...
def devices(*, verbose: bool = False) -> tuple[Device, ...] | dict[str, Any]:
    """The devices of this machine; opens drivers when it is first called.

    Returns: devices; with `verbose` also what each says of itself, and why backends gave none.
    """
    found, absences = _isthmus._find_devices()
    if not verbose:
        return found
    return {
        "devices": {str(device): device.info for device in found},
        "missing": dict(absences),
    }


def default_device() -> Device:
    """The device of new arrays: ISTHMUS_DEVICE, or the CPU, until set_default_device."""
    return _isthmus._default_device()


def set_default_device(device: Device | str) -> None:
    """Makes this the device of new arrays. Raises: LookupError if there is none such."""
    _isthmus._set_default_device(device)


@contextlib.contextmanager
def fusing() -> Iterator[None]:
    """A promise that nobody changes shared memory meanwhile, so that reading it may be put off.

    Inside, operations on memory that others can reach stay pending and fuse like any other.
    """
    _isthmus._enter_fusing()
    try:
        yield
    finally:
        _isthmus._exit_fusing()


def fuse(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorator: calls the function inside fusing()."""

    @functools.wraps(function)
    def fused(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        with fusing():
            return function(*args, **kwargs)

    return fused


class _Config:
    """Settings of the process; each starts from its environment variable ISTHMUS_*."""

    __slots__ = ()

    @property
    def eager(self) -> bool:
        """Whether operations run when they are called (ISTHMUS_EAGER)."""
        return _isthmus._eager()

    @eager.setter
    def eager(self, value: bool) -> None:
        _isthmus._set_eager(value)

    @property
    def inline(self) -> str:
        """Where small programs on host memory run: "0", "1" or "auto" (ISTHMUS_INLINE)."""
        return _isthmus._inline()

    @inline.setter
    def inline(self, value: str) -> None:
        _isthmus._set_inline(str(value))

    @property
    def num_threads(self) -> int:
        """Threads for host work, the caller's among them (ISTHMUS_NUM_THREADS)."""
        return _isthmus._num_threads()

    @num_threads.setter
    def num_threads(self, value: int) -> None:
        _isthmus._set_num_threads(value)

    @property
    def log(self) -> str:
        """What is logged, by channel: "info,jit=debug" (ISTHMUS_LOG); "off" is nothing.

        Channels are jit, mem, exchange and runtime; the records go to Python's loggers
        ``isthmus.jit`` and so on, and to the file of ISTHMUS_LOG_FILE.
        """
        return _isthmus._log_levels()

    @log.setter
    def log(self, value: str) -> None:
        _isthmus._set_log_levels(value)

    def __repr__(self) -> str:
        names = ("eager", "inline", "num_threads", "log")
        return f"config({', '.join(f'{n}={getattr(self, n)!r}' for n in names)})"


config = _Config()
