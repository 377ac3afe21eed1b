"""A photograph on tour: NumPy, Isthmus, dpnp, a PyOpenCL kernel, JAX, Numba, and back to NumPy.

From Isthmus to JAX it lies in one piece of memory, which SYCL, OpenCL and the host all reach.

Each stage takes the picture over from the one before it, proves that the memory is shared (by
address, and by a write on one side that is read on the other), calculates something in one fused
pass and writes a PNG. A copy ends the tour with an error, as does a result that is not NumPy's.
Last comes the table of all pairs of libraries, measured likewise.

A stage is a function of `STAGES`; one whose library or device is not here says so and passes the
picture on. Pictures and the table as Markdown go to examples/out/, or where --out says; with
--readme the table also goes to bench/results/exchange_matrix.md, and its summary, with one row a
library, into README.md.
"""

from __future__ import annotations

import argparse
import datetime
import os
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from exchange_tables import LEGEND, as_markdown, summary, table
from peers import Peer, best_time, peers, prove
from PIL import Image
from skimage import data

import isthmus as xp

ROOT = Path(__file__).parents[1]
OUT = ROOT / "examples" / "out"
MATRIX = ROOT / "bench" / "results" / "exchange_matrix.md"
README_TABLE = re.compile(r"(<!-- exchange table.*?-->\n).*?(\n<!-- end -->)", re.S)
WEIGHTS = (0.25, 0.5, 0.25)
RADIUS = 2
TINT = (1.04, 1.0, 0.92)
FLOOR = 0.03
MIX = ((1.20, -0.12, -0.04), (-0.06, 1.08, -0.02), (-0.02, -0.14, 1.10))


@dataclass
class Picture:
    """The picture as one library sees it, and who holds the memory that it lies in."""

    array: Any
    seen_by: Peer
    held_by: str


class Tour:
    """Moves the picture from library to library and prints what was seen."""

    def __init__(self, out: Path = OUT) -> None:
        self.here, self.missing = peers()
        self.out = out
        self.count = 0
        self.skipped: list[str] = []  # libraries
        out.mkdir(exist_ok=True)

    def peer(self, library: str, device: str = "cpu") -> Peer | None:
        found = (p for p in self.here if p.library == library and p.device == device)
        return next(found, None)

    def isthmus(self, backend: str = "cpu") -> Peer | None:
        """Isthmus on the backend's first device that works in the host's memory, as CPUs do."""
        devices = (d for d in xp.devices() if d.backend == backend and d.info["system_memory"])
        device = next(devices, None)
        return self.peer("Isthmus", str(device)) if device else None

    def title(self, text: str) -> None:
        self.count += 1
        print(f"\n{self.count}. {text}")

    def skip(self, picture: Picture, library: str, why: str) -> Picture:
        print(f"   skipped: {why}")
        self.skipped.append(library)
        return picture

    def hand_over(self, picture: Picture, taker: Peer) -> Picture:
        """The picture as `taker` sees it, where it lies; prints the proof. A copy is an error."""
        giver = picture.seen_by
        taken = taker.take(picture.array)
        proof = prove(giver, picture.array, taker, taken, at=(0, 0, 0))
        hop = f"{giver.library} -> {taker.library} by {taker.take_name}: {proof.verdict}"
        # nobody may write to memory of JAX: there the address must do
        is_heard = proof.is_giver_heard or proof.is_taker_heard or picture.held_by == "JAX"
        if not (proof.is_shared and is_heard):
            raise AssertionError(f"{hop}, where sharing is promised: {proof}")
        seconds = best_time(lambda: taker.take(picture.array), calls=20)
        print(f"   {hop}")
        print(f"     proof    {proof}")
        print(f"     memory   held by {picture.held_by}, at {taker.address(taken):#x}")
        print(f"     time     {seconds * 1e6:.1f} us")
        return Picture(taken, taker, picture.held_by)

    def calculate(self, what: str, call: Callable[[], Any]) -> Any:
        """Calls twice: the first call may compile."""
        times, kernels = [], 0
        for _ in range(2):
            before = xp.statistics()["kernels"]
            begin = time.perf_counter()
            result = call()
            times.append(time.perf_counter() - begin)
            kernels = xp.statistics()["kernels"] - before
        first, again = (f"{seconds * 1e3:.2f} ms" for seconds in times)
        print(f"   {what}")
        print(f"     kernels  {kernels} of Isthmus")
        print(f"     time     {again}, the first time {first}")
        return result

    def save(self, name: str, array: Any) -> None:
        pixels = np.asarray(array)
        if pixels.dtype != np.uint8:
            pixels = np.round(np.clip(pixels, 0, 1) * 255).astype(np.uint8)
        file = self.out / f"{self.count}_{name}.png"
        Image.fromarray(pixels).save(file)
        print(f"     picture  {os.path.relpath(file)}")


def stage_photograph(tour: Tour, picture: Picture) -> Picture:
    tour.title("NumPy has a photograph")
    pixels = picture.array
    print(f"     memory   held by NumPy, at {pixels.ctypes.data:#x}: {pixels.shape} {pixels.dtype}")
    tour.save("photograph", pixels)
    return picture


def tone_curve(pixels: Any) -> Any:
    """Lifts the shadows and adds contrast: x**0.8, then an S-shaped curve."""
    x = (xp.astype(pixels, xp.float32) / 255) ** 0.8
    return x * x * (3 - 2 * x)


def unsharp_mask(x: Any, amount: float = 1.2) -> Any:
    """The picture minus what a blur makes of it. The blur is nine shifted views."""
    height, width, _ = x.shape
    blurred = sum(
        wy * wx * x[dy : height - 2 * RADIUS + dy, dx : width - 2 * RADIUS + dx]
        for dy, wy in zip((0, RADIUS, 2 * RADIUS), WEIGHTS, strict=True)
        for dx, wx in zip((0, RADIUS, 2 * RADIUS), WEIGHTS, strict=True)
    )
    centre = x[RADIUS:-RADIUS, RADIUS:-RADIUS]
    return xp.clip(centre + amount * (centre - blurred), 0.0, 1.0)


def stage_isthmus(tour: Tour, picture: Picture) -> Picture:
    peer = tour.isthmus("sycl") or tour.isthmus()
    assert peer is not None
    tour.title(f"Isthmus on {peer.device}: tone curve, then an unsharp mask")
    taken = tour.hand_over(picture, peer)

    def toned() -> Any:
        # Nobody writes to the photograph meanwhile, so reading it may wait for the rest.
        with xp.fusing():
            return tone_curve(taken.array).eval()

    x = tour.calculate("tone curve", toned)
    tour.save("tone_curve", x.copy())
    sharp = tour.calculate("unsharp mask of nine shifted views", lambda: unsharp_mask(x).eval())
    tour.save("unsharp_mask", sharp.copy())
    return Picture(sharp, peer, "Isthmus")


def stage_dpnp(tour: Tour, picture: Picture) -> Picture:
    tour.title("dpnp: a warm tint, in place")
    peer = tour.peer("dpnp", "sycl")
    if peer is None or picture.seen_by.device == "cpu":
        return tour.skip(picture, "dpnp", "dpnp, or a SYCL device that is a CPU, is not here")
    import dpnp

    taken = tour.hand_over(picture, peer)
    pixels = taken.array
    tint = dpnp.asarray(np.array(TINT, np.float32), sycl_queue=pixels.sycl_queue)
    before = pixels[0, 0, 0] * tint[0]

    def multiply() -> None:
        nonlocal done
        if not done:  # in place: once
            dpnp.multiply(pixels, tint, out=pixels)
            pixels.sycl_queue.wait()
        done = True

    done = False
    tour.calculate("every pixel times a colour", multiply)
    assert float(before) == float(picture.array[0, 0, 0]), "dpnp wrote to Isthmus' memory"
    tour.save("warm_tint", dpnp.asnumpy(pixels))
    return picture


CURVE = """
__kernel void fade(__global float* pixel, const float floor) {
  size_t i = get_global_id(0);
  pixel[i] = floor + (1 - floor) * min(pixel[i], 1.0f);
}
"""


def stage_pyopencl(tour: Tour, picture: Picture) -> Picture:
    tour.title("PyOpenCL: a kernel that lifts the blacks, in place")
    ours = tour.isthmus("opencl")
    peer = tour.peer("PyOpenCL", ours.device) if ours else None
    if peer is None or ours is None:
        why = "PyOpenCL, or an OpenCL device that works in the host's memory, is not here"
        return tour.skip(picture, "PyOpenCL", why)
    import pyopencl as cl

    seen = tour.hand_over(tour.hand_over(picture, ours), peer)
    pixels = seen.array
    kernel = cl.Program(pixels.context, CURVE).build().fade
    kernel.set_args(pixels.base_data, np.float32(FLOOR))
    assert pixels.offset == 0

    def launch() -> None:
        nonlocal done
        if not done:  # in place: once
            cl.enqueue_nd_range_kernel(pixels.queue, kernel, (pixels.size,), None).wait()
        done = True

    done = False
    tour.calculate("lifted blacks", launch)
    tour.save("lifted_blacks", np.asarray(picture.array))
    return picture


def stage_jax(tour: Tour, picture: Picture) -> Picture:
    tour.title("JAX: channel mixing")
    peer = tour.peer("JAX")
    if peer is None:
        return tour.skip(picture, "JAX", "JAX is not installed")
    import jax
    import jax.numpy as jnp

    taken = tour.hand_over(picture, peer)
    matrix = jnp.asarray(MIX, jnp.float32)

    @jax.jit
    def mix(x: Any) -> Any:
        return jnp.clip(jnp.einsum("yxc,dc->yxd", x, matrix), 0.0, 1.0)

    mixed = tour.calculate("channel mixing", lambda: mix(taken.array).block_until_ready())
    tour.save("channel_mixing", mixed)
    return Picture(mixed, peer, "JAX")


def stage_numba(tour: Tour, picture: Picture) -> Picture:
    tour.title("Isthmus takes it over and lends it to Numba: a vignette")
    peer, ours = tour.peer("Numba"), tour.peer("Isthmus")
    assert ours is not None
    taken = tour.hand_over(picture, ours)
    if peer is None:
        return tour.skip(taken, "Numba", "Numba is not installed")
    import numba

    seen = tour.hand_over(taken, peer)
    result = Picture(xp.empty(taken.array.shape, dtype=xp.float32), ours, "Isthmus")
    target = tour.hand_over(result, peer)

    @numba.njit
    def vignette(x: Any, out: Any) -> None:
        height, width, channels = x.shape
        for i in range(height):
            for j in range(width):
                y, z = 2 * i / height - 1, 2 * j / width - 1
                light = np.float32(1 / (1 + 0.35 * (y * y + z * z) ** 2))
                for k in range(channels):
                    out[i, j, k] = x[i, j, k] * light

    tour.calculate("vignette, into memory of Isthmus", lambda: vignette(seen.array, target.array))
    tour.save("vignette", target.array)
    return result


def stage_back(tour: Tour, photograph: Picture, picture: Picture) -> None:
    tour.title("Isthmus rounds to bytes, into the photograph that NumPy holds")
    pixels, numpy, peer = photograph.array, photograph.seen_by, tour.isthmus()
    assert peer is not None
    before = pixels.copy()
    ours = tour.hand_over(photograph, peer)

    def write_back() -> None:
        inner = slice(RADIUS, -RADIUS)
        with xp.fusing():
            ours.array[inner, inner] = xp.astype(xp.round(picture.array * 255), xp.uint8)

    tour.calculate("rounding and writing", write_back)
    back = tour.hand_over(ours, numpy)
    if numpy.address(back.array) != numpy.address(pixels):
        raise AssertionError("what came back is not the photograph")
    changed = int(np.count_nonzero(np.any(pixels != before, axis=-1)))
    print(f"     changed  {changed} pixels of the photograph")
    tour.save("back", pixels)


def reference(pixels: np.ndarray[Any, Any], skipped: list[str]) -> np.ndarray[Any, Any]:
    """The tour in NumPy, in float64, without the stages of libraries that are not here."""
    x = (pixels / 255) ** 0.8
    x = x * x * (3 - 2 * x)
    height, width, _ = x.shape
    kernel = np.outer(WEIGHTS, WEIGHTS)
    blurred = sum(
        kernel[i, j] * x[2 * i : height - 4 + 2 * i, 2 * j : width - 4 + 2 * j]
        for i in range(3)
        for j in range(3)
    )
    centre = x[2:-2, 2:-2]
    x = np.clip(centre + 1.2 * (centre - blurred), 0, 1)
    if "dpnp" not in skipped:
        x = x * np.array(TINT)
    if "PyOpenCL" not in skipped:
        x = FLOOR + (1 - FLOOR) * np.minimum(x, 1)
    if "JAX" not in skipped:
        x = np.clip(np.einsum("yxc,dc->yxd", x, np.array(MIX)), 0, 1)
    if "Numba" not in skipped:
        height, width, _ = x.shape
        y, z = 2 * np.arange(height) / height - 1, 2 * np.arange(width) / width - 1
        x = x / (1 + 0.35 * (y[:, None] ** 2 + z**2) ** 2)[..., None]
    result = pixels.copy()
    result[2:-2, 2:-2] = np.round(x * 255)
    return result


STAGES: tuple[Callable[[Tour, Picture], Picture], ...] = (
    stage_photograph,
    stage_isthmus,
    stage_dpnp,
    stage_pyopencl,
    stage_jax,
    stage_numba,
)


def print_exchange(tour: Tour) -> str:
    """The table, and as Markdown what was printed."""
    tour.title("Every pair: rows give, columns take")
    rows = table(tour.here)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("   " + "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip())
    print(f"\n   {LEGEND}\n\n   Missing here:")
    for reason in tour.missing:
        print(f"     {reason}")
    missing = "Missing there: " + "; ".join(tour.missing) + "."
    return "\n\n".join((as_markdown(rows), f"{measured_here()} {LEGEND}", missing))


def measured_here() -> str:
    return f"Measured on {datetime.date.today()}: {xp.Device('cpu').info['name']}, 1024 float32."


def write_tables(tour: Tour, markdown: str) -> None:
    """Every pair into bench/results, and one row a library into the README."""
    title = "# Exchange between every pair of libraries"
    how = "Written by `python examples/tour.py --readme`."
    MATRIX.write_text(f"{title}\n\n{how}\n\n{markdown}\n")
    small = f"{as_markdown(summary(tour.here))}\n\n{measured_here()}"
    readme = ROOT / "README.md"
    readme.write_text(README_TABLE.sub(lambda m: f"{m[1]}\n{small}\n{m[2]}", readme.read_text()))


def main() -> int:
    parser = argparse.ArgumentParser(description="A photograph on tour; see the head of the file.")
    parser.add_argument("--out", type=Path, default=OUT, help="folder of the pictures")
    parser.add_argument(
        "--readme", action="store_true", help="write README.md's table, and the full one"
    )
    arguments = parser.parse_args()
    tour = Tour(arguments.out)
    numpy = tour.peer("NumPy")
    assert numpy is not None
    load: Callable[[], Any] = data.astronaut
    photograph = Picture(np.asarray(load()), numpy, "NumPy")
    original = photograph.array.copy()
    picture = photograph
    for stage in STAGES:
        picture = stage(tour, picture)
    stage_back(tour, photograph, picture)
    expected = reference(original, tour.skipped)
    off = int(np.max(np.abs(photograph.array.astype(int) - expected)))
    print(f"   Beside the same in NumPy alone the result is off by at most {off} of 255.")
    markdown = print_exchange(tour)
    (tour.out / "exchange.md").write_text(markdown + "\n")
    if arguments.readme:
        write_tables(tour, markdown)
    return int(off > 1)


if __name__ == "__main__":
    sys.exit(main())
