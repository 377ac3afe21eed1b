// device_product.cpp: products of matrices by a kernel or a library of the device.
#include "isthmus/array/products/device_product.h"

#include <algorithm>
#include <functional>

#include "isthmus/array/create/create.h"
#include "isthmus/array/place.h"
#include "isthmus/array/products/product_kernel.h"
#include "isthmus/core/internal.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/kernels/kernel_cache.h"
#include "isthmus/runtime/libraries/device_blas.h"
#include "isthmus/runtime/libraries/library.h"
#include "isthmus/runtime/observe/counting.h"
#include "isthmus/runtime/observe/records.h"
#include "isthmus/runtime/settings.h"
#include "isthmus/runtime/submit/foreign_work.h"
#include "isthmus/runtime/submit/submission.h"
#include "isthmus/runtime/submit/waiting.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

/// Below which groups would mostly be empty: a sum of products is one kernel, too.
constexpr std::int64_t least_length = 24, least_product = 1 << 14;

struct ProductKernel {
  Ref<ProgramKernel> kernel;
  ProductText of;
};

/// Tiles as large as the device takes, and blocks where work-items do not wait for each other.
/// Without a kernel: it takes none.
ProductKernel build(const Device& device, BackendContext& context, TypeId type) {
  const auto made_from = [&](ProductText of) {
    Program program;
    program.user.ref = make_ref<UserText>(of.text, std::string());
    return ProductKernel{find_kernel(backend(device), context, device.index(), program),
                         std::move(of)};
  };
  if (!backend(device).traits(device.index()).has_barriers)
    return made_from(product_in_blocks(type));
  for (const int length : {16, 8}) {
    ProductKernel made = made_from(product_in_tiles(type, length));
    const KernelNeeds needs = made.kernel->code->needs("product");
    const bool fits = needs.largest_group >= static_cast<std::size_t>(length * length) &&
                      needs.local_bytes <= needs.most_local_bytes;
    if (fits) return made;
  }
  return {};
}

/// The library of the device's vendor, if it has products of this type and is wanted; else null.
const DeviceBlas* library_for(const Device& device, TypeId type) {
  if (blas_setting() == "builtin") return nullptr;
  const DeviceBlas* const found = device_blas(device);
  return found && found->takes(type) ? found : nullptr;
}

/// Puts the products on a queue, into memory for them.
using Enqueue = std::function<Ref<Event>(BackendMemory& out, const Events& waits)>;

/// Fills in where the operands lie; false if their axes in front are too many.
bool describe(const Array& x, const Array& y, const Shape& shape, ProductOperands& operands) {
  const Layout &of_x = x.layout(), &of_y = y.layout();
  operands.x = of_x.offset;
  operands.y = of_y.offset;
  operands.rows = x.shape(-2);
  operands.inner = x.shape(-1);
  operands.columns = y.shape(-1);
  const auto last = [](const Layout& layout, std::size_t back) {
    return layout.strides[layout.strides.size() - back];
  };
  operands.x_row = last(of_x, 2);
  operands.x_column = last(of_x, 1);
  operands.y_row = last(of_y, 2);
  operands.y_column = last(of_y, 1);
  std::ranges::fill(operands.shape, 1);
  const std::size_t axes = shape.size() - 2;
  const auto stride = [&](const Layout& layout, std::size_t axis) {
    const std::size_t own = layout.shape.size() - 2;
    if (axis + own < axes) return std::int64_t{0};
    const std::size_t at = axis + own - axes;
    return layout.shape[at] == 1 ? 0 : layout.strides[at];
  };
  // from the last axis on; neighbours are merged where they can be
  std::size_t used = axes_of_stack;
  for (std::size_t axis = axes; axis-- > 0;) {
    if (shape[axis] == 1) continue;
    const std::int64_t of_left = stride(of_x, axis), of_right = stride(of_y, axis);
    if (used < axes_of_stack && of_left == operands.x_stack[used] * operands.shape[used] &&
        of_right == operands.y_stack[used] * operands.shape[used]) {
      operands.shape[used] *= shape[axis];
      continue;
    }
    if (used == 0) return false;
    --used;
    operands.shape[used] = shape[axis];
    operands.x_stack[used] = of_left;
    operands.y_stack[used] = of_right;
  }
  return true;
}

/// As a library reads it; nothing where it needs a copy.
std::optional<DeviceMatrices> matrices_of(BackendMemory& memory, std::int64_t rows,
                                          std::int64_t columns, std::int64_t first,
                                          std::int64_t row, std::int64_t column,
                                          const std::int64_t (&stack)[axes_of_stack]) {
  const auto matrix = matrix_of(rows, columns, row, column);
  for (std::size_t axis = 0; axis + 1 < axes_of_stack; ++axis)
    if (stack[axis] != 0) return {};
  const std::int64_t stride = stack[axes_of_stack - 1];
  if (!matrix || stride < 0) return {};
  return DeviceMatrices{&memory, first, matrix->step, stride, matrix->is_transposed};
}

/// The products as a library is given them; nothing where it takes others.
std::optional<DeviceProducts> products_of(const ProductOperands& operands, TypeId type,
                                          BackendMemory& x, BackendMemory& y) {
  for (std::size_t axis = 0; axis + 1 < axes_of_stack; ++axis)
    if (operands.shape[axis] != 1) return {};
  const auto left = matrices_of(x, operands.rows, operands.inner, operands.x, operands.x_row,
                                operands.x_column, operands.x_stack);
  const auto right = matrices_of(y, operands.inner, operands.columns, operands.y, operands.y_row,
                                 operands.y_column, operands.y_stack);
  if (!left || !right) return {};
  DeviceProducts made;
  made.type = type;
  made.shape = {operands.rows, operands.inner, operands.columns};
  made.count = operands.shape[axes_of_stack - 1];
  made.x = *left;
  made.y = *right;
  return made;
}

/// The kernel; nothing if the device takes none.
Enqueue kernel_for(const Device& device, const Ref<BackendQueue>& queue, TypeId type,
                   const ProductOperands& operands, BackendMemory& x, BackendMemory& y,
                   std::int64_t count) {
  const ProductKernel made = build(device, *queue->context, type);
  if (!made.kernel) return {};
  const std::int64_t groups = count / (operands.rows * operands.columns) *
                              divided_up(operands.rows, made.of.rows) *
                              divided_up(operands.columns, made.of.columns);
  const auto side = static_cast<std::size_t>(made.of.length);
  return [=, kernel = made.kernel, x = &x, y = &y](BackendMemory& out, const Events& waits) {
    CallArgument arguments[4];
    arguments[0].memory = x;
    arguments[1].memory = y;
    arguments[2].memory = &out;
    arguments[3].value = std::as_bytes(std::span(&operands, 1));
    KernelCall call;
    call.entry = "product";
    call.dimensions = 2;
    call.global[0] = static_cast<std::size_t>(groups) * side;
    call.global[1] = call.local[0] = call.local[1] = side;
    call.local[2] = 1;
    call.arguments = arguments;
    return backend(device).enqueue(*queue, *kernel->code, std::span(&call, 1), waits);
  };
}

void note_launch(const Array& made, std::int64_t inner, std::int64_t begin,
                 const Ref<Event>& event) {
  KernelRecord record;
  record.operations.push_back("matmul");
  record.shape = Dims(made.shape().begin(), made.shape().end());
  record.shape.push_back(inner);
  record.device = made.device();
  record.where = KernelRecord::Where::launched;
  record.host = {begin, now_in_nanoseconds()};
  record.event = event;
  note_alone(std::move(record));
}

}  // namespace

std::optional<Array> multiply_on_device(std::string_view who, const Array& x, const Array& y,
                                        const Shape& shape) {
  const Device& device = x.device();
  ProductOperands operands{};
  if (device.is_host() || backend(device).traits(device.index()).dialect != Dialect::opencl_c ||
      !describe(x, y, shape, operands))
    return std::nullopt;
  const std::int64_t length = std::min(operands.rows, operands.columns);
  const std::int64_t size = product_at_most(operands.rows * operands.columns, operands.inner);
  const std::int64_t count = product_of({shape.begin(), shape.end()});
  if (count == 0 || length < least_length || size < least_product) return std::nullopt;
  check_same_context(who, *x.storage(), *y.storage());
  const InContextOf meanwhile(x.storage()->memory()->context ? x : y);
  BackendMemory* const reads[] = {x.storage()->memory().get(), y.storage()->memory().get()};
  const Unblocked unblocked;  // a kernel's lock is held during calls of the driver
  const Ref<BackendQueue> queue = queue_reaching(current_backend_queue(device), reads);
  const auto chosen = [&]() -> Enqueue {
    const DeviceBlas* const library = library_for(device, x.dtype().id);
    const auto taken = library ? products_of(operands, x.dtype().id, *reads[0], *reads[1])
                               : std::optional<DeviceProducts>();
    if (!taken)
      return kernel_for(device, queue, x.dtype().id, operands, *reads[0], *reads[1], count);
    return [queue, library, products = *taken](BackendMemory& out, const Events& waits) mutable {
      products.out = &out;
      return library->multiply(*queue, products, waits);
    };
  };
  const Enqueue enqueue = chosen();
  if (!enqueue) return std::nullopt;
  Array made = empty(shape, x.dtype(), device);
  BackendMemory* const writes[] = {made.storage()->memory().get()};
  writes[0]->has_any_bytes = true;
  const bool is_exposed = is_any_open(reads);
  const std::int64_t begin = is_profiled() ? now_in_nanoseconds() : 0;
  const Ref<Event> event =
      Submission(queue, reads, writes)
          .run([&](const Events& waits) { return enqueue(*writes[0], waits); },
               [name = std::string(who), shape] { return format("{} to shape {}", name, shape); },
               product_at_most(count, operands.inner), [] { count_kernel(0, false); });
  if (begin) note_launch(made, operands.inner, begin, event);
  if (is_exposed) wait_for(event);  // who may write what it reads may do so when this returns
  return made;
}

}  // namespace isthmus::inline ISTHMUS_ABI
