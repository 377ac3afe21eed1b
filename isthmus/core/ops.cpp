// ops.cpp: the tables that programs see, parts of those that the library uses.
#include "isthmus/core/ops.h"

namespace isthmus::inline ISTHMUS_ABI {

// Made by the compiler, so that code which runs before main() finds them.
constinit const std::span<const OpInfo> op_table(all_ops.data(),
                                                 static_cast<std::size_t>(Op::astype));
constinit const std::span<const ReductionInfo> reduction_table(all_reductions.data(),
                                                               std::size_t{reduction_count});

}  // namespace isthmus::inline ISTHMUS_ABI
