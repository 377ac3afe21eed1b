// step_rows.h: the rows that a step of a tape takes.
#pragma once

#include "isthmus/codegen/program.h"
#include "isthmus/host/rows.h"
#include "isthmus/host/walk.h"

namespace isthmus::inline ISTHMUS_ABI::host {

inline constexpr std::uint16_t no_value = 0xffff;

/// The conversion of a step to what it gives, half types as floats that have been rounded.
/// `target`: see add_rows().
template <class Target>
void add_cast_rows(const RowTable& rows, const Step& step, std::uint16_t out, Target& target) {
  const std::uint16_t x = step.operands[0];
  const auto cast = [&](TypeId to) {
    return rows.casts[static_cast<int>(held_type(step.type))][static_cast<int>(held_type(to))];
  };
  if (!is_half(step.result) || step.type == step.result)
    return target.add_row(cast(step.result), out, x, no_value, no_value);
  const int half = half_index(step.result);
  if (held_type(step.type) == TypeId::float32)
    return target.add_row(rows.round[half], out, x, no_value, no_value);
  if (step.type == TypeId::float64)
    return target.add_row(rows.round_double[half], out, x, no_value, no_value);
  if (step.type == TypeId::complex128) {
    const std::uint16_t real = target.new_slot(TypeId::float64);
    target.add_row(cast(TypeId::float64), real, x, no_value, no_value);
    return target.add_row(rows.round_double[half], out, real, no_value, no_value);
  }
  // Integers that a float cannot hold are far beyond what a float16 can.
  target.add_row(cast(TypeId::float32), out, x, no_value, no_value);
  target.add_row(rows.round[half], out, out, no_value, no_value);
}

/// A read at any position.
template <class Target>
void add_read_rows(const RowTable& rows, const Step& step, std::uint16_t out, Target& target) {
  const auto [base, y, z] = step.operands;
  if (step.op != Op::load) {
    const bool is_right = step.op == Op::search_right;
    return target.add_row(rows.searches[is_right][static_cast<int>(step.type)], out, base, y, z);
  }
  const Row row = rows.loads[log2_bytes(info(step.type).bits / 8)];
  if (!is_half(step.type)) return target.add_row(row, out, base, y, no_value);
  const std::uint16_t raw = target.new_slot(step.type);
  target.add_row(row, raw, base, y, no_value);
  target.add_row(rows.widen[half_index(step.type)], out, raw, no_value, no_value);
}

/// Tells `target` which rows give the value `out` of a step: add_row(row, out, x, y, z), in order;
/// new_slot(type) is a value between two of them.
template <class Target>
void add_rows(const RowTable& rows, const Step& step, std::uint16_t out, Target& target) {
  if (step.op == Op::astype) return add_cast_rows(rows, step, out, target);
  if (reads_by_position(step.op)) return add_read_rows(rows, step, out, target);
  const int arity = info(step.op).arity;
  Row row = row_of(rows, step.op, held_type(step.type));
  if (step.op == Op::nextafter && is_half(step.type)) row = rows.next_after[half_index(step.type)];
  target.add_row(row, out, step.operands[0], arity > 1 ? step.operands[1] : no_value,
                 arity > 2 ? step.operands[2] : no_value);
  if (is_half(step.result))
    target.add_row(rows.round[half_index(step.result)], out, out, no_value, no_value);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
