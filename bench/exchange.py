"""How long does an exchange take, beside NumPy with itself? Side by side in one run, as ratios.

    python bench/exchange.py            prints the table
    python bench/exchange.py --json     prints one JSON object, as kept in bench/results

The bars: from_dlpack either way within 2x of NumPy with itself (goal 1.25x), and under 100 ns a
tensor through the C exchange API, which is called here from C through ctypes' own prototypes minus
what an empty call of the same kind takes.
"""

from __future__ import annotations

import ctypes
import json
import platform
import sys
import time
from collections.abc import Callable
from typing import Any

import isthmus
import numpy as np

ROUNDS = 41


def nanoseconds(*calls: Callable[[int], object]) -> list[float]:
    """The least time of one call of each, which take turns so that all see the same machine."""
    count = 2000
    best = [float("inf")] * len(calls)
    for _ in range(ROUNDS):
        for i, call in enumerate(calls):
            start = time.perf_counter_ns()
            call(count)
            best[i] = min(best[i], (time.perf_counter_ns() - start) / count)
    return best


def repeat(text: str, **names: Any) -> Callable[[int], object]:
    """A function that runs `text` so many times."""
    body = f"def f(count):\n    for _ in range(count):\n        {text}\n"
    exec(body, names)
    made: Callable[[int], object] = names["f"]
    return made


def c_exchange() -> float | None:
    """Nanoseconds of managed_tensor_from_py_object_no_sync and its deleter, called from C."""
    try:
        import cffi_free_loop  # noqa: F401
    except ImportError:
        pass
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = get(isthmus.Array.__dlpack_c_exchange_api__, b"dlpack_exchange_api")
    loop = getattr(isthmus._isthmus, "_time_c_exchange", None)
    return None if loop is None else float(loop(table, isthmus.zeros(3), 100_000))


def main() -> None:
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    x = isthmus.asarray(a.copy()).copy().eval()
    names = {"a": a, "x": x, "np": np, "isthmus": isthmus}
    numpy, there, back = nanoseconds(
        repeat("np.from_dlpack(a)", **names),
        repeat("isthmus.from_dlpack(a)", **names),
        repeat("np.from_dlpack(x)", **names),
    )
    theirs, ours = nanoseconds(repeat("a.__dlpack__()", **names), repeat("x.__dlpack__()", **names))
    view, buffer, as_array = nanoseconds(
        repeat("memoryview(a)", **names),
        repeat("memoryview(x)", **names),
        repeat("isthmus.asarray(a)", **names),
    )
    rows = [
        ("np.from_dlpack(numpy)", numpy, 1.0),
        ("isthmus.from_dlpack(numpy)", there, there / numpy),
        ("np.from_dlpack(isthmus)", back, back / numpy),
        ("numpy.__dlpack__()", theirs, 1.0),
        ("isthmus.__dlpack__()", ours, ours / theirs),
        ("memoryview(numpy)", view, 1.0),
        ("memoryview(isthmus)", buffer, buffer / view),
        ("isthmus.asarray(numpy)", as_array, as_array / numpy),
    ]
    per_tensor = c_exchange()
    if per_tensor is not None:
        rows.append(("C exchange API, a tensor", per_tensor, per_tensor / 100))
    if "--json" in sys.argv:
        result = {name: {"nanoseconds": round(ns, 1), "ratio": round(r, 3)} for name, ns, r in rows}
        print(
            json.dumps(
                {
                    "machine": platform.processor() or platform.machine(),
                    "numpy": np.__version__,
                    "isthmus": isthmus.__version__,
                    "results": result,
                },
                indent=1,
            )
        )
        return
    for name, ns, ratio in rows:
        print(f"{name:30} {ns:8.0f} ns   {ratio:6.2f}x")


if __name__ == "__main__":
    main()
