"""DLPack by capsules: each rule of the page, both ways, against NumPy and JAX."""

from __future__ import annotations

import ctypes
import enum
import gc
import importlib
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

# what the tests ask for on purpose, the annotations forbid
isthmus: Any = importlib.import_module("isthmus")


sys.path.insert(0, str(Path(__file__).parent))
layouts = importlib.import_module("layouts")
malformed = importlib.import_module("malformed")

NAMES = layouts.NAMES
DTYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
)
VERSION = (1, 3)


def is_shared(x: Any) -> bool:
    return str(isthmus.explain(x).reason).startswith("shared")


def capsule_name(capsule: object) -> str:
    return str(capsule).split('"')[1]


class Wrapped:
    """An ndarray whose capsule is asked, since it is none itself."""

    def __init__(self, array: Any) -> None:
        self.__dlpack__ = array.__dlpack__
        self.__dlpack_device__ = array.__dlpack_device__


@pytest.mark.parametrize("by", [lambda a: a, Wrapped], ids=["ndarray", "capsule"])
@pytest.mark.parametrize("name", NAMES)
def test_L14_numpy_to_us_shares_address_and_writes(name: str, by: Any) -> None:
    a = layouts.numpy_layouts()[name]
    x = isthmus.from_dlpack(by(a))
    assert x.shape == a.shape
    assert np.array_equal(np.asarray(x), a)
    if a.size:
        assert layouts.address(np.asarray(x)) == layouts.address(a)
        layouts.write_through(a, 77)
        assert np.all(np.asarray(x) == 77)


@pytest.mark.parametrize("name", NAMES)
def test_L14_us_to_numpy_shares_address_and_writes(name: str) -> None:
    x = layouts.our_layouts()[name]
    a = np.from_dlpack(x)
    assert a.shape == x.shape
    if a.size:
        assert layouts.address(a) == layouts.address(np.asarray(x))
    if a.size and a.flags.writeable:
        a[...] = 5
        assert float(isthmus.sum(x)) == 5 * x.size
        x[...] = 6
        assert np.all(a == 6)


@pytest.mark.parametrize("name", NAMES)
def test_L14_us_to_jax_shares_address_or_says_why(name: str) -> None:
    x = layouts.our_layouts()[name]
    if x.is_read_only:
        with pytest.raises(BufferError, match="read-only"):
            x.__dlpack__()
        return
    try:
        a = jax.dlpack.from_dlpack(x, copy=False)
    except Exception as error:  # JAX takes dense layouts and aligned addresses only
        assert "layout" in str(error) or "align" in str(error) or "stride" in str(error)
        return
    assert np.array_equal(np.asarray(a), np.asarray(x))
    if x.size:
        assert a.unsafe_buffer_pointer() == layouts.address(np.asarray(x))


def test_L13_jax_arrays_come_read_only_though_their_capsule_cannot_say_so() -> None:
    a = jnp.arange(6.0)
    x = isthmus.from_dlpack(a)
    assert x.is_read_only
    assert layouts.address(np.asarray(x)) == a.unsafe_buffer_pointer()
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    assert isthmus.asarray(a).is_read_only


@pytest.mark.parametrize("dtype", DTYPES)
def test_L16_every_dtype_goes_both_ways(dtype: str) -> None:
    a = np.arange(4).astype(dtype)
    x = isthmus.from_dlpack(Wrapped(a))
    assert x.dtype == isthmus.from_dlpack(a).dtype == a.dtype
    b = np.from_dlpack(x)
    assert b.dtype == a.dtype
    assert np.array_equal(a, b)


def test_L16_bfloat16_comes_from_jax_and_numpy_refuses_it() -> None:
    a = jnp.arange(4, dtype=jnp.bfloat16)
    x = isthmus.from_dlpack(a)
    assert x.dtype == a.dtype
    assert jnp.array_equal(jax.dlpack.from_dlpack(x.copy().eval()), a)
    with pytest.raises(RuntimeError, match="dtype"):
        np.from_dlpack(x)


def test_L16_structs_have_no_dlpack_form() -> None:
    x = isthmus.asarray(np.zeros(3, dtype=[("a", "f4"), ("b", "i2")]))
    with pytest.raises(BufferError, match="dtype"):
        x.__dlpack__(max_version=VERSION)


def test_L1_keywords_only_and_no_others() -> None:
    x = isthmus.zeros(3)
    with pytest.raises(TypeError, match="positional"):
        x.__dlpack__(None)
    with pytest.raises(TypeError, match="'strem'"):
        x.__dlpack__(strem=None)
    everything = {"stream": None, "max_version": VERSION, "dl_device": (1, 0), "copy": None}
    assert capsule_name(x.__dlpack__(**everything)) == "dltensor_versioned"


def test_L2_device_is_told_without_evaluating() -> None:
    x = isthmus.ones(3) + 1
    was_pending = x.is_pending
    assert x.__dlpack_device__() == (1, 0)
    assert x.is_pending == was_pending


def test_L3_from_dlpack_takes_device_and_copy() -> None:
    a = np.arange(3.0)
    assert isthmus.from_dlpack(a, device="cpu").device == isthmus.Device("cpu")
    x = isthmus.from_dlpack(a, copy=True)
    a[0] = 9
    assert float(x[0]) == 0
    assert not is_shared(x.eval())
    assert float(isthmus.from_dlpack(a, copy=False)[0]) == 9


def test_L3_from_dlpack_of_our_own_arrays_shares_the_storage() -> None:
    x = isthmus.arange(3)
    y = isthmus.from_dlpack(x)
    x[0] = 7
    assert int(y[0]) == 7
    z = isthmus.from_dlpack(x, copy=True)
    x[0] = 8
    assert int(z[0]) == 7


class Old:
    """A producer of before 2023.12, or one that knows `known` only."""

    def __init__(self, known: tuple[str, ...] = ()) -> None:
        self.array = np.arange(3.0)
        self.known = known
        self.asked: list[tuple[str, ...]] = []

    def __dlpack__(self, **given: Any) -> object:
        self.asked.append(tuple(given))
        for name in given:
            if name not in self.known:
                raise TypeError(f"__dlpack__() got an unexpected keyword argument '{name}'")
        return self.array.__dlpack__(**given)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def test_L4_consumer_tries_the_newest_form_and_falls_back_on_type_errors() -> None:
    old = Old()
    assert layouts.address(np.asarray(isthmus.from_dlpack(old))) == layouts.address(old.array)
    assert old.asked == [("max_version",), ()]
    middle = Old(("max_version",))
    x = isthmus.from_dlpack(middle, copy=True)
    assert middle.asked == [("max_version", "dl_device", "copy"), ("max_version",)]
    middle.array[0] = 9
    assert float(x[0]) == 0  # the copy was made here


def test_L4_other_errors_of_the_producer_come_through() -> None:
    class Broken:
        def __dlpack__(self, **_: object) -> object:
            raise RuntimeError("out of order")

    with pytest.raises(RuntimeError, match="out of order"):
        isthmus.from_dlpack(Broken())


def test_L4_without_the_method_it_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="__dlpack__"):
        isthmus.from_dlpack([1, 2])


@pytest.mark.parametrize("stream", [-1, 0, 1, 2, 12345])
def test_L7_host_memory_takes_no_stream(stream: int) -> None:
    with pytest.raises(ValueError, match="stream"):
        isthmus.zeros(3).__dlpack__(stream=stream)


def test_L9_asking_for_the_host_evaluates_and_is_zero_copy() -> None:
    x = isthmus.ones(3).eval()
    y = x + 1
    capsule = y.__dlpack__(max_version=VERSION, dl_device=(1, 0))
    assert not y.is_pending
    del capsule


class Device(enum.Enum):
    CPU = 1
    CUDA = 2


def test_L9_the_device_may_be_an_enum() -> None:
    x = isthmus.zeros(3)
    assert capsule_name(x.__dlpack__(max_version=VERSION, dl_device=(Device.CPU, 0)))
    with pytest.raises(BufferError, match="dl_device"):
        x.__dlpack__(max_version=VERSION, dl_device=(Device.CUDA, 0))


def test_L10_host_reachable_memory_of_a_device_is_zero_copy() -> None:
    x = isthmus.full((3,), 2.0, dtype="float32", device="null:1").eval()
    capsule_owner = np.from_dlpack(x)
    assert np.array_equal(capsule_owner, [2, 2, 2])
    capsule_owner[0] = 5
    assert float(isthmus.sum(x)) == 9


@pytest.mark.parametrize("device", [(2, 0), (14, 0), (1, 1), (0, 0)])
def test_L11_other_devices_are_buffer_errors(device: tuple[int, int]) -> None:
    with pytest.raises(BufferError, match="dl_device"):
        isthmus.zeros(3).__dlpack__(max_version=VERSION, dl_device=device)


def test_L12_copies_are_flagged_and_their_own_memory() -> None:
    x = isthmus.ones(3).eval()
    for copy, flag in ((None, 0), (False, 0), (True, 2)):
        capsule = x.__dlpack__(max_version=VERSION, copy=copy)
        managed = malformed.Versioned.from_address(pointer_of(capsule))
        assert managed.flags == flag
        assert (managed.tensor.data != layouts.address(np.asarray(x))) == bool(copy)
        assert (managed.major, managed.minor) == VERSION
    legacy = x.__dlpack__(copy=True)
    managed = malformed.Managed.from_address(pointer_of(legacy))
    assert managed.tensor.data != layouts.address(np.asarray(x))


def test_L12_numpys_copies_are_private_here() -> None:
    assert not is_shared(isthmus.from_dlpack(np.ones(3), copy=True))


def pointer_of(capsule: object) -> int:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    found: int = get(capsule, capsule_name(capsule).encode())
    return found


def test_L13_read_only_flag_travels_both_ways() -> None:
    a = np.arange(3.0)
    a.flags.writeable = False
    x = isthmus.from_dlpack(a)
    assert x.is_read_only
    assert isthmus.from_dlpack(Wrapped(a)).is_read_only
    with pytest.raises(ValueError, match="read-only"):
        x += 1
    assert not np.from_dlpack(x).flags.writeable
    y = isthmus.broadcast_to(isthmus.arange(3), (2, 3))
    assert not np.from_dlpack(y).flags.writeable
    assert np.from_dlpack(isthmus.asarray(1.5).eval()).flags.writeable  # 0-d arrays are not


def test_L13_legacy_capsules_of_read_only_arrays_are_refused() -> None:
    y = isthmus.broadcast_to(isthmus.arange(3), (2, 3))
    with pytest.raises(BufferError, match="read-only"):
        y.__dlpack__()
    assert capsule_name(y.__dlpack__(copy=True)) == "dltensor"


def test_L14_names_and_renaming() -> None:
    x = isthmus.zeros(3)
    assert capsule_name(x.__dlpack__()) == "dltensor"
    assert capsule_name(x.__dlpack__(max_version=(1, 0))) == "dltensor_versioned"
    for legacy in (False, True):
        producer = malformed.Producer(legacy)
        y = isthmus.from_dlpack(producer)
        assert producer.capsule_name() == b"used_" + producer.name
        assert producer.deleted == 0
        del y
        assert producer.deleted == 1


def test_L14_unconsumed_capsules_free_the_export() -> None:
    x = isthmus.zeros(3).eval()
    for version in (None, VERSION):
        capsule = x.__dlpack__(max_version=version)
        assert is_shared(x)
        del capsule
        assert not is_shared(x)


@pytest.mark.parametrize(
    ("version", "name"),
    [
        (None, "dltensor"),
        ((0, 8), "dltensor"),
        ((1, 0), "dltensor_versioned"),
        ((1, 9), "dltensor_versioned"),
        ((2, 0), "dltensor_versioned"),
    ],
)
def test_L15_version_ladder_of_the_producer(version: tuple[int, int] | None, name: str) -> None:
    assert capsule_name(isthmus.zeros(3).__dlpack__(max_version=version)) == name


def test_L15_unknown_major_versions_are_deleted_and_refused() -> None:
    producer = malformed.Producer()
    producer.managed.major = 2
    with pytest.raises(isthmus.ExchangeError, match="version"):
        isthmus.from_dlpack(producer)
    assert producer.deleted == 1


@pytest.mark.parametrize("version", [1, (1,), "1.0", (1, "x"), (1, 0, 0)])
def test_L15_max_version_is_a_pair_of_integers(version: object) -> None:
    with pytest.raises(TypeError, match="max_version"):
        isthmus.zeros(3).__dlpack__(max_version=version)


def test_L17_a_refused_copy_is_a_buffer_error_and_a_value_error() -> None:
    x = isthmus.full((3,), 2.0, dtype="float32", device="null:2")
    for kind in (BufferError, ValueError, isthmus.CopyRefusedError):
        with pytest.raises(kind, match="copy"):
            x.__dlpack__(max_version=VERSION, dl_device=(1, 0), copy=False)


def test_L9_memory_out_of_reach_is_copied_when_the_host_is_asked_for() -> None:
    x = isthmus.full((3,), 2.0, dtype="float32", device="null:2")
    assert x.__dlpack_device__() == (12, 2)
    with pytest.raises(BufferError, match="null:2"):
        x.__dlpack__(max_version=VERSION)
    capsule = x.__dlpack__(max_version=VERSION, dl_device=(1, 0))
    assert malformed.Versioned.from_address(pointer_of(capsule)).flags == 2


def test_null_deleter_null_strides_and_byte_offset_are_legal() -> None:
    producer = malformed.Producer()
    producer.managed.deleter = malformed.DELETER()
    producer.tensor.strides = None
    producer.tensor.byte_offset = 8
    producer.shape[0] = 2
    x = isthmus.from_dlpack(producer)
    assert np.asarray(x).tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert layouts.address(np.asarray(x)) == ctypes.addressof(producer.memory) + 8


def test_lanes_are_structs_of_equal_fields() -> None:
    producer = malformed.Producer()
    producer.shape[0], producer.shape[1] = 3, 2
    producer.strides[0], producer.strides[1] = 2, 1
    producer.tensor.lanes = 2
    x = isthmus.from_dlpack(producer)
    assert x.dtype == np.dtype([("s0", "f8"), ("s1", "f8")])
    assert np.asarray(x)["s1"].tolist() == [[1, 3], [5, 7], [9, 11]]
    managed = malformed.Versioned.from_address(pointer_of(x.__dlpack__(max_version=VERSION)))
    assert managed.tensor.lanes == 2


def test_deleters_that_are_python_code_neither_see_nor_lose_an_error() -> None:
    producer = malformed.Producer()
    x = isthmus.from_dlpack(producer)
    try:
        raise KeyError("mine")
    except KeyError as error:
        del x
        assert str(error) == "'mine'"
    assert producer.deleted == 1


@pytest.mark.parametrize("dies_first", ["producer", "consumer"])
def test_lifetimes_numpy_to_us(dies_first: str) -> None:
    a = np.arange(6.0)
    x = isthmus.from_dlpack(a)
    if dies_first == "producer":
        del a
        gc.collect()
        assert float(isthmus.sum(x)) == 15
    else:
        assert sys.getrefcount(a) == 3
        del x
        assert sys.getrefcount(a) == 2
        assert a.sum() == 15


@pytest.mark.parametrize("dies_first", ["producer", "consumer"])
def test_lifetimes_us_to_numpy(dies_first: str) -> None:
    x = isthmus.arange(6, dtype="float64").eval()
    a = np.from_dlpack(x)
    if dies_first == "producer":
        del x
        gc.collect()
        assert a.sum() == 15
    else:
        assert is_shared(x)
        del a
        assert not is_shared(x)
        assert float(isthmus.sum(x)) == 15


def test_an_export_evaluates_what_is_pending_and_reads_it() -> None:
    x = isthmus.ones(4).eval()
    y = x + 1
    a = np.from_dlpack(x)
    a[...] = 50
    assert float(isthmus.sum(y)) == 8
    z = x + 1
    a[...] = 60
    assert float(isthmus.sum(z)) == 204


def test_the_same_memory_twice_is_one_memory() -> None:
    a = np.zeros(4)
    x, y = isthmus.from_dlpack(a), isthmus.from_dlpack(a[1:])
    with isthmus.fusing():
        z = y + 1
        x[...] = 5
        assert float(isthmus.sum(z)) == 3


def test_our_own_memory_coming_back_is_unwrapped() -> None:
    x = isthmus.zeros(4).eval()
    view = np.asarray(x)[1:]
    y = isthmus.asarray(view)
    y[...] = 3
    assert float(isthmus.sum(x)) == 9
    del view, y
    assert not is_shared(x)
