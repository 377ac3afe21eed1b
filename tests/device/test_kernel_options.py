"""Options of the compiler of kernels of elements, reductions and scans: they reach the text, and
nothing else that stands beside it.
"""

from __future__ import annotations

import copy
import importlib.util
import os
import pathlib
import pickle
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import isthmus as xp
from tests.device.arrays import get, put
from tests.device.test_raw_kernel import device as device
from tests.ways import REAL, WHOSE, Way

E = xp.ElementwiseKernel
X = np.arange(-5, 7, dtype="f4")
FAST = "-cl-fast-relaxed-math"
# One with a macro alone, one that a compiler is given as well, and what a compiler alone divides.
WAYS = {
    "macro": ("-DN=4",),
    "macro and option": ("-DN=4", FAST),
    "a text of both": ("-DN=4 " + FAST,),
    "apart": "-D N=4",
    "quoted": ("-cl-mad-enable", "-DN=4", '-DTEXT="a b"'),
}


def kernels_of(make: Any) -> int:
    before = xp.statistics()["kernels"]
    make()
    return int(xp.statistics()["kernels"] - before)


@pytest.mark.parametrize("way", WAYS)
def test_they_reach_the_text(device: str, way: str) -> None:
    options: Any = WAYS[way]
    x = put(X, device)
    plus = E("T x", "T y", "y = x + N", options=options)
    np.testing.assert_array_equal(get(plus(x)), X + 4)
    table = E("raw T x, T by", "T y, int64 k", "y = x[n - 1 - i] * by + N; k = i", options=options)
    y, k = table(x, 0.5, size=12)
    np.testing.assert_array_equal(get(y), X[::-1] / 2 + 4)
    np.testing.assert_array_equal(get(k), np.arange(12))
    sums = ("T x", "T y", "x + N", "a + b", "y = a * N")
    total = xp.ReductionKernel(*sums, "N - 4", options=options)
    rows = put(X.reshape(3, 4), device)
    np.testing.assert_array_equal(get(total(rows, axis=1)), (X.reshape(3, 4) + 4).sum(1) * 4)
    assert total(x[:0]).item() == 0
    running = xp.ScanKernel(*sums, options=options)
    np.testing.assert_array_equal(get(running(x)), np.cumsum(X + 4) * 4)
    starts = xp.ScanKernel(
        *sums,
        options=options,
        is_segment_start_expr="i % N == 0",
        exclusive=True,
        identity="N - 4",
    )
    parts = np.cumsum((X + 4).reshape(3, 4), axis=1) - (X + 4).reshape(3, 4)
    np.testing.assert_array_equal(get(starts(x)), parts.ravel() * 4)


@pytest.mark.parametrize("others", [(), (FAST,)])
def test_kernels_of_other_options_are_others(device: str, others: tuple[str, ...]) -> None:
    x = put(X, device)
    two, five = (E("T x", "T y", "y = x * N", options=(f"-DN={n}", *others)) for n in (2, 5))
    np.testing.assert_array_equal(get(two(x)), 2 * X)
    np.testing.assert_array_equal(get(five(x)), 5 * X)
    np.testing.assert_array_equal(get(two(x) + five(x)), 7 * X)
    np.testing.assert_array_equal(get(two(five(two(x + 1) - 1))), 10 * (2 * X + 1))
    fast = E("T x", "T y", "y = x * 2", options=(FAST,))
    plain = E("T x", "T y", "y = x * 2")
    np.testing.assert_array_equal(get(plain(fast(x)) + fast(x)), 6 * X)


def test_our_names_stay_what_they_are(device: str) -> None:
    names = ("k", "w", "count", "left", "begin", "total", "lanes", "v0", "in0", "i0", "long", "T")
    options = [f"-D{name}=nonsense" for name in names]
    x = put(np.arange(3000, dtype="f4"), device)
    text = E("T x", "T y", "y = x + F(x)", options=[*options, "-DF(z)=(z)*2", "-DON"])
    np.testing.assert_array_equal(get(text(x) + 1), np.arange(3000) * 3 + 1)
    both = E("T x", "T y", "#ifdef ON\ny = ON + x;\n#endif", options="-DON")
    np.testing.assert_array_equal(get(both(x)), np.arange(3000) + 1)
    total = xp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0, options=options)
    assert total(x * 2).item() == 2999 * 3000


@pytest.mark.parametrize("name", REAL)
def test_macros_fuse_and_other_options_stand_alone(name: str) -> None:
    x = put(X, name)
    macro = E("T x", "T y", "y = x + N", options=("-DN=1",))
    assert kernels_of(lambda: get(xp.sum(macro(x * 2) / 3))) == 1
    fast = E("T x", "T y", "y = x + N", options=("-DN=1", FAST))
    with xp.profile() as p:
        assert kernels_of(lambda: get(xp.sum(fast(x * 2) / 3))) == 3
    assert "or it has other options of the compiler" in str(p)
    assert kernels_of(lambda: get(fast(fast(x)))) == 1
    total = xp.ReductionKernel("T x", "T y", "x", "a + b", "y = a * N", 0, options=fast.options)
    assert kernels_of(lambda: get(total(fast(x)))) == 1
    # numbers of elements, and copies to where a result is wanted, are right with any options
    numbered = E("T x", "T y", "y = x + i", options=(FAST,))
    out = put(0 * X, name)
    assert kernels_of(lambda: numbered(x, out)) == 1
    np.testing.assert_array_equal(get(out), X + np.arange(12))


@pytest.mark.parametrize("option", [FAST, "-cl-finite-math-only", "-cl-unsafe-math-optimizations"])
@pytest.mark.parametrize("name", REAL)
def test_what_stands_beside_is_calculated_as_without(
    name: str, option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xp.config, "inline", "0")
    same = E("T x", "T y", "y = x", options=(option,))
    rng = np.random.default_rng(5)
    numbers = rng.normal(size=5000).astype("f4")
    numbers[::7], numbers[1::7] = np.nan, np.inf
    x = put(numbers, name)
    np.testing.assert_array_equal(get(xp.isnan(same(x))), np.isnan(numbers))
    np.testing.assert_array_equal(get(same(x) / 3), numbers / np.float32(3))
    finite = np.where(np.isfinite(numbers), numbers, 1).astype("f4")
    y = put(finite, name)
    np.testing.assert_array_equal(get(same(y / 3) * 7), finite / np.float32(3) * np.float32(7))
    np.testing.assert_array_equal(
        get(same(xp.where(xp.isnan(x) | xp.isinf(x), y, x))),
        np.where(numbers == finite, numbers, finite),
    )
    total = xp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0, options=(option,))
    counted = total(xp.isnan(x).astype(xp.float32))
    assert (counted / 3).item() == np.float32(np.isnan(numbers).sum()) / np.float32(3)


def test_outputs_that_are_there_and_structs(device: str) -> None:
    x, out = put(X, device), put(0 * X, device)
    kernel = E("T x", "T y, T z", "y += x * N; z = y", options=("-DN=3", FAST))
    other = put(X, device)
    kernel(x, out, other)
    np.testing.assert_array_equal(get(out), 3 * X)
    np.testing.assert_array_equal(get(other), 3 * X)
    kernel(x, x[::-1], out)
    np.testing.assert_array_equal(get(x), X[::-1][::-1] + 3 * X[::-1])
    pair = np.dtype([("low", "f4"), ("high", "i4")])
    for options in (("-DN=3",), ("-DN=3", FAST)):
        made = E(
            "int32 k",
            "Pair p",
            "p.low = k + N; p.high = N",
            structs={"Pair": pair},
            options=options,
        )
        some = made(put(np.arange(3, dtype="i4"), device))
        assert get(some).tolist() == [(3, 3), (4, 3), (5, 3)]
        assert get(some[::-1]).tolist() == [(5, 3), (4, 3), (3, 3)]


def test_copies_keep_them(device: str) -> None:
    sums = ("T x", "T y", "x * N", "a + b", "y = a")
    for kernel in (
        E("T x", "T y", "y = x * N", options=["-DN=3", FAST]),
        xp.ReductionKernel(*sums, options=["-DN=3", FAST]),
        xp.ScanKernel(*sums, options=["-DN=3", FAST]),
    ):
        wanted = get(kernel(put(X, device)))
        for other in (copy.copy(kernel), pickle.loads(pickle.dumps(kernel))):
            assert other.options == ("-DN=3", FAST) and repr(other) == repr(kernel)
            np.testing.assert_array_equal(get(other(put(X, device))), wanted)
    assert E("T x", "T y", "y = x").options == ()


@pytest.mark.parametrize("name", REAL)
def test_users_contexts(name: str) -> None:
    whose = WHOSE[name.partition(":")[0]]
    if not importlib.util.find_spec(whose):
        pytest.skip(f"no {whose}")
    kernel = E("T x", "T y", "y = x * N + i", options=("-DN=3", FAST))
    with Way(name, "0", False, context=whose).queue():
        x = xp.arange(64, dtype=xp.float32, device=name)
        y = kernel(x) + 1
    np.testing.assert_array_equal(get(y), np.arange(64) * 4 + 1)


SAVED = """
import sys
import isthmus as xp

x = xp.ones(4, dtype=xp.float32, device=sys.argv[1]).eval()
before = xp.cache.info()
for n in (2, 3):
    options = (f"-DN={n}", "-cl-fast-relaxed-math")
    assert xp.ElementwiseKernel("T x", "T y", "y = N", options=options)(x).tolist() == [n] * 4
include = ("T x", "T y", "y = BY", "k", '#include "by.h"')
y = xp.ElementwiseKernel(*include, options=f"-I{sys.argv[2]}")(x).eval()
info = xp.cache.info()
print(info.compiled - before.compiled, info.disk_hits - before.disk_hits, y.tolist())
"""


@pytest.mark.parametrize("name", REAL)
def test_kernels_with_options_are_found_on_disk(name: str, tmp_path: pathlib.Path) -> None:
    places = {"ISTHMUS_CACHE_DIR": str(tmp_path / "cache"), "ISTHMUS_INLINE": "1"}
    for by, compiled, on_disk in ((7, 3, 0), (9, 1, 2)):
        (tmp_path / "by.h").write_text(f"#define BY {by}\n")
        command = [sys.executable, "-c", SAVED, name, str(tmp_path)]
        done = subprocess.run(
            command, env={**os.environ, **places}, capture_output=True, text=True, check=True
        )
        assert done.stdout == f"{compiled} {on_disk} {[float(by)] * 4}\n", done.stdout


def test_what_does_not_compile_names_the_options(device: str) -> None:
    x = put(X, device)
    with pytest.raises(xp.CompileError, match="with the options -no-such-option -cl-mad-enable"):
        E("T x", "T y", "y = x", options=("-no-such-option", "-cl-mad-enable"))(x).eval()
    sums = ("T x", "T y", "x", "a + b", "y = a", 0)
    with pytest.raises(xp.CompileError, match="with the options -no-such-option"):
        xp.ReductionKernel(*sums, options=["-no-such-option"])(x).eval()
    with pytest.raises(xp.CompileError, match=r"nowhere.*, in line 1 of operation: y = N"):
        E("T x", "T y", "y = N", options="-DN=nowhere")(x).eval()
    np.testing.assert_array_equal(get(x + 1), X + 1)


@pytest.mark.parametrize("name", REAL)
def test_warnings_about_options_are_shown(
    name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "NVIDIA" in xp.Device(name).info["name"]:
        pytest.skip("its compiler accepts this option without a word")
    monkeypatch.setattr(xp.config, "cache_dir", str(tmp_path))  # whose kernels are silent
    kernel = E("T x", "T y", "y = x /* of doubtful options */", options="-cl-strict-aliasing")
    refused = False
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            np.testing.assert_array_equal(get(kernel(put(X, name))), X)
        except xp.CompileError as error:
            refused = "with the options -cl-strict-aliasing" in str(error)
    shown = [one for one in warned if "'-cl-strict-aliasing'" in str(one.message)]
    assert refused or shown


def test_an_output_may_be_assigned_by_a_macro(device: str) -> None:
    for others in ((), ('-DTEXT="a"',)):
        kernel = E("T x", "T y", "SET(x)", options=("-DSET(z)=y=z", *others))
        np.testing.assert_array_equal(get(kernel(put(X, device))), X)
    with pytest.raises(ValueError, match="output 'y' is never assigned"):
        E("T x", "T y", "SET(x)", options="-DSET(z)=x=z")


def test_macros_do_not_reach_the_librarys_text(device: str) -> None:
    x = put(np.arange(8, dtype="f4"), device)
    for others in ((), ("-g",), ("-w",), ("-w", "-cl-mad-enable"), ("-I", "/tmp"), ("-I/tmp",)):
        for macro in ("-Dfloat=int", "-Dk=3", "-Dcount=3", "-Dlong=int", "-Dlanes=8"):
            summed = xp.ReductionKernel(
                *("float32 x", "float32 y", "x", "a+b", "y=a", 0), options=(macro, *others)
            )
            assert summed(x / 2).item() == (12 if macro == "-Dfloat=int" else 14), (macro, others)


def test_macros_for_numbers_alone_meet_no_vectors(device: str) -> None:
    x = np.linspace(0.1, 3, 6000, dtype="f4")
    largest = ("float32 x", "float32 y", "x", "fmax(a, b)", "y = a", 0)
    for given in (
        {"options": "-Dfmax(p,q)=as_float(max(as_int(p),as_int(q)))"},
        {"options": ("-Dfmax(p,q)=as_float(max(as_int(p),as_int(q)))", '-DS="s"')},
        {"preamble": "#define fmax(p, q) as_float(max(as_int(p), as_int(q)))"},
        {
            "options": "-Dfmax=larger",
            "preamble": "float larger(float p, float q) { return p > q ? p : q; }",
        },
    ):
        assert xp.ReductionKernel(*largest, **given)(put(x, device)).item() == x.max()
    total = xp.ReductionKernel(
        *("float32 x", "float32 y", "fabs(x)", "a + b", "y = a", 0),
        options="-Dfabs(v)=((v)>=0?1.0f:0)",
    )
    assert total(put(x, device)).item() == 6000


def test_macros_may_name_what_the_library_defines(device: str) -> None:
    x = put(np.arange(8, dtype="f4"), device)
    for others in ((), ("-cl-mad-enable",), ('-DS="s"',)):
        places = E("T x", "T y", "y = IDX", options=("-DIDX=i", *others))
        assert get(places(x)).tolist() == list(range(8))
        half = E("T x", "T y", "y = HALF(x)", options=("-DHALF(v)=((T)((v)/2))", *others))
        assert get(half(x)).tolist() == [k / 2 for k in range(8)]
        back = E("raw float32 x", "float32 y", "y = x[REV]", options=("-DREV=n-1-i", *others))
        assert get(back(x, size=8)).tolist() == list(range(8))[::-1]
        sums = xp.ScanKernel(
            *("float32 x", "float32 y", "x", "a + b", "y = a"),
            is_segment_start_expr="START",
            options=("-DSTART=(i%4==0)", *others),
        )
        assert get(sums(x)).tolist() == [0, 1, 3, 6, 4, 9, 15, 22]
        z = put(np.array([1 + 2j, 3 - 1j], "c8"), device)
        twice = E(
            "complex64 z", "complex64 y", "y = ADD(z, z)", options=("-DADD=cfloat_add", *others)
        )
        assert get(twice(z)).tolist() == [2 + 4j, 6 - 2j]


def test_a_macro_may_have_blanks(device: str) -> None:
    kernel = E("T x", "T y", "y = x * N", options=("-DN=(1 + 2)", "-D M"))
    np.testing.assert_array_equal(get(kernel(put(X, device))), X * 3)
    kernel = E("T x", "T y", "y = x * N - M", options="-DN=2 -D M=1 -cl-mad-enable")
    np.testing.assert_array_equal(get(kernel(put(X, device))), X * 2 - 1)


def test_null_has_no_compiler_for_them() -> None:
    x = xp.ones(3, dtype=xp.float32, device="null:0")
    with pytest.raises(NotImplementedError, match="does not run user kernels"):
        E("T x", "T y", "y = x", options=("-DN=1",))(x).eval()
