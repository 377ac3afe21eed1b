// map_loop.cpp: maps and copies over their loops.
#include <cstring>

#include "isthmus/host/blocks.h"
#include "isthmus/host/few.h"
#include "isthmus/host/host_executor.h"

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

/// Both sides of a tile: 1024 elements, whose cache lines fit the first level in any layout.
constexpr std::int64_t tile_side = 32;

/// The fewest elements of a block. Those that have positions should make up for calculating them.
std::int64_t least_block(const Tape& tape) {
  const auto is_load = [](const Step& step) { return step.op == Op::load; };
  return std::ranges::any_of(tape.steps, is_load) ? 4096 : 256;
}

void run_walk(const RowTable& rows, const Tape& tape, std::span<const Argument> arguments,
              const Walk& walk, std::span<const Operand> operands) {
  const auto write = [&](const Block& block) {
    block.frame.write(walk, operands, block.offsets, block.begin, block.size);
  };
  const Plan plan = make_plan(rows, tape, walk, operands);
  each_block(rows, plan, tape, arguments, walk, operands, 0, 0, Order::any, write);
}

/// The axis that some operand has its neighbours along though the loop's last axis strides; -1 if
/// blocks along the last axis do.
int tile_axis(std::span<const std::int64_t> shape, std::span<const Operand> operands) {
  const int last = static_cast<int>(shape.size()) - 1;
  if (last < 1 || shape[last] < tile_side) return -1;
  for (const Operand& operand : operands) {
    if (operand.bytes == 0 || std::abs(operand.strides[last]) < 64) continue;
    for (int axis = last - 1; axis >= 0; --axis) {
      const std::int64_t stride = std::abs(operand.strides[axis]);
      if (shape[axis] >= tile_side && stride > 0 && stride < 64) return axis;
    }
  }
  return -1;
}

void run_box(const RowTable& rows, const Tape& tape, std::span<const Argument> arguments,
             std::span<const std::int64_t> shape, std::span<const Operand> operands, bool may_tile);

/// Part of a box: `count` positions from `begin` along `axis`.
void run_slice(const RowTable& rows, const Tape& tape, std::span<const Argument> arguments,
               std::span<const std::int64_t> shape, std::span<const Operand> operands, int axis,
               std::int64_t begin, std::int64_t count, bool may_tile) {
  if (count == 0) return;
  Dims part(shape);
  part[axis] = count;
  SmallVector<Operand, 8> moved(operands);
  for (Operand& operand : moved)  // as integers: the base of an index input is no address
    operand.base = reinterpret_cast<char*>(reinterpret_cast<std::intptr_t>(operand.base) +
                                           begin * operand.strides[axis]);
  run_box(rows, tape, arguments, part, moved, may_tile);
}

/// Whether it moves elements of 4 or 8 bytes as they are. Smaller ones may be bools, and larger
/// ones gain nothing.
bool is_plain_copy(const Tape& tape, std::span<const Operand> operands) {
  return tape.steps.empty() && tape.inputs.size() == 1 && tape.outputs.size() == 1 &&
         tape.inputs[0].kind == Input::Kind::memory && operands[0].bytes == operands[1].bytes &&
         (operands[0].bytes == 4 || operands[0].bytes == 8);
}

/// A plain copy by tiles of `axis` and the last axis, without a block of memory in between; those
/// at the ends are smaller.
void copy_tiles(const RowTable& rows, std::span<const std::int64_t> shape,
                std::span<const Operand> operands, int axis) {
  const Operand &in = operands[0], &out = operands[1];
  const int last = static_cast<int>(shape.size()) - 1;
  const auto side_along = [&](int i) {
    return in.strides[i] == in.bytes ? 4 * tile_side : tile_side;
  };
  const std::int64_t tall = side_along(axis), broad = side_along(last);
  const std::int64_t high = divided_up(shape[axis], tall), wide = divided_up(shape[last], broad);
  std::int64_t planes = 1;
  for (int i = 0; i < last; ++i)
    if (i != axis) planes *= shape[i];
  const auto copy = rows.copy_grids[in.bytes == 4 ? 2 : 3];
  const auto work = [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t tile = first; tile < end; ++tile) {
      const std::int64_t row = tile / wide % high * tall, column = tile % wide * broad;
      const auto start = [&](const Operand& operand) {
        char* at = operand.base + row * operand.strides[axis] + column * operand.strides[last];
        std::int64_t plane = tile / (wide * high);
        for (int i = last - 1; i >= 0; --i) {
          if (i == axis) continue;
          at += plane % shape[i] * operand.strides[i];
          plane /= shape[i];
        }
        return at;
      };
      copy(start(out), out.strides[axis], out.strides[last], start(in),
           {in.strides[axis], in.strides[last], std::min(tall, shape[axis] - row),
            std::min(broad, shape[last] - column)});
    }
  };
  const std::int64_t tiles = planes * high * wide;
  parallel_for(tiles, grain_of(tiles, tall * broad), work);
}

/// A box whose lengths along `axis` and the last axis are whole numbers of tiles.
void run_tiles(const RowTable& rows, const Tape& tape, std::span<const Argument> arguments,
               std::span<const std::int64_t> shape, std::span<const Operand> operands, int axis) {
  const int last = static_cast<int>(shape.size()) - 1;
  Dims tiled;
  SmallVector<Operand, 8> list(operands);
  SmallVector<std::int64_t, 32> strides;
  const auto each_axis = [&](auto f) {
    for (int i = 0; i < last; ++i)
      if (i != axis) f(i, 1, shape[i]);
    f(axis, tile_side, shape[axis] / tile_side);
    f(last, tile_side, shape[last] / tile_side);
    f(axis, 1, tile_side);
    f(last, 1, tile_side);
  };
  each_axis([&](int, std::int64_t, std::int64_t length) { tiled.push_back(length); });
  for (const Operand& operand : operands)
    each_axis(
        [&](int i, std::int64_t by, std::int64_t) { strides.push_back(by * operand.strides[i]); });
  for (std::size_t k = 0; k < list.size(); ++k) list[k].strides = strides.data() + k * tiled.size();
  const Walk walk(tiled, 2, list);
  run_walk(rows, tape, arguments, walk, list);
}

void run_box(const RowTable& rows, const Tape& tape, std::span<const Argument> arguments,
             std::span<const std::int64_t> shape, std::span<const Operand> operands,
             bool may_tile) {
  const int last = static_cast<int>(shape.size()) - 1;
  const int axis = may_tile ? tile_axis(shape, operands) : -1;
  if (axis < 0) {
    SmallVector<std::int64_t, 32> strides;  // Walk packs them
    SmallVector<Operand, 8> list(operands);
    for (const Operand& operand : operands)
      for (int i = 0; i <= last; ++i) strides.push_back(operand.strides[i]);
    for (std::size_t k = 0; k < list.size(); ++k)
      list[k].strides = strides.data() + static_cast<int>(k) * (last + 1);
    return run_walk(rows, tape, arguments, Walk::over_all(shape, least_block(tape), list), list);
  }
  if (is_plain_copy(tape, operands)) return copy_tiles(rows, shape, operands, axis);
  const std::int64_t rows_tiled = shape[axis] / tile_side * tile_side;
  const std::int64_t columns_tiled = shape[last] / tile_side * tile_side;
  if (rows_tiled == shape[axis] && columns_tiled == shape[last])
    return run_tiles(rows, tape, arguments, shape, operands, axis);
  const int cut = rows_tiled == shape[axis] ? last : axis;
  const std::int64_t whole = cut == last ? columns_tiled : rows_tiled;
  run_slice(rows, tape, arguments, shape, operands, cut, 0, whole, true);
  run_slice(rows, tape, arguments, shape, operands, cut, whole, shape[cut] - whole, false);
}

}  // namespace

std::int64_t grain_of(std::int64_t blocks, std::int64_t cost_of_block) {
  const std::int64_t alone = std::max<std::int64_t>(1, grain_cost / cost_of_block);
  if (blocks <= alone) return alone;
  const std::int64_t least = std::max<std::int64_t>(1, piece_cost / cost_of_block);
  const std::int64_t most = std::max<std::int64_t>(1, most_cost / cost_of_block);
  return std::max(least, std::min(most, blocks / (16 * thread_count())));
}

void Operands::add(void* base, std::int64_t bytes, std::span<const std::int64_t> element_strides) {
  list.push_back({static_cast<char*>(base), bytes, nullptr});
  for (int axis = 0; axis < axes; ++axis) strides.push_back(element_strides[axis] * bytes);
}

void Operands::add_index(int index_axis) {
  list.push_back({nullptr, 0, nullptr});
  for (int axis = 0; axis < axes; ++axis) strides.push_back(axis == index_axis);
}

void Operands::add_number(std::int64_t first, std::span<const std::int64_t> number_strides) {
  list.push_back({reinterpret_cast<char*>(first), 0, nullptr});
  for (int axis = 0; axis < axes; ++axis) strides.push_back(number_strides[axis]);
}

void Operands::add_inputs(const Tape& tape, std::span<const Argument> arguments,
                          std::span<const std::int64_t> shape) {
  for (std::size_t i = 0; i < tape.inputs.size(); ++i) {
    const Input& input = tape.inputs[i];
    if (input.kind == Input::Kind::index) {
      add_index(input.axis);
    } else if (input.kind == Input::Kind::number) {
      add_number(arguments[i].offset, arguments[i].strides);
    } else if (input.kind == Input::Kind::result) {
      add(arguments[i].address, info(held_type(input.type)).bits / 8, row_major(shape).strides);
    } else if (input.kind == Input::Kind::memory) {
      add(arguments[i].address, info(input.type).bits / 8, arguments[i].strides);
    }
  }
}

std::span<Operand> Operands::get() {
  for (std::size_t k = 0; k < list.size(); ++k)
    list[k].strides = strides.data() + static_cast<int>(k) * axes;
  return {list.begin(), list.end()};
}

void run_tape(const RowTable& rows, const Tape& tape, std::span<const std::int64_t> shape,
              std::span<const Argument> arguments, std::span<const Argument> outputs) {
  const std::int64_t count = product_of(shape);
  if (count == 0) return;
  Operands operands(shape.size());
  operands.add_inputs(tape, arguments, shape);
  for (std::size_t k = 0; k < outputs.size(); ++k)
    operands.add(outputs[k].address, info(tape.type_of(tape.outputs[k])).bits / 8,
                 outputs[k].strides);
  if (count <= few_elements && suits_few(tape)) {
    const std::span<Operand> list = operands.get();
    return run_few(rows, tape, arguments, Walk::over_all(shape, count, list), list);
  }
  run_box(rows, tape, arguments, shape, operands.get(), true);
}

/// One step on few elements that lie densely: no plan, no scratch, no threads. False if it is not.
static bool try_run_one_row(const Tape& tape, const Launch& launch) {
  constexpr std::int64_t most = 16384;
  if (tape.steps.size() != 1 || tape.outputs.size() != 1 || launch.shape.size() > 1) return false;
  const std::int64_t n = launch.shape.empty() ? 1 : launch.shape[0];
  const Step& step = tape.steps[0];
  if (n == 0 || n > most) return false;
  if (tape.outputs[0] != tape.inputs.size()) return false;
  const auto is_dense = [&](const Argument& argument) {
    return n == 1 || argument.strides[0] == 1;
  };
  if (!is_dense(launch.outputs[0])) return false;
  alignas(16) char scalars[3][16];
  const void* operands[3] = {};
  const int arity = info(step.op).arity;
  for (int k = 0; k < arity; ++k) {
    const Input& input = tape.inputs[step.operands[k]];
    const Argument& argument = launch.inputs[step.operands[k]];
    if (input.kind == Input::Kind::memory && is_dense(argument)) {
      operands[k] = argument.address;
    } else if (input.kind == Input::Kind::scalar && n == 1) {
      store(argument.scalar, input.type, scalars[k]);
      operands[k] = scalars[k];
    } else {
      return false;
    }
  }
  return run_row(step, launch.outputs[0].address, operands, n);
}

void run_map(const RowTable& rows, const Program& program, const Launch& launch) {
  const Tape& tape = program.map;
  if (try_run_one_row(tape, launch)) return;
  if (tape.steps.empty() && tape.inputs.size() == 1 && tape.outputs.size() == 1 &&
      tape.inputs[0].kind == Input::Kind::memory)
    return run_copy(rows, info(tape.inputs[0].type).bits / 8, launch);
  run_tape(rows, tape, launch.shape, launch.inputs, launch.outputs);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
