// settings.h: settings for running kernels, by the environment or the user.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

class Device;

/// Whether the host runs kernels on memory that it can access: small ones, and others of CPU
/// devices.
enum class Inline : std::uint8_t { never, always, automatic };
/// The policy of ISTHMUS_INLINE, or the one that was set.
ISTHMUS_EXPORT Inline inline_policy();
/// For all threads.
ISTHMUS_EXPORT void set_inline_policy(Inline policy);

/// Whether operations run immediately when called: ISTHMUS_EAGER=1.
ISTHMUS_EXPORT bool is_eager();
/// For all threads.
ISTHMUS_EXPORT void set_eager(bool eager);

/// The library that multiplies matrices in memory that the host can access, and its file: "OpenBLAS
/// 0.3.34, /usr/lib/libopenblas.so.0"; "builtin" if there is none. The first call opens it.
ISTHMUS_EXPORT std::string blas_library();
/// The vendor library of the device that multiplies matrices in memory that the host cannot access:
/// oneMKL for `sycl`. Empty if there is none, and a kernel of this library is used.
ISTHMUS_EXPORT std::string blas_library(const Device& device);
/// The setting, initially that of ISTHMUS_BLAS: "auto", "openblas", "builtin", or the path of a
/// library.
ISTHMUS_EXPORT std::string blas_setting();
/// For all threads. `wanted` is "auto", "openblas", "builtin" or the path of a library, which must
/// contain a slash. Opens the library; throws ValueError, and changes nothing, if it does not
/// exist.
ISTHMUS_EXPORT void set_blas(std::string_view wanted);

}  // namespace isthmus::inline ISTHMUS_ABI
