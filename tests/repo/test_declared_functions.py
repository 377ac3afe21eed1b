"""The header that CMake makes of the lists declares each row, with what the row says of it."""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess

import pytest

import isthmus as xp

ROOT = pathlib.Path(__file__).parents[2]
INCLUDE = pathlib.Path(xp.__file__).parent / "include/isthmus"
HEADER = INCLUDE / "array/operations.h"
# lines of ///, perhaps a template's head, and a declaration up to its parameters; of what does not
# compile, too
DECLARATION = re.compile(
    r"^((?:///.*\n)*)(?:template <.*>\n)?(?: *requires.*\n)?"
    r"(?:ISTHMUS_EXPORT )?(?:const )?Array&? (\w+|operator\S+?)"
    r"\(((?:.|\n)*?)\)(?:;| \{| = delete;)",
    re.M,
)
FAMILIES = {
    "boolean": "bools",
    "integer": "integers",
    "real": "floats",
    "complex": "complex numbers",
}


def declarations() -> dict[str, list[tuple[str, str]]]:
    """Comment and parameters of each declaration, by name."""
    found: dict[str, list[tuple[str, str]]] = {}
    for comment, name, parameters in DECLARATION.findall(HEADER.read_text()):
        text = " ".join(line.removeprefix("///").strip() for line in comment.splitlines())
        found.setdefault(name, []).append((text, " ".join(parameters.split())))
    return found


DECLARED = declarations()


@pytest.mark.parametrize("row", xp.op_table, ids=lambda row: row["name"])
def test_a_row_is_declared_with_its_summary_dtypes_and_accuracy(row: dict[str, object]) -> None:
    of_name = DECLARED[str(row["name"])]
    mixes = {
        1: ["Array x"],
        2: ["Array x, Array y", "Array x, const Value& y", "const Value& x, Array y"],
        3: ["Array x, const Value& y, const Value& z"],
    }
    assert [parameters for _, parameters in of_name] == mixes[int(str(row["arity"]))]
    comment = of_name[0][0]
    assert comment.startswith(f"{row['summary']} ")
    taken = re.search(r" Takes ([^.;]*)(; calculates bools and integers as)?", comment)
    assert taken
    assert {family for family, word in FAMILIES.items() if word in taken[1]} == {
        family for family in FAMILIES if row[family]
    }
    assert bool(taken[2]) == row["promotes_integers"]
    real = re.search(r"Accuracy: (\d+) ulp for float32 and float64 in \[(\S+), (\S+)\]", comment)
    assert (real is not None) == bool(row["real"] and row["ulp"])
    if real:
        numbers = (int(real[1]), float(real[2]), float(real[3]))
        assert numbers == (row["ulp"], row["lo"], row["hi"])
    parts = re.search(r"(\d+) ulp of the larger part for complex numbers", comment)
    assert (parts is not None) == bool(row["complex"] and row["complex_ulp"])
    assert parts is None or int(parts[1]) == row["complex_ulp"]
    assert " Throws TypeError" in comment


@pytest.mark.parametrize("row", xp.reduction_table, ids=lambda row: row["name"])
def test_a_reduction_is_declared_with_its_summary(row: dict[str, object]) -> None:
    comment, parameters = DECLARED[str(row["name"])][0]
    assert comment.startswith(f"{row['summary']} ")
    assert parameters.startswith("Array x, const AxisSet& axes = all_axes, Flag keepdims = false")
    has_dtype = row["name"] in {"sum", "prod"}
    assert ("DType" in parameters) == has_dtype
    assert len(DECLARED[str(row["name"])]) == 1 + has_dtype


def test_nothing_is_declared_without_a_comment() -> None:
    names = {str(row["name"]) for row in (*xp.op_table, *xp.reduction_table)}
    assert names <= DECLARED.keys()
    assert {name for name in DECLARED.keys() - names if not name.startswith("operator")} == set()
    assert [name for name, each in DECLARED.items() for text, _ in each if len(text) < 6] == []
    assert sum(map(len, DECLARED.values())) == len(
        re.findall(r"^(?!//).*\bArray&? \w*[^\s(]*\(", HEADER.read_text(), re.M)
    )


def made_by_cmake() -> list[pathlib.Path]:
    text = (ROOT / "cmake/IsthmusHeaders.cmake").read_text()
    names = re.findall(r"^  (\S+)$", text.partition("ISTHMUS_GENERATED_HEADERS")[2], re.M)
    assert "array/operations.h" in names
    return [(INCLUDE / name).resolve() for name in names]


def test_headers_that_are_made_are_laid_out_as_sources_are() -> None:
    tool = shutil.which("clang-format")
    if not tool:
        pytest.skip("no clang-format")
    style = f"--style=file:{ROOT / '.clang-format'}"
    done = subprocess.run(
        [tool, style, "--dry-run", "--Werror", *made_by_cmake()], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
