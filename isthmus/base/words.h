// words.h: what texts of errors say that each language spells its own way.
#pragma once

#include <string_view>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A `{}` is filled as by format(). C++'s own, unless a host language has set others.
struct Words {
  std::string_view assign;           ///< The function that writes to an array.
  std::string_view assign_all;       ///< A statement that copies x to y, which is there.
  std::string_view to_dlpack;        ///< The function that makes DLPack tensors.
  std::string_view borrow_dlpack;    ///< The function that lends them.
  std::string_view tensors;          ///< What it makes.
  std::string_view enter_queue;      ///< How to work on a queue for a while.
  std::string_view no_copy;          ///< How it was said that nothing may be copied.
  std::string_view copy_to_host;     ///< How to copy an array to the host, after "or".
  std::string_view ask_for_host;     ///< How to have DLPack show the host's memory.
  std::string_view carry_structs;    ///< How structs cross that DLPack has no code for.
  std::string_view lend_read_only;   ///< How read-only memory crosses by DLPack.
  std::string_view read_field;       ///< How to read a field of a foreign dtype: {}.
  std::string_view align_fields;     ///< How to have fields fall on whole elements: {}.
  std::string_view find_libraries;   ///< How what a backend needs is found: {}.
  std::string_view find_opencl;      ///< How Intel's OpenCL driver is found.
  std::string_view find_sycl;        ///< How Intel's driver below SYCL is found.
  std::string_view list_sycl_later;  ///< How to have SYCL list devices after our setup.
  std::string_view examine_runtime;  ///< What says why a runtime does not load.
};

ISTHMUS_EXPORT const Words& words() noexcept;
/// The host language's, which stay as long as the process.
ISTHMUS_EXPORT void set_words(const Words& words) noexcept;

}  // namespace isthmus::inline ISTHMUS_ABI
