// results.cpp: several results of one call.
#include "isthmus/array/results.h"

#include "isthmus/runtime/evaluate/evaluate.h"
#include "isthmus/runtime/settings.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

bool is_eager_now() { return is_eager() && !WrittenAtOnce::is_on(); }

void link(std::span<const Array> results) {
  SmallVector<Storage*, 4> storages;
  for (const Array& result : results) storages.push_back(result.storage().get());
  link_results({storages.begin(), storages.end()});
}

void finish(std::span<const Array> results, bool is_at_once) {
  SmallVector<Ref<Storage>, 4> storages;
  for (const Array& result : results) storages.push_back(result.storage());
  if (is_at_once) evaluate({storages.begin(), storages.end()});
  for (const Ref<Storage>& storage : storages) storage->raise_if_failed();
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
