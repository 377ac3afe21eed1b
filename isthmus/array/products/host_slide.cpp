// host_slide.cpp: one sequence along another, as a row times a matrix whose rows overlap.
#include <algorithm>

#include "isthmus/array/create/create.h"
#include "isthmus/array/host_elements.h"
#include "isthmus/array/place.h"
#include "isthmus/array/products/host_product.h"
#include "isthmus/core/internal.h"
#include "isthmus/host/host_executor.h"
#include "isthmus/host/product.h"
#include "isthmus/runtime/observe/records.h"
#include "isthmus/runtime/submit/run_here.h"
#include "isthmus/runtime/submit/submission.h"
#include "isthmus/runtime/unblocked.h"
#include "isthmus/threads/executor.h"
#include "isthmus/threads/interrupts.h"

namespace isthmus::inline ISTHMUS_ABI {

std::optional<Array> slide_on_host(std::string_view who, const Array& x, const Array& y) {
  const TypeId type = x.dtype().id;
  if (type != TypeId::float32 && type != TypeId::float64) return std::nullopt;
  if (!host_works_for(x.device())) return std::nullopt;
  x.eval();
  y.eval();
  const std::int64_t length = y.size(), count = x.size() - length + 1;
  Array made = empty({count}, x.dtype(), x.device());
  const char *const longer = host_elements(x), *const shorter = host_elements(y);
  char* const out = host_elements(made);
  if (!longer || !shorter || !out) return std::nullopt;
  BackendMemory* const reads[] = {x.storage()->memory().get(), y.storage()->memory().get()};
  BackendMemory* const writes[] = {made.storage()->memory().get()};
  const Ref<BackendQueue> of_host;
  Submission(of_host, reads, writes).wait();
  const std::int64_t begin = profiled_now();
  // Multiplications, and elements, that are worth a thread's turn: a few tiles of registers, but
  // not so many that an interrupt has to wait.
  constexpr std::int64_t work_of_chunk = 1 << 18, few = 1 << 10, most_work = 1 << 28;
  const std::int64_t chunk = std::max(work_of_chunk / length,
                                      std::min(few, std::max(most_work / length, std::int64_t{1})));
  const std::int64_t bytes = x.dtype().bytes();
  const auto run_some = [&](std::int64_t first, std::int64_t last) {
    const ProductShape shape{1, length, last - first};
    host::run_small_product(type, shape, {shorter, length, false},
                            {longer + first * bytes, 1, false}, out + first * bytes);
  };
  {
    const Unblocked unblocked(count > work_of_chunk / length);
    const Interruptible interruptible(true);  // what is written is new memory
    parallel_for(count, chunk, run_some);
  }
  note_host_work(who, {count, length}, made.device(), begin);
  return made;
}

}  // namespace isthmus::inline ISTHMUS_ABI
