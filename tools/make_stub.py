"""Writes the stub of the compiled module: make_stub.py <folder of the package> <output>.

Beside it goes a stub for each module within it, which the package has a Python file for.
nanobind's generator does most of it. Raw slots have no signatures, so tools/stub.pat has theirs;
and what is called bool in this module is a dtype, so the type is spelt builtins.bool.
"""

import importlib
import pathlib
import re
import sys
import types
from typing import Any

from nanobind.stubgen import StubGen, load_pattern_file

# What signatures of the module name, as it is at run time.
ALIASES = """
Index: TypeAlias = SupportsIndex | slice | EllipsisType | None | Indices
Number: TypeAlias = int | float | complex | numpy.number[Any] | numpy.bool_
Real: TypeAlias = int | float | numpy.integer[Any] | numpy.floating[Any] | numpy.bool_
Shape: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
Axes: TypeAlias = SupportsIndex | Sequence[SupportsIndex]

class _SpeaksDLPack(Protocol):
    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...

Indices: TypeAlias = Array | SupportsIndex | Buffer | _SpeaksDLPack | Sequence[Any]
Elements: TypeAlias = Array | Number | list[Any] | tuple[Any, ...] | Buffer | _SpeaksDLPack
"""
HEAD = """import builtins
from types import EllipsisType, ModuleType
from typing import Protocol, SupportsIndex, TypeAlias
from typing_extensions import Buffer
"""


class Generator(StubGen):  # type: ignore[misc]
    """Classes call themselves isthmus.Array, methods likewise; the stub defines them here."""

    def put_function(self, fn: Any, name: str | None = None, parent: object = None) -> None:
        if isinstance(parent, type) and type(fn).__name__ == "nb_method":
            self.put_nb_func(fn, name)
        else:
            super().put_function(fn, name, parent)

    def put(self, value: Any, name: str | None = None, parent: object = None) -> None:
        # one says what would do in the place of what is not there
        if type(value).__name__ == "Missing":
            return
        # dir() leaves those out; object has a __dir__ for checkers
        if name == "__dir__":
            return
        # that setter says what would do in its place
        if isinstance(value, property) and getattr(value.fset, "__name__", "") == "refuse":
            value = property(value.fget, doc=value.__doc__)
        super().put(value, name, parent)


def spell_bool(line: str) -> str:
    return re.sub(r"(?<!\.)\bbool\b", "builtins.bool", line) if " def " in f" {line}" else line


# What signatures of the modules within name of the module around them.
OUTER = ("Array", "Axes", "Elements", "Number", "Real")


def inner_head(text: str) -> str:
    names = [name for name in OUTER if re.search(rf"(?<![\w.]){name}\b", text)]
    return f"from isthmus._isthmus import {', '.join(names)}\n\n__all__: list[str]\n\n"


def stubs(folder: pathlib.Path) -> dict[str, str]:
    """The texts of _isthmus.pyi and others for the package that lies in `folder`, by their names.
    Wants a fresh process.
    """
    sys.path.insert(0, str(folder))
    module = importlib.import_module("isthmus._isthmus")
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == "isthmus":
            value.__module__ = module.__name__
    patterns = load_pattern_file(str(pathlib.Path(__file__).with_name("stub.pat")))
    inner = {}
    for name, value in vars(module).items():
        if isinstance(value, types.ModuleType) and value.__name__ == f"{module.__name__}.{name}":
            for thing in vars(value).values():
                if isinstance(thing, type) and thing.__module__.startswith("isthmus."):
                    thing.__module__ = value.__name__
            generator = Generator(value, patterns=patterns)
            generator.put(value)
            text = str(generator.get())
            inner[f"{name.lstrip('_')}.pyi"] = inner_head(text) + text
    generator = Generator(module, include_private=True, patterns=patterns)
    generator.put(module)
    text = HEAD + str(generator.get()) + ALIASES
    text = re.sub(
        r"from isthmus\._isthmus import _\w+ as _\w+(, _\w+ as _\w+)*\n", "", text
    )  # modules within
    # the rows as data, whose type their value alone does not say
    text = text.replace("_table: tuple = ...", "_table: tuple[dict[str, Any], ...] = ...")
    return {"_isthmus.pyi": "\n".join(map(spell_bool, text.split("\n")))} | inner


def main() -> int:
    folder, output = map(pathlib.Path, sys.argv[1:])
    for name, text in stubs(folder).items():
        file = output.with_name(name)
        if not file.exists() or file.read_text() != text:
            file.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
