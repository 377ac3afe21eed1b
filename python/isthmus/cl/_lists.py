"""Lists of different lengths, built by users' kernel text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from isthmus import _isthmus
from isthmus._isthmus import Queue, RawKernel
from isthmus.cl._array_class import Array
from isthmus.cl._launching import (
    as_options,
    declared,
    launch,
    number_of,
    passed,
    pointers,
    scalar,
    text_before,
)
from isthmus.cl._ordering import not_a_queue, not_an_array
from isthmus.cl._parameters import ScalarArg, VectorArg, declaration, parse_arg_list, reserve_names
from isthmus.cl._places import end_of, is_on_cpu, is_queue, wait_first
from isthmus.cl._registry import dtype_to_ctype
from isthmus.cl._user_lines import users

_IN_A_ROW = 128  # objects of a work-item that is alone in its group
_ALONE = "__attribute__((reqd_work_group_size(1, 1, 1)))\n"
_ONE_BY_ONE = f"""
  for (index_type plg_first = get_global_id(0) * {_IN_A_ROW}; plg_first < n;
       plg_first += get_global_size(0) * {_IN_A_ROW})
  for (index_type i = plg_first; i < min(n, plg_first + {_IN_A_ROW}); ++i) {{
"""
_SIDE_BY_SIDE = "  for (index_type i = get_global_id(0); i < n; i += get_global_size(0)) {\n"
# Of CPUs, where fewer groups than elsewhere are enough, and each costs.
_CPU_GROUP = 128
_CPU_GROUPS = 64


@dataclass
class BuiltList:
    """Entries of all objects one behind the other, `lists`, and where those of each begin."""

    count: int | None
    starts: Array | None
    lists: Array | None = None
    num_nonempty_lists: Any = None
    nonempty_indices: Array | None = None
    compressed_indices: Array | None = None


class ListOfListsBuilder:
    """Builds lists of different lengths: the code runs twice, to count and to write.

    The code has ``void generate(LIST_ARG_DECL USER_ARG_DECL index_type i)``, which calls
    ``APPEND_name(value)`` for each entry of the list `name` of object `i`. count_sharing is {child:
    mother} for lists with the same number of entries; append to the mother first.
    eliminate_empty_output_lists are names of lists, or True for all. complex_kernel keeps compilers
    for CPUs from calculating several objects at once, as vectors: this takes half the time where
    objects differ much, as in walks of trees, and twice the time where all run the same loop.

    Waits: no. Raises: ValueError for a name that is not a list.
    Source: pyopencl 2026.1, ListOfListsBuilder.
    """

    def __init__(
        self,
        context: Any,
        list_names_and_dtypes: Sequence[tuple[str, Any]],
        generate_template: str,
        arg_decls: Any,
        count_sharing: dict[str, str] | None = None,
        devices: Any = None,
        name_prefix: str = "plb_build_list",
        options: Any = None,
        preamble: str = "",
        debug: bool = False,
        complex_kernel: bool = False,
        eliminate_empty_output_lists: Sequence[str] | bool = False,
    ) -> None:
        self.context = context
        self.list_names_and_dtypes = [(n, np.dtype(t)) for n, t in list_names_and_dtypes]
        self.generate_template = generate_template
        self.arg_decls = parse_arg_list(arg_decls) if arg_decls else []
        reserve_names(self.arg_decls, {"i": "the index", "n": "the number of objects"}, name_prefix)
        self.count_sharing = dict(count_sharing or {})
        self.name_prefix = name_prefix
        self.options = as_options(options)
        self.preamble = preamble
        names = [name for name, _ in self.list_names_and_dtypes]
        if isinstance(eliminate_empty_output_lists, bool):
            eliminate_empty_output_lists = names if eliminate_empty_output_lists else []
        self.eliminate_empty_output_lists = tuple(eliminate_empty_output_lists)
        self._check_names(self.eliminate_empty_output_lists, "eliminate_empty_output_lists")
        self.complex_kernel = complex_kernel
        self._kernels: dict[tuple[str, frozenset[str], bool], tuple[RawKernel, RawKernel]] = {}

    def _check_names(self, names: Sequence[str], where: str) -> None:
        known = [name for name, _ in self.list_names_and_dtypes]
        for name in names:
            if name not in known:
                raise ValueError(f"{where}: there is no list {name!r}")

    def _mothers(self) -> list[tuple[str, np.dtype[Any]]]:
        return [one for one in self.list_names_and_dtypes if one[0] not in self.count_sharing]

    def _text(
        self, index: str, omitted: frozenset[str], is_one_by_one: bool, is_writing: bool
    ) -> str:
        user = "".join(f"{declaration(arg)}, " for arg in self.arg_decls)
        given = "".join(f"{arg.name}, " for arg in self.arg_decls)
        mothers = self._mothers()
        lines = [f"typedef {index} index_type;\n"]
        if is_writing:
            lines.append("#define PLB_WRITE_STAGE\n")
            kernel = "".join(
                f"__global {dtype_to_ctype(dtype)}* plg_{name}_list, "
                for name, dtype in self.list_names_and_dtypes
            )
            lists = kernel
            passed = "".join(f"plg_{name}_list, " for name, _ in self.list_names_and_dtypes)
            before = ""
            for name, _ in mothers:
                kernel += f"__global const index_type* plg_{name}_starts, "
                lists += f"index_type* plg_{name}_at, "
                passed += f"&plg_{name}_at, "
                first = "0" if name in omitted else f"plg_{name}_starts[i]"
                before += f"    index_type plg_{name}_at = {first};\n"
            after = ""
            for name, _ in self.list_names_and_dtypes:
                mother = self.count_sharing.get(name)
                at = f"(*plg_{name}_at)++" if mother is None else f"*plg_{mother}_at - 1"
                write = "" if name in omitted else f"plg_{name}_list[{at}] = value; "
                lines.append(f"#define APPEND_{name}(value) {{ {write}}}\n")
        else:
            lines.append("#define PLB_COUNT_STAGE\n")
            kernel = lists = passed = before = after = ""
            most = _most_of(np.int32 if index == dtype_to_ctype(np.int32) else np.int64)
            for name, _ in mothers:
                kernel += f"__global index_type* plg_{name}_counts, "
                lists += f"long* plg_{name}_count, "
                passed += f"&plg_{name}_count, "
                before += f"    long plg_{name}_count = 0;\n"
                if name not in omitted:
                    counted = f"(index_type)min(plg_{name}_count, {most}L)"
                    after += f"    plg_{name}_counts[i] = {counted};\n"
            for name, _ in self.list_names_and_dtypes:
                counted = "" if name in self.count_sharing else f"++*plg_{name}_count; "
                lines.append(f"#define APPEND_{name}(value) {{ {counted}}}\n")
        lines.append(
            f"#define LIST_ARG_DECL {lists}\n#define LIST_ARGS {_names_in(lists)}\n"
            f"#define USER_ARG_DECL {user}\n#define USER_ARGS {given}\n"
            f"{users('generate_template', self.generate_template)}"
            f"__kernel {_ALONE if is_one_by_one else ''}void {self.name_prefix}("
            f"{kernel}{declared(self.arg_decls)}"
            f"{index} n) {{\n"
            f"{pointers(self.arg_decls, with_null=True)}"
            f"{_ONE_BY_ONE if is_one_by_one else _SIDE_BY_SIDE}"
            f"{before}    generate({passed}{given}i);\n{after}  }}\n}}\n"
        )
        dtypes = [dtype for _, dtype in self.list_names_and_dtypes]
        return text_before(self.arg_decls, dtypes, self.preamble) + "".join(lines)

    def _kernels_for(
        self, index: np.dtype[Any], omitted: frozenset[str], is_one_by_one: bool
    ) -> tuple[RawKernel, RawKernel]:
        """Those that count and write; nothing comes of APPEND_ of an omitted list."""
        key = dtype_to_ctype(index), omitted, is_one_by_one
        if key not in self._kernels:
            counting, writing = (
                RawKernel(self._text(*key, stage), self.name_prefix, self.options)
                for stage in (False, True)
            )
            self._kernels[key] = counting, writing
        return self._kernels[key]

    def __call__(
        self,
        queue: Any,
        n_objects: int,
        *args: Any,
        allocator: Any = None,
        omit_lists: Sequence[str] | None = None,
        wait_for: Any = None,
        **kwargs: Any,
    ) -> tuple[dict[str, BuiltList], Any]:
        """Builds the lists of n_objects objects, without those in omit_lists.

        None for an array is a null pointer.

        Returns: ({name: BuiltList}, event). Waits: for the numbers of entries.
        Raises: TypeError, ValueError for arguments that do not fit; OverflowError for 2**31 - 1
        entries of a list or more, before anything is written.
        Source: pyopencl 2026.1, ListOfListsBuilder.
        """
        if kwargs:
            raise TypeError(f"{self.name_prefix}: unexpected keyword arguments {sorted(kwargs)}")
        n_objects = number_of(n_objects, "n_objects", self.name_prefix)
        if not is_queue(queue):
            raise not_a_queue(queue, self.name_prefix)
        omitted = frozenset(omit_lists or ())
        self._check_names(sorted(omitted), "omit_lists")
        for child, shared in self.count_sharing.items():
            if shared in omitted and child not in omitted:
                raise ValueError(f"omit_lists: {child!r} has the counts of {shared!r}")
        index = np.dtype(np.int32 if n_objects < np.iinfo(np.int32).max else np.int64)
        is_cpu = is_on_cpu(queue)
        is_one_by_one = self.complex_kernel and is_cpu
        counting, writing = self._kernels_for(index, omitted, is_one_by_one)
        grid = {"group": _CPU_GROUP, "most": _CPU_GROUPS} if is_cpu else {}
        if is_one_by_one:
            grid = {"group": 1, "each": _IN_A_ROW}
        wait_first(queue, wait_for)
        on = Queue(queue)
        with on:
            given = self._given(args, queue)
            counts = {
                name: _isthmus.zeros(
                    1 if name in omitted else max(n_objects, 1), index, device=on.device
                )
                for name, _ in self._mothers()
            }
            launch(counting, n_objects, [*counts.values(), *given, n_objects], on, **grid)
            result: dict[str, BuiltList] = {}
            starts = {}
            for name, found in counts.items():
                if name in omitted:
                    starts[name] = found
                    continue
                built, starts[name] = self._starts(name, found[:n_objects], queue, allocator)
                result[name] = built
            lists = []
            for name, dtype in self.list_names_and_dtypes:
                if name in omitted:
                    lists.append(_isthmus.empty(1, dtype, device=on.device))
                    continue
                mother = self.count_sharing.get(name)
                if mother is not None:
                    result[name] = BuiltList(result[mother].count, result[mother].starts)
                built = result[name]
                built.lists = Array(queue, (built.count,), dtype, allocator=allocator)
                x = built.lists._x
                lists.append(x if x.size else _isthmus.empty(1, dtype, device=on.device))
            launch(writing, n_objects, [*lists, *starts.values(), *given, n_objects], on, **grid)
        return result, end_of(queue)

    def _starts(
        self, name: str, counts: _isthmus.Array, queue: Any, allocator: Any
    ) -> tuple[BuiltList, _isthmus.Array]:
        """What is known before the lists are written, and where those of all objects begin."""
        dtype = counts.dtype
        total = int(_isthmus.sum(counts, dtype="int64").item())
        if total >= _most_of(dtype):
            raise OverflowError(
                f"{self.name_prefix}: list {name!r} has {total} entries or more; its starts are "
                f"{dtype}, for less than {_most_of(dtype)}"
            )
        ends = _isthmus.cumulative_sum(counts, dtype=dtype, include_initial=True).eval()
        like = Array(queue, (), dtype, allocator=allocator)
        if name not in self.eliminate_empty_output_lists:
            return BuiltList(total, like._made(ends, queue)), ends
        nonempty = _isthmus.flatnonzero(counts)
        compact = _isthmus.concat([_isthmus.take(ends, nonempty, mode="clip"), ends[-1:]])
        before = _isthmus.cumulative_sum(
            _isthmus.astype(counts != 0, dtype), dtype=dtype, include_initial=True
        )
        built = BuiltList(
            total,
            like._made(compact, queue),
            num_nonempty_lists=nonempty.size,
            nonempty_indices=like._made(_isthmus.astype(nonempty, dtype), queue),
            compressed_indices=like._made(before, queue),
        )
        return built, ends

    def _given(self, args: Sequence[Any], queue: Any) -> list[Any]:
        if len(args) != len(self.arg_decls):
            raise TypeError(
                f"{self.name_prefix} takes {len(self.arg_decls)} arguments, not {len(args)}"
            )
        found: list[Any] = []
        for parameter, arg in zip(self.arg_decls, args, strict=True):
            if isinstance(arg, Array):
                if arg.ndim != 1:
                    raise ValueError(f"{parameter.name} has {arg.ndim} axes; expected 1")
                found += passed(arg._x)
            elif isinstance(parameter, VectorArg):
                found += self._memory(parameter, arg, queue)
            elif isinstance(parameter, ScalarArg):
                found.append(scalar(parameter, arg, self.name_prefix))
            else:
                found.append(arg)
        return found

    def _memory(self, parameter: VectorArg, arg: Any, queue: Any) -> list[Any]:
        """A memory object, or null, as `declared` takes it. The queue is the current one."""
        if arg is None:
            return [_isthmus.empty(1, "uint8", device=Queue(queue).device), -1]
        try:
            return [_isthmus.from_pyopencl(arg, queue=queue), 0]
        except TypeError:
            wanted = "an isthmus.cl.array.Array, a memory object of pyopencl, or None"
            raise not_an_array(arg, wanted, f"{self.name_prefix}: {parameter.name}: ") from None


def _most_of(index: Any) -> int:
    """What a count becomes that is not smaller."""
    return int(np.iinfo(index).max)


def _names_in(declarations: str) -> str:
    """The names of C declarations, each with a comma."""
    names = [one.split()[-1].lstrip("*") for one in declarations.split(",") if one.strip()]
    return "".join(f"{name}, " for name in names)
