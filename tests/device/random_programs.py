"""Random programs over aliasing arrays, run by NumPy and by Isthmus, which must agree to the bit.

A program (generator.py) is a list of lines of Python that both worlds (worlds.py) run. Only sums,
products and means of floats, and rounded products of complex numbers, have a tolerance: nobody
promises their order. A seeded loop for many of them:

    python tests/device/random_programs.py --count 100000 --seed 1 --device cpu
"""

from __future__ import annotations

import argparse
import contextlib
import pathlib
import random
import sys
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

import isthmus as xp

if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))

from tests.device.arrays import assert_same, get
from tests.device.generator import Code, Generator
from tests.device.worlds import NumpyWorld, OurWorld, Total
from tests.ways import WHOSE, Way


def compare(name: str, wanted: Any, got: Any) -> None:
    if isinstance(wanted, Total):
        values = get(got)
        wide: Any = np.clongdouble if values.dtype.kind == "c" else np.longdouble
        assert values.dtype == wanted.value.dtype, f"{name} has dtype {values.dtype}"
        assert values.shape == wanted.value.shape, f"{name} has shape {values.shape}"
        off = np.abs(values.astype(wide) - wanted.value.astype(wide))
        is_near = (off <= wanted.tolerance) | (np.isnan(values) & np.isnan(wanted.value))
        assert bool(np.all(is_near)), f"{name} is {values}, not {wanted.value}"
    else:
        values = got if isinstance(got, np.ndarray) else get(got)
        for path, leaf, of_numpy in leaves(values, wanted):
            assert_same(leaf, of_numpy, name + path)


def leaves(got: Any, wanted: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The numbers of two arrays, field by field where they are structs."""
    if wanted.dtype.names is None:
        yield path, got, wanted
        return
    assert got.dtype == wanted.dtype, f"{path} has dtype {got.dtype}, not {wanted.dtype}"
    for field in wanted.dtype.names:
        yield from leaves(got[field], wanted[field], f"{path}['{field}']")


def run(code: Code, device: xp.Device, numpys: dict[str, Any] | None = None) -> str | None:
    """What differs, or nothing. `numpys` is NumPy's half if it was run already."""
    if numpys is None:
        numpys = {"n": NumpyWorld()}
        for _, compiled in code:
            exec(compiled, numpys)
    world = OurWorld(device)
    ours: dict[str, Any] = {"n": world}
    at = "at the end"
    try:
        for text, compiled in code:
            at = text
            exec(compiled, ours)
        at = "at the end"
        for name, wanted in numpys.items():
            if isinstance(wanted, (np.ndarray, Total)):
                compare(name, wanted, ours[name])
    except Exception as error:
        return f"{at}: {type(error).__name__}: {error}"
    finally:
        world.leave_fusing()
    return None


@cache
def shares(device: xp.Device) -> bool:
    """Whether the host and the device work on one memory, whoever allocated it."""
    try:
        np.asarray(xp.asarray(np.ones(1, np.float32), copy=False, device=device))
    except BufferError:
        return False
    return True


def make(rng: Any, device: xp.Device, lines: int = 14) -> tuple[Code, dict[str, Any]]:
    generator = Generator(rng, exports=shares(device), doubles=device.info["fp64"])
    with np.errstate(all="ignore"):
        code = generator.program(lines)
    return code, generator.names


def smaller(code: Code, device: xp.Device) -> Code:
    """The program without the lines that a mismatch does not need."""
    size = len(code) // 2
    while size:
        before, at = len(code), 0
        while at < len(code):
            shorter = code[:at] + code[at + size :]
            try:
                with np.errstate(all="ignore"):
                    fails = any(run(shorter, device) for _ in range(3))
            except Exception:  # NumPy does not take it any more
                fails = False
            code, at = (shorter, at) if fails else (code, at + size)
        if size > 1 or len(code) == before:
            size //= 2
    return code


def text_of(code: Code) -> str:
    return "\n".join(text for text, _ in code)


def check(rng: Any, device: xp.Device, note: object = "") -> None:
    """One program; a mismatch is an AssertionError with the smallest text that shows it."""
    code, numpys = make(rng, device)
    with np.errstate(all="ignore"):
        difference = run(code, device, numpys)
    if difference is None:
        return
    least = smaller(code, device)
    with np.errstate(all="ignore"):
        last = next(filter(None, (run(least, device) for _ in range(5))), difference)
    raise AssertionError(
        f"{note} on {device}, eager={xp.config.eager}, inline={xp.config.inline}\n"
        f"{text_of(least)}\n# {last}"
    )


def rng_of(seed: int, number: int) -> random.Random:
    return random.Random(seed * 1_000_003 + number)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--eager", action="store_true")
    parser.add_argument("--inline", default="auto", choices=("0", "1", "auto"))
    parser.add_argument("--context", action="store_true", help="all arrays of a user's context")
    parser.add_argument("--failures", type=int, default=5, help="mismatches to stop after")
    arguments = parser.parse_args()
    device = xp.Device(arguments.device)
    xp.config.eager, xp.config.inline = arguments.eager, arguments.inline
    whose = WHOSE[device.backend] if arguments.context else ""
    queue = Way(str(device), "0", arguments.eager, context=whose).queue()
    with contextlib.nullcontext() if queue is None else queue:
        return run_many(arguments, device)


def run_many(arguments: argparse.Namespace, device: xp.Device) -> int:
    failures, start = 0, time.perf_counter()
    for number in range(arguments.first, arguments.first + arguments.count):
        try:
            check(rng_of(arguments.seed, number), device, f"# program {number}")
        except AssertionError as error:
            print(error, end="\n\n", flush=True)
            failures += 1
            if failures == arguments.failures:
                break
    seconds = time.perf_counter() - start
    done = number - arguments.first + 1
    print(f"{done} programs on {device}, {done / seconds:.0f} a second, {failures} mismatches")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
