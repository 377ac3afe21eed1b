"""What both worlds of random programs have for the lines of surface_lines.py."""

from __future__ import annotations

import copy
import gc
import pickle
import signal
from collections.abc import Callable
from typing import Any

import numpy as np

import isthmus as xp

RECORD = np.dtype(
    [
        ("a", "f4"),
        ("b", "i4"),
        ("c", "i2", (2,)),
        ("d", "?"),
        ("e", "c8"),
        ("inner", [("x", "f4"), ("y", "u4")]),
    ],
    align=True,
)
COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


class NumpySurface:
    """NumPy's half."""

    into_operation: Callable[..., Any]

    def own(self, x: Any) -> Any:
        return np.array(x, order="C")

    def laid(self, x: Any) -> Any:
        return np.asarray(x)

    def structs(self, shape: tuple[int, ...], start: int) -> Any:
        return structs(shape, start)

    structs_of_numpy = structs

    def clone(self, x: Any, how: str) -> Any:
        return COPIES[how](x)

    def into(self, target: Any, name: str, x: Any, y: Any) -> None:
        result = getattr(self, name)(x, y)
        if not isinstance(target, np.ndarray) or result.dtype != target.dtype:
            raise TypeError("out is of another dtype")
        if result.shape != target.shape:
            raise ValueError("out is of another shape")
        target[...] = result

    def inspect(self, x: Any, how: str) -> None:
        """Changes nothing."""

    def garbage(self, x: Any) -> None:
        """Changes nothing."""

    def interrupted(self, delay: int, f: Callable[[], Any]) -> Any:
        return f()


class Interrupted(BaseException):
    """What the handler of the signal raises."""


class OurSurface:
    """Isthmus's half."""

    device: xp.Device

    def own(self, x: xp.Array) -> xp.Array:
        return x

    laid = own

    def structs(self, shape: tuple[int, ...], start: int) -> xp.Array:
        return xp.asarray(structs(shape, start), copy=True, device=self.device)

    def structs_of_numpy(self, shape: tuple[int, ...], start: int) -> Any:
        return structs(shape, start)

    def clone(self, x: xp.Array, how: str) -> Any:
        return COPIES[how](x)

    def into(self, target: xp.Array, name: str, x: xp.Array, y: xp.Array) -> None:
        made = getattr(xp, name)(x, y, out=target)
        assert made is target

    def inspect(self, x: xp.Array, how: str) -> None:
        if how == "explain":
            xp.explain(x)
        elif how == "profile":
            with xp.profile() as profile:
                x.eval()
            str(profile)
        elif how in ("show", "source"):
            str(getattr(xp, how)(x))
        else:
            _ = repr(x) if how == "repr" else str(x)

    def garbage(self, x: xp.Array) -> None:
        """A cycle of an array, its views and what shares memory with it, collected at once."""
        cycle: list[Any] = [x, x[...], xp.asarray(memoryview(bytearray(16)))]
        cycle.append(memoryview(cycle[2] + 1))
        cycle.append(cycle)
        del cycle
        gc.collect(0)

    def interrupted(self, delay: int, f: Callable[[], Any]) -> Any:
        """What `f` returns, which a signal may end once, so that it begins again."""
        is_wanted = True

        def handler(*_: object) -> None:
            if is_wanted:
                raise Interrupted

        before = signal.signal(signal.SIGALRM, handler)
        try:
            try:
                signal.setitimer(signal.ITIMER_REAL, delay * 1e-6)
                result = f()
            finally:
                is_wanted = False
        except Interrupted:
            result = f()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        return result


def structs(shape: tuple[int, ...], start: int) -> Any:
    """Structs whose fields have small numbers."""
    a: Any = np.zeros(shape, RECORD)
    numbers = ((np.arange(a.size) + start) % 13 - 4).reshape(shape)
    a["a"], a["b"], a["d"], a["e"] = numbers / 4, numbers, numbers > 2, numbers + 1j
    a["c"] = numbers[..., None] + np.arange(2)
    a["inner"]["x"], a["inner"]["y"] = -numbers, np.abs(numbers)
    return a
