"""DLPack for memory of devices: kDLOneAPI with dpnp, kDLOpenCL, and all of it as kDLCPU."""

from __future__ import annotations

import ctypes
import gc
import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

# what the tests ask for on purpose, the annotations forbid
isthmus: Any = importlib.import_module("isthmus")
isthmus.devices()  # finds the drivers for the others
dpnp: Any = pytest.importorskip("dpnp", reason="the peer on kDLOneAPI is dpnp")
dpctl: Any = importlib.import_module("dpctl")

sys.path.insert(0, str(Path(__file__).parent))
peers = importlib.import_module("sycl_peers")
layouts = peers.layouts
malformed = importlib.import_module("malformed")

pytestmark = pytest.mark.usefixtures("sycl", "opencl")

VERSION = (1, 3)
ONEAPI, OPENCL = 14, 4


def ours_on(device: str, name: str) -> Any:
    """One of the layouts, on a device."""
    if name == "column_major":
        line = isthmus.reshape(isthmus.arange(24, dtype="float32", device=device), (4, 3, 2))
        return isthmus.permute_dims(line.eval(), (2, 1, 0))
    if name == "zero_stride":
        return isthmus.broadcast_to(isthmus.arange(3, dtype="float32", device=device), (4, 3))
    line = isthmus.reshape(isthmus.arange(24, dtype="float32", device=device), (2, 3, 4))
    return layouts.VIEWS[name](line.eval())


def theirs(name: str, kind: str) -> Any:
    if name == "column_major":
        return dpnp.asarray(np.arange(24, dtype="f4").reshape(4, 3, 2), usm_type=kind).transpose()
    if name == "zero_stride":
        return dpnp.broadcast_to(dpnp.asarray(np.arange(3, dtype="f4"), usm_type=kind), (4, 3))
    line = dpnp.asarray(np.arange(24, dtype="f4").reshape(2, 3, 4), usm_type=kind)
    return layouts.VIEWS[name](line)


def pointer_of(capsule: object, legacy: bool = False) -> int:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    found: int = get(capsule, b"dltensor" if legacy else b"dltensor_versioned")
    return found


def tensor_of(x: Any, **how: Any) -> tuple[Any, Any]:
    """A capsule and its tensor, which lives as long."""
    capsule = x.__dlpack__(max_version=VERSION, **how)
    return capsule, malformed.Versioned.from_address(pointer_of(capsule))


class Wrapped:
    """An array whose capsule is asked, and no other protocol."""

    def __init__(self, array: Any) -> None:
        self.__dlpack__ = array.__dlpack__
        self.__dlpack_device__ = array.__dlpack_device__


# ---- what we say of ourselves


def test_L2_usm_of_sycl_has_the_number_by_which_dpnp_knows_the_device() -> None:
    x = isthmus.arange(3, device="sycl:0")
    theirs = dpnp.asarray(np.arange(3)).__dlpack_device__()
    assert x.__dlpack_device__() == (ONEAPI, int(theirs[1]))
    assert x.eval().__dlpack_device__() == x.__dlpack_device__()


def test_L2_opencls_usm_is_the_hosts_and_its_buffers_are_opencls() -> None:
    for device in (d for d in isthmus.devices() if d.backend == "opencl"):
        x = isthmus.arange(3, device=device)
        is_buffer = device.info["memory_kinds"][0] == "buffer"
        assert x.__dlpack_device__() == ((OPENCL, device.index) if is_buffer else (1, 0))
        assert x.eval().__dlpack_device__() == ((OPENCL, device.index) if is_buffer else (1, 0))


def test_L2_host_memory_that_a_sycl_array_shares_is_no_usm() -> None:
    if not isthmus.Device("sycl:0").info["system_memory"]:
        pytest.skip("sycl:0 cannot reach the host's memory")
    a = np.arange(4.0)
    x = isthmus.asarray(a, device="sycl:0", copy=False)
    assert x.__dlpack_device__() == (1, 0)
    assert layouts.address(np.from_dlpack(x)) == layouts.address(a)


# ---- dpnp, both ways


@pytest.mark.parametrize("kind", peers.KINDS)
@pytest.mark.parametrize("name", layouts.NAMES)
def test_L14_us_to_dpnp_shares_address_writes_and_lifetime(name: str, kind: str) -> None:
    x = peers.our_layouts(kind)[name]
    if not x.size:
        # dpnp 0.20 stumbles over the null pointer
        with pytest.raises(TypeError, match="__cinit__"):
            dpnp.from_dlpack(x)
        return
    values = np.asarray(x).copy()
    d = dpnp.from_dlpack(x)
    assert d.shape == x.shape
    assert np.array_equal(dpnp.asnumpy(d), values)
    assert peers.pointer_of(d) == layouts.address(np.asarray(x))
    assert d.usm_type == kind
    assert d.flags.writable != x.is_read_only
    if not x.is_read_only:
        x[...] = 6
        assert np.all(dpnp.asnumpy(d) == 6)
        d[...] = 5
        assert np.all(np.asarray(x) == 5)
        values[...] = 5
    del x
    peers.write_to_free_blocks(kind)
    assert np.array_equal(dpnp.asnumpy(d), values)


@pytest.mark.parametrize("kind", peers.KINDS)
@pytest.mark.parametrize("name", layouts.NAMES)
def test_L14_dpnp_to_us_shares_address_and_writes(name: str, kind: str) -> None:
    d = theirs(name, kind)
    values = dpnp.asnumpy(d)
    x = isthmus.from_dlpack(d)
    assert x.device == isthmus.Device("sycl:0")
    assert x.shape == d.shape
    assert np.array_equal(np.asarray(x), values)
    if not x.size:
        return
    assert layouts.address(np.asarray(x)) == peers.pointer_of(d)
    if name == "zero_stride":
        return
    d[...] = 5
    assert np.all(np.asarray(x + 1) == 6)
    x[...] = 7
    assert np.all(dpnp.asnumpy(d) == 7)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "complex64", "complex128"])
def test_L16_dtypes_go_both_ways(dtype: str) -> None:
    d = dpnp.asarray(np.arange(4).astype(dtype))
    x = isthmus.from_dlpack(d)
    assert x.dtype == d.dtype
    back = dpnp.from_dlpack(x.copy().eval())
    assert back.dtype == d.dtype
    assert np.array_equal(dpnp.asnumpy(back), dpnp.asnumpy(d))


def test_L13_arrays_without_axes_are_writable_though_dpnps_flag_says_no() -> None:
    d = dpnp.asarray(3.0)
    capsule, managed = tensor_of(d)
    # if this fails, dpnp says what the page says: the flag can be believed
    assert managed.flags == 1 and d.flags.writable
    del capsule
    x = isthmus.from_dlpack(d)
    assert not x.is_read_only
    x[...] = 4
    assert float(d) == 4


def test_L14_dpnps_slices_have_the_byte_offset_that_some_consumers_forget() -> None:
    d = dpnp.asarray(np.arange(6.0))
    capsule, managed = tensor_of(d[2:])
    assert managed.tensor.byte_offset == 16  # if not, dpnp advances the pointer
    assert managed.tensor.data == peers.pointer_of(d)
    del capsule
    x = isthmus.from_dlpack(d[2:])
    assert layouts.address(np.asarray(x)) == peers.pointer_of(d) + 16
    assert np.asarray(x).tolist() == [2, 3, 4, 5]


def test_L13_read_only_arrays_of_dpnp_stay_so() -> None:
    d = dpnp.asarray(np.arange(3.0))
    d.flags.writable = False
    x = isthmus.from_dlpack(d)
    assert x.is_read_only
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1


def test_L12_copies_of_dpnp_arrays_are_their_own_memory() -> None:
    d = dpnp.asarray(np.arange(3.0))
    x = isthmus.from_dlpack(d, copy=True)
    d[0] = 9
    assert float(x[0]) == 0
    assert x.device == isthmus.Device("sycl:0")

    class Old:  # what ignores copy=True, as dpnp does without max_version
        def __dlpack_device__(self) -> object:
            return d.__dlpack_device__()

        def __dlpack__(self) -> object:
            return d.__dlpack__()

    y = isthmus.from_dlpack(Old(), copy=True)
    d[1] = 9
    assert float(y[1]) == 1


def test_L12_a_copy_stays_on_its_device_and_is_flagged() -> None:
    x = isthmus.arange(3, dtype="float32", device="sycl:0").eval()
    capsule, managed = tensor_of(x, copy=True)
    assert managed.flags == 2
    assert managed.tensor.device_type == ONEAPI
    assert managed.tensor.data != layouts.address(np.asarray(x))
    del capsule


@pytest.mark.parametrize("legacy", [False, True])
def test_L14_capsules_have_the_pointer_of_the_first_element(legacy: bool) -> None:
    x = isthmus.arange(12, dtype="float32", device="sycl:0").eval()[4::2]
    capsule = x.__dlpack__() if legacy else x.__dlpack__(max_version=VERSION)
    kind = malformed.Managed if legacy else malformed.Versioned
    tensor = kind.from_address(pointer_of(capsule, legacy)).tensor
    assert (tensor.device_type, tensor.device_id) == x.__dlpack_device__()
    assert tensor.data == layouts.address(np.asarray(x))
    assert tensor.byte_offset == 0
    assert (tensor.ndim, tensor.shape[0], tensor.strides[0]) == (1, 4, 2)
    assert np.array_equal(np.asarray(isthmus.from_dlpack(Wrapped(x))), [4, 6, 8, 10])


def test_dpnp_takes_the_data_pointer_for_the_lowest_address() -> None:
    x = isthmus.arange(4, dtype="float32", device="sycl:0").eval()[::-1]
    capsule, managed = tensor_of(x)
    assert managed.tensor.byte_offset == 12
    assert managed.tensor.data + 12 == layouts.address(np.asarray(x))
    del capsule
    assert dpnp.asnumpy(dpnp.from_dlpack(x)).tolist() == [3, 2, 1, 0]


def test_without_elements_the_pointer_is_null_both_ways() -> None:
    x = isthmus.zeros((0, 3), device="sycl:0")
    capsule, managed = tensor_of(x)
    assert managed.tensor.data is None
    del capsule
    d = dpnp.zeros((3, 0), dtype="f4")
    y = isthmus.from_dlpack(d)
    assert y.shape == (3, 0)
    assert y.device == isthmus.Device("sycl:0")


@pytest.mark.parametrize("dies_first", ["producer", "consumer"])
def test_lifetimes(dies_first: str) -> None:
    x = isthmus.arange(6, dtype="float32", device="sycl:0").eval()
    d = dpnp.from_dlpack(x)
    if dies_first == "producer":
        del x
        gc.collect()
        other = isthmus.full((6,), 9.0, dtype="float32", device="sycl:0").eval()
        assert float(d.sum()) == 15
        assert float(isthmus.sum(other)) == 54
    else:
        assert "exports" in isthmus.explain(x).reason
        del d
        assert "private" in isthmus.explain(x).reason
    e = dpnp.asarray(np.arange(6.0))
    y = isthmus.from_dlpack(e)
    del e
    gc.collect()
    assert float(isthmus.sum(y)) == 15


# ---- the host, without a copy


@pytest.mark.parametrize("name", layouts.NAMES)
@pytest.mark.parametrize("device", ["sycl:0", "opencl:0", "opencl:1"])
def test_L10_numpy_shares_what_the_host_reaches(device: str, name: str) -> None:
    if isthmus.Device(device) not in isthmus.devices():
        pytest.skip(f"there is no {device}")
    x = ours_on(device, name)
    a = np.from_dlpack(x, device="cpu", copy=False)
    assert a.shape == x.shape
    assert np.array_equal(a, np.asarray(x))
    if a.size and a.flags.writeable:
        a[...] = 5
        assert float(isthmus.sum(x)) == 5 * x.size
        x[...] = 6
        assert np.all(a == 6)


@pytest.mark.parametrize("kind", peers.KINDS)
def test_L10_numpy_shares_dpnps_memory_through_us_where_dpnp_would_copy(kind: str) -> None:
    d = dpnp.asarray(np.arange(6.0), usm_type=kind)
    with pytest.raises(BufferError):
        np.from_dlpack(d, device="cpu", copy=False)
    a = np.from_dlpack(isthmus.from_dlpack(d), device="cpu", copy=False)
    assert layouts.address(a) == peers.pointer_of(d)
    a[0] = 7
    assert float(d[0]) == 7


def test_L9_the_host_takes_no_stream() -> None:
    x = isthmus.zeros(3, device="sycl:0")
    for stream in (-1, isthmus.Queue("sycl:0")):
        with pytest.raises(ValueError, match="stream"):
            x.__dlpack__(max_version=VERSION, dl_device=(1, 0), stream=stream)


def test_L9_numpy_that_asks_for_no_device_gets_the_arrays_own_and_refuses_it() -> None:
    x = isthmus.zeros(3, device="sycl:0").eval()
    with pytest.raises(RuntimeError, match="device"):
        np.from_dlpack(x)
    assert "private" in isthmus.explain(x).reason


# ---- crossing


@pytest.mark.parametrize("device", ["cpu", "opencl:0", "sycl:0"])
def test_L3_from_dlpack_shares_with_every_device_that_reaches_it(device: str) -> None:
    d = dpnp.asarray(np.arange(6.0))
    told = isthmus.explain(d, device)
    assert told.verdict == "zero-copy"
    x = isthmus.from_dlpack(d, device=device, copy=False)
    assert x.device == isthmus.Device(device)
    d[0] = 8
    assert float(isthmus.sum(x)) == 23
    assert layouts.address(np.asarray(x)) == peers.pointer_of(d)


def test_L11_an_opencl_array_goes_out_as_sycls_where_both_are_one_context() -> None:
    x = isthmus.arange(4, dtype="float32", device="opencl:0").eval()
    oneapi = isthmus.zeros(1, device="sycl:0").__dlpack_device__()
    capsule, managed = tensor_of(x, dl_device=oneapi)
    assert (managed.tensor.device_type, managed.tensor.device_id) == oneapi
    del capsule

    class AsSycl:
        def __dlpack_device__(self) -> object:
            return oneapi

        def __dlpack__(self, **how: Any) -> object:
            return x.__dlpack__(**{**how, "dl_device": oneapi})

    d = dpnp.from_dlpack(AsSycl())
    d[0] = 9
    assert float(x[0]) == 9


@pytest.mark.parametrize("device", [(2, 0), (14, 99), (4, 0), (4, 1)])
def test_L11_devices_that_do_not_reach_it_are_buffer_errors(device: tuple[int, int]) -> None:
    x = isthmus.zeros(3, device="sycl:0")
    with pytest.raises(BufferError, match="dl_device"):
        x.__dlpack__(max_version=VERSION, dl_device=device)


def test_explain_says_beforehand_what_system_memory_makes_of_numpy_arrays() -> None:
    a = np.arange(4.0)
    for device in isthmus.devices():
        told = isthmus.explain(a, device).verdict
        if told == "zero-copy":
            x = isthmus.asarray(a, device=device, copy=False)
            a[0] += 1
            assert float(x[0]) == a[0]
        else:
            with pytest.raises(isthmus.CopyRefusedError):
                isthmus.asarray(a, device=device, copy=False)
    pending = isthmus.arange(3, dtype="float32", device="sycl:0") + 1
    assert isthmus.explain(pending, "opencl:0").verdict == "zero-copy"
    assert pending.is_pending or isthmus.config.eager


# ---- contexts


def test_memory_of_a_users_context_is_refused_and_named() -> None:
    q = dpctl.SyclQueue(dpctl.SyclContext([dpctl.SyclDevice()]), dpctl.SyclDevice())
    with isthmus.Queue(q):
        x = isthmus.arange(4, dtype="float32", device="sycl:0").eval()
    with pytest.raises(
        BufferError, match=r"a user's context 0x\w+ of sycl:0.*default context of sycl:0"
    ):
        x.__dlpack__(max_version=VERSION)
    a = np.from_dlpack(x, device="cpu", copy=False)
    assert a.tolist() == [0, 1, 2, 3]


def test_a_pointer_that_the_default_context_does_not_know_is_refused() -> None:
    producer = oneapi_producer()
    producer.tensor.data = ctypes.addressof(producer.memory)  # the host's
    with pytest.raises(isthmus.ExchangeError, match=r"data:.*default context of sycl:0"):
        isthmus.from_dlpack(producer)
    assert producer.deleted == 1


# ---- tensors by hand


def oneapi_producer(legacy: bool = False) -> Any:
    """The twelve numbers of malformed.Producer in USM, shape (3, 4)."""
    producer = malformed.Producer(legacy)
    producer.usm = dpnp.asarray(np.arange(12.0), usm_type="shared")
    producer.tensor.data = peers.pointer_of(producer.usm)
    producer.tensor.device_type = ONEAPI
    producer.tensor.device_id = int(producer.usm.__dlpack_device__()[1])
    return producer


@pytest.mark.parametrize("legacy", [False, True])
def test_byte_offset_and_null_strides_are_honoured(legacy: bool) -> None:
    producer = oneapi_producer(legacy)
    producer.tensor.byte_offset = 8
    producer.tensor.strides = None
    producer.shape[0] = 2
    x = isthmus.from_dlpack(producer)
    assert np.asarray(x).tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
    del x
    assert producer.deleted == 1


def test_the_pointers_device_wins_over_the_number() -> None:
    producer = oneapi_producer()
    producer.tensor.device_id = 77  # as PyTorch's may be where OpenCL's devices come first
    x = isthmus.from_dlpack(producer)
    assert x.device == isthmus.Device("sycl:0")


BAD: dict[str, tuple[str, Any]] = {
    "past_the_allocation": ("data", lambda p: p.shape.__setitem__(0, 4000)),
    "below_the_allocation": ("data", lambda p: p.strides.__setitem__(0, -4)),
    "misaligned": ("data", lambda p: setattr(p.tensor, "byte_offset", 3)),
    "null": ("data", lambda p: setattr(p.tensor, "data", None)),
    "no_such_number": ("device", lambda p: p.tensor.__init__(device_id=77)),
    "overflowing_offset": ("byte_offset", lambda p: setattr(p.tensor, "byte_offset", 2**64 - 8)),
    "dtype": ("dtype", lambda p: setattr(p.tensor, "code", 3)),
}


@pytest.mark.parametrize("legacy", [False, True], ids=["versioned", "legacy"])
@pytest.mark.parametrize("name", BAD)
def test_malformed_tensors_are_refused_by_field_and_deleted_once(name: str, legacy: bool) -> None:
    field, spoil = BAD[name]
    producer = oneapi_producer(legacy)
    if name == "no_such_number":  # only where no pointer can tell
        producer.tensor.data = None
        producer.tensor.device_id = 77
        producer.shape[0] = 0
    else:
        spoil(producer)
    with pytest.raises(isthmus.ExchangeError, match=f"{field}:"):
        isthmus.from_dlpack(producer)
    assert producer.deleted == 1
