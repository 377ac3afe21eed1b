"""Isthmus: one n-d array type on plain CPUs, SYCL USM and OpenCL, sharing its memory.

The functions of the Array API standard 2025.12 that exist so far, and also devices, memory,
exchange and settings. ``python -m isthmus`` shows what this machine has.
"""

# the standard's names hide builtins: abs, all, any, bool, max, min, ...

# ruff: noqa: I001  # "x as x" below: public, for type checkers

import atexit as _atexit
import math as _math
import site as _site
import sysconfig as _sysconfig
from typing import TYPE_CHECKING as _TYPE_CHECKING

from isthmus import (
    _isthmus,
    cache as cache,
    linalg as linalg,
    memory as memory,
    random as random,
    special as special,
)
from isthmus._arguments import install as _install_argument_errors
from isthmus._array_api import (
    __array_namespace_info__ as __array_namespace_info__,
    can_cast as can_cast,
    finfo as finfo,
    iinfo as iinfo,
    isdtype as isdtype,
    result_type as result_type,
)
from isthmus._attributes import install as _install_attributes
from isthmus._config import check_environment as _check_environment, config as config
from isthmus._files import load as load, save as save, savez as savez
from isthmus._isthmus import *  # noqa: F403
from isthmus._isthmus import (  # noqa: F401
    Array,
    Device,
    Error,
    fusing as fusing,
    implicit_host_copy as implicit_host_copy,
    op_table,
    reduction_table,
)
from isthmus._logging import install as _install_logging
from isthmus._pickling import install as _install_pickling
from isthmus._printing import install as _install_printing
from isthmus._names import find as _find_name, install as _install_names
from isthmus._profile import install as _install_profile, profile as profile
from isthmus._settings import (
    default_device as default_device,
    devices as devices,
    fuse as fuse,
    set_default_device as set_default_device,
)
from isthmus._show_config import show_config as show_config
from isthmus._signatures import install as _install_signatures
from isthmus._warnings import (
    CompilerWarning as CompilerWarning,
    PerformanceWarning as PerformanceWarning,
)

# where wheels put their libraries: of this environment, and of pip install --user
_isthmus._set_up_runtimes([f"{_sysconfig.get_path('data')}/lib", f"{_site.getuserbase()}/lib"])
_atexit.register(_isthmus._end_compiling)
_install_printing(Array)
_install_attributes(Array)
_install_names(Array)
_install_logging()
_install_pickling()
_install_profile()
_install_signatures()
_install_argument_errors()
_check_environment()
_OPERATION_NAMES = tuple(row["name"] for row in op_table + reduction_table if not row.get("space"))

bool = _isthmus.bool
e = _math.e
inf = _math.inf
nan = _math.nan
newaxis = None
pi = _math.pi

__version__ = _isthmus._version
__array_api_version__ = "2025.12"

__all__ = [
    *_OPERATION_NAMES,
    *("mean", "Array", "Context", "Device", "Error", "Queue"),
    *("ElementwiseKernel", "LocalMemory", "RawKernel", "RawModule"),
    *("ReductionKernel", "ScanKernel"),
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
    *("e", "inf", "nan", "newaxis", "pi"),
    *("arange", "asarray", "empty", "empty_like", "eye", "from_dlpack", "from_memory"),
    *("from_pyopencl", "full", "full_like", "linspace", "memory", "ones", "ones_like", "zeros"),
    *("zeros_like", "load", "save", "savez"),
    *("astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"),
    *("broadcast_arrays", "broadcast_shapes", "broadcast_to", "concat", "expand_dims", "flip"),
    *("allclose", "array_equal", "count_nonzero", "isclose"),
    *("argmax", "argmin", "average", "logsumexp", "min_max", "std", "unravel_index", "var"),
    *("nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmean", "nanprod", "nanstd"),
    *("nansum", "nanvar", "divmod", "frexp", "modf"),
    *("diagonal", "gradient", "pad", "sliding_window_view", "trace"),
    *("argwhere", "flatnonzero", "nonzero", "put", "put_along_axis", "take", "take_along_axis"),
    *("digitize", "interp", "searchsorted", "argsort", "sort"),
    *("cumulative_max", "cumulative_min", "cumulative_prod", "cumulative_sum"),
    *("diff", "hstack", "meshgrid", "repeat", "roll", "split", "tile", "tril", "triu", "vstack"),
    *("add_at", "bincount", "histogram", "median", "nanmedian", "percentile", "quantile"),
    *("nanpercentile", "nanquantile"),
    *("argpartition", "argsort", "lexsort", "partition", "sort", "topk"),
    *("isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"),
    *("convolve", "corrcoef", "correlate", "cov"),
    *("cross", "dot", "einsum", "linalg", "matmul", "outer", "tensordot", "vdot", "vecdot"),
    *("matrix_transpose", "moveaxis", "permute_dims", "reshape", "squeeze", "stack", "unstack"),
    *("__array_namespace_info__", "__array_api_version__", "__version__"),
    *(
        "config",
        "counters",
        "current_queue",
        "default_device",
        "devices",
        "explain",
        "fuse",
        "fusing",
    ),
    *(
        "profile",
        "protocols",
        "random",
        "special",
        "set_default_device",
        "statistics",
        "synchronize",
    ),
    *("BackendUnavailableError", "CompileError", "CopyRefusedError", "DeviceMismatchError"),
    *("DeviceNotFoundError", "ExchangeError", "FileError", "ImplicitHostCopyError", "LaunchError"),
    *("OutOfMemoryError", "PromotionError", "CompilerWarning", "PerformanceWarning"),
    *("Explanation", "cache", "implicit_host_copy", "show", "show_config", "source"),
]


if not _TYPE_CHECKING:  # type checkers know the names that there are

    def __getattr__(name: str) -> object:
        """NumPy's other names, which are not listed; see _names.py."""
        return _find_name(name)
