"""Launches like the one before, and almost like it: a kernel is told only what has changed."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import isthmus as xp
from isthmus import _isthmus
from tests.device.arrays import get, put
from tests.ways import DEVICES, REAL

devices = pytest.mark.parametrize("name", DEVICES)


@devices
def test_a_repeated_expression_sees_new_numbers_shapes_and_blocks(name: str) -> None:
    xp.config.inline = "0"
    kept = []
    for step in range(40):
        x = np.arange(5 + step // 10, dtype=np.float32) + step
        a, b = put(x, name), put(x * 2, name)
        if step % 3 == 0:
            a, b = b, a
        number = (1.5, 1.5, -0.0, 0.0, 7)[step % 5]
        result = (a * number + b).eval()
        want = ((x * 2, x) if step % 3 == 0 else (x, x * 2))[0] * np.float32(number)
        want = want + (x if step % 3 == 0 else x * 2)
        if step % 2:
            kept.append(result)  # so that the next one gets another block
        assert get(result).tolist() == want.tolist()
        if step % 7 == 0:
            del a, b
            _isthmus._pool_trim(name, 0)  # an address may come to mean other memory
    assert all(len(get(result)) >= 5 for result in kept)


@devices
def test_the_sign_of_a_zero_is_a_new_number(name: str) -> None:
    xp.config.inline = "0"
    x = put(np.zeros(8, np.float32), name)
    for zero in (0.0, -0.0, 0.0, -0.0):
        assert np.signbit(get((xp.copysign(x + 1, zero)).eval())).all() == np.signbit(zero)


@devices
def test_a_kernel_of_several_passes_is_told_again(name: str) -> None:
    xp.config.inline = "0"
    for count in (3000, 3000, 5000, 3000):
        x = np.arange(count, dtype=np.int32)
        a = put(x, name)
        for factor in (1, 2, 2):
            assert int(xp.sum(a * factor).item()) == int(x.sum()) * factor


@devices
def test_a_loop_that_drops_its_results_needs_one_block(name: str) -> None:
    xp.config.inline = "0"
    x = np.arange(100_000, dtype=np.float32)
    a = put(x, name)
    (a + 1).eval()
    before = _isthmus._pool_statistics(name)["misses"]
    for _ in range(50):
        (a + 1).eval()
    last = a + 2  # behind all of them, in the same block
    assert np.array_equal(get(last), x + 2)
    assert _isthmus._pool_statistics(name)["misses"] <= before + 1  # get() may take one


@pytest.mark.parametrize("name", REAL)
def test_passes_leave_their_scratch_to_the_next_ones(name: str) -> None:
    xp.config.inline = "0"
    x = np.arange(20_000, dtype=np.int64)[::-1].copy()
    a = put(x, name)
    for result in (xp.sum(a).eval(), xp.sort(a).eval()):
        del result
    xp.synchronize(a.device)
    before = _isthmus._pool_statistics(name)
    for _ in range(20):
        total, ordered = xp.sum(a).eval(), xp.sort(a).eval()
        xp.synchronize(a.device)
    after = _isthmus._pool_statistics(name)
    assert after["misses"] <= before["misses"] + 1  # the results of two rounds are alive at once
    assert after["hits"] >= before["hits"] + 70, "a result and scratch of two kernels each"
    assert int(total.item()) == int(x.sum())
    assert np.array_equal(get(ordered), np.sort(x))


@devices
def test_threads_share_a_kernel_and_not_what_it_is_told(name: str) -> None:
    xp.config.inline = "0"
    wrong: list[int] = []

    def work(number: int) -> None:
        a = put(np.full(64, number, np.float32), name)
        for step in range(30):
            if get((a * 2 + step).eval())[0] != 2 * number + step:
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@devices
def test_synchronize_waits_for_what_was_put_last(name: str) -> None:
    xp.config.inline = "0"
    a = put(np.ones(1000, np.float32), name)
    for count in range(1, 20):
        y = a
        for _ in range(count):
            y = (y + 1).eval()
        xp.synchronize(name)
        assert get(y)[-1] == 1 + count
        xp.synchronize(name)  # nothing is left
