// strips.cpp: rows that lie side by side in memory.
#include "isthmus/host/strips.h"

#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

/// Fewer neighbours than this are not worth it.
constexpr std::int64_t fewest = 16;
/// A strip of fewer bytes leaves too little to do at each position.
constexpr std::int64_t narrowest = 512;
/// Positions that are prefetched before the strip comes to them: a piece of a line is too
/// short for the processor to see it coming.
constexpr std::int64_t positions_ahead = 8;

/// The last kept axis that has several elements.
int axis_across(const Launch& launch) {
  int axis = launch.kept - 1;
  while (axis > 0 && launch.shape[axis] == 1) --axis;
  return axis;
}

}  // namespace

bool Strips::suits(const Program& program, const Launch& launch) {
  const auto axes = static_cast<int>(launch.shape.size());
  if (launch.kept == 0 || axes != launch.kept + 1 || launch.shape[launch.kept] < 2) return false;
  const int across = axis_across(launch);
  if (launch.shape[across] < fewest) return false;
  Operands all(launch.shape.size());
  all.add_inputs(program.map, launch.inputs, launch.shape);
  all.add(launch.outputs[0].address, info(program.accumulator).bits / 8, launch.outputs[0].strides);
  std::int64_t by_across = 0, by_along = 0;
  for (const Operand& operand : all.get()) {
    by_across += std::abs(operand.strides[across]);
    by_along += std::abs(operand.strides[launch.kept]);
  }
  return by_across < by_along;
}

Strips::Strips(const RowTable& table, const Program& of, const Launch& launch, std::int64_t widest)
    : rows(table), program(of), launch_(launch), all_(launch.shape.size() - 1) {
  const int across = axis_across(launch), along = launch.kept;
  Operands given(launch.shape.size());
  given.add_inputs(of.map, launch.inputs, launch.shape);
  given.add(launch.outputs[0].address, info(of.accumulator).bits / 8, launch.outputs[0].strides);
  Dims shape;
  const auto each_axis = [&](auto f) {  // the one across the strips last
    for (int axis = 0; axis < launch.kept; ++axis)
      if (axis != across) f(axis);
    f(across);
  };
  each_axis([&](int axis) { shape.push_back(launch.shape[axis]); });
  for (const Operand& operand : given.get()) {
    all_.list.push_back({operand.base, operand.bytes, nullptr});
    each_axis([&](int axis) { all_.strides.push_back(operand.strides[axis]); });
    along_.push_back(operand.strides[along]);
  }
  operands_ = all_.get();
  walk_.emplace(shape, 1, operands_);
  for (const Operand& operand : operands_) is_dense_.push_back(walk_->is_dense(operand));
  plan_ = make_plan(rows, of.map, *walk_, operands_.first(operands_.size() - 1));
  length = launch.shape[along];
  columns_ = launch.shape[across];
  const std::int64_t bytes = info(held_type(of.accumulator)).bits / 8, line = 64 / bytes;
  const std::int64_t shared = divided_up(columns_ * walk_->outer_count(), 4 * thread_count());
  width = std::clamp(divided_up(shared, line) * line, narrowest / bytes, widest / bytes);
  width = std::min(width, columns_);
  across_ = divided_up(columns_, width);
  count = across_ * walk_->outer_count();
}

Strips::Reader::Reader(const Strips& all, std::int64_t spare)
    : all_(all),
      frame_bytes_(to_lines(Frame::bytes(all.plan_, (all.width + 127) / 128 * 128))),
      scratch_(thread_scratch(frame_bytes_ + spare)),
      spare_(scratch_ + frame_bytes_),
      frame_(all.rows, all.plan_, all.program.map, all.launch_.inputs,
             (all.width + 127) / 128 * 128, scratch_),
      starts_(all.operands_.size()),
      offsets_(all.operands_.size()) {}

void Strips::Reader::begin(std::int64_t strip) {
  begin_ = strip % all_.across_ * all_.width;
  size_ = all_.width_of(strip);
  for (std::size_t k = 0; k < starts_.size(); ++k)
    starts_[k] = all_.walk_->outer_offset(all_.operands_[k], strip / all_.across_);
}

const char* Strips::Reader::read(std::int64_t position) {
  const bool has_more = position + positions_ahead < all_.length;
  for (std::size_t k = 0; k < offsets_.size(); ++k) {
    offsets_[k] = offset_of(k, position);
    if (has_more && all_.is_dense_[k])
      read_ahead(all_.operands_[k], offset_of(k, position + positions_ahead), begin_, size_);
  }
  frame_.read(*all_.walk_, all_.operands_, offsets_, begin_, size_);
  frame_.run(size_);
  return frame_.at(all_.plan_.results[0]);
}

char* Strips::Reader::direct(std::int64_t position) const {
  const std::size_t k = all_.operands_.size() - 1;
  const Operand& output = all_.operands_[k];
  if (is_half(all_.program.accumulator) || !all_.is_dense_[k]) return nullptr;
  return output.base + offset_of(k, position) + begin_ * output.bytes;
}

void Strips::Reader::write(std::int64_t position, const char* elements, char* stored) const {
  const std::size_t k = all_.operands_.size() - 1;
  if (const TypeId type = all_.program.accumulator; is_half(type)) {
    all_.rows.narrow[half_index(type)](stored, elements, nullptr, nullptr, size_);
    elements = stored;
  }
  all_.walk_->scatter(all_.rows, all_.operands_[k], offset_of(k, position), begin_, size_,
                      elements);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
