"""Kernels with types and values left open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from isthmus.cl._parameters import OtherArg, VectorArg, parse_arg_list
from isthmus.cl._registry import dtype_to_ctype, get_or_register_dtype
from isthmus.cl._structs import declarations_for


class Filled:
    """A template's names with their values."""

    def __init__(
        self,
        type_aliases: Sequence[tuple[str, Any]],
        var_values: Sequence[tuple[str, Any]],
        is_printf: bool,
    ) -> None:
        self._types = {name: np.dtype(dtype) for name, dtype in type_aliases}
        self._values = dict(var_values)
        self._is_printf = is_printf

    def text(self, text: Any) -> Any:
        """Text with the values in it; None stays."""
        if text is None or not self._is_printf:
            return text
        return str(text) % self._values

    def _type(self, name: str) -> np.dtype[Any]:
        return self._types[name] if name in self._types else get_or_register_dtype(name)

    def parameters(self, given: Any, more: Any) -> list[Any]:
        """The template's parameters and those of the caller."""
        texts = self.text(given)
        if not isinstance(texts, str):
            return [*texts, *parse_arg_list(more)]
        found: list[Any] = []
        for text in (one.strip() for one in texts.split(",") if one.strip()):
            kind = next(
                (
                    name
                    for name in self._types
                    if text.split("*")[0].split()[:-1] == [name]
                    or text.split("*")[0].strip() == name
                ),
                None,
            )
            if kind is None:
                found += parse_arg_list(text)
                continue
            ctype = dtype_to_ctype(self._types[kind])
            found += parse_arg_list(ctype + text[text.index(kind) + len(kind) :])
        return [*found, *parse_arg_list(more)]

    def preamble(self, own: str, more: str, declared: Sequence[Any]) -> str:
        """Structs, the names of types, the template's preamble and the caller's."""
        structs = declarations_for(
            [self._type(t) if isinstance(t, str) else np.dtype(t) for t in declared]
        )
        names = "".join(
            f"typedef {dtype_to_ctype(dtype)} {name};\n" for name, dtype in self._types.items()
        )
        return f"{structs}{more}\n{names}{self.text(own)}\n"


class Template:
    """Base of the templates. Text is filled in by ``%(name)s`` for "printf", else not at all."""

    def __init__(self, template_processor: str | None = None) -> None:
        if template_processor not in (None, "printf"):
            raise NotImplementedError(
                f"template_processor {template_processor!r}; there are None and 'printf'"
            )
        self._processor = template_processor

    def _filled(
        self, type_aliases: Sequence[tuple[str, Any]], var_values: Sequence[tuple[str, Any]]
    ) -> Filled:
        return Filled(type_aliases, var_values, self._processor == "printf")


__all__ = ["Filled", "OtherArg", "Template", "VectorArg"]
