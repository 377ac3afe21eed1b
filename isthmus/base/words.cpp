// words.cpp: C++'s words.
#include "isthmus/base/words.h"

#include <atomic>

namespace isthmus::inline ISTHMUS_ABI {

static constexpr Words cpp_words{
    .assign = "assign",
    .assign_all = "assign(y, x)",
    .to_dlpack = "to_dlpack",
    .borrow_dlpack = "borrow_dlpack",
    .tensors = "tensors",
    .enter_queue = "OnQueue",
    .no_copy = "copy = false",
    .copy_to_host = "to_device(x, Device())",
    .ask_for_host = "copy it to the host first, by to_device(x, Device())",
    .carry_structs = "its fields, field(x, name), have one each",
    .lend_read_only = "use to_dlpack, or copy it first",
    .read_field = "the field '{}' can be read from host_address(x)",
    .align_fields = "leave gaps in the struct that align it, or read '{}' from host_address(x)",
    .find_libraries =
        "name the folder that has what '{}' needs by ISTHMUS_RUNTIME_DIR or "
        "add_vendor_folder()",
    .find_opencl =
        "install one, or name the folder of Intel's libintelocl.so by "
        "ISTHMUS_RUNTIME_DIR or add_vendor_folder()",
    .find_sycl =
        "name the folder of Intel's libintelocl.so by ISTHMUS_RUNTIME_DIR or "
        "add_vendor_folder()",
    .list_sycl_later =
        "its list was made before Isthmus looked for devices, and is made once; "
        "call set_up_vendor_runtimes() before",
    .examine_runtime = "`ldd` says what it lacks",
};

static constinit std::atomic<const Words*> current{&cpp_words};

const Words& words() noexcept { return *current.load(std::memory_order_acquire); }
void set_words(const Words& words) noexcept { current.store(&words, std::memory_order_release); }

}  // namespace isthmus::inline ISTHMUS_ABI
