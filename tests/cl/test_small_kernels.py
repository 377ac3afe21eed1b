"""Calls of ElementwiseKernel that the host calculates itself, beside those that are launched."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from isthmus.cl import array as cl_array
from isthmus.cl import clmath
from isthmus.cl.elementwise import ElementwiseKernel

import isthmus as xp
from isthmus import CompileError
from tests.device.random_texts import KINDS, TextMaker

AXPY = "float *x, float *y, float a", "y[i] = a * x[i] + y[i]"


@pytest.fixture(autouse=True)
def _small(_settings_stay: None, request: pytest.FixtureRequest) -> Iterator[None]:
    if "queue" in request.fixturenames:
        request.getfixturevalue("kernel_queue")
    xp.config.inline = "auto"
    yield


def is_own(call: Any) -> bool:
    """Whether the host did it: kernels of users have no steps that we know of."""
    before = xp.statistics()["steps"]
    call()
    return bool(xp.statistics()["steps"] > before)


def reached(queue: Any) -> bool:
    """Whether the host can work on what is made on the queue."""
    before, xp.config.inline = xp.config.inline, "1"
    x = cl_array.to_device(queue, np.ones(2, np.float32))
    with xp.profile() as profile:
        (x + x).finish()
    xp.config.inline = before
    return bool(profile.kernels[0].where != "launched")


def settled(queue: Any, kernel: Any, *args: Any) -> None:
    """Builds the kernel, and waits until nothing is under way on its arrays."""
    kernel(*args)
    synchronize(queue)
    if isinstance(queue, xp.Queue):  # on `cpu` it is another device's queue
        for x in args:
            if isinstance(x, cl_array.Array):
                x.finish()


def synchronize(queue: Any) -> None:
    queue.synchronize() if isinstance(queue, xp.Queue) else queue.finish()


TEXTS = [
    ("float *x, float *y, float a", "y[i] = a * x[i] + y[i]", np.float32),
    ("double *x, double *y, double a", "y[i] = a * x[i] / y[i] - 1", np.float64),
    ("int *x, int *y, int a", "y[i] = x[i] > a ? y[i] ^ x[i] : a * y[i]", np.int32),
    ("uchar *x, uchar *y, uchar a", "y[i] = a * x[i] + y[i]", np.uint8),
    ("short *x, short *y, short a", "y[i] += a; x[i] -= y[i]; y[i] *= x[i]", np.int16),
    ("int *x, int *y, int a", "y[i] = max(x[i], a) - min(y[i], 50)", np.int32),
    ("float *x, float *y, float a", "y[i] = isnan(x[i] - a) ? sqrt(y[i]) : a", np.float32),
    ("long *x, long *y, long a", "y[i] = (x[i] & 255) + a * y[i]", np.int64),
    ("ulong *x, ulong *y, ulong a", "y[i] = ~x[i] | (y[i] - a)", np.uint64),
    ("float *x, float *y, float a", "float t = x[i]; x[i] = y[i]; y[i] = a * t", np.float32),
    ("float *x, float *y, double a", "y[i] = (float)(a * x[i]) + fabs(y[i] - 50)", np.float32),
    ("int *x, int *y, int a", "if (x[i] % 3) y[i] = x[i] / a; else y[i] %= 7", np.int32),
    (
        "float *x, float *y, float a",
        "/* in two ways */ if (x[i] < 50) { float t = max(y[i], x[i]); y[i] = t * a; } // or not\n",
        np.float32,
    ),
    ("const float *x, float *y, float a", "y[i] = x[i] < a ? x[i] / a : y[i]", np.float32),
]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[1])
@pytest.mark.parametrize("n", [1, 7, 1000, 40_000])
def test_bits_are_those_of_the_driver(queue: Any, text: Any, n: int) -> None:
    parameters, operation, dtype = text
    rng = np.random.default_rng(5)
    first, second = (rng.integers(1, 100, n) * 1.37).astype(dtype), rng.integers(1, 99, n)
    results = []
    for inline in "0", "1":
        xp.config.inline = inline
        kernel = ElementwiseKernel(queue.context, parameters, operation)
        x = cl_array.to_device(queue, first)
        y = cl_array.to_device(queue, second.astype(dtype))
        a = y[:1].copy()
        settled(queue, kernel, x, y, 3)
        own = is_own(lambda kernel=kernel, x=x, y=y: kernel(x, y, 5).wait())
        assert not (own and inline == "0")
        results.append((x.get().tobytes(), y.get().tobytes(), a.get().tobytes()))
    assert results[0] == results[1]


@pytest.mark.filterwarnings("ignore::isthmus.CompilerWarning")  # 1 && x, say
@pytest.mark.parametrize("seed", range(12))
def test_random_texts_have_the_bits_of_the_driver(cl_queue: Any, seed: int) -> None:
    made = TextMaker(seed)
    operation = re.sub(r"\b([xz]\d)\b", r"\1[i]", made.operation)
    names = {**made.inputs, **made.outputs}
    parameters = ", ".join(f"{KINDS[kind][0]} *{name}" for name, kind in names.items())
    hosts = made.elements(130) + [np.full(130, 3, kind) for kind in made.outputs.values()]
    hosts = [host.view(np.uint8) if host.dtype == bool else host for host in hosts]
    results = []
    for inline in "0", "1":
        xp.config.inline = inline
        kernel = ElementwiseKernel(cl_queue.context, parameters, operation)
        arrays = [cl_array.to_device(cl_queue, host) for host in hosts]
        settled(cl_queue, kernel, *arrays)
        for array, host in zip(arrays, hosts, strict=True):
            array.set(host)
        cl_queue.finish()
        own = is_own(lambda kernel=kernel, arrays=arrays: kernel(*arrays))
        # of zeros these give either, so that all calls are launched
        is_exact = "fmax(" not in operation and "fmin(" not in operation
        assert own == (inline == "1" and is_exact and reached(cl_queue)), operation
        results.append([array.get() for array in arrays])
    for one, other in zip(*results, strict=True):
        same = one == other
        if one.dtype.kind == "f":  # of NaN and zeros, too
            same = (same & (np.signbit(one) == np.signbit(other))) | (
                np.isnan(one) & np.isnan(other)
            )
        assert same.all(), operation


def test_small_calls_are_the_hosts_own(queue: Any) -> None:
    if not reached(queue):
        pytest.skip("the host does not reach the memory")
    kernel = ElementwiseKernel(queue.context, *AXPY)
    x = cl_array.to_device(queue, np.arange(1000, dtype=np.float32))
    y = cl_array.to_device(queue, np.zeros(1000, np.float32))
    assert not is_own(lambda: settled(queue, kernel, x, y, 1))  # a compiler has seen the text
    assert is_own(lambda: kernel(x, y, 2))
    assert is_own(lambda: kernel(x, y[:], 3.5))
    assert is_own(lambda: kernel(x[10:20], y[500:510], np.float32(1)))
    expected = 6.5 * np.arange(1000, dtype=np.float32)
    expected[500:510] += np.arange(10, 20)
    assert (y.get() == expected).all()
    large = cl_array.to_device(queue, np.zeros(100_000, np.float32))
    synchronize(queue)
    other = cl_array.to_device(queue, np.zeros(100_000, np.float32))
    assert not is_own(lambda: settled(queue, kernel, large, other, 1))
    xp.config.inline = "1"
    assert is_own(lambda: kernel(large, other, 1))
    xp.config.inline = "0"
    assert not is_own(lambda: kernel(x, y, 1))


@pytest.mark.parametrize(
    ("parameters", "operation", "options"),
    [
        ("float *x, float *y, float a", "y[i] = a * x[i] + i", {}),
        ("float *x, float *y, float a", "y[i] = a * x[i] + n", {}),
        ("float *x, float *y, float a", "y[i] = a * x[n - 1 - i]", {}),
        ("float *x, float *y, float a", "y[i] = *x + a", {}),
        ("float *x, float *y, float a", "while (y[i] < a) y[i] += x[i]", {}),
        ("float *x, float *y, float a", "if (a < 1) PYOPENCL_ELWISE_CONTINUE; y[i] = x[i]", {}),
        ("float *x, float *y, float a", "y[i] = sin(a * x[i])", {}),  # rounded by the driver
        ("float *x, float *y, float a", "y[i] = a * x[i]; y[i]++", {}),
        ("float *x, float *y, float a", "y[i] = A * x[i]", {"options": ["-DA=3"]}),
        ("float *x, float *y, float a", "y[i] = A * x[i]", {"preamble": "#define A 3"}),
        ("float *x, float *y, float a", "y[i] = a * x[i] * b", {"loop_prep": "float b = 2"}),
        ("float *x, float *y, float a", "y[i] = a * x[i]", {"after_loop": "x += 1"}),
        ("float *x, float *y, float a", "a += 1; y[i] = a * x[i]", {}),
    ],
)
def test_other_texts_are_launched(
    queue: Any, parameters: str, operation: str, options: dict[str, Any]
) -> None:
    xp.config.inline = "1"
    kernel = ElementwiseKernel(queue.context, parameters, operation, **options)
    x = cl_array.to_device(queue, np.arange(1, 9, dtype=np.float32))
    y = cl_array.zeros_like(x)
    settled(queue, kernel, x, y, 2)
    assert not is_own(lambda: kernel(x, y, 2).wait())
    assert y.get().all()


def test_arrays_that_overlap_are_the_drivers(queue: Any) -> None:
    kernel = ElementwiseKernel(queue.context, *AXPY)
    swap = ElementwiseKernel(
        queue.context, "float *x, float *y", "float t = x[i]; x[i] = y[i]; y[i] = t"
    )
    host = np.arange(100, dtype=np.float32)
    x, y = cl_array.to_device(queue, host), cl_array.to_device(queue, host)
    settled(queue, kernel, x, y, 1)
    settled(queue, swap, x, y)
    x.set(host)
    synchronize(queue)
    assert not is_own(lambda: kernel(x, x, 2))
    assert (x.get() == 3 * host).all()
    assert not is_own(lambda: swap(x, x))
    synchronize(queue)
    assert not is_own(lambda: kernel(x[50:], x[20:70], 0))  # both read and write their own
    y.set(host)
    synchronize(queue)
    swap(x[:50], x[50:])
    assert (x.get() == 3 * np.roll(host, 50)).all()
    reads = ElementwiseKernel(queue.context, "float *x, float *z, float *y", "y[i] = x[i] + z[i]")
    settled(queue, reads, x, x, y)
    assert is_own(lambda: reads(x, x, y)) == reached(queue)  # nobody writes to x
    assert (y.get() == 6 * np.roll(host, 50)).all()


def test_work_before_and_behind(queue: Any) -> None:
    """Values that are pending, kernels that are under way, and reads of what was there."""
    kernel = ElementwiseKernel(queue.context, *AXPY)
    large = ElementwiseKernel(queue.context, "float *x, float a", "x[i] = sin(x[i]) * 0 + a")
    host = np.arange(1000, dtype=np.float32)
    x, y = cl_array.to_device(queue, host), cl_array.zeros(queue, 1000, np.float32)
    settled(queue, kernel, x, y, 1)
    sums = host.copy()
    for k in range(20):
        pending = y * 2  # of y before
        made = x + k
        kernel(made, y, 2)
        assert (pending.get() == 2 * sums).all()
        sums += 2 * (host + k)
        assert (y.get() == sums).all()
    base = cl_array.zeros(queue, 1_000_000, np.float32)
    for k in range(5):
        large(base, k)  # under way
        part = base[:1000]
        kernel(x, part, 1)
        kernel(part, y, 1)
        sums += k + host
        assert (y.get() == sums).all()
        assert (base[:1000].get() == k + host).all()


def test_events_of_arrays(cl_queue: Any) -> None:
    import pyopencl as cl

    if not reached(cl_queue):
        pytest.skip("the host does not reach the memory")
    kernel = ElementwiseKernel(cl_queue.context, *AXPY)
    x = cl_array.to_device(cl_queue, np.ones(10, np.float32))
    y = cl_array.zeros_like(x)
    settled(cl_queue, kernel, x, y, 1)
    x.finish()
    y.finish()
    events = [kernel(x, y, 1) for _ in range(3)]
    assert all(isinstance(event, cl.UserEvent) for event in events)
    assert len({event.int_ptr for event in events}) == 3
    assert all(event.wait() is None for event in events)
    assert events[0].command_execution_status == cl.command_execution_status.COMPLETE
    assert events[0].context == cl_queue.context
    assert len(y.events) == 3 and len(x.events) == 3
    cl.wait_for_events(y.events)
    y.finish()
    assert not y.events
    # behind an event that is still to come
    gate = cl.UserEvent(cl_queue.context)
    y.add_event(gate)
    threading.Timer(0.05, gate.set_status, (cl.command_execution_status.COMPLETE,)).start()
    assert not is_own(lambda: kernel(x, y, 1))
    assert y.get().tolist() == [5] * 10
    assert kernel(x, y, 1, wait_for=events) is not None
    assert y.get().tolist() == [6] * 10


def test_memory_that_others_work_on(cl_queue: Any) -> None:
    import pyopencl as cl

    kernel = ElementwiseKernel(cl_queue.context, *AXPY)
    x = cl_array.to_device(cl_queue, np.ones(1000, np.float32))
    y = cl_array.zeros_like(x)
    settled(cl_queue, kernel, x, y, 1)
    shown = y.data
    for _ in range(10):
        if isinstance(shown, cl.Buffer):
            cl.enqueue_fill_buffer(cl_queue, shown, np.full(1, 7, np.float32), 0, 4000)
            kernel(x, y, 2)
            assert y.get().tolist() == [9] * 1000
    del shown
    kernel(x, y, 1)
    buffer = cl.Buffer(cl_queue.context, cl.mem_flags.READ_WRITE, 4000)
    over = cl_array.Array(cl_queue, 1000, np.float32, data=buffer)
    for _ in range(10):
        cl.enqueue_fill_buffer(cl_queue, buffer, np.full(1, 3, np.float32), 0, 4000)
        assert not is_own(lambda: kernel(x, over, 1))
        assert over.get().tolist() == [4] * 1000


def test_queues_that_take_times(cl_queue: Any) -> None:
    import pyopencl as cl

    timed = cl.CommandQueue(
        cl_queue.context, properties=cl.command_queue_properties.PROFILING_ENABLE
    )
    x, y = (cl_array.zeros(timed, 10, np.float32) for _ in range(2))
    u, v = (cl_array.zeros(cl_queue, 10, np.float32) for _ in range(2))
    kernel = ElementwiseKernel(cl_queue.context, *AXPY)
    for _ in range(3):
        event = kernel(x, y, 1)
        event.wait()
        assert event.profile.end >= event.profile.start
        settled(cl_queue, kernel, u, v, 1)


def test_wrong_arguments(queue: Any) -> None:
    kernel = ElementwiseKernel(queue.context, "float *x, int *y, int a", "y[i] = y[i] + a")
    x, y = cl_array.zeros(queue, 10, np.float32), cl_array.zeros(queue, 10, np.int32)
    settled(queue, kernel, x, y, 1)
    for _ in range(2):
        with pytest.raises(TypeError, match="takes 3 arguments"):
            kernel(x, y)
        with pytest.raises(TypeError, match=r"expected an isthmus\.cl\.array\.Array, not"):
            kernel(np.zeros(10, np.float32), y, 1)
        with pytest.raises(TypeError, match="expected int32"):
            kernel(x, cl_array.zeros(queue, 10, np.int64), 1)
        with pytest.raises(TypeError, match="expected a int32"):
            kernel(x, y, 1.5)
        with pytest.raises(OverflowError):
            kernel(x, y, 2**31)
        kernel(x, y, np.int8(2))
    assert y.get().tolist() == [5] * 10
    for operation in ("y[i] = x[i] +", "y[i] = z[i]", "y[i] = x[i] % 2", "x[i] = 1; q = 2"):
        wrong = ElementwiseKernel(queue.context, "float *x, int *y", operation)
        for _ in range(2):
            with pytest.raises(CompileError):
                wrong(x, y)
    assert kernel(x[:0], y[:0], 1).wait() is None
    short = y[:3]
    settled(queue, kernel, x[:3], short, 0)
    kernel(x[:3], short, 1)
    assert y.get().tolist() == [6] * 3 + [5] * 7


def test_layouts_and_readers(queue: Any) -> None:
    kernel = ElementwiseKernel(queue.context, *AXPY)
    host = np.arange(24, dtype=np.float32)
    x, y = cl_array.to_device(queue, host), cl_array.zeros(queue, 24, np.float32)
    settled(queue, kernel, x, y, 0)
    kernel(x[::2], y[:12], 1)
    kernel(x[12:].reshape(3, 4), y[12:].reshape(3, 4), 1)
    expected = np.concatenate([host[::2], host[12:]])
    assert (y.get() == expected).all()
    turned = cl_array.zeros(queue, (4, 6), np.float32, order="F")
    kernel(x.reshape(4, 6), turned, 1)
    assert (turned.get() == host.reshape(4, 6)).all()
    same_bytes = cl_array.zeros(queue, 24, np.int32)
    kernel(x, same_bytes, 1)  # four bytes are four bytes
    synchronize(queue)
    assert (same_bytes.get().view(np.float32) == host).all()


def test_profiles_and_threads(queue: Any) -> None:
    kernel = ElementwiseKernel(queue.context, *AXPY)
    x = cl_array.to_device(queue, np.ones(500, np.float32))
    y = cl_array.zeros_like(x)
    settled(queue, kernel, x, y, 0)
    with xp.profile() as profile:
        kernel(x, y, 0)
    (record,) = profile.kernels
    assert (record.where != "launched") == reached(queue)

    def add() -> None:
        for _ in range(200):
            kernel(x, y, 1)

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert y.get().tolist() == [800] * 500


OPERATIONS: dict[str, Any] = {
    "add": lambda x: x + 1,
    "in place": lambda x: x.__iadd__(1),
    "slice": lambda x: x[::-1] * 2,
    "sin": clmath.sin,
    "sum": cl_array.sum,
    "cumsum": cl_array.cumsum,
    "astype": lambda x: x.astype(np.int32),
    "compare": lambda x: x > 3,
    "copy": lambda x: x.copy(),
    "fill": lambda x: x.fill(3),
}


@pytest.mark.parametrize("is_shown", [True, False])
@pytest.mark.parametrize("name", OPERATIONS)
def test_small_operations_behind_a_closed_gate(cl_queue: Any, name: str, is_shown: bool) -> None:
    """With the gate closed, a call that waits hangs."""
    import pyopencl as cl

    gate = cl.UserEvent(cl_queue.context)
    queue = cl.CommandQueue(cl_queue.context)
    x = cl_array.to_device(queue, np.arange(12, dtype=np.float32))
    if is_shown:
        assert x.data is not None
    x.add_event(gate)
    found = OPERATIONS[name](x)
    assert len(found.events) > 0
    gate.set_status(cl.command_execution_status.COMPLETE)
    again = OPERATIONS[name](cl_array.to_device(queue, np.arange(12, dtype=np.float32)))
    np.testing.assert_allclose(found.get(), again.get(), rtol=1e-6)
