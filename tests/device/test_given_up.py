"""Values that only the statement holds which writes them: x[...] = a + b."""

from __future__ import annotations

import ctypes
import gc
import threading

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, put

N = 20_000

_python = ctypes.PyDLL(None)  # a library of our own: other tests give addresses another type
_set_item = _python.PyObject_SetItem
_set_item.argtypes = [ctypes.c_void_p] * 3
_set_item.restype = ctypes.c_int
_dec_ref = _python.Py_DecRef
_dec_ref.argtypes = [ctypes.c_void_p]
_inc_ref = _python.Py_IncRef
_inc_ref.argtypes = [ctypes.c_void_p]


def operands(device: xp.Device, n: int = N) -> tuple[xp.Array, xp.Array, xp.Array]:
    rng = np.random.default_rng(3)
    a, b = (rng.random(n, dtype=np.float32) for _ in range(2))
    return put(a, device), put(b, device), xp.zeros(n, dtype="float32", device=device).eval()


def requests_for_memory(device: xp.Device) -> int:
    statistics = xp.memory.pool_statistics(device)
    return int(statistics["hits"] + statistics["misses"])


@pytest.mark.lazy
def test_they_are_not_written_to_memory_of_their_own(device: xp.Device) -> None:
    a, b, x = operands(device)
    before = requests_for_memory(device)
    x[...] = a + b
    assert requests_for_memory(device) == before
    value = a * b
    x[1:] = value[1:]
    x[...] = value
    assert np.array_equal(get(x), get(a) * get(b))
    assert np.array_equal(get(value), get(x))


def test_every_form_of_target_and_value(device: xp.Device) -> None:
    a, b, x = operands(device)
    wanted, p, q = get(x).copy(), get(a), get(b)
    x[1:-1] = x[2:] + a[1:-1] - x[:-2]
    wanted[1:-1] = wanted[2:] + p[1:-1] - wanted[:-2]
    assert np.array_equal(get(x), wanted)
    x[::-1] = a * x
    wanted[::-1] = p * wanted
    assert np.array_equal(get(x), wanted)
    x[:] = x
    x[:] = (x + b)[::-1]
    wanted[:] = (wanted + q)[::-1]
    assert np.array_equal(get(x), wanted)
    square = x[:10_000].reshape(100, 100)
    square[...] = square.T + 1
    assert np.array_equal(get(square), wanted[:10_000].reshape(100, 100).T + 1)
    x[...] = xp.sum(a) + b
    assert np.allclose(get(x), p.sum() + q, rtol=1e-3)


def test_other_values_that_need_it_have_it(device: xp.Device) -> None:
    a, b, x = operands(device)
    total = a + b
    twice = total * 2
    del total
    x[...] = twice + 1
    assert np.array_equal(get(x), (get(a) + get(b)) * 2 + 1)
    assert np.array_equal(get(twice), (get(a) + get(b)) * 2)


@pytest.mark.lazy
def test_who_holds_the_only_reference_in_c_sees_a_copy(device: xp.Device) -> None:
    """As compiled Python code does, whose variables are those of C."""
    a, b, x = operands(device)
    value = a + b
    address, target, key = id(value), id(x), id(Ellipsis)
    _inc_ref(address)
    del value
    assert _set_item(target, key, address) == 0
    wanted = get(a) + get(b)
    assert np.array_equal(get(x), wanted)
    x[:5] = -1
    value = ctypes.cast(address, ctypes.py_object).value
    assert np.array_equal(get(value), wanted)
    assert get(x)[:6].tolist() == [-1, -1, -1, -1, -1, wanted[5]]
    _dec_ref(address)


def test_the_collector_looks_meanwhile(device: xp.Device) -> None:
    a, b, x = operands(device, 2_000_000)  # the GIL is released for so many
    is_over = threading.Event()

    def collect() -> None:
        while not is_over.is_set():
            gc.collect()

    thread = threading.Thread(target=collect)
    thread.start()
    try:
        for _ in range(30):
            x[...] = a + b
    finally:
        is_over.set()
        thread.join()
    assert np.array_equal(get(x), get(a) + get(b))


def test_errors_leave_the_target_as_it_was(device: xp.Device) -> None:
    a, _, x = operands(device)
    with pytest.raises(ValueError, match="shape"):
        x[:-1] = a + 1
    assert not get(x).any()
