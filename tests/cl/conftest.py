"""Places for arrays of isthmus.cl: pyopencl's queues on each runtime, and queues of Isthmus."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

import isthmus as xp

_set_first = xp.RawKernel("__kernel void f(__global float* x) { x[0] = 1; }", "f")
_kept: dict[str, Any] = {}  # contexts have kernels of their own: one for each place


def _device_named(part: str) -> Any:
    import pyopencl as cl

    xp.devices()  # finds the runtimes of this environment
    with contextlib.suppress(cl.Error):
        for platform in cl.get_platforms():
            if part in platform.name:
                return platform.get_devices()[0]
    return None


def _queue(name: str) -> Any:
    runtime, _, kind = name.partition("-")
    if runtime == "isthmus":
        try:
            # kernels on arrays of `cpu` need an OpenCL device that reaches them
            _set_first((1,), (1,), (xp.zeros(1, dtype="float32", device=kind),))
            return xp.Queue(kind)
        except (LookupError, ImportError, NotImplementedError) as problem:
            pytest.skip(str(problem))
    cl = pytest.importorskip("pyopencl")
    device = _device_named({"pocl": "Portable", "intel": "Intel", "nvidia": "NVIDIA"}[runtime])
    if device is None:
        pytest.skip(f"there is no {runtime}")
    context = _kept.setdefault(f"context of {runtime}", cl.Context([device]))
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE if kind else 0
    return cl.CommandQueue(context, properties=properties)


PLACES = (
    *("pocl", "pocl-out_of_order", "intel", "intel-out_of_order", "nvidia", "nvidia-out_of_order"),
    *("isthmus-cpu", "isthmus-opencl", "isthmus-sycl"),
)


@pytest.fixture(params=PLACES)
def queue(request: pytest.FixtureRequest, _settings_stay: None) -> Iterator[Any]:
    """A queue of pyopencl's or of Isthmus."""
    name = request.param
    if name not in _kept:
        _kept[name] = _queue(name)
    yield _kept[name]


@pytest.fixture(params=("pocl", "intel", "nvidia"))
def cl_queue(request: pytest.FixtureRequest, _settings_stay: None) -> Iterator[Any]:
    """A queue of pyopencl's."""
    name = request.param
    if name not in _kept:
        _kept[name] = _queue(name)
    yield _kept[name]
