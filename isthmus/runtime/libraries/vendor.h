// vendor.h: where the runtimes of vendors lie that package managers bring, and how others find
// them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Adds a folder in which libraries such as libintelocl.so and libsycl.so.9 are looked for, in the
/// place of the usual ones. Any thread; counts for what has not been looked for yet. Throws
/// ValueError for a path with a NUL.
ISTHMUS_EXPORT void add_vendor_folder(const std::filesystem::path& folder);

/// The file of that name in the first folder that has it: ISTHMUS_RUNTIME_DIR, added folders, where
/// a wheel beside this library puts it, and unless folders were added the usual places: the folder
/// of this library, `lib` of the active Python or Conda environment, Intel's oneAPI, ~/.local/lib
/// and /usr/local/lib. Empty if none has. Never a versioned twin, since the same library opened
/// under two names is loaded twice.
ISTHMUS_EXPORT std::filesystem::path find_vendor_file(std::string_view name);

/// Makes the OpenCL loaders of this process, SYCL's and PyOpenCL's among them, find Intel's CPU
/// runtime if it is in a vendor folder: sets OCL_ICD_FILENAMES and OCL_ICD_VENDORS where the user
/// has not, and maps the loader that reads the former. Calls no driver. Once, by the first use of a
/// device other than the host; a program that lists SYCL's or OpenCL's devices before that calls it
/// first. ISTHMUS_NO_RUNTIME_SETUP=1 turns it off. Any thread; not while another calls setenv().
ISTHMUS_EXPORT void set_up_vendor_runtimes();

}  // namespace isthmus::inline ISTHMUS_ABI
