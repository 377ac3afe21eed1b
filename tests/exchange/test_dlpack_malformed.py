"""Tensors that are wrong in one field: refused by its name, deleted once, nothing left behind."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import isthmus as xp

# what the tests ask for on purpose, the annotations forbid
isthmus: Any = xp


sys.path.insert(0, str(Path(__file__).parent))
malformed = importlib.import_module("malformed")

BAD: dict[str, tuple[str, Any]] = {
    "negative_ndim": ("ndim", lambda p: setattr(p.tensor, "ndim", -1)),
    "huge_ndim": ("ndim", lambda p: setattr(p.tensor, "ndim", 2**31 - 1)),
    "null_shape": ("shape", lambda p: setattr(p.tensor, "shape", None)),
    "negative_extent": ("shape", lambda p: p.shape.__setitem__(0, -3)),
    "overflowing_extents": ("shape", lambda p: p.shape.__setitem__(slice(0, 2), [2**32 + 1] * 2)),
    "overflowing_bytes": ("shape", lambda p: p.shape.__setitem__(slice(0, 2), [2**61, 1])),
    "overflowing_stride": ("strides", lambda p: p.strides.__setitem__(0, 2**63 - 1)),
    "stride_past_memory": ("strides", lambda p: p.strides.__setitem__(0, -(2**60))),
    "null_data": ("data", lambda p: setattr(p.tensor, "data", None)),
    "misaligned_data": ("data", lambda p: setattr(p.tensor, "byte_offset", 3)),
    "overflowing_offset": ("byte_offset", lambda p: setattr(p.tensor, "byte_offset", 2**64 - 8)),
    "other_device": ("device", lambda p: setattr(p.tensor, "device_type", 2)),
    "unknown_device": ("device", lambda p: setattr(p.tensor, "device_type", 99)),
    "opaque_dtype": ("dtype", lambda p: setattr(p.tensor, "code", 3)),
    "float8": ("dtype", lambda p: p.tensor.__init__(bits=8, code=8)),
    "four_bits": ("dtype", lambda p: setattr(p.tensor, "bits", 4)),
    "no_lanes": ("dtype", lambda p: setattr(p.tensor, "lanes", 0)),
}


@pytest.mark.parametrize("legacy", [False, True], ids=["versioned", "legacy"])
@pytest.mark.parametrize("name", BAD)
def test_malformed_tensors_are_refused_by_field_and_deleted_once(name: str, legacy: bool) -> None:
    field, spoil = BAD[name]
    producer = malformed.Producer(legacy)
    spoil(producer)
    before = isthmus.counters()["memories"]
    with pytest.raises(isthmus.ExchangeError, match=f"{field}:"):
        isthmus.from_dlpack(producer)
    assert producer.deleted == 1
    assert producer.capsule_name().startswith(b"used_")
    assert isthmus.counters()["memories"] == before
    good = malformed.Producer(legacy)
    assert float(isthmus.sum(isthmus.from_dlpack(good))) == 66


@pytest.mark.parametrize("name", [b"dltensor_", b"used_dltensor", b"used_dltensor_versioned", b""])
def test_capsules_of_another_name_are_refused_and_left_alone(name: bytes) -> None:
    producer = malformed.Producer()
    producer.name = name
    with pytest.raises(isthmus.ExchangeError, match="capsule:"):
        isthmus.from_dlpack(producer)
    assert producer.deleted == 0
    assert producer.capsule_name() == name


def test_what_is_no_capsule_is_a_type_error() -> None:
    class Wrong:
        def __dlpack__(self, **_: object) -> object:
            return "capsule"

    with pytest.raises(TypeError, match="str"):
        isthmus.from_dlpack(Wrong())


@pytest.mark.parametrize("answer", [5, (1, 0, 0), (1.5, 0), RuntimeError("boom")], ids=repr)
def test_a_device_that_is_no_pair_is_an_error(answer: Any) -> None:
    class Producer:
        def __dlpack__(self, **options: Any) -> Any:
            return np.ones(3).__dlpack__(**options)

        def __dlpack_device__(self) -> Any:
            if isinstance(answer, Exception):
                raise answer
            return answer

    with pytest.raises(type(answer) if isinstance(answer, Exception) else TypeError):
        xp.from_dlpack(Producer())
    with pytest.raises(xp.ExchangeError, match="dlpack"):
        xp.asarray(Producer())


def test_a_producer_without_a_device_is_read() -> None:
    class Producer:
        def __dlpack__(self, **options: Any) -> Any:
            return np.ones(3).__dlpack__(**options)

    assert xp.from_dlpack(Producer()).tolist() == [1, 1, 1]


@pytest.mark.parametrize("legacy", [False, True], ids=["versioned", "legacy"])
def test_a_tensor_on_another_device_than_its_producer_names_is_refused(legacy: bool) -> None:
    class Elsewhere(malformed.Producer):  # type: ignore[misc,name-defined]
        def __dlpack_device__(self) -> tuple[int, int]:
            return (2, 1)

    producer = Elsewhere(legacy)
    text = r"^from_dlpack: device: \(1, 0\), but its producer names \(2, 1\)$"
    with pytest.raises(xp.ExchangeError, match=text):
        xp.from_dlpack(producer)
    assert producer.deleted == 1
    numbered = malformed.Producer(legacy)
    numbered.tensor.device_id = 3  # all of the host's numbers are the host
    assert float(xp.sum(xp.from_dlpack(numbered))) == 66


def test_a_shape_that_is_too_large_is_named_with_its_dtype() -> None:
    producer = malformed.Producer(True)
    producer.shape[0] = 2**62
    producer.tensor.strides = None
    with pytest.raises(xp.ExchangeError, match=r"shape: \(4611686018427387904.* of float"):
        xp.from_dlpack(producer)
    assert producer.deleted == 1
