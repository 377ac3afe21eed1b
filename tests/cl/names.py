"""Names of pyopencl's modules beside those of isthmus.cl: what is there, and what differs.

    python -m tests.cl.names

writes docs/pyopencl-names.md. A test compares that page with the modules.
"""

from __future__ import annotations

import importlib
import inspect
import pathlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

PAGE = pathlib.Path(__file__).parents[2] / "docs/pyopencl-names.md"
VERSION = "2026.1"  # of pyopencl, that the page is about

# Left out, and why: what pyopencl does not document, and what docs/from-pyopencl.md says.
_INSIDE = "not documented by pyopencl"
_BESSEL = "left out: Bessel and Hankel functions"
LEFT_OUT = {
    "array": dict.fromkeys(
        ("SCALAR_CLASSES", "ArrayT", "ARRAY_KERNEL_EXEC_HOOK", "elwise_kernel_runner"), _INSIDE
    ),
    "cltypes": {},
    "clmath": dict.fromkeys(("bessel_jn", "bessel_yn", "hankel_01"), _BESSEL),
    "algorithm": {},
    "bitonic_sort": {},
    "clrandom": {"Random123GeneratorBase": _INSIDE},
    "scan": {"GenericDebugScanKernel": "left out: a debugging aid"},
}
# Of these modules, what pyopencl documents: the rest are insides of its own kernels.
DOCUMENTED = {
    "tools": (
        *("get_or_register_dtype", "register_dtype", "TypeNameNotKnown", "dtype_to_ctype"),
        *("match_dtype_to_c_struct", "dtype_to_c_struct", "VectorArg", "ScalarArg", "OtherArg"),
        *("parse_arg_list", "MemoryPool", "ImmediateAllocator", "DeferredAllocator"),
        *("PooledBuffer", "SVMAllocator", "SVMPool", "PooledSVM", "AllocatorBase"),
    ),
    "elementwise": ("ElementwiseKernel", "ElementwiseTemplate"),
    "reduction": ("ReductionKernel", "ReductionTemplate"),
    "scan": ("GenericScanKernel", "InclusiveScanKernel", "ExclusiveScanKernel", "ScanTemplate"),
}
MODULES = (
    *("array", "cltypes", "clmath", "tools", "elementwise", "reduction", "scan", "algorithm"),
    *("bitonic_sort", "clrandom"),
)
# With parameters that pyopencl had before, or has in another form: async_, luxury, **kwargs.
OTHER_PARAMETERS = {"to_device", "get", "get_async", "set", "ElementwiseKernel", "fill_rand"}
OTHER_DEFAULTS = {"ArrayHasOffsetError"}  # its text
POOLS = {"MemoryPool", "ImmediateAllocator", "DeferredAllocator"}
DEPRECATED = {"register_dtype", "vec"}
VECTOR = re.compile(r"^(make_|zeros_|ones_|filled_)?(u?(?:char|short|int|long)|float|double)(\d+)$")


def public(module: Any) -> set[str]:
    """Names that a module of pyopencl defines itself; of cltypes NumPy's numbers, too."""
    is_cltypes = module.__name__.endswith(".cltypes")
    own = (module.__name__, "numpy") if is_cltypes else (module.__name__,)
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and not inspect.ismodule(value)
        and getattr(value, "__module__", module.__name__) in own
        and name not in ("TYPE_CHECKING", "P")
    }


def wanted_of(module: str, theirs: Any) -> set[str]:
    """The names that ours should have."""
    return set(DOCUMENTED.get(module, ())) or public(theirs) - set(LEFT_OUT[module])


def methods_of(theirs: Any) -> set[str]:
    """The public attributes of a class."""
    return {name for name in dir(theirs) if not name.startswith("_")}


def parameters(function: Any) -> list[tuple[str, Any]]:
    """Names and defaults. Raises: TypeError, ValueError for what is compiled, or a constant."""
    found = []
    for one in inspect.signature(function).parameters.values():
        default = one.default.__name__ if isinstance(one.default, type) else one.default
        if not one.name.startswith("_"):
            found.append((one.name, default))
    return found


def differs(name: str, theirs: Any, ours: Any) -> bool:
    """Whether a call of theirs may not do for ours."""
    if name in OTHER_DEFAULTS:
        return False
    try:
        wanted, found = parameters(theirs), parameters(ours)
    except (TypeError, ValueError):
        return False
    if name in OTHER_PARAMETERS:
        names = [parameter for parameter, _ in found]
        return [one for one, _ in wanted if one != "kwargs"] != names[: len(wanted)] and (
            "kwargs" not in dict(wanted)
        )
    return wanted != found


def state_of(name: str, theirs: Any, ours: Any) -> str:
    """What a user of pyopencl has to know of a name."""
    if ours is theirs:
        return "NumPy's" if getattr(ours, "__module__", "") == "numpy" else "pyopencl's own"
    if name in POOLS:
        return "pyopencl's own for its queues; also for `isthmus.Queue`"
    also = []
    if name in OTHER_PARAMETERS:
        known = {parameter for parameter, _ in parameters(theirs)}
        new = [one for one, _ in parameters(ours) if one not in known | {"kwargs"}]
        also = [] if "kwargs" in known else [f"`{one}`" for one in new]
    if differs(name, theirs, ours):
        return "other parameters"
    more = f"; also takes {', '.join(also)}" if also else ""
    return ("the same, and warns" if name in DEPRECATED else "the same") + more


def rows_of(module: str) -> Iterator[tuple[str, str]]:
    """Names and their states, those of vector types together."""
    theirs = importlib.import_module(f"pyopencl.{module}")
    ours = importlib.import_module(f"isthmus.cl.{module}")
    vectors: dict[str, list[str]] = {}
    for name in sorted(wanted_of(module, theirs), key=lambda name: (name.lower(), name)):
        vector = VECTOR.match(name)
        state = state_of(name, getattr(theirs, name), getattr(ours, name))
        if vector and state == "the same":
            vectors.setdefault(vector[1] or "", []).append(f"`{name}`")
        else:
            yield f"`{name}`", state
    for group in vectors.values():
        yield " ".join(sorted(group, key=_by_length)), "the same"
    for name, reason in LEFT_OUT.get(module, {}).items():
        yield f"`{name}`", reason
    if module == "array":
        for name in sorted(methods_of(theirs.Array)):
            state = state_of(name, getattr(theirs.Array, name), getattr(ours.Array, name))
            yield f"`Array.{name}`", state


def _by_length(name: str) -> tuple[str, int]:
    base, digits = re.fullmatch(r"`(.*?)(\d+)`", name).groups()  # type: ignore[union-attr]
    return base, int(digits)


def page() -> str:
    """The text of docs/pyopencl-names.md."""
    lines = [
        "# Names of pyopencl in isthmus.cl",
        "",
        f"Every public name of pyopencl {VERSION}'s modules for arrays, and what it is in"
        " `isthmus.cl`. *The same* has pyopencl's parameters and defaults, where Python shows"
        " them. What differs in results is in [From pyopencl](from-pyopencl.md). This page is made"
        " from the modules: `python -m tests.cl.names`.",
    ]
    for module in MODULES:
        lines += ["", f"## {module}", "", "| name | state |", "| --- | --- |"]
        lines += [f"| {name} | {state} |" for name, state in _together(rows_of(module))]
    return "\n".join(lines) + "\n"


def _together(rows: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Names of one state in one row, in the order of their first."""
    states: dict[str, list[str]] = {}
    for name, state in rows:
        states.setdefault(state, []).append(name)
    for state, names in states.items():
        yield " ".join(names), state


if __name__ == "__main__":
    PAGE.write_text(page())
