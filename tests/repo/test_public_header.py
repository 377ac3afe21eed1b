"""The public header compiles without a warning, whatever a program asks its compiler for."""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess

import pytest

import isthmus as xp

ROOT = pathlib.Path(__file__).parents[2]
INCLUDE = pathlib.Path(xp.__file__).parent / "include"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wsign-conversion"]
PROGRAM = """
#include <isthmus/isthmus.h>
namespace xp = isthmus;

int main() {
  std::vector<float> some{1, 2, 3};
  const xp::Array a({{1., 2., 3.}, {4., 5., 6.}}), w(std::move(some));
  const xp::Array y = (2 * a + sin(w)).astype<float>();
  const xp::Array m = xp::sum(y, 0) / a.shape(0);
  const std::vector<float> out = m.to_vector<float>();
  const xp::Array z = xp::zeros<float>({out.size(), out.size()}, "cpu");
  z[{0, xp::slice(1, 3)}] = 5;
  const auto lent = xp::to_span<const float>(z);
  const xp::Array shared = xp::asarray(out);
  const xp::Value operand = a + 1;
  const std::vector<xp::Value> operands{a + 1, 2};
  xp::NativeMemory memory{.handle = some.data(), .dtype = xp::float32};
  memory = {.queue = xp::Queue("cpu"), .layout = xp::row_major({3})};
  (void)xp::asarray(a, {.copy = true});
  (void)xp::histogram(a, 3, {}, {.density = true});
  (void)xp::sort(a, 0, {.descending = true});
  (void)xp::from_dlpack(xp::to_dlpack(a, {.is_copied = true}), {.is_private = true});
  (void)xp::isclose(a, a, {.equal_nan = true});
  (void)xp::Memory(64, "cpu", {.alignment = 64});
  xp::Profile profile;
  return static_cast<int>(lent[0] + xp::max(shared + z).item<float>());
}
"""


def public_headers() -> set[str]:
    text = (ROOT / "cmake/IsthmusHeaders.cmake").read_text()
    return {f"isthmus/{name}" for name in re.findall(r"^  (\S+)$", text, re.M)}


def test_the_public_headers_are_those_that_programs_include() -> None:
    compiler = shutil.which("g++")
    if not compiler:
        pytest.skip("no g++")
    done = subprocess.run(
        [compiler, "-std=c++20", "-I", INCLUDE, "-MM", "-x", "c++", "-"],
        input="#include <isthmus/isthmus.h>\n",
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.findall(r"isthmus/\S+\.(?:h|def)", done.stdout.replace(str(INCLUDE), ""))
    assert set(found) == public_headers()


def test_what_the_library_exports_is_in_the_namespace_of_its_version() -> None:
    nm = shutil.which("nm")
    if not nm:
        pytest.skip("no nm")
    (library,) = (path for path in INCLUDE.parent.glob("libisthmus.so*") if not path.is_symlink())
    done = subprocess.run(
        [nm, "-D", "-C", "--defined-only", library], capture_output=True, text=True, check=True
    )
    functions = re.findall(r" T (isthmus::.*)", done.stdout)
    assert len(functions) > 500
    assert [name for name in functions if not re.match(r"isthmus::v\d+_\d+::", name)] == []


@pytest.mark.parametrize("name", ["g++", "clang++"])
def test_no_warning_comes_from_the_public_header(name: str) -> None:
    compiler = shutil.which(name)
    if not compiler:
        pytest.skip(f"no {name}")
    options = ["-std=c++20", *WARNINGS, "-Werror", "-I", str(INCLUDE), "-fsyntax-only"]
    done = subprocess.run(
        [compiler, *options, "-x", "c++", "-"], input=PROGRAM, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
