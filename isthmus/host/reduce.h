// reduce.h: a reduction under way, and the two orders in which its elements may be visited.
#pragma once

#include "isthmus/host/loops.h"

namespace isthmus::host {

/// What the loops of a reduction share.
struct Job {
  const RowTable& rows;
  const Tape& tape;
  std::span<const Argument> arguments;
  Fold fold;
  Row combine;
  std::int64_t bytes;          ///< Of an accumulator.
  std::int64_t kept, reduced;  ///< Elements.
  std::int64_t chunks;
  std::int64_t group;  ///< Chunks to a group, a power of two; one value each is written.
  char* partial;       ///< [group][kept]

  std::int64_t groups() const { return divided_up(chunks, group); }
};

/// Fill Job::partial, a chunk of a kept element at a time (inner: `walk` ends with the reduced
/// axes), or a reduced element of many kept ones (outer: it ends with the kept axes). The bits are
/// the same.
void reduce_inner(Job job, const Walk& walk, std::span<const Operand> operands);
void reduce_outer(Job job, const Walk& walk, std::span<const Operand> operands);

}  // namespace isthmus::host
