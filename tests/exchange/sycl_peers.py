"""SYCL's peers: what shows USM as dpctl and dpnp do, and their arrays in every layout."""

from __future__ import annotations

import gc
import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

# what the tests ask for on purpose, the annotations forbid
isthmus: Any = importlib.import_module("isthmus")
dpctl: Any = pytest.importorskip("dpctl")
usm: Any = pytest.importorskip("dpctl.memory")
dpt: Any = pytest.importorskip("dpnp.tensor")

sys.path.insert(0, str(Path(__file__).parent))
layouts = importlib.import_module("layouts")

KINDS = ("device", "shared", "host")
DEVICES = tuple(str(d) for d in isthmus.devices() if d.backend == "sycl")


class Shows:
    """An object that has nothing but the attribute, as another library would."""

    def __init__(self, a: Any, without: str = "", **changes: Any) -> None:
        self.keep = a
        self.__sycl_usm_array_interface__ = {**a.__sycl_usm_array_interface__, **changes}
        self.__sycl_usm_array_interface__.pop(without, None)


class Gives:
    """An object that has nothing but the method."""

    def __init__(self, names: Any) -> None:
        self.names = names

    def _get_capsule(self) -> object:
        return self.names._get_capsule()


class OwnQueue(dpctl.SyclQueue):  # type: ignore[misc]
    pass


def their_layouts(kind: str = "device", dtype: str = "float32") -> dict[str, Any]:
    made = {}
    for name, view in layouts.VIEWS.items():
        line = dpt.asarray(np.arange(24).astype(dtype).reshape(2, 3, 4), usm_type=kind)
        made[name] = view(line)
    matrix = dpt.asarray(np.arange(24).astype(dtype).reshape(2, 3, 4), usm_type=kind)
    made["column_major"] = dpt.asarray(matrix, order="F", copy=True)
    made["zero_stride"] = dpt.broadcast_to(dpt.arange(3, dtype=dtype, usm_type=kind), (4, 3))
    return made


def our_layouts(kind: str = "device", dtype: str = "float32") -> dict[str, Any]:
    """Over memory objects of ours, which nobody else holds."""
    memory: Any = importlib.import_module("isthmus.memory")

    def counted(*shape: int) -> Any:
        m = getattr(memory, f"MemoryUSM{kind.title()}")(
            int(np.prod(shape)) * np.dtype(dtype).itemsize
        )
        x = isthmus.from_memory(m, shape, dtype)
        x[...] = isthmus.reshape(isthmus.arange(x.size, dtype=dtype, device=x.device), shape)
        return x

    made = {name: view(counted(2, 3, 4)) for name, view in layouts.VIEWS.items()}
    made["column_major"] = isthmus.permute_dims(counted(4, 3, 2), (2, 1, 0))
    made["zero_stride"] = isthmus.broadcast_to(counted(3), (4, 3))
    return made


def write_to_free_blocks(kind: str) -> None:
    """Makes arrays that would get the block of one that has just died, had it been given back."""
    gc.collect()
    our_layouts(kind)


def pointer_of(a: Any) -> int:
    """Of the first element of what shows itself."""
    shown = a.__sycl_usm_array_interface__
    itemsize = np.dtype(shown["typestr"]).itemsize
    return int(shown["data"][0] + shown.get("offset", 0) * itemsize)


def values_of(x: Any) -> Any:
    return np.asarray(isthmus.asarray(x).to_device("cpu"))


def queue_of_own_context() -> Any:
    """A queue of a context that is not the platform's default one."""
    device = dpctl.SyclDevice("opencl:cpu")
    return dpctl.SyclQueue(dpctl.SyclContext([device]), device)
