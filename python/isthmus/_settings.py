"""Devices, and the promise that lets shared memory fuse."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Literal, ParamSpec, TypeVar, overload

from isthmus import _isthmus
from isthmus._isthmus import Device, fusing

_P = ParamSpec("_P")
_R = TypeVar("_R")


@overload
def devices(*, verbose: Literal[False] = False) -> tuple[Device, ...]: ...
@overload
def devices(*, verbose: Literal[True]) -> dict[str, Any]: ...
def devices(*, verbose: bool = False) -> tuple[Device, ...] | dict[str, Any]:
    """The devices of this machine; the first call opens the drivers.

    Returns: devices; with `verbose` also the properties of each, why backends have none, and the
    library for matrix products on the host.
    """
    found, absences = _isthmus._find_devices()
    if not verbose:
        return found
    return {
        "devices": {str(device): device.info for device in found},
        "missing": dict(absences),
        "blas": _isthmus._blas_library(),
    }


def default_device() -> Device:
    """The device of new arrays: ISTHMUS_DEVICE, or the CPU, until set_default_device."""
    return _isthmus._default_device()


def set_default_device(device: Device | str) -> None:
    """Makes this the device of new arrays. Raises: LookupError if there is no such device."""
    _isthmus._set_default_device(device)


@overload
def fuse(function: Callable[_P, _R], /) -> Callable[_P, _R]: ...
@overload
def fuse() -> Callable[[Callable[_P, _R]], Callable[_P, _R]]: ...
def fuse(function: Callable[_P, _R] | None = None, /) -> Any:
    """Decorator, ``@isthmus.fuse`` or ``@isthmus.fuse()``: calls the function inside fusing().

    For a coroutine function, the whole coroutine runs inside it.

    Raises: TypeError for an object that cannot be called, and for generator functions, which would
    leave the promise open at each ``yield``.
    """
    if function is None:
        return fuse
    if not callable(function):
        raise TypeError(
            f"fuse: {function!r} cannot be called; write @isthmus.fuse above a function"
        )

    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise TypeError(
            f"fuse: {function.__name__} is a generator, and other code runs between its values; "
            "write `with isthmus.fusing():` around its calculations"
        )
    if inspect.iscoroutinefunction(function):
        awaited: Any = function

        @functools.wraps(function)
        async def fused_coroutine(*args: _P.args, **kwargs: _P.kwargs) -> Any:
            with fusing():
                return await awaited(*args, **kwargs)

        return fused_coroutine

    @functools.wraps(function)
    def fused(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        with fusing():
            return function(*args, **kwargs)

    return fused
