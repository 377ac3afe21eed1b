"""show(): the operations that a pending array waits for, and what this installation is."""

from __future__ import annotations

from typing import Literal

from isthmus import _isthmus
from isthmus._isthmus import Array


def show(x: Array, /, *, format: Literal["text", "dot"] = "text") -> str:
    """The operations that x waits for, one a line, or as a graph for Graphviz ("dot").

    Returns: the text; print it. Nothing is calculated.
    Waits: no.
    Raises: TypeError for what is no array, ValueError for another format.
    """
    rows = _isthmus._pending(x)
    if format == "text":
        return "\n".join(_line(number, *row) for number, row in enumerate(rows))
    if format == "dot":
        return "\n".join(["digraph isthmus {", *_nodes(rows), "}"])
    raise ValueError(f"show: format: {format!r} is none of text, dot")


def _line(
    number: int,
    name: str,
    dtype: str,
    shape: tuple[int, ...],
    device: str,
    operands: tuple[str, ...],
) -> str:
    value = f"{name}({', '.join(operands)})" if name else "a value that is there"
    return f"%{number} = {value}: {dtype} {shape} on {device}"


def _nodes(rows: tuple[tuple[str, str, tuple[int, ...], str, tuple[str, ...]], ...]) -> list[str]:
    lines = []
    for number, (name, dtype, shape, _, operands) in enumerate(rows):
        numbers = [operand for operand in operands if not operand.startswith("%")]
        label = ", ".join([name or "value", *numbers])
        outline = "box" if name else "ellipse"
        lines.append(f'  n{number} [shape={outline}, label="{label}\\n{dtype} {shape}"];')
        lines += [f"  n{one[1:]} -> n{number};" for one in operands if one.startswith("%")]
    return lines


def show_config() -> None:
    """Prints what ``python -m isthmus -v`` does: devices, libraries, process and settings.

    Waits: for drivers, which are opened if they are not yet.
    """
    from isthmus.__main__ import collect, print_table

    print_table(collect(), True)
