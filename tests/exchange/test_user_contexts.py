"""Arrays of a user's own context are whole citizens: what is made from one is of its context, and
what is assigned to one is brought there."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from isthmus import _isthmus

DEVICES = [str(d) for d in xp.devices() if d.backend in ("opencl", "sycl")]
_kept: list[Any] = []  # queues and contexts: drivers' own do not keep each other


def of_pyopencl(device: str) -> Any:
    """Eight floats in a pyopencl context of the user's own."""
    cl = pytest.importorskip("pyopencl")
    import pyopencl.array as cla

    context = cl.Context([xp.Queue(device).to_pyopencl().device])
    queue = cl.CommandQueue(context)
    _kept.extend((context, queue))
    return xp.asarray(cla.to_device(queue, np.arange(8, dtype=np.float32)))


def of_dpctl(device: str) -> Any:
    """The same in a SYCL context of the user's own."""
    dpctl = pytest.importorskip("dpctl")
    usm = pytest.importorskip("dpctl.memory")
    on = xp.memory._as_dpctl("SyclQueue", xp.Queue(device)).sycl_device
    queue = dpctl.SyclQueue(dpctl.SyclContext([on]), on)  # of one alone: the default one
    _kept.append(queue)
    memory = usm.MemoryUSMShared(32, queue=queue)
    x = xp.from_memory(memory, (8,), "float32")
    x[...] = np.arange(8, dtype=np.float32)
    return x


@pytest.fixture(params=DEVICES)
def own(request: pytest.FixtureRequest) -> Callable[[], Any]:
    """Makes an array of a context of the user's own."""
    device = str(request.param)
    return lambda: of_dpctl(device) if device.startswith("sycl") else of_pyopencl(device)


def context_of(x: Any) -> Any:
    return _isthmus._context_of(x)


def assert_same_context(x: Any, b: Any) -> None:
    assert x.device == b.device
    assert context_of(x) == context_of(b) != xp.Context(b.device)


MADE: dict[str, Callable[[Any], Any]] = {
    "zeros_like": xp.zeros_like,
    "ones_like": xp.ones_like,
    "empty_like": xp.empty_like,
    "full_like": lambda b: xp.full_like(b, 3),
    "ones_like of ints": lambda b: xp.ones_like(b, dtype="int32"),
    "concat": lambda b: xp.concat([b, b]),
    "concat of rows": lambda b: xp.concat([xp.reshape(b, (2, 4))] * 2, axis=1),
    "concat of everything": lambda b: xp.concat([b, b * 2, b[::-1]], axis=None),
    "stack": lambda b: xp.stack([b, b + 1]),
    "copy": lambda b: b.copy(),
    "asarray": lambda b: xp.asarray(b, copy=True),
    "astype": lambda b: xp.astype(b, "int32"),
    "reshape": lambda b: xp.reshape(b[::2], (2, 2), copy=True),
    "add": lambda b: b + 1,
    "where": lambda b: xp.where(b > 3, b, 0),
    "clip": lambda b: b.clip(2, 5),
    "round": lambda b: (b / 3).round(1),
    "sum": lambda b: xp.sum(b),
    "mean": lambda b: xp.mean(b, keepdims=True),
    "is None": lambda b: b == None,  # noqa: E711
    "unsigned compared": lambda b: xp.astype(b, "uint64") > np.int64(-1),
    "signed compared": lambda b: xp.astype(b, "int64") == np.uint64(3),
    "imag": lambda b: xp.imag(b) + b.imag,
    "means and deviations in a list": lambda b: (
        xp.random.default_rng(1).normal([0.0] * 8, abs(b))
        + xp.random.default_rng(1).normal(b, [1] * 8)
    ),
    "trials in a list": lambda b: xp.random.default_rng(1).binomial([2000, *range(7)], b * 0) + b,
    "chances in a list": lambda b: xp.random.default_rng(1).choice(b, 8, p=[0.125] * 8) + b,
    "average beside a list": lambda b: xp.average(b, weights=[1.0] * 8),
    "edges from a list": lambda b: xp.histogram(b, [0.0, 2.0, 9.0])[1] * 2 + b[:3],
    "convolve": lambda b: xp.convolve(b, [1, 0.5], "same"),
    "correlate with a list": lambda b: xp.correlate([1.0, 2.0], b, "same"),
    "cov": lambda b: xp.cov(b, b * 2),
    "interp of a list": lambda b: xp.interp([0.5, 3.0], b, b * 2, left=b[1]),
    "interp between lists": lambda b: xp.interp(b, [0, 4], [1.0, 2.0], period=5),
    "flatten": lambda b: xp.reshape(b, (2, 4)).T.flatten(),
}


@pytest.mark.parametrize("name", MADE)
def test_what_is_made_from_it_is_of_its_context(own: Callable[[], Any], name: str) -> None:
    b = own()
    made = MADE[name](b)
    wanted = MADE[name](xp.asarray(np.arange(8, dtype=np.float32)))
    assert_same_context(made.eval(), b)
    if name != "empty_like":
        assert made.to_numpy().tolist() == wanted.tolist()
    if made.dtype == b.dtype and made.shape == b.shape:
        assert_same_context((made + b).eval(), b)


LIMITS: list[dict[str, Any]] = [{}, {"rtol": 0.1}, {"rtol": [0.1, 0.2]}, {"tol": [0.1]}]
FACTORS: dict[str, Callable[[Any], Any]] = {
    "solve": lambda m: [xp.linalg.solve(m, m[0, 0]), xp.linalg.solve(m, m)],
    "inv": lambda m: [xp.linalg.inv(m), xp.linalg.matrix_power(m, -2)],
    "slogdet": lambda m: [*xp.linalg.slogdet(m), xp.linalg.det(m)],
    "qr": xp.linalg.qr,
    "svd": xp.linalg.svd,
    "eigh": xp.linalg.eigh,
    "eig": xp.linalg.eig,
    "pinv": lambda m: [xp.linalg.pinv(m), xp.linalg.matrix_rank(m)],
    "lstsq": lambda m: xp.linalg.lstsq(m[0], m[1]),
    "norm": lambda m: [xp.linalg.norm(m), xp.linalg.matrix_norm(m, ord="nuc")],
    "nothing": lambda m: [*xp.linalg.svd(m[:, :0]), xp.linalg.det(m[:, :0, :0])],
    "ranks of nothing": lambda m: [
        *(xp.linalg.matrix_rank(m[:, :0], **limit) for limit in LIMITS),
        xp.linalg.matrix_rank(m[:0]),
    ],
    "inverses of nothing": lambda m: [xp.linalg.pinv(m[:, :0]), xp.linalg.pinv(m[:0], rtol=[0.1])],
    "conditions": lambda m: [xp.linalg.cond(m * 0, p) for p in (None, 1, "nuc")],
}


@pytest.mark.parametrize("name", FACTORS)
def test_factors_are_of_its_context(own: Callable[[], Any], name: str) -> None:
    b = own()
    if not _isthmus._is_host_reachable(b):
        pytest.skip("the host does not reach it")
    for made in FACTORS[name](xp.reshape(b + 1, (2, 2, 2)) % 5):
        assert_same_context(made.eval(), b)
        assert_same_context((made * made).eval(), b)


def test_memory_of_the_host_joins_it(own: Callable[[], Any]) -> None:
    b = own()
    a = np.full(8, 2.0, np.float32)
    if xp.explain(a, device=b.device).verdict == "copy":
        pytest.skip("the device copies it")
    n = xp.asarray(a, device=b.device)
    assert_same_context((n + b).eval(), b)
    for found in (xp.average(b, weights=n), xp.average(n, weights=b)):
        assert_same_context(found.eval(), b)
    with _isthmus._queue_of(b):
        assert (2 * n + b).tolist() == [4 + i for i in range(8)]


ASSIGNED: dict[str, Callable[[Any], Any]] = {
    "numpy": lambda b: np.full(8, 5, np.float32),
    "numpy of ints": lambda b: np.full(8, 5),
    "list": lambda b: [5] * 8,
    "tuple": lambda b: (5,) * 8,
    "number": lambda b: 5,
    "array of the cpu": lambda b: xp.full(8, 5),
    "pending array of the cpu": lambda b: xp.full(8, 2) + 3,
    "view of the cpu": lambda b: xp.full(16, 5)[::2],
    "0-d array of the cpu": lambda b: xp.full((), 5),
    "its own": lambda b: b * 0 + 5,
    "memoryview": lambda b: memoryview(bytes([5] * 8)),
}


@pytest.mark.parametrize("name", ASSIGNED)
def test_what_is_assigned_is_brought_there(own: Callable[[], Any], name: str) -> None:
    b = own()
    b[:] = ASSIGNED[name](b)
    assert b.to_numpy().tolist() == [5] * 8
    b[1:3] = 0
    b[::-2] += 1
    assert b.to_numpy().tolist() == [5, 1, 0, 6, 5, 6, 5, 6]


def test_lists_are_assigned_whatever_the_default_device_is(own: Callable[[], Any]) -> None:
    b = own()
    for device in ("cpu", *DEVICES):
        with xp.Device(device):
            b[:] = [1, 2, 3, 4, 5, 6, 7, 8]
            assert b.to_numpy().tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
            b.fill(2)
            assert b.to_numpy().tolist() == [2] * 8


def test_what_comes_from_another_device_is_brought_there(own: Callable[[], Any]) -> None:
    b = own()
    for device in DEVICES:
        if device == str(b.device):
            continue
        b[:] = xp.full(8, 5, dtype="float32", device=device)
        assert b.to_numpy().tolist() == [5] * 8


def test_it_is_assigned_to_the_host_and_back(own: Callable[[], Any]) -> None:
    b = own()
    x = xp.zeros(8)
    x[:] = b
    assert x.tolist() == list(range(8))
    b[:] = x * 2
    assert b.to_numpy().tolist() == [2 * i for i in range(8)]


def test_printing_and_pickling_need_no_context(own: Callable[[], Any]) -> None:
    b = own()
    assert "5." in repr(b)
    assert copy.copy(b).to_numpy().tolist() == list(range(8))
    assert pickle.loads(pickle.dumps(b)).to_numpy().tolist() == list(range(8))
    assert str(xp.broadcast_to(b, (300, 8)))


def test_new_arrays_of_nobody_are_of_the_default_context(own: Callable[[], Any]) -> None:
    b = own()
    x = xp.ones(8, dtype="float32", device=b.device)
    assert context_of(x.eval()) == xp.Context(b.device)
    with pytest.raises(xp.DeviceMismatchError, match=r"context.*y\[\.\.\.\] = x"):
        x + b
    with pytest.raises(xp.DeviceMismatchError, match=r"context.*y\[\.\.\.\] = x"):
        xp.concat([x, b])
    with pytest.raises(xp.DeviceMismatchError, match="context"):
        x += b
    with pytest.raises(xp.DeviceMismatchError, match="context"):
        xp.add(b, 1, out=x)


@pytest.mark.parametrize("inline", "01")
def test_assignment_copies_between_two_contexts(own: Callable[[], Any], inline: str) -> None:
    xp.config.inline = inline
    b, c = own(), own()
    x = xp.zeros(8, dtype="int32", device=b.device)
    copies = xp.statistics()["copies"]
    x[...] = b * 2  # pending, and of another dtype
    assert xp.statistics()["copies"] == copies + 2, "to the host and from there"
    assert x.tolist() == [0, 2, 4, 6, 8, 10, 12, 14]
    assert context_of(x) == xp.Context(b.device)
    c[::-2] = x[:4] + 1  # the other way, and through a view
    assert c.tolist() == [0, 7, 2, 5, 4, 3, 6, 1]
    c[:] = b  # two contexts of the user's own
    assert c.tolist() == list(range(8))
    c[2:] = c[:6]  # one context: no copy between devices
    assert c.tolist() == [0, 1, 0, 1, 2, 3, 4, 5]
    assert b.tolist() == list(range(8))
