"""save, load and savez: NumPy's files, read and written; what is malformed is refused."""

from __future__ import annotations

import errno
import io
import os
import pathlib
import pickle
import random
import threading
import zipfile
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import isthmus as xp

STRUCT = [("a", "u1"), ("é", "<i4", (2,)), ("in", [("q", "<f8"), (("title", "w"), "<i2")])]
ARRAYS: list[Any] = [
    *(np.arange(6).reshape(2, 3).astype(dtype) for dtype in ("?", "i1", "u8", "f2", "f4", "c16")),
    np.asfortranarray(np.arange(24.0).reshape(2, 3, 4)),
    np.arange(24.0).reshape(4, 6)[::-1, ::2],
    np.float32(3.5),
    np.zeros((0, 3)),
    np.zeros(2, np.dtype(STRUCT, align=True)),
    np.array([b"12345", b"abcde"]).view("V5"),
    np.zeros(1, [("名", "<f4")]),
    np.zeros(1, [(f"field{i}", "<f4") for i in range(4000)]),
]


def saved_by_numpy(x: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, x)
    return file.getvalue()


@pytest.mark.filterwarnings("ignore:Stored array in format")
def test_files_are_numpys_byte_for_byte_and_come_back(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.npy"
    for x in map(np.asarray, ARRAYS):
        wanted = saved_by_numpy(x)
        xp.save(path, xp.asarray(x))
        assert path.read_bytes() == wanted, x.dtype
        file = io.BytesIO(b"before")
        file.seek(6)
        xp.save(file, xp.asarray(x))
        xp.save(file, x)
        assert file.getvalue() == b"before" + 2 * wanted
        file.seek(6)
        mapped = [xp.load(path, mmap_mode=mode) for mode in ("r", "r+", "c")]
        for back in (xp.load(str(path)), xp.load(file), xp.load(file), *mapped):
            shown = np.asarray(back)
            assert (shown.shape, shown.tobytes()) == (x.shape, x.tobytes())
            read = np.load(io.BytesIO(wanted), max_header_size=10**6)
            assert shown.dtype == read.dtype
            assert x.size == 0 or shown.strides == read.strides


def test_files_of_the_other_byte_order_are_converted(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.npy"
    for dtype in (">f8", ">i2", ">c8", ">f2", [("a", ">i4"), ("b", "<f8"), ("c", ">c8", (2,))]):
        x = np.zeros((3, 2), dtype)
        x.view("u1")[...] = np.arange(x.nbytes, dtype="u1").reshape(3, -1) % 63
        np.save(path, x)
        back = np.asarray(xp.load(path))
        assert back.dtype == x.dtype.newbyteorder("<")
        assert back.tobytes() == x.astype(back.dtype).tobytes()
        with pytest.raises(ValueError, match="its byte order is not this machine's"):
            xp.load(path, mmap_mode="r")


def test_misaligned_files_are_read_and_not_mapped(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.npy"
    path.write_bytes(with_header(described("'<f8'", "(2,)") + " ", np.ones(2).tobytes()))
    assert xp.load(path).tolist() == [1, 1]
    for mode in ("r", "r+", "c"):
        with pytest.raises(BufferError, match=r"misaligned, .* load it without mmap_mode"):
            xp.load(path, mmap_mode=mode)


def test_bfloat16_is_written_as_ml_dtypes_does(tmp_path: pathlib.Path) -> None:
    x = np.array([1.5, -2.0], ml_dtypes.bfloat16)
    xp.save(tmp_path / "x", xp.asarray(x))
    assert (tmp_path / "x.npy").read_bytes() == saved_by_numpy(x)
    back = xp.load(tmp_path / "x.npy")
    assert back.dtype == ml_dtypes.bfloat16
    assert back.tolist() == [1.5, -2.0]
    np.save(tmp_path / "v.npy", np.array([b"ab"]).view("V2"))
    assert xp.load(tmp_path / "v.npy").dtype == np.dtype("V2")


def test_a_mapping_shows_the_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.npy"
    np.save(path, np.arange(1000.0))
    read, both, copied = (xp.load(path, mmap_mode=mode) for mode in ("r", "r+", "c"))
    both[2] = 77.0
    assert float(read[2]) == 77.0 == np.load(path)[2]
    copied[3] = 78.0
    assert float(copied[3]) == 78.0
    assert float(read[3]) == 3.0 == np.load(path)[3]
    with pytest.raises(ValueError, match="read-only"):
        read[0] = 1.0
    assert not np.asarray(read).flags.writeable
    at = memoryview(read[1:])  # keeps the mapping
    del read, both, copied
    assert at[1] == 77.0
    # another file takes the name, and the pages that are shown stay
    old = xp.load(path, mmap_mode="r")
    xp.save(path, old + 1)
    assert float(old[0]) == 0.0
    assert float(xp.load(path)[0]) == 1.0
    for mode in ("w+", "q"):
        with pytest.raises(ValueError, match=r"mmap_mode: .* is none of r, r\+, c"):
            xp.load(path, mmap_mode=mode)
    with pytest.raises(ValueError, match="only a path can be mapped"):
        xp.load(io.BytesIO(path.read_bytes()), mmap_mode="r")


def test_a_device_gets_the_array(device: xp.Device, tmp_path: pathlib.Path) -> None:
    x = xp.arange(7, device=device)[::-1] * 2
    xp.save(tmp_path / "x.npy", x)
    assert np.load(tmp_path / "x.npy").tolist() == [12, 10, 8, 6, 4, 2, 0]
    for mode in (None, "c"):
        back = xp.load(tmp_path / "x.npy", mode, device)
        assert back.device == device
        assert back.to_device("cpu").tolist() == [12, 10, 8, 6, 4, 2, 0]


def test_writes_to_a_mapping_reach_the_file_or_are_refused(
    device: xp.Device, tmp_path: pathlib.Path
) -> None:
    path = tmp_path / "x.npy"
    np.save(path, np.arange(8, dtype="f4"))
    is_shared = xp.explain(xp.load(path, "r+"), device).verdict == "zero-copy"
    if is_shared:
        both = xp.load(path, "r+", device)
        both[0] = 77.0
        xp.synchronize(device)
        assert np.load(path)[0] == 77.0
    else:
        with pytest.raises(xp.CopyRefusedError, match=r"x\.npy': .* a copy, .* without mmap_mode"):
            xp.load(path, "r+", device)
    read = xp.load(path, "r", device) + 1
    assert read.device == device
    assert read.to_device("cpu").tolist()[1:] == [2, 3, 4, 5, 6, 7, 8]


def test_names_of_members_come_before_names_without_their_ending(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.npz"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("a", b"bytes")
        made.writestr("a.npy", saved_by_numpy(np.arange(3)))
        made.writestr("b.npy", saved_by_numpy(np.arange(2)))
        made.writestr("b.npy.npy", saved_by_numpy(np.arange(4)))
    with xp.load(path) as ours, np.load(path) as theirs:
        for name in ("a.npy", "b", "b.npy"):
            assert ours[name].tolist() == theirs[name].tolist(), name
        assert ours["a"] == b"bytes" == theirs["a"]
        assert ours.f.b.tolist() == theirs.f.b.tolist()
        assert dir(ours.f) == ours.files
        with pytest.raises(AttributeError, match="load: y is not in the archive, which has a, b"):
            _ = ours.f.y


def test_the_file_of_an_archive_may_have_its_name(tmp_path: pathlib.Path) -> None:
    xp.savez(file=tmp_path / "x", x=xp.arange(3))
    with xp.load(tmp_path / "x.npz") as back:
        assert back.files == ["x"]
    with pytest.raises(TypeError, match="savez: file: expected a path"):
        xp.savez(x=xp.arange(3))


def test_archives_go_both_ways(tmp_path: pathlib.Path) -> None:
    path, x = tmp_path / "a.npz", np.asfortranarray(np.arange(6.0).reshape(2, 3))
    xp.savez(tmp_path / "a", xp.asarray(x), x, file=xp.ones(3), é=xp.zeros((0, 2)))
    with np.load(path) as theirs:
        assert theirs.files == ["arr_0", "arr_1", "file", "é"]
        assert theirs["arr_0"].flags.f_contiguous
        assert theirs["arr_1"].tolist() == x.tolist()
        assert theirs["é"].shape == (0, 2)
    assert zipfile.ZipFile(path).testzip() is None
    file = io.BytesIO()
    xp.savez(file, b=x)
    np.savez_compressed(tmp_path / "c.npz", b=x, c=np.arange(3))
    np.savez(tmp_path / "d.npz", b=x)
    for source in (io.BytesIO(file.getvalue()), tmp_path / "c.npz", tmp_path / "d.npz"):
        with xp.load(source) as ours:
            assert ours["b"].tolist() == ours["b.npy"].tolist() == x.tolist()
            assert "b" in ours
            assert "z" not in ours
            assert ours.files == list(ours)
            assert len(ours) == len(ours.files)
            assert "b" in repr(ours)
            with pytest.raises(KeyError, match="z is not in the archive, which has b"):
                ours["z"]
        with pytest.raises(ValueError, match="the archive is closed"):
            ours["b"]
    with pytest.raises(ValueError, match="the name 'arr_0' is given twice"):
        xp.savez(io.BytesIO(), x, arr_0=x)
    broken = bytearray(file.getvalue())
    broken[broken.index(b"PK\1\2") - 1] ^= 1  # the last byte of the elements
    with pytest.raises(ValueError, match="Bad CRC-32"):
        xp.load(io.BytesIO(broken))["b"]


class Slow:
    """A file that gives and takes little at a time, and cannot be moved in."""

    def __init__(self, data: bytes = b"") -> None:
        self.data = bytearray(data)

    def read(self, count: int) -> bytes:
        taken = bytes(self.data[: min(count, 7)])
        del self.data[: len(taken)]
        return taken

    def write(self, data: bytes) -> int:
        self.data += data[:7]
        return min(len(data), 7)


def test_files_may_give_and_take_little_at_a_time(tmp_path: pathlib.Path) -> None:
    x = np.arange(50.0)
    slow: Any = Slow()
    xp.save(slow, x)
    assert bytes(slow.data) == saved_by_numpy(x)
    assert xp.load(slow).tolist() == x.tolist()
    with pytest.raises(TypeError, match="returned a str, not bytes; open it in binary mode"):
        xp.load(io.StringIO("text that is no array"))  # type: ignore[arg-type]
    # a pipe
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_bytes(saved_by_numpy(x)))
    writer.start()
    assert xp.load(path).tolist() == x.tolist()
    writer.join()


def test_what_fails_leaves_what_was_there(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.npy"
    xp.save(path, xp.ones(3))
    path.chmod(0o640)
    overlapping = np.dtype({"names": ["a", "b"], "formats": ["i4", "i4"], "offsets": [0, 2]})
    with pytest.raises(TypeError, match="field 'b' overlaps or precedes the field before it"):
        xp.save(path, np.zeros(2, overlapping))
    with pytest.raises(TypeError, match="field 'b' overlaps or precedes the field before it"):
        xp.savez(path, x=np.zeros(2, overlapping))
    assert os.listdir(tmp_path) == ["x.npy"]
    link = tmp_path / "link.npy"
    link.symlink_to(path)
    xp.save(link, xp.zeros(2))
    assert link.is_symlink()
    assert xp.load(path).tolist() == [0, 0]
    assert path.stat().st_mode & 0o777 == 0o640
    with pytest.raises(FileNotFoundError):
        xp.save(tmp_path / "none" / "x.npy", xp.ones(3))
    with pytest.raises(FileNotFoundError):
        xp.load(tmp_path / "none.npy")
    with pytest.raises(xp.FileError, match="cannot be written: No space left on device"):
        (tmp_path / "full.npy").symlink_to("/dev/full")
        xp.save(tmp_path / "full.npy", xp.ones(3))
    with pytest.raises(IsADirectoryError):
        xp.load(tmp_path)


def test_paths_with_a_null_byte_are_refused(tmp_path: pathlib.Path) -> None:
    (tmp_path / "prec").write_text("precious")
    for path in (f"{tmp_path}/prec\0.npy", os.fsencode(f"{tmp_path}/prec\0"), f"{tmp_path}\0/p"):
        for write in (xp.save, xp.savez):
            with pytest.raises(ValueError, match=r"null (byte|character)"):
                write(path, xp.ones(3))
        for mode in (None, "r"):
            with pytest.raises(ValueError, match=r"null (byte|character)"):
                xp.load(path, mmap_mode=mode)
        with pytest.raises(ValueError, match=r"null (byte|character)"):
            xp.profile().save(path)
        with pytest.raises(ValueError, match=r"null (byte|character)"):
            xp.profile(path)
    assert (tmp_path / "prec").read_text() == "precious"
    assert os.listdir(tmp_path) == ["prec"]


class Place(os.PathLike[Any]):
    def __init__(self, path: str | bytes) -> None:
        self.path = path

    def __fspath__(self) -> str | bytes:
        return self.path


def test_paths_may_be_whatever_the_system_takes(tmp_path: pathlib.Path) -> None:
    raw = os.fsencode(tmp_path) + b"/caf\xe9"
    for path in (raw, os.fsdecode(raw), Place(raw), Place(os.fsdecode(raw))):
        xp.save(path, xp.ones(2))
        xp.savez(path, a=xp.ones(3))
        assert sorted(os.listdir(os.fsencode(tmp_path))) == [b"caf\xe9.npy", b"caf\xe9.npz"]
        for ending, wanted in ((".npy", [1, 1]), (".npz", [1, 1, 1])):
            whole = os.fspath(path)
            whole = whole + ending if isinstance(whole, str) else whole + ending.encode()
            for given in (whole, Place(whole)):
                for mode in (None, "r"):
                    found = xp.load(given, mmap_mode=mode)
                    assert (found if ending == ".npy" else found["a"]).tolist() == wanted
            os.remove(whole)
    with xp.profile(raw) as profile:
        xp.ones(2).eval()
    profile.save(Place(raw))
    assert (tmp_path / os.fsdecode(raw)).read_bytes().startswith(b'{"traceEvents"')
    with pytest.raises(UnicodeEncodeError):
        xp.savez(tmp_path / "x", **{"\udce9": xp.ones(2)})
    path_of_none = os.fsencode(tmp_path) + b"/caf\xe9.npy/x.npy"
    xp.save(raw, xp.ones(2))
    with pytest.raises(NotADirectoryError):
        xp.load(path_of_none)


def test_errors_of_the_system_have_its_number_and_the_path(tmp_path: pathlib.Path) -> None:
    longest = tmp_path / ("x" * 251)
    for write, ending in ((xp.save, ".npy"), (xp.savez, ".npz")):
        write(longest, xp.ones(3))
        assert os.path.exists(f"{longest}{ending}")
        longer = f"{longest}x{ending}"
        with pytest.raises(xp.FileError, match="cannot be made: File name too long") as raised:
            write(longer, xp.ones(3))
        error = raised.value
        assert error.errno == errno.ENAMETOOLONG
        assert error.filename == longer
        assert isinstance(error, OSError)
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.errno, again.filename) == (str(error), error.errno, longer)
    assert len(os.listdir(tmp_path)) == 2
    assert str(xp.FileError("text")) == "text"
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9" + b"x" * 255)
    with pytest.raises(xp.FileError) as raised:
        xp.save(odd, xp.ones(3))
    assert raised.value.filename == odd + ".npy"


@pytest.mark.parametrize("given", [str, os.fsencode, pathlib.Path])
def test_errors_name_the_path_as_it_was_given(
    given: Callable[[str], Any], tmp_path: pathlib.Path
) -> None:
    folder = str(tmp_path / "none")
    for call, path in (
        (lambda file: xp.load(file), folder),
        (lambda file: xp.save(file, xp.ones(3)), folder + "/x.npy"),
        (lambda file: xp.savez(file, xp.ones(3)), folder + "/x.npz"),
    ):
        with pytest.raises(FileNotFoundError) as raised:
            call(given(path))
        assert raised.value.filename == os.fspath(given(folder))


def test_a_file_has_a_name() -> None:
    """NumPy writes to a hidden file, .npy."""
    with pytest.raises(ValueError, match="save: the name of the file is empty"):
        xp.save("", xp.ones(3))
    with pytest.raises(ValueError, match="savez: the name of the file is empty"):
        xp.savez(b"", xp.ones(3))


def test_members_that_cannot_be_read_are_value_errors(tmp_path: pathlib.Path) -> None:
    file = io.BytesIO()
    xp.savez(file, a=xp.ones(3))
    good = file.getvalue()
    for place, byte, wanted in ((8, 1, "a.npy is encrypted"), (10, 77, "compression")):
        broken = bytearray(good)
        broken[broken.index(b"PK\1\2") + place] = byte  # flags or method, in the directory
        broken[place - 2] = byte
        with pytest.raises(ValueError, match=wanted):
            xp.load(io.BytesIO(broken))["a"]


def with_header(text: str, elements: bytes = b"", version: int = 1) -> bytes:
    coded = text.encode()
    length = len(coded).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + length + coded + elements


def described(descr: str, shape: str, order: str = "False") -> str:
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


GOOD = described("'<f4'", "(2,)")
MALFORMED = [
    (b"", "the file is empty"),
    (b"\x93NUM", "this is not a .npy file"),
    (b"text in a file", "this is not a .npy file"),
    (with_header(GOOD, version=9), "version 9.0"),
    (b"\x93NUMPY\x01\x00\x10", "ends within the length of the header"),
    (b"\x93NUMPY\x02\x00\xff\xff\xff\xff", "a header of 4294967295 bytes"),
    (with_header(GOOD)[:30], "ends within the header"),
    (with_header(GOOD, b"1234567"), "7 of 8 bytes are there"),
    (with_header("import os"), "not a value that a header may have"),
    (with_header("[1, 2]"), "the header is not a dictionary"),
    (with_header(GOOD + " 1"), "text after the value"),
    (with_header("{'descr': '<f4', 'shape': (2,)}"), "the header lacks"),
    (with_header(GOOD[:-1] + "'more': 1}"), "the key 'more' is not allowed"),
    (with_header(described("'<f4'", "(2,)", "1")), "'fortran_order' is not a bool"),
    (with_header(described("'<f4'", "[2]")), "'shape' is not a tuple"),
    (with_header(described("'<f4'", "(-2,)")), "an item that is not a length"),
    (with_header(described("'<f4'", "(2.5,)")), "a comma is missing"),
    (with_header(described("'<f4'", "(99999999999999999999,)")), "a number past 2\\^63-1"),
    (with_header(described("'<f4'", "(4294967296, 4294967296)")), "2\\^63-1"),
    (with_header(described("'<f4'", "(1000000000000,)")), "0 of 4000000000000 bytes are there"),
    (with_header(described("'<f4'", str((1,) * 65))), "65 axes"),
    (with_header(described("'|O'", "(2,)")), "the file holds objects, which are pickled"),
    (with_header(described("3", "(2,)")), "'descr' is not a type"),
    (with_header(described("[('a', '<f4'), ('a', '<f4')]", "(2,)")), "two fields are called 'a'"),
    (with_header(described("[('a', '<f4', (-1,))]", "(2,)")), "an invalid shape"),
    (with_header(described("[('a', '|O')]", "(2,)")), "the file holds objects, which are pickled"),
    (with_header(described("[" * 100 + "]" * 100, "(2,)")), "nested too deeply"),
    (with_header(described("'\\ud800'", "(2,)")), "an escape that is not a character"),
    (with_header(GOOD.replace("f4", "\xff")[:20], version=3), "an unterminated text"),
]
UNKNOWN = ["'<U5'", "'|S3'", "'<M8[ns]'", "'<f3'", "'<f16'", "'x'", "'<'", "[]"]


def test_malformed_files_are_refused(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.npy"
    for data, text in MALFORMED:
        path.write_bytes(data)
        ways: list[Any] = [path, io.BytesIO(data), Slow(data)]
        for source in ways[: 2 if "000000000" in text else 3]:
            with pytest.raises(ValueError, match=text):
                xp.load(source)
        with pytest.raises(ValueError, match=text):
            xp.load(path, mmap_mode="r")
    for descr in UNKNOWN:
        with pytest.raises((TypeError, ValueError), match="load: "):
            xp.load(io.BytesIO(with_header(described(descr, "(2,)"), b"\0" * 64)))
    for data in (b"PK\3\4", b"PK\3\4" + b"\0" * 40, b"PK\5\6"):
        path.write_bytes(data)
        for source in (path, io.BytesIO(data)):
            with pytest.raises(ValueError, match="not a complete archive"):
                xp.load(source)


def test_bytes_changed_at_random_end_in_an_error_or_an_array(tmp_path: pathlib.Path) -> None:
    """Nothing else is raised, and nothing ends the process."""
    rng = random.Random(1)
    archive = io.BytesIO()
    np.savez(archive, a=np.arange(3), b=np.zeros(2, STRUCT))
    wholes = [saved_by_numpy(np.arange(5.0)), saved_by_numpy(np.zeros(2, STRUCT))]
    wholes += [archive.getvalue()]
    path = tmp_path / "x.npy"
    for round_ in range(1500):
        data = bytearray(rng.choice(wholes))
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(min(len(data), 300))
            data[at] = rng.choice(b"0123456789(){}[],:'<>|fiu\\ \0\xff")
        if rng.random() < 0.2:
            del data[rng.randrange(len(data)) :]
        try:
            if round_ % 3 == 0:
                path.write_bytes(data)
                found = xp.load(path, mmap_mode="c" if round_ % 2 else None)
            else:
                found = xp.load(io.BytesIO(data))
            if not isinstance(found, xp.Array):
                found = list(found.values())
        except (ValueError, TypeError, MemoryError, xp.ExchangeError, NotImplementedError):
            continue
        except (OSError, RuntimeError) as error:  # zipfile's, of members that it cannot unpack
            assert data[:2] == b"PK", error


def test_damaged_archives_are_value_errors_that_name_them(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "some.npz"
    np.savez_compressed(path, a=np.arange(9), b=np.ones((2, 3), np.float32))
    whole = path.read_bytes()
    rng = np.random.default_rng(3)
    failed = 0
    for _ in range(400):
        damaged = bytearray(whole)
        for _ in range(rng.integers(1, 6)):
            damaged[rng.integers(len(damaged))] = rng.integers(256)
        path.write_bytes(damaged)
        try:
            with xp.load(path) as archive:
                for name in archive.files:
                    archive[name]
        except (ValueError, TypeError) as error:  # another dtype, too
            assert str(error).startswith("load: "), error
            failed += 1
    assert failed > 100
