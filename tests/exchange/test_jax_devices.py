"""JAX on memory of SYCL and OpenCL devices that the host reaches; it knows host memory only."""

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
jax: Any = pytest.importorskip("jax")
jnp: Any = importlib.import_module("jax.numpy")

sys.path.insert(0, str(Path(__file__).parent))
layouts = importlib.import_module("layouts")

DEVICES = [str(d) for d in isthmus.devices() if d.backend != "cpu" and d.info.get("unified_memory")]
each_device = pytest.mark.parametrize("device", DEVICES)


class OnTheHost:
    """An array that is asked for kDLCPU, which JAX does not do by itself."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __dlpack__(self, **how: Any) -> object:
        capsule: object = self.array.__dlpack__(dl_device=(1, 0), copy=False, **how)
        return capsule


def to_jax(x: Any) -> Any:
    return jax.dlpack.from_dlpack(OnTheHost(x), copy=False)


VIEWS: dict[str, Any] = {
    "row_major": lambda x: x,
    "column_major": lambda x: isthmus.permute_dims(x, (2, 1, 0)),
    "offset": lambda x: x[1:],  # by 64 bytes, which JAX needs
    "size_zero": lambda x: x[:, 1:1],
    "zero_dimensional": lambda x: x[1, 0, 0],
}


def ours_on(device: str) -> Any:
    return isthmus.reshape(isthmus.arange(32, dtype="float32", device=device), (2, 4, 4)).eval()


@each_device
@pytest.mark.parametrize("name", VIEWS)
def test_L10_L14_jax_shares_address_writes_and_lifetime(device: str, name: str) -> None:
    x = VIEWS[name](ours_on(device))
    a = to_jax(x)
    assert a.shape == x.shape and a.dtype == x.dtype
    if not x.size:
        return
    assert a.unsafe_buffer_pointer() == layouts.address(np.asarray(x))
    assert np.array_equal(a, np.asarray(x.to_device("cpu")))
    x[...] = 6
    isthmus.synchronize(device)
    assert float(jnp.sum(a)) == 6 * x.size
    del x
    gc.collect()
    other = isthmus.full((32,), -1, dtype="float32", device=device).eval()
    assert float(jnp.sum(a)) == 6 * a.size
    del other


@each_device
@pytest.mark.parametrize("name", ["offset", "negative", "not_collapsible"])  # unaligned, strided
def test_layouts_that_jax_has_no_form_for_are_refused_by_jax(device: str, name: str) -> None:
    x = layouts.VIEWS[name](ours_on(device))
    with pytest.raises(Exception, match=r"layout|align|stride"):
        to_jax(x)
    assert "private" in isthmus.explain(x).reason  # nothing is kept


@each_device
def test_L2_jax_asks_for_the_arrays_own_device(device: str) -> None:
    x = isthmus.arange(6, dtype="float32", device=device) + 1
    if x.__dlpack_device__() == (1, 0):
        a = jax.dlpack.from_dlpack(x, copy=False)
        assert a.unsafe_buffer_pointer() == layouts.address(np.asarray(x))
        assert a.tolist() == [1, 2, 3, 4, 5, 6]
        return
    with pytest.raises(TypeError, match="device type"):  # if not, JAX learnt to pass dl_device
        jax.dlpack.from_dlpack(x, copy=False)


@each_device
@pytest.mark.parametrize("take", [isthmus.from_dlpack, isthmus.asarray])
@pytest.mark.parametrize("dtype", ["float32", "int32", "bfloat16", "complex64"])
def test_L3_L13_jax_arrays_come_read_only_to_devices_that_reach_them(
    device: str, take: Any, dtype: str
) -> None:
    a = jnp.arange(24, dtype=dtype).reshape(2, 3, 4)
    address, values = a.unsafe_buffer_pointer(), np.asarray(a).copy()
    if isthmus.explain(a, device).verdict != "zero-copy":
        assert not isthmus.Device(device).info["system_memory"]
        with pytest.raises(isthmus.CopyRefusedError):
            take(a, device=device, copy=False)
        return
    x = take(a, device=device, copy=False)
    assert x.device == isthmus.Device(device) and x.is_read_only
    assert layouts.address(x.__array__()) == address
    with pytest.raises(ValueError, match="read-only"):
        x[...] = 1
    y = x[:, ::-1] + x[:, ::-1]  # a kernel of that device
    assert y.device == isthmus.Device(device)
    del a
    gc.collect()
    assert np.array_equal(y.to_device("cpu").__array__(), values[:, ::-1] + values[:, ::-1])
    assert np.array_equal(x.__array__(), values)
