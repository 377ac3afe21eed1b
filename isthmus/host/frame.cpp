// frame.cpp: one thread's scratch memory, and a plan at work on one block.
#include "isthmus/host/frame.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "isthmus/base/error.h"
#include "isthmus/base/per_thread.h"

namespace isthmus::inline ISTHMUS_ABI::host {

char* thread_scratch(std::int64_t bytes) {
  struct Scratch {
    char* memory = nullptr;
    std::int64_t bytes = 0;
    ~Scratch() { std::free(memory); }
  };
  static constinit thread_local detail::PerThread<Scratch> of_thread;
  Scratch& scratch = *of_thread;
  if (scratch.bytes < bytes) {
    std::free(scratch.memory);
    scratch.bytes = (bytes + 0xffff) & ~std::int64_t{0xffff};
    scratch.memory =
        static_cast<char*>(std::aligned_alloc(64, static_cast<std::size_t>(scratch.bytes)));
    if (!scratch.memory) {
      scratch.bytes = 0;
      fail(Errc::out_of_memory, "host executor: no {} bytes of scratch memory", bytes);
    }
  }
  return scratch.memory;
}

std::int64_t block_length(const Plan& plan, std::int64_t largest) {
  constexpr std::int64_t target = 24 * 1024;
  // runs that are only copied need memory for their positions alone
  const std::int64_t most = plan.runs && !plan.slot_bytes ? 1 << 16 : 4096;
  std::int64_t fitting = plan.slot_bytes ? target / plan.slot_bytes / 128 * 128 : most;
  if (plan.runs && plan.runs->positions.slot_bytes)
    fitting = std::min(fitting, target / plan.runs->positions.slot_bytes * plan.runs->length);
  return std::min(std::clamp<std::int64_t>(fitting / 128 * 128, 256, most),
                  (largest + 127) / 128 * 128);
}

Frame::Frame(const RowTable& rows, const Plan& plan, const Tape& tape,
             std::span<const Argument> arguments, std::int64_t block, char* scratch)
    : rows_(rows), plan_(plan), at_(plan.values.size(), nullptr) {
  char* scalars = scratch + plan.slot_bytes * block;
  scalars += (64 - reinterpret_cast<std::uintptr_t>(scalars) % 64) % 64;
  tail_ = scalars + plan.scalar_bytes;
  for (std::size_t v = 0; v < plan.values.size(); ++v) {
    const PlanValue& value = plan.values[v];
    if (value.place == Place::slot) at_[v] = scratch + value.slot * block;
    if (value.place == Place::scalar) at_[v] = scalars + value.slot;
  }
  for (const Port& port : plan.bases)
    at_[port.value] = static_cast<char*>(arguments[port.argument].address);
  for (const Port& port : plan.scalars) {
    const PlanValue& value = plan.values[port.value];
    alignas(16) char element[16];
    const TypeId type = tape.inputs[port.argument].type;
    store(arguments[port.argument].scalar, type, element);
    if (is_half(type)) {
      alignas(16) char raw[16];
      std::memcpy(raw, element, sizeof raw);
      rows.widen[half_index(type)](element, raw, nullptr, nullptr, 1);
    }
    const std::int64_t bytes = info(value.type).bits / 8;
    rows.gathers[log2_bytes(bytes)](at_[port.value], element, 0,
                                    value.place == Place::slot ? block : 1);
  }
  if (!plan.runs) return;
  const std::int64_t own = plan.slot_bytes * block + plan.scalar_bytes + plan.tail_bytes + 64;
  positions_ = std::make_unique<Frame>(rows, plan.runs->positions, tape, arguments,
                                       plan.runs->block(block), scratch + to_lines(own));
}

/// Fills `memory` from byte `begin` to `end` with the element that it begins with.
static void repeat_first(char* memory, std::int64_t begin, std::int64_t end, std::int64_t bytes) {
  for (; begin < end; begin += bytes) std::memcpy(memory + begin, memory, bytes);
}

void Frame::run_chain(const ChainPlan& chain, std::int64_t n) {
  const std::int64_t bytes = n * (chain.table ? 8 : 4);
  const std::int64_t groups = bytes / rows_.group_bytes;
  const std::int64_t rest = bytes % rows_.group_bytes;
  const ChainOperand* operands = plan_.chain_operands.begin() + chain.first_operand;
  SmallVector<ChainLink, 24> links;
  links.resize(chain.link_count, {});
  for (int i = 0; i < chain.link_count; ++i) {
    const PlanLink& link = plan_.links[chain.first_link + i];
    links[i] = {link.function, link.p == no_value ? nullptr : at_[operands[link.p].value],
                link.q == no_value ? nullptr : at_[operands[link.q].value], link.count};
  }
  const ChainTable& table = rows_.chains[chain.table];
  SmallVector<const char*, 16> addresses;
  for (int i = 0; i < chain.operand_count; ++i)
    if (plan_.values[operands[i].value].place == Place::direct && !operands[i].is_written)
      addresses.push_back(at_[operands[i].value]);
  const ChainStreams streams{addresses.begin(), static_cast<int>(addresses.size())};
  if (groups > 0) table.run(links.begin(), groups, streams);
  if (chain.bypasses) table.settle();
  if (rest == 0) return;
  // The last elements go through the same code in padded memory; slots have room as they are.
  SmallVector<const char*, 24> padded;
  for (int i = 0; i < chain.operand_count; ++i) {
    const PlanValue& value = plan_.values[operands[i].value];
    char* memory = at_[operands[i].value];
    if (value.place != Place::scalar && !value.is_constant) memory += groups * rows_.group_bytes;
    const bool is_repeated = chain.has_calls && value.place == Place::slot && !value.is_constant;
    if (value.place == Place::direct || is_repeated) {
      char* tail = tail_ + i * rows_.group_bytes;
      std::memcpy(tail, memory, static_cast<std::size_t>(rest));
      if (chain.has_calls) repeat_first(tail, rest, rows_.group_bytes, chain.table ? 8 : 4);
      memory = tail;
    }
    padded.push_back(memory);
  }
  for (int i = 0; i < chain.link_count; ++i) {
    const PlanLink& link = plan_.links[chain.first_link + i];
    if (link.p != no_value) links[i].p = padded[link.p];
    if (link.q != no_value) links[i].q = padded[link.q];
  }
  table.run(links.begin(), 1, {});
  for (int i = 0; i < chain.operand_count; ++i)
    if (operands[i].is_written && padded[i] == tail_ + i * rows_.group_bytes)
      std::memcpy(at_[operands[i].value] + groups * rows_.group_bytes, padded[i],
                  static_cast<std::size_t>(rest));
}

/// A slow row in pieces, between which what the next chain touches is prefetched: else the
/// memory would idle while the row calculates, and the processor while the chain waits.
void Frame::run_ahead(const Instruction& instruction, std::int64_t n) {
  constexpr std::int64_t piece = 64;
  const ChainPlan& chain = plan_.chains[instruction.chain];
  const std::int64_t bytes_of_chain = chain.table ? 8 : 4;
  const auto at = [&](std::uint16_t value, std::int64_t i) {
    return value == no_value ? nullptr : at_[value] + i * (info(plan_.values[value].type).bits / 8);
  };
  for (std::int64_t i = 0; i < n; i += piece) {
    const std::int64_t count = std::min(piece, n - i);
    for (int k = 0; k < chain.operand_count; ++k) {
      const ChainOperand& operand = plan_.chain_operands[chain.first_operand + k];
      if (plan_.values[operand.value].place != Place::direct) continue;
      const char* from = at_[operand.value] + i * bytes_of_chain;
      for (std::int64_t line = 0; line < count * bytes_of_chain; line += 64)
        operand.is_written ? __builtin_prefetch(from + line, 1) : __builtin_prefetch(from + line);
    }
    instruction.row(at(instruction.out, i), at(instruction.x, i), at(instruction.y, i),
                    at(instruction.z, i), count);
  }
}

void Frame::run(std::int64_t n) {
  const auto address = [&](std::uint16_t value) {
    return value == no_value ? nullptr : at_[value];
  };
  for (const Instruction& instruction : plan_.instructions) {
    if (instruction.row && instruction.chain != no_value)
      run_ahead(instruction, n);
    else if (instruction.row)
      instruction.row(at_[instruction.out], at_[instruction.x], address(instruction.y),
                      address(instruction.z), n);
    else
      run_chain(plan_.chains[instruction.chain], n);
  }
}

void Frame::read(const Walk& walk, std::span<const Operand> operands,
                 std::span<const std::int64_t> offsets, std::int64_t begin, std::int64_t n) {
  for (const Port& port : plan_.reads) {
    const Operand& operand = operands[port.argument];
    const std::int64_t offset = offsets[port.argument];
    if (plan_.values[port.value].place == Place::direct && !port.is_moved)
      at_[port.value] = operand.base + offset + begin * operand.bytes;
    else
      walk.gather(rows_, operand, offset, begin, port.is_first ? 1 : n, at_[port.value]);
  }
  if (positions_) read_runs(operands, offsets, begin, n);
}

void Frame::read_runs(std::span<const Operand> operands, std::span<const std::int64_t> offsets,
                      std::int64_t begin, std::int64_t n) {
  const Runs& runs = *plan_.runs;
  const std::int64_t first = begin / runs.length;
  const std::int64_t count = (begin + n - 1) / runs.length - first + 1;
  positions_->read(runs.walk, operands, offsets, first, count);
  positions_->run(count);
  begin_ = begin, size_ = n;
  for (std::size_t k = 0; k < runs.loads.size(); ++k) {
    const RunLoad& load = runs.loads[k];
    const std::int64_t* const at = positions_of(k);
    const std::int64_t bytes = info(plan_.values[load.value].type).bits / 8;
    if (load.is_in_place)
      at_[load.value] = at_[load.base] + (*at + begin - first * runs.length) * bytes;
    else
      rows_.load_runs[log2_bytes(bytes)](at_[load.value], at_[load.base],
                                         {at, runs.length, load.slope, begin, n});
  }
}

RunPositions Frame::run_positions() const {
  const Runs& runs = *plan_.runs;
  return {positions_of(runs.loads.size()), runs.length, *runs.store_slope, begin_, size_};
}

void Frame::aim(std::span<const Operand> operands, std::span<const std::int64_t> offsets,
                std::int64_t begin) {
  // of several outputs that are one value, it was the first that it is put into
  for (std::size_t i = plan_.writes.size(); i-- > 0;) {
    const Port& port = plan_.writes[i];
    if (plan_.values[port.value].place == Place::direct)
      at_[port.value] = operands[port.argument].base + offsets[port.argument] +
                        begin * operands[port.argument].bytes;
  }
}

void Frame::write(const Walk& walk, std::span<const Operand> operands,
                  std::span<const std::int64_t> offsets, std::int64_t begin, std::int64_t n) {
  for (const Port& port : plan_.writes) {
    const PlanValue& value = plan_.values[port.value];
    const Operand& operand = operands[port.argument];
    if (value.place == Place::direct &&
        at_[port.value] == operand.base + offsets[port.argument] + begin * operand.bytes)
      continue;
    walk.scatter(rows_, operand, offsets[port.argument], begin, n, at_[port.value]);
  }
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
