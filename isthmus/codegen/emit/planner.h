// planner.h: the parts that the passes of a launch are made of.
#pragma once

#include <algorithm>
#include <bit>

#include "isthmus/codegen/emit/signature.h"

namespace isthmus::emitting {

/// A launch to passes, which its shape adds.
class Planner {
 public:
  Planner(const Program& program, const Launch& launch, const Traits& traits);

  /// Operands in memory of these kinds, in this order; the scratch stands last.
  Pass& add_pass(std::string_view entry, std::initializer_list<Pointer::Of> of);
  /// Items along a dimension, in groups of `local`.
  static void set(Pass& pass, int dimension, std::int64_t items, std::int64_t local) {
    pass.local[dimension] = static_cast<std::size_t>(local);
    pass.global[dimension] = static_cast<std::size_t>((items + local - 1) / local * local);
    pass.dimensions = std::max(pass.dimensions, dimension + 1);
  }

  /// Work-items of a group: so many that starting a group costs little beside its work.
  std::int64_t group_items() const {
    return std::min<std::int64_t>(traits.is_cpu ? 1024 : 256, traits.largest_group);
  }
  /// A power of two not much beyond `items`.
  static std::int64_t group_side(std::int64_t items, std::int64_t most) {
    const auto side = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(items)));
    return std::clamp<std::int64_t>(side, 1, most);
  }
  /// A word of the shape's own, for the passes that are added from now on.
  std::int64_t& own_word(int index) {
    return words[static_cast<std::size_t>(signature.own_word + index)];
  }

  const Program& program;
  const Form& form;
  const Launch& launch;
  const Traits& traits;
  const Signature signature;
  std::int64_t kept = 1, reduced = 1;  ///< Elements of the axes that are kept, and of the others.
  std::vector<std::int64_t> words;
  Passes result;

 private:
  void fill_words();
  void fill_words_of(const Operand& operand);
};

/// One work-item for each element of the loop, and the pass `entry` of them.
Form map_form(const Program& program, const Launch& launch);
void plan_map(Planner& planner, std::string_view entry, std::initializer_list<Pointer::Of> of);

}  // namespace isthmus::emitting
