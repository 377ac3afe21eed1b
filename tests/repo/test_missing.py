"""What is not there says what would do in its place, and is not there for all that look for it."""

from __future__ import annotations

import copy
import functools
import inspect
import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import isthmus as xp

module: Any = xp
rng: Any = xp.random.default_rng(1)


def ours() -> Any:
    return xp.asarray(np.array([3.0, 1, 2]))


def text_of(kind: type[Exception], call: Callable[[], Any]) -> str:
    with pytest.raises(kind) as raised:
        call()
    return str(raised.value)


# ---- functions

NAMES = {
    "exp2": "; use instead: isthmus.special.exp2",
    "fmax": "; use instead: isthmus.special.fmax",
    "atleast_2d": "; use instead: array(x, ndmin=2, copy=None)",
    "column_stack": "; use instead: stack(arrays, axis=1) of vectors, concat(arrays, axis=1) of "
    "matrices",
    "identity": "; use instead: eye(n)",
    "asnumpy": "; use instead: x.to_numpy()",
    "nan_to_num": "; use instead: where(isnan(x), 0, x), then clip for infinities",
    "ix_": "; use instead: x[rows[:, None], columns]",
    "hanning": "; isthmus.asarray(numpy.hanning(...)) converts NumPy's result",
    "vectorize": "; use instead: isthmus.ElementwiseKernel",
    "r_": "; use instead: concat(arrays)",
    "fromiter": "; isthmus.asarray(numpy.fromiter(...)) converts NumPy's result",
    "set_printoptions": "; numpy.set_printoptions applies to arrays of Isthmus, too",
    "printoptions": "; numpy.printoptions applies to arrays of Isthmus, too",
    "isscalar": "; numpy.isscalar is NumPy's own",
    "polynomial": "; numpy.polynomial is NumPy's own",
    "euler_gamma": "; numpy.euler_gamma is NumPy's own",
    "nditer": "; numpy.nditer is NumPy's own",
    "s_": "; numpy.s_ is NumPy's own",
    "block_until_ready": "; use instead: isthmus.synchronize(x.device)",
    "unwrap": "; x.to_numpy() is an array that numpy.unwrap accepts",
    "ndarray": "; isthmus.Array is the class of arrays",
    "intp": "; use instead: isthmus.int64",
    "int_": "; use instead: isthmus.int64",
    "str_": "; isthmus.float32, isthmus.int64 and others are dtypes",
    "trapz": "; use instead: sum((y[..., 1:] + y[..., :-1]) * diff(x), axis=-1) / 2",
    "errstate": "; numpy.errstate is NumPy's own",
    "isnat": "; numpy.isnat is NumPy's own",
    "cuda": "; use instead: nothing yet: isthmus.devices() lists the devices",
    "vmap": "; use instead: nothing: operations broadcast",
}


def test_strides_have_numpys_place() -> None:
    assert module.lib.stride_tricks.sliding_window_view is xp.sliding_window_view
    assert "lib" not in dir(xp)
    for space, name, advice in (
        (module.lib.stride_tricks, "as_strided", "; use instead: x[a:b:c], transpose, broadcast_t"),
        (module.lib.stride_tricks, "broadcast_to", "; use instead: isthmus.broadcast_to"),
        (module.lib, "format", "; numpy.lib.format is NumPy's own"),
        (module.lib, "none", ""),
    ):
        found = text_of(AttributeError, lambda space=space, name=name: getattr(space, name))  # type: ignore[misc]
        assert found.startswith(f"module {space.__name__!r} has no attribute {name!r}{advice}")


@pytest.mark.parametrize("name", NAMES)
def test_a_function_that_is_not_there(name: str) -> None:
    found = text_of(AttributeError, lambda: getattr(module, name))
    assert found == f"module 'isthmus' has no attribute {name!r}{NAMES[name]}"


def test_every_name_of_numpy_says_what_would_do() -> None:
    for name in dir(np):
        if not name.startswith("_") and not hasattr(xp, name):
            found = text_of(AttributeError, lambda name=name: getattr(module, name))  # type: ignore[misc]
            assert found.startswith(f"module 'isthmus' has no attribute {name!r}; "), name


def test_the_lists_name_functions_of_numpy_that_are_not_there() -> None:
    from isthmus import _names

    for name in (*_names.MAKERS, *_names.SETTINGS, *_names.PRINTING):
        assert callable(getattr(np, name))
        assert not hasattr(xp, name)
        assert name not in _names.INSTEAD
    for name in _names.WRITERS:
        assert callable(getattr(np, name))
        assert name in _names.INSTEAD or hasattr(xp, name)


A = np.array([[3.0, 1, 2], [5, 0, 9]])
B = np.array([[1.0, 4, 2], [7, 5, 3]])

# What the table of the page "Coming from NumPy" has for functions that are a line.
LINES: dict[str, tuple[Callable[[Any, Any, Any], Any], Callable[[], Any]]] = {
    "angle": (
        lambda xp, x, y: xp.atan2(xp.imag(x + y * 1j), xp.real(x + y * 1j)),
        lambda: np.angle(A + B * 1j),
    ),
    "append": (lambda xp, x, y: xp.concat([x[0], y[0]]), lambda: np.append(A[0], B[0])),
    "atleast_1d": (
        lambda xp, x, y: xp.array(x[0, 0], ndmin=1, copy=None),
        lambda: np.atleast_1d(A[0, 0]),
    ),
    "atleast_2d": (
        lambda xp, x, y: xp.array(x[0], ndmin=2, copy=None),
        lambda: np.atleast_2d(A[0]),
    ),
    "atleast_3d": (lambda xp, x, y: xp.expand_dims(x, axis=2), lambda: np.atleast_3d(A)),
    "convolve": (
        lambda xp, x, y: (
            xp.sliding_window_view(xp.pad(x.reshape(-1), 2), 3) @ xp.flip(y[0] + y[1] * 1j)
        ),
        lambda: np.convolve(A.reshape(-1), B[0] + B[1] * 1j),
    ),
    "correlate": (
        lambda xp, x, y: xp.sliding_window_view(x.reshape(-1), 3) @ xp.conj(y[0] + y[1] * 1j),
        lambda: np.correlate(A.reshape(-1), B[0] + B[1] * 1j),
    ),
    "cov": (
        lambda xp, x, y: (
            xp.matmul(
                x - xp.mean(x, axis=1, keepdims=True), (x - xp.mean(x, axis=1, keepdims=True)).T
            )
            / (x.shape[1] - 1)
        ),
        lambda: np.cov(A),
    ),
    "diag": (lambda xp, x, y: xp.eye(3) * x[0], lambda: np.diag(A[0])),
    "geomspace": (
        lambda xp, x, y: 2 * 16 ** xp.linspace(0, 1, 5),
        lambda: np.geomspace(2, 32, 5),
    ),
    "heaviside": (
        lambda xp, x, y: xp.where(x - y == 0, 0.5, xp.astype(x - y > 0, x.dtype)),
        lambda: np.heaviside(A - B, 0.5),
    ),
    "indices": (
        lambda xp, x, y: xp.stack(xp.meshgrid(xp.arange(2), xp.arange(3), indexing="ij")),
        lambda: np.indices((2, 3)),
    ),
    "inner": (lambda xp, x, y: xp.tensordot(x, y, axes=([-1], [-1])), lambda: np.inner(A, B)),
    "insert": (
        lambda xp, x, y: xp.concat([x[0, :1], y[0], x[0, 1:]]),
        lambda: np.insert(A[0], 1, B[0]),
    ),
    "intersect1d": (
        lambda xp, x, y: (u := xp.unique_values(x))[xp.isin(u, y)],
        lambda: np.intersect1d(A, B),
    ),
    "kron": (
        lambda xp, x, y: xp.reshape(xp.einsum("ij,kl->ikjl", x, y), (4, 9)),
        lambda: np.kron(A, B),
    ),
    "logspace": (lambda xp, x, y: 10 ** xp.linspace(0, 2, 5), lambda: np.logspace(0, 2, 5)),
    "vecmat": (
        lambda xp, x, y: xp.einsum("...i,...ij->...j", xp.conj(x[0] * 1j), y.T),
        lambda: np.vecmat(A[0] * 1j, B.T),
    ),
    "matvec": (
        lambda xp, x, y: xp.einsum("...ij,...j->...i", x, y[0]),
        lambda: A @ B[0],
    ),
    "nan_to_num": (
        lambda xp, x, y: xp.where(xp.isnan(x / (x * 0 + xp.nan)), 0, x),
        lambda: np.nan_to_num(A * np.nan),
    ),
    "polyval": (
        lambda xp, x, y: functools.reduce(
            lambda v, c: v * x + c, [2.0, 3.0, 4.0], xp.zeros_like(x)
        ),
        lambda: np.polyval([2.0, 3.0, 4.0], A),
    ),
    "ravel_multi_index": (
        lambda xp, x, y: xp.asarray([1, 0]) * 3 + xp.asarray([2, 1]),
        lambda: np.ravel_multi_index(([1, 0], [2, 1]), (2, 3)),
    ),
    "ptp": (lambda xp, x, y: xp.max(x) - xp.min(x), lambda: np.ptp(A)),
    "rot90": (lambda xp, x, y: xp.flip(xp.matrix_transpose(x), axis=0), lambda: np.rot90(A)),
    "select": (
        lambda xp, x, y: xp.where(x > 2, x, xp.where(y > 3, y, 0.0)),
        lambda: np.select([A > 2, B > 3], [A, B], 0.0),
    ),
    "setdiff1d": (
        lambda xp, x, y: (u := xp.unique_values(x))[~xp.isin(u, y)],
        lambda: np.setdiff1d(A, B),
    ),
    "sinc": (
        lambda xp, x, y: xp.where(x == 0, 1, xp.sin(xp.pi * x) / (xp.pi * x)),
        lambda: np.sinc(A),
    ),
    "trapezoid": (
        lambda xp, x, y: xp.sum((y[..., 1:] + y[..., :-1]) * xp.diff(x[0]), axis=-1) / 2,
        lambda: np.trapezoid(B, A[0]),
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_does_what_numpys_function_does(name: str) -> None:
    line, theirs = LINES[name]
    np.testing.assert_allclose(line(xp, xp.asarray(A), xp.asarray(B)).to_numpy(), theirs(), 1e-14)


# ---- methods

METHODS = {
    "compress": "use instead: x[mask]",
    "flat": "use instead: x.reshape(-1)",
    "setflags": "use instead: broadcast_to(x, x.shape), a read-only view, or x.copy(), which is "
    "writable",
    "tofile": "x.to_numpy().tofile is NumPy's",
    "concatenate": "use instead: isthmus.concat([x, y])",
    "erf": "use instead: isthmus.special.erf(x)",
    "gradient": "use instead: isthmus.gradient(x)",
    "ptp": "use instead: x.max() - x.min()",
    "quantile": "use instead: isthmus.quantile(x, q)",
    "unique": "use instead: isthmus.unique_values(x)",
}


@pytest.mark.parametrize("name", METHODS)
def test_a_method_that_is_not_there(name: str) -> None:
    found = text_of(AttributeError, lambda: getattr(ours(), name))
    assert found == f"'Array' object has no attribute {name!r}; {METHODS[name]}"


def test_what_is_missing_is_not_there_for_those_who_look() -> None:
    x = ours()
    missing = {name for name in dir(np.ndarray) if not name.startswith("_")} - {*dir(x)}
    assert missing >= {"compress", "flat", "setflags", "tofile"}
    missing |= METHODS.keys()
    for name in missing:
        assert not hasattr(x, name)
        assert not hasattr(xp.Array, name)
        assert getattr(x, name, None) is None
        with pytest.raises(AttributeError) as raised:
            getattr(x, name)
        assert raised.value.name == name
        assert raised.value.obj is x
    assert "sum" in dir(x)
    assert "compress" not in dict(inspect.getmembers(xp.ones((2, 2))))
    assert text_of(AttributeError, lambda: x.nosuch) == "'Array' object has no attribute 'nosuch'"
    assert text_of(AttributeError, lambda: x.__nosuch__).endswith("attribute '__nosuch__'")


def test_arrays_are_copied_and_pickled_as_before() -> None:
    x = ours()
    for again in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert again.tolist() == [3, 1, 2]
    for again in (copy.copy(rng), copy.deepcopy(rng), pickle.loads(pickle.dumps(rng))):
        assert again.state == rng.state


def test_lookups_of_what_is_there_take_no_detour() -> None:
    """A class with a __getattr__ is slower for every attribute."""
    assert "__getattr__" not in vars(xp.Array)
    assert "__getattribute__" not in vars(xp.Array)


# What the functions take that arrays may be thought to have as methods.
GIVEN: dict[str, Any] = {
    "isthmus": xp,
    "axes": (1, 0),
    "axis": 0,
    "bins": [0.0, 2.0],
    "destination": 0,
    "fill_value": 7,
    "indices": [[0, 1, 0]],
    "indices_or_sections": 2,
    "k": 1,
    "mask": [True, False, True],
    "pad_width": 1,
    "q": 0.5,
    "repetitions": 2,
    "shape": (2, 2, 3),
    "shift": 1,
    "source": 1,
    "values": 1.0,
    "window_shape": (1, 2),
}
OF_INTEGERS = ("bincount", "bitwise_", "invert", "left_shift", "right_shift", "lexsort")
OF_VECTORS = ("bincount", "cumulative_", "outer")


def functions_that_are_no_methods() -> list[str]:
    from isthmus import _names

    of_others = {name for name, line in _names.OF_OTHERS.items() if line.startswith("isthmus.")}
    names = {*_names.AS_METHODS, *of_others}
    return sorted(name for name in names if not hasattr(xp.Array, name))


@pytest.mark.parametrize("name", functions_that_are_no_methods())
def test_a_function_in_the_place_of_a_method_is_called_so(name: str) -> None:
    call = text_of(AttributeError, lambda: getattr(ours(), name)).partition("use instead: ")[2]
    a = np.asarray([[1.0, 0, 1], [0, 1, 1]])
    if name.startswith(OF_INTEGERS):
        a = a.astype("int64")
    elif name.startswith("logical_"):
        a = a.astype("bool")
    if name.startswith(OF_VECTORS):
        a = a[0]
    x, y, z = (xp.asarray(a, copy=True) for _ in range(3))
    if name == "matmul":
        y = y.T
    given = {name: xp.asarray(v) if isinstance(v, list) else v for name, v in GIVEN.items()}
    found = eval(call, {**given, "x": x, "y": y, "z": z})
    for one in found if isinstance(found, tuple) else [found]:
        if isinstance(one, xp.Array):
            one.eval()


def test_functions_of_arrays_are_public() -> None:
    from isthmus import _names

    for name in _names.functions_of_arrays():
        assert name in xp.__all__ or name in xp.special.__all__
    spelt = {_names.SPELLINGS.get(name, name) for name in _names.AS_METHODS}
    assert spelt <= _names.functions_of_arrays().keys()


# ---- functions of mathematics

P, Q = 0.3, 0.7
SPECIAL: dict[str, tuple[tuple[float, ...], float]] = {
    "beta": ((2.5, 1.5), math.gamma(2.5) * math.gamma(1.5) / math.gamma(4)),
    "betaln": ((2.5, 1.5), math.log(math.gamma(2.5) * math.gamma(1.5) / math.gamma(4))),
    "expit": ((P,), 1 / (1 + math.exp(-P))),
    "factorial": ((5,), 120),
    "lgamma": ((2.5,), math.lgamma(2.5)),
    "log_softmax": ((P,), 0),
    "loggamma": ((2.5,), math.lgamma(2.5)),
    "logit": ((P,), math.log(P / Q)),
    "mad": ((2, 3, 4), 10),
    "powr": ((2, 3), 8),
    "sinc": ((P,), float(np.sinc(P))),
    "softmax": ((P,), 1),
    "tgamma": ((2.5,), math.gamma(2.5)),
    "xlog1py": ((2, Q), 2 * math.log1p(Q)),
    "xlogy": ((2, Q), 2 * math.log(Q)),
}


@pytest.mark.parametrize("name", SPECIAL)
def test_a_line_does_what_scipys_function_does(name: str) -> None:
    special: Any = xp.special
    found = text_of(AttributeError, lambda: getattr(special, name))
    start = f"module 'isthmus.special' has no attribute {name!r}; use instead: "
    assert found.startswith(start)
    line, _, names = found.removeprefix(start).partition(" with ")
    names = names.partition(",")[0] or "g = None"
    given, wanted = SPECIAL[name]
    operands = (xp.asarray(float(value)) for value in given)
    values = {"isthmus": xp, **dict(zip("xyz", operands, strict=False))}
    exec(names, values)
    assert float(eval(line.partition(", which")[0], values)) == pytest.approx(wanted, 1e-12)


def test_other_functions_of_mathematics() -> None:
    from isthmus import _special_names

    special: Any = xp.special
    assert SPECIAL.keys() == _special_names.IN_SPECIAL.keys()
    for name in ("logsumexp", "expm1", "sin", "fabs"):
        ours = {"fabs": "abs"}.get(name, name)
        found = text_of(AttributeError, functools.partial(getattr, special, name))
        assert found.endswith(f"{name!r}; use instead: isthmus.{ours}")
    for name in ("j0", "digamma"):
        found = text_of(AttributeError, functools.partial(getattr, special, name))
        assert found.endswith(f"; x.to_numpy() is an array that scipy.special.{name} accepts")
    assert text_of(AttributeError, lambda: special.gammalm).endswith(
        "similar names are: gammaln, gamma"
    )
    assert text_of(AttributeError, lambda: special.nosuch).endswith("attribute 'nosuch'")
    assert not hasattr(special, "__path__")
    assert not {*_special_names.OF_SCIPY} & {
        *_special_names.IN_SPECIAL,
        *xp.special.__all__,
        *xp.__all__,
    }


# ---- linear algebra


def test_other_functions_of_linear_algebra() -> None:
    linalg: Any = xp.linalg
    a = np.random.default_rng(1).normal(size=(2, 3, 6))
    x, y = xp.asarray(a), xp.asarray(a[..., 0].copy())
    found = text_of(AttributeError, lambda: linalg.tensorsolve).partition("use instead: ")[2]
    call = found.removesuffix(", reshaped")
    assert call != found
    solved = eval(call, {"isthmus": xp, "n": 6, "x": x, "y": y})
    assert np.allclose(solved.to_numpy(), np.linalg.tensorsolve(a, a[..., 0]))
    assert "inv(" in text_of(AttributeError, lambda: linalg.tensorinv)
    assert text_of(AttributeError, lambda: linalg.slogdett).endswith("similar names are: slogdet")
    assert text_of(AttributeError, lambda: linalg.nosuch).endswith("attribute 'nosuch'")
    assert not hasattr(linalg, "__path__")
    theirs = {name for name in np.linalg.__all__ if not hasattr(linalg, name)}
    assert theirs == {"tensorinv", "tensorsolve"}


# ---- random numbers


def test_random_functions_of_the_module_are_methods() -> None:
    random: Any = xp.random
    of_one = "a Generator draws: isthmus.random.default_rng(seed)"
    assert text_of(AttributeError, lambda: random.normal).endswith(f"'normal'; {of_one}.normal")
    in_place = "use instead: isthmus.random.default_rng(seed)"
    for name, what in {
        "rand": "random((n, m))",
        "randn": "standard_normal((n, m))",
        "randint": "integers(low, high, size)",
    }.items():
        found = text_of(AttributeError, functools.partial(getattr, random, name))
        assert found.endswith(f"'{name}'; {in_place}.{what}")
    assert text_of(AttributeError, lambda: random.seed).endswith(
        "'seed'; isthmus.random.default_rng(seed) makes a Generator, whose methods draw"
    )
    assert text_of(AttributeError, lambda: random.nosuch).endswith("no attribute 'nosuch'")
    assert not hasattr(random, "__path__")


def test_methods_of_generators_that_are_not_there() -> None:
    assert text_of(AttributeError, lambda: rng.lognormal) == (
        "'Generator' object has no attribute 'lognormal'; "
        "isthmus.asarray(numpy.random.default_rng().lognormal(...)) converts NumPy's result"
    )
    assert text_of(AttributeError, lambda: rng.bit_generator).endswith(
        "'bit_generator'; use instead: rng.state for its state, rng.jumped() for its jumped()"
    )
    assert "lognormal" not in dir(rng)
    assert "normal" in dir(rng)


# ---- functions of NumPy that write


def test_numpys_functions_that_write_are_refused() -> None:
    x = ours()
    instead = {
        "copyto": (lambda: np.copyto(x, 1), "x[...] = values"),
        "put": (lambda: np.put(x, [0], 1), "isthmus.put"),
        "place": (lambda: np.place(x, [True, False, True], [1]), "x[mask] = values"),
        "putmask": (lambda: np.putmask(x, [True, False, True], 1), "x[mask] = values"),
        "fill_diagonal": (lambda: np.fill_diagonal(x, 1), "diagonal(x)[...] = values"),
    }
    for name, (call, what) in instead.items():
        assert text_of(TypeError, call) == (
            f"numpy.{name} does not write to an isthmus.Array; use instead: {what}"
        )
    assert x.tolist() == [3, 1, 2]
    a = np.zeros(3)
    np.copyto(a, x)
    assert a.tolist() == [3, 1, 2]


def test_numpys_out_is_refused() -> None:
    x, a = ours(), np.ones(3)
    for name, call in (
        ("add", lambda: np.add(a, 1, out=x)),
        ("cumsum", lambda: np.cumsum(a, out=x)),
        ("sum", lambda: np.sum(np.ones((3, 3)), axis=0, out=x)),
    ):
        assert text_of(TypeError, call) == (
            f"numpy.{name} does not write to out, which is an isthmus.Array; "
            f"out[...] = numpy.{name}(...) does"
        )
    assert x.tolist() == [3, 1, 2]
    x[...] = np.cumsum(a)
    assert x.tolist() == [1, 2, 3]


@pytest.mark.filterwarnings("error")
def test_looking_for_a_name_of_numpys_past_warns_of_nothing() -> None:
    for name in ("object", "str", "float_", "NaN"):
        assert not hasattr(xp, name)
    assert "similar names are: nan" in text_of(AttributeError, lambda: module.NaN)
    assert "sin" in text_of(AttributeError, lambda: module.Sin)
