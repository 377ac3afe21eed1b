// plan.h: a tape made ready for this machine: rows and chains over values in blocks.
#pragma once

#include <memory>
#include <optional>

#include "isthmus/codegen/program.h"
#include "isthmus/host/step_rows.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// Where a value lies while a block is worked on.
enum class Place : std::uint8_t {
  nowhere,  ///< never in memory: folded into a chain, or not needed
  slot,     ///< scratch of one block
  direct,   ///< memory of the caller, at the block
  scalar,   ///< scratch of one element
};

struct PlanValue {
  TypeId type = TypeId::float32;  ///< As held; raw values of half types keep those.
  Place place = Place::nowhere;
  bool is_constant = false;  ///< A scalar: filled once.
  bool is_far = false;       ///< An output that is larger than the caches, and not read again.
  std::uint32_t slot = 0;    ///< Bytes per element before it; bytes in the scalar area.
};

/// Moves an operand of the launch into a value before the block, or out of one after it.
struct Port {
  std::uint16_t value;     ///< Of the type in memory.
  std::uint16_t argument;  ///< Into the operands of the loop.
  bool is_first = false;   ///< The first element of a block is all that is read.
  bool is_moved = false;   ///< To where a direct output has been pointed.
};

struct Instruction {
  Row row = nullptr;  ///< Null: a chain.
  std::uint16_t out = no_value, x = no_value, y = no_value, z = no_value;
  std::uint16_t chain =
      no_value;              ///< Of a row that takes its time: the one that it reads ahead for.
  bool is_of_first = false;  ///< The row of numbers in a row: x, y and z are one element each.
};

struct PlanLink {
  void (*function)();
  std::uint16_t p, q;  ///< Of the chain's operands.
  std::uint16_t count = 1;
};

struct ChainOperand {
  std::uint16_t value;
  bool is_written;
};

/// Ranges of Plan::links and Plan::chain_operands.
struct ChainPlan {
  std::uint16_t first_link = 0, link_count = 0, first_operand = 0, operand_count = 0;
  std::uint8_t table = 0;  ///< 0 for float32, 1 for float64.
  bool has_calls = false;  ///< A link calls a function.
  bool bypasses = false;   ///< A link stores past the caches.
};

/// A load whose positions follow each other along the last axis of the loop.
struct RunLoad {
  std::uint16_t value;       ///< Of the type in memory.
  std::uint16_t base;        ///< What it reads.
  std::int64_t slope;        ///< By which the positions grow.
  bool is_in_place = false;  ///< A block is part of one run, and read where it lies.
};
struct Runs;

/// Everything but addresses. Shared by the threads, never changed after it is made.
struct Plan {
  SmallVector<PlanValue, 16> values;
  SmallVector<Instruction, 8> instructions;
  SmallVector<ChainPlan, 4> chains;
  SmallVector<PlanLink, 16> links;
  SmallVector<ChainOperand, 16> chain_operands;
  SmallVector<Port, 4> reads, writes;
  /// Scalars: the value, and the input of the tape it is.
  SmallVector<Port, 4> scalars;
  SmallVector<Port, 4> bases;   ///< The same of what is read at any position.
  std::unique_ptr<Runs> runs;   ///< Null if there are none.
  std::int64_t slot_bytes = 0;  ///< Of all slots, per element of a block.
  std::int64_t scalar_bytes = 0;
  std::int64_t tail_bytes = 0;            ///< For the last group of a chain.
  std::int64_t cost = 1;                  ///< Of one element, in simple operations.
  SmallVector<std::uint16_t, 2> results;  ///< Of outputs that have no operand: the reduced value.
};

/// The loads that are runs, and the store: before each block the positions of the runs in it are
/// calculated, one for a run, by a plan of their own.
struct Runs {
  Walk walk;            ///< That of the loop without its last axis.
  std::int64_t length;  ///< Of the last axis.
  SmallVector<RunLoad, 2> loads;
  Plan positions;  ///< Its results are those of the loads, then that of the store.
  std::optional<std::int64_t> store_slope;  ///< Where the second output is the positions of runs.

  /// The most runs in a block of the loop.
  std::int64_t block(std::int64_t elements) const {
    return (elements / length + 2 + 127) / 128 * 128;
  }
};

/// Gives every value in a slot its place in scratch memory; slots are reused once the last
/// instruction that reads them is past.
void assign_slots(Plan& plan);

/// `operands` of `walk` are one for each input of the tape (but scalars and bases), then one for
/// each output; outputs beyond them are left in a value (Plan::results). `is_store`: the second of
/// two outputs is where the first is stored; it is no result if it is the positions of runs.
Plan make_plan(const RowTable& rows, const Tape& tape, const Walk& walk,
               std::span<const Operand> operands, bool is_store = false);

}  // namespace isthmus::inline ISTHMUS_ABI::host
