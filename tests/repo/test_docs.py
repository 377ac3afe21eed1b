"""Every Python block of the documentation runs, and C++ blocks compile."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
CHATTER = "ignore:Non-empty compiler output"  # what pyopencl says of Intel's compiler
PROGRAM = """\
#include <isthmus/isthmus.h>

#include <complex>
#include <cstdio>
#include <iostream>
#include <vector>

{block}
"""


def blocks(page: pathlib.Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.M | re.S)


def pages_with(language: str) -> list[pathlib.Path]:
    return [page for page in PAGES if blocks(page, language)]


def name(page: pathlib.Path) -> str:
    return str(page.relative_to(ROOT))


def python_program(page: pathlib.Path) -> str:
    """The page's blocks one after another, each at its own line, so that errors name it."""
    lines = page.read_text().split("\n")
    is_code, program = False, []
    for line in lines:
        if line.startswith("```"):
            is_code = line == "```python" and not is_code
            program.append("")
        else:
            program.append(line if is_code else "")
    return "\n".join(program)


@pytest.mark.parametrize("page", pages_with("python"), ids=name)
def test_python_of_a_page_runs(page: pathlib.Path, tmp_path: pathlib.Path) -> None:
    program = tmp_path / (page.name + ".py")
    program.write_text(python_program(page))
    # the pages tell what holds by default
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ISTHMUS_")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-W", CHATTER, program],
        cwd=tmp_path,
        env=environment | {"ISTHMUS_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", pages_with("cpp"), ids=name)
def test_cpp_of_a_page_compiles(page: pathlib.Path, tmp_path: pathlib.Path) -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no g++")
    for i, block in enumerate(blocks(page, "cpp")):
        program = tmp_path / f"{i}.cpp"
        text = block if "int main" in block else f"int main() {{\n{block}}}\n"
        program.write_text(text if "#include" in text else PROGRAM.format(block=text))
        done = subprocess.run(
            [compiler, "-std=c++20", "-fsyntax-only", "-Wall", f"-I{ROOT}", program],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr


def test_links_between_pages_lead_somewhere() -> None:
    wrong = []
    for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            if not (page.parent / target).exists():
                wrong.append(f"{name(page)}: {target}")
    assert wrong == []
