"""A signal ends one long kernel on the host, whatever its form, and the library works after it."""

from __future__ import annotations

import textwrap

import pytest

from tests.programs import run

PROGRAM = """
import os, signal, threading, time
import isthmus as xp

# a shell starts background jobs with the signal ignored, and Python inherits that
signal.signal(signal.SIGINT, signal.default_int_handler)

def one(shape, dtype="float32"):
    return xp.broadcast_to(xp.ones((), dtype=dtype), shape)

def row(shape):
    return xp.broadcast_to(xp.ones((1, shape[1]), dtype="float32"), shape)

def slow_map(count):
    z = xp.arange(count, dtype="complex128")
    for _ in range(20):
        z = xp.atanh(xp.sin(z))
    return z

def is_interrupted(look, seconds=0.2):
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    start = time.monotonic()
    timer.start()
    try:
        look()
    except KeyboardInterrupt:
        return time.monotonic() - start < 5
    finally:
        timer.join()
    return False
"""

# Operands that take no memory, and a map and a partition whose results do: 10 s and more each, but
# of the partition, which takes a few.
KERNELS = {
    "sum": "xp.sum(one((20_000_000_000,)) + 1)",
    "max": "xp.max(xp.cos(one((200_000, 100_000))))",
    "sum-of-columns": "xp.sum(xp.cos(row((200_000, 100_000))), axis=0)",
    "sum-of-rows": "xp.sum(xp.cos(row((200_000, 100_000))), axis=1)",
    "map": "slow_map(10_000_000)",
    "partition": "xp.partition(one((600_000_000,), 'int8'), 5)",
}


def run_after(text: str, **environment: str) -> list[str]:
    out, err = run(PROGRAM + textwrap.dedent(text), **environment)
    assert err == ""
    return out.splitlines()


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_an_interrupt_ends_a_kernel_on_the_host(kernel: str, threads: str) -> None:
    text = f"""
        before = xp.counters()["memories"], xp.counters()["nodes"]
        x = {KERNELS[kernel]}
        for look in (x.eval, x.tolist):
            print(is_interrupted(look), x.is_pending)
        y = xp.sum(xp.arange(100_000, dtype="int64"))
        print(int(y), (xp.ones(3) + 1).tolist())
        del x, y, look
        print((xp.counters()["memories"], xp.counters()["nodes"]) == before)
    """
    lines = run_after(text, ISTHMUS_NUM_THREADS=threads)
    assert lines == ["True True", "True True", "4999950000 [2.0, 2.0, 2.0]", "True"]


def test_the_map_that_is_interrupted_is_one_kernel() -> None:
    text = """
        with xp.profile() as profile:
            slow_map(10).eval()
        print(len(profile.kernels))
    """
    assert run_after(text) == ["1"]


def test_an_interrupt_ends_an_eager_operation() -> None:
    text = """
        print(is_interrupted(lambda: xp.sum(one((400_000_000_000,)))))
        print((xp.ones(3) + 1).tolist(), (xp.ones(3) + 1).is_pending)
    """
    assert run_after(text, ISTHMUS_EAGER="1") == ["True", "[2.0, 2.0, 2.0] False"]


def test_an_interrupt_ends_a_search_for_what_is_true() -> None:
    # takes seconds where it is not heard, most of them for 3 GB of positions
    text = """
        mask = one((400_000_000,), "bool").copy().eval()
        before = xp.counters()["memories"]
        start = time.monotonic()
        print(is_interrupted(lambda: xp.nonzero(mask), 0.05), time.monotonic() - start < 1)
        print(xp.counters()["memories"] == before, xp.nonzero(mask[:3])[0].tolist())
    """
    lines = run_after(text, ISTHMUS_NUM_THREADS="1")
    assert lines == ["True True", "True [0, 1, 2]"]


def test_what_was_interrupted_can_be_finished() -> None:
    text = """
        for _ in range(5):  # on a busy machine the signal may come when all is done
            total = xp.sum(one((1_000_000_000,)) + 1, dtype="float64")
            if is_interrupted(total.eval, seconds=0.03) and total.is_pending:
                break
        print(total.is_pending)
        print(total.item())
    """
    assert run_after(text, ISTHMUS_NUM_THREADS="1") == ["True", "2000000000.0"]


def test_a_write_in_place_is_done_whole_or_not_at_all() -> None:
    text = """
        x = slow_map(200_000)
        wanted = slow_map(200_000).tolist()
        z = xp.zeros(200_000, dtype="complex128")
        def write():
            z[...] = x
            for _ in range(300):  # where the signal is heard after it
                time.sleep(0.01)
        print(is_interrupted(write, seconds=0.1))
        found = z.tolist()
        print(found == wanted or not any(found))
    """
    assert run_after(text, ISTHMUS_NUM_THREADS="1") == ["True", "True"]


def test_numpy_loses_no_interrupt_where_it_takes_a_pending_array() -> None:
    # NumPy clears the error of a buffer, and asks the array in another way
    text = """
        import numpy as np

        class Late(Exception):
            pass

        def raise_late(*_):
            raise Late

        out = np.empty(10_000_000, dtype="complex128")
        calls = [np.asarray, np.copy, lambda x: x.to_numpy(), lambda x: x.tobytes(),
                 lambda x: np.copyto(out, x), lambda x: memoryview(x)]
        ways = (signal.default_int_handler, KeyboardInterrupt), (raise_late, Late)
        for handler, wanted in ways:
            signal.signal(signal.SIGALRM, handler)
            for call in calls:
                x = slow_map(10_000_000)
                signal.setitimer(signal.ITIMER_REAL, 0.05)
                try:
                    call(x)
                except wanted:
                    print("raised", x.is_pending)
                (xp.ones(3) + 1).__array_interface__  # of another array: nothing is raised twice

        x = slow_map(10_000_000)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        try:
            memoryview(x)
        except Late:
            pass
        x[:1].__array_interface__
        x = x[:3].copy()
        x.__array_interface__
        print(len(np.asarray(x)))
    """
    assert run_after(text) == ["raised True"] * 12 + ["3"]


# Of half a minute and more.
PRODUCTS = {
    "blas": "square('float64') @ square('float64')",
    "blas-of-long-rows": "long('complex128') @ long('complex128').mT",
    "blocks": "square('int64') @ square('int64')",
    "stack": "stack('int32') @ stack('int32')",
}


@pytest.mark.parametrize("product", PRODUCTS)
def test_an_interrupt_ends_a_product_within_a_second(product: str) -> None:
    left, right = PRODUCTS[product].split(" @ ")
    text = f"""
        def square(dtype):
            return xp.ones((8000, 8000), dtype=dtype)
        def long(dtype):
            return xp.ones((1500, 30_000), dtype=dtype)
        def stack(dtype):
            return xp.broadcast_to(xp.ones((300, 300), dtype=dtype), (5_000, 300, 300))
        raised = []
        def signal_at(seconds):
            time.sleep(seconds)
            raised.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)
        x = {left}.eval()
        y = {right}.eval()
        threading.Thread(target=signal_at, args=(1.0,)).start()
        try:
            x @ y
            print("it was done")
        except KeyboardInterrupt:
            print(time.monotonic() - raised[0] < 3)  # a second, and what a busy machine takes
        del x, y
        print((xp.ones((2, 2), dtype="int64") @ xp.ones((2, 2), dtype="int64")).tolist())
    """
    lines = run_after(text, ISTHMUS_NUM_THREADS="1")
    assert lines == ["True", "[[2, 2], [2, 2]]"]


SLOW = """
__kernel void slow(__global float* x, long n) {
  float a = x[0];
  for (long i = 0; i < n; ++i) a = sin(a) + .1f;
  x[0] = a;
}
"""


def test_a_wait_behind_work_of_others_on_their_queue_is_ended() -> None:
    """A wait for little of ours is the driver's alone, unless others have put more before it."""
    pytest.importorskip("pyopencl")
    text = """
        xp.devices()  # finds Intel's runtime
        import numpy as np, pyopencl as cl, warnings
        warnings.simplefilter("ignore")  # what compilers say
        context = cl.Context(cl.get_platforms()[-1].get_devices()[:1])
        queue = cl.CommandQueue(context)
        slow = cl.Kernel(cl.Program(context, SLOW).build(), "slow")
        memory = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4)
        xp.config.inline = "0"
        with xp.Queue(queue) as ours:
            x = xp.ones(1000, dtype="float32", device=ours.device) + 1
            (x + x).to_numpy()  # all is built
            slow(queue, (1,), None, memory, np.int64(1000)).wait()
            slow(queue, (1,), None, memory, np.int64(100_000_000))
            queue.flush()
            print(is_interrupted(lambda: (x + x).tolist()))
            print((x + x).to_numpy()[:2])
    """
    assert run_after(f"SLOW = {SLOW!r}\n" + textwrap.dedent(text)) == ["True", "[4. 4.]"]
