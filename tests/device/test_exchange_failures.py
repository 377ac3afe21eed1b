"""Every driver call that an exchange makes fails once, and from then on, as in test_failures.py."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from isthmus import memory
from tests.device.arrays import get, put
from tests.device.control import LAUNCH, failing_calls
from tests.device.test_failures import each_call_fails
from tests.device.test_process import run
from tests.ways import REAL

pytestmark = [
    pytest.mark.no_kernel,
    # pyopencl on its own compilers' chatter and on Intel's missing cache
    pytest.mark.filterwarnings("ignore::pyopencl.CompilerWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
SYCL = [name for name in REAL if name.startswith("sycl")]
OPENCL = [name for name in REAL if name.startswith("opencl")]


def line(device: str) -> Any:
    return put(np.arange(12, dtype=np.float32), device)


def usm_comes_in(device: str) -> Any:
    theirs = importlib.import_module("dpnp.tensor").arange(12, dtype="float32")
    return get(xp.asarray(theirs)[::2] + 1).sum()


def usm_goes_out(device: str) -> Any:
    theirs = importlib.import_module("dpctl.memory").as_usm_memory(line(device) * 2)
    return np.frombuffer(theirs.copy_to_host(), np.float32).sum()


def capsules_go_out_in_the_order_of_a_queue(device: str) -> Any:
    dpt = importlib.import_module("dpnp.tensor")
    queue = importlib.import_module("dpctl").SyclQueue()
    theirs = dpt.arange(12, dtype="float32", sycl_queue=queue)
    ours = xp.from_dlpack(theirs) + 1
    ours.__dlpack__(stream=queue, max_version=(1, 0))
    return float(dpt.asnumpy(dpt.from_dlpack(ours)).sum())


def sycl_and_opencl_take_turns(device: str) -> Any:
    x = xp.asarray(line(device), device="opencl:0", copy=False)
    x += 1
    return get(xp.asarray(x * 2, device=device, copy=False)).sum()


def memory_is_copied(device: str) -> Any:
    kind = memory.MemoryUSMShared if device in SYCL else memory.MemoryBuffer
    block = kind(48, queue=device)
    block.copy_from_host(np.arange(12, dtype=np.float32).tobytes())
    other = kind(48, queue=device)
    other.memset(1)
    other.copy_from_device(block)
    return np.frombuffer(other.copy_to_host(), np.float32).sum()


def work_goes_on_a_queue_of_the_users(device: str) -> Any:
    if device in SYCL:
        dpctl = importlib.import_module("dpctl")
        queue = dpctl.SyclQueue()
    else:
        cl = importlib.import_module("pyopencl")
        context = cl.Context([xp.Queue(device).to_pyopencl().device])  # Intel's queues hold none
        queue = cl.CommandQueue(context)
    with xp.Queue(queue):
        return get(xp.arange(12, dtype="float32", device=device) * 3).sum()


def buffers_go_out_and_come_back(device: str) -> Any:
    theirs = (line(device) + 1).to_pyopencl()
    return get(xp.from_pyopencl(theirs) * 2).sum()


def memory_is_made_on_a_queue_of_the_users(device: str) -> Any:
    block: memory.Memory
    if device in SYCL:
        block = memory.MemoryUSMShared(48, queue=importlib.import_module("dpctl").SyclQueue())
        importlib.import_module("dpctl.memory").as_usm_memory(block).memset(0)
    else:
        cl = importlib.import_module("pyopencl")
        block = memory.MemoryBuffer(48, queue=cl.CommandQueue(xp.Context(device).to_pyopencl()))
    x = xp.from_memory(block, (12,), "float32")
    x[...] = line(device)
    return get(x * 2).sum()


def tensors_go_through_the_c_exchange_api(device: str) -> Any:
    tvm_ffi = importlib.import_module("tvm_ffi")
    x = line(device) + 1
    tvm_ffi.get_global_func("testing.nop")(x)  # borrows
    x += 1
    return get(xp.from_dlpack(tvm_ffi.from_dlpack(x)) * 2).sum()


def arrays_of_pyopencl_have_two_queues(device: str) -> Any:
    cl, cla = importlib.import_module("pyopencl"), importlib.import_module("pyopencl.array")
    context = xp.Context(device).to_pyopencl()
    theirs = cla.to_device(cl.CommandQueue(context), np.arange(12, dtype=np.float32))
    x = xp.from_pyopencl(theirs)
    x += 1
    other = theirs.with_queue(cl.CommandQueue(context))
    seen = other.get().sum()
    return seen + get(x + 1).sum()


WORKLOADS: dict[Callable[[str], Any], tuple[str, list[str]]] = {
    usm_comes_in: ("dpnp", SYCL),
    usm_goes_out: ("dpctl", SYCL),
    capsules_go_out_in_the_order_of_a_queue: ("dpnp", SYCL),
    sycl_and_opencl_take_turns: ("", SYCL),
    memory_is_copied: ("", [*SYCL, *OPENCL]),
    work_goes_on_a_queue_of_the_users: ("", [*SYCL, *OPENCL]),
    buffers_go_out_and_come_back: ("pyopencl", OPENCL),
    memory_is_made_on_a_queue_of_the_users: ("pyopencl", [*SYCL, *OPENCL]),
    tensors_go_through_the_c_exchange_api: ("tvm_ffi", [*SYCL, *OPENCL]),
    arrays_of_pyopencl_have_two_queues: ("pyopencl", OPENCL),
}
CASES = [
    pytest.param(workload, peer, name, id=f"{workload.__name__}-{name}")
    for workload, (peer, names) in WORKLOADS.items()
    for name in names
]


@pytest.mark.parametrize("sticky", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize(("workload", "peer", "name"), CASES)
def test_every_driver_call_of_an_exchange_may_fail(
    workload: Callable[[str], Any], peer: str, name: str, sticky: bool
) -> None:
    xp.config.inline, xp.config.eager = "0", False
    if peer:
        pytest.importorskip(peer)
    each_call_fails(lambda: workload(name), name, sticky)


@pytest.mark.parametrize("name", [*SYCL, *OPENCL])
def test_a_hand_out_that_fails_again_and_again_leaves_the_queue_alone(name: str) -> None:
    pytest.importorskip("pyopencl")
    x = line(name).eval()
    for _ in range(20):
        with failing_calls(1, code=LAUNCH), pytest.raises(xp.LaunchError):
            x.to_pyopencl()
    assert get(x * 2).sum() == 132


@pytest.mark.parametrize("name", [*SYCL, *OPENCL])
def test_a_hand_out_without_pyopencl_is_refused_again_and_again(name: str) -> None:
    text = f"""
        import sys
        sys.modules["pyopencl"] = None
        import isthmus as xp
        x = xp.ones(4, dtype="float32", device="{name}").eval()
        for _ in range(20):
            try:
                x.to_pyopencl()
            except ImportError:
                pass
        print(xp.sum(x * 2).item(), repr(xp.Queue("{name}")).count("{name}"))
    """
    assert run(text, ISTHMUS_INLINE="0") == "8.0 1\n"
