"""The reference that Doxygen makes has every public name, each with a comment."""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

import isthmus as xp

ROOT = pathlib.Path(__file__).parents[2]
PACKAGE = pathlib.Path(xp.__file__).parent
HEADERS = sorted((PACKAGE / "include/isthmus").rglob("*.h"))
ERRORS = dict(
    re.findall(r"^ERRC\((\w+), (\w+),", (ROOT / "isthmus/base/errors.def").read_text(), re.M)
)
DTYPES = re.findall(r"^DTYPE\((\w+),", (ROOT / "isthmus/core/dtypes.def").read_text(), re.M)
STRUCTS = re.findall(r"^struct (DL\w+) \{", (ROOT / "isthmus/exchange/dlpack.h").read_text(), re.M)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """Names of members by the compound that they are of, made without a warning."""
    doxygen = shutil.which("doxygen")
    if not doxygen:
        pytest.skip("no doxygen")
    folder = tmp_path_factory.mktemp("reference")
    text = (ROOT / "cmake/Doxyfile.in").read_text()
    for name, value in {
        "headers": " ".join(map(str, HEADERS)),
        "ISTHMUS_PACKAGE_DIR": str(PACKAGE),
        "CMAKE_BINARY_DIR": str(folder),
        "PROJECT_VERSION": "test",
    }.items():
        text = text.replace(f"@{name}@", value)
    assert not re.findall(r"@\w+@", text)
    done = subprocess.run(
        [doxygen, "-"],
        input=text + "\nGENERATE_HTML = NO\nGENERATE_XML = YES\n",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, set[str]] = {"classes": set()}
    for compound in ElementTree.parse(folder / "xml/index.xml").getroot():
        members = {member.findtext("name", "") for member in compound.iter("member")}
        found.setdefault(compound.findtext("name", ""), set()).update(members)
        if compound.get("kind") in {"class", "struct"}:
            found["classes"].add(compound.findtext("name", ""))
    return found


def test_what_lists_name_is_there(reference: dict[str, set[str]]) -> None:
    names = reference["isthmus"]
    assert names >= {"Errc", "TypeId", "Op", "Reduction"}
    assert names >= ERRORS.keys()
    assert names >= set(DTYPES)
    for row in (*xp.op_table, *xp.reduction_table):
        space = f"isthmus::{row['space']}" if row["space"] else "isthmus"
        assert row["name"] in reference[space]
    assert names >= {"astype", "load", "search_left", "search_right", "store", "record"}
    for name in ERRORS.values():
        assert reference[f"isthmus::{name}"] >= {name, "raise", "share"}
    assert {"isthmus::Error", "isthmus::DeviceError", "isthmus::DriverError"} <= reference.keys()


def test_the_namespaces_within_are_there(reference: dict[str, set[str]]) -> None:
    assert reference["isthmus::cache"] >= {"info", "clear"}
    assert reference["isthmus::random"] >= {"default_rng", "philox4x32"}
    assert reference["isthmus::random::Generator"] >= {"random", "normal", "spawn", "state"}
    assert reference["isthmus::dlpack"] >= {"DLDataTypeCode", "kDLBfloat", "kDLOneAPI"}
    assert {f"isthmus::dlpack::{name}" for name in STRUCTS} <= reference.keys()
    assert not [name for name in reference if name.startswith("isthmus::detail")]


def test_comments_name_the_classes_of_errors() -> None:
    """Not their codes: "throws ValueError for", not "throws value for"."""
    code = "|".join(ERRORS)
    follows = r"(?=[.,;]|$| (?:for|if|where|unless|on|past|or|and|as|naming|outside)\b)"
    wrong = re.compile(rf"[Tt]hrows? (?:[^.]*?(?:,| or| and) )?(?:{code}){follows}")
    found = []
    for header in HEADERS:
        for comment in re.findall(r"(?:^ *//.*\n)+|///<.*\n", header.read_text(), re.M):
            text = " ".join(line.strip().lstrip("/<").strip() for line in comment.splitlines())
            found += [f"{header.name}: {match[0]}" for match in wrong.finditer(text)]
    assert found == []


def test_the_tour_says_of_every_class_who_owns_what(reference: dict[str, set[str]]) -> None:
    tour = (ROOT / "docs/tour-cpp.md").read_text().partition("## Ownership and threads")[2]
    missing = []
    for name in sorted(reference["classes"]):
        first = re.sub(r"<.*", "", name.removeprefix("isthmus::")).strip()
        if first.endswith("Error") or "::" in first:
            continue  # said of all of them together, or of what they are in
        if not re.search(rf"`{first}(<T>)?`", tour):
            missing.append(name)
    assert missing == []
