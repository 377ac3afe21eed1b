// find_drivers.h: the files of OpenCL drivers, without a loader and without environment variables.
#pragma once

#include <string>
#include <vector>

namespace isthmus::driver {

/// What may be an OpenCL driver, best first and each once: OCL_ICD_FILENAMES, OCL_ICD_VENDORS (a
/// folder of .icd files or one library) or /etc/OpenCL/vendors, Intel's from a vendor folder, and
/// the usual names. Files need not exist.
std::vector<std::string> driver_files();

}  // namespace isthmus::driver
