// indexed_kernel.h: texts about the elements x[i] that the host can calculate itself.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/array/array.h"
#include "isthmus/codegen/program.h"
#include "isthmus/core/queue.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A text in OpenCL C like `y[i] = a * x[i] + y[i]`, as a map that the host runs on arrays where
/// they lie: for a call that would take a driver longer to launch. Never changed.
class ISTHMUS_EXPORT IndexedKernel {
 public:
  struct Parameter {
    std::string name;
    TypeId type = TypeId::float32;
    bool is_array = false;  ///< Else a number.
  };
  /// Nothing unless the text is plain arithmetic, see detail::read_arithmetic(), without functions
  /// that are rounded in several ways, that names arrays as `x[i]` alone, and `i` nowhere else.
  static std::optional<IndexedKernel> read(std::string_view operation,
                                           std::vector<Parameter> parameters);

  /// Calculates the first `count` elements of dense arrays, whose elements have the sizes of the
  /// parameters' types. `arrays` and `numbers` are in the order of the parameters. False, and
  /// nothing was written, where a kernel on the queue has to do it: config.inline or a profile of
  /// the queue wants one, the memory is out of reach, not at rest, read-only or too short, or what
  /// is written overlaps another array, so that the order of elements would matter. Waits for what
  /// the arrays are calculated from, and throws its errors.
  bool run(BackendQueue& queue, std::int64_t count, std::span<const Array* const> arrays,
           std::span<const Scalar> numbers) const;

 private:
  std::vector<Parameter> parameters_;
  std::vector<std::size_t> written_;  ///< The parameters that the outputs are, in their order.
  Program program_;                   ///< Its inputs are the parameters, then numbers of the text.
  std::vector<Scalar> numbers_;       ///< Those.
  bool has_fp64_ = false;
};

}  // namespace isthmus::inline ISTHMUS_ABI
