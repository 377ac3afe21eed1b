"""Users' lines in the text of a kernel, as isthmus/runtime/kernels/user_lines.h marks them: errors
of compilers show them by the user's own numbers.
"""

from __future__ import annotations

import re

_MARK = re.compile(r"^//isthmus: (\d+) (.*)$", re.MULTILINE)
_END = "//isthmus: end"


def users(what: str, text: object) -> str:
    """A user's text, or a number, on lines of its own; nothing for an empty one."""
    return "" if text == "" else f"\n//isthmus: 1 {what}\n{text}\n{_END}\n"


def in_place_of(found: re.Match[str], header: str) -> str:
    """Our text in the place of a line, in the midst of a user's text or elsewhere."""
    before = found.string[: found.start()]
    marks = list(_MARK.finditer(before))
    if not marks or before.rfind(_END) > marks[-1].end():
        return header
    line, what = int(marks[-1][1]), marks[-1][2]
    number = line + before.count("\n", marks[-1].end())  # of the line behind
    return f"{_END}\n{header}\n//isthmus: {number} {what}"
