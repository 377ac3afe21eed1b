"""What exchange with devices must bear: Python's lock, drivers' threads, the end of the process."""

from __future__ import annotations

import ctypes
import gc
import importlib
import sys
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from isthmus import _isthmus
from tests import programs

sys.path.insert(0, str(Path(__file__).parent))
clpeers = importlib.import_module("opencl_peers")
peers = importlib.import_module("sycl_peers")
malformed = importlib.import_module("malformed")
isthmus, dpctl, usm, dpt = peers.isthmus, peers.dpctl, peers.usm, peers.dpt
memory, layouts, cl, cla = isthmus.memory, peers.layouts, clpeers.cl, clpeers.cla
dpnp: Any = importlib.import_module("dpnp")

pytestmark = [
    pytest.mark.usefixtures("sycl", "opencl"),
    pytest.mark.filterwarnings("ignore::pyopencl.CompilerWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
each_device = pytest.mark.parametrize("device", clpeers.DEVICES)


# ---- Python's lock


def sycl_usm_array_interface() -> None:
    a = dpt.arange(6, dtype="float32")
    x = isthmus.asarray(a)
    isthmus.asarray(peers.Shows(a, syclobj=a.sycl_context._get_capsule()))
    isthmus.asarray(peers.Shows(a, syclobj="opencl:cpu"))
    isthmus.asarray(peers.Shows(a, syclobj=a.sycl_queue.addressof_ref()))
    y = x + 1
    usm.as_usm_memory(y)
    dpt.asarray(x).sycl_queue.wait()
    with pytest.raises(isthmus.ExchangeError):
        isthmus.asarray(peers.Shows(a, data=(4096, False)))
    isthmus.explain(a), isthmus.explain(y)


def dlpack_with_streams() -> None:
    d = dpnp.arange(6, dtype="float32")
    x = isthmus.from_dlpack(d)
    queue = dpctl.SyclQueue()
    for stream in (None, -1, queue, queue._get_capsule(), queue.addressof_ref()):
        x += 1
        x.__dlpack__(max_version=(1, 3), stream=stream)
    dpnp.from_dlpack(isthmus.from_dlpack(d, copy=True))
    np.from_dlpack(x, device="cpu", copy=False)
    isthmus.from_dlpack(d, device="cpu", copy=False)
    for device in clpeers.DEVICES:
        y = isthmus.arange(6, dtype="float32", device=device)
        y.__dlpack__(max_version=(1, 3), dl_device=(1, 0), copy=True)
        if y.__dlpack_device__()[0] == 4:
            theirs = cl.CommandQueue(isthmus.Queue(device).context.to_pyopencl())
            y.__dlpack__(max_version=(1, 3), stream=theirs)


def queues_and_contexts() -> None:
    for prop in ([], ["in_order"]):
        queue = dpctl.SyclQueue(
            dpctl.SyclContext(dpctl.SyclDevice()), dpctl.SyclDevice(), property=prop
        )
        for spelling in (queue, queue._get_capsule(), queue.addressof_ref()):
            with isthmus.Queue(spelling) as ours:
                isthmus.ones(3, dtype="float32", device="sycl:0").eval()
            ours.synchronize()
        dpctl.SyclQueue(ours._get_capsule())
        assert ours.context == isthmus.Context(queue.sycl_context)
        ours.context.to_pyopencl()
        del queue, ours, spelling
        gc.collect()
    for device in clpeers.DEVICES:
        theirs = clpeers.queue_of(device)
        assert isthmus.Queue(theirs).context == isthmus.Context(theirs.context)
        isthmus.Queue(device).to_pyopencl()


def crossing() -> None:
    s = isthmus.from_dlpack(dpnp.arange(6, dtype="float32"))
    o = isthmus.asarray(s, device="opencl:0", copy=False)
    o += 1
    s += 1
    isthmus.asarray(o, device="cpu", copy=False)
    isthmus.asarray(np.ones(6, "f4"), device="sycl:0")
    o.to_pyopencl().get()
    s.to_device("opencl:0").to_device("cpu")
    str(s), isthmus.explain(s, "opencl:0")


def memory_objects() -> None:
    for name in ("MemoryUSMDevice", "MemoryUSMShared", "MemoryUSMHost", "MemoryBuffer"):
        m = getattr(memory, name)(64, alignment=128)
        m.copy_from_host(bytes(range(64)))
        m.memset(3)
        m.copy_from_device(dpt.arange(8, dtype="uint8"))
        assert len(bytes(m)) == 64 and m[8:].nbytes == 56
        isthmus.from_memory(m, (4,), "float32") + 1
        usm.as_usm_memory(m) if hasattr(m, "__sycl_usm_array_interface__") else None
        getattr(memory, name)(m, copy=True)
    theirs = usm.MemoryUSMShared(64)
    memory.as_memory(theirs).memset(1)
    memory.MemoryUSMShared.from_pointer(theirs._pointer, 64, theirs.sycl_context, theirs)
    with pytest.raises(isthmus.OutOfMemoryError):
        memory.MemoryUSMShared(2**60)
    memory.trim_pool("sycl:0")


def pyopencl_array() -> None:
    for device in clpeers.DEVICES:
        queue = clpeers.queue_of(device)
        a = cla.to_device(queue, np.arange(8, dtype=np.float32))
        x = isthmus.asarray(a)
        y = x + 1
        y.to_pyopencl(queue=queue).get()
        isthmus.from_pyopencl(cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, 64), queue=queue)
        svm = cl.SVMAllocation(queue.context, 64, 64, cl.svm_mem_flags.READ_WRITE, queue=queue)
        isthmus.from_pyopencl(svm, queue=queue)
        b = isthmus.ones(8, dtype="float32", device=device).to_pyopencl()
        isthmus.from_pyopencl(b)[...] = 4
        with pytest.raises(isthmus.ExchangeError):
            x.to_pyopencl(queue=clpeers.queue_of(device))
        del a, x, y, b
        gc.collect()
    isthmus.ones(8, dtype="float32", device="sycl:0").to_pyopencl().get()


CALLS = (
    *(sycl_usm_array_interface, dlpack_with_streams, queues_and_contexts, crossing),
    *(memory_objects, pyopencl_array),
)


@pytest.mark.parametrize("call", CALLS)
def test_no_driver_is_called_with_pythons_lock(call: Callable[[], None]) -> None:
    isthmus.config.inline = "0"
    before, calls = _isthmus._calls_with_gil(), _isthmus._driver_calls()
    call()
    gc.collect()
    for device in ("sycl:0", *clpeers.DEVICES):
        isthmus.synchronize(device)
    assert _isthmus._driver_calls() > calls
    assert _isthmus._calls_with_gil() == before


# ---- drivers' threads


class Died:
    """In which threads Python code has run that ends an owner."""

    keep: Any

    def __init__(self) -> None:
        self.threads: list[int] = []

    def __call__(self, *_: object) -> None:
        self.threads.append(threading.get_ident())


class Owner(peers.Shows):  # type: ignore[misc,name-defined]
    died: Died

    def __del__(self) -> None:
        self.died()


def by_an_owner_with_del(died: Died) -> Any:
    owner = Owner(dpt.zeros(16, dtype="float32"))
    owner.died = died
    return isthmus.asarray(owner)


def by_a_finalizer_of_dpnps(died: Died) -> Any:
    a = dpt.zeros(16, dtype="float32")
    x = isthmus.asarray(shows := peers.Shows(a))
    weakref.finalize(shows, died).atexit = False
    return x


class Deletes(malformed.Producer):  # type: ignore[misc,name-defined]
    """Sixteen floats in USM whose deleter is written in Python."""

    def __init__(self, died: Died, flags: int = 0) -> None:
        super().__init__()
        self.managed.flags = flags
        self.died = died
        self.usm = usm.MemoryUSMShared(64)
        self.usm.memset(0)
        self.shape[0], self.shape[1] = 2, 8
        self.strides[0] = 8
        tensor = self.tensor
        tensor.data, tensor.bits = self.usm._pointer, 32
        tensor.device_type, tensor.device_id = dpnp.zeros(1).__dlpack_device__()

    def _delete(self, managed: int) -> None:
        super()._delete(managed)
        self.died()


def by_a_deleter_of_dlpack(died: Died, flags: int = 0) -> Any:
    died.keep = Deletes(died, flags)
    return isthmus.from_dlpack(died.keep)


def by_a_deleter_of_a_copy(died: Died) -> Any:
    return by_a_deleter_of_dlpack(died, flags=2)  # which makes the memory private


DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def by_the_destructor_of_a_capsule(died: Died) -> Any:
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = (
        ctypes.py_object,
        [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p],
    )
    allocation = usm.MemoryUSMShared(64)
    allocation.memset(0)
    destructor = DESTRUCTOR(died)
    died.keep = allocation, destructor
    owner = new(allocation._pointer, None, ctypes.cast(destructor, ctypes.c_void_p))
    m = memory.MemoryUSMShared.from_pointer(allocation._pointer, 64, allocation.sycl_context, owner)
    return isthmus.from_memory(m, (16,), "float32")


class OwnArray(np.ndarray[Any, Any]):
    pass


def by_a_finalizer_of_numpys(died: Died) -> Any:
    a = np.zeros(16, "f4").view(OwnArray)
    weakref.finalize(a, died).atexit = False
    return isthmus.asarray(a, device="sycl:0", copy=False)


class OwnBuffer(cl.Buffer):  # type: ignore[misc,name-defined]
    def __del__(self) -> None:
        self.died()


class OwnSVM(cl.SVM):  # type: ignore[misc,name-defined]
    def __del__(self) -> None:
        self.died()


def by_a_buffer_with_del(died: Died) -> Any:
    queue = cl.CommandQueue(isthmus.Queue("opencl:0").context.to_pyopencl())
    base = OwnBuffer(queue.context, cl.mem_flags.READ_WRITE, 64)
    base.died = died
    a = cla.Array(queue, (16,), np.float32, data=base)
    a.fill(0)
    return isthmus.asarray(a)


def by_an_svm_with_del(died: Died) -> Any:
    died.keep = usm.MemoryUSMShared(64)
    died.keep.memset(0)
    base = OwnSVM(np.frombuffer(died.keep, "f4"))
    base.died = died
    queue = cl.CommandQueue(isthmus.Queue("opencl:0").context.to_pyopencl())
    return isthmus.asarray(cla.Array(queue, (16,), np.float32, data=base))


# Our work on the memory goes on when the call has returned.
LASTING = (by_a_deleter_of_a_copy, by_a_buffer_with_del)
# It ends before that, since code of the host may write to the memory then.
WAITED_FOR = (
    *(by_an_owner_with_del, by_a_finalizer_of_dpnps, by_a_deleter_of_dlpack),
    *(by_the_destructor_of_a_capsule, by_a_finalizer_of_numpys, by_an_svm_with_del),
)


@pytest.mark.parametrize("on", ["this_thread", "another"])
@pytest.mark.parametrize("owner", [*LASTING, *WAITED_FOR])
def test_U19_an_owner_whose_last_use_is_device_work_dies_on_a_thread_of_pythons(
    owner: Callable[[Died], Any], on: str
) -> None:
    isthmus.config.inline = "0"
    died, known, results = Died(), {threading.get_ident()}, []

    def work() -> None:
        known.add(threading.get_ident())
        y, gate = clpeers.behind_a_gate("opencl:0")[:2]
        x = isthmus.reshape(owner(died), (16,))
        if owner in WAITED_FOR:
            threading.Timer(0.1, gate.open).start()
        results.append((x + isthmus.asarray(y, device=x.device, copy=False)).eval())
        results.append(gate)

    if on == "another":
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    else:
        work()
    z, gate = results
    gc.collect()
    if owner in LASTING:  # nobody else has the owner any more
        assert not gate.is_open and not died.threads
    opener = threading.Thread(target=gate.open)
    opener.start()
    opener.join()
    until = time.monotonic() + 5
    while not died.threads and time.monotonic() < until:
        time.sleep(0.001)
        isthmus.counters()  # a call of ours does what drivers' threads have left to do
    assert len(died.threads) == 1
    assert set(died.threads) <= known
    assert np.all(peers.values_of(z) == 5)


# ---- the end of the process

KEEP = """
    import ctypes, sys
    import numpy as np
    import isthmus, isthmus.memory as memory
    device = DEVICE
    isthmus.config.inline = "0"
    x = isthmus.arange(1000, dtype="float32", device=device).eval()
    keep = sys.keep = [x, x + 1, memoryview(x), np.asarray(x), isthmus.Queue(device)]
    keep += [x.memory, x[::2].__dlpack__(max_version=(1, 3)), np.from_dlpack(x, device="cpu")]
    keep += [x.__dlpack__(max_version=(1, 3), dl_device=(1, 0)), x.__dlpack__()]
    if hasattr(x, "__sycl_usm_array_interface__"):
        import dpctl, dpctl.memory as usm, dpnp.tensor as dpt
        keep += [x.__sycl_usm_array_interface__, usm.as_usm_memory(x), dpt.asarray(x)]
        a = dpt.arange(1000, dtype="float32")
        keep += [isthmus.asarray(a), isthmus.from_dlpack(a), isthmus.asarray(a.usm_data)]
        keep += [isthmus.asarray(a) + 1, isthmus.Queue(a.sycl_queue), memory.MemoryUSMShared(64)]
        keep += [memory.MemoryUSMShared.from_pointer(
            *(m._pointer, 64, m.sycl_context, m)) for m in [usm.MemoryUSMShared(64)]]
        if device == "sycl:0":
            keep += [x.__dlpack__(max_version=(1, 3), stream=dpctl.SyclQueue())]
    if isthmus.Device(device).backend in ("opencl", "sycl"):
        import pyopencl as cl, pyopencl.array as cla
        b = x.to_pyopencl()
        own = cl.Context([b.queue.device])
        queue = cl.CommandQueue(own)
        theirs = cla.to_device(queue, np.arange(8, dtype="f4"))
        keep += [b, isthmus.asarray(theirs), isthmus.asarray(theirs) + 1, theirs]
        keep += [isthmus.from_pyopencl(b) + 1, isthmus.Queue(queue)]
    keep += [(isthmus.asarray(np.ones(1000, "f4"), device=device) + x).eval()]
    for _ in range(30):
        x += 1  # is under way when the process ends
    class Late:
        def __init__(self, x): self.x = x
        def __del__(self): del self.x
    sys.late = [Late(x[1:]), Late(keep[6])]
    print("ok")
"""


@pytest.mark.parametrize("device", ["cpu", "sycl:0", *clpeers.DEVICES])
@pytest.mark.parametrize("ended_by", ["its end", "sys.exit(0)", "threads"])
def test_a_process_ends_with_exports_and_imports_alive(device: str, ended_by: str) -> None:
    text = KEEP.replace("DEVICE", repr(device))
    if ended_by == "threads":  # that never end, and work on what is shared
        text += """
    import threading
    def work():
        while True: x.__dlpack__(max_version=(1, 3)); (x + 1).eval()
    for _ in range(4):
        threading.Thread(target=work, daemon=True).start()
"""
    elif ended_by == "sys.exit(0)":
        text += "\n    sys.exit(0)\n"
    printed, said = programs.run(text, PYTHONWARNINGS="ignore")
    assert printed == "ok\n"
    left = [line for line in said.splitlines() if line and not line.startswith("nanobind: ")]
    assert not left, said


def test_a_process_ends_while_threads_are_in_python_code_that_we_call() -> None:
    """Before 3.14 Python ends such threads by unwinding them, through our frames too."""
    text = """
        import threading, time
        import numpy as np
        import isthmus
        memory = np.arange(1000, dtype="f4")
        class Producer:
            def __dlpack_device__(self): return (1, 0)
            def __dlpack__(self, **given): return [memory.__dlpack__() for _ in range(9)][0]
        class Described:
            @property
            def __array_interface__(self):
                return [memory.__array_interface__ for _ in range(9)][0]
        class One:
            def __index__(self): return sum(range(10)) - 44
        x = isthmus.ones(1000, dtype="float32")
        def work():
            while True:
                isthmus.from_dlpack(Producer())
                isthmus.asarray(Described())
                x[One()], isthmus.reshape(x, (One(), 1000))
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.05)
        print("ok")
    """
    for _ in range(4):
        printed, said = programs.run(text, PYTHONWARNINGS="ignore")
        left = [line for line in said.splitlines() if not line.startswith("nanobind: ")]
        assert (printed, left) == ("ok\n", [])
