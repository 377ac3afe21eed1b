// isthmus.h: the public API, and nothing else.
#pragma once

#include "isthmus/array/create.h"
#include "isthmus/array/format.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index.h"
#include "isthmus/array/manipulate.h"
#include "isthmus/exchange/dlpack.h"
#include "isthmus/exchange/native.h"
#include "isthmus/exchange/span.h"
#include "isthmus/runtime/fusing.h"
#include "isthmus/runtime/memory_pool.h"
#include "isthmus/runtime/queues.h"
#include "isthmus/runtime/registry.h"
#include "isthmus/runtime/settings.h"
#include "isthmus/runtime/statistics.h"
#include "isthmus/runtime/vendor.h"
