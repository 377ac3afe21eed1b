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

# What C++ has beside the names of Python, by the reason.
ONLY_CPP = {
    "arguments, where Python has tuples, ints, slices, bools and keywords": """
        AllAxes AnyInteger Axes AxisSet Dims Extent Flag Identity IndexEntry IndexItem IndexedArray
        Layout LayoutOf LentIterator Nested NotOfArrays OptionalInteger Outside PadConstant
        PadOptions PadWidth Shape ShapeOf Side SortOptions Tolerance HistogramOptions LoadOptions
        MapMode NamedArray EinsumPath Value Scalar Wanted DlpackExport DlpackImport MemoryWanted
        KernelArgument KernelStruct KernelStructs TypeSource all_axes ellipsis other_axes slice""",
    "results, where Python has tuples and dicts": """
        Absence Counters DeviceInfo Devices DivMod Frexp Histogram MinMax Modf PoolStatistics
        Statistics TopK UniqueAll UniqueCounts UniqueInverse KernelAttributes CompileDetails""",
    "dtypes, which are xp.float32 and finfo() in Python": """
        Complex DType FInfo Family IInfo RecordType TypeId TypeInfo TypeOf
        alignment_of bfloat_to_float bool_ builtin_type_count compute_t default_real
        double_to_half dtype_of_type field fields as_struct float_to_bfloat float_to_half
        floating_for half_to_float has_dtype intern is_character is_complex_number number_as
        promote real_part storage_t struct_dtype to_scalar type_table""",
    "layouts, which are shape, strides and flags in Python": """
        broadcast column_major dense_copy_of dense_like extent_of is_column_major is_row_major
        max_dimensions may_overlap_itself permute row_major try_reshape""",
    "methods, properties and operators of arrays in Python": """
        apply assign contiguous copy flatten host_address imag_view index index_along
        is_host_reachable item matmul_in_place ravel real_view round_to swapaxes to_device to_host
        transpose""",
    "the tables of operations, which Python has as op_table and reduction_table of dicts": """
        AccumulateRule Op OpInfo Promotes Reduction ReductionInfo ResultRule info op_table
        reduce reduction_table scan store""",
    "classes of errors, which are built in or not seen apart in Python": """
        DeviceError DriverError Errc IndexError InterruptedError LinAlgError OverflowError
        SystemFileError
        TypeError UnsupportedError ValueError make_error meaning raise_error""",
    "scopes, where Python has functions and `with`": "Fusing OnDevice OnQueue Profile",
    "what Python's protocols are: spans, tensors, handles": """
        DlpackDeleter DlpackTensor Lease LegacyDlpackTensor NativeHandle NativeMemory SpanOf
        adopt_context adopt_queue borrow_dlpack dlpack_device from_native from_span to_dlpack
        to_legacy_dlpack to_span MemoryKind""",
    "isthmus.config and logging in Python": """
        Channel Inline Level LogSink Stop blas_library blas_setting
        inline_policy is_eager is_logged log_levels parse_device profile_file reason set_blas
        set_eager set_inline_policy set_log_file set_log_levels set_log_sink set_profile_file
        version""",
    "what the package does when it is imported, devices() and atexit": """
        add_vendor_folder end_compiling find_devices find_vendor_file set_up_vendor_runtimes""",
    "texts, which are str() in Python": "to_string",
    "load() of an archive in Python": "load_archive",
}


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
    found: dict[str, set[str]] = {"classes": set(), "others": set()}
    for compound in ElementTree.parse(folder / "xml/index.xml").getroot():
        members = {member.findtext("name", "") for member in compound.iter("member")}
        found.setdefault(compound.findtext("name", ""), set()).update(members)
        for member in compound.iter("member"):
            if compound.findtext("name") == "isthmus" and member.get("kind") != "enumvalue":
                found["others"].add(member.findtext("name", ""))
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
    assert reference["isthmus::linalg"] >= {"solve", "svd", "vector_norm"}
    assert reference["isthmus::random"] >= {"default_rng", "philox4x32"}
    assert reference["isthmus::random::Generator"] >= {"random", "normal", "spawn", "state"}
    assert reference["isthmus::dlpack"] >= {"DLDataTypeCode", "kDLBfloat", "kDLOneAPI"}
    assert {f"isthmus::dlpack::{name}" for name in STRUCTS} <= reference.keys()
    assert not [name for name in reference if name.startswith("isthmus::detail")]


def test_what_only_cpp_has_is_in_a_table(reference: dict[str, set[str]]) -> None:
    classes = {name.removeprefix("isthmus::") for name in reference["classes"]}
    names = {re.sub(r"<.*", "", name).strip() for name in reference["others"] | classes}
    found = {name for name in names if not name.startswith("operator") and "::" not in name}
    only = {name for text in ONLY_CPP.values() for name in text.split()}
    assert found - {*xp.__all__, *xp.memory.__all__} == only


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
