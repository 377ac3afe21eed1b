"""The devices that the tests find, and the ways of running on each."""

from __future__ import annotations

import importlib.util
import os
from binascii import crc32
from collections.abc import Iterable
from typing import Any, NamedTuple

import pytest

import isthmus
from tests.device.arrays import family


class Way(NamedTuple):
    """A device, where its small programs run, and whether operations run when they are called."""

    device: str
    inline: str
    eager: bool
    reason: str = ""  # why there is no such device
    context: str = ""  # whose context all arrays are of: "pyopencl", "dpctl"; else the default one

    def __str__(self) -> str:
        where = "" if self.device == "cpu" else {"0": "-launched", "1": "-inline"}[self.inline]
        whose = f"-{self.context}" if self.context else ""
        return f"{self.device}{whose}{where}-{'eager' if self.eager else 'lazy'}"

    @property
    def is_real(self) -> bool:
        """Whether a driver compiles each new kernel: 50 ms with Intel's, 200 ms with PoCL."""
        return self.device in REAL

    @property
    def is_main(self) -> bool:
        """The one of a kind of device in which most cases run: the others differ in where and when
        programs run, whatever these are. Of the null devices it is that of the discrete one.
        """
        where = self.inline == "0" and self.device != "null:1"
        return (where or self.device == "cpu") and not self.eager and not self.context

    def queue(self) -> Any:
        """A queue in a context of the user's own; None where the default one will do. One for the
        whole session, since a context has kernels of its own."""
        if not self.context:
            return None
        if self not in _queues:
            _queues[self] = QUEUES[self.context](self.device)
        return _queues[self]


def _queue_of_pyopencl(device: str) -> Any:
    import pyopencl as cl

    context = cl.Context([isthmus.Queue(device).to_pyopencl().device])
    queue = cl.CommandQueue(context)
    _kept.extend((context, queue))
    return isthmus.Queue(queue)


def _queue_of_dpctl(device: str) -> Any:
    dpctl: Any = importlib.import_module("dpctl")
    on = isthmus.memory._as_dpctl("SyclQueue", isthmus.Queue(device)).sycl_device
    return isthmus.Queue(dpctl.SyclQueue(dpctl.SyclContext([on]), on, property="in_order"))


QUEUES = {"pyopencl": _queue_of_pyopencl, "dpctl": _queue_of_dpctl}
_queues: dict[Way, Any] = {}
_kept: list[Any] = []  # pyopencl's queues do not keep their contexts with every driver


def _has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def _exists(device: str) -> bool:
    try:
        isthmus.Device(device)
    except (LookupError, ImportError):
        return False
    return True


os.environ["ISTHMUS_TEST_BACKENDS"] = "1"  # else there is no backend "null"

# null:1 runs in host memory but asynchronously; null:2 has memory that the host cannot reach, so
# that nothing can run inline there, no fp64, and random delays.
NULLS = {"null:1": "01", "null:2": "0"}

_all = isthmus.devices(verbose=True)
_info = {name: info for name, info in _all["devices"].items() if name != "cpu"}
REAL = list(_info)
"""Devices of drivers, which compile what they run."""
DEVICES = ["cpu", *(name for name in NULLS if _exists(name)), *REAL]

SLOW = [name for name, info in _info.items() if "PoCL" in info["driver"]]
"""Devices whose compiler takes several times as long as others'."""


KERNELS_ON_HOST = any(
    info["unified_memory"] and info["memory_kinds"][0] != "buffer"
    for name, info in _info.items()
    if name.startswith("opencl")
)
"""Whether an OpenCL device reaches the host's memory: users' kernels of `cpu` arrays run on it."""


def driver_of(device: str) -> str:
    """What compiles for it: devices of one driver find each other's kernels on disk."""
    return str(_info[device]["driver"]) if device in _info else device


_inlines = {"cpu": "1"} | NULLS
_inlines |= {name: "01" if info["unified_memory"] else "0" for name, info in _info.items()}

MISSING = {name: "build the null backend" for name in NULLS if name not in DEVICES}
"""What should be here, and why it is not."""
MISSING |= {f"{name}:0": reason for name, reason in _all["missing"].items()}
if not any(info["memory_kinds"][0] == "buffer" for info in _info.values()):
    MISSING["opencl:pocl"] = "no OpenCL device without USM (Debian: pocl-opencl-icd)"

WAYS = [
    Way(device, inline, eager)
    for device in DEVICES
    for inline in _inlines[device]
    for eager in (False, True)
]
WAYS += [
    Way(device, "0", eager, reason) for device, reason in MISSING.items() for eager in (False, True)
]
WHOSE = {"opencl": "pyopencl", "sycl": "dpctl"}
WAYS += [
    Way(device, "0", False, context=WHOSE[device.partition(":")[0]])
    for device in REAL
    if device.partition(":")[0] in WHOSE and _has(WHOSE[device.partition(":")[0]])
]


def _group(item: Any) -> tuple[Any, ...] | None:
    """Cases of which one is enough; None: this one is."""
    given: Any = getattr(item, "callspec", None)
    way = given.params.get("way") if given else None
    if not isinstance(way, Way):
        return None
    others = [(name, value) for name, value in given.params.items() if name != "way"]
    marker = item.get_closest_marker("sampled")
    if way.is_real and not way.is_main:
        first = [name for name, _ in others[:1]]
        names: Iterable[str] = marker.kwargs.get("others", first) if marker else first
    elif marker and (way.device != "cpu" or way.eager):
        names = marker.args
    else:
        return None
    chosen = [family(str(v)) if n == "dtype" else str(v) for n, v in others if n in names]
    return (item.originalname, way, *chosen)


def _slow_device(item: Any) -> str:
    """That of a case that has a device, but no way of running; "" if it is not SLOW."""
    given: Any = getattr(item, "callspec", None)
    device = str(given.params.get("device", "")) if given and "way" not in given.params else ""
    return device if device in SLOW else ""


def _number(item: Any) -> int:
    """Chooses cases: the same in all ways of running and on all devices of a driver, which share
    kernels."""
    given: Any = getattr(item, "callspec", None)
    way = given.params.get("way") if given else None
    if not isinstance(way, Way):
        return crc32(item.nodeid.encode()) if _slow_device(item) else 0
    case = item.nodeid.replace(str(way), "", 1)
    return crc32(f"{driver_of(way.device)} {case}".encode())


def _one_of(item: Any) -> int:
    """Of how many cases with kernels of their own one runs: fewer where each takes long to compile
    or has many kernels, and fewer in the ways of running whose kernels are those of the main way.
    """
    given: Any = getattr(item, "callspec", None)
    way = given.params.get("way") if given else None
    if _slow_device(item):
        return 3
    if not isinstance(way, Way) or not way.is_real:
        return 1
    marker = item.get_closest_marker("sampled")
    every = marker.kwargs.get("every") if marker else None
    if every is None:
        if item.get_closest_marker("no_kernel"):
            return 1
        every = 1
    return every * (4 if way.is_main else 12) * (12 if way.device in SLOW else 1)


def sample(items: Iterable[pytest.Item]) -> set[pytest.Item]:
    """All items but those that would only do more of the same. Of cases marked
    sampled("name", "dtype"), one for each name and family of dtypes runs; on `cpu` all run, when
    operations are lazy: `null` runs the same loops. In other ways of running where a driver
    compiles, one runs for each value of a test's first parameter, or of those named by `others`.
    Which one it is differs from driver to driver. Where a driver compiles, a fourth of the cases
    run, of those others a twelfth, and on PoCL, which takes 200 ms and more for a kernel, a twelfth
    of these; but of each test one in the main way and in one of a device's others at least, PoCL
    excepted. Of cases with a device, but no way of running, a third run on PoCL, and one of each
    test at least. Where a case has ten kernels or more, `every=4` has a fourth of them run where a
    driver compiles. Of tests marked no_kernel all cases run there; `every=1` thins them, too.
    --thorough runs all of them.
    """
    groups: dict[Any, list[pytest.Item]] = {}
    for item in items:
        groups.setdefault(_group(item) or item, []).append(item)
    tests: dict[Any, list[pytest.Item]] = {}
    for group in groups.values():
        chosen: Any = min(group, key=_number)
        way = chosen.callspec.params.get("way") if hasattr(chosen, "callspec") else None
        where = way or _slow_device(chosen)
        tests.setdefault((chosen.path, chosen.originalname, where), []).append(chosen)
    kept: set[pytest.Item] = set()
    for (_, name, way), cases in tests.items():
        lucky = [case for case in cases if _number(case) % _one_of(case) == 0]
        may_be_none = isinstance(way, Way) and _may_do_without(way, name)
        kept.update(lucky if lucky or may_be_none else [min(cases, key=_number)])
    return kept


def _may_do_without(way: Way, name: str) -> bool:
    """Whether no case of that test has to run in that way."""
    if way.device in SLOW:
        return True
    if way.is_main or not way.is_real:
        return False
    others = [other for other in WAYS if other.device == way.device and not other.is_main]
    return others[crc32(name.encode()) % len(others)] != way


def apart(items: list[pytest.Item], half: int) -> list[pytest.Item]:
    """Two processes each begin with a half. Tests of PoCL are in the first one, of other drivers in
    the second: each kernel of PoCL is a mapped file, and Intel's driver reads the list of these for
    each kernel of its own, which took more than half of the time of all tests.
    """

    def is_of(item: pytest.Item, names: Iterable[str]) -> bool:
        _, _, chosen = item.nodeid.partition("[")
        return any(name in chosen for name in names)

    pocl = [item for item in items if is_of(item, (*SLOW, "pocl"))]
    others = [item for item in items if not is_of(item, (*SLOW, "pocl"))]
    compiled = [item for item in others if is_of(item, (*REAL, "intel", "nvidia"))]
    rest = [item for item in others if not is_of(item, (*REAL, "intel", "nvidia"))]
    beside = max(half - len(pocl), 0)
    return pocl + rest[:beside] + compiled + rest[beside:]
