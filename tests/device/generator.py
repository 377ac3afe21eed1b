"""Writes random programs: lines of Python that both worlds (worlds.py) run."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from tests.device.place_lines import PlaceLines
from tests.device.surface_lines import SurfaceLines, interrupted
from tests.device.worlds import BRAIN, DTYPES, NumpyWorld, common, kind_of

Code = list[tuple[str, types.CodeType]]
ANY = ("equal", "not_equal", "logical_and", "logical_or", "logical_xor")
ORDERED = ("less", "less_equal", "greater", "greater_equal")
EXTREMES = ("maximum", "minimum")
ARITHMETIC = ("add", "subtract", "multiply")
BITS = ("bitwise_and", "bitwise_or", "bitwise_xor")
SHIFTS = ("bitwise_left_shift", "bitwise_right_shift")
BY_KIND = {
    "b": (*ANY, *ORDERED, *EXTREMES, *BITS, "add", "multiply"),
    "i": (*ANY, *ORDERED, *EXTREMES, *ARITHMETIC, *BITS, *SHIFTS, "floor_divide", "remainder"),
    "f": (*ANY, *ORDERED, *EXTREMES, *ARITHMETIC, "divide", "floor_divide", "remainder"),
    "c": ("equal", "not_equal", "add", "subtract", "multiply", "multiply"),
}
UNARY = {
    "b": ("logical_not", "bitwise_invert", "real"),
    "i": ("negative", "abs", "square", "sign", "bitwise_invert", "logical_not", "floor"),
    "f": (
        *("negative", "abs", "square", "sqrt", "sign", "isnan", "isfinite", "signbit", "floor"),
        *("ceil", "trunc", "round"),
    ),
    "c": ("negative", "conj", "real", "imag", "isnan", "square"),
}
IN_PLACE = {
    "b": ("&", "|", "^"),
    "i": ("+", "-", "*", "//", "%", "&", "|", "^"),
    "f": ("+", "-", "*", "/"),
    "c": ("+", "-", "*"),
}
LIMIT = 8  # arrays at a time
# Kinds of lines, as often as they are to come: hypothesis draws from a sequence, without weights.
KINDS = (
    *(["create"] * 4 + ["view"] * 10 + ["map"] * 16 + ["write"] * 14 + ["reduce"] * 5),
    *(["cast"] * 3 + ["join"] * 2 + ["export"] * 3 + ["borrow"] * 3 + ["write_outside"] * 5),
    *(["drop"] * 3 + ["look"] * 3 + ["fuse"] + ["struct"] * 6 + ["write_struct_outside"] * 2),
    *(["take"] * 6 + ["put"] * 6 + ["order"] * 6 + ["matmul"] * 4),
    *(["users_kernel"] * 5 + ["both"] * 4),
    *(["method"] * 6 + ["into"] * 3 + ["inspect"] * 2 + ["garbage"] + ["interrupt"]),
)


class Generator(SurfaceLines, PlaceLines):
    """Writes a program line by line, running NumPy's half to know what it may say next."""

    def __init__(self, rng: Any, *, exports: bool, doubles: bool) -> None:
        self.rng, self.exports, self.doubles = rng, exports, doubles
        self.names: dict[str, Any] = {"n": NumpyWorld()}
        self.arrays: list[str] = []
        self.outside: list[str] = []  # NumPy arrays that both worlds write to
        self.structs: list[str] = []
        self.outside_structs: list[str] = []
        self.is_fusing = False
        self.made = 0
        self.code: Code = []

    # What a line is made of.

    def chance(self, p: float) -> bool:
        # the least that hypothesis can draw is the shorter way
        return bool(self.rng.randint(0, 999) >= round(1000 * (1 - p)))

    def pick(self, names: list[str]) -> str:
        return str(self.rng.choice(names))

    def shape(self) -> tuple[int, ...]:
        if self.chance(0.03):
            return tuple(self.rng.choice([(700,), (3, 300), (513, 2), (5000,), (9, 40), (50, 90)]))
        return tuple(
            self.rng.choice((0, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6))
            for _ in range(self.rng.randint(0, 3))
        )

    def dtype(self) -> str:
        chosen = str(self.rng.choice(DTYPES))
        single = {"float64": "float32", "complex128": "complex64"}
        return chosen if self.doubles else single.get(chosen, chosen)

    def bound(self, extent: int) -> str:
        return "" if self.chance(0.4) else str(self.rng.randint(-extent - 1, extent + 1))

    def index(self, shape: tuple[int, ...]) -> str:
        """A basic index; with an ellipsis, so that the result is an array."""
        items = []
        for extent in shape[: self.rng.randint(0, len(shape))]:
            if extent and self.chance(0.25):
                items.append(str(self.rng.randint(-extent, extent - 1)))
                continue
            step = self.rng.choice(("", ":1", ":2", ":-1", ":-2", ":3", ":-1"))
            items.append(f"{self.bound(extent)}:{self.bound(extent)}{step}")
            if self.chance(0.06):
                items.append("None")
        if self.chance(0.15) and len(items) <= len(shape):
            return ", ".join(["...", *items])
        return ", ".join([*items, "..."])

    def number(self, kind: str) -> str:
        if kind == "b":
            return str(self.rng.choice((True, False)))
        if kind == "i" or self.chance(0.3):
            return str(self.rng.randint(1, 5))
        return str(self.rng.choice((0.5, -1.5, 2.0, 0.25, 3.0, 0.1, -0.0)))

    def fits(self, *dtypes: Any) -> bool:
        return self.doubles or common(*dtypes).char not in "dD"

    # Adding lines.

    def try_line(self, text: str) -> bool:
        """Keeps the line if NumPy takes it."""
        compiled = compile(text, "<program>", "exec")
        try:
            exec(compiled, self.names)
        except (ValueError, TypeError, IndexError, KeyError, OverflowError):
            return False
        self.code.append((text, compiled))
        return True

    def number_of_its_own(self, text: str) -> None:
        """A Total, which is compared at the end."""
        if self.try_line(f"s{self.made} = {text}"):
            self.made += 1

    def new(self, text: str) -> bool:
        """Whether NumPy takes it."""
        name = f"v{self.made}"
        if self.chance(0.03):
            text = interrupted(text, self.rng.randint(1, 40))
        if not self.try_line(f"{name} = {text}"):
            return False
        made = self.names[name]
        if made.size > 20_000 or made.ndim > 5 or not self.fits(made.dtype):
            del self.names[name]
            self.code.pop()
            return True
        self.made += 1
        self.arrays.append(name)
        if len(self.arrays) > LIMIT:
            self.drop()
        return True

    def create(self) -> None:
        shape, dtype = self.shape(), self.dtype()
        how = self.rng.randint(0, 10)
        if how == 10:
            self.draw(shape)
        elif how < 7:
            self.new(f"n.values({shape}, '{dtype}', {self.rng.randint(0, 3000)})")
        elif how == 7:
            self.new(f"n.zeros({shape}, dtype='{dtype}')")
        elif how == 8:
            number = self.number(kind_of(np.dtype(dtype)))
            self.new(f"n.full({shape}, {number}, dtype='{dtype}')")
        elif kind_of(np.dtype(dtype)) not in "bc":
            self.new(f"n.arange({self.rng.randint(0, 3)}, {self.rng.randint(0, 20)}, 3, '{dtype}')")

    def draw(self, shape: tuple[int, ...]) -> None:
        seed = self.rng.randint(0, 99)
        if self.chance(0.5):
            real = self.rng.choice(["float32", "float64"] if self.doubles else ["float32"])
            self.new(f"n.draw({shape}, '{real}', {seed})")
        else:
            self.new(f"n.draw_below({self.rng.randint(1, 20)}, {shape}, {seed})")

    def view(self) -> None:
        name = self.pick(self.arrays)
        x = self.names[name]
        axes = list(range(x.ndim))
        how = self.rng.randint(0, 9)
        if how <= 3:
            self.new(f"{name}[{self.index(x.shape)}]")
        elif how == 4:
            self.rng.shuffle(axes)
            self.new(f"n.permute_dims({name}, {tuple(axes)})")
        elif how == 5:
            shape = tuple(self.rng.choice((2, 3)) if e == 1 else e for e in x.shape)
            more = (2,) if self.chance(0.5) else ()
            self.new(f"n.broadcast_to({name}, {(*more, *shape)})")
        elif how <= 7:
            self.new(f"n.reshape({name}, {self.other_shape(x.shape, x.size)})")
        elif how == 8:
            axis = self.rng.choice([None, *axes])
            self.new(f"n.flip({name}, axis={axis})")
        else:
            self.new(f"n.expand_dims({name}, axis={self.rng.randint(-1, x.ndim)})")

    def other_shape(self, shape: tuple[int, ...], size: int) -> tuple[int, ...]:
        if self.chance(0.4) or size == 0:
            return (-1,) if size else (0,)
        shape = tuple(e for e in shape if e != 1)
        if self.chance(0.3) and len(shape) > 1:
            at = self.rng.randint(0, len(shape) - 2)
            return (*shape[:at], shape[at] * shape[at + 1], *shape[at + 2 :])
        for factor in (2, 3, 5):
            if size % factor == 0:
                return (factor, size // factor) if self.chance(0.5) else (size // factor, factor)
        return (1, size)

    def partner(self, x: Any) -> str | None:
        """Another array that broadcasts with x."""
        names = self.arrays.copy()
        self.rng.shuffle(names)
        for name in names:
            y = self.names[name]
            pairs = zip(reversed(x.shape), reversed(y.shape), strict=False)
            if all(a == b or 1 in (a, b) for a, b in pairs):
                return str(name)
        return None

    def map(self) -> None:
        name = self.pick(self.arrays)
        x = self.names[name]
        if self.chance(0.3):
            self.new(f"n.{self.rng.choice(UNARY[kind_of(x.dtype)])}({name})")
            return
        other = self.partner(x)
        if other is None or self.chance(0.25):
            kind = kind_of(x.dtype)
            function = self.rng.choice(BY_KIND[kind])
            self.binary(function, name, self.number(kind))
            return
        y = self.names[other]
        if not self.fits(x.dtype, y.dtype):
            return
        if self.chance(0.15):
            condition = self.partner(x)
            if condition is not None:
                made = f"n.not_equal({condition}, 0)"
                if self.names[condition].dtype.kind == "b":
                    made = condition
                self.new(f"n.where({made}, {name}, {other})")
            return
        function = self.rng.choice(BY_KIND[kind_of(common(x.dtype, y.dtype))])
        self.binary(function, name, other)

    def binary(self, function: str, x: str, y: str) -> None:
        text = f"n.{function}({x}, {y})"
        # which of 0.0 and -0.0 is the larger differs between NumPy's own builds
        text = f"n.add({text}, 0)" if function in EXTREMES and self.is_real(x, y) else text
        if not self.new(text) and function == "multiply":
            self.number_of_its_own(f"n.product({x}, {y})")

    def matmul(self) -> None:
        x, y = self.pick(self.arrays), self.pick(self.arrays)
        dtypes = self.names[x].dtype, self.names[y].dtype
        if not self.fits(*dtypes):
            return
        is_exact = kind_of(common(*dtypes)) in "bi"
        if is_exact and self.chance(0.4) and self.names[x].size and self.names[y].size:
            self.new(f"n.large_matmul({x}, {y})")
            return
        for pair in (f"{x}, {y}", f"{x}, {y}.mT", f"{x}.mT, {y}", f"{x}, {x}.mT"):
            before = len(self.code)
            if is_exact:
                self.new(f"n.matmul({pair})")
            else:
                self.number_of_its_own(f"n.near_matmul({pair})")
            if len(self.code) > before:
                return

    def users_kernel(self) -> None:
        name = self.pick(self.arrays)
        x = self.names[name]
        how = self.rng.randint(0, 3)
        if how == 3:
            self.new(f"n.users_flags({name})")
        elif how == 0:
            other = self.partner(x)
            is_alike = other is not None and self.names[other].dtype == x.dtype
            y = other if is_alike else self.number(kind_of(x.dtype))
            self.new(f"n.users_map({name}, {y})")
        elif how == 1:
            axis = self.rng.choice([None, *range(x.ndim)])
            self.new(f"n.users_reduction({name}, {axis})")
        elif x.ndim:
            axis = self.rng.randint(0, x.ndim - 1)
            self.new(f"n.users_scan({name}, {axis}, {self.chance(0.5)})")

    def is_real(self, *names: str) -> bool:
        return any(n in self.names and kind_of(self.names[n].dtype) == "f" for n in names)

    def cast(self) -> None:
        name, dtype = self.pick(self.arrays), self.dtype()
        x = self.names[name]
        kinds = kind_of(x.dtype), kind_of(np.dtype(dtype))
        if kinds[0] == "c" and kinds[1] != "c":
            return
        low, high = (0 if dtype[0] == "u" else -100), 100  # past the range C promises nothing
        is_inside = bool(np.all((x >= low) & (x <= high))) if kinds[0] == "f" else True
        if kinds[1] == "i" and not is_inside:
            return
        self.new(f"n.astype({name}, '{dtype}')")

    def target(self) -> str:
        """An array, or a view of one."""
        name = self.pick(self.arrays)
        return name if self.chance(0.5) else f"{name}[{self.index(self.names[name].shape)}]"

    def write(self) -> None:
        target = self.target()
        try:
            x = eval(target, self.names)
        except IndexError:
            return
        other, kind = self.partner(x), kind_of(x.dtype)
        number = self.number(kind)
        if self.chance(0.5):
            sign = self.rng.choice(IN_PLACE[kind])
            if other is None or self.chance(0.4):
                # NumPy adds 0.1 to a bfloat16 as a float32
                value = self.number("i") if x.dtype == BRAIN else number
            elif kind_of(self.names[other].dtype) == "c" != kind:
                return  # which NumPy takes for bfloat16
            elif self.fits(x.dtype, self.names[other].dtype):
                value = other
            else:
                return
            is_product = (kind, sign) == ("c", "*")
            value = f"n.exact({target}, {value})" if is_product else value
            self.try_line(f"{target} {sign}= {value}")
            return
        if "[" not in target:
            target += "[...]"
        if other is None or self.chance(0.3):
            self.try_line(f"{target} = {number}")
            return
        y = self.names[other]
        if y.dtype.kind in "biu" or kind_of(y.dtype) == kind or kind == "c":
            self.try_line(f"{target} = {other}")

    def reduce(self) -> None:
        name = self.pick(self.arrays)
        x = self.names[name]
        axes = [None, *range(x.ndim), *([(0, -1)] if x.ndim > 1 else [])]
        axis = self.rng.choice(axes)
        keeps = self.chance(0.3)
        keep = ", keepdims=True" if keeps else ""
        kind = kind_of(x.dtype)
        if kind != "c" and not isinstance(axis, tuple) and self.chance(0.2):
            self.new(f"n.{self.rng.choice(('argmax', 'argmin'))}({name}, axis={axis}{keep})")
            return
        if kind in "fc":
            function = self.rng.choice(("max", "min", "any", "all", "sum", "sum", "prod", "mean"))
            if function in ("sum", "prod", "mean"):
                self.number_of_its_own(f"n.total('{function}', {name}, {axis}, {keeps})")
            elif function in ("any", "all"):
                self.new(f"n.{function}({name}, axis={axis}{keep})")
            elif kind == "f":
                self.new(f"n.add(n.{function}({name}, axis={axis}{keep}), 0)")
            return
        function = self.rng.choice(("sum", "prod", "max", "min", "any", "all"))
        self.new(f"n.{function}({name}, axis={axis}{keep})")

    def both(self) -> None:
        """Two results of one call."""
        name = self.pick(self.arrays)
        x = self.names[name]
        kind = kind_of(x.dtype)
        if kind == "c":
            return
        functions = {"b": ["min_max"], "i": ["min_max", "divmod"]}
        function = self.rng.choice(functions.get(kind, ["min_max", "divmod", "modf", "frexp"]))
        more = ""
        if function == "min_max":
            more = f", {self.rng.choice([None, *range(x.ndim)])}"
        elif function == "divmod":
            more = f", {self.number(kind)}"
        first, second = f"v{self.made}", f"v{self.made + 1}"
        if self.try_line(f"{first}, {second} = n.both('{function}', {name}{more})"):
            self.made += 2
            self.arrays += [first, second]
            while len(self.arrays) > LIMIT:
                self.drop()

    def join(self) -> None:
        name = self.pick(self.arrays)
        x = self.names[name]
        if self.chance(0.3):
            # a copy that nobody holds joins the kernel of its part
            parts = f"({name}, n.astype({name}, '{x.dtype.name}'), {name})"
            if x.ndim and self.chance(0.5):
                axis = self.rng.choice((*range(-x.ndim, x.ndim), None))
                self.new(f"n.concat({parts}, axis={axis})")
            else:
                self.new(f"n.stack({parts}, axis={self.rng.randint(-x.ndim - 1, x.ndim)})")
        elif x.ndim and self.chance(0.5):
            other = self.pick(self.arrays)
            if self.fits(x.dtype, self.names[other].dtype):
                axis = self.rng.choice((*range(x.ndim), None))
                self.new(f"n.concat(({name}, {other}), axis={axis})")
        else:
            self.new(f"n.stack(({name}, {name}), axis={self.rng.randint(0, x.ndim)})")

    def export(self) -> None:
        if not self.exports or self.is_fusing:
            return
        name = self.pick(self.arrays)
        how = self.rng.choice(("show", "show_dlpack"))
        if self.try_line(f"e{self.made} = n.{how}({name})"):
            self.outside.append(f"e{self.made}")
            self.made += 1

    def borrow(self) -> None:
        if not self.exports or self.is_fusing:
            return
        shape, dtype = self.shape(), self.dtype()
        memory = f"h{self.made}"
        self.try_line(f"{memory} = n.memory({shape}, '{dtype}', {self.rng.randint(0, 3000)})")
        self.outside.append(memory)
        self.made += 1  # the name is taken even if the index is refused
        self.new(f"n.share({memory}[{self.index(shape)}])")

    def write_outside(self) -> None:
        if not self.outside or self.is_fusing:
            return
        name = self.pick(self.outside)
        x = self.names[name]
        if x.flags.writeable:
            self.try_line(f"{name}[{self.index(x.shape)}] = {self.number(kind_of(x.dtype))}")

    def drop(self) -> None:
        if self.outside and self.chance(0.3):
            name = self.outside.pop(self.rng.randrange(len(self.outside)))
        elif len(self.arrays) > 1:
            name = self.arrays.pop(self.rng.randrange(len(self.arrays)))
        else:
            return
        self.try_line(f"del {name}")

    def look(self) -> None:
        self.try_line(f"n.{self.rng.choice(('eval', 'look'))}({self.pick(self.arrays)})")

    def fuse(self) -> None:
        self.try_line("n.leave_fusing()" if self.is_fusing else "n.enter_fusing()")
        self.is_fusing = not self.is_fusing

    def program(self, lines: int) -> Code:
        self.create()
        tries = 0
        while len(self.code) < lines and tries < 4 * lines:
            tries += 1
            if not self.arrays:
                self.create()
                continue
            getattr(self, self.rng.choice(KINDS))()
        return self.code
