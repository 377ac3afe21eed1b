// along_axes.cpp: rows of elements, piece by piece.
#include "isthmus/host/along_axes.h"

#include <sys/mman.h>

namespace isthmus::inline ISTHMUS_ABI::host {

Bytes allocate(std::int64_t bytes) {
  // pages of 4 KiB make the first touch of a large block several times as slow
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  const auto wanted = static_cast<std::size_t>(bytes);
  const std::size_t alignment = wanted >= huge_page ? huge_page : 64;
  const std::size_t size = (wanted + alignment - 1) / alignment * alignment;
  Bytes memory(static_cast<char*>(std::aligned_alloc(alignment, size)), std::free);
  check(memory != nullptr, Errc::out_of_memory, "host executor: no {} bytes of working memory",
        bytes);
  if (alignment == huge_page) madvise(memory.get(), size, MADV_HUGEPAGE);
  return memory;
}

AlongAxes::AlongAxes(const RowTable& table, const Program& of, const Launch& launch,
                     std::int64_t piece)
    : rows(table), program(of), launch_(launch), piece_(piece), all_(launch.shape.size()) {
  const auto rank = static_cast<int>(launch.shape.size());
  for (int axis = 0; axis < rank; ++axis)
    (axis < launch.kept ? count : length) *= launch.shape[axis];
  all_.add_inputs(program.map, launch.inputs, launch.shape);
  all_.add(launch.outputs[0].address, info(program.accumulator).bits / 8,
           launch.outputs[0].strides);
  operands_ = all_.get();
  walk_.emplace(launch.shape, rank - launch.kept, operands_);
  plan_ = make_plan(rows, program.map, *walk_, operands_.first(operands_.size() - 1));
  block_ = (std::min(piece, length) + 127) / 128 * 128;
}

AlongAxes::Reader::Reader(const AlongAxes& all, std::int64_t spare)
    : all_(all),
      frame_bytes_(to_lines(Frame::bytes(all.plan_, all.block_))),
      scratch_(thread_scratch(frame_bytes_ + spare)),
      spare_(scratch_ + frame_bytes_),
      frame_(all.rows, all.plan_, all.program.map, all.launch_.inputs, all.block_, scratch_),
      offsets_(all.operands_.size()) {}

AlongAxes::Reader::Piece AlongAxes::Reader::read(std::int64_t row, std::int64_t piece) {
  for (std::size_t k = 0; k < offsets_.size(); ++k)
    offsets_[k] = all_.walk_->outer_offset(all_.operands_[k], row);
  const std::int64_t begin = piece * all_.piece_;
  const std::int64_t size = std::min(all_.piece_, all_.length - begin);
  frame_.read(*all_.walk_, all_.operands_, offsets_, begin, size);
  frame_.run(size);
  return {begin, size, frame_.at(all_.plan_.results[0])};
}

char* AlongAxes::direct(std::int64_t row) const {
  const Operand& output = operands_.back();
  if (is_half(program.accumulator) || !walk_->is_dense(output)) return nullptr;
  return output.base + walk_->outer_offset(output, row);
}

void AlongAxes::write(std::int64_t row, std::int64_t begin, std::int64_t size, const char* elements,
                      char* spare) const {
  const Operand& output = operands_.back();
  if (is_half(program.accumulator)) {
    rows.narrow[half_index(program.accumulator)](spare, elements, nullptr, nullptr, size);
    elements = spare;
  }
  walk_->scatter(rows, output, walk_->outer_offset(output, row), begin, size, elements);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
