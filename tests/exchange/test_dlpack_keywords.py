"""The keywords of __dlpack__ and from_dlpack, on the host: both ways, against NumPy and JAX."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import isthmus
from tests.exchange import layouts
from tests.exchange.layouts import is_shared
from tests.exchange.showing import Capsule, capsule_name, head_of

VERSION = (1, 3)
PEERS: dict[str, Callable[[], Any]] = {
    "numpy": lambda: np.arange(6, dtype="float32"),
    "jax": lambda: jnp.arange(6, dtype="float32"),
}


def test_L1_keywords_only_and_no_others() -> None:
    x: Any = isthmus.zeros(3)
    with pytest.raises(TypeError, match="positional"):
        x.__dlpack__(None)
    with pytest.raises(TypeError, match="'strem'"):
        x.__dlpack__(strem=None)
    everything = {"stream": None, "max_version": VERSION, "dl_device": (1, 0), "copy": None}
    assert capsule_name(x.__dlpack__(**everything)) == "dltensor_versioned"


@pytest.mark.parametrize(
    ("peer", "given"),
    [
        (np.from_dlpack, {}),
        (np.from_dlpack, {"device": "cpu", "copy": True}),
        (np.from_dlpack, {"copy": False}),
        (jax.dlpack.from_dlpack, {}),
        (jax.dlpack.from_dlpack, {"copy": True}),
    ],
)
def test_L1_peers_need_ask_only_once(peer: Any, given: dict[str, Any]) -> None:
    x = isthmus.arange(6, dtype="float32")
    producer = Capsule(x)
    assert np.array_equal(peer(producer, **given), np.arange(6))
    assert len(producer.asked) == 1
    assert producer.asked[0]


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ({}, {}),
        ({"copy": None}, {}),
        ({"copy": False}, {"dl_device": None, "copy": False}),
        ({"copy": True}, {"dl_device": None, "copy": True}),
        ({"device": "cpu"}, {"dl_device": (1, 0), "copy": None}),
        ({"device": "cpu", "copy": False}, {"dl_device": (1, 0), "copy": False}),
        ({"device": "null:1"}, {}),  # which has no number of DLPack's
    ],
)
@pytest.mark.parametrize("peer", PEERS)
def test_L1_L4_L7_peers_are_asked_once_for_what_was_wanted_and_without_a_stream(
    peer: str, given: dict[str, Any], asked: dict[str, Any]
) -> None:
    a = PEERS[peer]()
    producer = Capsule(a)
    x = isthmus.from_dlpack(producer, **given)
    assert producer.asked == [{"max_version": VERSION, **asked}]
    assert np.array_equal(np.asarray(x), a)
    assert x.device == isthmus.Device(given.get("device", "cpu"))


def test_L2_device_is_told_without_evaluating() -> None:
    x = isthmus.ones(3) + 1
    was_pending = x.is_pending
    assert x.__dlpack_device__() == (1, 0)
    assert x.is_pending == was_pending


@pytest.mark.parametrize("peer", PEERS)
def test_L2_what_came_from_a_peer_is_where_the_peer_says(peer: str) -> None:
    a = PEERS[peer]()
    assert isthmus.from_dlpack(a).__dlpack_device__() == a.__dlpack_device__() == (1, 0)


def test_L2_peers_refuse_by_the_device_that_they_are_told() -> None:
    x = isthmus.full((3,), 2.0, dtype="float32", device="null:2")
    with pytest.raises(TypeError, match="device type"):
        jax.dlpack.from_dlpack(x)


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


@pytest.mark.parametrize("device", [None, (1, 0)])
@pytest.mark.parametrize("stream", [-1, 0, 1, 2, 12345])
def test_L7_L9_host_memory_takes_no_stream(stream: int, device: tuple[int, int] | None) -> None:
    with pytest.raises(ValueError, match="stream"):
        isthmus.zeros(3).__dlpack__(stream=stream, dl_device=device)


@pytest.mark.parametrize("name", layouts.NAMES)
def test_L9_asking_for_the_host_is_zero_copy(name: str) -> None:
    x = layouts.our_layouts()[name]
    layouts.assert_one_memory(x, np.from_dlpack(x, device="cpu", copy=False))
    a = layouts.numpy_layouts()[name]
    layouts.assert_one_memory(isthmus.from_dlpack(a, device="cpu", copy=False), a)
    layouts.assert_one_memory(isthmus.from_dlpack(Capsule(a), device="cpu", copy=False), a)


def test_L9_asking_for_the_host_evaluates() -> None:
    y = isthmus.ones(3).eval() + 1
    a = np.from_dlpack(y, device="cpu")
    assert not y.is_pending
    assert a.tolist() == [2, 2, 2]


class Device(enum.Enum):
    CPU = 1
    CUDA = 2


def test_L9_the_device_may_be_an_enum() -> None:
    x: Any = isthmus.zeros(3)
    assert capsule_name(x.__dlpack__(max_version=VERSION, dl_device=(Device.CPU, 0)))
    with pytest.raises(BufferError, match="dl_device"):
        x.__dlpack__(max_version=VERSION, dl_device=(Device.CUDA, 0))


@pytest.mark.parametrize("name", layouts.NAMES)
def test_L10_host_reachable_memory_of_a_device_is_zero_copy(name: str) -> None:
    x = layouts.our_layouts(device="null:1")[name]
    assert x.device == isthmus.Device("null:1")
    layouts.assert_one_memory(x, np.from_dlpack(x, copy=False))


@pytest.mark.parametrize("by", [lambda a: a, Capsule], ids=["ndarray", "capsule"])
@pytest.mark.parametrize("name", layouts.NAMES)
def test_L10_a_device_that_reaches_the_memory_of_numpy_shares_it(name: str, by: Any) -> None:
    a = layouts.numpy_layouts()[name]
    x = isthmus.from_dlpack(by(a), device="null:1", copy=False)
    assert x.device == isthmus.Device("null:1")
    layouts.assert_one_memory(x, a)


@pytest.mark.parametrize("device", [(2, 0), (14, 0), (1, 1), (0, 0)])
def test_L11_other_devices_are_buffer_errors(device: tuple[int, int]) -> None:
    with pytest.raises(BufferError, match="dl_device"):
        isthmus.zeros(3).__dlpack__(max_version=VERSION, dl_device=device)


@pytest.mark.parametrize("name", layouts.NAMES)
def test_L11_L17_another_device_of_ours_is_reached_by_a_copy_or_refused(name: str) -> None:
    a = layouts.numpy_layouts()[name]
    before = a.copy()
    for kind in (BufferError, ValueError, isthmus.CopyRefusedError):
        with pytest.raises(kind, match="copy=False"):
            isthmus.from_dlpack(a, device="null:2", copy=False)
    x = isthmus.from_dlpack(a, device="null:2")
    layouts.write_through(a, 77)
    assert x.device == isthmus.Device("null:2")
    assert np.array_equal(x.to_numpy(), before)


@pytest.mark.parametrize("name", layouts.NAMES)
def test_L12_copies_are_flagged_and_their_own_memory(name: str) -> None:
    x = layouts.our_layouts()[name]
    lock = int(x.is_read_only)  # of views; copies are not
    here = layouts.address(np.asarray(x)) if x.size else None
    for copy, flags in ((None, lock), (False, lock), (True, 2)):
        capsule = x.__dlpack__(max_version=VERSION, copy=copy)
        managed = head_of(capsule)
        assert managed.flags == flags
        assert (managed.major, managed.minor) == VERSION
        if x.size:
            assert (managed.tensor.data != here) == bool(copy)
    legacy = x.__dlpack__(copy=True)
    if x.size:
        assert head_of(legacy).tensor.data != here


@pytest.mark.parametrize("name", layouts.NAMES)
def test_L12_numpys_copies_of_ours_are_its_own(name: str) -> None:
    x = layouts.our_layouts()[name]
    before = np.array(x)
    a = np.from_dlpack(x, copy=True)
    assert np.array_equal(a, before)
    assert a.flags.writeable
    a[...] = 5
    assert np.array_equal(np.asarray(x), before)
    assert not is_shared(x)


@pytest.mark.parametrize("by", [lambda a: a, Capsule], ids=["ndarray", "capsule"])
@pytest.mark.parametrize("name", layouts.NAMES)
def test_L12_copies_of_numpys_are_ours_and_views_are_not(name: str, by: Any) -> None:
    a = layouts.numpy_layouts()[name]
    before = a.copy()
    x = isthmus.from_dlpack(by(a), copy=True)
    assert not is_shared(x)
    assert not x.is_read_only
    layouts.write_through(a, 77)
    assert np.array_equal(np.asarray(x), before)
    x[...] = 5
    assert np.all(a == 77)
    for copy in (None, False):
        layouts.assert_one_memory(isthmus.from_dlpack(by(a), copy=copy), a)


def test_L17_a_refused_copy_is_a_buffer_error_and_a_value_error() -> None:
    x = isthmus.full((3,), 2.0, dtype="float32", device="null:2")
    for kind in (BufferError, ValueError, isthmus.CopyRefusedError):
        with pytest.raises(kind, match="copy"):
            x.__dlpack__(max_version=VERSION, dl_device=(1, 0), copy=False)
        with pytest.raises(kind, match="copy"):  # through NumPy, which asks for it so
            np.from_dlpack(x, device="cpu", copy=False)
        with pytest.raises(kind, match="copy"):
            isthmus.from_dlpack(Capsule(x), device="cpu", copy=False)


def test_L9_memory_out_of_reach_is_copied_when_the_host_is_asked_for() -> None:
    x = isthmus.full((3,), 2.0, dtype="float32", device="null:2")
    assert x.__dlpack_device__() == (12, 2)
    with pytest.raises(BufferError, match="null:2"):
        x.__dlpack__(max_version=VERSION)
    capsule = x.__dlpack__(max_version=VERSION, dl_device=(1, 0))
    assert head_of(capsule).flags == 2
    for a in (np.from_dlpack(x, device="cpu"), np.asarray(isthmus.from_dlpack(x, device="cpu"))):
        assert a.tolist() == [2, 2, 2]
        assert a.flags.writeable
        a[...] = 3
    assert x.to_numpy().tolist() == [2, 2, 2]
