"""C99's Annex G, G.6: what functions of complex infinities, NaNs and signed zeros return.

Tables have rows (x, y, re, im), as the annex lists them, for one part of the plane; the rest
follows from f(conj z) = conj f(z) and from which functions are odd or even.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import product

INF, NAN, PI = math.inf, math.nan, math.pi
ANY_INF, ANY_ZERO, ANY_RIGHT = "an infinity", "a zero", "a right angle"  # of either sign
Part = float | str
Row = tuple[float, float, Part, Part]
# "Finite y" of the annex, with a positive sign; and "finite nonzero y".
NONZERO = (1.0, 7.0)
FINITE = (0.0, *NONZERO)


def rows(xs: Iterable[float], ys: Iterable[float], re: Part, im: Part) -> list[Row]:
    """The same value at all of these points."""
    return [(x, y, re, im) for x, y in product(xs, ys)]


def circle(x: float, size: float, minus: float = 0.0) -> list[Row]:
    """size (cos y, sin y) at x + iy for nonzero y: parts keep their signs where size is 0."""
    return [(x, y, size * math.cos(y) - minus, size * math.sin(y)) for y in NONZERO]


SQRT: list[Row] = [
    *rows((0.0, -0.0), (0.0,), 0.0, 0.0),
    *rows((-INF, -1.0, 0.0, INF, NAN), (INF,), INF, INF),
    *rows((-1.0, 1.0), (NAN,), NAN, NAN),
    *rows((-INF,), FINITE, 0.0, INF),
    *rows((INF,), FINITE, INF, 0.0),
    (-INF, NAN, NAN, ANY_INF),
    (INF, NAN, INF, NAN),
    *rows((NAN,), (*FINITE, NAN), NAN, NAN),
]
EXP: list[Row] = [
    *rows((0.0, -0.0), (0.0,), 1.0, 0.0),
    *rows((0.0, 1.0, -7.0), (INF, NAN), NAN, NAN),
    (INF, 0.0, INF, 0.0),
    (-INF, 0.0, 0.0, 0.0),
    *circle(-INF, 0.0),
    *circle(INF, INF),
    *rows((-INF,), (INF, NAN), ANY_ZERO, ANY_ZERO),
    *rows((INF,), (INF, NAN), ANY_INF, NAN),
    (NAN, 0.0, NAN, 0.0),
    *rows((NAN,), (*NONZERO, NAN, INF), NAN, NAN),
]
EXPM1: list[Row] = [
    (0.0, 0.0, 0.0, 0.0),
    (-0.0, 0.0, 0.0, 0.0),  # as the Array API has it
    *rows((0.0, 1.0, -7.0), (INF, NAN), NAN, NAN),
    (INF, 0.0, INF, 0.0),
    (-INF, 0.0, -1.0, 0.0),
    *circle(-INF, 0.0, minus=1.0),
    *circle(INF, INF),
    *rows((-INF,), (INF, NAN), -1.0, ANY_ZERO),
    *rows((INF,), (INF, NAN), ANY_INF, NAN),
    (NAN, 0.0, NAN, 0.0),
    *rows((NAN,), (*NONZERO, NAN, INF), NAN, NAN),
]
LOG_OF_LARGE: list[Row] = [
    *rows((0.0, 1.0, -1.0), (INF,), INF, PI / 2),
    *rows((0.0, 1.0, -1.0), (NAN,), NAN, NAN),
    *rows((-INF,), FINITE, INF, PI),
    *rows((INF,), FINITE, INF, 0.0),
    (-INF, INF, INF, 3 * PI / 4),
    (INF, INF, INF, PI / 4),
    *rows((INF, -INF), (NAN,), INF, NAN),
    *rows((NAN,), (*FINITE, NAN), NAN, NAN),
    (NAN, INF, INF, NAN),
]
LOG: list[Row] = [(-0.0, 0.0, -INF, PI), (0.0, 0.0, -INF, 0.0), *LOG_OF_LARGE]
LOG1P: list[Row] = [
    (-1.0, 0.0, -INF, 0.0),
    (0.0, 0.0, 0.0, 0.0),
    (-0.0, 0.0, ANY_ZERO, 0.0),
    *LOG_OF_LARGE,
]
ACOS: list[Row] = [
    *rows((0.0, -0.0), (0.0,), PI / 2, -0.0),
    *rows((0.0, -0.0), (NAN,), PI / 2, NAN),
    *rows((0.0, 1.0, -7.0), (INF,), PI / 2, -INF),
    *rows((1.0, -7.0), (NAN,), NAN, NAN),
    *rows((-INF,), FINITE, PI, -INF),
    *rows((INF,), FINITE, 0.0, -INF),
    (-INF, INF, 3 * PI / 4, -INF),
    (INF, INF, PI / 4, -INF),
    *rows((INF, -INF), (NAN,), NAN, ANY_INF),
    *rows((NAN,), (*FINITE, NAN), NAN, NAN),
    (NAN, INF, NAN, -INF),
]
ACOSH: list[Row] = [
    *rows((0.0, -0.0), (0.0,), 0.0, PI / 2),
    *rows((0.0, 1.0, -7.0), (INF,), INF, PI / 2),
    (0.0, NAN, NAN, ANY_RIGHT),  # as C23 has it
    *rows((1.0, -7.0), (NAN,), NAN, NAN),
    *rows((-INF,), FINITE, INF, PI),
    *rows((INF,), FINITE, INF, 0.0),
    (-INF, INF, INF, 3 * PI / 4),
    (INF, INF, INF, PI / 4),
    *rows((INF, -INF), (NAN,), INF, NAN),
    *rows((NAN,), (*FINITE, NAN), NAN, NAN),
    (NAN, INF, INF, NAN),
]
ASINH: list[Row] = [
    (0.0, 0.0, 0.0, 0.0),
    *rows((0.0, 1.0), (INF,), INF, PI / 2),
    *rows((0.0, 1.0), (NAN,), NAN, NAN),
    *rows((INF,), FINITE, INF, 0.0),
    (INF, INF, INF, PI / 4),
    (INF, NAN, INF, NAN),
    (NAN, 0.0, NAN, 0.0),
    *rows((NAN,), (*NONZERO, NAN), NAN, NAN),
    (NAN, INF, ANY_INF, NAN),
]
ATANH: list[Row] = [
    (0.0, 0.0, 0.0, 0.0),
    (0.0, NAN, 0.0, NAN),
    (1.0, 0.0, INF, 0.0),
    *rows((0.0, 1.0), (INF,), 0.0, PI / 2),
    *rows((1.0, 7.0), (NAN,), NAN, NAN),
    *rows((INF,), FINITE, 0.0, PI / 2),
    (INF, INF, 0.0, PI / 2),
    (INF, NAN, 0.0, NAN),
    *rows((NAN,), (*FINITE, NAN), NAN, NAN),
    (NAN, INF, ANY_ZERO, PI / 2),
]
COSH: list[Row] = [
    (0.0, 0.0, 1.0, 0.0),
    *rows((0.0,), (INF, NAN), NAN, ANY_ZERO),
    *rows((1.0, 7.0), (INF, NAN), NAN, NAN),
    (INF, 0.0, INF, 0.0),
    *circle(INF, INF),
    (INF, INF, ANY_INF, NAN),
    (INF, NAN, INF, NAN),
    (NAN, 0.0, NAN, ANY_ZERO),
    *rows((NAN,), (*NONZERO, NAN, INF), NAN, NAN),
]
SINH: list[Row] = [
    (0.0, 0.0, 0.0, 0.0),
    *rows((0.0,), (INF, NAN), ANY_ZERO, NAN),
    *rows((1.0, 7.0), (INF, NAN), NAN, NAN),
    (INF, 0.0, INF, 0.0),
    *circle(INF, INF),
    *rows((INF,), (INF, NAN), ANY_INF, NAN),
    (NAN, 0.0, NAN, 0.0),
    *rows((NAN,), (*NONZERO, NAN, INF), NAN, NAN),
]
TANH: list[Row] = [
    (0.0, 0.0, 0.0, 0.0),
    *rows((0.0,), (INF, NAN), 0.0, NAN),  # as C23 has it
    *rows((1.0, 7.0), (INF, NAN), NAN, NAN),
    # C has the sign of sin(2 y) here; the Array API, whose word this is, that of y
    *[(INF, y, 1.0, math.copysign(0.0, y)) for y in (*FINITE, 2.0)],
    *rows((INF,), (INF, NAN), 1.0, ANY_ZERO),
    (NAN, 0.0, NAN, 0.0),
    *rows((NAN,), (*NONZERO, NAN, INF), NAN, NAN),
]


def minus(part: Part) -> Part:
    return part if isinstance(part, str) else -part


def scaled(table: list[Row], by: float) -> list[Row]:
    def times(part: Part) -> Part:
        return part if isinstance(part, str) else part * by

    return [(x, y, times(re), times(im)) for x, y, re, im in table]


def everywhere(table: list[Row], symmetry: str = "") -> list[Row]:
    """With the conjugates and, where the function is odd or even, the opposite points."""
    if symmetry:
        sign: Callable[[Part], Part] = minus if symmetry == "odd" else lambda part: part
        table = table + [(-x, -y, sign(re), sign(im)) for x, y, re, im in table]
    return table + [(x, -y, re, minus(im)) for x, y, re, im in table]


def turned(table: list[Row]) -> list[Row]:
    """-i f(i z) from f: sin from sinh, and so on."""
    return [(y, -x, im, minus(re)) for x, y, re, im in table]


TABLES = {
    "sqrt": everywhere(SQRT),
    "exp": everywhere(EXP),
    "expm1": everywhere(EXPM1),
    "log": everywhere(LOG),
    "log1p": everywhere(LOG1P),
    "log2": everywhere(scaled(LOG, 1 / math.log(2))),
    "log10": everywhere(scaled(LOG, 1 / math.log(10))),
    "acos": everywhere(ACOS),
    "acosh": everywhere(ACOSH),
    "asinh": everywhere(ASINH, "odd"),
    "atanh": everywhere(ATANH, "odd"),
    "cosh": everywhere(COSH, "even"),
    "sinh": everywhere(SINH, "odd"),
    "tanh": everywhere(TANH, "odd"),
    "asin": turned(everywhere(ASINH, "odd")),
    "atan": turned(everywhere(ATANH, "odd")),
    "sin": turned(everywhere(SINH, "odd")),
    "tan": turned(everywhere(TANH, "odd")),
    "cos": [(y, -x, re, im) for x, y, re, im in everywhere(COSH, "even")],
}
