// results.h: several results of one call.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "isthmus/array/array.h"
#include "isthmus/runtime/evaluate/put_off.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// Whether what a call makes is evaluated before the call returns, in eager mode.
bool is_eager_now();
/// Makes pending arrays the results of one call; see link_results().
void link(std::span<const Array> results);
/// Evaluates them, if `is_at_once`. Throws the error of a result that has failed.
void finish(std::span<const Array> results, bool is_at_once);

/// What make() gives, arrays of one shape, none of which is calculated from another: results that
/// come from one kernel. Meanwhile nothing runs, over shared memory and in eager mode too.
template <std::size_t count>
std::array<Array, count> from_one_kernel(auto make) {
  const bool is_at_once = is_eager_now();
  std::array<Array, count> results;
  {
    const WrittenAtOnce meanwhile;
    results = make();
    link(results);
  }
  finish(results, is_at_once);
  return results;
}

/// The same, of as many as there are.
std::vector<Array> from_one_kernel(auto make) {
  const bool is_at_once = is_eager_now();
  std::vector<Array> results;
  {
    const WrittenAtOnce meanwhile;
    results = make();
    if (results.size() > 1) link(results);
  }
  finish(results, is_at_once);
  return results;
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
