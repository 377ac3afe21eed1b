// simplify.cpp: a launch's loop as short as its operands allow.
#include <algorithm>
#include <cstdlib>

#include "isthmus/base/checked.h"
#include "isthmus/codegen/lower.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// All strides of one loop axis, across operands.
struct Operands {
  std::span<Argument> inputs, epilogue_inputs, outputs;

  template <class F>
  bool all_of(bool is_kept, F f) const {
    for (Argument& a : inputs)
      if (!a.strides.empty() && !f(a.strides)) return false;
    if (!is_kept) return true;
    for (Argument& a : epilogue_inputs)
      if (!a.strides.empty() && !f(a.strides)) return false;
    for (Argument& a : outputs)
      if (!f(a.strides)) return false;
    return true;
  }

  void erase(std::size_t axis, bool is_kept) {
    for (Argument& a : inputs)
      if (!a.strides.empty()) a.strides.erase(axis);
    if (!is_kept) return;
    for (Argument& a : epilogue_inputs)
      if (!a.strides.empty()) a.strides.erase(axis);
    for (Argument& a : outputs) a.strides.erase(axis);
  }

  void swap(std::size_t i, std::size_t j) {
    for (Argument& a : inputs)
      if (!a.strides.empty()) std::swap(a.strides[i], a.strides[j]);
    for (Argument& a : epilogue_inputs)
      if (!a.strides.empty()) std::swap(a.strides[i], a.strides[j]);
    for (Argument& a : outputs) std::swap(a.strides[i], a.strides[j]);
  }
};

}  // namespace

/// Of a loop without a turn the other extents mean nothing; as 1 their products fit.
static void shorten_empty(std::span<std::int64_t> extents) {
  const auto zero = std::ranges::find(extents, 0);
  if (zero == extents.end()) return;
  std::ranges::fill(extents, 1);
  *zero = 0;
}

void simplify(Program& program, Dims& shape, int& kept, std::span<Argument> inputs,
              std::span<Argument> epilogue_inputs, std::span<Argument> outputs) {
  const std::span<std::int64_t> extents(shape.begin(), shape.end());
  shorten_empty(extents.first(static_cast<std::size_t>(kept)));
  shorten_empty(extents.subspan(static_cast<std::size_t>(kept)));
  for (const Tape* tape : {&program.map, &program.epilogue})
    for (const Input& input : tape->inputs)
      if (input.kind == Input::Kind::index) return;  // axes have names in this program
  Operands operands{inputs, epilogue_inputs, outputs};
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] != 1) continue;
    const bool is_kept = static_cast<int>(i) < kept;
    shape.erase(i);
    operands.erase(i, is_kept || program.gives_all_axes());
    kept -= is_kept;
  }
  // kept axes: largest stride of the first output outermost
  const Dims& order = outputs[0].strides;
  for (int i = 1; i < kept; ++i)
    for (int j = i; j > 0 && std::abs(order[j - 1]) < std::abs(order[j]); --j) {
      std::swap(shape[j - 1], shape[j]);
      operands.swap(j - 1, j);
    }
  for (std::size_t i = shape.size(); i-- > 1;) {
    const bool is_kept = static_cast<int>(i) < kept;
    if (static_cast<int>(i) == kept) continue;  // the border between kept and reduced
    // where there are no elements, extents and strides may be of any size
    std::int64_t extent, next;
    if (!detail::product_fits(shape[i - 1], shape[i], extent)) continue;
    const bool is_one = operands.all_of(is_kept, [&](const Dims& strides) {
      return detail::product_fits(strides[i], shape[i], next) && strides[i - 1] == next;
    });
    if (!is_one) continue;
    shape[i - 1] = extent;
    operands.all_of(is_kept, [&](Dims& strides) {
      strides[i - 1] = strides[i];
      return true;
    });
    shape.erase(i);
    operands.erase(i, is_kept);
    kept -= is_kept;
  }
}

}  // namespace isthmus::inline ISTHMUS_ABI
