"""Where rows go wrong: operands near branch points, roots, poles and the ends of a dtype's range.

Grids of real and complex numbers for tests/device/test_accuracy.py and bench/accuracy.py.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.device.arrays import Values, dtype_of
from tests.device.truth import FORMATS, Format

Operands = tuple[Values, ...]


def sizes(form: Format) -> list[float]:
    """Of parts, none negative: ends of the range, one and its neighbours, and what overflows in a
    square, in exp and in sinh.
    """
    eps, least = 2.0 ** (1 - form.digits), 2.0**form.least
    root, top = 2.0 ** (form.most // 2), math.ldexp(2 - eps, form.most - 1)
    log_top = math.log(top)
    ends = [0.0, least * eps, 3 * least * eps, least, 3.7 * least, 1.3 * least**0.75]
    ends += [5 / root, 0.3 / root, root / 3, 0.9 * root, 1.5 * root, root**1.5, top / 2, top]
    ones = [1 - eps, 1 - eps / 2, 1.0, 1 + eps, 1.0001, 0.9, eps, eps / 3, eps**2, 1.1 * eps**0.5]
    halves = [0.25, 0.5, 2.0, 3.0, 7.0, 0.6, 0.8, math.sqrt(0.5), 1.7e-3, 0.1]
    turns = [k * math.pi / 2 for k in (1, 2, 3, 4, 11, 64)]
    exponents = [8.3, 10.1, 20.3, 22.1, 30.7, 41.3, 45.9, log_top / 2, 2 * log_top]
    exponents += [log_top - 0.7, log_top - 1e-3, log_top + 0.2, log_top + 0.5]
    return [*ends, *ones, *halves, *turns, *exponents, 1.1e3, 1.3e5, 1.7e8, 1.01e9, 1.3e16]


def _signed(dtype: str) -> Values:
    """Every size that the dtype's parts hold, and its negative."""
    kind = dtype_of(dtype)
    held = np.array(sizes(FORMATS[dtype])).astype(f"f{kind.itemsize // 2}")
    held = np.unique(held[np.isfinite(held)])
    return np.concatenate([held, -held])


def special_complex(dtype: str) -> Values:
    """All pairs of parts, of every sign."""
    parts = _signed(dtype)
    re, im = np.meshgrid(parts, parts)
    made = np.empty(re.size, dtype_of(dtype))
    made.real, made.imag = re.reshape(-1), im.reshape(-1)
    return made


def random_complex(dtype: str, count: int, rng: np.random.Generator) -> Values:
    """Of every size, of usual sizes, close to the unit circle, and close to 1."""
    form = FORMATS[dtype]

    def part(low: float, high: float) -> Any:
        return np.exp2(rng.uniform(low, high, count)) * rng.choice([-1.0, 1.0], count)

    everywhere = part(form.least - 5, form.most - 1) + 1j * part(form.least - 5, form.most - 1)
    usual = part(-12, 7) + 1j * part(-12, 7)
    angle = rng.uniform(-np.pi, np.pi, count) * 10.0 ** rng.uniform(-9, 0, count)
    radius = 1 + rng.normal(size=count) * 10.0 ** rng.uniform(-8, -1, count)
    near_one = 1 + part(-form.digits, -1) + 1j * part(form.least - 5, -1)
    mixed = part(form.least - 5, form.most - 1) + 1j * part(-12, 7)
    chosen = [everywhere, usual, radius * np.exp(1j * angle), near_one, mixed]
    return np.concatenate(chosen).astype(dtype_of(dtype))


def special_reals(dtype: str, low: float, high: float) -> Values:
    """Within [low, high], with neighbours: sizes, integers and halves, multiples of pi / 2."""
    kind = dtype_of(dtype)
    near = [k / 2 for k in range(-24, 25)] + [k * math.pi / 2 for k in range(-64, 65)]
    ends = [low, high, *sizes(FORMATS[dtype])]
    values = np.array([v for v in (*near, *ends, *(-e for e in ends)) if low <= v <= high])
    values = values.astype(kind)
    if kind.kind == "f":
        above, below = (np.nextafter(values, kind.type(to)) for to in (np.inf, -np.inf))
        values = np.concatenate([values, above, below])
    wide = values.astype(np.float64)
    return np.unique(values[(wide >= low) & (wide <= high)])


def random_reals(
    dtype: str, low: float, high: float, count: int, rng: np.random.Generator
) -> Values:
    """Half of them uniform in [low, high], half of every size that there is."""
    form = FORMATS[dtype]
    top = min(high, 2.0 ** (form.most - 1))
    least = max(low, 2.0 ** (form.least - form.digits + 1))
    every = np.exp2(rng.uniform(math.log2(least), math.log2(top), count))
    every = every * rng.choice([-1.0, 1.0], count) if low < 0 else every
    uniform = rng.uniform(max(low, -top), top, count)
    values = np.concatenate([uniform, every]).astype(dtype_of(dtype))
    wide = values.astype(np.float64)
    return values[(wide >= low) & (wide <= high)]


def combined(values: Values, arity: int, count: int, rng: np.random.Generator) -> Operands:
    """Each value as it is for one operand; for several, pairs at random, and near each other."""
    if arity == 1:
        return (values,)
    operands = [rng.choice(values, count) for _ in range(arity)]
    shared = slice(0, count // 8)
    operands[1][shared] = operands[0][shared]
    return tuple(operands)


def moderate(x: Values, rng: np.random.Generator) -> Values:
    """Exponents for which pow(x, y) keeps its promise, |y log x| below 1000, whole ones and halves
    among them.
    """
    with np.errstate(all="ignore"):
        size = np.abs(np.log(x.astype("G")))
    size = np.where(np.isfinite(size), size, 1.0).clip(1e-30)
    turn = np.exp(1j * rng.uniform(-np.pi, np.pi, x.size))
    y = np.exp2(rng.uniform(-8, np.log2(990), x.size)) / size * turn
    whole = rng.integers(-100, 100, x.size) / rng.choice([1, 1, 2], x.size)
    y = np.where((rng.random(x.size) < 0.3) & (np.abs(whole) * size < 990), whole, y)
    return np.where(np.abs(y) < float(np.finfo(x.dtype).max), y, 1).astype(x.dtype)


def usable(row: dict[str, Any], operands: Operands, rng: np.random.Generator) -> Operands:
    """As the row's text asks for: bounds in order, a condition, no division by zero, moderate
    powers; and no zeros with a sign where mpmath, which has none, would not do.
    """
    if row["name"] == "pow" and operands[0].dtype.kind == "c":
        operands = (operands[0], moderate(operands[0], rng))
    if row["name"] == "clip":
        x, y, z = operands
        operands = (x, np.minimum(y, z), np.maximum(y, z))
    if row["name"] == "where":
        operands = (operands[0] != operands[0][:1], *operands[1:])
    if row["name"] in ("copysign", "atan2", "atan2pi"):
        operands = tuple(x + 0 for x in operands)
    if row["name"] in ("divide", "floor_divide", "remainder", "fmod"):
        kept = operands[1] != 0
        operands = tuple(x[kept] for x in operands)
    return operands
