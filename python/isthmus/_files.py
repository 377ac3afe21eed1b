"""Arrays in files of NumPy's formats: save, load and savez."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import IO, Any, TypeAlias

from isthmus import _isthmus
from isthmus._isthmus import Array, Device
from isthmus._keywords import worded

Path: TypeAlias = str | bytes | os.PathLike[Any]
ZIP_BEGINNINGS = (b"PK\x03\x04", b"PK\x05\x06")
ENCRYPTED = 1  #: of a member's flags
MODES = ("r", "r+", "c")
DAMAGES = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, UnicodeDecodeError)


@contextlib.contextmanager
def _reading(where: str) -> Iterator[None]:
    """Of what a damaged archive raises in zipfile and zlib, one error that names it."""
    try:
        yield
    except (*DAMAGES, OSError) as error:
        if isinstance(error, OSError) and error.errno != errno.EINVAL:  # a place before the file
            raise
        raise ValueError(f"load: {where}: {error}") from None


class Archive(Mapping[str, Array]):
    """The arrays of an archive by name, each read on access.

    ``load`` returns it for ``.npz``. It keeps its file open until ``close()``, or the end of a
    ``with`` block. ``archive["x"]`` reads an array anew each time, and so does ``archive.f.x``.
    Members that are not arrays are returned as bytes.

    Waits: for the file, when a member is read. Raises: KeyError for a missing name.
    """

    def __init__(self, file: IO[bytes], device: Device | str | None, *, is_ours: bool) -> None:
        self._name = getattr(file, "name", "this")
        try:
            with _reading(f"{self._name} is not a complete archive"):
                self._zip: zipfile.ZipFile | None = zipfile.ZipFile(file)
        except BaseException:
            if is_ours:
                file.close()
            raise
        self._file = file if is_ours else None
        self._device = device
        names = self._zip.namelist()
        self._members = {name.removesuffix(".npy"): name for name in names}
        self._members |= {name: name for name in names}  # which come first, as in NumPy
        self.files = list(dict.fromkeys(name.removesuffix(".npy") for name in names))

    def __getitem__(self, name: str) -> Any:
        if self._zip is None:
            raise ValueError("load: the archive is closed")
        member = self._members.get(name) or self._members.get(str(name).removesuffix(".npy"))
        if member is None:
            raise KeyError(f"{name} is not in the archive, which has {', '.join(self.files)}")
        entry = self._zip.getinfo(member)
        if entry.flag_bits & ENCRYPTED:
            raise ValueError(
                f"load: {self._name}: {member} is encrypted; encrypted archives are not supported"
            )
        with _reading(f"{self._name}: {member}"), self._zip.open(entry) as file:
            if not member.endswith(".npy"):
                return file.read()
            found = _isthmus._read_npy(file, b"", entry.file_size)
            if file.read(1):  # so that the checksum is looked at, which is at the end
                raise ValueError(f"load: {self._name}: {member} has bytes after its elements")
        return _there(found, self._device)

    def __contains__(self, name: object) -> bool:
        return name in self._members or str(name).removesuffix(".npy") in self._members

    @property
    def f(self) -> _Members:
        """The same as attributes: ``archive.f.x`` is ``archive["x"]``."""
        return _Members(self)

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

    def __repr__(self) -> str:
        return f"<isthmus archive with {', '.join(self.files)}>"

    def close(self) -> None:
        """Closes the file. Arrays that were read remain valid."""
        if self._zip is not None:
            self._zip.close()
            self._zip = None
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *args: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self.close()


class _Members:
    """The members of an archive as attributes. Raises: AttributeError for a missing name."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def __getattr__(self, name: str) -> Any:
        try:
            return self._archive[name]
        except KeyError as error:
            raise AttributeError(f"load: {error.args[0]}", name=name, obj=self) from None

    def __dir__(self) -> list[str]:
        return list(self._archive)


def _there(x: Array, device: Device | str | None) -> Array:
    return x if device is None else _isthmus.asarray(x, device=device)


def _is_path(file: object) -> bool:
    return isinstance(file, str | bytes | os.PathLike)


def _check_file(who: str, file: object, method: str) -> None:
    """Raises: TypeError for what is neither a path nor a file."""
    if not callable(getattr(file, method, None)):
        found = _isthmus._found_as(file)
        raise TypeError(f"{who}: file: expected a path or an object with {method}(), not {found}")


def _new_path(file: Path) -> bytes:
    """Raises what the system says of a folder that is not there."""
    os.stat(os.path.dirname(os.fspath(file)) or os.curdir)  # whose error names what was given
    return os.fsencode(file)


def _as_array(x: Any) -> Array:
    return x if isinstance(x, Array) else _isthmus.asarray(x)


@worded
def save(file: Path | IO[bytes], x: Any) -> None:
    """Writes an array to a file in NumPy's format, as numpy.save does.

    `file` is a path, to which ``.npy`` is appended if it is missing, or an object with
    ``write(bytes)``. `x` is an Array, or an object that asarray accepts. Elements in column-major
    order are written in that order, all others in row-major order. A file is written under a
    temporary name beside the path and then moved there: if that fails, the previous file is intact,
    and arrays that ``load`` has mapped keep it. bfloat16 is written as by ml_dtypes, with the type
    ``<V2``.

    Waits: for the value and for the disk, without the GIL.
    Raises: OSError; ValueError for a path with a null byte; TypeError for structs whose fields are
    not in order.
    Source: NumPy 2.4, numpy.save and numpy.lib.format.
    """
    if _is_path(file):
        _isthmus._save(_new_path(file), _as_array(x))  # type: ignore[arg-type]
    else:
        _check_file("save", file, "write")
        _isthmus._write_npy(file, _as_array(x))


def savez(file: Path | IO[bytes] | None = None, /, *arrays: Any, **named: Any) -> None:
    """Writes arrays to one archive, as numpy.savez does: a zip file with a ``.npy`` for each.

    `file` is a path, to which ``.npz`` is appended if it is missing, or an object with
    ``write(bytes)``; it may also be passed as ``file=``. Arrays without a name are called
    ``arr_0``, ``arr_1`` and so on. Nothing is compressed.

    Waits: for the values and for the disk, without the GIL.
    Raises: OSError; ValueError for a name that occurs twice; TypeError as save.
    Source: NumPy 2.4, numpy.savez.
    """
    if file is None:
        if "file" not in named:
            raise TypeError(
                "savez: file: expected a path or an object with write() as the first argument"
            )
        file = named.pop("file")
    if not _is_path(file):
        _check_file("savez", file, "write")
    names = [f"arr_{i}" for i in range(len(arrays))] + list(named)
    for name in names:
        name.encode()  # raises what Python's users know
    values = [_as_array(x) for x in (*arrays, *named.values())]
    if _is_path(file):
        _isthmus._savez(_new_path(file), names, values)  # type: ignore[arg-type]
    else:
        _isthmus._write_npz(file, names, values)


@worded
def load(
    file: Path | IO[bytes], mmap_mode: str | None = None, device: Device | str | None = None
) -> Any:
    """Reads the array of a ``.npy`` file, or the arrays of an ``.npz`` archive by name.

    `file` is a path, or an object with ``read(n)``; for an archive also with ``seek``. An object is
    read from its current position to the end of the array: several arrays may follow one another.
    Both byte orders and compressed archives can be read.

    mmap_mode: "r" (the array is read-only), "r+" (what is written to the array is written to the
    file) or "c" (what is written to the array stays in memory). The array then shows the pages of
    the file, which must not become shorter in the meantime. Archives are always read, as in NumPy.
    device: the array is shared with it or copied to it, as by asarray; None: the cpu. With "r" and
    "c" a copy shows the current contents of the file; "r+" is refused if the device cannot share
    the file's pages.

    Returns: an Array in new memory, or a view of the file; for an archive a mapping, which reads an
    array on access, and is closed by ``close()`` or ``with``.
    Waits: for the disk, without the GIL.
    Raises: OSError; ValueError for a file of another format, that is truncated or holds Python
    objects, and for a mapping of another byte order; ExchangeError, a BufferError, for a mapping of
    misaligned elements; CopyRefusedError for "r+" if the device needs a copy; TypeError for other
    dtypes.
    Source: NumPy 2.4, numpy.load.
    """
    if mmap_mode is not None and mmap_mode not in MODES:
        raise ValueError(f"load: mmap_mode: {mmap_mode!r} is none of {', '.join(MODES)}")
    if _is_path(file):
        return _load_path(os.fspath(file), mmap_mode, device)  # type: ignore[arg-type]
    _check_file("load", file, "read")
    if mmap_mode is not None:
        raise ValueError("load: mmap_mode: only a path can be mapped, not an open file")
    before = file.read(4)  # type: ignore[union-attr]
    if not isinstance(before, bytes):
        found = type(before).__name__
        raise TypeError(
            f"load: the file's read() returned a {found}, not bytes; open it in binary mode"
        )
    if before in ZIP_BEGINNINGS:
        file.seek(-len(before), io.SEEK_CUR)  # type: ignore[union-attr]
        return Archive(file, device, is_ours=False)  # type: ignore[arg-type]
    return _there(_isthmus._read_npy(file, before, _bytes_left(file, before)), device)


def _load_path(path: str | bytes, mmap_mode: str | None, device: Device | str | None) -> Any:
    with open(path, "rb") as opened:  # raises what Python's users know
        if not opened.seekable():  # a pipe, which is opened once
            return _there(_isthmus._read_npy(opened, b"", None), device)
        before = opened.read(4)
    if before in ZIP_BEGINNINGS:
        return Archive(open(path, "rb"), device, is_ours=True)  # it closes it
    return _isthmus._load(os.fsencode(path), mmap_mode or "", device)


def _bytes_left(file: Any, before: bytes) -> int | None:
    """Of a file that can say so, from the beginning of `before` on."""
    try:
        here = file.tell()
        end = file.seek(0, io.SEEK_END)
        file.seek(here)
    except (AttributeError, OSError, ValueError):
        return None
    return int(end) - int(here) + len(before)
