"""How long does it take to hand an array over, beside NumPy with itself? Side by side in one run.

    python bench/exchange.py [--check]

Every case is a loop of 100 calls, so that the loop costs next to nothing. The C exchange API is
called from C, and beside it NumPy's fastest way to show an array, `__dlpack__()`.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from harness import Bar, Group, finish, interleave, print_group

import isthmus as xp

CALLS = 100
LOOPS = r"""
#include <stdint.h>
typedef struct Managed { uint32_t version[2]; void* context;
  void (*deleter)(struct Managed*); } Managed;
typedef struct { uint32_t version[2]; void* previous; void* allocate;
  int (*from_object)(void*, Managed**); void* to_object; int (*borrow)(void*, void*); } Table;
int owning(Table* table, void* object, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    Managed* managed;
    if (table->from_object(object, &managed)) return -1;
    managed->deleter(managed);
  }
  return 0;
}
int borrowed(Table* table, void* object, int64_t count) {
  char tensor[48];
  for (int64_t i = 0; i < count; ++i)
    if (table->borrow(object, tensor)) return -1;
  return 0;
}
"""


def repeat(text: str, **names: Any) -> Callable[[], object]:
    """A function that runs `text` a hundred times."""
    exec(f"def f():\n    for _ in range({CALLS}):\n        {text}\n", names)
    made: Callable[[], object] = names["f"]
    return made


def dlpack(a: Any, x: xp.Array) -> Group:
    names = {"a": a, "x": x, "np": np, "xp": xp}
    texts = (
        *("np.from_dlpack(a)", "xp.from_dlpack(a)", "np.from_dlpack(x)", "xp.asarray(a)"),
        *("np.asarray(memoryview(a))", "np.asarray(x)", "a.__dlpack__()", "x.__dlpack__()"),
    )
    return interleave("100 exchanges", {text: repeat(text, **names) for text in texts})


def c_exchange(a: Any, x: xp.Array) -> Group:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    capsule: Any = type(x).__dlpack_c_exchange_api__  # type: ignore[attr-defined]
    table = get(capsule, b"dlpack_exchange_api")
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "loops.c"), Path(folder, "loops.so")
        source.write_text(LOOPS)
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
        loops = ctypes.PyDLL(str(library))
    for loop in (loops.owning, loops.borrowed):
        loop.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_int64]
    cases: dict[str, Callable[[], object]] = {
        "a.__dlpack__()": repeat("a.__dlpack__()", a=a),
        "C API, an owning tensor": lambda: loops.owning(table, x, CALLS),
        "C API, a borrowed tensor": lambda: loops.borrowed(table, x, CALLS),
    }
    return interleave("100 tensors", cases)


def main() -> int:
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    x = xp.asarray(a).copy().eval()
    exchanges, tensors = dlpack(a, x), c_exchange(a, x)
    print_group(exchanges, "np.from_dlpack(a)")
    print_group(tensors, "a.__dlpack__()")
    itself = "np.from_dlpack(a)"
    per_tensor = tensors.times["C API, an owning tensor"].best / CALLS
    bars = [
        Bar("from_dlpack(numpy) to NumPy's", exchanges.ratio("xp.from_dlpack(a)", itself), 2.0),
        Bar("NumPy's from_dlpack(ours)", exchanges.ratio("np.from_dlpack(x)", itself), 2.0),
        Bar("C exchange API, 100 ns a tensor", per_tensor / 100e-9, 1.0),
    ]
    return finish([exchanges, tensors], bars, "numpy")


if __name__ == "__main__":
    sys.exit(main())
