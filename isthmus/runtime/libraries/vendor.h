// vendor.h: how the library and others find the vendor runtimes that package managers install.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Adds a folder in which to search for libraries such as libintelocl.so and libsycl.so.9, instead
/// of the usual folders. Any thread; affects only later searches. Throws ValueError for a path with
/// a NUL.
ISTHMUS_EXPORT void add_vendor_folder(const std::filesystem::path& folder);

/// The file of this name in the first folder that contains it: ISTHMUS_RUNTIME_DIR, added folders,
/// the place where a wheel next to this library installs it, and, unless folders were added, the
/// usual places: the folder of this library, `lib` of the active Python or Conda environment,
/// Intel's oneAPI, ~/.local/lib and /usr/local/lib. Empty if there is none. Never a file with
/// another version suffix, because the same library opened under two names is loaded twice.
ISTHMUS_EXPORT std::filesystem::path find_vendor_file(std::string_view name);

/// Makes the OpenCL loaders of this process, including those of SYCL and PyOpenCL, find Intel's CPU
/// runtime if it is in a vendor folder: sets OCL_ICD_FILENAMES and OCL_ICD_VENDORS unless the user
/// has set them, and maps the loader that reads the former. Does not call a driver. The first use
/// of a device other than the host calls it once; a program that lists SYCL or OpenCL devices
/// earlier must call it first. ISTHMUS_NO_RUNTIME_SETUP=1 disables it. Any thread, but not while
/// another thread calls setenv().
ISTHMUS_EXPORT void set_up_vendor_runtimes();

}  // namespace isthmus::inline ISTHMUS_ABI
