"""Methods of arrays: the same as the functions, and as NumPy's own."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import assert_same, get
from tests.ways import Way


def values() -> Any:
    return np.asarray([[1.25, -2.5, 3.0], [0.5, 7.75, -6.125]], np.float32)


CALLS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda x: x.sum(),
    "sum over an axis": lambda x: x.sum(1),
    "sum by name": lambda x: x.sum(axis=0, keepdims=True),
    "sum of a dtype": lambda x: x.sum(0, "int32" if x.dtype.kind == "i" else "float16"),
    "prod": lambda x: x.prod(axis=1),
    "min": lambda x: x.min(0),
    "max": lambda x: x.max(axis=(0, 1)),
    "mean": lambda x: x.mean(1),
    "any": lambda x: (x > 3).any(axis=0),
    "all": lambda x: (x > -9).all(),
    "astype": lambda x: x.astype("int32"),
    "reshape": lambda x: x.reshape(3, 2),
    "reshape to a tuple": lambda x: x.reshape((3, 2)),
    "reshape to a row": lambda x: x.reshape(-1),
    "reshape by columns": lambda x: x.reshape(3, 2, order="F"),
    "ravel": lambda x: x.ravel(),
    "ravel by columns": lambda x: x.ravel("F"),
    "flatten": lambda x: x.T.flatten(),
    "transpose": lambda x: x.transpose(),
    "transpose by axes": lambda x: x.reshape(1, 2, 3).transpose(2, 0, 1),
    "transpose by a tuple": lambda x: x.reshape(1, 2, 3).transpose((1, 2, 0)),
    "squeeze": lambda x: x.reshape(1, 2, 1, 3).squeeze(),
    "squeeze an axis": lambda x: x.reshape(1, 2, 1, 3).squeeze(2),
    "swapaxes": lambda x: x.swapaxes(0, -1),
    "clip": lambda x: x.clip(-1, 3),
    "clip by name": lambda x: x.clip(min=0),
    "round": lambda x: x.round(),
    "round to tenths": lambda x: x.round(1),
    "round to tens": lambda x: (x * 10).round(-1),
    "conj": lambda x: x.conj(),
    "conjugate": lambda x: x.conjugate(),
    "real": lambda x: x.real,
    "imag": lambda x: x.imag,
    "copy": lambda x: x.copy(),
    "item": lambda x: x[0, 1].item(),
    "tolist": lambda x: x.tolist(),
    "tobytes": lambda x: x.tobytes(),
    "tobytes by columns": lambda x: x.tobytes("F"),
    "nbytes": lambda x: x.nbytes,
    "repeat": lambda x: x.repeat(2),
    "repeat along an axis": lambda x: x.repeat([1, 0, 2], axis=1),
    "diagonal": lambda x: x.diagonal(1),
    "trace": lambda x: x.trace(-1),
    "trace of a dtype": lambda x: x.trace(dtype="float32"),
    "searchsorted": lambda x: x[1, ::-1].argsort()[:1].searchsorted([0, 1, 2], "right"),
    "argpartition": lambda x: x.argpartition([0, 1, 2], 1),
}


@pytest.mark.no_kernel  # some are views
@pytest.mark.parametrize("decimals", [-(2**31), -(2**40), -400, 400, 2**31 - 1, 2**40])
def test_numbers_are_rounded_to_places_that_no_dtype_has(decimals: int) -> None:
    for dtype in ("int64", "uint8", "float32", "float64"):
        x = xp.asarray([15, 100], dtype=dtype)
        wanted = [0, 0] if decimals < 0 else [15, 100]
        assert xp.round(x, decimals).tolist() == x.round(decimals).tolist() == wanted, dtype
        assert xp.round(x, decimals).dtype == x.dtype
    special = xp.asarray([np.inf, -np.inf, -1.0])
    assert xp.round(special, decimals).tolist() == [np.inf, -np.inf, -0.0 if decimals < 0 else -1]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "uint32", "int64", "uint64"])
def test_integers_are_rounded_as_integers(dtype: str, device: xp.Device) -> None:
    """By Python's ints: NumPy's floats round those past 2**53."""
    ends = np.iinfo(np.dtype(dtype))
    near = [step * k + less for step in (10, 1000, 10**18) for k in (1, 5, 25) for less in (-1, 0)]
    numbers = [*near, *(-n for n in near), *range(-30, 130, 5)]
    numbers += [n + k for n in (ends.min, ends.max, ends.max // 2) for k in range(-9, 10)]
    values = np.asarray([n for n in numbers if ends.min <= n <= ends.max], np.dtype(dtype))
    x = xp.asarray(values, device=device, copy=True)
    for decimals in (0, -1, -2, -3, -17, -18, -19, -20):
        wanted = [round(int(n), decimals) for n in values]
        if dtype == "int64" and decimals == -19:  # a step that the dtype does not hold
            wanted = [0 for _ in wanted]
        around = 2 ** (8 * values.itemsize)
        wrapped = [(n - ends.min) % around + ends.min for n in wanted]
        assert_same(get(xp.round(x, decimals)), np.asarray(wrapped, dtype), decimals)


@pytest.mark.parametrize("decimals", [1, 5, -1])
def test_parts_of_complex_numbers_are_rounded_by_themselves(device: str, decimals: int) -> None:
    parts = [0.0, -0.0, 12.25, -0.04, 1.1234565, np.inf, -np.inf, np.nan]
    values = np.array([complex(re, im) for re in parts for im in parts], np.complex64)
    views: list[Callable[[Any], Any]] = [
        *(lambda v: v, lambda v: v[::-3], lambda v: v.reshape(8, 8).T, lambda v: v[0:0])
    ]
    for view in views:
        x = view(xp.asarray(values, device=device, copy=True))
        wanted: Any = np.round(view(values), decimals)
        assert_same(get(xp.round(x, decimals)), wanted)


@pytest.mark.parametrize("decimals", [0, 2, -1])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_rounded_numbers_lie_as_numpys(dtype: str, decimals: int) -> None:
    n = np.broadcast_to(np.arange(20).astype(dtype).reshape(5, 2, 2), (2, 5, 2, 2))
    x = xp.broadcast_to(xp.asarray(n[0].copy()), n.shape)
    assert_same(get(x.round(decimals)), n.round(decimals))
    assert x.round(decimals).to_numpy().strides == n.round(decimals).strides


@pytest.mark.no_kernel  # some are views
@pytest.mark.sampled("name", every=1)
@pytest.mark.parametrize("name", CALLS)
def test_methods_do_what_numpys_do(way: Way, device: xp.Device, name: str) -> None:
    for dtype in ("float32", "int64"):
        a = values().astype(dtype)
        wanted = CALLS[name](a)
        got = CALLS[name](xp.asarray(a, device=device, copy=True))
        if not isinstance(got, xp.Array):
            assert got == wanted
            continue
        assert got.shape == np.shape(wanted)
        if got.dtype != np.asarray(wanted).dtype:  # no doubles, or a sum of NumPy's own
            assert not device.info["fp64"] or name.startswith(("mean", "sum"))
        assert np.allclose(get(got), wanted, rtol=1e-6), name


@pytest.mark.no_kernel
@pytest.mark.parametrize("axis", [-1, 0])
def test_sort_and_partition_write_in_place(way: Way, device: xp.Device, axis: int) -> None:
    n = np.array([[3, 1, 2, 9], [np.nan, -1, 5, 0], [7, 7, 6, -0.0]], np.float32)
    x = xp.asarray(n, device=device, copy=True)
    columns, later = x[:, ::-2], x + 1
    columns.sort(axis)
    wanted = n.copy()
    wanted[:, ::-2].sort(axis)
    assert_same(get(x), wanted)
    assert_same(get(later), n + 1)
    x.partition([0, 1], axis)
    wanted.partition([0, 1], axis)
    middle = np.moveaxis(wanted, axis, 0)[:2]
    assert_same(np.moveaxis(get(x), axis, 0)[:2], middle)
    x.sort(axis, descending=True)
    assert_same(get(x), get(xp.sort(x, axis, descending=True)))
    with pytest.raises(ValueError, match="read-only"):
        xp.broadcast_to(x, (2, *x.shape)).sort()
    with pytest.raises(ValueError, match="read-only"):
        xp.broadcast_to(x, (2, *x.shape)).partition(0)
    with pytest.raises(ValueError, match="an array without axes"):
        x[0, 0].sort()


def test_methods_are_the_functions(way: Way, device: xp.Device) -> None:
    x = xp.asarray(values(), device=device, copy=True)
    for row in xp.reduction_table:
        if row["name"] in ("nanmax", "nanmin"):
            assert not hasattr(x, row["name"])  # NumPy has no methods of these either
            continue
        y = x > 0 if row["name"] in ("any", "all") else x
        assert getattr(y, row["name"])().to_numpy() == getattr(xp, row["name"])(y).to_numpy()
        method = inspect.signature(getattr(y, row["name"]))
        function = inspect.signature(getattr(xp, row["name"]))
        assert list(method.parameters) == list(function.parameters)[1:]


def test_views_are_views_and_copies_are_copies() -> None:
    x = xp.zeros((2, 3)).eval()
    for view in (x.reshape(3, 2), x.ravel(), x.transpose(), x.swapaxes(0, 1), x.squeeze()):
        view[...] = 1
        assert x.sum() == 6
        x.fill(0)
    for made in (x.flatten(), x.copy(), x.astype("float64"), x.reshape(3, 2, copy=True)):
        made[...] = 1
        assert x.sum() == 0
    assert x.astype("float64", copy=False) is x


def test_parts_of_complex_numbers_can_be_written(way: Way, device: xp.Device) -> None:
    z = np.asarray([[1 + 2j, 3 - 4j], [5j, -6]], np.complex64)
    x = xp.asarray(z, device=device, copy=True)
    for part in (x, z):
        part.real[0] = 7
        part.imag += 1
        part.T.real[1] *= 2
        part[::-1].imag[0] = 9
        part.real = part.real + 0.5
    assert np.array_equal(get(x), z)
    y = xp.ones(3, device=device)
    assert y.real is not None
    y.real[1] = 5
    assert get(y).tolist() == [1, 5, 1]
    assert get(y.imag).tolist() == [0, 0, 0]
    assert y.imag.is_read_only
    with pytest.raises(ValueError, match="read-only"):
        y.imag[0] = 1


def test_fill_sets_every_element(way: Way, device: xp.Device) -> None:
    x = xp.zeros((3, 4), dtype="int32", device=device)
    x[:, 1].fill(7)
    assert get(x).sum() == 21
    x.fill(xp.asarray(2, device=device))
    assert get(x).tolist() == [[2] * 4] * 3
    with pytest.raises(OverflowError):
        x.fill(2**40)


def test_flags_say_how_the_elements_lie() -> None:
    x = xp.zeros((2, 3))
    a = np.zeros((2, 3))
    for ours, theirs in (
        (x, a),
        (x.T, a.T),
        (x[:, ::2], a[:, ::2]),
        (x[:1], a[:1]),
        (xp.zeros(4), np.zeros(4)),
        (xp.broadcast_to(x, (2, 2, 3)), np.broadcast_to(a, (2, 2, 3))),
    ):
        for name in ("c_contiguous", "f_contiguous", "writeable", "aligned", "forc", "fnc"):
            assert getattr(ours.flags, name) == getattr(theirs.flags, name), name
        for name in ("C_CONTIGUOUS", "F_CONTIGUOUS", "WRITEABLE", "C", "F", "W"):
            assert ours.flags[name] == getattr(theirs, "flags")[name]  # noqa: B009
        assert ours.flags.writable == theirs.flags.writeable
    with pytest.raises(KeyError, match="C_CONTIGUOUS"):
        x.flags["OWNDATA?"]


def test_flags_cannot_be_set_and_say_what_would_do() -> None:
    x = xp.zeros(3)
    flags: Any = x.flags
    for name in ("writeable", "c_contiguous", "contiguous", "aligned"):
        with pytest.raises(AttributeError, match=rf"^flags: {name} .*broadcast_to\(x, x\.shape\)"):
            setattr(flags, name, False)
    with pytest.raises(TypeError, match="flags: WRITEABLE cannot be set; use instead"):
        flags["WRITEABLE"] = False
    assert flags == x.flags
    assert hash(flags) == hash(x.flags)
    assert xp.broadcast_to(x, x.shape).is_read_only


# ---- out=


def test_out_gets_the_result_in_one_kernel(way: Way, device: xp.Device) -> None:
    x = xp.asarray(values(), device=device, copy=True).eval()
    out = xp.zeros((2, 3), dtype="float32", device=device).eval()
    assert xp.add(x, 1, out=out) is out
    assert get(out).tolist() == (values() + 1).tolist()
    assert xp.sin(x, out=(out,)) is out
    assert xp.multiply(x, x, out=x) is x
    assert np.allclose(get(x), values() ** 2)
    totals = xp.zeros(2, dtype="float32", device=device).eval()
    assert xp.sum(x, axis=1, out=totals) is totals
    assert np.allclose(get(totals), (values() ** 2).sum(1))
    assert x.max(0, out=xp.zeros(3, dtype="float32", device=device)).shape == (3,)
    xp.synchronize(device)
    before = xp.statistics()["kernels"]
    xp.add(x * 2, 1, out=out)
    if not way.eager:
        assert xp.statistics()["kernels"] - before == 1
    assert get(out).tolist() == (get(x) * 2 + 1).tolist()


def test_out_that_does_not_fit_is_refused() -> None:
    x = xp.ones((2, 3))
    with pytest.raises(ValueError, match=r"add: the result has shape \(2, 3\)"):
        xp.add(x, x, out=xp.zeros(3))
    with pytest.raises(TypeError, match=r"the result is float64 and does not fit the .*int64"):
        xp.add(x, x, out=xp.zeros((2, 3), dtype="int64"))
    with pytest.raises(ValueError, match="out: the array is read-only"):
        xp.sin(x, out=xp.broadcast_to(xp.zeros(3), (2, 3)))
    wrongs: tuple[Any, ...] = (np.zeros((2, 3)), 1, [x], (x, x))
    for wrong in wrongs:
        with pytest.raises(TypeError, match="out"):
            xp.sin(x, out=wrong)


@pytest.mark.parametrize("other", [[1, 2], (1, 2)])
def test_a_list_is_no_operand_and_the_error_says_what_would_do(other: Any) -> None:
    x: Any = xp.ones(2)
    text = r"add: an? \w+ is neither an array nor a number; convert it with isthmus\.asarray"
    with pytest.raises(TypeError, match=text):
        x + other
    with pytest.raises(TypeError, match=text):
        other + x
    with pytest.raises(TypeError, match=text):
        x += other
    with pytest.raises(TypeError, match="equal: "):
        _ = x == other


@pytest.mark.parametrize("axis", ["a", 1.0, object()])
def test_an_axis_that_is_none_names_the_function(axis: Any) -> None:
    with pytest.raises(TypeError, match=r"sum: axis: expected an int or a sequence of ints, not"):
        xp.ones(3).sum(axis)


# ---- small things of every day


def test_devices_are_equal_to_their_names() -> None:
    x = xp.ones(1)
    assert x.device == "cpu"
    assert x.device in ("cpu", "opencl:0")
    assert x.device != "opencl:0"
    assert hash(x.device) == hash("cpu")
    assert {x.device: 1}["cpu"] == 1  # type: ignore[index]
    for d in xp.devices():
        assert d == str(d)


def test_one_element_formats_as_a_number() -> None:
    for x in (xp.asarray(1.23456), xp.asarray([1.23456]), xp.asarray([[1.23456]])):
        assert f"{x:.3f}" == "1.235"
    assert f"{xp.asarray(7):05d}" == "00007"
    assert f"{xp.ones(2)}" == "[1. 1.]"
    with pytest.raises(TypeError, match=r"'\.3f' is for one number, but the array has 2 elements"):
        f"{xp.ones(2):.3f}"


def test_the_name_that_repr_shows_exists() -> None:
    module: Any = xp
    text = repr(xp.asarray([1.5, 2.5]))
    name = text.partition("(")[0]
    assert name.startswith("isthmus.")
    made = eval(text, {"isthmus": module, "float64": xp.float64})
    assert made.tolist() == [1.5, 2.5]


def test_attributes_of_dpnp_are_there_on_sycl_alone() -> None:
    for device in xp.devices():
        x = xp.ones(3, dtype="float32", device=device)
        if device.backend != "sycl":
            assert not hasattr(x, "sycl_queue")
            assert not hasattr(x, "usm_type")
            continue
        y = x + 1
        was_pending = y.is_pending
        assert y.usm_type == "device"
        assert y.sycl_queue is not None
        assert y.is_pending == was_pending, "a probe has calculated"
        y.eval()
        assert y.usm_type == "device"
        shared = xp.memory.MemoryUSMShared(16)
        assert xp.from_memory(shared, (4,), "float32").usm_type == "shared"


# ---- in place is in place


def test_an_operator_on_a_part_is_one_kernel(way: Way, device: xp.Device) -> None:
    u = xp.asarray(values(), device=device, copy=True).eval()
    cases: list[tuple[str, Callable[[Any], None]]] = [
        ("u[:, 1:-1] += 1", lambda u: u.__setitem__(np.s_[:, 1:-1], _added(u[:, 1:-1]))),
        ("u[0] += 1", lambda u: u.__setitem__(0, _added(u[0]))),
        ("u[...] += 1", lambda u: u.__setitem__(..., _added(u[...]))),
        ("u[::-1, ::2] += 1", lambda u: u.__setitem__(np.s_[::-1, ::2], _added(u[::-1, ::2]))),
    ]
    a = values()
    for text, run in cases:
        xp.synchronize(device)
        before = xp.statistics()["kernels"]
        exec(text, {"u": u})
        assert xp.statistics()["kernels"] - before == 1, text
        exec(text, {"u": a})
        assert get(u).tolist() == a.tolist(), text
        assert run is not None


def _added(x: Any) -> Any:
    x += 1
    return x


def test_writing_an_array_to_itself_is_nothing(way: Way, device: xp.Device) -> None:
    u = (xp.ones(5, device=device) + 1).eval()
    xp.synchronize(device)
    before = xp.statistics()["kernels"]
    u[...] = u
    u[1:3] = u[1:3]
    u[::-1] = u[::-1]
    assert xp.statistics()["kernels"] == before
    u[1:3] = u[2:4]  # another part is not the same
    u[::-1] = u
    assert xp.statistics()["kernels"] > before
    assert get(u).tolist() == [2] * 5
