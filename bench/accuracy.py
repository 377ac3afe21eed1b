"""How far results are from the true values: the worst of every row, in every dtype, and where.

    python bench/accuracy.py [device ...] [--rows sin,pow] [--points 20000] [--check]

Reals on the row's [lo, hi], complex numbers over the whole plane (powers while |y log x| is below
1000), each where functions go wrong (tests/device/points.py) and at random. Errors are in units in
the last place of the true value, of complex numbers of its larger part. True values are mpmath's;
of the random points those are looked at which a wider type of NumPy's finds worst. Integers, bools,
comparisons, `nextafter` and `frexp_exponent` are compared with NumPy exactly: their error is the
part that differs.
"""

from __future__ import annotations

import argparse
import math
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from harness import FOLDER, Bar, print_bars, save, versions

import isthmus as xp

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.device import points
from tests.device.arrays import (
    COMPLEX,
    DTYPES,
    HALVES,
    REALS,
    Values,
    bits,
    dtype_of,
    family,
    function_of,
    get,
    has,
    put,
    random_values,
    special_values,
)
from tests.device.special_meanings import means
from tests.device.truth import Truths, errors, shown, truths

CANDIDATES = 24  # of the random points
SPECIAL = 1500  # of the points where functions go wrong
WIDER = {"float16": "f8", "bfloat16": "f8", "float32": "g", "float64": "g"}
WIDER |= {"complex64": "G", "complex128": "G"}
BY_NUMPY = ("frexp_exponent", "nextafter", "where")  # exact also where the result is a float
Operands = tuple[Values, ...]


@dataclass
class Worst:
    """Of one row and dtype on one device."""

    row: str
    dtype: str
    device: str
    promised: float
    error: float  # in units in the last place; of exact results, the part that differs
    point: str
    got: str
    true: str

    @property
    def is_kept(self) -> bool:
        return self.error <= self.promised


def numpy_of(row: dict[str, Any], operands: Operands) -> Values:
    if row["space"] and all(x.dtype.kind == "f" for x in operands):
        return means(row["name"], operands, np.result_type(*operands))
    names = {"np": np, "math": math} | dict(zip("xyz", operands, strict=False))
    return np.asarray(eval(row["numpy"], names))


def wanted_of(row: dict[str, Any], operands: Operands) -> Values:
    """Of a row whose results are not rounded."""
    if row["space"] and operands[0].dtype.kind not in "biu":
        kind = function_of(row)(*(xp.asarray(x[:1]) for x in operands)).dtype
        return means(row["name"], operands, np.float64).astype(kind)
    return numpy_of(row, operands)


def wide(row: dict[str, Any], operands: Operands, dtype: str) -> Values:
    return numpy_of(row, tuple(x.astype(WIDER[dtype]) for x in operands))


def roughly(got: Values, wanted: Values) -> Values:
    """Errors in units of the last place, as far as the wider type knows them."""
    info = xp.finfo(got.dtype)
    parts = [(got.real, wanted.real), (got.imag, wanted.imag)][: 2 if got.dtype.kind == "c" else 1]
    size = np.max([np.abs(w) for _, w in parts], axis=0).clip(float(info.smallest_normal))
    unit = np.exp2(np.floor(np.log2(size.astype(np.longdouble)))) * float(info.eps)
    off = np.sqrt(sum((g.astype(w.dtype) - w) ** 2 for g, w in parts)) / unit
    is_out = ~np.isfinite(wanted) | (size >= float(info.max))
    return np.where(is_out, 0, np.where(np.isfinite(got), off, np.inf)).astype(np.float64)


def operands_of(
    row: dict[str, Any], values: Values, count: int, rng: np.random.Generator
) -> Operands:
    return points.usable(row, points.combined(values, row["arity"], count, rng), rng)


def call(row: dict[str, Any], device: xp.Device, operands: Operands) -> Values:
    return get(function_of(row)(*(put(x, device) for x in operands)))


def worst_of(
    label: tuple[str, str, str, float], got: Values, true: Truths, operands: Operands
) -> Worst:
    off = errors(got, true)
    i = int(np.argmax(off))
    point = ", ".join(str(x[i]) for x in operands)
    return Worst(*label, float(off[i]), point, str(got[i]), shown(true.values[i]))


def numeric(row: dict[str, Any], dtype: str, devices: list[xp.Device], count: int) -> list[Worst]:
    """Rows whose results are rounded."""
    rng = np.random.default_rng(len(row["name"]))
    if dtype in COMPLEX:
        promised = row["complex_ulp"] or 0.708  # each part rounded
        special, random = points.special_complex(dtype), points.random_complex(dtype, count, rng)
    else:
        promised = 0.51 if dtype in HALVES or not row["ulp"] else row["ulp"]
        special = points.special_reals(dtype, row["lo"], row["hi"])
        random = points.random_reals(dtype, row["lo"], row["hi"], count, rng)
    chosen = rng.choice(special, min(SPECIAL, special.size), replace=False)
    at_special = operands_of(row, chosen, SPECIAL, rng)
    at_random = operands_of(row, random, count, rng)
    result = function_of(row)(*(xp.asarray(x[:1]) for x in at_special)).dtype.name
    true = truths(row, at_special, result)
    wanted = wide(row, at_random, dtype)
    found = []
    for device in devices:
        label = (row["name"], dtype, str(device), promised)
        worst = worst_of(label, call(row, device, at_special), true, at_special)
        got = call(row, device, at_random)
        candidates = np.argsort(-roughly(got, wanted))[:CANDIDATES]
        few = tuple(x[candidates] for x in at_random)
        other = worst_of(label, got[candidates], truths(row, few, result), few)
        found.append(max(worst, other, key=lambda w: w.error))
    return found


def exact(row: dict[str, Any], dtype: str, devices: list[xp.Device], count: int) -> list[Worst]:
    """Rows whose results NumPy's are equal to, bit for bit."""
    rng = np.random.default_rng(len(row["name"]))
    low, high = (0, 60) if row["name"] == "pow" else (-1e18, 1e18)
    values = [special_values(dtype), random_values(dtype, count // 10, low, high, rng)]
    operands = points.combined(np.concatenate(values), row["arity"], count, rng)
    if row["name"] == "pow":
        operands = (operands[0], np.abs(operands[1]) % 64)
    if row["name"] == "clip":
        operands = points.usable(row, operands, rng)
    if row["name"] == "where":
        operands = (rng.random(operands[0].size) < 0.5, *operands[1:])
    if row["space"]:  # whose meanings are of finite numbers
        is_finite = np.all([np.isfinite(x) for x in operands], axis=0)
        operands = tuple(x[is_finite] for x in operands)
    wanted = wanted_of(row, operands)
    found = []
    for device in devices:
        got = call(row, device, operands)
        is_zero = (got == 0) & (wanted == 0)  # whose sign NumPy's dtypes do not agree about
        differs = (bits(got) != bits(wanted)).reshape(got.size, -1).any(axis=1) & ~is_zero
        i = int(np.argmax(differs))
        point = ", ".join(str(x[i]) for x in operands)
        share = float(np.mean(differs))
        found.append(
            Worst(row["name"], dtype, str(device), 0, share, point, str(got[i]), str(wanted[i]))
        )
    return found


def is_rounded(row: dict[str, Any], dtype: str) -> bool:
    if row["name"] in BY_NUMPY:
        return False
    one = xp.asarray(np.ones(1, dtype_of(dtype)))
    return function_of(row)(*[one] * row["arity"]).dtype.name in (*REALS, *COMPLEX)


def measure(row: dict[str, Any], devices: list[xp.Device], count: int) -> list[Worst]:
    found = []
    for dtype in DTYPES:
        if not row[family(dtype)]:
            continue
        able = [device for device in devices if has(device, dtype)]
        how = numeric if is_rounded(row, dtype) else exact
        found += how(row, dtype, able, count)
    return found


def by_dtype(found: list[Worst]) -> list[list[Worst]]:
    """Of one row: the devices of each dtype."""
    return [[w for w in found if w.dtype == d] for d in dict.fromkeys(w.dtype for w in found)]


def print_worst(found: list[Worst]) -> None:
    """A line a dtype, with the point of the worst device."""
    for devices in by_dtype(found):
        worst = max(devices, key=lambda w: w.error)
        each = "  ".join(f"{w.device} {w.error:.3g}" for w in devices)
        line = f"{worst.row:<20} {worst.dtype:<10} {worst.promised:<5g} {each}"
        if worst.error:
            line += f"  at ({worst.point}): {worst.got}, true {worst.true}"
        print(line if worst.is_kept else f"{line}  BEYOND", flush=True)


def record(devices: list[Worst]) -> dict[str, Any]:
    """One row and dtype, with the point of the worst device, as JSON."""
    worst = max(devices, key=lambda w: w.error)
    entry: dict[str, Any] = {"row": worst.row, "dtype": worst.dtype, "promised": worst.promised}
    entry["errors"] = {w.device: round(w.error, 4) for w in devices}
    if worst.error:
        entry |= {"worst_at": worst.point, "result": worst.got, "true": worst.true}
    return entry


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("device", nargs="*", default=["cpu"])
    parser.add_argument("--rows", help="names with commas between; all")
    parser.add_argument("--points", type=int, default=20_000, help="at random, of each kind")
    parser.add_argument("--check", action="store_true", help="fail if a promise is not kept")
    arguments = parser.parse_args()
    devices = [xp.Device(name) for name in arguments.device]
    xp.config.inline = "0"
    warnings.simplefilter("ignore")  # NumPy's and mpmath's, on the way to a reference
    rows = [
        row for row in xp.op_table if not arguments.rows or row["name"] in arguments.rows.split(",")
    ]
    print(f"{'row':<20} {'dtype':<10} {'ulp':<5} worst error of each device")
    found, entries = [], []
    for row in rows:
        of_row = measure(row, devices, arguments.points)
        print_worst(of_row)
        found += of_row
        entries += [record(of_dtype) for of_dtype in by_dtype(of_row)]
    bars = [
        Bar(
            f"rows and dtypes beyond their promise on {device}",
            sum(not w.is_kept for w in found if w.device == str(device)),
            0,
        )
        for device in devices
    ]
    print_bars(bars)
    if not arguments.rows:
        known = xp.devices(verbose=True)["devices"]
        file = save(
            [],
            bars,
            versions=versions("numpy", "mpmath"),
            drivers={str(device): known[str(device)]["driver"] for device in devices},
            points=arguments.points,
            rows=entries,
        )
        print(f"Written to {file.relative_to(FOLDER.parent)}")
    return int(arguments.check and not all(bar.is_met for bar in bars))


if __name__ == "__main__":
    sys.exit(main())
