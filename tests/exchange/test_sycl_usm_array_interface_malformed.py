"""__sycl_usm_array_interface__ with every field missing or wrong: refused by name."""

from __future__ import annotations

import ctypes
import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
peers = importlib.import_module("sycl_peers")
isthmus, dpctl, usm, dpt = peers.isthmus, peers.dpctl, peers.usm, peers.dpt

pytestmark = pytest.mark.usefixtures("sycl")


A_NUMBER = 4096
BAD: dict[str, tuple[str, object]] = {
    "version_0": ("version", 0),  # U8
    "version_2": ("version", 2),
    "version_fraction": ("version", 1.5),
    "version_text": ("version", "1"),
    "version_large": ("version", 2**70),
    "typestr_none": ("typestr", None),  # U3
    "typestr_unknown": ("typestr", "<q9"),
    "big_endian": ("typestr", ">f4"),
    "big_endian_bytes": ("typestr", ">f8"),
    "object": ("typestr", "|O"),
    "record": ("typestr", "|V4"),
    "text": ("typestr", "|S4"),
    "date": ("typestr", "<M8[s]"),
    "long_double": ("typestr", "<f16"),
    "typestr_wrong_type": ("typestr", 4),
    "typestr_no_bytes": ("typestr", "<f"),
    "typestr_surrogate": ("typestr", "\ud800"),
    "shape_list": ("shape", [3, 4]),  # U2
    "shape_negative": ("shape", (-3, 4)),
    "shape_fraction": ("shape", (1.5, 4)),
    "shape_overflow": ("shape", (2**32 + 1, 2**32)),
    "shape_past_int64": ("shape", (2**70,)),
    "shape_int": ("shape", 12),
    "strides_too_few": ("strides", (4,)),  # U6
    "strides_too_many": ("strides", (4, 1, 1)),
    "strides_fraction": ("strides", (0.5, 1)),
    "strides_past_int64": ("strides", (2**64, 1)),
    "strides_overflow": ("strides", (2**62, 1)),
    "strides_text": ("strides", "ab"),
    "offset_fraction": ("offset", 1.5),  # U7
    "offset_text": ("offset", "1"),
    "offset_past_int64": ("offset", 2**63),
    "data_int": ("data", A_NUMBER),  # U5
    "data_three": ("data", (A_NUMBER, False, 0)),
    "data_null": ("data", (0, False)),
    "data_negative": ("data", (-8, False)),
    "data_large": ("data", (2**64, False)),
    "data_text": ("data", ("4096", False)),
    "data_unknown": ("data", (A_NUMBER, False)),  # U16
    "data_misaligned": ("data", (A_NUMBER + 1, False)),
    "syclobj_none": ("syclobj", None),  # U9 U14
    "syclobj_number": ("syclobj", 0),
    "syclobj_negative": ("syclobj", -1),
    "syclobj_float": ("syclobj", 1.0),
    "syclobj_selector": ("syclobj", "nonsense"),
    "syclobj_no_gpu": ("syclobj", "cuda:gpu:7"),
    "syclobj_empty": ("syclobj", ""),
    "syclobj_object": ("syclobj", object()),
    "syclobj_host": ("syclobj", isthmus.Queue("cpu")),
}


@pytest.fixture(scope="module")
def twelve() -> Any:
    return dpt.reshape(dpt.arange(12, dtype="float32"), (3, 4))


@pytest.mark.parametrize("name", BAD)
def test_malformed_dictionaries_are_refused_by_field(name: str, twelve: Any) -> None:
    field, value = BAD[name]
    bad = peers.Shows(twelve, **{field: value})
    before = isthmus.counters()["memories"]
    references = sys.getrefcount(bad)
    with pytest.raises(isthmus.ExchangeError, match=f"{field}: "):
        isthmus.asarray(bad)
    assert sys.getrefcount(bad) == references
    assert isthmus.counters()["memories"] == before


OUTSIDE: list[dict[str, object]] = [
    {"offset": 1},
    {"offset": -1},
    {"offset": 2**60},
    {"offset": -(2**60)},
    {"shape": (13,)},
    {"strides": (5, 1)},
    {"strides": (-4, 1)},
    {"data": (2**64 - 4, False)},
]


@pytest.mark.parametrize("changes", OUTSIDE, ids=str)
def test_the_bounds_of_the_allocation_are_checked(changes: Any) -> None:
    m = usm.MemoryUSMDevice(48)
    a = dpt.usm_ndarray((3, 4), dtype="float32", buffer=m)
    if "shape" in changes:
        changes = {**changes, "strides": None}
    with pytest.raises(isthmus.ExchangeError, match=r"data: |strides: |offset: "):
        isthmus.asarray(peers.Shows(a, **changes))


TEXTS: list[tuple[dict[str, object], str]] = [
    ({"offset": 2**62}, "offset: 4611686018427387904 elements of float32 are past the address"),
    ({"offset": 2**63}, "offset: an integer is not between -2^63 and 2^63-1"),
    ({"shape": (2**70,)}, "shape: an integer is not between -2^63 and 2^63-1"),
    ({"shape": (2**60, 4)}, "shape: (1152921504606846976, 4) of float32 is more than 2^63-1 bytes"),
    ({"strides": (-(2**64), 1)}, "strides: an integer is not between -2^63 and 2^63-1"),
    ({"typestr": "<f4\0x"}, "typestr: '<f4\0x' is not b, i, u, f or c"),
    ({"syclobj": "cpu\0x"}, "syclobj: the filter selector 'cpu\0x'"),
]


@pytest.mark.parametrize(("changes", "text"), TEXTS, ids=str)
def test_errors_name_the_field_once_and_end_where_their_text_does(
    changes: Any, text: str, twelve: Any
) -> None:
    if "shape" in changes:
        changes = {**changes, "strides": None}
    with pytest.raises(isthmus.ExchangeError) as caught:
        isthmus.asarray(peers.Shows(twelve, **changes))
    told = str(caught.value)
    assert told.startswith(f"__sycl_usm_array_interface__: {text}")
    assert told.count("__sycl_usm_array_interface__") == 1
    assert not told.endswith("'")


def test_U8_any_integer_may_say_the_version() -> None:
    a = dpt.arange(4, dtype="float32")
    x = isthmus.asarray(peers.Shows(a, version=np.int64(1)), copy=False)
    assert float(isthmus.sum(x)) == 6


@pytest.mark.parametrize("field", ["version", "typestr", "shape", "data", "syclobj"])
def test_a_missing_field_is_named(field: str, twelve: Any) -> None:  # U8
    with pytest.raises(isthmus.ExchangeError, match=f"{field}: "):
        isthmus.asarray(peers.Shows(twelve, without=field))


@pytest.mark.parametrize("field", ["strides", "offset"])
def test_a_field_that_may_be_missing_may(field: str, twelve: Any) -> None:  # U6 U7
    assert peers.pointer_of(
        isthmus.asarray(peers.Shows(twelve, without=field))
    ) == peers.pointer_of(twelve)


def test_a_pointer_of_another_context_is_refused() -> None:  # U17
    own = peers.queue_of_own_context()
    a = dpt.arange(6, dtype="float32", sycl_queue=own)
    with pytest.raises(isthmus.ExchangeError, match=r"data: .*another context"):
        isthmus.asarray(peers.Shows(a, syclobj=dpctl.SyclQueue()))


def test_a_null_pointer_will_do_where_there_are_no_elements() -> None:  # U20
    a = dpt.arange(6, dtype="float32")
    x = isthmus.asarray(peers.Shows(a, shape=(0, 3), strides=None, data=(0, False)))
    assert x.shape == (0, 3) and x.device == isthmus.Device("sycl:0")
    assert x.__sycl_usm_array_interface__["data"][0] != 0  # consumers refuse null


def test_a_property_that_raises_attribute_error_is_not_there() -> None:
    class Wraps:
        memory = np.arange(3.0)

        @property
        def __sycl_usm_array_interface__(self) -> object:
            raise AttributeError("this one is on the host")

        def __dlpack__(self, **how: Any) -> Any:
            return self.memory.__dlpack__(**how)

        def __dlpack_device__(self) -> Any:
            return self.memory.__dlpack_device__()

    wraps = Wraps()
    x = isthmus.asarray(wraps)
    x[0] = 5
    assert wraps.memory[0] == 5
    assert isthmus.explain(wraps).protocol == "dlpack"


def test_what_is_no_dictionary_is_refused() -> None:
    class Wrong:
        __sycl_usm_array_interface__ = 7

    with pytest.raises(isthmus.ExchangeError, match="dict"):
        isthmus.asarray(Wrong())


def test_errors_of_the_producer_are_its_own() -> None:
    class Fails:
        @property
        def __sycl_usm_array_interface__(self) -> object:
            raise KeyError("of the producer")

    with pytest.raises(KeyError, match="of the producer"):
        isthmus.asarray(Fails())


def test_errors_of_a_syclobj_are_its_own(twelve: Any) -> None:
    class Fails:
        def _get_capsule(self) -> object:
            raise ZeroDivisionError("of the capsule")

    with pytest.raises(ZeroDivisionError, match="of the capsule"):
        isthmus.asarray(peers.Shows(twelve, syclobj=Fails()))


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Capsule:
    """An object that has nothing but the method."""

    def __init__(self, capsule: object) -> None:
        self._get_capsule = lambda: capsule


def used(names: Any) -> object:
    capsule: object = names._get_capsule()
    type(names)(capsule)  # dpctl renames what it has used
    return capsule


CAPSULES: dict[str, tuple[Any, str]] = {
    "another_name": (lambda q: new_capsule(8, b"dltensor", None), "'dltensor'"),
    "no_name": (lambda q: new_capsule(8, None, None), "SyclQueueRef"),
    "used_queue": (lambda q: used(q), "'used_SyclQueueRef' has been used"),
    "used_context": (lambda q: used(q.sycl_context), "'used_SyclContextRef' has been used"),
}


@pytest.mark.parametrize("wrap", [lambda c: c, Capsule], ids=["capsule", "object"])
@pytest.mark.parametrize("name", CAPSULES)
def test_capsules_of_other_names_are_refused(name: str, wrap: Any, twelve: Any) -> None:  # U11 U13
    make, said = CAPSULES[name]
    bad = peers.Shows(twelve, syclobj=wrap(make(twelve.sycl_queue)))
    for _ in range(2):
        with pytest.raises(isthmus.ExchangeError, match=f"syclobj: .*{said}"):
            isthmus.asarray(bad)
    assert isthmus.explain(bad).verdict == "impossible"


SharedMemory: Any = usm.MemoryUSMShared


class Masked(SharedMemory):  # type: ignore[misc]
    """USM with the buffer protocol beside a dictionary that is wrong."""

    wrong: dict[str, Any]

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]:
        shown = SharedMemory.__sycl_usm_array_interface__
        return {**shown.__get__(self), **self.wrong}


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("version", 2, "version"),
        ("version", True, "version"),
        ("typestr", "<V3", "typestr"),
        ("shape", (-1,), "shape"),
        ("strides", (1, 2), "strides"),
        ("offset", -1, "data"),  # what it makes of data is outside the allocation
        ("data", (0, False), "data"),
        ("data", (64, "x"), "data"),
        ("syclobj", 12345, "syclobj"),
        ("syclobj", "no-such-device", "syclobj"),
    ],
)
def test_a_buffer_does_not_stand_in_for_what_is_malformed(
    field: str, value: Any, named: str
) -> None:
    m = Masked(64)
    m.wrong = {field: value}
    for call in (isthmus.asarray, isthmus.memory.as_memory):
        with pytest.raises(isthmus.ExchangeError, match=f": {named}: "):
            call(m)
    assert isthmus.explain(m).verdict == "impossible"


def test_a_sub_device_is_refused_by_name() -> None:  # U9
    whole = dpctl.SyclDevice("opencl:cpu")
    if whole.max_compute_units < 2:
        pytest.skip("one compute unit has no parts")
    queue = dpctl.SyclQueue(whole.create_sub_devices(partition=1)[0])
    for kind in ("device", "shared", "host"):
        a = dpt.usm_ndarray(4, dtype="f4", buffer=kind, buffer_ctor_kwargs={"queue": queue})
        with pytest.raises(isthmus.ExchangeError, match=r"syclobj: .*sub-device"):
            isthmus.asarray(a)
        assert isthmus.explain(a).verdict == "impossible"
    with pytest.raises(isthmus.ExchangeError, match="sub-device"):
        isthmus.Queue(queue)
    with pytest.raises(isthmus.ExchangeError, match="sub-device"):
        isthmus.Context(queue.sycl_context)
    assert isthmus.asarray(dpt.arange(4)).tolist() == [0, 1, 2, 3]
