"""Complex numbers in kernels: the names of pyopencl-complex.h, as text of our own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from string import Template
from typing import Any

import numpy as np

from isthmus.cl._user_lines import in_place_of

INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]pyopencl-complex\.h[>\"][ \t]*$", re.M)

# T is the type, P what its functions begin with, R the type of its parts.
_TYPE = """\
#ifndef ISTHMUS_$T
#define ISTHMUS_$T
typedef union { struct { $R x, y; }; struct { $R real, imag; }; } $T;
"""

# name, type of the result, parameters, and the statement that gives it
_FUNCTIONS = (
    ("new", "T", "R real, R imag", "$T z; z.real = real; z.imag = imag; return z;"),
    ("real", "R", "T a", "return a.real;"),
    ("imag", "R", "T a", "return a.imag;"),
    ("fromreal", "T", "R real", "return ${P}new(real, 0);"),
    ("abs", "R", "T a", "return hypot(a.real, a.imag);"),
    ("abs_squared", "R", "T a", "return a.real * a.real + a.imag * a.imag;"),
    ("neg", "T", "T a", "return ${P}new(-a.real, -a.imag);"),
    ("conj", "T", "T a", "return ${P}new(a.real, -a.imag);"),
    ("add", "T", "T a, T b", "return ${P}new(a.real + b.real, a.imag + b.imag);"),
    ("addr", "T", "T a, R b", "return ${P}new(a.real + b, a.imag);"),
    ("radd", "T", "R a, T b", "return ${P}new(a + b.real, b.imag);"),
    ("sub", "T", "T a, T b", "return ${P}new(a.real - b.real, a.imag - b.imag);"),
    (
        "mul",
        "T",
        "T a, T b",
        "return ${P}new(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real);",
    ),
    ("mulr", "T", "T a, R b", "return ${P}new(a.real * b, a.imag * b);"),
    ("rmul", "T", "R a, T b", "return ${P}new(a * b.real, a * b.imag);"),
    ("fma", "T", "T a, T b, T c", "return ${P}add(${P}mul(a, b), c);"),
    ("divider", "T", "T a, R b", "return ${P}new(a.real / b, a.imag / b);"),
    (
        "divide",
        "T",
        "T a, T b",
        # the larger part of the divisor is divided out first, so that no square overflows
        "if (fabs(b.real) < fabs(b.imag)) {\n"
        "    $R q = b.real / b.imag, d = b.real * q + b.imag;\n"
        "    return ${P}new((a.real * q + a.imag) / d, (a.imag * q - a.real) / d);\n"
        "  }\n"
        "  $R q = b.imag / b.real, d = b.imag * q + b.real;\n"
        "  return ${P}new((a.imag * q + a.real) / d, (a.imag - a.real * q) / d);",
    ),
    ("rdivide", "T", "R a, T b", "return ${P}divide(${P}fromreal(a), b);"),
    (
        "exp",
        "T",
        "T a",
        "$R c, s = sincos(a.imag, &c), e = exp(a.real); return ${P}new(e * c, e * s);",
    ),
    (
        "log",
        "T",
        "T a",
        "return ${P}new(log(hypot(a.real, a.imag)), atan2(a.imag, a.real));",
    ),
    (
        "pow",
        "T",
        "T a, T b",
        "if (a.real == 0 && a.imag == 0)\n"
        "    return ${P}new(b.real == 0 && b.imag == 0 ? 1 : 0, 0);\n"
        "  return ${P}exp(${P}mul(b, ${P}log(a)));",
    ),
    ("powr", "T", "T a, R b", "return ${P}pow(a, ${P}fromreal(b));"),
    ("rpow", "T", "R a, T b", "return ${P}pow(${P}fromreal(a), b);"),
    (
        "sqrt",
        "T",
        "T a",
        "$R r = sqrt((hypot(a.real, a.imag) + fabs(a.real)) / 2);\n"
        "  if (r == 0) return ${P}new(0, a.imag);\n"
        "  $R i = a.imag / (2 * r);\n"
        "  return a.real >= 0 ? ${P}new(r, i) : ${P}new(fabs(i), copysign(r, a.imag));",
    ),
    (
        "sin",
        "T",
        "T a",
        "$R c, s = sincos(a.real, &c); return ${P}new(s * cosh(a.imag), c * sinh(a.imag));",
    ),
    (
        "cos",
        "T",
        "T a",
        "$R c, s = sincos(a.real, &c); return ${P}new(c * cosh(a.imag), -s * sinh(a.imag));",
    ),
    ("tan", "T", "T a", "return ${P}divide(${P}sin(a), ${P}cos(a));"),
    (
        "sinh",
        "T",
        "T a",
        "$R c, s = sincos(a.imag, &c); return ${P}new(sinh(a.real) * c, cosh(a.real) * s);",
    ),
    (
        "cosh",
        "T",
        "T a",
        "$R c, s = sincos(a.imag, &c); return ${P}new(cosh(a.real) * c, sinh(a.real) * s);",
    ),
    ("tanh", "T", "T a", "return ${P}divide(${P}sinh(a), ${P}cosh(a));"),
)

_NAMES: dict[np.dtype[Any], dict[str, str]] = {
    np.dtype(np.complex64): {"T": "cfloat_t", "P": "cfloat_", "R": "float"},
    np.dtype(np.complex128): {"T": "cdouble_t", "P": "cdouble_", "R": "double"},
}

# Of either type, as macros are: both are there wherever their result is.
_CAST = "#define ${P}cast(a) ${P}new((a).real, (a).imag)\n"


def _text_of(names: dict[str, str]) -> str:
    parts = [_TYPE]
    for name, result, parameters, body in _FUNCTIONS:
        types = re.sub(r"\b([TR])\b", r"$\1", parameters)
        parts.append(f"inline ${result} ${{P}}{name}({types}) {{\n  {body}\n}}\n")
    parts.append(_CAST)
    return Template("".join(parts)).substitute(names) + "#endif\n"


def complex_text(dtypes: Iterable[np.dtype[Any]]) -> str:
    """The types and functions for kernels with these dtypes; none if none is complex."""
    used = [dtype for dtype in _NAMES if dtype in set(dtypes)]
    return "".join(_text_of(_NAMES[dtype]) for dtype in used)


def with_complex(text: str) -> str:
    """The text with our functions where it includes pyopencl-complex.h."""
    if INCLUDE.search(text) is None:
        return text
    wants_double = "PYOPENCL_DEFINE_CDOUBLE" in text or "cdouble" in text
    kinds = list(_NAMES)[: 2 if wants_double else 1]
    return INCLUDE.sub(lambda found: in_place_of(found, complex_text(kinds)), text)
