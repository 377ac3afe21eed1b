"""Compiles the cases of a file, and fails unless the compiler refuses each with its words.

check.py FILE COMPILER OPTION...

Most cases are compiled together: an error belongs to the case whose lines it names. A template that
has been refused once is not refused again, so that what is left is compiled without those that are
done, and by itself where compilers do not name its line.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple


class Case(NamedTuple):
    """What must not compile, where it stands, and what the compiler must say."""

    name: str
    lines: range
    words: str

    def is_refused_in(self, block: str) -> bool:
        places = (f"{FILE}:{line}:" for line in self.lines)
        return self.words in joined(block) and any(place in block for place in places)


FILE, *COMMAND = sys.argv[1:]
# What [[nodiscard]] warns of is an error here. The compilers have two names for it.
OPTIONS = ["-std=c++20", "-Werror=unused-result", "-Werror=unused-value", "-fsyntax-only"]
ALL_ERRORS = "-ferror-limit=0" if "clang" in Path(COMMAND[0]).name else "-fmax-errors=0"


def joined(text: str) -> str:
    return " ".join(text.split())


def read_cases() -> list[Case]:
    lines = Path(FILE).read_text(encoding="utf-8").splitlines()
    cases = []
    for number, line in enumerate(lines, 1):
        if found := re.fullmatch(r" *// CASE (\w+): (.*)", line):
            until = next(n for n in range(number, len(lines)) if lines[n] == "#else")
            cases.append(Case(found[1], range(number, until + 1), found[2]))
    return cases


def compiled(*cases: Case) -> tuple[bool, str]:
    """Whether it compiles with these cases in it, and what the compiler says."""
    defines = [f"-D{case.name}" for case in cases]
    done = subprocess.run(
        [*COMMAND, *OPTIONS, ALL_ERRORS, *defines, FILE],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode == 0, done.stdout


def blocks_of(said: str) -> list[str]:
    """Each error with the lines that say where it comes from."""
    blocks: list[list[str]] = [[]]
    for line in said.splitlines():
        is_error = " error: " in line
        is_context = ": In " in line or line.startswith("In file included")
        if is_context or (is_error and any(" error: " in before for before in blocks[-1])):
            blocks.append([])
        blocks[-1].append(line)
    return ["\n".join(block) for block in blocks]


def main() -> None:
    compiles, said = compiled()
    if not compiles:
        sys.exit(f"the control, without any case, does not compile:\n{said}")
    left = read_cases()
    is_new = bool(left)
    while is_new:
        blocks = blocks_of(compiled(*left)[1])
        refused = {case for case in left if any(case.is_refused_in(block) for block in blocks)}
        left = [case for case in left if case not in refused]
        is_new = bool(left and refused)
    wrong = []
    for case in left:
        compiles, said = compiled(case)
        if compiles:
            wrong.append(f"{case.name} compiles")
        elif case.words not in joined(said):
            wrong.append(f'{case.name} does not compile, but nobody says "{case.words}":\n{said}')
    if wrong:
        sys.exit("\n".join(wrong))


main()
