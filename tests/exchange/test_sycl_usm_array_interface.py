"""__sycl_usm_array_interface__ both ways with dpctl and dpnp; U numbers are rows of its rules."""

from __future__ import annotations

import gc
import importlib
import sys
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
peers = importlib.import_module("sycl_peers")
isthmus, dpctl, usm, dpt = peers.isthmus, peers.dpctl, peers.usm, peers.dpt
layouts = peers.layouts

pytestmark = pytest.mark.usefixtures("sycl")


@pytest.fixture(params=["0", "1"], ids=["launched", "inline"], autouse=True)
def inline(request: pytest.FixtureRequest) -> Iterator[str]:
    isthmus.config.inline = request.param
    yield request.param


# ---- theirs to us


@pytest.mark.parametrize("kind", peers.KINDS)
@pytest.mark.parametrize("name", layouts.NAMES)
def test_theirs_to_us(name: str, kind: str) -> None:  # U1 U2 U3 U5 U6 U7 U12 U16 U20
    a = peers.their_layouts(kind)[name]
    assert isthmus.explain(a).protocol == "sycl_usm_array_interface"
    x = isthmus.asarray(a)
    assert x.device == isthmus.Device("sycl:0")
    assert x.shape == a.shape and x.dtype == a.dtype
    assert x.is_read_only == (not a.flags.writable)
    assert np.array_equal(peers.values_of(x), dpt.asnumpy(a))
    if not a.size:
        return
    assert peers.pointer_of(x) == peers.pointer_of(a)
    if a.flags.writable:
        x[...] = 33
        assert np.all(dpt.asnumpy(a) == 33)
    if a.flags.writable and name != "zero_stride":  # which dpnp itself does not write to
        a[...] = 44
        assert np.all(peers.values_of(x) == 44)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float64", "complex64"])
def test_dtypes_come_whatever_their_byte_order_says(dtype: str) -> None:  # U3
    a = dpt.ones(5, dtype=dtype)
    typestr = a.__sycl_usm_array_interface__["typestr"]
    assert typestr[0] == "|"  # which NumPy has for single bytes only
    for order in "|=<":
        assert isthmus.asarray(peers.Shows(a, typestr=order + typestr[1:])).dtype == np.dtype(dtype)


def test_typedescr_is_not_needed_and_not_minded() -> None:  # U4
    a = dpt.arange(6, dtype="float32")
    x = isthmus.asarray(peers.Shows(a, typedescr=[("", "<f4")]))
    assert peers.pointer_of(x) == peers.pointer_of(a)
    assert "typedescr" not in x.__sycl_usm_array_interface__


def test_the_flag_true_means_read_only() -> None:  # U5
    a = dpt.arange(6, dtype="float32")
    address = a.__sycl_usm_array_interface__["data"][0]
    assert not isthmus.asarray(peers.Shows(a)).is_read_only
    x = isthmus.asarray(peers.Shows(a, data=(address, True)))
    assert x.is_read_only
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    a.flags.writable = False
    assert isthmus.asarray(a).is_read_only


class Half(usm.MemoryUSMShared):  # type: ignore[misc,name-defined]
    """Memory of dpctl's that shows its first half only."""

    @property
    def __sycl_usm_array_interface__(self) -> Any:
        shown = super().__sycl_usm_array_interface__
        return {**shown, "shape": (shown["shape"][0] // 2,)}


@pytest.mark.parametrize("kind", peers.KINDS)
def test_memory_of_dpctl_is_what_its_interface_says(kind: str) -> None:  # U16
    queue = dpctl.SyclQueue(property="in_order")
    m = getattr(usm, f"MemoryUSM{kind.title()}")(24, queue=queue)
    x, y = isthmus.asarray(m), isthmus.asarray(peers.Shows(m, data=(m._pointer, False)))
    assert peers.pointer_of(x) == peers.pointer_of(y) == m._pointer
    assert x.shape == y.shape == (24,) and x.dtype == y.dtype == np.uint8
    assert x.memory.kind == y.memory.kind == kind
    assert not x.is_read_only
    y[...] = 7
    assert np.all(peers.values_of(x) == 7)
    references = sys.getrefcount(m)
    del x, y
    gc.collect()
    assert sys.getrefcount(m) == references - 2  # the second is that of `Shows`


def test_a_class_derived_from_memory_of_dpctl_speaks_for_itself() -> None:
    m = Half(24)
    assert isthmus.asarray(m).shape == (12,)


@pytest.mark.parametrize("kind", ["MemoryUSMDevice", "MemoryUSMShared", "MemoryUSMHost"])
def test_memory_of_dpctl_is_writable_though_its_flag_is_inverted(kind: str) -> None:  # U1 U5
    m = getattr(usm, kind)(16)
    # if this fails, dpctl says what the page says: is_dpctl_memory can go
    assert m.__sycl_usm_array_interface__["data"] == (m._pointer, True)
    assert dpt.asarray(m).flags.writable is False  # dpctl's own reading of its own flag
    x = isthmus.asarray(m)
    assert x.shape == (16,) and x.dtype == np.dtype("uint8") and not x.is_read_only
    x[...] = 7
    isthmus.synchronize("sycl:0")
    assert m.tobytes() == b"\7" * 16


def test_strides_and_offset_count_elements() -> None:  # U6 U7
    a = dpt.arange(24, dtype="float64")
    x = isthmus.asarray(peers.Shows(a, shape=(3, 2), strides=(-8, 3), offset=20))
    assert peers.values_of(x).tolist() == [[20, 23], [12, 15], [4, 7]]
    assert isthmus.asarray(peers.Shows(a, shape=(2,), strides=None)).shape == (2,)
    assert (
        float(isthmus.asarray(peers.Shows(a, shape=(), strides=(), offset=5)).to_device("cpu")) == 5
    )
    inner = a.__sycl_usm_array_interface__["data"][0] + 8 * 20
    y = isthmus.asarray(peers.Shows(a, shape=(2,), data=(inner, False), offset=-20))
    assert peers.values_of(y).tolist() == [0, 1]


SPELLINGS: dict[str, Callable[[Any], Any]] = {
    "selector": lambda q: "opencl:cpu",  # U9
    "context": lambda q: q.sycl_context,  # U10
    "context_capsule": lambda q: q.sycl_context._get_capsule(),  # U11
    "queue": lambda q: q,  # U12
    "subclass": lambda q: peers.OwnQueue(q.sycl_context, q.sycl_device),
    "queue_capsule": lambda q: q._get_capsule(),  # U13
    "gives_queue": lambda q: peers.Gives(q),  # U14
    "gives_context": lambda q: peers.Gives(q.sycl_context),
    "address": lambda q: q.addressof_ref(),
    "ours": lambda q: isthmus.Queue(q),
    "our_context": lambda q: isthmus.Queue(q).context,
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_syclobj_in_every_spelling(name: str) -> None:  # U9 U10 U11 U12 U13 U14
    a = dpt.arange(6, dtype="float32")
    syclobj = SPELLINGS[name](a.sycl_queue)
    for _ in range(2):  # capsules are not used up
        x = isthmus.asarray(peers.Shows(a, syclobj=syclobj))
        assert peers.pointer_of(x) == peers.pointer_of(a)
        x += 1
    assert dpt.asnumpy(a).tolist() == [2, 3, 4, 5, 6, 7]


def test_capsules_of_dpctl_are_used_up_by_dpctl_alone() -> None:  # U11 U13
    a = dpt.arange(6, dtype="float32")
    shown = peers.Shows(a, syclobj=a.sycl_context._get_capsule())
    isthmus.asarray(shown)
    assert dpt.asarray(shown)[1] == 1
    with pytest.raises(ValueError, match="not bound to"):  # if not, dpctl mended it
        dpt.asarray(shown)
    with pytest.raises(isthmus.ExchangeError, match=r"syclobj: .*has been used"):
        isthmus.asarray(shown)


class Buffered:
    """Memory behind the buffer protocol, with a dictionary that has no address."""

    def __init__(self, memory: Any, **fields: object) -> None:
        self.memory = memory
        base = {"version": 1, "typestr": "<f4", "shape": (4,), "syclobj": dpctl.SyclQueue()}
        self.__sycl_usm_array_interface__ = {**base, **fields}


class BufferedBytes(Buffered, bytearray):
    def __init__(self, memory: Any, **fields: object) -> None:
        bytearray.__init__(self, memory)
        Buffered.__init__(self, None, **fields)


@pytest.mark.parametrize("kind", ["MemoryUSMShared", "MemoryUSMHost"])
def test_without_data_the_buffer_of_usm_is_used(kind: str) -> None:  # U15
    class Memory(getattr(usm, kind)):  # type: ignore[misc]
        @property
        def __sycl_usm_array_interface__(self) -> dict[str, object]:
            fields = {"version": 1, "typestr": "<f4", "shape": (4,), "offset": 2}
            return fields | {"syclobj": dpctl.SyclQueue()}

    m = Memory(24)
    x = isthmus.asarray(m)
    assert x.device == isthmus.Device("sycl:0")
    assert peers.pointer_of(x) == m._pointer + 8
    x[...] = 5
    isthmus.synchronize("sycl:0")
    assert np.frombuffer(m, "f4")[2:].tolist() == [5, 5, 5, 5]


def test_without_data_the_buffer_of_host_memory_is_used() -> None:  # U15
    raw = BufferedBytes(np.arange(6, dtype="f4").tobytes(), offset=1)
    x = isthmus.asarray(raw)
    assert peers.values_of(x).tolist() == [1, 2, 3, 4]
    assert not hasattr(x, "__sycl_usm_array_interface__")  # it is no USM
    x[0] = -1
    isthmus.synchronize(x.device)
    assert np.frombuffer(raw, "f4")[1] == -1
    for offset, field in ((3, "shape"), (-1, "offset"), (7, "offset"), (2**62, "offset")):
        refused = isthmus.explain(BufferedBytes(bytes(24), offset=offset))
        assert refused.verdict == "impossible" and f": {field}: " in refused.reason
        with pytest.raises(isthmus.ExchangeError, match=f": {field}: "):  # not by its buffer
            isthmus.asarray(BufferedBytes(bytes(24), offset=offset))
    with pytest.raises(isthmus.ExchangeError, match=r"data: .*no buffer"):
        isthmus.asarray(Buffered(None))


# ---- ours to them


@pytest.mark.parametrize("kind", peers.KINDS)
@pytest.mark.parametrize("name", layouts.NAMES)
def test_ours_to_them(name: str, kind: str) -> None:  # U1 U2 U3 U5 U6 U7 U8 U14 U16 U19 U20
    x = peers.our_layouts(kind)[name]
    shown = x.__sycl_usm_array_interface__
    assert shown["version"] == 1 and shown["typestr"] == "<f4" and shown["offset"] == 0
    assert shown["shape"] == x.shape and len(shown["strides"]) == x.ndim
    assert shown["data"][1] == x.is_read_only
    if any(s < 0 for s in x.strides):
        with pytest.raises(ValueError, match="can not accommodate"):  # if not, dpctl mended it
            dpt.asarray(x)
        return
    d = dpt.asarray(x)
    assert d.shape == x.shape
    values = peers.values_of(x).copy()
    assert np.array_equal(dpt.asnumpy(d), values)
    if not x.size:
        return
    assert d.usm_type == kind
    assert d.flags.writable == (not x.is_read_only)
    assert peers.pointer_of(d) == peers.pointer_of(x)
    if not x.is_read_only:
        d[...] = 33
        d.sycl_queue.wait()
        assert np.all(peers.values_of(x) == 33)
        x[...] = values = np.full(x.shape, 44, "f4")
        isthmus.synchronize("sycl:0")
    del x
    peers.write_to_free_blocks(kind)
    assert np.array_equal(dpt.asnumpy(d), values)


@pytest.mark.parametrize("kind", peers.KINDS)
@pytest.mark.parametrize("name", layouts.NAMES)
def test_layouts_come_back_as_they_were(name: str, kind: str) -> None:
    x = peers.our_layouts(kind)[name]
    y = isthmus.asarray(peers.Shows(x))
    assert y.shape == x.shape and np.array_equal(peers.values_of(y), peers.values_of(x))
    assert y.is_read_only == x.is_read_only
    if x.size:
        assert peers.pointer_of(y) == peers.pointer_of(x)


def test_memory_objects_of_dpctl_are_made_of_ours() -> None:  # U16 U17
    x = isthmus.arange(6, dtype="float32", device="sycl:0").eval()
    m = usm.as_usm_memory(x[2:5])
    assert m._pointer == peers.pointer_of(x) + 8 and m.nbytes == 12
    assert m.get_usm_type() == "device"
    assert m.tobytes() == np.array([2, 3, 4], "f4").tobytes()


def test_what_two_consumers_make_of_ours_can_be_mixed() -> None:
    x = isthmus.arange(6, dtype="float32", device="sycl:0").eval()
    total = dpt.asarray(x) + dpt.asarray(x[::1])
    assert dpt.asnumpy(total).tolist() == [0, 2, 4, 6, 8, 10]


def test_what_came_from_a_queue_goes_back_with_it() -> None:
    a = dpt.arange(6, dtype="float32")
    d = dpt.asarray(isthmus.asarray(a))
    assert d.sycl_queue == a.sycl_queue
    assert dpt.asnumpy(a + d).tolist() == [0, 2, 4, 6, 8, 10]


def test_arrays_of_opencl_in_the_same_context_show_themselves_too() -> None:
    x = isthmus.arange(6, dtype="float32", device="opencl:0").eval()
    d = dpt.asarray(x)
    assert peers.pointer_of(d) == peers.pointer_of(x)
    d += 1
    d.sycl_queue.wait()
    assert peers.values_of(x).tolist() == [1, 2, 3, 4, 5, 6]


def test_a_probe_evaluates_nothing() -> None:
    x = isthmus.arange(6, dtype="float32", device="sycl:0") + 1
    pending = x.is_pending
    here = isthmus.arange(6) + 1
    for hidden, reason in (
        (here, "cpu is not USM"),
        (isthmus.zeros(3, dtype="bfloat16", device="sycl:0"), "cannot represent bfloat16"),
    ):
        was = hidden.is_pending
        assert not hasattr(hidden, "__sycl_usm_array_interface__")
        assert hidden.is_pending == was
        with pytest.raises(AttributeError, match=reason):
            hidden.__sycl_usm_array_interface__  # noqa: B018
        assert reason in isthmus.explain(hidden).exports["sycl_usm_array_interface"]
    assert isthmus.explain(x).exports["sycl_usm_array_interface"] == "zero-copy"
    assert x.is_pending == pending
    assert hasattr(x, "__sycl_usm_array_interface__") and not x.is_pending


def test_pending_readers_are_evaluated_before_others_may_write() -> None:
    x = isthmus.ones(4, dtype="float32", device="sycl:0").eval()
    y = x + 1
    d = dpt.asarray(x)
    d[...] = 50
    d.sycl_queue.wait()
    assert peers.values_of(y).tolist() == [2, 2, 2, 2]
    z = x + 1
    d[...] = 60
    assert peers.values_of(z).tolist() == [51] * 4


# ---- order with work of others


def long_work(a: Any, n: int = 60) -> None:
    """Enqueues on a's queue what takes a while and ends with a == n; waits for none of it."""
    a[...] = 0
    for _ in range(n):
        dpt.add(a, 1, out=a)


def test_we_wait_for_what_is_on_the_queue_of_the_owner() -> None:
    a = dpt.zeros(1_000_000, dtype="float32")
    assert not a.sycl_queue.is_in_order
    for _ in range(5):
        long_work(a)
        x = isthmus.asarray(a)  # at the time of exchange
        assert np.all(peers.values_of(x + 1) == 61)
        long_work(a)
        assert np.all(np.asarray(x) == 60)  # and later
        long_work(a)
        x += 1
        assert np.all(dpt.asnumpy(a) == 61)


def test_operations_of_the_host_wait_for_the_queue_of_the_owner() -> None:
    a = dpt.zeros(1_000, dtype="float32", usm_type="shared")
    x = isthmus.asarray(a, device="cpu", copy=False)
    for _ in range(20):
        long_work(a)
        assert np.all(np.asarray(x + 1) == 61)
        long_work(a)
        x += 1
        assert np.all(dpt.asnumpy(a) == 61)


def test_what_the_owner_does_next_waits_for_us() -> None:
    a = dpt.zeros(1_000_000, dtype="float32")
    x = isthmus.asarray(a)
    for i in range(10):
        x[...] = 0
        for _ in range(20):
            x += 1
        dpt.add(a, i, out=a)  # without waiting
        assert np.all(peers.values_of(x) == 20 + i)
        y = x + 1  # reads it before the owner's next write
        a[...] = -1
        assert np.all(peers.values_of(y) == 21 + i)


def test_an_export_waits_for_the_owner_of_the_memory() -> None:
    a = dpt.zeros(1_000_000, dtype="float32")
    x = isthmus.asarray(a)
    long_work(a)
    m = usm.as_usm_memory(x)  # of another queue, perhaps
    assert np.all(np.frombuffer(m.copy_to_host().tobytes(), "f4") == 60)


# ---- lifetime


def test_the_producer_lives_as_long_as_our_arrays() -> None:  # U19
    shows = peers.Shows(dpt.arange(6, dtype="float32"))
    gone = weakref.ref(shows)
    x = isthmus.asarray(shows)[2:]
    del shows
    gc.collect()
    assert gone() is not None
    assert peers.values_of(x).tolist() == [2, 3, 4, 5]
    del x
    gc.collect()
    assert gone() is None


def test_our_memory_lives_as_long_as_their_arrays() -> None:  # U19
    memories = isthmus.counters()["memories"]
    x = isthmus.arange(1000, dtype="float32", device="sycl:0").eval()
    d = dpt.asarray(x)
    del x
    gc.collect()
    for _ in range(20):  # who would get the block, if it had been given back
        isthmus.full((1000,), -1, dtype="float32", device="sycl:0").eval()
    assert np.array_equal(dpt.asnumpy(d), np.arange(1000))
    assert isthmus.counters()["memories"] > memories
    del d
    gc.collect()


def test_garbage_cycles_through_a_producer_are_collected() -> None:
    shows: Any = peers.Shows(dpt.arange(6, dtype="float32"))
    gone = weakref.ref(shows)
    shows.back = isthmus.asarray(shows)
    del shows
    gc.collect()
    assert gone() is None


def test_memory_is_given_back_only_when_our_last_work_on_it_has_ended() -> None:
    for _ in range(10):
        a = dpt.zeros(500_000, dtype="float32")
        x = isthmus.asarray(a)
        y = (x + 1).eval()
        del a, x
        b = dpt.full(500_000, -7, dtype="float32")  # likely at the same place
        assert np.all(peers.values_of(y) == 1)
        del b


# ---- contexts


def test_memory_of_a_users_context_is_used_on_a_queue_of_it() -> None:  # U10 U17
    own = peers.queue_of_own_context()
    a = dpt.arange(6, dtype="float32", sycl_queue=own)
    x = isthmus.asarray(a)
    assert peers.pointer_of(x) == peers.pointer_of(a)
    with isthmus.Queue(own):
        y = x + x
        assert peers.values_of(y).tolist() == [0, 2, 4, 6, 8, 10]
        assert dpt.asarray(y).sycl_context == own.sycl_context


def test_mixing_contexts_names_both_and_what_would_do(inline: str) -> None:  # U17
    own = peers.queue_of_own_context()
    x = isthmus.asarray(dpt.arange(6, dtype="float32", sycl_queue=own))
    assert peers.values_of(x + 1).tolist() == [1, 2, 3, 4, 5, 6]  # on a queue of ours in there
    y = isthmus.ones(6, dtype="float32", device="sycl:0")
    both = r"a user's context 0x\w+ of sycl:0 .* the default context of sycl:0; .*"
    for other in (y, y.eval()):  # at the call, wherever it would have run
        with pytest.raises(isthmus.DeviceMismatchError, match=both):
            x + other
    y = x.to_device("cpu")  # runs on its owner's queue
    assert np.asarray(y + 1).tolist() == [1, 2, 3, 4, 5, 6]
