"""Lines of random programs that index by arrays and masks, scan, sort and look for extremes; see
generator.py, whose Generator has them.
"""

from __future__ import annotations

from typing import Any

from tests.device.worlds import kind_of

INDEX_TYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


class PlaceLines:
    """Mixed into Generator."""

    rng: Any
    names: dict[str, Any]
    arrays: list[str]

    def rows(self: Any) -> str:
        """An array, now and then a new one with long rows or many that lie side by side."""
        if self.chance(0.15):
            shape = self.rng.choice([(9, 40), (2, 5, 30), (50, 90)])
            self.new(f"n.values({shape}, '{self.dtype()}', {self.rng.randint(0, 3000)})")
        return str(self.pick(self.arrays[-1:] if self.chance(0.3) else self.arrays))

    def place_index(self: Any, name: str, *, is_unique: bool) -> str | None:
        """An index with an array or a mask in it."""
        x = self.names[name]
        if self.chance(0.3):
            axes = self.rng.randint(0, x.ndim)
            mask = f"n.not_equal({name}, 0)"
            if axes < x.ndim:
                mask = f"n.any({mask}, axis={tuple(range(axes, x.ndim))})"
            return mask
        if x.ndim == 0:
            return None
        items, has_array = [], False
        count = self.rng.randint(0, 4)
        for extent in x.shape:
            how = self.rng.randint(0, 9)
            if how < 4 and extent and not (is_unique and has_array):
                items.append(self.index_array(extent, count, is_unique=is_unique))
                has_array = True
            elif how < 5 and extent:
                items.append(str(self.rng.randint(-extent, extent - 1)))
            elif how < 6:
                items.append("None")
                items.append(":")
            else:
                items.append(f"{self.bound(extent)}:{self.bound(extent)}")
        return ", ".join([*items, "..."] if self.chance(0.5) else items) if has_array else None

    def index_array(self: Any, extent: int, count: int, *, is_unique: bool) -> str:
        if is_unique:
            count = min(count, extent)
            numbers = self.rng.sample(range(extent), count)
        else:
            numbers = [self.rng.randint(-extent, extent - 1) for _ in range(count)]
        dtype = self.rng.choice(INDEX_TYPES)
        if dtype[0] == "u":
            numbers = [number % extent for number in numbers]
        return f"n.at({numbers}, '{dtype}')"

    def take(self: Any) -> None:
        name = self.rows()
        x = self.names[name]
        if x.ndim and self.chance(0.3):
            axis = self.rng.randint(-x.ndim, x.ndim - 1)
            extent = x.shape[axis]
            if not extent:
                return
            indices = self.index_array(extent, self.rng.randint(0, 5), is_unique=False)
            self.new(f"n.take({name}, {indices}, axis={axis})")
            return
        index = self.place_index(name, is_unique=False)
        if index is not None:
            self.new(f"n.dense({name}[{index}])")

    def put(self: Any) -> None:
        name = self.rows()
        x = self.names[name]
        index = self.place_index(name, is_unique=True)
        if index is None:
            return
        kind = kind_of(x.dtype)
        if self.chance(0.5):
            self.try_line(f"{name}[{index}] = {self.number(kind)}")
        elif self.chance(0.5):
            self.try_line(f"{name}[{index}] = {name}[{index}][::-1]")
        elif kind in "bi":
            sign = "^" if kind == "b" else self.rng.choice(("+", "-", "*"))
            self.try_line(f"{name}[{index}] {sign}= {self.number(kind)}")

    def order(self: Any) -> None:
        name = self.rows()
        x = self.names[name]
        kind = kind_of(x.dtype)
        if x.ndim == 0 or kind == "c":
            return
        axis = self.rng.randint(-x.ndim, x.ndim - 1)
        how = self.rng.randint(0, 9)
        if how <= 2:
            self.new(f"n.sort({name}, axis={axis})")
        elif how <= 4:
            self.new(f"n.argsort({name}, axis={axis})")
        elif how <= 6 and kind in "bi":
            function = self.rng.choice(("cumulative_sum", "cumulative_prod"))
            self.new(f"n.{function}({name}, axis={axis})")
        elif how <= 8:
            function = self.rng.choice(("cumulative_max", "cumulative_min"))
            made = f"n.{function}({name}, axis={axis})"
            # which of 0.0 and -0.0 is the larger differs between NumPy's own builds
            self.new(f"n.add({made}, 0)" if kind == "f" else made)
        elif x.shape[axis]:
            self.new(f"n.{self.rng.choice(('argmax', 'argmin'))}({name}, axis={axis})")
