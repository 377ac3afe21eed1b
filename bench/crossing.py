"""What does taking over memory of dpctl, dpnp and pyopencl cost, beside what they spend themselves?

    python bench/crossing.py [--check]

Every case is a loop of 100 calls. `Shown` is an object of nobody's that has the interface of a dpnp
array and nothing else. dpctl reads its own memory objects, but no others, without the interface.

Of pyopencl, what it must spend itself is measured beside and subtracted: its attributes on the way
in, its objects on the way out. Memory of ours that is handed out on a queue needs a barrier there
when it comes back, memory of that queue's owner does not; PoCL's barriers wake a thread, or not.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from devices import pyopencl_queue
from harness import Bar, Group, finish, interleave, print_group

import isthmus as xp  # first: it tells the loaders of the others where Intel's runtime is

import dpctl.memory as dpm  # isort: skip
import dpnp  # isort: skip
import pyopencl as cl  # isort: skip
import pyopencl.array  # isort: skip

CALLS = 100
OWN_SECONDS = 2e-6


class Shown:
    def __init__(self, array: Any) -> None:
        self.array = array

    @property
    def __sycl_usm_array_interface__(self) -> Any:
        return self.array.__sycl_usm_array_interface__


def repeat(text: str, **names: Any) -> Callable[[], object]:
    """A function that runs `text` a hundred times."""
    exec(f"def f():\n    for _ in range({CALLS}):\n        {text}\n", names)
    made: Callable[[], object] = names["f"]
    return made


def usm() -> tuple[Group, list[Bar]]:
    d = dpnp.arange(24, dtype="float32").reshape(4, 6)
    objects = {"dpnp": d, "Shown": Shown(d), "dpctl.memory": dpm.MemoryUSMShared(96)}
    cases = {}
    for name, x in objects.items():
        names = {"x": x, "xp": xp, "dpm": dpm, "dpnp": dpnp}
        cases[f"{name}: the attribute"] = repeat("x.__sycl_usm_array_interface__", **names)
        cases[f"{name}: isthmus"] = repeat("xp.asarray(x)", **names)
        cases[f"{name}: dpctl"] = repeat("dpm.as_usm_memory(x)", **names)
        cases[f"{name}: dpnp"] = repeat("dpnp.asarray(x)", **names)
    group = interleave("100 imports by __sycl_usm_array_interface__", cases)
    print_group(group, "dpnp: isthmus")
    bars = [
        Bar(f"import of {name}, to dpctl.memory.as_usm_memory",
            group.ratio(f"{name}: isthmus", f"{name}: dpctl"), 1.0)
        for name in objects
    ]  # fmt: skip
    shown = 10 * group.ratio("Shown: isthmus", "Shown: dpnp")
    return group, [*bars, Bar("import of Shown, to a tenth of dpnp.asarray", shown, 1.0)]


def dlpack() -> Group:
    d = dpnp.arange(24, dtype="float32").reshape(4, 6)
    names = {"d": d, "xp": xp, "dpnp": dpnp}
    texts = ("xp.from_dlpack(d)", "d.__dlpack__(max_version=(1, 3))", "d.__dlpack_device__()")
    texts += ("dpnp.from_dlpack(d)",)
    group = interleave("100 of DLPack", {text: repeat(text, **names) for text in texts})
    print_group(group, texts[0])
    return group


def own(group: Group, total: str, theirs: str) -> float:
    """Seconds of one call that are not theirs."""
    return (group.times[total].best - group.times[theirs].best) / CALLS


def opencl(device: xp.Device) -> tuple[Group, list[Bar]]:
    queue = pyopencl_queue(device)
    a = cl.array.to_device(queue, np.arange(24, dtype=np.float32).reshape(4, 6))
    queue.finish()
    a.events.clear()  # what has ended
    x = xp.from_pyopencl(a)  # a buffer
    y = xp.arange(24, dtype="float32", device=device).eval()  # what the device has by itself
    own_queue = y.to_pyopencl().queue
    names = {"a": a, "q": queue, "x": x, "xp": xp, "cl": cl, "handle": a.base_data.int_ptr}
    names |= {"y": y, "p": own_queue, "dtype": np.dtype(np.float32), "data": a.base_data}
    reads = "a.queue.int_ptr; a.dtype; a.shape; a.strides; a.offset; a.events; a.base_data.int_ptr"
    make = "cl.Buffer.from_int_ptr(handle); "
    make += "cl.array.Array(q, (4, 6), dtype, data=data, offset=0, strides=(24, 4))"
    cases = {
        "in: from_pyopencl": repeat("xp.from_pyopencl(a)", **names),
        "in: attributes": repeat(reads + "; a.base_data.flags", **names),
        "out: to_pyopencl": repeat("x.to_pyopencl(queue=q)", **names),
        "out: to_pyopencl, of ours": repeat("y.to_pyopencl(queue=p)", **names),
        "out: theirs": repeat(make, **names),
        "out: theirs, a barrier": repeat(make + "; cl.enqueue_barrier(q); q.flush()", **names),
    }
    # many rounds, since the bars are small differences of their times
    group = interleave(f"100 exchanges with pyopencl on {device}", cases, 150)
    way_in = own(group, "in: from_pyopencl", "in: attributes")
    way_out = own(group, "out: to_pyopencl", "out: theirs")
    ours_out = own(group, "out: to_pyopencl, of ours", "out: theirs, a barrier")
    group.notes = {
        "own ns in": round(way_in * 1e9),
        "out": round(way_out * 1e9),
        "out, of ours": round(ours_out * 1e9),
    }
    print_group(group, "out: theirs")
    bars = [
        Bar(f"our own time of an import on {device}, to 2 us", way_in / OWN_SECONDS, 1.0),
        Bar(f"our own time of a hand-out on {device}, to 2 us", way_out / OWN_SECONDS, 1.0),
        Bar(f"the same of memory of ours on {device}, to 2 us", ours_out / OWN_SECONDS, 1.0),
    ]
    return group, bars


def main() -> int:
    group, bars = usm()
    groups = [group, dlpack()]
    for device in xp.devices():
        if device.backend == "opencl":
            group, more = opencl(device)
            groups.append(group)
            bars += more
    return finish(groups, bars, "numpy", "pyopencl", "dpctl", "dpnp", "intel-opencl-rt")


if __name__ == "__main__":
    sys.exit(main())
