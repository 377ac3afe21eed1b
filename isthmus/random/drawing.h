// drawing.h: the inside of a generator.
#pragma once

#include "isthmus/base/mutex.h"
#include "isthmus/random/draw.h"

namespace isthmus::inline ISTHMUS_ABI::random {

struct Generator::Impl {
  mutable Mutex mutex;
  State state;

  /// Counters for so many elements, of which a block gives `of_block`; `first` counts elements.
  Drawn take(std::int64_t elements, std::int64_t of_block);
  /// All elements of a target by a row that takes the key and the stream.
  Array draw(const Target& target, Op op) {
    const Drawn drawn = take(target.count(), 16 / target.dtype.bytes());
    const Value others[] = {drawn.key, drawn.stream};
    return random::draw(target, op, drawn.first, others);
  }
  /// The same by a row that draws as often as it must for an element, with a parameter.
  Array draw_in_loops(const Target& target, Op op, const Value& parameter);
};

}  // namespace isthmus::inline ISTHMUS_ABI::random
