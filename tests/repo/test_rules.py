"""The repository keeps its own rules (CONTRIBUTING.md)."""

import importlib
import importlib.util
import pathlib
import re
import subprocess
import sys
import tomllib
import types

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PROTOCOLS = sorted(file.stem for file in (ROOT / "python/src/exchange").glob("*.cpp"))
SKIPPED = {".git", ".venv", "build", "dist", "__pycache__", "node_modules"}


def tool(name: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_include_goes_against_the_layers() -> None:
    assert tool("check_layers").problems() == []


def test_no_file_is_longer_than_500_lines() -> None:
    assert tool("check_sizes").problems() == []


def test_layer_check_refuses_a_wrong_include(tmp_path: pathlib.Path) -> None:
    for name, text in {
        "tools/layers.txt": "base:\ncore: base\nbackend: core\n",
        "isthmus/base/a.h": '#include "isthmus/core/b.h"\n',
        "isthmus/backend/x/c.cpp": '#include "isthmus/backend/y/d.h"\n',
        "isthmus/utils/e.h": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = tool("check_layers").problems(tmp_path)
    assert found == [
        "isthmus/backend/x/c.cpp: backend/x may not include isthmus/backend/y/d.h",
        "isthmus/base/a.h: base may not include isthmus/core/b.h",
        "isthmus/utils/e.h: folder utils has no row in tools/layers.txt",
    ]


def test_size_check_refuses_501_lines(tmp_path: pathlib.Path) -> None:
    (tmp_path / "isthmus").mkdir()
    (tmp_path / "isthmus/long.cpp").write_text("\n" * 501)
    (tmp_path / "isthmus/list.def").write_text("\n" * 501)
    assert tool("check_sizes").problems(tmp_path) == ["isthmus/long.cpp: 501 lines; at most 500"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_has_a_test_file(protocol: str) -> None:
    assert (ROOT / f"tests/exchange/test_{protocol}.py").is_file()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_has_an_entry_in_the_docs(protocol: str) -> None:
    page = (ROOT / "docs/exchange.md").read_text()
    assert re.search(rf"^#+ .*`{protocol}`", page, re.M), f"a heading with `{protocol}` is missing"


def test_there_is_no_folder_without_a_noun() -> None:
    forbidden = {"utils", "util", "common", "helpers", "misc"}
    folders = (path for path in ROOT.rglob("*") if path.is_dir())
    found = [
        str(path.relative_to(ROOT))
        for path in folders
        if path.name in forbidden and not SKIPPED & set(path.relative_to(ROOT).parts)
    ]
    assert found == []


def test_every_source_file_says_its_name_first() -> None:
    wrong = [
        str(file.relative_to(ROOT))
        for top in ("isthmus", "python/src")
        for file in sorted((ROOT / top).rglob("*"))
        if file.suffix in {".h", ".cpp", ".def", ".inc"}
        and not file.read_text().startswith(f"// {file.name}: ")
    ]
    assert wrong == []


def test_every_todo_names_an_issue() -> None:
    files = (
        file
        for top in ("isthmus", "python", "tests", "tools", "cmake", "docs", "examples")
        for file in (ROOT / top).rglob("*")
        if file.suffix in {".h", ".cpp", ".def", ".inc", ".py", ".cmake", ".md"}
        and "__pycache__" not in file.parts
    )
    word = "TO" + "DO"
    wrong = [
        f"{file.relative_to(ROOT)}: {line.strip()}"
        for file in files
        for line in file.read_text().splitlines()
        if word in line
        and not re.search(word + r"\(?[^#]{0,3}#\d+", line)
        and file.name != pathlib.Path(__file__).name
    ]
    assert wrong == []


def test_decision_records_are_numbered_without_gaps() -> None:
    names = sorted(file.name for file in (ROOT / "docs/decisions").glob("*.md"))
    assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))


def test_version_is_the_same_everywhere() -> None:
    """isthmus/version.h has it; the library was compiled with it, and packages read it there."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    reading = tool["scikit-build"]["metadata"]["version"]
    found = re.search(reading["regex"], (ROOT / reading["input"]).read_text())
    assert found is not None
    version = reading["result"].format(**found.groupdict())
    assert importlib.import_module("isthmus").__version__ == version


def test_the_committed_stub_is_up_to_date(tmp_path: pathlib.Path) -> None:
    package = importlib.import_module("isthmus").__file__
    assert package is not None
    fresh = tmp_path / "_isthmus.pyi"
    folder = str(pathlib.Path(package).parents[1])
    subprocess.run([sys.executable, ROOT / "tools/make_stub.py", folder, fresh], check=True)
    made = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert made.keys() >= {"_isthmus.pyi", "linalg.pyi", "special.pyi"}
    for name, text in made.items():
        committed = (ROOT / "python/isthmus" / name).read_text()
        assert text == committed, "run: cmake --build build/release --target stub"
