// words.cpp: Python's words in texts of the core.
#include "isthmus/base/words.h"

#include "python/src/bind/bind.h"

namespace isthmus::python {

static constexpr Words python_words{
    .assign = "setitem",
    .assign_all = "y[...] = x",
    .to_dlpack = "__dlpack__",
    .borrow_dlpack = "dltensor_from_py_object",
    .tensors = "capsules",
    .enter_queue = "with isthmus.Queue(...):",
    .no_copy = "copy=False",
    .copy_to_host = "to_device(\"cpu\")",
    .ask_for_host = "ask for dl_device=(1, 0) to copy it, or use to_device(\"cpu\")",
    .carry_structs = "the buffer protocol and __array_interface__ carry structs",
    .lend_read_only = "pass max_version=(1, 0) or copy=True",
    .read_field = "NumPy reads it: x.to_numpy()['{}']",
    .align_fields =
        "make the dtype with align=True, or with 'offsets' and 'itemsize' where that is not "
        "enough, or copy the field by NumPy: "
        "x.to_numpy()['{}']",
    .find_libraries = "pip install \"isthmus[{}]\" brings what it needs",
    .find_opencl = "pip install \"isthmus[opencl]\" brings Intel's for CPUs",
    .find_sycl = "pip install \"isthmus[sycl]\" brings Intel's runtime for CPUs",
    .list_sycl_later =
        "its list was made before isthmus was imported, and is made once; import isthmus before "
        "dpctl or dpnp are used",
    .examine_runtime = "`python -m isthmus doctor` says what it lacks",
};

void set_python_words() { set_words(python_words); }

}  // namespace isthmus::python
