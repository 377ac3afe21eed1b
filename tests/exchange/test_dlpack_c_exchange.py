"""The C exchange API of DLPack 1.3: the table on the type, called from ctypes and by a peer."""

from __future__ import annotations

import ctypes
import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

# what the tests ask for on purpose, the annotations forbid
isthmus: Any = importlib.import_module("isthmus")


sys.path.insert(0, str(Path(__file__).parent))
malformed = importlib.import_module("malformed")

c_table = importlib.import_module("c_table")


def is_shared(x: Any) -> bool:
    return str(isthmus.explain(x).reason).startswith("shared")


def test_the_table_is_of_version_1_3_and_complete() -> None:
    found = c_table.ours()
    assert (found.major, found.minor, found.previous) == (1, 3, None)
    for name in ("allocate", "from_object", "to_object", "borrow", "stream"):
        assert getattr(found, name)


def test_an_owning_tensor_is_an_export_until_its_deleter() -> None:
    x = isthmus.arange(6, dtype="float32").eval()
    managed = c_table.managed_of(x)
    assert managed.tensor.data == np.asarray(x).ctypes.data
    assert (managed.flags, managed.tensor.shape[0], managed.tensor.strides[0]) == (0, 6, 1)
    assert is_shared(x)
    managed.deleter(ctypes.addressof(managed))
    assert not is_shared(x)


def test_a_tensor_becomes_an_array_which_takes_it_over() -> None:
    producer = malformed.Producer()
    x = c_table.array_of(producer.managed)
    assert float(isthmus.sum(x)) == 66
    assert producer.deleted == 0
    del x
    assert producer.deleted == 1


def test_a_borrowed_tensor_points_into_the_array_and_counts_as_nothing() -> None:
    x = isthmus.ones((2, 3)).eval()
    y = x + 1
    tensor = c_table.borrowed_of(x)
    assert not y.is_pending  # the borrower may write
    assert not is_shared(x)
    memory = (ctypes.c_double * 6).from_address(tensor.data)
    memory[0] = 50
    assert float(isthmus.sum(x)) == 55
    assert float(isthmus.sum(y)) == 12


def test_a_new_tensor_is_allocated_by_its_prototype() -> None:
    shape = (ctypes.c_int64 * 2)(2, 3)
    prototype = malformed.DLTensor(None, 1, 0, 2, 2, 32, 1, shape, None, 0)
    out = ctypes.c_void_p()
    said: list[tuple[bytes, bytes]] = []
    set_error = c_table.SET_ERROR(lambda _, kind, text: said.append((kind, text)))
    call = c_table.ours().allocate
    assert call(ctypes.addressof(prototype), ctypes.addressof(out), None, set_error) == 0
    managed = malformed.Versioned.from_address(out.value)
    assert [managed.tensor.shape[i] for i in range(2)] == [2, 3]
    managed.deleter(ctypes.addressof(managed))
    assert said == []
    prototype.device_type = 2
    assert call(ctypes.addressof(prototype), ctypes.addressof(out), None, set_error) == -1
    assert said[0][0] == b"BufferError"
    assert b"device" in said[0][1]


def test_the_host_has_no_stream_and_other_devices_are_refused() -> None:
    assert c_table.stream_of((1, 0)) is None
    for device in ((2, 0), (12, 0), (14, 99)):  # CUDA's without it, an extension's, beyond the last
        with pytest.raises(BufferError, match="current_work_stream: device"):
            c_table.stream_of(device)


def test_other_objects_are_type_errors() -> None:
    out = ctypes.c_void_p()
    with pytest.raises(TypeError, match="list"):
        c_table.ours().from_object([], ctypes.addressof(out))


def test_a_type_with_a_table_is_asked_through_it_first() -> None:
    asked = []
    producer = malformed.Producer()

    def from_object(_: object, out: int) -> int:
        asked.append(1)
        return int(c_table.put(out, ctypes.addressof(producer.managed)))

    mine = c_table.Table(1, 3, None)
    mine.set("from_object", from_object)

    class Peer:
        __dlpack_c_exchange_api__ = c_table.capsule_of(mine)

    x = isthmus.from_dlpack(Peer())
    assert asked == [1]
    assert float(isthmus.sum(x)) == 66
    assert isthmus.explain(Peer()).protocol == "dlpack_c_exchange"
    del x
    assert producer.deleted == 3 - 1  # one import, one explanation

    newer = c_table.Table(2, 0, ctypes.addressof(mine))
    Peer.__dlpack_c_exchange_api__ = c_table.capsule_of(newer)
    assert float(isthmus.sum(isthmus.from_dlpack(Peer()))) == 66


def test_a_table_that_fails_without_an_error_is_refused_by_name() -> None:
    mine = c_table.Table(1, 3, None)
    mine.set("from_object", lambda _object, _out: -1)

    class Peer:
        __dlpack_c_exchange_api__ = c_table.capsule_of(mine)

    for _ in range(3):
        with pytest.raises(isthmus.ExchangeError, match="managed_tensor_from_py_object_no_sync"):
            isthmus.from_dlpack(Peer())


def test_tvm_ffi_takes_and_gives_our_arrays() -> None:
    tvm_ffi = pytest.importorskip("tvm_ffi", reason="pip install apache-tvm-ffi")
    x = isthmus.arange(6, dtype="float32").eval()
    tensor = tvm_ffi.from_dlpack(x)
    assert np.from_dlpack(tensor).ctypes.data == np.asarray(x).ctypes.data
    y = isthmus.from_dlpack(tensor)
    y[0] = 40
    assert float(x[0]) == 40
    assert isthmus.explain(tensor).verdict == "zero-copy"
