"""Random texts of users' kernels that are plain arithmetic: what the library reads itself.

Signed integers stay in their range, since C leaves open what happens there; so each expression
knows a bound of its size. Only functions are called that are exact on every device."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

# name of the dtype, in C, bits, whether it has a sign; bool is a byte
KINDS = {
    "bool": ("uchar", 8, False),
    "int8": ("char", 8, True),
    "uint8": ("uchar", 8, False),
    "int16": ("short", 16, True),
    "uint16": ("ushort", 16, False),
    "int32": ("int", 32, True),
    "uint32": ("uint", 32, False),
    "int64": ("long", 64, True),
    "uint64": ("ulong", 64, False),
    "float32": ("float", 32, True),
    "float64": ("double", 64, True),
}
WHOLE = [name for name in KINDS if "int" in name]
REALS = ["float32", "float64"]
LITERALS = {
    "int32": ["0", "1", "7", "0x1f", "12"],
    "uint32": ["3u", "0xFU", "4294967295u", "0x80000000"],
    "int64": ["5L", "0x7l", "3000000000"],
    "uint64": ["2UL", "9lu", "18446744073709551615ul"],
    "float32": ["1.5f", "2.f", ".25f", "1e-3f", "0.1F", "3e+1f"],
    "float64": ["0.1", "3.0", "1e2", ".7e-1", "2.", "1E0"],
}
EXACT = {"sqrt": 1, "fabs": 1, "floor": 1, "ceil": 1, "trunc": 1, "rint": 1, "copysign": 2}
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
LARGEST = {name: 2 ** (bits - sign) for name, (_, bits, sign) in KINDS.items()}


class Expression(NamedTuple):
    text: str
    kind: str  # its type in C, as a dtype; bool: 0 or 1, which C calculates with as int
    bound: float = 0.0  # of whole numbers: none is larger


def promoted(kind: str) -> str:
    return kind if KINDS[kind][1] >= 32 else "int32"


def common(x: str, y: str) -> str:
    for real in ("float64", "float32"):
        if real in (x, y):
            return real
    x, y = promoted(x), promoted(y)
    if KINDS[x][1] != KINDS[y][1]:
        return max(x, y, key=lambda kind: KINDS[kind][1])
    return y if KINDS[x][2] else x


def fits(kind: str, bound: float) -> bool:
    return kind in REALS or not KINDS[kind][2] or bound < LARGEST[kind]


def can_become(kind: str, target: str) -> bool:
    """Whether an assignment has one meaning."""
    return target in REALS or (kind not in REALS and (target != "bool" or kind == "bool"))


class TextMaker:
    """One text: its parameters, its operation, and elements for the parameters."""

    def __init__(self, seed: int, has_fp64: bool = True) -> None:
        self.rng = np.random.default_rng(seed)
        self.kinds = [k for k in KINDS if has_fp64 or k != "float64"]
        self.has_fp64 = has_fp64
        self.inputs = {f"x{k}": self.pick(self.kinds) for k in range(self.rng.integers(1, 5))}
        self.known = [
            Expression(name, kind, 1 if kind == "bool" else 9) for name, kind in self.inputs.items()
        ]
        statements = [self.declaration(f"t{k}") for k in range(self.rng.integers(0, 3))]
        self.outputs: dict[str, str] = {}
        for k in range(self.rng.integers(1, 3)):
            kind, statement = self.assignment(f"z{k}")
            self.outputs[f"z{k}"] = kind
            statements.append(statement)
            if kind in REALS and self.chance(0.3):
                sign = self.pick(["+=", "-=", "*=", "/="])
                more = self.divisor(2) if sign == "/=" else self.expression(2)
                statements.append(f"z{k} {sign} {more.text}")
        self.operation = "; ".join(statements) + self.pick(["", ";", " ;\n"])

    def pick(self, items: list[str]) -> str:
        return items[self.rng.integers(len(items))]

    def chance(self, p: float) -> bool:
        return bool(self.rng.random() < p)

    def target(self, *made: Expression) -> str:
        """A dtype that each of the values can be assigned to."""
        if any(one.kind in REALS for one in made):
            return self.pick([k for k in self.kinds if k in REALS])
        are_bools = all(one.kind == "bool" for one in made)
        return self.pick([k for k in self.kinds if k != "bool" or are_bools])

    def assignment(self, name: str) -> tuple[str, str]:
        """What gives an output its value, once or in one of several ways."""
        x = self.expression(4)
        if self.chance(0.5):
            return self.target(x), f"{name} = {x.text}"
        y, condition = self.expression(3), self.condition(2).text
        kind = self.target(x, y)
        x_text, y_text = f"{name} = {x.text};", f"{name} = {y.text};"
        way = self.rng.integers(4)
        if way == 0:
            return kind, f"if ({condition}) {x_text} else {y_text}"
        if way == 1:
            return kind, f"{x_text} if ({condition}) {{ {y_text} }}"
        # a variable of a block is none behind it
        known = list(self.known)
        inner = self.declaration("inner")
        found = [self.expression(3), self.known[-1], x]
        more = next(one for one in found if can_become(one.kind, kind))
        self.known = known
        block = f"{{ {inner}; {name} = {more.text}; }}"
        if way == 2:
            return kind, f"if ({condition}) {block} else {{ {y_text} }}"
        other = self.condition(2).text
        return kind, f"{x_text} if ({condition}) {y_text} else if ({other}) {block}"

    def declaration(self, name: str) -> str:
        made = self.expression(3)
        kind = self.target(made)
        bound = made.bound if fits(kind, made.bound) and made.bound >= 0 else LARGEST[kind]
        if not KINDS[kind][2] and kind not in REALS:
            bound = 1 if kind == "bool" else LARGEST[kind]  # what was negative is large there
        self.known.append(Expression(name, kind, bound))
        const = "const " if self.chance(0.5) else ""
        type_name = "bool" if kind == "bool" else KINDS[kind][0]
        return f"{const}{type_name} {name} = {made.text}"

    def literal(self) -> Expression:
        kind = self.pick([k for k in LITERALS if k in self.kinds])
        text = self.pick(LITERALS[kind])
        return Expression(text, kind, float(int(text.rstrip("uUlL"), 0)) if kind in WHOLE else 0)

    def condition(self, depth: int) -> Expression:
        while (made := self.expression(depth)).kind in REALS:
            pass
        return made

    def expression(self, depth: int) -> Expression:
        if depth == 0 or self.chance(0.1):
            if self.chance(0.4):
                return self.literal()
            return self.known[self.rng.integers(len(self.known))]
        way = self.rng.integers(12)
        if way < 5:
            return self.arithmetic(depth)
        x = self.expression(depth - 1)
        if way == 5:
            y = self.expression(depth - 1)
            return Expression(f"({x.text} {self.pick(COMPARISONS)} {y.text})", "bool", 1)
        if way == 6:
            x, y = self.condition(depth - 1), self.condition(depth - 1)
            sign = self.pick(["&&", "||"])
            return Expression(f"({x.text} {sign} {y.text})", "bool", 1)
        if way == 7:
            return self.choice(depth)
        if way == 8:
            return self.cast(x)
        if way == 9:
            return self.function(x)
        if way == 10:
            return self.of_bits(depth)
        return self.unary(x)

    def arithmetic(self, depth: int) -> Expression:
        x, y = self.expression(depth - 1), self.expression(depth - 1)
        kind = common(x.kind, y.kind)
        sign = self.pick(["+", "-", "*", "/"] if kind in REALS else ["+", "-", "*", "/", "%"])
        bound = x.bound * y.bound if sign == "*" else x.bound + y.bound
        if sign in "/%" and kind not in REALS:
            y = self.whole_divisor(y)
            kind = common(x.kind, y.kind)
            bound = x.bound if KINDS[kind][2] else LARGEST[kind]
        elif sign == "/":
            y = self.divisor(depth - 1)
            kind, bound = common(x.kind, y.kind), 0
        elif kind in REALS:
            bound = 0
        elif not KINDS[kind][2]:
            bound = LARGEST[kind]
        elif not fits(kind, bound):
            return x
        return Expression(f"({x.text} {sign} {y.text})", kind, bound)

    def divisor(self, depth: int) -> Expression:
        """Never zero: Intel's compiler (2026.2) takes (0.0f / x) * (y > 1) for 0, whatever x is."""
        return Expression(f"(0.5f + fabs((float)({self.expression(depth).text})))", "float32")

    def whole_divisor(self, y: Expression) -> Expression:
        """Never 0 or -1: the quotient may be none."""
        if self.chance(0.5):
            known = {"3": "int32", "(-5)": "int32", "2u": "uint32", "10L": "int64", "7UL": "uint64"}
            text = self.pick(list(known))
            return Expression(text, known[text])
        kind = common("int32", y.kind)
        return Expression(f"({y.text} < 1 ? 3 : {y.text})", kind, max(y.bound, 3))

    def choice(self, depth: int) -> Expression:
        if depth < 2:
            return self.literal()
        condition = self.condition(depth - 2)
        x, y = self.expression(depth - 1), self.expression(depth - 1)
        kind = "bool" if x.kind == y.kind == "bool" else common(x.kind, y.kind)
        bound = max(x.bound, y.bound)
        if kind not in REALS and not KINDS[kind][2] and kind != "bool":
            bound = LARGEST[kind]
        return Expression(f"({condition.text} ? {x.text} : {y.text})", kind, bound)

    def cast(self, x: Expression) -> Expression:
        kinds = [k for k in self.kinds if k in REALS or (x.kind not in REALS and k != "bool")]
        kind = self.pick(kinds)
        bound = x.bound if KINDS[kind][2] and x.bound < LARGEST[kind] else LARGEST[kind]
        return Expression(f"({KINDS[kind][0]})({x.text})", kind, 0 if kind in REALS else bound)

    def function(self, x: Expression) -> Expression:
        if x.kind not in REALS:
            real = self.pick([k for k in self.kinds if k in REALS])
            x = Expression(f"({KINDS[real][0]})({x.text})", real)
        name = self.pick([*EXACT, "fmax", "fmin", "max", "min"])
        operands = x.text
        if name in ("max", "min"):
            other = self.expression(1)
            return Expression(f"{name}({operands}, ({KINDS[x.kind][0]})({other.text}))", x.kind)
        if name in ("fmax", "fmin"):  # of zeros of both signs either may come
            nonzero = self.pick(["", "-"]) + self.divisor(1).text
            return Expression(f"{name}({operands}, ({KINDS[x.kind][0]})({nonzero}))", x.kind)
        if EXACT[name] == 2:  # no NaN, whose sign is nobody's
            sign = list(self.inputs)[self.rng.integers(len(self.inputs))]
            operands += f", ({KINDS[x.kind][0]}){sign}"
        return Expression(f"{name}({operands})", x.kind)

    def of_bits(self, depth: int) -> Expression:
        x, y = self.condition(depth - 1), self.condition(depth - 1)
        kind = "bool" if x.kind == y.kind == "bool" else common(x.kind, y.kind)
        bound = 1 if kind == "bool" else LARGEST[kind]
        return Expression(f"({x.text} {self.pick(['&', '|', '^'])} {y.text})", kind, bound)

    def unary(self, x: Expression) -> Expression:
        kind = x.kind if x.kind in REALS else promoted(x.kind)
        sign = self.pick(["-", "+", "!", "~"])
        if x.kind in REALS:
            sign = self.pick(["-", "+"])
        if sign == "!":
            return Expression(f"(!{x.text})", "bool", 1)
        bound = x.bound + 1 if KINDS[kind][2] else LARGEST[kind]
        if kind not in REALS and not fits(kind, bound):
            return x
        return Expression(f"({sign}{x.text})", kind, 0 if kind in REALS else bound)

    @property
    def parameters(self) -> tuple[str, str]:
        def listed(names: dict[str, str]) -> str:
            return ", ".join(f"{kind} {name}" for name, kind in names.items())

        return listed(self.inputs), listed(self.outputs)

    def elements(self, count: int) -> list[np.ndarray]:
        arrays = []
        for kind in self.inputs.values():
            signed = KINDS[kind][2]
            if kind in REALS:
                made: Any = self.rng.normal(scale=3, size=count)
                made[::7] = self.rng.integers(-3, 4, made[::7].size)
            elif kind == "bool":
                made = self.rng.integers(0, 2, count)
            else:
                made = self.rng.integers(-9 if signed else 0, 10, count)
            arrays.append(made.astype(kind))
        return arrays
