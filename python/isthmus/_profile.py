"""profile(): what was evaluated, by which kernels, where, for how long, and why fusion ended."""

from __future__ import annotations

import atexit
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from isthmus import _isthmus


@dataclass(frozen=True)
class Kernel:
    """One kernel. `seconds` is None where the driver does not say how long it ran."""

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
    """What was calculated together. `stops` counts the values that did not join a kernel that
    wants them, by the reason."""

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


class Profile(_isthmus._Recording):
    """Records everything that is evaluated inside `with`, by any thread.

    After the end `evaluations` has it, `print(profile)` shows it, and `save` writes a trace that
    ui.perfetto.dev and chrome://tracing open. Waits at its end for the kernels that it records.
    """

    def __init__(self, file: str | os.PathLike[str] | None = None) -> None:
        super().__init__()
        self.evaluations: tuple[Evaluation, ...] = ()
        self._file = file

    def _finish(self) -> None:
        """After the recording has ended: reads it. Called by the core's __exit__."""
        self.evaluations = _collect(*self._take())
        if self._file is not None:
            self.save(self._file)

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """Those of all evaluations, in their order."""
        return tuple(kernel for one in self.evaluations for kernel in one.kernels)

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes a Chrome trace: one track per thread, and one per device with queues.

        Waits: for the disk. Raises: OSError.
        """
        Path(file).write_text(json.dumps({"traceEvents": list(_events(self.evaluations))}))

    def __str__(self) -> str:
        return "\n".join(map(str, self.evaluations)) or "nothing was evaluated"


def _collect(evaluations: Any, kernels: Any) -> tuple[Evaluation, ...]:
    start = min((host[0] for _, _, host, _ in evaluations), default=0)

    def seconds(span: tuple[int, int] | None) -> tuple[float | None, float | None]:
        return ((span[0] - start) / 1e9, (span[1] - span[0]) / 1e9) if span else (None, None)

    by_number: dict[int, list[Kernel]] = {number: [] for number, *_ in evaluations}
    for number, operations, shape, device, where, host, ran in kernels:
        begin, took = seconds(ran)
        call = (host[0] - start) / 1e9, (host[1] - host[0]) / 1e9
        made = Kernel(operations, shape, device, where, took, call[1], begin, call[0])
        if number in by_number:  # else its evaluation is not over yet
            by_number[number].append(made)
    return tuple(
        Evaluation(
            tuple(by_number[number]), stops, (host[1] - host[0]) / 1e9, (host[0] - start) / 1e9, who
        )
        for number, who, host, stops in sorted(evaluations, key=lambda it: it[2])
    )


class _Tracks:
    """Numbers of tracks, which viewers want to be integers, and their names."""

    def __init__(self) -> None:
        self._numbers: dict[int | str, int] = {}

    def __getitem__(self, owner: int | str) -> int:
        return self._numbers.setdefault(owner, len(self._numbers) + 1)

    def events(self) -> Any:
        for owner, number in self._numbers.items():
            name = f"queues of {owner}" if isinstance(owner, str) else f"thread {owner}"
            yield {
                "name": "thread_name",
                "ph": "M",
                "pid": os.getpid(),
                "tid": number,
                "args": {"name": name},
            }


def _event(name: str, track: int, begin: float, seconds: float, **more: Any) -> Any:
    return {
        "name": name,
        "ph": "X",
        "pid": os.getpid(),
        "tid": track,
        "ts": begin * 1e6,
        "dur": seconds * 1e6,
        "args": more,
    }


def _events(evaluations: tuple[Evaluation, ...]) -> Any:
    tracks = _Tracks()
    for one in evaluations:
        yield _event("evaluate", tracks[one.thread], one.begin, one.seconds, stops=one.stops)
        for kernel in one.kernels:
            name = ", ".join(kernel.operations) or "copy"
            more = {"shape": kernel.shape, "device": kernel.device, "where": kernel.where}
            is_apart = kernel.where == "launched"
            call = f"launch {name}" if is_apart else name
            yield _event(call, tracks[one.thread], kernel.call_begin, kernel.call_seconds, **more)
            if is_apart and kernel.begin is not None and kernel.seconds is not None:
                track = tracks[kernel.device]
                yield _event(name, track, kernel.begin, kernel.seconds, **more)
    yield from tracks.events()


def profile(file: str | os.PathLike[str] | None = None) -> Profile:
    """Records what is evaluated: ``with isthmus.profile() as p: ...``, then ``print(p)``.

    With a file, a trace for ui.perfetto.dev is written there at the end; ISTHMUS_PROFILE=file does
    so for a whole process. While nobody profiles it costs one comparison for each evaluation.
    """
    return Profile(file)


class _Whole:
    """The profile of the whole process, if there is one."""

    running: Profile | None = None
    file: str = ""


def whole_file() -> str:
    """Where its trace will be written; empty: there is none."""
    return _Whole.file


def begin_whole(file: str) -> None:
    """Ends the profile of the process, if there is one, and begins the next unless `file` is empty.

    Raises: ValueError if the file cannot be written, and then changes nothing.
    """
    if file:
        try:
            Path(file).open("a").close()
        except OSError as error:
            raise ValueError(f"profile: {file!r} cannot be written: {error.strerror}") from None
    end_whole()
    if file:
        _Whole.file, _Whole.running = file, Profile(file)
        _Whole.running.__enter__()


def end_whole() -> None:
    """Writes the trace of the process, if it is profiled. Waits for the kernels of it."""
    running, _Whole.running, _Whole.file = _Whole.running, None, ""
    if running:
        running.__exit__(None, None, None)


def install() -> None:
    """Profiles the whole process if ISTHMUS_PROFILE names a file; called once, at import."""
    atexit.register(end_whole)
    try:
        begin_whole(os.environ.get("ISTHMUS_PROFILE", ""))
    except ValueError as error:
        _isthmus._warn_of_setting(f"ISTHMUS_PROFILE: {error}; a file in a folder of yours can be")
