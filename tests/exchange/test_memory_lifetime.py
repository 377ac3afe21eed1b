"""Memory objects that are not whole: never initialised, or in a garbage cycle."""

from __future__ import annotations

import copy
import importlib
import operator
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import isthmus

memory: Any = importlib.import_module("isthmus.memory")


class Forgetful(memory.MemoryHost):  # type: ignore[misc]
    """Its __init__ calls no other."""

    def __init__(self) -> None:
        pass


USES: dict[str, Callable[[Any], object]] = {
    "memoryview": memoryview,
    "asarray": isthmus.asarray,
    "explain": isthmus.explain,
    "from_memory": lambda m: isthmus.from_memory(m, (1,), "uint8"),
    "as_memory": memory.as_memory,
    "over_another": memory.MemoryHost,
    "copy_of_another": lambda m: memory.MemoryHost(m, copy=True),
    "copy_from_device": lambda m: memory.MemoryHost(8).copy_from_device(m),
    "setitem": lambda m: operator.setitem(isthmus.zeros(8, dtype="uint8"), slice(None), m),
    "len": len,
    "slice": lambda m: m[1:],
    "bytes": bytes,
    "repr": repr,
    "pickle": pickle.dumps,
    "copy": copy.copy,
    "memset": lambda m: m.memset(1),
    "sycl_queue": lambda m: m.sycl_queue,
    "sycl_context": lambda m: m.sycl_context,
    "interface": lambda m: m.__sycl_usm_array_interface__,
    "usm_type": lambda m: m.get_usm_type(),
}


@pytest.mark.parametrize("name", USES)
@pytest.mark.parametrize("make", [Forgetful, lambda: Forgetful.__new__(Forgetful)])
def test_memory_that_was_not_initialised_says_so(name: str, make: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match="Forgetful: was not initialised"):
        USES[name](make())
