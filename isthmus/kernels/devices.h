// devices.h: where users' kernels run.
#pragma once

#include <span>
#include <string_view>

#include "isthmus/array/array.h"
#include "isthmus/core/user_function.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// The device itself, or for the host one that works on its memory where it lies. Throws
/// UnsupportedError where there is none, or no language for users' kernels.
Device kernel_device(std::string_view who, const Device& device);

/// The device itself, if each of the functions can be called there: in the user's words, or in the
/// steps that are known of it. Else as kernel_device(), in an error that says so.
Device function_device(std::string_view who, const Device& device,
                       std::span<const UserFunctionRef> functions);

/// The array where the device's kernels work on it: itself, or its memory as one of the device.
/// Throws UnsupportedError where the device cannot reach it.
Array on_kernel_device(std::string_view who, const Array& x, const Device& device);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
