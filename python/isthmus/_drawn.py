"""The text of a pending graph, which notebooks draw."""

from __future__ import annotations


class Drawn(str):
    """The result of show(): a str, with a picture of the same graph for notebooks."""

    _svg = ""

    @classmethod
    def of(cls, text: str, svg: str) -> Drawn:
        drawn = cls(text)
        drawn._svg = svg
        return drawn

    def _repr_svg_(self) -> str:
        return self._svg
