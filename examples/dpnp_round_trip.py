"""dpnp to Isthmus and back: one kernel for an expression, and one memory for both.

    python examples/dpnp_round_trip.py [--size 4000000]

dpnp runs each operation as a kernel with an array for its result. Isthmus takes dpnp's array over
where it lies, on dpnp's own queue, fuses the expression, and dpnp takes the result without a copy.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import dpnp
import dpnp.tensor

import isthmus as xp


def damped(namespace: Any, x: Any) -> Any:
    """Seven operations."""
    return namespace.exp(-0.1 * x) * namespace.sin(2 * x + 1) + x / 3


def address(x: Any) -> int:
    return int(x.__sycl_usm_array_interface__["data"][0])


def main() -> int:
    parser = argparse.ArgumentParser(description="dpnp to Isthmus and back.")
    parser.add_argument("--size", type=int, default=4_000_000)
    arguments = parser.parse_args()
    theirs = dpnp.linspace(0, 10, arguments.size, dtype=dpnp.float32)
    print(f"dpnp's array is on {theirs.sycl_queue.sycl_device.name}")

    ours = xp.asarray(theirs)
    if address(ours) != address(theirs):
        print("Isthmus has a copy of dpnp's array", file=sys.stderr)
        return 1
    for _ in range(2):  # the first time kernels are built
        kernels = xp.statistics()["kernels"]
        begin = time.perf_counter()
        with xp.Queue(theirs.sycl_queue):
            with xp.fusing():  # nobody writes to dpnp's array meanwhile
                result = damped(xp, ours).eval()
            # dpnp.asarray(result) would copy. dpnp.from_dlpack(result) would not, but nobody would
            # tell Isthmus of what dpnp does to it later; by this road the two take turns.
            back = dpnp.asarray(dpnp.tensor.asarray(result))
        back.sycl_queue.wait()
        seconds = time.perf_counter() - begin
        kernels = xp.statistics()["kernels"] - kernels
    if address(back) != address(result):
        print("dpnp has a copy of the result", file=sys.stderr)
        return 1
    if back.sycl_queue != theirs.sycl_queue:
        print("the result is on another queue than dpnp's array", file=sys.stderr)
        return 1

    for _ in range(2):
        begin = time.perf_counter()
        expected = damped(dpnp, theirs)
        expected.sycl_queue.wait()
        dpnp_seconds = time.perf_counter() - begin
    times = f"{seconds * 1e3:.1f} ms; {dpnp_seconds * 1e3:.1f} ms by dpnp"
    print(f"{ours.device}: {kernels} kernel, {times}")
    off = float(dpnp.max(dpnp.abs(back - expected)))
    if off > 1e-5:
        print(f"an element is off by {off} beside dpnp's", file=sys.stderr)
        return 1
    back += 1  # dpnp writes, Isthmus reads, and nobody waits by hand
    if abs(float(result[0]) - float(expected[0]) - 1) > 1e-5:
        print("Isthmus does not see what dpnp wrote", file=sys.stderr)
        return 1
    print(f"The result agrees with dpnp's, off by at most {off:.1e}, and is one memory for both.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
