"""Errors name the function that was called, what was found, and what would do."""

from __future__ import annotations

import collections
import decimal
import fractions
import inspect
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.programs import run
from tests.ways import DEVICES

info: Any = xp.__array_namespace_info__()
x: Any = None


@pytest.fixture(autouse=True)
def _three_ones() -> Iterator[None]:
    global x
    x = xp.ones((3,)).eval()
    yield
    x = None


def structs() -> xp.Array:
    return xp.asarray(np.zeros(2, [("a", "i4"), ("b", "f4")]))


def huge() -> xp.Array:
    """A view of one element."""
    return xp.broadcast_to(xp.ones(()), (2**40,))


CALLS: tuple[tuple[Callable[[], Any], type[Exception], str], ...] = (
    (lambda: xp.zeros((2, -3)), ValueError, r"^zeros: shape \(2, -3\) has a negative extent"),
    (lambda: xp.full((-1,), 2), ValueError, r"^full: shape \(-1,\) has"),
    (lambda: xp.empty(-1), ValueError, r"^empty: shape"),
    (lambda: x == decimal.Decimal(1), TypeError, r"^equal: a decimal\.Decimal is .*float\(\)"),
    (lambda: x != range(3), TypeError, "^not_equal: a range .*convert it with isthmus.asarray"),
    (lambda: x == {1, 2}, TypeError, "^equal: a set .*a list of its elements with"),
    (
        lambda: x != collections.deque([1]),
        TypeError,
        "^not_equal: a collections.deque .*convert it",
    ),
    (lambda: x == {1: 2}, TypeError, "^equal: a dict is neither an array nor a number$"),
    (lambda: x == fractions.Fraction(1), TypeError, r"^equal: a fractions\.Fraction .*float\(\)"),
    (lambda: x == ["a"], TypeError, "^equal: a list is neither an array nor a number$"),
    (
        lambda: xp.sin(np.array([None, 1])),  # type: ignore[arg-type]
        TypeError,
        "^sin: a numpy.ndarray is not an isthmus.Array$",
    ),
    (lambda: xp.asarray([1, 2j], dtype="f4"), TypeError, "^asarray: 2j cannot .* to float32$"),
    (
        lambda: xp.asarray([[1], [1e300]], dtype="i4"),
        OverflowError,
        "^asarray: 1e.300 cannot be .* int32",
    ),
    (lambda: xp.asarray([1, "a"], dtype="f4"), ValueError, "^asarray: 'a' cannot .* to float32$"),
    (lambda: x.astype("f4", casting="unsafe"), TypeError, "instead of casting: leave it out"),
    (lambda: x.reshape(shape=3), TypeError, r"instead of shape: x\.reshape\(shape\)"),
    (lambda: x.min(initial=3), TypeError, "instead of initial: minimum"),
    (lambda: xp.meshgrid(*[huge()] * 2), ValueError, "^meshgrid: shape"),
    (lambda: xp.outer(huge(), huge()), ValueError, "^outer: shape"),
    (lambda: xp.dot(2, 3), TypeError, "^dot: an int is not .*convert it with isthmus.asarray"),
    (lambda: xp.random.default_rng(1).standard_gamma(-1), ValueError, "^standard_gamma: shape"),
    (lambda: xp.profile(1), TypeError, "^profile: expected a path or None, not 1"),  # type: ignore[arg-type]
    (lambda: xp.zeros(2.5), TypeError, "^zeros: shape: a float is neither an int nor"),  # type: ignore[arg-type]
    (lambda: xp.zeros(None), TypeError, "^zeros: shape: None is neither"),  # type: ignore[arg-type]
    (lambda: xp.eye(-1), ValueError, "^eye: "),
    (lambda: xp.unstack(xp.ones(())), ValueError, "^unstack: an array without axes"),
    (lambda: xp.unstack(x, axis=3), IndexError, "^unstack: axis 3 is out of bounds"),
    (lambda: xp.unstack(None), TypeError, "^unstack: "),  # type: ignore[arg-type]
    (lambda: info.dtypes(kind="x"), ValueError, "^dtypes: kind: 'x' is none of bool,"),
    (lambda: xp.isdtype("int8", "x"), ValueError, "^isdtype: kind: 'x' is none of bool,"),
    (lambda: x.__array_namespace__("2022.12"), TypeError, r"^Array.__array_namespace__\(\) takes"),
    (lambda: xp.asarray(None), TypeError, "^asarray: None does not hold numbers; pass"),
    (lambda: xp.asarray({}), TypeError, "^asarray: a dict does not hold numbers"),
    (lambda: xp.asarray(object()), TypeError, "^asarray: an object does not hold numbers"),
    (lambda: xp.asarray(decimal.Decimal(1)), TypeError, "^asarray: a decimal.Decimal does not"),
    (lambda: xp.bitwise_and(x, x), TypeError, "float64; it accepts bool, integers$"),
    (lambda: xp.memory.pool_statistics(7), TypeError, "^pool_statistics: device: 7 is neither"),  # type: ignore[arg-type]
    (lambda: xp.memory.trim_pool("cpu", "all"), TypeError, "^trim_pool: keep: 'all' is no"),  # type: ignore[arg-type]
    (lambda: xp.memory.trim_pool("cpu", -1), ValueError, "^trim_pool: keep: -1 bytes"),
    (lambda: xp.memory.set_pool_cap("cpu", 0.5), TypeError, "^set_pool_cap: nbytes: 0.5 is"),  # type: ignore[arg-type]
    (lambda: xp.sin(3), TypeError, "^sin: an int is not an isthmus.Array"),  # type: ignore[arg-type]
    (lambda: xp.add(x, []), TypeError, "^add: a list is neither an array nor a number"),  # type: ignore[arg-type]
    (lambda: xp.from_dlpack(3), TypeError, "^from_dlpack: an int has no __dlpack__"),
    (lambda: x["a"], IndexError, "^index: a str is not an index"),
    (lambda: xp.reshape(x, 3, 2), TypeError, r"^reshape: pass the shape as .*x, \(3, 2\)\)$"),  # type: ignore[arg-type, call-arg]
    (lambda: xp.reshape(x, 2, True), TypeError, r"^reshape: too many .* write copy=\.\.\.$"),  # type: ignore[call-arg]
    (lambda: xp.reshape(), TypeError, "^reshape: missing a required argument"),  # type: ignore[call-arg]
    (lambda: xp.median(x, 0, True), TypeError, "^median: too many positional .* write keepdims="),  # type: ignore[call-arg]
    (lambda: xp.sort(x, 0, True), TypeError, r"^sort: .*; write descending=\.\.\. or stable="),  # type: ignore[call-arg]
    (lambda: xp.concat(x, x), TypeError, "^concat: axis: expected int or None, not an isthmus"),
    (lambda: xp.where(x, 1), TypeError, "^where: expected a mask alone, or a mask and two values"),  # type: ignore[call-overload]
    (lambda: xp.where(3), TypeError, "^where: an int is not an isthmus.Array"),  # type: ignore[call-overload]
    (lambda: xp.take(x, 1.5), TypeError, "^take: a float is not an index; use an"),  # type: ignore[arg-type]
    (lambda: xp.take(x, b"ab"), TypeError, "^take: a bytes is not an index"),
    (lambda: xp.take(x, [None]), TypeError, "^take: indices are Python objects; expected integers"),
    (lambda: xp.take(x, [1.0]), TypeError, "^take: indices are float64; .*integers"),
    (lambda: xp.take(x, x), TypeError, "^take: indices are float64; .*integers"),
    (lambda: xp.put(x, [1.0], 1), TypeError, "^put: indices are float64; .*integers"),
    (lambda: xp.take_along_axis(x, [1.0]), TypeError, "^take_along_axis: indices are float64"),
    (lambda: x[np.array([1, 2], object)], IndexError, "^index: an array of Python objects is no"),
    (lambda: xp.take(x, np.array([1], object)), TypeError, "^take: indices are Python objects"),
    (lambda: x[0:1.5], TypeError, "^index: a float in a slice; expected integers or None"),
    (lambda: xp.histogram(x, range=(1,)), TypeError, r"^histogram: range: expected two numbers"),  # type: ignore[arg-type]
    (lambda: xp.histogram(x, range="ab"), TypeError, r"^histogram: range: expected two numbers"),  # type: ignore[arg-type]
    (
        lambda: xp.histogram(x, range=(0, np.nan)),
        ValueError,
        "^histogram: the range from 0 to nan is",
    ),
    (
        lambda: xp.histogram(x, range=(1, 0)),
        ValueError,
        "^histogram: the range from 1 to 0 decreases",
    ),
    (lambda: xp.histogram(x, 2.5), TypeError, "^histogram: bins: expected an integer, the name"),
    (lambda: xp.sum(x, 0, out=()), TypeError, "^sum: out: a tuple of 0; expected an isthmus"),  # type: ignore[arg-type]
    (lambda: xp.sum(x, 0, out=(x, x)), TypeError, "^sum: out: a tuple of 2; expected an isthmus"),  # type: ignore[arg-type]
    (lambda: xp.cumulative_sum(x, out=x), TypeError, "^cumulative_sum: .*instead of out: y"),  # type: ignore[call-arg]
    (lambda: xp.topk(x, True), TypeError, "^topk: k: expected ints, not a bool"),
    (lambda: xp.isclose(x, x[:2]), ValueError, "^isclose: shapes"),
    (lambda: xp.allclose(x, x[:2]), ValueError, "^allclose: shapes"),
    (lambda: xp.isclose(structs(), structs()), TypeError, "^isclose: does not accept struct"),
    (lambda: xp.array_equal(structs(), structs()), TypeError, "^array_equal: does not accept st"),
    (lambda: xp.divmod(x, x[:2]), ValueError, "^divmod: shapes"),
    (lambda: xp.divmod(x * 1j, 1), TypeError, "^divmod: does not accept complex128; it accepts"),
    (lambda: xp.min_max(x[:0]), ValueError, "^min_max: no elements along the axes of shape"),
    (lambda: xp.min_max(x * 1j), TypeError, "^min_max: does not accept complex128; it accepts"),
    (lambda: xp.min_max(x, 1), IndexError, "^min_max: axis 1 is out of bounds"),
    (lambda: xp.hstack([]), ValueError, "^hstack: no arrays"),
    (lambda: xp.vstack([x, x[:2]]), ValueError, "^vstack: shapes"),
    (lambda: xp.diff(x[None], prepend=x), ValueError, "^diff: prepend: an array of 1 axis for one"),
    (lambda: xp.diff(x[None], append=x[:, None]), ValueError, "^diff: shapes"),
    (lambda: xp.sum(structs()), TypeError, "it accepts bool, integers, floats, complex$"),
    (lambda: xp.cumulative_sum(structs()), TypeError, "it accepts bool, integers, floats, compl"),
    (lambda: xp.any(structs()), TypeError, "it accepts bool, integers, floats, complex$"),
    (lambda: xp.show(()), ValueError, "^show: no arrays; one or more are needed"),
    (lambda: xp.source([1]), TypeError, "^source: an int is not an isthmus.Array"),  # type: ignore[list-item]
    (lambda: xp.put(x, 0, "a"), TypeError, "^put: values: expected numbers, not a text"),
    (
        lambda: xp.reshape(x, 2.0 * x),
        TypeError,
        "^reshape: expected ints, not an isthmus.Array of f",
    ),
    (
        lambda: xp.zeros(xp.sum(x)),
        TypeError,
        "^zeros: shape: expected ints, not an isthmus.Array of float",
    ),
    (lambda: xp.ones((2, 1.5)), TypeError, "^ones: shape: expected ints, not a float"),  # type: ignore[arg-type]
    (lambda: xp.full(2.0 * x, 1), TypeError, "^full: shape: expected ints, not an isthmus.Array"),
    (lambda: xp.sum(x, x), TypeError, "^sum: axis: expected ints, not an isthmus.Array of float"),
    (lambda: xp.var(x, (0, 1.5)), TypeError, "^var: axis: expected ints, not a float"),  # type: ignore[arg-type]
    (lambda: xp.flip(x, "a"), TypeError, "^flip: axis: expected an int or a sequence of ints"),  # type: ignore[arg-type]
    (lambda: xp.max(x, 2**70), ValueError, "^max: axis: an int beyond 64 bits"),
    (lambda: xp.tensordot(x, x, (0, 0.5)), TypeError, "^tensordot: axes: expected an int or a"),
    (
        lambda: xp.count_nonzero(x[0], 0),
        IndexError,
        "^count_nonzero: axis 0 is out of bounds for an array",
    ),
    (lambda: xp.expand_dims(x, 5), IndexError, "^expand_dims: axis 5 .* result, which has 2 axes"),
    (lambda: xp.expand_dims(x, (0, -4)), IndexError, "^expand_dims: axis -4 is .* has 3 axes$"),
    (lambda: xp.clip(x * 1j, 0), TypeError, "^clip: does not accept complex128; it accepts int"),
    (lambda: xp.clip(x, None, 1j), TypeError, "^clip: does not accept complex128; it accepts int"),  # type: ignore[arg-type]
    (lambda: xp.add(x, x, dtype="f4"), TypeError, r"^add: .*instead of dtype: astype\(x, dt"),  # type: ignore[call-arg]
    (lambda: xp.quantile(x, 0.5, weights=x), TypeError, "^quantile: .*instead of weights: repeat"),  # type: ignore[call-arg]
    (lambda: xp.load("x", allow_pickle=True), TypeError, "^load: .* of allow_pickle: leave it out"),  # type: ignore[call-arg]
    (lambda: xp.save("x", x, allow_pickle=True), TypeError, "^save: .*allow_pickle: leave it out"),  # type: ignore[call-arg]
    (lambda: xp.concat([x[:2], structs()]), xp.PromotionError, "^concat: float64 and struct"),
    (lambda: xp.add(structs(), x[:2]), xp.PromotionError, "^add: struct .* and float64 have no"),
    (lambda: xp.trace(x[:, None], dtype=structs().dtype), TypeError, "^trace: does not accept st"),
    (lambda: xp.split(x, [1.5]), TypeError, "^split: expected ints, not a float"),
    (
        lambda: xp.sum(x, axis=1),
        IndexError,
        "^sum: axis 1 is out of bounds for an array of 1 axis$",
    ),
    (lambda: xp.diff(x, n=-1), ValueError, "^diff: n is -1; it must be 0 or more"),
    (lambda: xp.tile(x, -1), ValueError, "^tile: repetitions: -1; each must be 0 or more"),
    (lambda: xp.nonzero(structs()), TypeError, "^nonzero: does not accept struct"),
    (lambda: xp.count_nonzero(structs()), TypeError, "^count_nonzero: does not accept struct"),
    (lambda: xp.tril(structs()), TypeError, "^tril: does not accept struct"),
    (lambda: xp.diff(structs()), TypeError, "^diff: does not accept struct"),
    (lambda: xp.linspace(x, 1, 3), ValueError, "^linspace: an array of 3 elements where a number"),
    (lambda: xp.arange(x), ValueError, "^arange: an array of 3 elements where a number is needed"),
    (lambda: structs().item(), ValueError, "^item: the array has 2 elements; only one can be a"),
    (lambda: xp.zeros((10**7, 10**6)).eval(), xp.OutOfMemoryError, "^fill of shape "),
    (lambda: xp.fuse(3), TypeError, "^fuse: 3 cannot be called; write @isthmus.fuse"),  # type: ignore[call-overload]
)


@pytest.mark.parametrize(("call", "kind", "text"), CALLS, ids=[text for _, _, text in CALLS])
def test_an_error_names_the_function(call: Callable[[], Any], kind: Any, text: str) -> None:
    with pytest.raises(kind, match=text):
        call()


def test_writing_in_place_to_what_is_read_only_names_the_operator() -> None:
    y = xp.broadcast_to(x, (2, 3))
    with pytest.raises(ValueError, match=r"^add: in place: the array is read-only"):
        y += 1
    with pytest.raises(ValueError, match=r"^setitem: the array is read-only"):
        y[0] = 1
    with pytest.raises(ValueError, match=r"^sort: the array is read-only \(a broadcast"):
        y.sort()
    with pytest.raises(ValueError, match=r"^partition: the array is read-only"):
        y.partition(1)
    with pytest.raises(ValueError, match=r"^fill: the array is read-only"):
        y.fill(1)
    with pytest.raises(ValueError, match=r"^real: the array is read-only"):
        y.real = 1
    with pytest.raises(OverflowError, match=r"^fill: 300 does not fit uint8"):
        xp.zeros(2, dtype=xp.uint8).fill(300)
    with pytest.raises(OverflowError, match=r"^setitem: 300 does not fit uint8"):
        xp.zeros(2, dtype=xp.uint8)[0] = 300


def test_where_of_a_condition_alone_is_named_where() -> None:
    for call in (xp.where, xp.nonzero):
        with pytest.raises(ValueError, match=rf"^{call.__name__}: an array without axes"):
            call(xp.asarray(1))


def test_texts_of_the_core_speak_python() -> None:
    """They are filled with this module's words: a C++ program reads others."""
    fixed = xp.broadcast_to(x, (2, 3))
    text = r"^__dlpack__: .* capsules before version 1.0 .*max_version=\(1, 0\) or copy=True$"
    with pytest.raises(BufferError, match=text):
        fixed.__dlpack__()
    packed = np.zeros(3, dtype=[("a", "i1"), ("b", "f8")])
    with pytest.raises(ValueError, match=r"align=True, or .* NumPy: x\.to_numpy\(\)\['b'\]$"):
        xp.asarray(packed)["b"]


def test_what_is_no_number_is_in_no_array() -> None:
    assert None not in x
    assert "a" not in x
    assert 1 in x


def test_explain_takes_everything() -> None:
    assert xp.explain(None).verdict == "impossible"


def test_explain_says_who_knows_shared_memory() -> None:
    a = np.ones(3)
    shared = xp.asarray(a)
    assert "shared: code outside of Isthmus knows the memory" in xp.explain(shared).reason


def test_functions_have_a_signature() -> None:
    assert str(inspect.signature(xp.sin)) == (
        "(x: Array, /, *, out: Array | tuple[Array] | None = None) -> Array"
    )
    assert list(inspect.signature(xp.sum).parameters) == ["x", "axis", "dtype", "out", "keepdims"]
    assert inspect.signature(xp.sum).parameters["keepdims"].default is False
    assert list(inspect.signature(xp.asarray).parameters) == ["obj", "dtype", "device", "copy"]
    assert list(inspect.signature(x.copy).parameters) == ["order"]
    for name in xp.__all__:
        value = getattr(xp, name)
        if callable(value) and not isinstance(value, type) and not isinstance(value, np.dtype):
            inspect.signature(value)


def test_public_names_are_public() -> None:
    assert "annotations" not in dir(xp)
    assert set(xp.__all__) <= set(dir(xp))
    assert "Explanation" in xp.__all__


def test_methods_have_docstrings() -> None:
    for name in ("iter", "contains", "format", "repr", "str", "reduce", "array_namespace"):
        assert getattr(xp.Array, f"__{name}__").__doc__
    for name in xp.__all__:
        value = getattr(xp, name)
        assert not callable(value) or isinstance(value, np.dtype) or value.__doc__, name


def test_fusing_can_be_entered_again() -> None:
    promise = xp.fusing()
    for _ in range(2):
        with promise, promise:
            assert float(xp.sum(x)) == 3

    @xp.fuse()
    def twice(y: xp.Array) -> xp.Array:
        return 2 * y

    assert twice(x).tolist() == [2, 2, 2]


def test_correct_programs_end_without_a_word() -> None:
    text = (
        "import isthmus as xp, numpy as np\n"
        "b = xp.ones(3); h = np.asarray(b); j = xp.asarray(h); f = xp.sin"
    )
    assert run(text) == ("", "")


BUILD = """
import isthmus as xp
from isthmus import _isthmus
COMPILE = 13  # the place of Errc::compile
xp.cos(xp.ones((3,), dtype="float32", device="opencl:0")).eval()  # devices are found
for nth in range(1, 40):  # one of the next driver calls is the build
    x = xp.ones((3,), dtype="float32", device="opencl:0")
    _isthmus._fail_calls(nth, False, COMPILE)
    try:
        xp.sin(x).eval()
    except xp.CompileError as error:
        if error.source:
            print(error.device, "sin_float32" in error.source, len(error.key), type(error.log))
            break
_isthmus._fail_calls(0, False, COMPILE)
"""


@pytest.mark.skipif("opencl:0" not in DEVICES, reason="there is no OpenCL driver")
def test_a_kernel_that_does_not_build_says_which() -> None:
    error = xp.CompileError("text")
    assert (error.source, error.log, error.device, error.key) == ("", "", "", "")
    out, err = run(BUILD, ISTHMUS_CACHE="0", ISTHMUS_INLINE="0")
    assert out == "opencl:0 True 64 <class 'str'>\n", err


@pytest.mark.parametrize(
    "call",
    [
        lambda masked: x + masked,
        lambda masked: xp.full(2, masked),
        lambda masked: xp.clip(x, masked, 2),
        lambda masked: xp.random.default_rng(1).normal(masked),
        lambda masked: x.fill(masked),
        lambda masked: xp.arange(masked),
    ],
)
def test_a_masked_element_is_no_number(call: Callable[[Any], Any]) -> None:
    for masked in (np.ma.masked, np.ma.MaskedArray(1.5, mask=True)):
        with pytest.raises(
            xp.ExchangeError, match=r"mask: a masked element has no value; x.filled"
        ):
            call(masked)
    assert (x + np.ma.MaskedArray(1.5, mask=False)).tolist() == [2.5] * 3


@pytest.mark.parametrize("uneven", [[[1, 2], [3]], [[1, 2], 3], ((1,), [1, 2])])
def test_lists_of_several_lengths_are_named(uneven: Any) -> None:
    with pytest.raises(ValueError, match=r"^asarray: the lists in .* differ in length or depth"):
        xp.asarray(uneven)


def test_shapes_that_numpy_has_not_are_named() -> None:
    huge = xp.zeros((2**62, 0))
    for call, who in ((huge.tolist, "tolist"), (huge.to_numpy, "to_numpy")):
        with pytest.raises(
            ValueError, match=rf"^{who}: NumPy has no arrays of the shape \(4611686"
        ):
            call()
    with pytest.raises(ValueError, match=r"^pickle: NumPy has no arrays of the shape"):
        pickle.dumps(huge)
    assert xp.zeros((2**40, 0)).to_numpy().shape == (2**40, 0)


def test_names_near_another_are_given_once() -> None:
    with pytest.raises(AttributeError, match=r"similar names are: argsort$"):
        xp.argsrt  # noqa: B018


def modules() -> list[Any]:
    from isthmus import cl

    public = [xp, cl, xp.linalg, xp.memory, xp.random, xp.special, xp.cache]
    return public + [one for one in vars(cl).values() if inspect.ismodule(one)]


def test_no_public_function_speaks_as_nanobind() -> None:
    tried = set()
    for module in modules():
        for name in dir(module):
            f = getattr(module, name)
            if name.startswith("_") or inspect.ismodule(f) or not hasattr(f, "__nb_signature__"):
                continue
            tried.add(f"{module.__name__}.{name}")
            with pytest.raises(TypeError) as error:
                f(this_is_no_parameter=1)
            assert "incompatible function arguments" not in str(error.value), name
    assert {"isthmus.sin", "isthmus.special.erf"} <= tried


FLAGS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda flag: xp.sum(xp.ones((3, 4)), 0, keepdims=flag),
    "method": lambda flag: xp.ones((3, 4)).mean(keepdims=flag),
    "argmax": lambda flag: xp.argmax(xp.ones((3, 4)), 0, keepdims=flag),
    "linspace": lambda flag: xp.linspace(0, 1, 3, endpoint=flag),
    "sort": lambda flag: xp.sort(xp.asarray([1, 3, 2]), descending=flag),
    "isclose": lambda flag: xp.isclose(xp.asarray([np.nan]), np.nan, equal_nan=flag),
    "choice": lambda flag: xp.random.default_rng(1).choice(5, 5, replace=flag),
}


@pytest.mark.parametrize("name", FLAGS)
def test_flags_are_bools_of_python_or_numpy_or_0_or_1(name: str) -> None:
    call = FLAGS[name]
    for flag in (False, True):
        wanted = call(flag)
        for other in (np.bool_(flag), int(flag)):
            got = call(other)
            assert got.shape == wanted.shape
            assert np.array_equal(np.asarray(got), np.asarray(wanted), equal_nan=True)
    for wrong in (2, -1, 10**30, None, "yes", 1.0):
        with pytest.raises(TypeError, match="expected bool, not"):
            call(wrong)


def test_a_bool_is_no_axis_and_no_extent() -> None:
    uses: list[Callable[[Any], Any]] = [
        lambda yes: xp.sum(x, axis=yes),
        lambda yes: xp.sum(xp.ones((2, 2)), axis=(yes, 0)),
        lambda yes: x.reshape(yes, 3),
        xp.zeros,
        lambda yes: xp.ones((yes, 2)),
    ]
    for use in uses:
        with pytest.raises(TypeError, match=r"expected .*ints?.*, not a bool"):
            use(True)


def test_arange_takes_its_stop_by_name() -> None:
    assert xp.arange(stop=3).tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match=r"^arange: give stop, or start and stop"):
        xp.arange()


@pytest.mark.parametrize("value", [None, "a", b"a"], ids=str)
def test_what_is_no_number_is_not_written(value: Any) -> None:
    with pytest.raises(TypeError, match=r"^setitem: .* is neither an array nor a number"):
        x[0] = value


def test_an_array_of_objects_is_named() -> None:
    with pytest.raises(TypeError, match=r"^asarray: a numpy.ndarray of objects is not supported"):
        xp.asarray(np.array([1, None]))


def test_a_kind_of_device_is_no_backend() -> None:
    with pytest.raises(xp.DeviceNotFoundError, match="'opencl:gpu' and 'sycl:gpu' are the first"):
        xp.zeros(3, device="gpu")


def test_explain_knows_arrays_without_axes() -> None:
    number = np.array(3.0)
    assert xp.explain(number).verdict == "zero-copy"
    xp.asarray(number, copy=False)[...] = 7
    assert number == 7
    assert xp.explain(np.float64(3)).verdict == "copy"
