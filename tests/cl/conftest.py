"""Places for arrays of isthmus.cl: pyopencl's queues on each runtime, and queues of Isthmus."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

import isthmus as xp
from tests.ways import KERNELS_ON_HOST

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
            return xp.Queue(kind)
        except (LookupError, ImportError) as problem:
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


@pytest.fixture
def kernel_queue(queue: Any) -> Any:
    """One on whose arrays kernels of users run: on `cpu` an OpenCL device has to reach them."""
    if isinstance(queue, xp.Queue) and queue.device == "cpu" and not KERNELS_ON_HOST:
        pytest.skip("no OpenCL device that reaches the host's memory")
    return queue


@pytest.fixture(params=("pocl", "intel", "nvidia"))
def cl_queue(request: pytest.FixtureRequest, _settings_stay: None) -> Iterator[Any]:
    """A queue of pyopencl's."""
    name = request.param
    if name not in _kept:
        _kept[name] = _queue(name)
    yield _kept[name]
