"""Users' texts that are plain arithmetic: the library reads them, so that they run on the host
without a compiler, with the bits that a compiler gives them. What is not surely understood is left
to compilers."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, put
from tests.device.random_texts import TextMaker
from tests.programs import run
from tests.ways import DEVICES, REAL

ON_HOST = [name for name in REAL if xp.Device(name).info["unified_memory"]]
READER = "null:1"  # a device that runs what was read, and no text
pytestmark = pytest.mark.skipif(READER not in DEVICES, reason="build the null backend")
A = np.linspace(-2, 3, 12, dtype="f4")
SPECIAL = np.array([0, -0.0, 1, -1.5, 3e38, 1e-38, 1e-45, np.inf, -np.inf, np.nan])


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> Any:
    return lambda policy: monkeypatch.setattr(xp.config, "inline", policy)


def results(kernel: xp.ElementwiseKernel, arrays: list[Any], device: str) -> list[Any]:
    made = kernel(*(put(array, device) for array in arrays))
    return [get(one) for one in (made if isinstance(made, tuple) else (made,))]


def check_same(got: list[Any], wanted: list[Any], what: str) -> None:
    for one, other in zip(got, wanted, strict=True):
        assert one.dtype == other.dtype
        same = one == other
        if one.dtype.kind == "f":
            same = same & (np.signbit(one) == np.signbit(other)) | np.isnan(one) & np.isnan(other)
        assert same.all(), f"{what}: {one[~same][:3]} is not {other[~same][:3]}"


def check_everywhere(
    kernel: xp.ElementwiseKernel, arrays: list[Any], inline: Any
) -> list[np.ndarray[Any, Any]]:
    read = results(kernel, arrays, READER)
    check_same(results(kernel, arrays, "cpu"), read, f"cpu: {kernel.operation}")
    for device in ON_HOST:
        for policy in ("0", "1"):
            inline(policy)
            what = f"{device}, inline={policy}: {kernel.operation}"
            check_same(results(kernel, arrays, device), read, what)
    return read


@pytest.mark.parametrize("seed", range(24))
def test_random_texts_have_the_bits_of_a_compiler(seed: int, inline: Any) -> None:
    maker = TextMaker(seed)
    kernel = xp.ElementwiseKernel(*maker.parameters, maker.operation)
    check_everywhere(kernel, maker.elements(50), inline)


PLAIN: dict[str, Any] = {
    "z = x // c": lambda x, y: x,
    "z = x": lambda x, y: x,
    ";z = x;;": lambda x, y: x,
    "z = 2 * x - y": lambda x, y: 2 * x - y,
    "z = x * 0.1": lambda x, y: (x.astype("f8") * 0.1).astype("f4"),  # a double in C
    "z = x * 0.1f": lambda x, y: x * np.float32(0.1),
    "z = 1.f / x + .5f": lambda x, y: np.float32(1) / x + np.float32(0.5),
    "T t = x, u = t * y; t *= 2; z = t + u": lambda x, y: x * y + 2 * x,
    "const float c = 3; z = c * x": lambda x, y: 3 * x,
    "z = x; z += y; z /= 2": lambda x, y: (x + y) / 2,
    "z = x > 0 ? x : 0": lambda x, y: np.where(x > 0, x, np.float32(0)),
    "z = x > 0 && !(y < 1) || x == y": lambda x, y: ((x > 0) & ~(y < 1) | (x == y)).astype("f4"),
    "z = (x < y) + (x == x) - 3": lambda x, y: ((x < y) * 1 + (x == x) - 3).astype("f4"),
    "z = - -x": lambda x, y: x,
    "z = i + n": lambda x, y: (np.arange(x.size) + x.size).astype("f4"),
    "z = 7 & 0x1C | 1": lambda x, y: np.full(x.size, 5, "f4"),
    "z = -1u + x": lambda x, y: np.float32(2**32) + x,
    "z = (uchar)300 + (char)(-1) + (T)2": lambda x, y: np.full(x.size, 45, "f4"),
    "z = isnan(x) + 2 * isinf(y) + 4 * isfinite(x)": lambda x, y: (
        np.isnan(x) + 2 * np.isinf(y) + 4 * np.isfinite(x)
    ).astype("f4"),
    "z = max(3, (int)2) - min(4u, 7u) + max((char)-1, (char)-2)": lambda x, y: np.full(
        x.size, 2**32 - 2, "f4"
    ),
    "z = fmax(x, y + 1) + fmin(x, 2.f)": lambda x, y: np.fmax(x, y + 1) + np.fmin(x, np.float32(2)),
    # the second one where either is NaN, and of zeros
    "z = max(x, y) + 1 / min(x, 0.0f)": lambda x, y: (
        np.where(x > y, x, y) + np.float32(1) / np.where(x < 0, x, np.float32(0))
    ),
    "z = 1 / max(x, -0.0f) + 1 / max(0.0f, x)": lambda x, y: (
        np.float32(1) / np.where(x > 0, x, -np.float32(0))
        + np.float32(1) / np.where(x < 0, np.float32(0), x)
    ),
    "bool b = x < y; z = b ? y : -x": lambda x, y: np.where(x < y, y, -x),
    "if (x > y) z = x; else z = -y": lambda x, y: np.where(x > y, x, -y),
    "z = x; if (x < 0) z = 0": lambda x, y: np.where(x < 0, np.float32(0), x),
    "z = y; if (x < 0) { float t = x * x; t += 1; z = t; }": lambda x, y: np.where(
        x < 0, x * x + 1, y
    ),
    "if (x < 0) z = 1; else if (x < 2) { z = 2; } else if (y < 0) z = 3; else z = y": (
        lambda x, y: np.where(x < 0, 1, np.where(x < 2, 2, np.where(y < 0, 3, y)))
    ),
    "T t; if (x > 0) { if (y > 0) t = 1; else t = 2; } else { t = 3; } z = t": lambda x, y: (
        np.where(x > 0, np.where(y > 0, 1, 2), 3).astype("f4")
    ),
    "z = 1; if (x > 0) if (y > 0) z = 2; else z = 3": lambda x, y: np.where(
        x > 0, np.where(y > 0, 2, 3), 1
    ).astype("f4"),
    "{ { z = x; } } if (i) ; else {}": lambda x, y: x,
    "if (i % 2) z = y; else { z = 0; z += x; } if (n) z *= 2": lambda x, y: (
        2 * np.where(np.arange(x.size) % 2, y, x + np.float32(0))
    ),
    "float t; if (x > 0) { t = x; z = t; } else z = y": lambda x, y: np.where(x > 0, x, y),
    "char c = 1; if (x > y) c = -1; z = c": lambda x, y: np.where(x > y, -1, 1).astype("f4"),
    "z = x /* c */; // if (x) z = y\n": lambda x, y: x,
    "z = 7 / 2 + -7 / 2 * 10 + 7 % -4 * 100 + -7 % 4 * 1000": lambda x, y: np.full(
        x.size, 3 - 30 + 300 - 3000, "f4"
    ),
    "int a = -9; a /= 2; uint b = 7; b %= 4u; b /= 2u; z = a * 10 + (int)b": lambda x, y: np.full(
        x.size, -39, "f4"
    ),
    "z = n - i != 5 ? 1000 / (n - i - 5) : 1": lambda x, y: np.array(
        [1000 // k if k > 0 else int(1000 / k) if k else 1 for k in 5 - np.arange(10)], "f4"
    ),
    "z = 2; if (i - 4) z = 20 / (i - 4)": lambda x, y: np.array(
        [int(20 / k) if k else 2 for k in np.arange(10) - 4], "f4"
    ),
    # what a new output is before
    "z += x": lambda x, y: x + np.float32(0),
    "if (x > 0) z = x": lambda x, y: np.where(x > 0, x, np.float32(0)),
    "if (x > 0) z = 1; if (x <= 0) z = 2": lambda x, y: np.where(
        x > 0, 1, np.where(x <= 0, 2, 0)
    ).astype("f4"),
    "unsigned int a = 3; unsigned b = 4; z = a - b": lambda x, y: np.full(x.size, 2**32, "f4"),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("text", PLAIN)
def test_what_plain_texts_mean(text: str, inline: Any) -> None:
    x = SPECIAL.astype("f4")
    y = np.roll(x, 3)
    (got,) = check_everywhere(xp.ElementwiseKernel("T x, T y", "T z", text), [x, y], inline)
    check_same([got], [PLAIN[text](x, y)], text)


LEFT = r"""
z = x--1 | z = x; z++ | float z = x | float t; z = t | z = x; t = x | z = X
z = (int)x | int k = x; z = k | z = pow(x, 2) | z = pow(x, 2.0) | z = sqrt(2)
z = sqrt(x, x) | z = sqrt() | z = sqrt | z = fmax(x, 1) | z = max(x, 1) | z = max(x, 1.0)
z = 1 << 2 | z = x /* c | z = x; /* \ */ | z = x; /* ??/ */ | z = 1.0 % 2 | z = x % 2
z = 1; z %= 2
if (x) z = x; else z = 1 | { z = x }
if (x > 0) float t = x; z = x | if (x > 0) { float t = x; } z = t
{ z = x; | z = x; } | else z = x
if (x > 0) { z = x; }; else z = 1 | if x > 0 z = x; else z = 1 | if (x > 0) z = x else z = 1
z = x; if (x > 0) { float z = 1; } | z = x; { float x = 1; } | int k; if (k = 1) z = x; else z = 1
z = x; if () z = 1 | z = x; if (x > 0, 1) z = 2 | if (x > 0) z = 1, x; else z = 2
const int k = 1; z = x; if (x > 0) k = 2
z = x; if (x > 0) const int a = 1
while (x > 0) z = x | do z = x; while (0) | for (;;) z = x | z = x; if (x > 0) goto end; end:
z = if
float t; if (x > 0) t = 1; z = t | float t; if (x > 0) t = 1; if (x <= 0) t = 2; z = t
z = x, z = 2 | z = (x, x) | z = x z = x | z = M_PI * x | float M_PI = x; z = M_PI | z = 010 * x
float exp = x; z = exp | float T = x; z = T | z = 2x | z = 1e50f | z = 1e-60f | z = 1e400 | z = 08
z = 1.0h | z = 1.0L | z = x == 1 ? x | z = !x | z = x && 1
z = x ? 1 : 2 | z = ~x | z = x & 1 | z = x.x | z = *x | z = &x | z = x[0] | z = (x | z = x) | z =
z | const float c; z = x | const float c = 1; c = 2; z = x | float x = 1; z = x | z = sin(x)(x)
z = \ x | z = 99999999999999999999 | z = 0x | z = 1uu | float float2 = x; z = x | z == x
float if = x; z = x | z = real_erf(x) | z = erf(x) | z <<= 1 | float _a = x; z = _a | z = x; #
float a = x; float a = x; z = a | half h = x; z = x | z = 0x1p3f * x | float long = x; z = x
z = 'a' | z = "a" | z = 1 ? x : (z = 2) | z = copysign(x, 1) | z = as_int(x)
z = max(1, 2L) | z = max(1 < 2, 3 < 4) | z = isnan(1) | z = min(1, 2, 3)
float i = x; z = i | z = true ? x : 0
"""
LEFT_TEXTS = [text.strip() for line in LEFT.strip().splitlines() for text in line.split(" | ")]


@pytest.mark.parametrize("text", LEFT_TEXTS)
def test_what_is_not_surely_understood_is_left_to_compilers(text: str) -> None:
    kernel = xp.ElementwiseKernel("T x", "T z", text)
    with pytest.raises(NotImplementedError, match="null:1 does not run user kernels"):
        kernel(xp.ones(3, dtype=xp.float32, device=READER))


def test_without_an_opencl_device_the_error_says_what_runs() -> None:
    text = """
    import isthmus as xp
    x = xp.ones(3, dtype="float32")
    print(xp.ElementwiseKernel("T x", "T z", "if (x < 2) z = x + 1; else z = 0")(x).tolist())
    reduction = xp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0")
    loop = xp.ElementwiseKernel("T x", "T z", "z = x; while (z > 1) z /= 2", "halved")
    for kernel in loop, reduction:
        try:
            kernel(x)
        except NotImplementedError as error:
            print(error)
    """
    found, halved, reduced = run(text, ISTHMUS_BACKENDS="cpu")[0].splitlines()
    assert found == "[2.0, 2.0, 2.0]"
    wanted = (
        r"an OpenCL device that can access host memory, such as that of Intel's runtime .*: \w+"
    )
    assert re.match(
        r"kernel 'halved': its code is more than the plain arithmetic that cpu runs by "
        rf"itself, so arrays of cpu need {wanted}",
        halved,
    )
    assert re.match(rf"kernel '\w+': arrays of cpu need {wanted}", reduced)


def test_other_kernels_are_left_to_compilers() -> None:
    x = xp.ones(3, dtype=xp.float32, device=READER)
    for kernel in (
        xp.ElementwiseKernel("T x", "T z", "z = x", preamble="#define x 1"),
        xp.ElementwiseKernel("raw T x", "T z", "z = x[i]"),
        xp.ElementwiseKernel("T exp", "T z", "z = exp"),
        xp.ElementwiseKernel("T x", "int32 z", "z = x"),
    ):
        with pytest.raises(NotImplementedError, match="null:1 does not run user kernels"):
            kernel(x, size=(3,))
    half = xp.ones(3, dtype=xp.float16, device=READER)
    with pytest.raises(NotImplementedError):
        xp.ElementwiseKernel("T x", "T z", "z = x + 1")(half)


def test_a_bool_output_is_read() -> None:
    x = xp.asarray([0, 0.5, 256, np.nan], dtype=xp.float32, device=READER)
    assert xp.ElementwiseKernel("T x", "bool z", "z = x")(x).tolist() == [False, True, True, True]


def test_a_device_without_float64_has_no_double() -> None:
    if "null:2" not in DEVICES:
        pytest.skip("build the null backend")
    x = xp.ones(3, dtype=xp.float32, device="null:2")
    assert xp.ElementwiseKernel("T x", "T z", "z = x * 0.1f")(x).tolist() == [np.float32(0.1)] * 3
    for text in ("z = x * 0.1", "z = (double)x", "double t = x; z = t"):
        with pytest.raises(NotImplementedError):
            xp.ElementwiseKernel("T x", "T z", text)(x)


FUNCTIONS = {
    "fabs": xp.abs,
    "rint": xp.round,
    "tgamma": xp.special.gamma,
    "cbrt": xp.special.cbrt,
    "exp2": xp.special.exp2,
    "logb": xp.special.logb,
    "fmod": xp.special.fmod,
    "fma": xp.special.fma,
    "fmax": xp.special.fmax,
    "fmin": xp.special.fmin,
    **{
        name: getattr(xp, name)
        for name in (
            *("sqrt", "hypot", "copysign", "nextafter", "ceil", "floor", "trunc", "exp", "expm1"),
            *("log", "log1p", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan"),
            *("atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "pow"),
        )
    },
}
TWO = {"fmax", "fmin", "hypot", "copysign", "nextafter", "atan2", "pow", "fmod"}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_functions_are_our_rows(name: str, dtype: str) -> None:
    names = ["x", "y", "w"][: 3 if name == "fma" else 2 if name in TWO else 1]
    parameters = ", ".join(f"T {one}" for one in names)
    kernel = xp.ElementwiseKernel(parameters, "T z", f"z = {name}({', '.join(names)})")
    values = [np.roll(np.r_[A, SPECIAL], k).astype(dtype) for k in range(len(names))]
    wanted = get(FUNCTIONS[name](*(xp.asarray(v) for v in values)))
    for device in (READER, "cpu"):
        check_same(results(kernel, values, device), [wanted], f"{name} on {device}")


@pytest.mark.lazy
def test_they_fuse_on_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xp.config, "eager", False)
    squared = xp.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared")
    parts = xp.ElementwiseKernel("T x", "T low, T rest", "low = floor(x); rest = x - floor(x)")
    x = xp.asarray(A, copy=True)
    with xp.profile() as profile:
        total = float(xp.sum(squared(x * 2, 1) + 1))
        low, rest = parts(x)
        both = get(low) + get(rest)
    assert total == pytest.approx(((2 * A - 1) ** 2 + 1).sum())
    np.testing.assert_array_equal(both, A)
    assert str(profile).count(" on cpu, host") == 2, str(profile)
    assert "multiply, squared, add, sum of shape (12,) on cpu, host" in str(profile)
    shown = str(xp.show(squared(x, 1) + 1))
    assert "squared(" in shown and "on cpu" in shown
    assert "user_" in xp.source(squared(x, 1))


def test_small_ones_are_calculated_inline(inline: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xp.config, "eager", False)
    squared = xp.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared")
    loop = xp.ElementwiseKernel("T x", "T y", "y = 0; while (y < x) y += 1", "loop")
    for device in ON_HOST:
        x = xp.asarray(A, device=device, copy=True)
        out = xp.zeros(12, dtype=xp.float32, device=device).eval()
        inline("auto")
        with xp.profile() as profile:
            squared(x, x + 1, out)
            (squared(x, 1) + xp.exp(x)).eval()
        assert str(profile).count("inline") == 2, str(profile)
        np.testing.assert_array_equal(get(out), (A - (A + 1)) ** 2)
        before = xp.statistics()["launched"]
        (squared(x, 1) + loop(x)).eval()  # not all of it was read
        inline("0")
        squared(x, 1).eval()
        assert xp.statistics()["launched"] == before + 2


def test_outputs_that_are_there_and_overlap() -> None:
    squared = xp.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared")
    for device in ("cpu", READER):
        x = put(A, device)
        squared(x, x[::-1], x)
        np.testing.assert_array_equal(get(x), (A - A[::-1]) ** 2)
        same = xp.ElementwiseKernel("T x", "T y, T z", "y = x; z = 3")
        y, z = same(x)
        assert get(y).tolist() == get(x).tolist() and get(z).tolist() == [3] * 12
