"""Every driver call fails once, and from then on: no crash, no leak, usable after."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from isthmus import _isthmus
from tests.device.arrays import get, put
from tests.device.control import LAUNCH, OUT_OF_MEMORY, failing_calls, failing_commands, lost, table
from tests.device.test_process import run
from tests.garbage import keep_what_is_there
from tests.ways import DEVICES, NULLS, REAL

pytestmark = pytest.mark.no_kernel
ERRORS = (xp.LaunchError, xp.OutOfMemoryError, xp.CompileError)
null = pytest.mark.skipif("null:1" not in DEVICES, reason="there is no null backend; build it")
nulls = pytest.mark.parametrize("name", [pytest.param(n, marks=null) for n in NULLS])
drivers = pytest.mark.parametrize("name", [*(pytest.param(n, marks=null) for n in NULLS), *REAL])
eager = pytest.mark.parametrize("eager", [False, True], ids=["lazy", "eager"])


def elementwise(device: str) -> Any:
    x = put(np.arange(60, dtype=np.float32).reshape(6, 10), device)
    return get((x[::-1] * 2 + x) / 3).sum()


def reduction(device: str) -> Any:
    x = xp.arange(100, dtype="int32", device=device)
    return xp.sum(x * x).item() + xp.max(x).item()


def write(device: str) -> Any:
    x = put(np.arange(20, dtype=np.int32), device)
    reader = x + 1
    x[::2] = reader[:10] * 2
    x += reader
    x[1:] = x[:-1]
    return get(x).sum() + get(reader).sum()


def several_outputs(device: str) -> Any:
    x = xp.ones((50,), dtype="float32", device=device)
    y = x + 1
    z = y * y
    w = xp.concat((z, y, x))
    return get(w).sum() + get(z).sum()


def two_results(device: str) -> Any:
    x = put(np.linspace(-5, 5, 50, dtype=np.float32), device)
    mantissa, exponent = xp.frexp(x)
    return get(exponent).sum() + get(mantissa)[3] + get(xp.divmod(x, 2)[1] + 1)[7]


def reductions_beside(device: str) -> Any:
    low, high = xp.min_max(put(np.linspace(-5, 5, 50, dtype=np.float32), device) * 2)
    return get(high).item() + get(low).item()


def transfer(device: str) -> Any:
    x = put(np.arange(8, dtype=np.int16), device)
    other = {"null:2": "null:1", "sycl:0": "opencl:0"}.get(device, "null:2")
    return get(x.to_device(other).to_device("cpu").to_device(device)).sum()


def places(device: str) -> Any:
    x = put(np.arange(40, dtype=np.float32), device)
    at = put(np.array([3, -1, 7, 3]), device)
    x[at] = x[at] * 2 + 1
    return get(x).sum() + get(xp.take(x * 2, at)).sum()


def late_places(device: str) -> Any:
    x = put(np.arange(40, dtype=np.float32), device)
    later = put(np.array([3, -1, 7, 3]), device) + 1
    x[later] = xp.take(x, later * 2) + 1
    return get(x[later]).sum() + get(x).sum()


def masks(device: str) -> Any:
    x = put(np.arange(40, dtype=np.float32), device)
    x[x > 30] = 0
    return get(x[x > 5]).sum() + get(x).sum()


def scans(device: str) -> Any:
    x = put(np.arange(3000, dtype=np.float32)[::-1].reshape(2, 1500).copy(), device)
    return get(xp.cumulative_sum(x * 2, axis=1))[1, -1]


def sorts(device: str) -> Any:
    x = put(np.arange(3000, dtype=np.float32)[::-1].reshape(2, 1500).copy(), device)
    return get(xp.sort(x + 1))[0, 0] + get(xp.argsort(x))[0, 0] + get(xp.partition(x, 2))[0, 2]


def long_rows(device: str) -> Any:
    x = put(np.arange(3000, dtype=np.float32)[::-1].copy(), device)
    return get(xp.argsort(x))[0]  # by digits on a CPU


def products(device: str) -> Any:
    x = put(np.arange(12, dtype=np.float32).reshape(3, 4), device)
    made = (x + 1) @ x.T
    return get(made).sum() + get(xp.einsum("ij,ij->i", x, x * 2)).sum()


def factors(device: str) -> Any:
    x = put(np.eye(3, dtype=np.float32) * 4, device)
    if not _isthmus._is_host_reachable(x):
        return get(xp.linalg.vector_norm(x + 1)).item()
    made = xp.linalg.solve(x + 1, xp.linalg.cholesky(x))
    return get(made).sum() + get(xp.linalg.svd(x).U).sum()


# Each makes few calls of drivers: each of them fails in turn, and all are made again each time.
WORKLOADS: dict[str, Callable[[str], Any]] = {
    function.__name__: function
    for function in (
        elementwise,
        reduction,
        write,
        several_outputs,
        two_results,
        reductions_beside,
        transfer,
        places,
        late_places,
        masks,
        scans,
        sorts,
        long_rows,
        products,
        factors,
    )
}


@pytest.fixture(autouse=True)
def _short_delays() -> Iterator[None]:
    if "null:1" in DEVICES:
        table().set_delay(5)
    yield
    if "null:1" in DEVICES:
        table().set_delay(300)


def calls_that_fail(count: int, name: str, *, is_variant: bool = False) -> range:
    """Of the calls of a real driver a dozen fail, since all of them take minutes; of a variant
    three others. ISTHMUS_TEST_ALL_CALLS=1 has each of them fail, as each does of null's."""
    if name not in REAL or os.environ.get("ISTHMUS_TEST_ALL_CALLS") == "1":
        return range(1, count + 1)
    step = max(count // (3 if is_variant else 12), 1)
    return range(1 + (step // 2 if is_variant else 0), count + 1, step)


def forget() -> None:
    """Kernels and idle memory, so that drivers are asked again; kernels stay on disk."""
    _isthmus._clear_cache(False)
    for name in DEVICES:
        _isthmus._pool_trim(name, 0)


def calls_of(action: Callable[[], Any], *, commands: bool) -> tuple[Any, int]:
    count = table().commands_so_far if commands else _isthmus._driver_calls
    action()  # so that devices are found and kernels are on disk
    forget()
    before = count()
    result = action()
    return result, int(count()) - int(before)


@drivers
@eager
@pytest.mark.parametrize("sticky", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("workload", WORKLOADS)
def test_every_driver_call_may_fail(workload: str, sticky: bool, eager: bool, name: str) -> None:
    xp.config.inline, xp.config.eager = "0", eager

    each_call_fails(lambda: WORKLOADS[workload](name), name, sticky)


def each_call_fails(action: Callable[[], Any], name: str, sticky: bool) -> None:
    """Each driver call of the action on that device fails in turn, or a sample of them."""
    wanted, count = calls_of(action, commands=False)
    assert count > 0, "the workload makes no driver call"
    keep_what_is_there()
    raised = 0
    for i, nth in enumerate(calls_that_fail(count, name, is_variant=sticky)):
        forget()
        with failing_calls(nth, sticky=sticky, code=LAUNCH if i % 2 else OUT_OF_MEMORY):
            try:
                result = action()
            except ERRORS as error:
                raised += 1
                assert "as a test asked" in str(error), error
                del error
            else:
                assert result == wanted, f"call {nth} failed, and the result is wrong"
        gc.collect()
        assert action() == wanted, f"not usable after call {nth} of {count} failed"
    assert raised > 0


@nulls
@eager
@pytest.mark.parametrize("sticky", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("workload", WORKLOADS)
def test_every_command_may_fail_while_it_runs(
    workload: str, sticky: bool, eager: bool, name: str
) -> None:
    xp.config.inline, xp.config.eager = "0", eager

    def action() -> Any:
        return WORKLOADS[workload](name)

    wanted, count = calls_of(action, commands=True)
    keep_what_is_there()
    for nth in range(1, count + 1):
        with failing_commands(nth, sticky=sticky):
            try:
                result = action()
            except ERRORS:
                pass
            else:
                assert result == wanted, f"command {nth} failed, and the result is wrong"
        gc.collect()
        assert action() == wanted, f"not usable after command {nth} of {count} failed"


@nulls
def test_a_failed_array_stays_failed_and_its_siblings_live(name: str) -> None:
    xp.config.inline = "0"
    x = xp.asarray(np.arange(8, dtype=np.float32), copy=True, device=name)
    xp.synchronize(name)
    bad, good = xp.sqrt(x) + 1, x * 3
    with failing_commands(1), pytest.raises(xp.LaunchError) as first:
        get(bad)
    with pytest.raises(xp.LaunchError) as second:
        get(bad)
    assert str(first.value) == str(second.value)
    with pytest.raises(xp.LaunchError):
        get(bad * 2)
    assert get(good).tolist() == [3.0 * i for i in range(8)]
    assert get(x + 1)[7] == 8


@nulls
def test_a_lost_device_says_so_ever_after_while_others_go_on(name: str) -> None:
    xp.config.inline = "0"
    other = "null:1" if name == "null:2" else "null:2"
    x = put(np.arange(8, dtype=np.float32), name)
    xp.synchronize(name)
    pending = x + 1
    with lost(name):
        for _ in range(3):
            for ask in (
                lambda: get(pending),
                lambda: get(x * 2),
                lambda: xp.zeros((3,), device=name).eval(),
                lambda: put(np.ones(3, dtype=np.float32), name),
                lambda: x.to_device("null:0"),
            ):
                with pytest.raises(xp.LaunchError, match=f"device {name} is lost"):
                    ask()
        for device in ("cpu", other):
            y = put(np.arange(8, dtype=np.float32), device)
            assert get(xp.sum(y * 2)) == 56
    with pytest.raises(xp.LaunchError, match="is lost"):
        get(pending)  # it stays failed
    assert get(x + 1)[7] == 8  # a device that is back


@nulls
def test_the_error_of_work_on_a_queue_names_operations_and_shape(name: str) -> None:
    xp.config.inline = "0"
    x = xp.asarray(np.arange(6, dtype=np.float32).reshape(2, 3), copy=True, device=name)
    xp.synchronize(name)
    bad = xp.sqrt(x) + 1
    with failing_commands(1), pytest.raises(xp.LaunchError) as raised:
        get(bad)
    assert "add of shape (2, 3): null_command: call" in str(raised.value)


@null
def test_the_error_of_a_copy_between_devices_names_it() -> None:
    x = xp.arange(8, dtype="int16").eval()
    xp.synchronize("null:2")
    with failing_commands(1), pytest.raises(xp.LaunchError) as raised:
        y = x.to_device("null:2")
        get(y.to_device("cpu"))
    assert "copy of 16 bytes from cpu to null:2: null_command" in str(raised.value)


@nulls
def test_errors_that_come_later_name_the_line_that_asked(name: str) -> None:
    text = f"""
        import isthmus as xp
        from tests.device.control import failing_commands
        xp.config.inline = "0"
        x = xp.ones((4,), dtype="float32", device="{name}").eval()
        xp.synchronize("{name}")
        y = xp.sin(x)  # line 7
        with failing_commands(1):
            y.eval()
            try:
                float(xp.sum(y).item())
            except xp.LaunchError as error:
                print(error)
        del x, y
    """
    printed = run(text, ISTHMUS_TRACE="1", ISTHMUS_EAGER="0")
    assert "sin of shape (4,), called at <string>:7: null_command" in printed


@drivers
def test_the_error_of_a_failed_kernel_is_told_again_to_each_of_its_views(name: str) -> None:
    xp.config.inline = "0"
    x = xp.asarray(np.arange(8, dtype=np.float32), copy=True, device=name)
    bad = x + 1
    view = bad[::-1]
    with failing_calls(1, sticky=True), pytest.raises(xp.LaunchError):
        bad.eval()
    for array in (bad, view, bad[2]):
        with pytest.raises(xp.LaunchError):
            array.eval()
    with pytest.raises(xp.LaunchError):
        view[...] = 0


@drivers
def test_memory_that_runs_out_is_an_error_with_numbers_and_comes_back(name: str) -> None:
    xp.config.inline = "0"
    held = xp.zeros((1000,), dtype="int8", device=name).eval()
    with pytest.raises(
        xp.OutOfMemoryError, match=rf"arrays on {name} hold \d+ bytes in \d+ blocks"
    ):
        xp.empty((1 << 50,), dtype="int8", device=name)
    idle = xp.zeros((1 << 16,), dtype="int8", device=name).eval()
    xp.synchronize(name)  # so that its memory is idle at once, not when the reaper has waited
    del idle
    made = []
    for nth in range(1, 8):  # one of these is the allocation: it trims the pool and asks again
        with failing_calls(nth, code=OUT_OF_MEMORY), contextlib.suppress(MemoryError):
            before = _isthmus._pool_statistics(name)["bytes_idle"]
            made.append(xp.empty((1 << (20 + nth),), dtype="int8", device=name))
            after = _isthmus._pool_statistics(name)["bytes_idle"]
            if after < before:
                break
    assert after == 0 < before and int(xp.sum(held).item()) == 0
