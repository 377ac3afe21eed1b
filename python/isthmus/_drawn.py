"""The text of a pending graph, which notebooks draw."""

from __future__ import annotations


class Drawn(str):
    """What show() gives: a str, with the picture of the same graph for a notebook."""

    _svg = ""

    @classmethod
    def of(cls, text: str, svg: str) -> Drawn:
        drawn = cls(text)
        drawn._svg = svg
        return drawn

    def _repr_svg_(self) -> str:
        return self._svg
