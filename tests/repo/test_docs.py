"""Python blocks of the documentation run, C++ blocks compile or are parts of tested programs."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap
from importlib.util import find_spec

import pytest

import isthmus as xp

ROOT = pathlib.Path(__file__).parents[2]
INCLUDE = pathlib.Path(xp.__file__).parent / "include"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
EXAMPLES = ROOT / "examples"
CHATTER = "ignore:Non-empty compiler output"  # what pyopencl says of Intel's compiler
TOUR_CPP = ROOT / "docs" / "tour-cpp.md"
PROGRAMS = EXAMPLES / "cpp"
TASKS = ["arithmetic", "views", "reductions", "spans", "dlpack"]
TASKS += ["sycl", "opencl", "threads", "errors", "devices"]
PROGRAM = """\
#include <isthmus/isthmus.h>

#include <complex>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <vector>

namespace xp = isthmus;

{block}
"""


SUMMARY = """\
import json
from exchange_tables import summary
from peers import peers
print(json.dumps(summary(peers()[0])))
"""


def blocks(page: pathlib.Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.M | re.S)


def pages_with(language: str) -> list[pathlib.Path]:
    return [page for page in PAGES if blocks(page, language)]


def name(page: pathlib.Path) -> str:
    return str(page.relative_to(ROOT))


def can_run(block: str) -> bool:
    """Whether the libraries that a block imports and the backends that it names are here."""
    modules = re.findall(r"^(?:import|from) (\w+)", block, re.M)
    backends = re.findall(r'"(sycl|opencl)"', block)
    return all(map(find_spec, modules)) and set(backends) <= {d.backend for d in xp.devices()}


def python_program(page: pathlib.Path) -> str:
    """The page's blocks one after another, each at its own line, so that errors name it."""

    def blank(text: str) -> str:
        return "\n" * text.count("\n")

    program, end = "", 0
    text = page.read_text()
    for block in re.finditer(r"(?<=^```python\n).*?(?=^```$)", text, re.M | re.S):
        code = block[0] if can_run(block[0]) else blank(block[0])
        program += blank(text[end : block.start()]) + code
        end = block.end()
    return program


@pytest.mark.parametrize("page", pages_with("python"), ids=name)
def test_python_of_a_page_runs(page: pathlib.Path, tmp_path: pathlib.Path) -> None:
    program = tmp_path / (page.name + ".py")
    program.write_text(python_program(page))
    # the pages describe the defaults
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ISTHMUS_")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-W", CHATTER, program],
        cwd=tmp_path,
        env=environment | {"ISTHMUS_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def has(program: pathlib.Path, block: str) -> bool:
    """Whether a program has the block in its main(), or in another function."""
    return "\n" + textwrap.indent(block, "  ") in program.read_text()


def is_in_a_program(block: str) -> bool:
    return any(has(program, block) for program in PROGRAMS.glob("*.cpp"))


def test_each_task_of_the_cpp_tour_begins_with_a_part_of_its_program() -> None:
    tasks = re.findall(r"^## \d+\. (.*?)$(.*?)(?=^## )", TOUR_CPP.read_text(), re.M | re.S)
    assert [title.lower() for title, _ in tasks] == TASKS
    for task, (_, text) in zip(TASKS, tasks, strict=True):
        shown = re.findall(r"^```cpp\n(.*?)^```$", text, re.M | re.S)
        assert shown, f"{task} shows nothing"
        for block in shown:
            assert has(PROGRAMS / f"{task}.cpp", block), f"{task}.cpp does not have:\n{block}"


def test_every_program_of_the_cpp_tour_is_built_in_each_way() -> None:
    sources = {path.stem for path in PROGRAMS.glob("*.cpp")}
    assert sources > {*TASKS, "program"}
    long_ones = {"opencl_memory", "sycl_memory"}  # by CMake alone
    for file, wanted in [
        (PROGRAMS / "CMakeLists.txt", sources),
        (PROGRAMS / "Makefile", sources - long_ones),
        (ROOT / "tools" / "run_consumer.sh", sources - long_ones),
    ]:
        text = file.read_text()
        assert [stem for stem in sorted(wanted) if not re.search(rf"\b{stem}\b", text)] == []


@pytest.mark.parametrize("page", pages_with("cpp"), ids=name)
def test_cpp_of_a_page_compiles(page: pathlib.Path, tmp_path: pathlib.Path) -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no g++")
    for i, block in enumerate(blocks(page, "cpp")):
        if page == TOUR_CPP and is_in_a_program(block):
            continue  # tools/run_consumer.sh compiles and runs it
        program = tmp_path / f"{i}.cpp"
        is_whole = "int main" in block or "#include" in block
        text = block if is_whole else f"int main() {{\n{block}}}\n"
        program.write_text(text if "#include" in text else PROGRAM.format(block=text))
        done = subprocess.run(
            [compiler, "-std=c++20", "-fsyntax-only", "-Wall", f"-I{INCLUDE}", program],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr


def text_of(page: pathlib.Path) -> str:
    """Without its snippets: [](...) is C++, too, and # a comment of Python."""
    return re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)


def anchors_of(page: pathlib.Path) -> set[str]:
    """Those of its headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", text_of(page), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_between_pages_lead_somewhere() -> None:
    wrong = []
    for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", text_of(page)):
            other = page.parent / target if target else page
            is_there = other.exists() and (not anchor or anchor in anchors_of(other))
            if not is_there:
                wrong.append(f"{name(page)}: {target}#{anchor}")
    assert wrong == []


def test_the_index_lists_every_page_of_the_folder() -> None:
    index = (ROOT / "docs" / "README.md").read_text()
    pages = sorted(p.name for p in (ROOT / "docs").glob("*.md") if p.name != "README.md")
    assert [p for p in pages if f"]({p})" not in index] == []


def exchange_table() -> list[list[str]]:
    text = (ROOT / "README.md").read_text()
    table = text.split("<!-- exchange table")[1].split("<!-- end -->")[0]
    lines = [line for line in table.split("\n") if line.startswith("| ")]
    return [line.strip("| ").split(" | ") for line in lines if "---" not in line]


def test_the_exchange_table_names_the_machine_and_the_date() -> None:
    text = (ROOT / "README.md").read_text()
    assert re.search(r"^Measured on \d{4}-\d\d-\d\d: \S.*\.$", text, re.M)
    head, *rows = exchange_table()
    assert head == ["library", "into Isthmus", "out of Isthmus"]
    assert {"NumPy", "JAX", "Numba", "dpnp", "dpctl.memory", "PyOpenCL"} <= {r[0] for r in rows}
    for _, *cells in rows:
        assert all(re.match(r"(zero-copy|copy)(, read-only)?: `.+`$", cell) for cell in cells)


def test_the_exchange_table_says_what_is_proved_here() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SUMMARY],
        cwd=EXAMPLES,
        env={k: v for k, v in os.environ.items() if not k.startswith("ISTHMUS_")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    wanted = {library: cells for library, *cells in exchange_table()}
    for library, *cells in json.loads(done.stdout):
        assert cells == wanted[library]
