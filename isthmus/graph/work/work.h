// work.h: what a node does: one kind of work, each in a file of its own.
#pragma once

#include <variant>

#include "isthmus/graph/work/call.h"
#include "isthmus/graph/work/concat.h"
#include "isthmus/graph/work/guard.h"
#include "isthmus/graph/work/map.h"
#include "isthmus/graph/work/read.h"
#include "isthmus/graph/work/reduce.h"
#include "isthmus/graph/work/scan.h"
#include "isthmus/graph/work/sort.h"
#include "isthmus/graph/work/store.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The kinds of work. Code that must know which one it is asks it (see answers.h), or has one
/// overload for each kind.
using Work = std::variant<work::Map, work::Read, work::Store, work::Call, work::Reduce, work::Scan,
                          work::Sort, work::Concat, work::Guard>;

}  // namespace isthmus::inline ISTHMUS_ABI
