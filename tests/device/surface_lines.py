"""Lines of random programs that use what users meet first: methods, fields of structs, `out=`, what
looks at arrays, garbage, and interrupts; see generator.py, whose Generator has them.
"""

from __future__ import annotations

from typing import Any

from tests.device.worlds import BRAIN, kind_of

FIELDS = ('["a"]', '["b"]', '["c"]', '["d"]', '["e"]', '["inner"]["x"]', '["inner"]["y"]')
SEVERAL = ('[["a", "b"]]', '[["inner", "a"]]', '[["c", "e", "d"]]')
LOOKS = ("show", "source", "repr", "str", "explain", "profile")
CLONES = ("pickle", "copy", "deepcopy")


class SurfaceLines:
    """Mixed into Generator."""

    rng: Any
    names: dict[str, Any]
    arrays: list[str]
    outside: list[str]
    made: int
    exports: bool
    is_fusing: bool
    structs: list[str]
    outside_structs: list[str]

    # ---- structs

    def struct(self: Any) -> None:
        if len(self.structs) < 2 or self.chance(0.2):
            self.new_struct()
            return
        name = self.pick(self.structs)
        x = self.names[name]
        part = name if self.chance(0.5) else f"{name}[{self.index(x.shape)}]"
        field = str(self.rng.choice(FIELDS))
        how = self.rng.randint(0, 9)
        if how <= 4:
            self.new(f"{part}{field}")
        elif how <= 6:
            self.try_line(f"{part}{field} = {self.number('i')}")
        elif how <= 8:
            sign = self.rng.choice(("+", "*", "-"))
            self.try_line(f"{part}{field} {sign}= {self.number('i')}")
        elif self.try_line(f"r{self.made} = {part}{self.rng.choice(SEVERAL)}"):
            self.structs.append(f"r{self.made}")
            self.made += 1

    def new_struct(self: Any) -> None:
        shape, start = self.shape(), self.rng.randint(0, 3000)
        is_shared = self.exports and not self.is_fusing and self.chance(0.4)
        memory = f"h{self.made}"
        if is_shared and self.try_line(f"{memory} = n.structs_of_numpy({shape}, {start})"):
            self.outside_structs.append(memory)
            made = f"n.share({memory}[{self.index(shape)}])"
        else:
            made = f"n.structs({shape}, {start})"
        if self.try_line(f"r{self.made} = {made}"):
            self.structs.append(f"r{self.made}")
        self.made += 1
        while len(self.structs) > 4:
            self.try_line(f"del {self.structs.pop(0)}")

    def write_struct_outside(self: Any) -> None:
        if not self.outside_structs or self.is_fusing:
            return
        name, field = self.pick(self.outside_structs), self.rng.choice(FIELDS)
        x = self.names[name]
        self.try_line(f"{name}[{self.index(x.shape)}]{field} = {self.number('i')}")

    # ---- methods

    def method(self: Any) -> None:
        name = self.pick(self.arrays)
        x = self.names[name]
        axes = list(range(x.ndim))
        kind = kind_of(x.dtype)
        how = self.rng.randint(0, 12)
        if how == 0 and x.ndim == 2:
            self.new(f"{name}.T")
        elif how == 1:
            self.new(f"{name}.reshape{self.other_shape(x.shape, x.size)}")
        elif how == 2:
            self.rng.shuffle(axes)
            self.new(f"{name}.transpose({', '.join(map(str, axes))})")
        elif how == 3 and axes:
            first, second = self.rng.choice(axes), self.rng.choice(axes)
            self.new(f"{name}.swapaxes({first}, {second - x.ndim})")
        elif how == 4:
            self.new(f"{name}.squeeze()")
        elif how == 5:
            self.new(f"{name}.{self.rng.choice(('ravel', 'flatten'))}()")
        elif how == 6 and kind == "c":
            self.new(f"{name}.{self.rng.choice(('real', 'imag'))}")
        elif how == 7 and kind in "bi":
            axis = self.rng.choice([None, *axes])
            function = self.rng.choice(("sum", "prod", "any", "all"))
            self.new(f"n.own({name}.{function}({axis}))")
        elif how == 8 and kind == "i":
            self.new(f"n.laid({name}.clip({self.rng.randint(-4, 0)}, {self.rng.randint(1, 5)}))")
        elif how == 9 and kind in "if" and (kind == "i" or x.dtype.itemsize > 2):
            # of large float16 NumPy makes infinities, of which ours keeps the numbers
            self.new(f"n.laid({name}.round({self.rng.randint(0, 2)}))")
        elif how == 10 and kind == "c":
            self.new(f"n.laid({name}.conj())")
        elif how == 11:
            self.new(f"n.clone({name}, '{self.rng.choice(CLONES)}')")
        else:
            self.try_line(f"{name}.fill({self.number(kind)})")

    def into(self: Any) -> None:
        """`out=`: the result of an operation in an array that is there, or in part of one."""
        name, target = self.pick(self.arrays), self.target()
        x = self.names[name]
        kind = kind_of(x.dtype)
        other = self.partner(x)
        if kind == "c" or x.dtype == BRAIN or other is None:
            return
        self.try_line(f"n.into({target}, 'add', {name}, {other})")

    # ---- what must change nothing

    def inspect(self: Any) -> None:
        how = self.rng.choice(LOOKS)
        self.try_line(f"n.inspect({self.pick(self.arrays + self.structs)}, '{how}')")

    def garbage(self: Any) -> None:
        self.try_line(f"n.garbage({self.pick(self.arrays)})")

    def interrupt(self: Any) -> None:
        delay = self.rng.randint(1, 40)
        self.try_line(f"n.interrupted({delay}, lambda: n.eval({self.pick(self.arrays)}))")


def interrupted(text: str, delay: int) -> str:
    """The same value, where a signal may come while it is calculated."""
    return f"n.interrupted({delay}, lambda: {text})"
