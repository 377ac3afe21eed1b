"""A program can never tell that it was lazy, except by the clock: design.md, section 3."""

from __future__ import annotations

import gc
import operator
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import assert_same, get, put

needs_lazy = pytest.mark.lazy


def kernels() -> int:
    return int(xp.statistics()["kernels"])


def kernels_of(action: Callable[[], Any]) -> int:
    before = kernels()
    action()
    return kernels() - before


@needs_lazy
def test_an_operation_is_pending_until_somebody_looks(device: xp.Device) -> None:
    x = put(np.arange(5.0, dtype=np.float32), device)
    before = kernels()
    y = x + 1
    assert y.is_pending and kernels() == before
    assert y.eval() is y
    assert not y.is_pending and kernels() == before + 1
    assert get(y).tolist() == [1, 2, 3, 4, 5]
    assert kernels_of(lambda: y.eval()) == 0


@needs_lazy
@pytest.mark.parametrize(
    "look",
    [
        pytest.param(lambda x: x.eval(), id="eval"),
        pytest.param(repr, id="printing"),
        pytest.param(lambda x: x[0].item(), id="item"),
        pytest.param(lambda x: bool(x[0]), id="bool"),
        pytest.param(lambda x: int(x[0]), id="int"),
        pytest.param(lambda x: float(x[0]), id="float"),
        pytest.param(lambda x: complex(x[0]), id="complex"),
        pytest.param(lambda x: operator.index(x[0]), id="index"),
        pytest.param(lambda x: x.to_device("cpu").eval(), id="to_device"),
        pytest.param(lambda x: operator.setitem(x, 0, 1), id="setitem"),
        pytest.param(
            lambda x: operator.iadd(x, 1),  # type: ignore[no-untyped-call]
            id="in place",
        ),
    ],
)
def test_whoever_must_see_a_value_evaluates_it(
    look: Callable[[xp.Array], Any], device: xp.Device
) -> None:
    x = put(np.arange(4, dtype=np.int32), device) + 1
    look(x)
    assert not x.is_pending


@needs_lazy
@pytest.mark.no_kernel
def test_a_probe_for_a_protocol_evaluates_nothing(device: xp.Device) -> None:
    x = put(np.arange(4, dtype=np.float32), device) * 2
    names = ["__dlpack__", "__array__", "__cuda_array_interface__"]
    if device.info["memory_kinds"][0] == "buffer" or device.backend in ("cpu", "null"):
        names.append("__sycl_usm_array_interface__")  # elsewhere it holds the address as well
    if str(device) == "null:2":  # elsewhere it holds the address, so that there must be one
        names.append("__array_interface__")
    for name in names:
        hasattr(x, name)
    assert x.is_pending, "a probe by hasattr evaluated it"


@needs_lazy
@pytest.mark.no_kernel
def test_dropped_nodes_never_run(device: xp.Device) -> None:
    x = put(np.arange(4, dtype=np.float32), device)
    before = kernels()
    y = x + 1
    z = y * 2
    del y, z
    assert kernels() == before
    assert xp.counters()["nodes"] == 0


@needs_lazy
def test_six_operations_with_sin_are_one_kernel(device: xp.Device) -> None:
    a, b, c, d = (put(np.linspace(1, 2, 1000, dtype=np.float32), device) for _ in range(4))
    y = 2 * a + b * xp.sin(c) - d / 3
    assert kernels_of(y.eval) == 1


@needs_lazy
def test_values_that_are_held_are_outputs_of_one_kernel(device: xp.Device) -> None:
    x = put(np.arange(8, dtype=np.float32), device)
    y = x + 1
    z = y * 2
    assert kernels_of(z.eval) == 1
    assert not y.is_pending, "it was calculated on the way"
    assert get(y).tolist() == list(range(1, 9)) and get(z).tolist() == list(range(2, 18, 2))


@needs_lazy
def test_creation_functions_fuse_and_cost_no_memory(device: xp.Device) -> None:
    y = (
        xp.arange(100, dtype="float32", device=device)
        * xp.full((100,), 2.0, dtype="float32", device=device)
        + 1
    )
    assert kernels_of(y.eval) == 1
    assert get(y)[99] == 199


def test_a_view_of_a_pending_value_shares_it(device: xp.Device) -> None:
    x = put(np.arange(6, dtype=np.int32), device)
    y = x * 10
    view = y[1::2]
    view[...] = 7
    assert get(y).tolist() == [0, 7, 20, 7, 40, 7]
    assert get(view).tolist() == [7, 7, 7]
    y[0] = -1
    y += 1
    assert get(view).tolist() == [8, 8, 8]


def test_a_view_of_a_view_of_a_pending_value_shares_it(device: xp.Device) -> None:
    y = put(np.arange(12, dtype=np.int16).reshape(3, 4), device) + 0
    view = y.T[::-1, 1:][0]
    view += 100
    assert get(y)[1:, 3].tolist() == [107, 111]
    assert get(y).sum() == 66 + 200


def test_a_view_survives_its_pending_base(device: xp.Device) -> None:
    y = put(np.arange(5, dtype=np.int32), device) * 3
    view = y[::-1]
    del y
    gc.collect()
    assert get(view).tolist() == [12, 9, 6, 3, 0]


def test_a_write_is_not_seen_by_readers_that_were_there_before(device: xp.Device) -> None:
    x = put(np.zeros(4, np.int32), device)
    before = x + 1
    x[...] = 10
    after = x + 1
    x += 5
    assert get(before).tolist() == [1] * 4
    assert get(after).tolist() == [11] * 4
    assert get(x).tolist() == [15] * 4


def test_a_write_through_a_view_is_not_seen_by_pending_readers_of_the_base(
    device: xp.Device,
) -> None:
    x = put(np.arange(6, dtype=np.int32), device)
    sums, doubled, part = xp.sum(x), x * 2, x[3:] + 0
    x[::-2] = 100
    assert sums.item() == 15
    assert get(doubled).tolist() == [0, 2, 4, 6, 8, 10]
    assert get(part).tolist() == [3, 4, 5]
    assert get(x).tolist() == [0, 100, 2, 100, 4, 100]


@needs_lazy
def test_a_write_evaluates_only_readers_of_what_it_changes(device: xp.Device) -> None:
    x = put(np.arange(8, dtype=np.int32), device)
    elsewhere, here = x[:4] + 1, x[4:] + 1
    x[4:] = 0
    assert elsewhere.is_pending and not here.is_pending
    assert get(here).tolist() == [5, 6, 7, 8]
    assert get(elsewhere).tolist() == [1, 2, 3, 4]


@needs_lazy
def test_a_write_fuses_its_right_hand_side(device: xp.Device) -> None:
    x, y = (put(np.arange(64, dtype=np.float32), device) for _ in range(2))
    value = y * 2 + 1

    def write() -> None:
        nonlocal value
        taken, value = value, y
        x[...] = taken

    assert kernels_of(write) == 1
    assert get(x).tolist() == [2 * i + 1 for i in range(64)]


@pytest.mark.parametrize("step", ["x[1:] = x[:-1]", "x[:-1] = x[1:]", "x[:] = x[::-1]"])
def test_overlapping_operands_of_a_write_give_what_numpy_gives(
    step: str, device: xp.Device
) -> None:
    wanted = np.arange(1000, dtype=np.int32)
    x = put(wanted, device)
    exec(step, {"x": x})
    exec(step, {"x": wanted})
    assert_same(get(x), wanted)


@pytest.mark.parametrize(
    "step", ["x[1:] += x[:-1]", "x += x[::-1]", "x[::2] *= x[1::2]", "x -= x[0]", "x += x"]
)
def test_overlapping_operands_in_place_give_what_numpy_gives(step: str, device: xp.Device) -> None:
    wanted = np.arange(1000, dtype=np.int64)
    x = put(wanted, device)
    exec(step, {"x": x})
    exec(step, {"x": wanted})
    assert_same(get(x), wanted)


def test_a_pending_value_that_reads_the_target_is_calculated_first(device: xp.Device) -> None:
    x = put(np.arange(6, dtype=np.int32), device)
    y = x[::-1] * 2
    x[...] = y
    assert get(x).tolist() == [10, 8, 6, 4, 2, 0]
    assert get(y).tolist() == [10, 8, 6, 4, 2, 0]


def test_in_place_operators_work_on_pending_values(device: xp.Device) -> None:
    x = put(np.arange(4, dtype=np.float32), device) + 1
    y = x * 2
    x *= 10
    x -= y
    assert get(x).tolist() == [8, 16, 24, 32]
    assert get(y).tolist() == [2, 4, 6, 8]


def test_arrays_without_axes_are_written_and_shared_like_others(device: xp.Device) -> None:
    x = put(np.arange(3, dtype=np.int32), device)
    y = x + 1
    element = y[1]
    reader = element * 10
    element += 5
    element[...] = element + y[0]
    assert get(y).tolist() == [1, 8, 3]
    assert reader.item() == 20


# The bits: fused or step by step.


def expression(step: Callable[[xp.Array], xp.Array], a: xp.Array, b: xp.Array) -> xp.Array:
    x = step(step(a * b) + step(a / 3))
    x = step(step(xp.sqrt(step(abs(x)))) - step(b * b))
    x = step(xp.where(step(x > 0), step(xp.sin(x)), step(x * 0.1)))
    x = step(x + step(xp.sum(x, axis=0)))
    return step(step(x * a) + step(x * b))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64"])
@pytest.mark.parametrize("shape", [(7, 5), (3, 700), (1, 1), (2, 0)])
def test_fused_and_materialised_results_agree_to_the_bit(
    dtype: str, shape: tuple[int, ...], device: xp.Device
) -> None:
    if dtype == "float64" and not device.info["fp64"]:
        pytest.skip(f"{device} has no float64")
    (put(np.ones(1, np.float32), device) + 1).eval()  # there is nothing to run on no elements
    rng = np.random.default_rng(5)
    a, b = (
        xp.astype(put(rng.uniform(-2, 2, shape).astype(np.float32), device), getattr(xp, dtype))
        for _ in range(2)
    )
    if dtype == "complex64":
        c = a * (1 + 2j) + b
        fused = c * b - a / (c + 3)
        steps: list[xp.Array] = [(c * b).eval(), (c + 3).eval()]
        steps.append((a / steps[1]).eval())
        assert_same(get(fused), get(steps[0] - steps[2]))
        return
    fused = expression(lambda x: x, a, b)
    stepped = expression(lambda x: x.eval(), a, b)
    assert_same(get(fused), get(stepped), dtype)


def test_half_precision_is_rounded_after_every_step(device: xp.Device) -> None:
    x = put(np.full(5, 1, np.float16), device)
    small = put(np.full(5, 2.0**-12, np.float16), device)
    y = x
    for _ in range(8):
        y = y + small
    assert get(y).tolist() == [1.0] * 5, "in float32 the sum would have grown"
    large = put(np.full(3, 60000, np.float16), device)
    assert get((large + large) - large).tolist() == [np.inf] * 3


def test_products_and_sums_are_not_contracted(device: xp.Device) -> None:
    x = np.float32(1) + np.float32(2) ** -12
    a = put(np.full(64, x, np.float32), device)
    c = put(np.full(64, -(x * x), np.float32), device)
    assert get(a * a + c).tolist() == [0.0] * 64, "a fused multiply-add gives the rounding error"


# Long and wide graphs.


def test_a_chain_of_100_000_operations_is_fine(device: xp.Device) -> None:
    count = 100_000 if str(device) == "cpu" else 10_000
    x = put(np.zeros(3, np.int32), device)
    for _ in range(count):
        x = x + 1
    assert get(x).tolist() == [count] * 3


@pytest.mark.no_kernel
def test_a_long_chain_can_be_dropped(device: xp.Device) -> None:
    x = put(np.zeros(3, np.int32), device)
    for _ in range(20_000):
        x = x * 2
    del x


def test_a_value_used_twice_in_each_of_many_steps_is_calculated_once(device: xp.Device) -> None:
    x = put(np.ones(3, np.float32), device)
    for _ in range(100):
        x = x * 0.5 + x * 0.5
    assert get(x).tolist() == [1.0] * 3


def test_a_thousand_arrays_wait_for_one(device: xp.Device) -> None:
    x = put(np.arange(3, dtype=np.int32), device) + 1
    many = [x * i for i in range(1000)]
    assert get(many[999]).tolist() == [999, 1998, 2997]
    firsts: list[int] = [int(y[0].item()) for y in many[:50]]
    assert sum(firsts) == 49 * 25


# Several threads.


def together(count: int, action: Callable[[int], None]) -> None:
    """Runs it in many threads at once; raises the first error."""
    errors: list[BaseException] = []
    barrier = threading.Barrier(count)

    def body(number: int) -> None:
        try:
            barrier.wait()
            action(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=body, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive(), "a thread hangs"
    if errors:
        raise errors[0]


def test_16_threads_force_one_array(device: xp.Device) -> None:
    def force(number: int) -> None:
        assert float(y[number].item()) == 7 * number

    for _ in range(20):
        x = put(np.arange(1000, dtype=np.float32), device)
        y = x * 2
        for _ in range(5):
            y = y + x
        together(16, force)
        assert_same(get(y), np.arange(1000, dtype=np.float32) * 7)


def test_threads_build_graphs_on_one_array(device: xp.Device) -> None:
    base = put(np.arange(64, dtype=np.int64), device) + 1
    results: dict[int, Any] = {}

    def build(number: int) -> None:
        y = base
        for _ in range(200):
            y = y + number
        results[number] = get(y)

    together(8, build)
    for number, result in results.items():
        assert result.tolist() == [i + 1 + 200 * number for i in range(64)]


def test_threads_write_to_parts_of_one_array_while_others_read_it(device: xp.Device) -> None:
    x = put(np.zeros(64, np.int32), device)

    def write(number: int) -> None:
        for _ in range(50):
            if number % 2:
                x[8 * number : 8 * number + 8] += 1
            else:
                assert int(xp.max(x).item()) <= 50

    together(8, write)
    wanted = np.zeros((8, 8), np.int32)
    wanted[1::2] = 50
    assert_same(get(x), wanted.reshape(64))


def test_fusing_holds_for_the_thread_that_promised(device: xp.Device) -> None:
    (put(np.ones(1, np.float32), device) + 1).eval()
    memory = np.ones(4, np.float32)
    x = xp.asarray(memory)
    pending: list[bool] = []
    with xp.fusing():
        thread = threading.Thread(target=lambda: pending.append((x + 1).is_pending))
        thread.start()
        thread.join()
    assert pending == [False]


def test_evaluation_lets_other_threads_run() -> None:
    x = xp.ones((1 << 22,), dtype="float32")
    for _ in range(20):
        x = xp.sin(x) + 0.5
    ticks: list[float] = []
    stop = threading.Event()

    def tick() -> None:
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)

    thread = threading.Thread(target=tick)
    thread.start()
    x.eval()
    stop.set()
    thread.join()
    assert len(ticks) > 2, "the GIL was held all the time"
