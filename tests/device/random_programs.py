"""Random programs over aliasing arrays, run by NumPy and by Isthmus, which must agree to the bit.

A program is a list of lines of Python that both worlds (worlds.py) run. Only sums of floats have a
tolerance, since nobody promises the order in which they add. A seeded loop for many of them:

    python tests/device/random_programs.py --count 100000 --seed 1 --device cpu
"""

from __future__ import annotations

import argparse
import pathlib
import random
import sys
import time
import types
from typing import Any

import numpy as np

import isthmus as xp

if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))

from tests.device.arrays import assert_same, get
from tests.device.worlds import DTYPES, NumpyWorld, OurWorld, Total

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
    "c": ("equal", "not_equal", "add", "subtract"),
}
UNARY = {
    "b": ("logical_not", "bitwise_invert", "real"),
    "i": ("negative", "abs", "square", "sign", "bitwise_invert", "logical_not", "floor"),
    "f": (
        *("negative", "abs", "square", "sqrt", "sign", "isnan", "isfinite", "signbit", "floor"),
        *("ceil", "trunc", "round"),
    ),
    "c": ("negative", "conj", "real", "imag", "isnan"),
}
IN_PLACE = {
    "b": ("&", "|", "^"),
    "i": ("+", "-", "*", "//", "%", "&", "|", "^"),
    "f": ("+", "-", "*", "/"),
    "c": ("+", "-"),
}
LIMIT = 8  # arrays at a time


def kind_of(dtype: np.dtype[Any]) -> str:
    return "i" if dtype.kind == "u" else dtype.kind


class Generator:
    """Writes a program line by line, running NumPy's half to know what it may say next."""

    def __init__(self, rng: Any, *, exports: bool, doubles: bool) -> None:
        self.rng, self.exports, self.doubles = rng, exports, doubles
        self.names: dict[str, Any] = {"n": NumpyWorld()}
        self.arrays: list[str] = []
        self.outside: list[str] = []  # NumPy arrays that both worlds write to
        self.is_fusing = False
        self.made = 0
        self.code: Code = []

    # What a line is made of.

    def chance(self, p: float) -> bool:
        return bool(self.rng.random() < p)

    def pick(self, names: list[str]) -> str:
        return str(self.rng.choice(names))

    def shape(self) -> tuple[int, ...]:
        if self.chance(0.02):
            return tuple(self.rng.choice([(700,), (3, 300), (513, 2), (5000,)]))
        return tuple(
            self.rng.choice((0, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6))
            for _ in range(self.rng.randint(0, 3))
        )

    def dtype(self) -> str:
        chosen = str(self.rng.choice(DTYPES))
        return "float32" if chosen == "float64" and not self.doubles else chosen

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
        return str(self.rng.choice((0.5, -1.5, 2.0, 0.25, 3.0, 0.1)))

    def fits(self, *dtypes: Any) -> bool:
        return self.doubles or np.result_type(*dtypes).char not in "dD"

    # Adding lines.

    def try_line(self, text: str) -> bool:
        """Keeps the line if NumPy takes it."""
        compiled = compile(text, "<program>", "exec")
        try:
            exec(compiled, self.names)
        except (ValueError, TypeError, IndexError, OverflowError):
            return False
        self.code.append((text, compiled))
        return True

    def new(self, text: str) -> None:
        name = f"v{self.made}"
        if not self.try_line(f"{name} = {text}"):
            return
        made = self.names[name]
        if made.size > 20_000 or made.ndim > 5 or not self.fits(made.dtype):
            del self.names[name]
            self.code.pop()
            return
        self.made += 1
        self.arrays.append(name)
        if len(self.arrays) > LIMIT:
            self.drop()

    def create(self) -> None:
        shape, dtype = self.shape(), self.dtype()
        how = self.rng.random()
        if how < 0.7:
            self.new(f"n.values({shape}, '{dtype}', {self.rng.randint(0, 3000)})")
        elif how < 0.8:
            self.new(f"n.zeros({shape}, dtype='{dtype}')")
        elif how < 0.9:
            number = self.number(kind_of(np.dtype(dtype)))
            self.new(f"n.full({shape}, {number}, dtype='{dtype}')")
        elif dtype not in ("bool", "complex64"):
            self.new(f"n.arange({self.rng.randint(0, 3)}, {self.rng.randint(0, 20)}, 3, '{dtype}')")

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
        function = self.rng.choice(BY_KIND[kind_of(np.result_type(x.dtype, y.dtype))])
        self.binary(function, name, other)

    def binary(self, function: str, x: str, y: str) -> None:
        text = f"n.{function}({x}, {y})"
        # which of 0.0 and -0.0 is the larger differs between NumPy's own builds
        self.new(f"n.add({text}, 0)" if function in EXTREMES and self.is_real(x, y) else text)

    def is_real(self, *names: str) -> bool:
        return any(n in self.names and self.names[n].dtype.kind == "f" for n in names)

    def cast(self) -> None:
        name, dtype = self.pick(self.arrays), self.dtype()
        x = self.names[name]
        if x.dtype.kind == "c" and dtype != "complex64":
            return
        low, high = (0 if dtype[0] == "u" else -100), 100  # past the range C promises nothing
        is_inside = bool(np.all((x >= low) & (x <= high))) if x.dtype.kind == "f" else True
        if np.dtype(dtype).kind in "iu" and not is_inside:
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
        other = self.partner(x)
        number = self.number(kind_of(x.dtype))
        if self.chance(0.5):
            sign = self.rng.choice(IN_PLACE[kind_of(x.dtype)])
            if other is None or self.chance(0.4):
                self.try_line(f"{target} {sign}= {number}")
            elif self.fits(x.dtype, self.names[other].dtype):
                self.try_line(f"{target} {sign}= {other}")
            return
        if "[" not in target:
            target += "[...]"
        if other is None or self.chance(0.3):
            self.try_line(f"{target} = {number}")
            return
        y = self.names[other]
        if y.dtype.kind in "biu" or kind_of(y.dtype) == x.dtype.kind or x.dtype.kind == "c":
            self.try_line(f"{target} = {other}")

    def reduce(self) -> None:
        name = self.pick(self.arrays)
        x = self.names[name]
        axes = [None, *range(x.ndim), *([(0, -1)] if x.ndim > 1 else [])]
        axis = self.rng.choice(axes)
        keep = ", keepdims=True" if self.chance(0.3) else ""
        if x.dtype.kind in "fc":
            function = self.rng.choice(("max", "min", "any", "all", "sum", "sum"))
            small = bool(np.all(np.abs(x) < 100)) and x.size < 500
            if function == "sum" and small and x.dtype.kind == "f":
                if self.try_line(f"s{self.made} = n.total({name}, {axis})"):
                    self.made += 1
            elif function in ("any", "all"):
                self.new(f"n.{function}({name}, axis={axis}{keep})")
            elif function != "sum" and x.dtype.kind == "f":
                self.new(f"n.add(n.{function}({name}, axis={axis}{keep}), 0)")
            return
        function = self.rng.choice(("sum", "prod", "max", "min", "any", "all"))
        self.new(f"n.{function}({name}, axis={axis}{keep})")

    def join(self) -> None:
        name = self.pick(self.arrays)
        x = self.names[name]
        if x.ndim and self.chance(0.5):
            other = self.pick(self.arrays)
            if self.fits(x.dtype, self.names[other].dtype):
                self.new(f"n.concat(({name}, {other}), axis={self.rng.randint(0, x.ndim - 1)})")
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
        kinds: list[Any] = [self.create, self.view, self.map, self.write, self.reduce, self.cast]
        kinds += (
            self.join,
            self.export,
            self.borrow,
            self.write_outside,
            self.drop,
            self.look,
            self.fuse,
        )
        weights = (4, 10, 16, 14, 5, 3, 2, 3, 3, 5, 3, 3, 1)
        self.create()
        tries = 0
        while len(self.code) < lines and tries < 4 * lines:
            tries += 1
            if not self.arrays:
                self.create()
                continue
            self.rng.choices(kinds, weights)[0]()
        return self.code


# Running them.


def compare(name: str, wanted: Any, got: Any) -> None:
    if isinstance(wanted, Total):
        off = np.abs(get(got).astype(np.float64) - wanted.sum.astype(np.float64))
        assert get(got).dtype == wanted.sum.dtype, f"{name} has dtype {got.dtype}"
        assert bool(np.all(off <= wanted.tolerance)), f"{name} is {get(got)}, not {wanted.sum}"
    else:
        assert_same(got if isinstance(got, np.ndarray) else get(got), wanted, name)


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


def make(rng: Any, device: xp.Device, lines: int = 14) -> tuple[Code, dict[str, Any]]:
    generator = Generator(rng, exports=str(device) == "cpu", doubles=device.info["fp64"])
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
    parser.add_argument("--failures", type=int, default=5, help="mismatches to stop after")
    arguments = parser.parse_args()
    device = xp.Device(arguments.device)
    xp.config.eager, xp.config.inline = arguments.eager, arguments.inline
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
