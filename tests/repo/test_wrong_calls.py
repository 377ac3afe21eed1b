"""Every public function, class, method and setter, called with what it cannot take: an error of a
usual class, in words of our own, and never the end of the process.

What fails here may end the process, so that all of it runs in one of its own.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

import isthmus as xp
from isthmus import _names, memory
from tests.programs import run

SWEEP = """
import contextlib
import inspect
import io
import os
import tempfile
import types

import numpy as np

import isthmus as xp
from isthmus import _names, memory

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)  # some functions take the name of a file
xp.config.cache_dir = folder.name + "/cache"

USUAL = (TypeError, ValueError, LookupError, OverflowError, xp.Error)
NOT_OURS = (
    *("incompatible function arguments", "nanobind", "std::", "__cdecl", "bad_cast"),
    "an attribute of an argument is of another type",
)
WRONG = (object(), "\\ud800", 10**30, (10**30,), [-(10**30)])
LEFT_OUT = {  # of all objects, or what a call of the class does
    *("__class__", "__new__", "__init__", "__init_subclass__", "__subclasshook__", "__dict__"),
    *("__getattribute__", "__setattr__", "__delattr__", "__weakref__"),
}
calls, bad = 0, []


def call(label, f, *args, usual=USUAL, **kwargs):
    global calls
    calls += 1
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            f(*args, **kwargs)
    except Exception as error:
        text = str(error)
        is_good = isinstance(error, usual) and text.strip()
        if not is_good or any(word in text for word in NOT_OURS):
            given = [type(x).__name__ for x in args[:5]]
            bad.append(f"{label} {given} {list(kwargs)}: {type(error).__name__}: {text!r}")


def is_ours(thing):
    return (getattr(thing, "__module__", "") or "").startswith("isthmus")


x = xp.ones(3)
with xp.profile() as profile:
    (x + 1).eval()
OBJECTS = [
    *(x, xp.Device("cpu"), xp.Queue("cpu"), xp.Context("cpu"), memory.MemoryHost(8), xp.config),
    *(xp.fusing(), xp.implicit_host_copy("error"), xp.explain(x), xp.cache.info(), x.flags),
    *(xp.finfo("float32"), xp.iinfo("int8"), xp.__array_namespace_info__()),
    *(xp.LocalMemory(4), xp.RawKernel("", "f"), xp.RawModule("")),
    xp.ElementwiseKernel("T x", "T y", "y = x"),
    xp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0),
    xp.ScanKernel("T x", "T y", "x", "a + b", "y = a"),
    xp.random.default_rng(1),
    *(profile, profile.evaluations[0], profile.kernels[0], xp.Error("text")),
]


def good(parameter):
    \"\"\"Something that the annotation may mean.\"\"\"
    words = {"Array": x, "Device": "cpu", "int": 1, "Index": 1, "bool": True, "str": "float32"}
    found = (value for word, value in words.items() if word in str(parameter.annotation))
    return next(found, x)


def sweep(label, f, *self):
    \"\"\"Too many arguments, a keyword of nobody, and each argument wrong beside good ones.\"\"\"
    call(label, f, *self, *[object()] * 40)
    call(label, f, *self, no_such_keyword=1)
    # of a compiled class Python 3.11.2 looks at __new__, which has no signature
    is_class = isinstance(f, type) and hasattr(f.__init__, "__nb_signature__")
    called = f.__init__ if is_class else f
    try:
        parameters = [*inspect.signature(called).parameters.values()][len(self) + is_class:]
    except (TypeError, ValueError):
        return False
    listed = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    needed = [good(p) for p in listed if p.default is p.empty]
    call(label, f, *self, *needed, no_such_keyword=1)
    for wrong in WRONG:
        for count in range(len(listed) + 1):
            call(label, f, *self, *[wrong] * count)
        for i in range(len(listed)):
            args = [good(p) for p in listed[: max(i + 1, len(needed))]]
            args[i] = wrong
            call(label, f, *self, *args)
        for parameter in parameters:
            if parameter.kind == parameter.KEYWORD_ONLY:
                call(label, f, *self, *needed, **{parameter.name: wrong})
            elif parameter.kind == parameter.POSITIONAL_OR_KEYWORD:
                before = listed[: listed.index(parameter)]
                after = listed[len(before) + 1 : len(needed)]
                rest = {p.name: good(p) for p in after}
                rest[parameter.name] = wrong
                call(label, f, *self, *map(good, before), **rest)
    return True


def sweep_class(cls):
    self = next((one for one in OBJECTS if isinstance(one, cls)), None)
    for name in sorted(set(dir(cls)) - LEFT_OUT):
        owner = next(c for c in cls.__mro__ if name in vars(c))
        is_private = name.startswith("_") and not name.startswith("__")
        if is_private or not is_ours(owner):
            continue
        member, label = inspect.getattr_static(cls, name), f"{cls.__name__}.{name}"
        if isinstance(member, (classmethod, staticmethod)):
            sweep(label, getattr(cls, name))
        elif self is None or isinstance(member, type):
            continue
        elif callable(member):
            sweep(label, member, self)
        elif hasattr(member, "__set__"):
            setter = getattr(member, "fset", None)
            refuses = getattr(setter, "__name__", "") == "refuse"
            may_set = (setter is not None and not refuses) or is_ours(type(member))
            usual = USUAL if may_set else (*USUAL, AttributeError)
            for wrong in (*WRONG, None, 1.5):
                call(label, setattr, self, name, wrong, usual=usual)
    return self is not None


found = {}
for module in (xp, memory, xp.cache, xp.linalg, xp.random):
    for name in {*dir(module), *getattr(module, "__all__", ())}:
        if not name.startswith("_") or name in xp.__all__:
            found[name] = getattr(module, name)
found |= {name: getattr(xp, name) for name in _names.FUNCTIONS}
entries = {name: f for name, f in found.items() if callable(f) and is_ours(f)}
without = sorted(name for name, f in entries.items() if not sweep(name, f))
classes = {f for f in entries.values() if isinstance(f, type)} | {type(x) for x in OBJECTS}
alone = sorted(cls.__name__ for cls in classes if not sweep_class(cls))
assert (xp.ones(3) + 1).tolist() == [2, 2, 2]
print(len(entries), calls)
print(*(name for name in without if not issubclass(entries[name], Exception)))
print(*(name for name in alone if not issubclass(found.get(name, int), Exception)))
print("\\n".join(bad))
"""


def test_wrong_arguments_give_an_error_of_ours() -> None:
    out, _ = run(SWEEP, PYTHONWARNINGS="ignore")
    counts, without, alone, *bad = out.splitlines()
    assert bad == [""], "\n".join(bad)
    entries, calls = map(int, counts.split())
    assert entries > 150
    assert calls > 4000
    assert without.split() == ["Array", "Explanation"], "whose arguments nobody knows"
    # of which there is no object here; they have the methods of MemoryHost
    left = ["MemoryBuffer", "MemoryUSMDevice", "MemoryUSMHost", "MemoryUSMShared"]
    assert alone.split() == left


INTS = re.compile(r"\b(int|SupportsIndex|Axes|Shape|Index)\b")
SAYS_SIZE = re.compile(rf"64 bits|past 2|beyond 2|past the end|{10**30}")
GOOD: dict[str, Any] = {
    **{"shape": (2, 3), "dtype": "float64", "indices": [0, 1], "axes": (1, 0)},
    **{"source": 0, "destination": 1, "axis": 0, "axis1": 0, "axis2": 1, "shift": 1, "num": 3},
    **{"k": 1, "kth": 1, "repeats": 2, "repetitions": 2, "p": 0.5, "low": 0, "high": 5, "n": 3},
    **{"q": 0.5, "length": 3, "jumps": 1, "n_children": 2},
}


def functions_of(owner: object, names: Iterable[str]) -> Iterator[tuple[str, Any]]:
    for name in sorted(names):
        function = getattr(owner, name, None)
        if not name.startswith("_") and callable(function) and not isinstance(function, type):
            yield name, function


def problem_of_huge(name: str, function: Any, given: inspect.Parameter, huge: object) -> str:
    """What is wrong with the answer to an int past 64 bits; empty: nothing."""
    args, named = [], {}
    for one in inspect.signature(function).parameters.values():
        if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            continue
        if one.name != given.name and one.default is not one.empty:
            continue
        value = huge if one.name == given.name else GOOD.get(one.name, xp.ones((2, 3)))
        if one.name == "memory" != given.name:
            value = memory.MemoryHost(48)
        if one.kind is one.POSITIONAL_ONLY:
            args.append(value)
        else:
            named[one.name] = value
    try:
        function(*args, **named)
    except (TypeError, ValueError, OverflowError, IndexError) as error:
        text = str(error)
        is_clear = re.search(rf"\b{given.name}\b", text) or SAYS_SIZE.search(text)
        is_other = "has an unexpected type" in text
        return "" if is_clear and not is_other else f"{name}: {given.name}: {text}"
    return f"{name}: {given.name}: takes {huge}"


def test_ints_past_64_bits_are_named() -> None:
    x = xp.ones((2, 3))
    functions = [
        *functions_of(xp, {*dir(xp), *_names.FUNCTIONS}),
        *functions_of(xp.linalg, xp.linalg.__all__),
        *functions_of(xp.random, dir(xp.random)),
        *functions_of(xp.random.default_rng(1), dir(xp.random.Generator)),
        *functions_of(x, dir(x)),
    ]
    bad, calls = [], 0
    for name, function in functions:
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):
            continue
        for one in parameters:
            words = INTS.findall(str(one.annotation))
            if not words or one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
                continue
            many = [(10**30, 10**30), [10**30]] if {"Axes", "Shape", "Index"} & {*words} else []
            for huge in (10**30, -(10**30), *many):
                calls += 1
                bad.append(problem_of_huge(name, function, one, huge))
    assert not any(bad), "\n".join(filter(None, bad))
    assert calls > 300
    with pytest.raises(ValueError, match=r"^tensordot: axes: an int beyond 64 bits"):
        xp.tensordot(x, x, axes=10**30)
    with pytest.raises(ValueError, match=r"^einsum: optimize: an int beyond 64 bits"):
        xp.einsum("ij,jk", x, x.T, optimize=[(10**30, 0)])
    with pytest.raises(IndexError, match="an array of ints beyond 64 bits is not an index"):
        x[[10**30]]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ValueError])
def test_what_an_index_raises_is_raised(error: type[BaseException]) -> None:
    class Index:
        def __index__(self) -> int:
            raise error("mine")

    x: Any = xp.ones((2, 3))
    i: Any = Index()
    for call in (
        lambda: xp.eye(i),
        lambda: xp.tril(x, k=i),
        lambda: xp.topk(x, i),
        lambda: xp.linspace(0, 1, i),
        lambda: xp.stack([x, x], axis=i),
        lambda: xp.argsort(x, axis=i),
        lambda: xp.roll(x, i),
        lambda: x.swapaxes(i, 0),
        lambda: xp.random.default_rng(1).bytes(i),
    ):
        with pytest.raises(error, match="mine"):
            call()


def test_wrong_arguments_of_numpys_protocols_do_not_end_the_process() -> None:
    run("""
        import numpy as np
        import isthmus as xp
        x = xp.ones(3)
        for args in (
            (np.concatenate, (), 5, {}),
            (np.concatenate, (), ([x, x],), 6),
            (np.concatenate, (), ([x, x],), None),
            (object(), (), (), {}),
            (len, (), ([],), {}),
        ):
            try:
                x.__array_function__(*args)
            except TypeError as error:
                assert str(error).startswith("__array_function__: "), error
            else:
                raise AssertionError(args)
        assert x.__array_function__(np.concatenate, (), ([x, x],), {}).tolist() == [1] * 6
    """)


def test_text_that_utf8_cannot_hold_is_shown_as_python_does() -> None:
    run(r"""
        import numpy as np
        import isthmus as xp
        try:
            xp.Device("\ud800")
        except xp.DeviceNotFoundError as error:
            assert r"device '\ud800': there is no backend" in str(error), error
        x = xp.zeros(2, dtype=np.dtype([("\ud800", "f4")]))
        assert x["\ud800"].tolist() == [0, 0]
        try:
            x["\udfff"]
        except ValueError as error:
            assert r"no field '\udfff'; the fields are '\ud800'" in str(error), error
        class Refusing:
            def __dlpack_device__(self): raise RuntimeError("\ud800")
            def __dlpack__(self, **_): raise RuntimeError("\ud800")
        assert r"\ud800" in xp.explain(Refusing()).reason
    """)
