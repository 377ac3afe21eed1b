"""Names that users' texts make: macros end with the text that makes them, and functions and structs
may have any name, whatever the kernel around them is.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import isthmus as xp
from tests.device.test_raw_kernel import device as device

E = xp.ElementwiseKernel


def test_names_of_cupys_classes_say_what_would_do() -> None:
    module = xp.RawModule("__kernel void f(__global float* x) { x[0] = 1; }")
    kernels = {
        E("T x", "T y", "y = x"): ("in_params", "params"),
        xp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0): ("in_params", "out_params"),
        module.get_function("f"): ("kernel", "backend", "max_threads_per_block"),
        module: ("backend", "get_global"),
    }
    for kernel, names in kernels.items():
        for name in names:
            assert name not in dir(kernel) and not hasattr(kernel, name)
            with pytest.raises(AttributeError, match=f"no attribute '{name}'; use instead: "):
                getattr(kernel, name)


def test_names_of_cupys_classes_that_are_there(device: str) -> None:
    sums = ("T x, T y", "T z", "x * y", "a + b", "z = a")
    for kernel in (
        E("T x, T y", "T z", "z = x + y", "both", "#define N 1", options="-DM"),
        xp.ReductionKernel(*sums, 0, "both", preamble="#define N 1", options=["-DM"]),
        xp.ScanKernel(*sums, "both", preamble="#define N 1", options=("-DM",)),
    ):
        assert (kernel.nin, kernel.nout, kernel.nargs, kernel.name) == (2, 1, 3, "both")
        assert kernel.preamble == "#define N 1" and kernel.options == ("-DM",)
        with pytest.raises(AttributeError):
            kernel.nin = 1  # type: ignore[misc]
    two = E("T x", "T y, T z", "y = x; z = -x")
    assert (two.nin, two.nout, two.nargs, two.preamble) == (1, 2, 3, "")
    module = xp.RawModule("__kernel void f(__global int* x) { x[0] = N; }", ("-DN=7", "-DM"))
    f, g = module.get_function("f"), module.get_function("g")
    assert f.options == module.options == ("-DN=7", "-DM") and f.code == module.code
    assert xp.RawKernel(f.code, "f", "-DN=8").options == ("-DN=8",)
    f.compile(device)
    module.compile(device=device)
    x = xp.zeros(1, dtype="int32", device=device).eval()
    before = xp.cache.info().compiled
    f(1, 1, (x,))
    assert x.item() == 7 and xp.cache.info().compiled == before
    with pytest.raises(ValueError, match="no kernel 'g'; it has f"):
        g.compile(device)
    with pytest.raises(xp.CompileError, match=r"^RawModule: .*, in line 2: nowhere x;"):
        xp.RawModule("\nnowhere x;").compile(device)
    with pytest.raises(NotImplementedError, match="null:1 does not run user kernels"):
        module.compile("null:1")


X = np.arange(1, 7, dtype="f4").reshape(2, 3)

# what is around a kernel, as NumPy has it, too
AROUND: dict[str, tuple[Callable[[xp.Array], xp.Array], Callable[[np.ndarray], np.ndarray]]] = {
    "map": (lambda z: z + 1, lambda z: z + 1),
    "rows": (lambda z: xp.sum(z, axis=1), lambda z: z.sum(1)),
    "columns": (lambda z: xp.sum(z, axis=0), lambda z: z.sum(0)),
    "state": (lambda z: xp.argmax(z, axis=1), lambda z: z.argmax(1)),
    "scan": (lambda z: xp.cumulative_sum(z, axis=1), lambda z: z.cumsum(1)),
    "sort": (lambda z: xp.sort(z, axis=1), lambda z: np.sort(z, 1)),
    "transposed": (lambda z: xp.matrix_transpose(z) * 2, lambda z: z.T * 2),
}
MACROS = ["k", "count", "left", "begin", "rest", "lanes", "lane", "w", "v", "i0", "v0", "in0"]
MACROS += ["out0", "e0", "total", "scratch", "isthmus_words", "kept", "chunk", "x", "element"]
FUNCTIONS = ["map", "reduce", "fold", "combine", "scan", "element", "Words", "begin", "key_of"]
FUNCTIONS += ["is_before", "finish", "count", "value", "total", "place", "fold_chunk", "w"]


def there(device: str) -> xp.Array:
    return xp.asarray(X, device=device, copy=True)


def test_macros_of_an_operation_end_with_it(device: str) -> None:
    a = E("T x", "T z", "\n#define SCALE 3\nz = x*SCALE;")
    b = E("T x", "T z", "\n#ifndef SCALE\n#define SCALE 5\n#endif\nz = x*SCALE;")
    seven = E("T y", "T z", "\n  # /* of */ define x 7\nz = y + x;")
    long = E(
        "T y", "T z", "\n#define AT(a, \\\n b) ((a) + \\\n (b))\n#define SCALE(x) x\nz = AT(y, 1);"
    )
    x = there(device)
    np.testing.assert_array_equal(b(a(x)).to_numpy(), X * 15)
    np.testing.assert_array_equal(a(b(x)).to_numpy(), X * 15)
    np.testing.assert_array_equal(b(seven(a(x))).to_numpy(), (X * 3 + 7) * 5)
    np.testing.assert_array_equal(a(b(long(seven(x)))).to_numpy(), (X + 8) * 15)


def test_macros_of_the_language_stay(device: str) -> None:
    own = E("T x", "T z", "\n#ifndef M_PI_F\n#define M_PI_F 4\n#endif\nz = x * M_PI_F;")
    other = E("T x", "T z", "\n#undef M_PI_F\n#define M_PI_F 2\nz = x * M_PI_F;")
    there_is = E("T x", "T z", "do z = x * M_PI_F; while (0)")
    x = there(device)
    expected = X * np.float32(np.pi)
    np.testing.assert_allclose(there_is(own(x)).to_numpy(), expected * np.float32(np.pi), 1e-6)
    np.testing.assert_allclose(there_is(other(x)).to_numpy(), expected * 2, 1e-6)


def test_operations_share_the_macros_of_their_preamble(device: str) -> None:
    preamble = "#define SCALE 3"
    a = E("T x", "T z", "\n#undef SCALE\n#define SCALE 5\nz = x*SCALE;", preamble=preamble)
    b = E("T x", "T z", "z = x*SCALE;", preamble=preamble)
    got = xp.sum(b(a(there(device))), axis=1)
    np.testing.assert_array_equal(got.to_numpy(), (X * 15).sum(1))


@pytest.mark.parametrize("text", ['_Pragma("pop_macro(\\"Q\\")")', "%:define SCALE 3"])
def test_what_is_not_understood_stands_alone(device: str, text: str) -> None:
    a = E("T x", "T z", f"\n{text}\nz = x*3;")
    b = E("T x", "T z", "\n#ifndef SCALE\n#define SCALE 5\n#endif\nz = x*SCALE;")
    np.testing.assert_array_equal(b(a(there(device))).to_numpy(), X * 15)
    np.testing.assert_array_equal(a(b(there(device))).to_numpy(), X * 15)


@pytest.mark.parametrize("around", AROUND)
def test_any_macro_in_a_preamble(device: str, around: str) -> None:
    ours, numpys = AROUND[around]
    defined = "\n".join(f"#define {name} 3" for name in MACROS)
    kernel = E("float32 y", "float32 z", "z = y*k", preamble=defined)
    np.testing.assert_array_equal(ours(kernel(there(device))).to_numpy(), numpys(X * 3))


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("kind", ["function", "struct"])
def test_any_function_or_struct_in_a_preamble(device: str, around: str, kind: str) -> None:
    ours, numpys = AROUND[around]
    if kind == "function":
        one = "float {0}(float a) {{ return a * 3; }}"
        operation = " ".join(f"z = {name}(y);" for name in FUNCTIONS)
    else:
        one = "typedef struct {{ float by; }} {0};"
        operation = " ".join(f"{{ {name} s = {{3}}; z = y * s.by; }}" for name in FUNCTIONS)
    preamble = "\n".join(one.format(name) for name in FUNCTIONS)
    kernel = E("float32 y", "float32 z", operation, preamble=preamble)
    np.testing.assert_array_equal(ours(kernel(there(device))).to_numpy(), numpys(X * 3))


def test_structs_of_any_name(device: str) -> None:
    """What is combined is of the first name; the others are made and read on the way to it."""
    first, *others = FUNCTIONS
    structs = {name: np.dtype([(f"by_{name}", "f4")]) for name in FUNCTIONS}
    value = "x"
    for name in others:
        value = f"({name}){{{value}}}.by_{name}"
    by = f"by_{first}"
    most = xp.ReductionKernel(
        *("float32 x", "float32 y", f"({first}){{{value}}}"),
        *(f"a.{by} > b.{by} ? a : b", f"y = a.{by}", "{LEAST}"),
        reduce_type=structs[first],
        preamble="#define LEAST -1",
        structs=structs,
    )
    np.testing.assert_array_equal(most(there(device), axis=1).to_numpy(), X.max(1))
    assert most(there(device)[:0]).item() == -1


@pytest.mark.parametrize("name", FUNCTIONS[1:])
def test_what_is_combined_has_any_name(device: str, name: str) -> None:
    by = np.dtype([("by", "f4")])
    most = xp.ReductionKernel(
        *("float32 x", "float32 y", f"({name}){{x}}", "a.by > b.by ? a : b", "y = a.by", "{-1}"),
        reduce_type=by,
        structs={name: by},
    )
    np.testing.assert_array_equal(most(there(device), axis=1).to_numpy(), X.max(1))


def test_identities_are_not_confused(device: str) -> None:
    """Two combinations that differ in their identity alone, in one kernel."""
    parts = ("T x", "T y", "x", "a + b", "y = a")
    zero, one = xp.ReductionKernel(*parts, 0), xp.ReductionKernel(*parts, 1)
    x = there(device)[:, :0]
    got = zero(x, axis=1) + one(x, axis=1)
    assert got.tolist() == [1, 1]
