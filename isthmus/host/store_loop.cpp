// store_loop.cpp: values to positions that are calculated.
#include <complex>
#include <cstring>

#include "isthmus/host/along_axes.h"
#include "isthmus/host/blocks.h"
#include "isthmus/threads/interrupts.h"

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

/// Adds values to what is at positions, as rows.stores write them.
template <class T>
void add_each(void* to, const void* positions, const void* values, const void*,
              std::int64_t count) {
  auto* const elements = static_cast<T*>(to);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t position = static_cast<const std::int64_t*>(positions)[i];
    if (position >= 0)
      elements[position] = static_cast<T>(elements[position] + static_cast<const T*>(values)[i]);
  }
}

/// Of integers, booleans and float16 never come here (adds_by_position).
Row adder_of(TypeId type, int log2) {
  constexpr Row of_integers[] = {add_each<std::uint8_t>, add_each<std::uint16_t>,
                                 add_each<std::uint32_t>, add_each<std::uint64_t>};
  switch (type) {
    case TypeId::float32: return add_each<float>;
    case TypeId::float64: return add_each<double>;
    case TypeId::complex64: return add_each<std::complex<float>>;
    case TypeId::complex128: return add_each<std::complex<double>>;
    default: return of_integers[log2];
  }
}

/// Adds a table to what is there. Where it is zero nothing is touched: that may not be the
/// target's.
template <class T>
void add_table(void* to, const void* table, std::int64_t count) {
  auto* const elements = static_cast<T*>(to);
  const auto* const sums = static_cast<const T*>(table);
  for (std::int64_t i = 0; i < count; ++i)
    if (sums[i]) elements[i] = static_cast<T>(elements[i] + sums[i]);
}

constexpr void (*table_adders[])(void*, const void*, std::int64_t) = {
    add_table<std::uint8_t>, add_table<std::uint16_t>, add_table<std::uint32_t>,
    add_table<std::uint64_t>};

/// Bytes of a table that a thread's cache holds.
constexpr std::int64_t most_of_table = 1 << 18;

/// How many threads' work a sum of integers by position is, each with a table of its own that is
/// added in the end: their order changes nothing. 1: tables would cost more than they save.
std::int64_t shares_of(TypeId type, std::int64_t count, std::int64_t reach) {
  const Family family = info(type).family;
  const bool is_whole = family == Family::integer || family == Family::natural;
  if (!is_whole || reach * (info(type).bits / 8) > most_of_table) return 1;
  constexpr std::int64_t worth_a_table = 8, worth_a_thread = 1 << 15;
  const std::int64_t most = count / std::max(worth_a_table * reach, worth_a_thread);
  return std::clamp<std::int64_t>(most, 1, thread_count());
}

/// From this cost of an element on all values and positions are calculated first, by all threads,
/// where one thread has to write them.
constexpr std::int64_t worth_sharing = 10;

/// What is added to: so many elements of 2^log2 bytes.
struct Target {
  void* elements;
  std::int64_t count;
  int log2;
};

/// The first share goes to the target at once, each other one to a table.
void add_in_shares(const Blocks& blocks, const Plan& plan, std::int64_t shares,
                   const Target& target, Row add_each) {
  const std::int64_t bytes = target.count << target.log2;
  const Bytes tables = allocate((shares - 1) * bytes);
  std::memset(tables.get(), 0, static_cast<std::size_t>((shares - 1) * bytes));
  const auto table_of = [&](std::int64_t share) { return tables.get() + (share - 1) * bytes; };
  const auto add_shares = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t share = begin; share < end; ++share) {
      void* const to = share ? table_of(share) : target.elements;
      const auto add = [&](const Block& block) {
        add_each(to, block.frame.at(plan.results[1]), block.frame.at(plan.results[0]), nullptr,
                 block.size);
      };
      blocks.run(share * blocks.count() / shares, (share + 1) * blocks.count() / shares, add);
    }
  };
  const Interruptible all_or_nothing(false);
  parallel_for(shares, 1, add_shares);
  for (std::int64_t share = 1; share < shares; ++share)
    table_adders[target.log2](target.elements, table_of(share), target.count);
}

void store_calculated(const RowTable& rows, const Tape& tape, const Launch& launch, Row write) {
  const std::int64_t bytes = info(tape.type_of(tape.outputs[0])).bits / 8;
  const Dims strides = row_major({launch.shape.begin(), launch.shape.end()}).strides;
  const std::int64_t count = product_of(launch.shape);
  const Bytes values = allocate(count * bytes), positions = allocate(count * 8);
  Argument outputs[2];
  outputs[0].address = values.get(), outputs[1].address = positions.get();
  for (Argument& output : outputs) output.strides = strides;
  run_tape(rows, tape, launch.shape, launch.inputs, outputs);
  write(launch.outputs[0].address, positions.get(), values.get(), nullptr, count);
}

}  // namespace

void run_store(const RowTable& rows, const Program& program, const Launch& launch) {
  for (const std::int64_t extent : launch.shape)
    if (extent == 0) return;
  const Tape& tape = program.map;
  Operands all(launch.shape.size());
  all.add_inputs(tape, launch.inputs, launch.shape);
  const std::span<Operand> operands = all.get();
  const Walk walk = Walk::over_all(launch.shape, 4096, operands);
  const TypeId type = tape.type_of(tape.outputs[0]);
  const int log2 = log2_bytes(info(type).bits / 8);
  const bool is_sum = program.store == Store::sum;
  const Row write_each = is_sum ? adder_of(type, log2) : rows.stores[log2];
  const Plan plan = make_plan(rows, tape, walk, operands, !is_sum);
  const bool has_runs = plan.runs && plan.runs->store_slope;
  // of equal positions the last one stays, or all count: one thread, in the loop's order
  const Order order = program.store == Store::any_order ? Order::any : Order::in_order;
  const std::int64_t reach = launch.outputs[0].scalar.integer;
  const std::int64_t shares = is_sum ? shares_of(type, product_of(launch.shape), reach) : 1;
  const bool is_alone = order == Order::in_order && thread_count() > 1 && shares == 1;
  if (is_alone && !has_runs && plan.cost >= worth_sharing)
    return store_calculated(rows, tape, launch, write_each);
  const auto write = [&](const Block& block) {
    const char* values = block.frame.at(plan.results[0]);
    if (is_half(type)) {
      rows.narrow[half_index(type)](block.spare, values, nullptr, nullptr, block.size);
      values = block.spare;
    }
    void* const to = launch.outputs[0].address;
    if (has_runs) return rows.store_runs[log2](to, values, block.frame.run_positions());
    write_each(to, block.frame.at(plan.results[1]), values, nullptr, block.size);
  };
  if (shares > 1) {
    const Blocks blocks(rows, plan, tape, launch.inputs, walk, operands, 0);
    return add_in_shares(blocks, plan, shares, {launch.outputs[0].address, reach, log2},
                         write_each);
  }
  each_block(rows, plan, tape, launch.inputs, walk, operands, is_half(type) ? 2 : 0,
             has_runs ? 1 : 4, order, write);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
