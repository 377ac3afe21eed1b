"""NumPy's other names for functions that Isthmus has, and the nearest for those that it has not."""

from __future__ import annotations

import difflib
import re
import warnings
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import numpy as np

from isthmus import _isthmus, _missing, linalg, special
from isthmus._functions import FUNCTIONS as FUNCTIONS
from isthmus._lib import lib
from isthmus._signatures import parse

# NumPy's name: ours.
SPELLINGS = {
    "absolute": "abs",
    "alltrue": "all",
    "amax": "max",
    "amin": "min",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "around": "round",
    "asanyarray": "asarray",
    "bitwise_not": "bitwise_invert",
    "bool_": "bool",
    "cdouble": "complex128",
    "concatenate": "concat",
    "conjugate": "conj",
    "csingle": "complex64",
    "double": "float64",
    "fabs": "abs",
    "fix": "trunc",
    "half": "float16",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "mod": "remainder",
    "power": "pow",
    "product": "prod",
    "right_shift": "bitwise_right_shift",
    "rint": "round",
    "row_stack": "vstack",
    "single": "float32",
    "sometrue": "any",
    "true_divide": "divide",
}

# NumPy's name: what does the same here, perhaps with other arguments.
INSTEAD = {
    "Event": "synchronize(device), which waits; x.to_pyopencl().events are OpenCL's",
    "Stream": "with isthmus.Queue(q)",
    "Tensor": "isthmus.Array; create one with asarray",
    "angle": "atan2(imag(x), real(x))",
    "append": "concat([x, y])",
    "array_split": "split(x, indices) with the start of each part: parts need not be equal",
    "ascontiguousarray": "x.copy()",
    "asnumpy": "x.to_numpy()",
    "atleast_1d": "array(x, ndmin=1, copy=None)",
    "atleast_2d": "array(x, ndmin=2, copy=None)",
    "atleast_3d": "x.reshape(1, -1, 1) of a vector, expand_dims(x, axis=2) of a matrix",
    "block_until_ready": "isthmus.synchronize(x.device)",
    "c_": "stack(vectors, axis=1)",
    "clmath": "isthmus.cl.clmath, which accepts arrays of isthmus.cl; sin(x) and the like",
    "column_stack": "stack(arrays, axis=1) of vectors, concat(arrays, axis=1) of matrices",
    "common_type": "result_type",
    "compress": "x[mask]",
    "copyto": "x[...] = values",
    "cuda": "nothing yet: isthmus.devices() lists the devices",
    "deg2rad": "x * (pi / 180)",
    "degrees": "x * (180 / pi)",
    "delete": "x[mask]",
    "diag": "diagonal(x) of a matrix, where(eye(n, dtype=bool), x, 0) of a vector",
    "dstack": "stack(arrays, axis=2) of matrices, concat(arrays, axis=2) of more axes",
    "ediff1d": "diff(x.ravel())",
    "extract": "x[mask]",
    "fft": "numpy.fft, whose functions accept arrays of the host: numpy.fft.fft(x)",
    "fill_diagonal": "diagonal(x)[...] = values",
    "flat": "x.reshape(-1)",
    "fliplr": "flip(x, axis=1)",
    "flipud": "flip(x, axis=0)",
    "from_numpy": "asarray(a), which shares the memory",
    "frompyfunc": "isthmus.ElementwiseKernel",
    "geomspace": "a * (b / a) ** linspace(0, 1, n)",
    "get_array_module": "x.__array_namespace__()",
    "get_default_memory_pool": "isthmus.memory.pool_statistics(), trim_pool() and set_pool_cap()",
    "grad": "nothing: there are no derivatives; gradient(x) calculates differences",
    "heaviside": "where(x == 0, h, astype(x > 0, x.dtype))",
    "histogram_bin_edges": "histogram(x)[1]",
    "hsplit": "split(x, n, axis=1)",
    "identity": "eye(n)",
    "in1d": "isin",
    "indices": "stack(meshgrid(arange(n), arange(m), indexing='ij'))",
    "inner": "x @ y of vectors, tensordot(x, y, axes=([-1], [-1])) of more axes",
    "insert": "concat([x[:i], y, x[i:]])",
    "intersect1d": "u[isin(u, y)] with u = unique_values(x)",
    "iscomplexobj": "isdtype(x.dtype, 'complex floating')",
    "isneginf": "x == -inf",
    "isposinf": "x == inf",
    "isrealobj": "not isdtype(x.dtype, 'complex floating')",
    "issubdtype": "isdtype(dtype, kind)",
    "ix_": "x[rows[:, None], columns]",
    "jit": "nothing: operations fuse by themselves",
    "kron": "outer(x, y).ravel() of vectors, reshape(einsum('ij,kl->ikjl', x, y), shape) of "
    "matrices, with the products of their extents as shape",
    "logspace": "10 ** linspace(a, b, n)",
    "matvec": "einsum('...ij,...j->...i', x, y)",
    "memmap": "load(file, mmap_mode='r+')",
    "mgrid": "meshgrid(arange(n), arange(m), indexing='ij')",
    "msort": "sort(x, axis=0)",
    "nan_to_num": "where(isnan(x), 0, x), then clip for infinities",
    "ndim": "x.ndim",
    "ogrid": "arange(n)[:, None] and arange(m)",
    "place": "x[mask] = values",
    "polyval": "functools.reduce(lambda v, c: v * x + c, p, zeros_like(x)), x of int64 or floats",
    "promote_types": "result_type",
    "ptp": "max(x) - min(x)",
    "putmask": "x[mask] = values",
    "r_": "concat(arrays)",
    "rad2deg": "x * (180 / pi)",
    "radians": "x * (pi / 180)",
    "ravel_multi_index": "i * m + j of places in an n x m array",
    "rollaxis": "moveaxis",
    "rot90": "flip(matrix_transpose(x), axis=0)",
    "savez_compressed": "savez, which does not compress; load reads compressed archives",
    "select": "where(a, x, where(b, y, z))",
    "setdiff1d": "u[~isin(u, y)] with u = unique_values(x)",
    "setflags": "broadcast_to(x, x.shape), a read-only view, or x.copy(), which is writable",
    "shape": "x.shape",
    "shares_memory": "numpy.shares_memory(x, y)",
    "sinc": "where(x == 0, 1, sin(pi * x) / (pi * x))",
    "size": "x.size",
    "sort_complex": "sort(astype(x, complex128))",
    "synchronize_array_data": "isthmus.synchronize(x.device)",
    "tensor": "asarray",
    "to_device": "x.to_device(device)",
    "to_numpy": "x.to_numpy()",
    "trapezoid": "sum((y[..., 1:] + y[..., :-1]) * diff(x), axis=-1) / 2",
    "trapz": "sum((y[..., 1:] + y[..., :-1]) * diff(x), axis=-1) / 2",
    "tri": "tril(ones((n, m)))",
    "union1d": "unique_values(concat(arrays))",
    "unique": "unique_values, unique_counts, unique_inverse and unique_all; of rows, numpy.unique "
    "of x.to_numpy()",
    "usm_ndarray": "isthmus.Array",
    "vecmat": "einsum('...i,...ij->...j', conj(x), y)",
    "vectorize": "isthmus.ElementwiseKernel",
    "vmap": "nothing: operations broadcast",
    "vsplit": "split(x, n)",
}

# Functions of NumPy that make arrays of numbers, texts or files.
MAKERS = (
    *("bartlett", "blackman", "diag_indices", "frombuffer", "fromfile", "fromfunction", "fromiter"),
    *("fromregex", "fromstring", "genfromtxt", "hamming", "hanning", "kaiser"),
    *("loadtxt", "mask_indices", "tril_indices", "triu_indices"),
)

# Functions of NumPy that have to do with no array, or with none of a dtype that there is here.
SETTINGS = (
    *("base_repr", "binary_repr", "busday_count", "busday_offset", "datetime_as_string"),
    *("datetime_data", "format_float_positional", "format_float_scientific", "get_include"),
    *("getbufsize", "geterr", "geterrcall", "info", "is_busday", "isnat", "isscalar"),
    *("mintypecode", "setbufsize", "seterr", "seterrcall", "show_runtime", "test", "typename"),
)
PRINTING = ("get_printoptions", "printoptions", "set_printoptions")

# Functions of NumPy that write to their first argument.
WRITERS = ("copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask")


def own_name(name: str) -> str | None:
    """What a function of NumPy is called here; None for what there is not."""
    import isthmus

    ours = SPELLINGS.get(name, name)
    return ours if ours in isthmus.__all__ or ours in FUNCTIONS else None


def _of_numpy(name: str) -> Any:
    """None if there is no such name; a look at some that there were warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(np, name, None)


def advice(name: str, known: Iterable[str]) -> str:
    """What would do in the place of a name that is not there; begins with "; ", or is empty."""
    of_numpy = _of_numpy(name)
    if name in INSTEAD:
        return f"; use instead: {INSTEAD[name]}"
    if name in special.__all__:
        return f"; use instead: isthmus.special.{name}"
    if name in PRINTING:
        return f"; numpy.{name} applies to arrays of Isthmus, too"
    if isinstance(of_numpy, type) and issubclass(of_numpy, np.generic | np.ndarray):
        if issubclass(of_numpy, np.ndarray):
            return "; isthmus.Array is the class of arrays"
        made = [n for n in known if _of_numpy(n) is of_numpy]  # np.intp is np.int64
        if made:
            return f"; use instead: isthmus.{made[0]}"
        return "; isthmus.float32, isthmus.int64 and others are dtypes"
    if name in MAKERS:
        return f"; isthmus.asarray(numpy.{name}(...)) converts NumPy's result"
    if name in SETTINGS or isinstance(of_numpy, type | ModuleType | float | bool):
        return f"; numpy.{name} is NumPy's own"
    if callable(of_numpy):  # a name near it would be of something else
        return f"; x.to_numpy() is an array that numpy.{name} accepts"
    names = {n.lower(): n for n in sorted(known) if not n.startswith("_")}  # array, not Array
    near = [names[n] for n in difflib.get_close_matches(name.lower(), names, 3, 0.7)]
    if near and of_numpy is None:
        return f"; similar names are: {', '.join(near)}"
    return f"; numpy.{name} is NumPy's own" if of_numpy is not None else ""


# Functions of numpy.linalg that there are not: what does the same here.
OF_LINALG = {
    "tensorinv": "isthmus.linalg.inv(x.reshape(n, n)), reshaped",
    "tensorsolve": "isthmus.linalg.solve(x.reshape(n, n), y.reshape(-1)), reshaped",
}


def advice_on_linalg(name: str) -> str:
    """What would do in the place of a function of linear algebra that is not there."""
    if name in OF_LINALG:
        return f"; use instead: {OF_LINALG[name]}"
    near = difflib.get_close_matches(name, linalg.__all__, 3, 0.7)
    return f"; similar names are: {', '.join(near)}" if near else ""


def advice_on_method(name: str) -> str:
    """What would do in the place of a method or a property of NumPy's arrays."""
    if name in INSTEAD:
        return f"; use instead: {INSTEAD[name]}"
    return f"; x.to_numpy().{name} is NumPy's"


# Methods of other libraries' arrays: what does the same here.
OF_OTHERS = {
    "H": "isthmus.conj(x.mT)",
    "asnumpy": "x.to_numpy()",
    "at": "x[indices] = values, or isthmus.add_at",
    "base_data": "x.to_pyopencl().base_data",
    "block_until_ready": "isthmus.synchronize(x.device)",
    "cpu": 'x.to_device("cpu")',
    "cuda": "x.to_device(device)",
    "detach": "x",
    "events": "x.to_pyopencl().events",
    "get": "x.to_numpy()",
    "map_to_host": "numpy.asarray(x), if the host can access the memory",
    "numpy": "x.to_numpy()",
    "ptp": "x.max() - x.min()",
    "queue": "x.sycl_queue, or x.to_pyopencl().queue",
    "set": "x[...] = values",
    "sycl_context": "x.memory.sycl_context",
    "sycl_device": "x.memory.sycl_device",
    "to": "x.to_device(device) or x.astype(dtype)",
    "tostring": "x.tobytes()",
    "type": "x.astype(dtype)",
    "unique": "isthmus.unique_values(x)",
    "unsafe_buffer_pointer": "x.__array_interface__['data'][0], if the host can access the memory",
    "usm_data": "x.memory",
    "values": "x.to_numpy()",
    "where": "isthmus.where(mask, x, y)",
    "with_queue": "with isthmus.Queue(q)",
}

# Functions that other libraries have as methods, too. help(Array) lists each of them.
AS_METHODS = (
    *("abs", "allclose", "bincount", "broadcast_to", "ceil", "concat", "concatenate", "cos"),
    *("cumulative_prod", "cumulative_sum", "diff", "erf", "exp", "expand_dims", "expm1", "flip"),
    *("floor", "gradient", "histogram", "isclose", "isfinite", "isin", "isinf", "isnan", "log"),
    *("log10", "log1p", "log2", "logsumexp", "matmul", "maximum", "median", "minimum", "nanmax"),
    *("nanmean", "nanmedian", "nanmin", "nanquantile", "nanstd", "nansum", "outer", "pad", "pow"),
    *("quantile", "roll", "sign", "sin", "sqrt", "square", "stack", "tan", "tanh", "tile"),
    *("topk", "tril", "triu"),
)
# The first parameter of functions of arrays.
OF_ARRAYS = re.compile(r"def \w+\((x1?: (Array|Elements)|(arrays|keys): )\b")
OPERANDS = {"arrays": "[x, y]", "keys": "[x, y]", "x1": "x", "x2": "y", "x3": "z"}


def functions_of_arrays() -> dict[str, str]:
    """The text of the signature of each function whose first argument is an array or several."""
    found = {}
    for space, module in (("isthmus.special", special), ("isthmus", _isthmus)):
        for name, function in vars(module).items():
            if not name.startswith("_") and hasattr(function, "__nb_signature__"):
                signature = function.__nb_signature__[0][0]
                if OF_ARRAYS.match(signature):
                    found[name] = f"{space} {signature}"
    return found


_WORDS = "the arguments that created the kernel"
_NO_BACKEND = "nothing: the code is OpenCL C"
_BUILD = "kernel.attributes(device), which builds it and returns what resources it uses"

# Of CuPy's classes of kernels: what does the same here.
OF_KERNELS: dict[str, dict[str, str]] = {
    "ElementwiseKernel": dict.fromkeys(("in_params", "out_params", "params"), _WORDS),
    "ReductionKernel": dict.fromkeys(("in_params", "out_params"), _WORDS),
    "RawKernel": {
        "backend": _NO_BACKEND,
        "kernel": _BUILD,
        "max_threads_per_block": "kernel.attributes(device)['largest_group']",
        "shared_size_bytes": "kernel.attributes(device)['local_bytes']",
        "local_size_bytes": "kernel.attributes(device)['private_bytes']",
    },
    "RawModule": {
        "backend": _NO_BACKEND,
        "get_global": "an array as an argument of the kernel",
    },
}


def install(array: type[Any]) -> None:
    """Has the class say what would do in the place of other libraries' methods that it has not."""
    functions = functions_of_arrays()

    def call(name: str) -> str:
        """Of a function, with the arguments that it must have."""
        space, _, signature = functions[SPELLINGS.get(name, name)].partition(" ")
        parameters = parse(signature).parameters.values()
        needed = [p for p in parameters if p.default is p.empty and p.kind != p.VAR_POSITIONAL]
        given = ", ".join(OPERANDS.get(p.name, p.name) for p in needed)
        return f"; use instead: {space}.{SPELLINGS.get(name, name)}({given})"

    _missing.install(array, np.ndarray, advice_on_method)
    _missing.add(array, OF_OTHERS, lambda name: f"; use instead: {OF_OTHERS[name]}")
    _missing.add(array, AS_METHODS, call)
    for kernel, names in OF_KERNELS.items():
        theirs = type(kernel, (), dict.fromkeys(names))
        hints = {name: f"; use instead: {advice}" for name, advice in names.items()}
        _missing.install(getattr(_isthmus, kernel), theirs, hints.__getitem__)


def find(name: str) -> Any:
    """For the module's __getattr__. Raises: AttributeError, with the nearest names there are."""
    import isthmus

    if name in FUNCTIONS:
        return FUNCTIONS[name]
    if name in SPELLINGS:
        return getattr(isthmus, SPELLINGS[name])
    if name == "lib":
        return lib
    text = advice(name, {*isthmus.__all__, *SPELLINGS, *FUNCTIONS})
    raise AttributeError(
        f"module 'isthmus' has no attribute {name!r}{text}", name=name, obj=isthmus
    )
