// isthmus.h: the public API, and nothing else.
#pragma once

#include "isthmus/array/create.h"
#include "isthmus/array/field.h"
#include "isthmus/array/format.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index.h"
#include "isthmus/array/look.h"
#include "isthmus/array/manipulate.h"
#include "isthmus/array/types.h"
#include "isthmus/base/log.h"
#include "isthmus/exchange/asarray.h"
#include "isthmus/exchange/dlpack.h"
#include "isthmus/exchange/explain.h"
#include "isthmus/exchange/memory.h"
#include "isthmus/exchange/native.h"
#include "isthmus/exchange/span.h"
#include "isthmus/runtime/cache.h"
#include "isthmus/runtime/devices.h"
#include "isthmus/runtime/exit.h"
#include "isthmus/runtime/fusing.h"
#include "isthmus/runtime/pool.h"
#include "isthmus/runtime/profile.h"
#include "isthmus/runtime/queue.h"
#include "isthmus/runtime/settings.h"
#include "isthmus/runtime/show_config.h"
#include "isthmus/runtime/statistics.h"
#include "isthmus/runtime/vendor.h"
#include "isthmus/version.h"

/// All of the library. What is in `detail` is no part of its interface.
namespace isthmus::inline ISTHMUS_ABI {}
