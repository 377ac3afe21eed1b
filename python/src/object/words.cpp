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
    .ask_for_host = "request dl_device=(1, 0) to copy it, or use to_device(\"cpu\")",
    .carry_structs = "the buffer protocol and __array_interface__ support structs",
    .lend_read_only = "pass max_version=(1, 0) or copy=True",
    .read_field = "read it by NumPy: x.to_numpy()['{}']",
    .align_fields =
        "make the dtype with align=True, or with 'offsets' and 'itemsize' where that is not "
        "enough, or copy the field by NumPy: "
        "x.to_numpy()['{}']",
    .find_libraries = "pip install \"isthmus[{}]\" installs what it needs",
    .find_opencl = "pip install \"isthmus[opencl]\" installs Intel's for CPUs",
    .find_sycl = "pip install \"isthmus[sycl]\" installs Intel's runtime for CPUs",
    .list_sycl_later =
        "its list was created before isthmus was imported, and is created only once; import "
        "isthmus before dpctl or dpnp are used",
    .examine_runtime = "`python -m isthmus doctor` shows what is missing",
};

void set_python_words() { set_words(python_words); }

}  // namespace isthmus::python
