"""Kernels with types and values left open."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from isthmus.cl._parameters import DtypedArgument, ScalarArg, parse_arg_list
from isthmus.cl._registry import dtype_to_ctype, get_or_register_dtype
from isthmus.cl._structs import declarations_for

Pairs = Mapping[str, Any] | Sequence[tuple[str, Any]]

_MARK = re.compile(r"^//CL(?::(\w+))?//")  # names the processor of one text
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def _by_percent(text: str, values: dict[str, Any]) -> str:
    return text % values


def _by_mako(text: str, values: dict[str, Any]) -> str:
    """Raises: ImportError where Mako is not installed, which Isthmus does not require."""
    made = importlib.import_module("mako.template").Template(text, strict_undefined=True)
    return str(made.render(**values))


def _as_it_is(text: str, values: dict[str, Any]) -> str:
    return text


_PROCESSORS = {None: _as_it_is, "none": _as_it_is, "printf": _by_percent, "mako": _by_mako}


def _macro(value: str) -> str:
    """The body of a #define, all in one line for the compiler."""
    if "//" in value:
        raise RuntimeError("a value for a macro has a comment that goes on to the end of the line")
    return value.replace("\n", " \\\n")


class Filled:
    """A template's names with their values."""

    def __init__(self, type_aliases: Pairs, var_values: Pairs, processor: str | None) -> None:
        self.types = {name: np.dtype(dtype) for name, dtype in dict(type_aliases).items()}
        self._values = {
            name: _macro(value) if name.startswith("macro_") else value
            for name, value in dict(var_values).items()
        }
        self._processor = processor

    def text(self, text: Any) -> Any:
        """Text with the values in it; None stays.

        Raises: RuntimeError for an unknown processor.
        """
        if text is None:
            return None
        found = _MARK.match(text)
        processor = self._processor if found is None else found.group(1) or self._processor
        if processor not in _PROCESSORS:
            known = ", ".join(str(name) for name in _PROCESSORS)
            raise RuntimeError(f"unknown template processor {processor!r}; there are {known}")
        return _PROCESSORS[processor](text if found is None else text[found.end() :], self._values)

    def type_of(self, name: Any) -> np.dtype[Any]:
        """The dtype of one of the template's names, of a C type, or of what NumPy takes."""
        known = self.types.get(name) if isinstance(name, str) else np.dtype(name)
        return get_or_register_dtype(name) if known is None else known

    def parameters(self, *given: Any) -> list[Any]:
        """The template's parameters and those of the caller: texts, Arguments, and (type, name)
        for a number."""
        entries: list[Any] = []
        for one in given:
            entries += _COMMENT.sub("", self.text(one)).split(",") if isinstance(one, str) else one
        found: list[Any] = []
        for entry in entries:
            if isinstance(entry, tuple):
                found.append(ScalarArg(self.type_of(entry[0]), entry[1]))
            elif not isinstance(entry, str):
                found.append(entry)
            elif entry.strip():
                found += parse_arg_list([self._with_types(entry.strip())])
        return found

    def _with_types(self, declaration: str) -> str:
        """A declaration with the C types of the template's names."""
        kind = declaration.split("*")[0]
        for name, dtype in self.types.items():
            kind = re.sub(rf"\b{re.escape(name)}\b", dtype_to_ctype(dtype), kind, count=1)
        return kind + declaration[len(declaration.split("*")[0]) :]

    def preamble(self, own: str, more: str, declared: Sequence[Any], parameters: Any = ()) -> str:
        """Structs, the names of types, the template's preamble and the caller's."""
        dtypes = [self.type_of(one) for one in declared]
        dtypes += [one.dtype for one in parameters if isinstance(one, DtypedArgument)]
        structs = declarations_for([*dtypes, *self.types.values()])
        names = "".join(
            f"typedef {dtype_to_ctype(dtype)} {name};\n" for name, dtype in self.types.items()
        )
        return f"{structs}{names}{self.text(f'{own}{chr(10)}{more}')}\n"


class Template:
    """Base of the templates.

    template_processor, or ``//CL:name//`` at the beginning of a text, says how values are put in:
    "printf" by ``%(name)s``, "mako" by Mako, where it is installed; without one text stays.
    """

    def __init__(self, template_processor: str | None = None) -> None:
        self.template_processor = template_processor

    def build_inner(self, context: Any, *args: Any, **kwargs: Any) -> Any:
        """The kernel."""
        raise NotImplementedError

    def build(self, context: Any, *args: Any, **kwargs: Any) -> Any:
        """As build_inner. What is compiled is kept in any case."""
        return self.build_inner(context, *args, **kwargs)

    def _filled(self, type_aliases: Pairs, var_values: Pairs) -> Filled:
        return Filled(type_aliases, var_values, self.template_processor)


__all__ = ["Filled", "Template"]
