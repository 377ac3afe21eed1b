"""Texts of isthmus/ speak C++: Python's words come from its module, by isthmus/base/words.h."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).parents[2]
FILES = sorted(file for suffix in ("*.h", "*.cpp") for file in (ROOT / "isthmus").rglob(suffix))
# Comments, characters, raw texts and texts, whichever begins first.
TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\.)+'"
    r'|R"(?P<mark>\w*)\((?P<raw>.*?)\)(?P=mark)"|"(?P<text>(?:[^"\\\n]|\\.)*)"',
    re.S,
)
# What a C++ programmer could not write or would not know.
PYTHON = re.compile(
    r"[Pp]ython|isthmus\.[A-Za-z@]|pip install|\b__(?!attribute)\w+__|[sg]etitem|py_object"
    r"|\bNone\b|\bTrue\b|\bFalse\b|[Nn]um[Pp]y|\bnp\.|dpnp|dpctl|pyopencl|\bimport\b|capsule"
    r"|\bwith \w+[.(]|\w+Error\b"
    r"|\b(copy|dtype|device|stream|queue|axis|out|max_version|dl_device|keepdims|order|align)="
)
# Texts that are no errors, or that C++ shares.
KNOWN = {
    ("isthmus/array/text/format.cpp", " True"): "arrays are printed as NumPy prints them",
    ("isthmus/array/text/format.cpp", "False"): "arrays are printed as NumPy prints them",
    ("isthmus/array/text/format.cpp", "True"): "arrays are printed as NumPy prints them",
    ("isthmus/core/ops.h", "np.astype(x, dtype)"): "what tests compare with, as in ops.def",
    ("isthmus/core/ops.h", "np.searchsorted(x[:z], y)"): "the same",
    ("isthmus/core/ops.h", "np.searchsorted(x[:z], y, 'right')"): "the same",
    ("isthmus/core/ops.h", "np.put(target, y, x)"): "the same",
    ("isthmus/exchange/npy_format.cpp", "True"): "files have Python's words",
    ("isthmus/exchange/npy_format.cpp", "False"): "the same",
    ("isthmus/exchange/header_text.cpp", "True"): "the same",
    ("isthmus/exchange/header_text.cpp", "False"): "the same",
    ("isthmus/exchange/header_text.cpp", "None"): "the same",
    (
        "isthmus/codegen/emit/user_words.cpp",
        "#include<pyopencl-complex.h>",
    ): "a header that kernels name",
    (
        "isthmus/runtime/libraries/find_blas.cpp",
        "python3.{}/site-packages/scipy_openblas64/lib/libscipy_openblas64_.so",
    ): "where pip puts a library",
}


def texts_of(code: str) -> Iterator[str]:
    """The texts of a file, those that stand beside each other as one."""
    joined, end = "", -1
    for token in TOKEN.finditer(code):
        text = token["raw"] if token["mark"] is not None else token["text"]
        if text is None:
            continue
        if end >= 0 and not code[end : token.start()].strip():
            joined += text
        else:
            yield joined
            joined = text
        end = token.end()
    yield joined


def test_the_reader_of_texts_reads_texts() -> None:
    code = 'f("a" // "no"\n "b", \'"\', R"x(c")x", "\\"d"); /* "e" */ #include "f"'
    assert [text for text in texts_of(code) if text] == ["a", "b", 'c"', '\\"d', "f"]


def test_texts_of_the_core_do_not_speak_python() -> None:
    found = {
        (str(file.relative_to(ROOT)), text)
        for file in FILES
        for text in texts_of(file.read_text())
        if PYTHON.search(text)
    }
    assert found - set(KNOWN) == set()
    assert set(KNOWN) - found == set(), "there are no such texts any more"


def test_the_table_of_the_tour_is_that_of_the_list() -> None:
    """Classes, what they mean and derive from; groups, which nothing throws, have no row."""
    rows = re.findall(
        r'^ERRC\(\w+, (\w+), (\w+), "([^"]*)"\)',
        (ROOT / "isthmus/base/errors.def").read_text(),
        re.M,
    )
    table = re.findall(
        r"^\| `(\w+)` \| ([^|;]*?)(?:;[^|]*)? \| `(\w+)` \|$",
        (ROOT / "docs/tour-cpp.md").read_text(),
        re.M,
    )
    assert len(rows) > 10
    assert sorted(table) == sorted((name, text, base) for name, base, text in rows)
