// settings.h: how programs are run, as the environment or the user says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

class Device;

/// Where programs on memory that the host reaches run: small ones, and others of CPU devices.
enum class Inline : std::uint8_t { never, always, automatic };
/// That of ISTHMUS_INLINE, or what was set.
ISTHMUS_EXPORT Inline inline_policy();
/// For all threads.
ISTHMUS_EXPORT void set_inline_policy(Inline policy);

/// Whether operations run when they are called: ISTHMUS_EAGER=1.
ISTHMUS_EXPORT bool is_eager();
/// For all threads.
ISTHMUS_EXPORT void set_eager(bool eager);

/// The library that multiplies matrices in memory that the host reaches, and its file: "OpenBLAS
/// 0.3.34, /usr/lib/libopenblas.so.0"; "builtin" if there is none. The first call opens it.
ISTHMUS_EXPORT std::string blas_library();
/// The library of the device's vendor that multiplies matrices in memory that the host does not
/// reach: oneMKL of `sycl`. Empty: there is none, and a kernel of ours does.
ISTHMUS_EXPORT std::string blas_library(const Device& device);
/// What was set, or ISTHMUS_BLAS says: "auto", "openblas", "builtin", or the path of a library.
ISTHMUS_EXPORT std::string blas_setting();
/// For all threads. `wanted` is "auto", "openblas", "builtin" or the path of a library, with a
/// slash in it. Opens it; throws ValueError, and changes nothing, if there is none such.
ISTHMUS_EXPORT void set_blas(std::string_view wanted);

}  // namespace isthmus::inline ISTHMUS_ABI
