"""Memory objects: made, adopted, sliced, copied, shown to dpctl; U numbers as in its protocol."""

from __future__ import annotations

import copy
import ctypes
import gc
import importlib
import pickle
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
peers = importlib.import_module("sycl_peers")
isthmus, dpctl, usm, dpt = peers.isthmus, peers.dpctl, peers.usm, peers.dpt
memory: Any = importlib.import_module("isthmus.memory")

pytestmark = pytest.mark.usefixtures("sycl")

USM = {"device": "MemoryUSMDevice", "shared": "MemoryUSMShared", "host": "MemoryUSMHost"}
ALL = (*USM.values(), "MemoryHost", "MemoryBuffer")
HOST = ("MemoryUSMShared", "MemoryUSMHost", "MemoryHost")


def made(name: str, values: bytes = bytes(range(64))) -> Any:
    m = getattr(memory, name)(len(values))
    m.copy_from_host(values)
    return m


@pytest.mark.parametrize("name", ALL)
def test_memory_is_bytes(name: str) -> None:
    m = made(name)
    assert len(m) == m.nbytes == m.size == 64
    assert m.tobytes() == bytes(m) == bytes(range(64))
    m.memset(7)
    assert bytes(m) == b"\7" * 64
    m.memset()
    assert bytes(m) == bytes(64)
    assert name in repr(m) and "64 bytes" in repr(m)


@pytest.mark.parametrize("kind", USM)
def test_dpctl_finds_the_same_kind(kind: str) -> None:  # U1 U5 U16
    m = getattr(memory, USM[kind])(64)
    theirs = usm.as_usm_memory(m)
    assert m.kind == m.get_usm_type() == theirs.get_usm_type() == kind
    assert theirs._pointer == m._pointer and theirs.nbytes == 64
    assert type(theirs).__name__ == USM[kind]
    shown = m.__sycl_usm_array_interface__
    assert shown["data"] == (m._pointer, False) and shown["shape"] == (64,)
    assert shown["typestr"] == "|u1" and shown["version"] == 1
    theirs.memset(9)
    assert bytes(m) == b"\x09" * 64
    assert m.get_usm_type(theirs.sycl_queue) == kind
    assert m.get_usm_type(theirs.sycl_context) == kind
    assert m.get_usm_type(peers.queue_of_own_context()) == "unknown"  # U17
    assert m.sycl_context == theirs.sycl_context
    assert isthmus.Context(theirs.sycl_context) == isthmus.Context("sycl:0")
    assert m.sycl_device == theirs.sycl_device and m.device == isthmus.Device("sycl:0")


@pytest.mark.parametrize("kind", USM)
def test_dpctls_memory_is_ours_without_a_copy(kind: str) -> None:  # U5 U16 U19
    theirs = getattr(usm, USM[kind])(48)
    m = getattr(memory, USM[kind])(theirs)
    assert m._pointer == theirs._pointer and m.nbytes == 48
    m.memset(5)
    assert theirs.tobytes() == b"\5" * 48
    assert type(memory.as_memory(theirs)).__name__ == USM[kind]
    assert m.sycl_queue == theirs.sycl_queue
    del theirs
    gc.collect()
    assert bytes(m) == b"\5" * 48


@pytest.mark.parametrize("name", ALL)
def test_slices_are_views_that_keep_the_memory(name: str) -> None:
    m = made(name)
    part = m[8:24][4:]
    assert type(part) is type(m) and part.nbytes == 12
    assert bytes(part) == bytes(range(12, 24))
    part.memset(1)
    assert bytes(m)[12:24] == b"\1" * 12
    if m.kind != "buffer":
        assert part._pointer == m._pointer + 12
    del m
    gc.collect()
    assert bytes(part) == b"\1" * 12
    for wrong in (3, slice(0, 8, 2)):
        with pytest.raises(TypeError, match=r"only m\[start:stop\] is memory"):
            part[wrong]


@pytest.mark.parametrize("name", HOST)
def test_the_host_sees_host_and_shared_memory(name: str) -> None:  # U18
    m = made(name)
    a = np.frombuffer(m, np.uint8)
    assert peers.layouts.address(a) == m._pointer
    a[3] = 99
    assert bytes(m)[3] == 99
    m.memset(4)
    assert np.all(a == 4)
    del m
    gc.collect()
    assert np.all(a == 4)


def test_the_host_does_not_see_device_memory() -> None:  # U18
    with pytest.raises(BufferError, match="cannot access device memory"):
        memoryview(memory.MemoryUSMDevice(8))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("alignment", [0, 8, 64, 256, 4096])
def test_alignment_is_kept(name: str, alignment: int) -> None:
    m = getattr(memory, name)(24, alignment=alignment)
    assert m.nbytes == 24
    if m.kind != "buffer":
        assert m._pointer % max(alignment, 64) == 0
    m.memset(2)
    assert bytes(m) == b"\2" * 24


@pytest.mark.parametrize("name", ALL)
def test_what_cannot_be_allocated_is_refused(name: str) -> None:
    for nbytes in (0, -1):
        with pytest.raises(ValueError, match="at least 1"):
            getattr(memory, name)(nbytes)
    with pytest.raises(ValueError, match="power of two"):
        getattr(memory, name)(8, alignment=48)
    for nbytes in (2**62, 2**63 - 1):
        with pytest.raises(isthmus.OutOfMemoryError):
            getattr(memory, name)(nbytes)
    with pytest.raises(ValueError, match="a queue of "):
        getattr(memory, name)(8, queue="null:1")


def test_a_queue_says_in_which_context() -> None:
    own = peers.queue_of_own_context()
    m = memory.MemoryUSMShared(16, queue=own)
    assert m.sycl_context == own.sycl_context and m.sycl_queue == own
    assert m.get_usm_type(own) == "shared" and m.get_usm_type(dpctl.SyclQueue()) == "unknown"
    other = memory.MemoryUSMDevice(16)
    with isthmus.Queue(own):
        m.memset(6)
        assert bytes(m) == b"\6" * 16
    other.copy_from_device(m)  # through the host
    assert bytes(other) == b"\6" * 16


def test_another_kind_is_refused_and_copied_on_request() -> None:
    shared = made("MemoryUSMShared")
    with pytest.raises(ValueError, match=r"shared memory of sycl:0; MemoryUSMShared accepts it"):
        memory.MemoryUSMDevice(shared)
    m = memory.MemoryUSMDevice(shared, copy=True)
    assert m.kind == "device" and bytes(m) == bytes(shared) and m._pointer != shared._pointer
    with pytest.raises(TypeError, match="has no kind"):
        memory.Memory(8)
    with pytest.raises(TypeError, match=r"MemoryUSMShared: 1\.5 is not a number of bytes"):
        memory.MemoryUSMShared(1.5)


@pytest.mark.parametrize("name", ALL)
def test_copies_go_both_ways_and_are_bounded(name: str) -> None:
    m = made(name)
    target = bytearray(70)
    assert m.copy_to_host(target) is target
    assert target == bytes(range(64)) + bytes(6)
    m.copy_from_host(b"\xff" * 3)
    assert bytes(m) == b"\xff" * 3 + bytes(range(3, 64))
    m.copy_from_device(dpt.arange(4, dtype="uint8"))
    assert bytes(m)[:4] == bytes(range(4))
    m.copy_from_device(dpt.arange(16, dtype="uint8")[::2])  # dense after a copy
    assert bytes(m)[:8] == bytes(range(0, 16, 2))
    with pytest.raises(ValueError, match="65 bytes into 64"):
        m.copy_from_host(bytes(65))
    with pytest.raises(ValueError, match="72 bytes into 64"):
        m.copy_from_device(dpt.arange(9, dtype="int64"))
    with pytest.raises(ValueError, match="into a buffer of 63"):
        m.copy_to_host(bytearray(63))
    with pytest.raises(ValueError, match="read-only"):
        m.copy_to_host(bytes(64))
    with pytest.raises(OverflowError):
        m.memset(256)


@pytest.mark.parametrize("name", ALL)
def test_pickles_carry_the_bytes(name: str) -> None:
    m = made(name)
    for part in (m, m[3:9], m[4:4]):
        back = pickle.loads(pickle.dumps(part))
        assert type(back) is type(m) and bytes(back) == bytes(part)
        assert back.device == m.device and back.kind == m.kind


# ---- arrays and memory


@pytest.mark.parametrize("name", ALL)
def test_arrays_lie_on_memory(name: str) -> None:
    m = made(name, np.arange(12, dtype="f4").tobytes())
    x = isthmus.from_memory(m, (2, 3), "float32", strides=(-6, 2), offset=6)
    assert x.device == m.device
    assert peers.values_of(x).tolist() == [[6, 8, 10], [0, 2, 4]]
    x[0, 0] = -1
    y = isthmus.asarray(m)
    assert y.dtype == np.uint8 and y.shape == (48,)
    del m
    gc.collect()
    assert np.frombuffer(peers.values_of(y).tobytes(), "f4")[6] == -1
    assert isthmus.from_memory(made(name), (), "int16", offset=31).shape == ()
    assert isthmus.from_memory(made(name), (0, 3), "int64").size == 0
    z = isthmus.from_memory(made(name)[16:], 4, "int32")
    assert peers.values_of(z).tobytes() == bytes(range(16, 32))


@pytest.mark.parametrize("name", ALL)
def test_arrays_stay_within_memory(name: str) -> None:
    m = made(name)
    for shape, more in (
        ((17,), {}),
        ((16,), {"offset": 1}),
        ((2,), {"offset": -1}),
        ((3,), {"strides": (-1,), "offset": 1}),
        ((5,), {"strides": (2**60,)}),
        ((2**62, 4), {}),
        ((2,), {"offset": 2**62}),
        ((-1,), {}),
    ):
        with pytest.raises(isthmus.ExchangeError):
            isthmus.from_memory(m, shape, "float32", **more)
    with pytest.raises(isthmus.ExchangeError, match=r"misaligned|whole number"):
        isthmus.from_memory(m[2:], (2,), "float32")
    with pytest.raises(ValueError, match="strides: 1 for 2 axes"):
        isthmus.from_memory(m, (2, 2), "float32", strides=(1,))
    with pytest.raises(TypeError, match="is not a memory object"):
        isthmus.from_memory(isthmus.ones(3), (2,), "float32")


def test_memory_lies_under_arrays() -> None:
    x = isthmus.arange(24, dtype="float32", device="sycl:0")[4:]
    m = x.memory
    assert type(m) is memory.MemoryUSMDevice
    assert m._pointer == peers.pointer_of(x) - 16 and m.nbytes >= 96
    assert np.array_equal(np.frombuffer(bytes(m[:96]), "f4"), np.arange(24))
    assert type(isthmus.ones(3).memory) is memory.MemoryHost
    assert type(isthmus.ones(3, dtype="float32", device="opencl:0").memory) is memory.MemoryBuffer
    spanned = memory.as_memory(x[::-2])
    assert spanned._pointer == peers.pointer_of(x) + 4 and spanned.nbytes == 19 * 4
    assert memory.MemoryUSMDevice(x[:2]).nbytes == 8


def test_opencl_has_memory_of_each_kind_of_a_device() -> None:
    for device, facts in isthmus.devices(verbose=True)["devices"].items():
        for kind in facts["memory_kinds"] if device.startswith("opencl") else ():
            m = memory.MemoryBuffer(8, queue=device, kind=kind)
            assert m.kind == kind
            m.memset(7)
            assert m.copy_to_host().tobytes() == b"\x07" * 8
            assert isthmus.explain(m).verdict == "zero-copy"
            again = memory.MemoryBuffer(m, copy=True, queue=device)
            for same in (again, pickle.loads(pickle.dumps(m)), copy.copy(m[4:])):
                assert same.kind == kind and same.device == m.device
                assert bytes(same) == bytes(m)[: len(same)] and same._pointer != m._pointer
            is_usm = hasattr(m, "__sycl_usm_array_interface__")
            assert m.get_usm_type() == (kind if is_usm else "unknown")
    with pytest.raises(ValueError, match="'soft' is not a kind"):
        memory.MemoryBuffer(8, kind="soft")


def test_memory_of_the_host_is_no_usm_though_sycl_works_on_it() -> None:
    a = np.zeros(16, np.uint8)
    if not isthmus.Device("sycl:0").info["system_memory"]:
        pytest.skip("the device reaches USM alone")
    m = memory.as_memory(isthmus.asarray(a, device="sycl:0", copy=False))
    assert m._pointer == a.ctypes.data and str(m.device) == "sycl:0"
    assert m.get_usm_type() == m.get_usm_type(dpctl.SyclQueue()) == "unknown"


def test_plain_memory_adopts_what_has_a_buffer() -> None:
    raw = bytearray(b"abcdef")
    m = memory.MemoryHost(raw)
    m.copy_from_host(b"X")
    assert raw == b"Xbcdef" and m.get_usm_type() == "unknown"
    assert not hasattr(m, "__sycl_usm_array_interface__")
    with pytest.raises(ValueError, match="read-only"):
        memory.MemoryHost(b"abc").memset(1)


def test_buffers_of_opencl_are_usm_where_the_driver_has_it() -> None:
    for device in isthmus.devices():
        if device.backend != "opencl":
            continue
        m = memory.MemoryBuffer(32, queue=isthmus.Queue(device))
        m.memset(3)
        assert bytes(m) == b"\3" * 32
        assert m.kind == device.info["memory_kinds"][0]
        assert hasattr(m, "__sycl_usm_array_interface__") == (m.kind != "buffer")


# ---- lifetime

capsule_new = ctypes.pythonapi.PyCapsule_New
capsule_new.restype = ctypes.py_object
capsule_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def test_a_foreign_allocation_is_freed_once_by_its_own_deallocator() -> None:  # U19
    allocation = usm.MemoryUSMShared(256)
    freed: list[int] = []
    destructor = DESTRUCTOR(lambda _: freed.append(1))
    name = ctypes.create_string_buffer(b"allocation")
    owner = capsule_new(allocation._pointer, name, ctypes.cast(destructor, ctypes.c_void_p))
    m = memory.MemoryUSMShared.from_pointer(
        allocation._pointer, 128, allocation.sycl_context, owner
    )
    del owner
    part, x = m[8:16], isthmus.from_memory(m, (4,), "float32")
    y = isthmus.asarray(m) + 1
    del m
    gc.collect()
    assert not freed
    assert bytes(part) == allocation.tobytes()[8:16]
    del part, x
    y.eval()
    gc.collect()
    isthmus.synchronize("sycl:0")
    while isthmus.counters()["reaper_backlog"]:
        pass
    isthmus.counters()
    del y
    gc.collect()
    assert freed == [1]


def test_adopted_bytes_are_checked() -> None:  # U16 U17
    allocation = usm.MemoryUSMShared(64)
    at, context = allocation._pointer, allocation.sycl_context
    from_pointer = memory.MemoryUSMShared.from_pointer
    for address, nbytes, syclobj in (
        (at, 65, context),
        (at - 1, 2, context),
        (0, 8, context),
        (4096, 8, context),
        (at, -1, context),
        (at, 2**63, context),
        (at, 8, peers.queue_of_own_context()),
        (at, 8, None),
        (at, 8, "nonsense"),
    ):
        with pytest.raises(isthmus.ExchangeError):
            from_pointer(address, nbytes, syclobj, allocation)
    with pytest.raises(ValueError, match="MemoryUSMShared accepts it"):
        memory.MemoryUSMHost.from_pointer(at, 8, context, allocation)


def test_memory_goes_back_to_a_pool_with_a_cap() -> None:
    device = "sycl:0"
    memory.trim_pool(device)
    before = memory.pool_statistics(device)
    m = memory.MemoryUSMShared(100_000)
    assert memory.pool_statistics(device)["bytes_in_use"] >= before["bytes_in_use"] + 100_000
    address = m._pointer
    del m
    assert memory.pool_statistics(device)["bytes_idle"] >= 100_000
    again = memory.MemoryUSMShared(100_000)
    assert again._pointer == address
    assert memory.pool_statistics(device)["hits"] == before["hits"] + 1
    memory.set_pool_cap(device, 50_000)
    try:
        del again
        assert memory.pool_statistics(device)["bytes_idle"] == 0
    finally:
        memory.set_pool_cap(device, 0)
    assert memory.trim_pool(device) == 0


def test_memory_is_made_over_what_has_an_index_method_but_elements_too() -> None:
    d = dpt.ones(4, dtype="f4", usm_type="shared")
    m = memory.MemoryUSMShared(d)
    assert m._pointer == d.usm_data._pointer and m.nbytes == 16
    assert memory.MemoryUSMDevice(np.int64(64)).nbytes == 64


def test_dpnp_takes_our_memory() -> None:
    m = memory.MemoryUSMShared(64, queue=dpctl.SyclQueue())
    a = dpt.asarray(m)
    a[0] = 7
    assert bytes(m)[0] == 7


def test_views_with_holes_are_spanned_never_copied() -> None:
    x = isthmus.arange(8, dtype="float32", device="sycl:0").eval()
    m = memory.MemoryUSMDevice(x[::2])
    assert m._pointer == peers.pointer_of(x) and m.nbytes == 7 * 4
    m.memset(0)
    assert peers.values_of(x).tolist() == [0] * 7 + [7]
    dense = memory.MemoryUSMDevice(x[::2], copy=True)
    assert dense.nbytes == 16 and dense._pointer != m._pointer
    with pytest.raises(ValueError, match="copy=True"):
        memory.MemoryUSMDevice(m, alignment=128)


def test_plain_host_memory_is_adopted_by_its_address() -> None:
    raw = ctypes.create_string_buffer(b"abcdefgh", 8)
    m = memory.MemoryHost.from_pointer(ctypes.addressof(raw), 8, owner=raw)
    m.memset(ord("x"))
    assert raw.raw == b"xxxxxxxx"
    with pytest.raises(TypeError, match="from_pyopencl"):
        memory.MemoryBuffer.from_pointer(1, 8)


def test_numpy_is_told_why_it_cannot_see_device_memory() -> None:
    assert np.asarray(memory.MemoryUSMHost(8)).dtype == np.uint8
    with pytest.raises(BufferError, match="copy_to_host"):
        np.asarray(memory.MemoryUSMDevice(8))
    with pytest.raises(MemoryError):
        memory.MemoryUSMShared(2**63)
    with pytest.raises(MemoryError):
        memory.MemoryHost(8, 2**63)


def flags_of_mapping(address: int) -> list[str]:
    """What the kernel knows of the pages at an address: "hg" where huge ones were asked for."""
    inside = False
    for row in Path("/proc/self/smaps").read_text().splitlines():
        if bounds := re.match(r"([0-9a-f]+)-([0-9a-f]+) ", row):
            inside = int(bounds[1], 16) <= address < int(bounds[2], 16)
        elif inside and row.startswith("VmFlags:"):
            return row.split()[1:]
    raise LookupError(hex(address))


@pytest.mark.skipif(
    not Path("/sys/kernel/mm/transparent_hugepage").exists(), reason="the kernel has no huge pages"
)
@pytest.mark.parametrize("device", sorted({"cpu", *map(str, isthmus.devices())}))
def test_large_blocks_ask_for_huge_pages(device: str) -> None:
    x = isthmus.zeros(1 << 23, dtype="float32", device=device).eval()
    if not hasattr(x, "__array_interface__"):
        pytest.skip(f"the host does not see memory of {device}")
    a = np.asarray(x)
    assert "hg" in flags_of_mapping(a.__array_interface__["data"][0] + a.nbytes // 2)
