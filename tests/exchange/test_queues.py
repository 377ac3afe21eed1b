"""Queues and contexts of SYCL and OpenCL in every spelling, from others and for others."""

from __future__ import annotations

import ctypes
import importlib
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

# what the tests ask for on purpose, the annotations forbid
isthmus: Any = importlib.import_module("isthmus")
dpctl: Any = pytest.importorskip("dpctl", reason="SYCL's objects in Python are dpctl's")
usm: Any = pytest.importorskip("dpctl.memory")
dpt: Any = pytest.importorskip("dpnp.tensor")

pytestmark = pytest.mark.usefixtures("sycl")

capsule_name = ctypes.pythonapi.PyCapsule_GetName
capsule_name.restype = ctypes.c_char_p
capsule_name.argtypes = [ctypes.py_object]
capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype = ctypes.c_void_p
capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Gives:
    """An object that has nothing but the method."""

    def __init__(self, capsule: object) -> None:
        self.capsule = capsule

    def _get_capsule(self) -> object:
        return self.capsule


class OwnQueue(dpctl.SyclQueue):  # type: ignore[misc]
    pass


def spellings(q: Any) -> dict[str, Any]:
    return {
        "dpctl": q,
        "subclass": OwnQueue(q.sycl_context, q.sycl_device),
        "capsule": q._get_capsule(),
        "object": Gives(q._get_capsule()),
        "address": q.addressof_ref(),
        "ours": isthmus.Queue(q),
    }


@pytest.mark.parametrize("name", ["dpctl", "subclass", "capsule", "object", "address", "ours"])
def test_a_queue_is_known_by_every_spelling(name: str) -> None:
    q = dpctl.SyclQueue()
    ours = isthmus.Queue(spellings(q)[name])
    assert ours.device == isthmus.Device("sycl:0")
    assert ours.is_in_order is False
    assert ours == isthmus.Queue(q) or name == "subclass"
    assert dpctl.SyclQueue(ours._get_capsule()) == q or name == "subclass"
    assert ours.context == isthmus.Queue("sycl:0").context


def test_an_in_order_queue_says_so() -> None:
    assert isthmus.Queue(dpctl.SyclQueue(property="in_order")).is_in_order


def test_the_address_of_a_queue_is_one_that_others_can_use() -> None:
    q = dpctl.SyclQueue()
    ours = isthmus.Queue(q)
    assert ours.handle == ours.handle != 0
    assert isthmus.Queue(ours.handle) == ours
    assert isthmus.Queue(ours.handle, "sycl:0") == ours


def test_capsules_are_not_used_up() -> None:
    capsule = dpctl.SyclQueue()._get_capsule()
    assert isthmus.Queue(capsule) == isthmus.Queue(capsule)
    assert capsule_name(capsule) == b"SyclQueueRef"


def test_our_capsules_are_new_each_time_and_survive_a_consumer_that_renames_them() -> None:
    ours = isthmus.Queue("sycl:0")
    capsule = ours._get_capsule()
    theirs = dpctl.SyclQueue(capsule)
    assert capsule_name(capsule) == b"used_SyclQueueRef"  # dpctl does; each is for one consumer
    del capsule
    theirs.wait()
    assert dpctl.SyclQueue(ours._get_capsule()) == theirs
    assert dpctl.SyclContext(ours.context._get_capsule()) == theirs.sycl_context
    assert capsule_name(ours.context._get_capsule()) == b"SyclContextRef"


def test_a_used_capsule_is_refused_by_name() -> None:
    capsule = dpctl.SyclQueue()._get_capsule()
    dpctl.SyclQueue(capsule)
    with pytest.raises(isthmus.ExchangeError, match="'used_SyclQueueRef' has been used"):
        isthmus.Queue(capsule)


def test_a_context_is_no_queue() -> None:
    context = dpctl.SyclQueue().sycl_context
    for spelling in (context, context._get_capsule(), isthmus.Queue("sycl:0").context):
        with pytest.raises(isthmus.ExchangeError, match="is a context; pass a queue"):
            isthmus.Queue(spelling)


def test_contexts_and_queues_of_opencl_are_told_apart() -> None:
    cl = pytest.importorskip("pyopencl")
    context = isthmus.Context("opencl:0").to_pyopencl()
    queue = cl.CommandQueue(context)
    assert isthmus.Context(queue) == isthmus.Context(context) == isthmus.Queue(queue).context
    with pytest.raises(isthmus.ExchangeError, match=r"isthmus\.Context is a context; pass"):
        isthmus.Queue(isthmus.Context(queue))
    with pytest.raises(isthmus.ExchangeError, match=r"expected a pyopencl\.CommandQueue"):
        isthmus.Queue(context)


def test_a_queue_at_an_address_is_of_the_device_that_is_named() -> None:
    devices = [d for d in isthmus.devices() if d.backend == "opencl"]
    if len(devices) < 2:
        pytest.skip("one device of OpenCL")
    queue = isthmus.Queue(devices[0])
    assert isthmus.Queue(queue.handle, devices[0]) == queue
    with pytest.raises(isthmus.ExchangeError, match=f"of {devices[0]}, not of {devices[1]}"):
        isthmus.Queue(queue.handle, devices[1])


@pytest.mark.parametrize("wrong", [None, True, 0, -5, 2**64, 1.5, object(), dpctl.SyclQueue])
def test_what_is_no_queue_is_refused(wrong: object) -> None:
    with pytest.raises(isthmus.ExchangeError, match="Queue: "):
        isthmus.Queue(wrong)


def test_a_method_that_gives_no_capsule_is_refused() -> None:
    with pytest.raises(isthmus.ExchangeError, match="returned an int, not a capsule"):
        isthmus.Queue(Gives(7))
    with pytest.raises(isthmus.ExchangeError, match="expected 'SyclQueueRef'"):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        isthmus.Queue(Gives(new(8, b"dltensor", None)))


def test_with_makes_it_the_queue_of_this_thread() -> None:
    outer, inner = isthmus.Queue(dpctl.SyclQueue()), isthmus.Queue(dpctl.SyclQueue())
    before = isthmus.current_queue("sycl:0")
    seen = []
    with outer as entered:
        assert entered is outer
        with inner, inner:
            assert isthmus.current_queue("sycl:0") == inner
            look = threading.Thread(target=lambda: seen.append(isthmus.current_queue("sycl:0")))
            look.start()
            look.join()
        assert isthmus.current_queue("sycl:0") == outer
        with pytest.raises(ValueError, match="not entered, or has ended"):
            inner.__exit__()
    assert isthmus.current_queue("sycl:0") == before == seen[0]


@pytest.mark.parametrize("inline", ["0", "1"])
def test_operations_run_on_an_out_of_order_queue_of_dpctl(inline: str) -> None:
    isthmus.config.inline = inline
    queue = isthmus.Queue(dpctl.SyclQueue())
    with queue:
        x = isthmus.arange(1000, dtype="float32", device="sycl:0").eval()
        y = x
        for _ in range(20):
            y = (y + 1).eval()
        queue.synchronize()
        assert np.all(np.asarray(y - x) == 20)


def test_a_queue_of_the_host_has_no_handle() -> None:
    queue = isthmus.Queue("cpu")
    assert queue == isthmus.current_queue("cpu")
    with pytest.raises(isthmus.ExchangeError, match="cpu"):
        queue.handle  # noqa: B018
    with pytest.raises(isthmus.ExchangeError, match="cpu is not SYCL's"):
        queue._get_capsule()


TWICE = """
import ctypes, sys
import dpctl, isthmus
q = dpctl.SyclQueue()
isthmus.Queue(q)
ctypes.CDLL(sys.argv[1])
try:
    isthmus.Queue(q)
except isthmus.ExchangeError as error:
    print(error)
"""


def test_capsules_are_refused_where_two_versions_of_libsycl_are_mapped(tmp_path: Path) -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no g++")
    other = tmp_path / "libsycl.so.3"
    subprocess.run([compiler, "-shared", "-o", other, "-xc++", "/dev/null"], check=True)
    done = subprocess.run(
        [sys.executable, "-c", TWICE, other], capture_output=True, text=True, check=True
    )
    assert "libsycl.so.3 and libsycl.so." in done.stdout


def test_queues_and_contexts_that_come_and_go_are_told_apart() -> None:
    """Wrappers of the last few are kept, and whatever gets an old one's address is not it."""
    device = dpctl.SyclDevice()
    for i in range(12):
        context = dpctl.SyclContext(device)
        ordered = bool(i % 2)
        queue = dpctl.SyclQueue(context, device, property=["in_order"] if ordered else [])
        memory = usm.MemoryUSMShared(8, queue=queue)
        x = isthmus.asarray(memory)  # refused if it were taken for memory of another context
        x[...] = i
        assert np.all(np.asarray(x) == i)
        assert isthmus.Queue(queue).is_in_order == ordered
        del memory, queue, context, x


def test_numbers_that_are_no_handles_are_refused() -> None:
    raw = np.zeros(64)
    for number in (1, 5, 4096, 12345, raw.ctypes.data):
        for device in ("sycl:0", "opencl:0"):
            with pytest.raises(
                isthmus.ExchangeError, match=r"not .*(sycl::queue|cl_command_queue)"
            ):
                isthmus.Queue(number, device)
        with pytest.raises(isthmus.ExchangeError, match="sycl::queue"):
            isthmus.Queue(number)
    with pytest.raises(isthmus.ExchangeError, match="2\\^64"):
        isthmus.Queue(2**64, "sycl:0")
    x = isthmus.ones(3, dtype="float32", device="sycl:0")
    for number in (5, 4096, raw.ctypes.data):
        with pytest.raises(isthmus.ExchangeError, match="sycl::queue"):
            x.__dlpack__(stream=number, max_version=(1, 0))


def test_contexts_come_in_from_everybody() -> None:
    q = dpctl.SyclQueue()
    ours = isthmus.Context(q.sycl_context)
    assert ours == isthmus.Queue(q).context == isthmus.Context("sycl:0")
    assert isthmus.Context(q.sycl_context._get_capsule()) == ours
    assert isthmus.Context(isthmus.Queue(q)) == isthmus.Context(ours) == ours
    below = ours.to_pyopencl()
    assert isthmus.Context(below) == ours
    for wrong in (3.5, None, object()):
        with pytest.raises(isthmus.ExchangeError, match="Context"):
            isthmus.Context(wrong)


def test_a_users_sycl_context_crosses_to_pyopencl() -> None:
    q = dpctl.SyclQueue(dpctl.SyclContext([dpctl.SyclDevice()]), dpctl.SyclDevice())
    x = isthmus.asarray(dpt.arange(6, dtype="f4", sycl_queue=q))
    there = isthmus.asarray(x, device="opencl:0", copy=False)
    there += 1
    assert x.tolist() == [1, 2, 3, 4, 5, 6]
    theirs = x.to_pyopencl()
    assert theirs.get().tolist() == [1, 2, 3, 4, 5, 6]
    assert isthmus.Context(theirs.context) == isthmus.Context(q.sycl_context)


def test_new_arrays_are_of_the_context_of_the_queue_that_they_were_called_in() -> None:
    q = dpctl.SyclQueue(dpctl.SyclContext([dpctl.SyclDevice()]), dpctl.SyclDevice())
    with isthmus.Queue(q):
        pending = isthmus.ones(6, dtype="float32", device="sycl:0")
        made = isthmus.ones(6, dtype="float32", device="sycl:0").eval()
    outside = isthmus.ones(6, dtype="float32", device="sycl:0")
    with isthmus.Queue(q):
        outside.eval()
    assert [dpt.asarray(x).sycl_context == q.sycl_context for x in (pending, made)] == [
        True,
        True,
    ]
    assert dpt.asarray(outside).sycl_context != q.sycl_context
