"""profile(): what was evaluated, by which kernels, where, for how long, and why fusion ended."""

from __future__ import annotations

import atexit
import os
from dataclasses import dataclass, field
from typing import Any

from isthmus import _isthmus


@dataclass(frozen=True)
class Kernel:
    """One kernel. `seconds` is None if the driver does not report how long it ran."""

    operations: tuple[str, ...]
    shape: tuple[int, ...]
    device: str
    where: str  #: "host", "inlined" (by the host, for another device) or "launched" (on a queue)
    seconds: float | None
    call_seconds: float  #: what it took the calling thread
    begin: float | None = field(repr=False)  #: seconds from the beginning of the profile
    call_begin: float = field(repr=False)

    def __str__(self) -> str:
        took = "?" if self.seconds is None else f"{self.seconds * 1e6:.1f} us"
        names = ", ".join(self.operations) or "copy"
        return f"{names} of shape {self.shape} on {self.device}, {self.where}: {took}"


@dataclass(frozen=True)
class Evaluation:
    """One evaluation. `stops` counts the values that did not fuse into a kernel that needs them, by
    reason.
    """

    kernels: tuple[Kernel, ...]
    stops: dict[str, int]
    seconds: float
    begin: float = field(repr=False)
    thread: int = field(repr=False)

    def __str__(self) -> str:
        count = len(self.kernels)
        kernels = "1 kernel" if count == 1 else f"{count} kernels"
        lines = [f"evaluation of {kernels}, {self.seconds * 1e6:.1f} us"]
        lines += [f"  {kernel}" for kernel in self.kernels]
        lines += [f"  not fused, {count}: {reason}" for reason, count in self.stops.items()]
        return "\n".join(lines)


def _path(file: Any) -> Any:
    """open() takes an int for a descriptor, and closes it."""
    if not isinstance(file, (str, bytes, os.PathLike)):
        raise TypeError(f"profile: expected a path or None, not {file!r}")
    return file


class Profile(_isthmus._Recording):
    """Records everything that any thread evaluates inside `with`.

    After the end, `evaluations` holds it, `print(profile)` shows it, and `save` writes a trace that
    ui.perfetto.dev and chrome://tracing open. Waits at the end for the kernels that it records.
    """

    def __init__(self, file: str | bytes | os.PathLike[Any] | None = None) -> None:
        super().__init__()
        if file is not None:
            open(_path(file), "a").close()  # what cannot be written is said now
        self.evaluations: tuple[Evaluation, ...] = ()
        self._file = file

    def _finish(self) -> None:
        """After the recording has ended: reads it. Called by the core's __exit__."""
        self.evaluations = tuple(
            Evaluation(tuple(Kernel(*kernel) for kernel in kernels), *rest)
            for kernels, *rest in self._evaluations()
        )
        if self._file is not None:
            self.save(self._file)

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """The kernels of all evaluations, in order."""
        return tuple(kernel for one in self.evaluations for kernel in one.kernels)

    def save(self, file: str | bytes | os.PathLike[Any]) -> None:
        """Writes a Chrome trace: one track per thread, and one per device with queues.

        Waits: for the disk. Raises: OSError.
        """
        with open(_path(file), "w", encoding="utf-8") as opened:
            opened.write(self._trace())

    def __str__(self) -> str:
        return "\n".join(map(str, self.evaluations)) or "nothing was evaluated"


def profile(file: str | bytes | os.PathLike[Any] | None = None) -> Profile:
    """Records what is evaluated: ``with isthmus.profile() as p: ...``, then ``print(p)``.

    With a file, a trace for ui.perfetto.dev is written there at the end; ISTHMUS_PROFILE=file does
    so for a whole process. When no profile is active, the cost is one comparison for each
    evaluation.
    """
    return Profile(file)


def install() -> None:
    """Profiles the whole process if ISTHMUS_PROFILE names a file; called once, at import."""
    _isthmus._read_profile_setting()
    atexit.register(_isthmus._set_profile_file, "")
