// plan.h: a tape made ready for this machine: rows and chains over values in blocks.
#pragma once

#include "isthmus/codegen/program.h"
#include "isthmus/host/rows.h"

namespace isthmus::inline ISTHMUS_ABI::host {

inline constexpr std::uint16_t no_value = 0xffff;

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
  std::uint32_t slot = 0;    ///< Bytes per element before it; bytes in the scalar area.
};

/// Moves an operand of the launch into a value before the block, or out of one after it.
struct Port {
  std::uint16_t value;     ///< Of the type in memory.
  std::uint16_t argument;  ///< Into the operands of the loop.
};

struct Instruction {
  Row row = nullptr;  ///< Null: a chain.
  std::uint16_t out = no_value, x = no_value, y = no_value, z = no_value;
  std::uint16_t chain =
      no_value;  ///< Of a row that takes its time: the one that it reads ahead for.
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
};

/// How the operands of the loop may be reached, asked before the plan is made.
struct Reach {
  bool is_dense = false;  ///< a block of it can be read or written in place
  const void* base = nullptr;
};

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
  std::int64_t slot_bytes = 0;  ///< Of all slots, per element of a block.
  std::int64_t scalar_bytes = 0;
  std::int64_t tail_bytes = 0;            ///< For the last group of a chain.
  std::int64_t cost = 1;                  ///< Of one element, in simple operations.
  SmallVector<std::uint16_t, 2> results;  ///< Of outputs that have no operand: the reduced value.
};

/// Gives every value in a slot its place in scratch memory; slots are reused once the last
/// instruction that reads them is past.
void assign_slots(Plan& plan);

/// `reach` is per input of the tape (of memory, result and index kinds), then per output;
/// outputs beyond `reach` are left in a value (Plan::results).
Plan make_plan(const RowTable& rows, const Tape& tape, std::span<const Reach> reach);

}  // namespace isthmus::inline ISTHMUS_ABI::host
