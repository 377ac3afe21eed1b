// reduce_walks.cpp: elements to partial results, along the reduced axes or along the kept ones.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "isthmus/host/fold.h"
#include "isthmus/host/reduce.h"
#include "isthmus/host/reduce_counter.h"
#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

/// The rows of a chunk, lane by lane: of 32 lanes 0, 32, 64, ..., 1, 33, ...
struct LaneOrder {
  /// `lanes`: a power of two.
  LaneOrder(std::int64_t rows, std::int64_t lanes)
      : rows(rows), lanes(lanes), shift(std::countr_zero(static_cast<std::uint64_t>(lanes))) {}
  void step() {
    row += lanes;
    if (row >= rows) row = ++lane < std::min(rows, lanes) ? lane : rows;
  }
  /// The row that comes `steps` later; `rows` or more if there is none.
  std::int64_t ahead(std::int64_t steps) const {
    const std::int64_t later = row + steps * lanes;
    if (later < rows) return later;
    const std::int64_t over = ((later - lane) >> shift) - ((rows - lane + lanes - 1) >> shift);
    return lane + 1 < lanes ? lane + 1 + over * lanes : rows;
  }
  std::int64_t rows, lanes;
  int shift;
  std::int64_t lane = 0, row = 0;
};

/// Which operands are dense, and worth reading ahead.
SmallVector<bool, 8> dense_ones(const Walk& walk, std::span<const Operand> operands) {
  SmallVector<bool, 8> dense;
  for (const Operand& operand : operands) dense.push_back(walk.is_dense(operand));
  return dense;
}

/// Rows that reduce_outer calls from memory before it comes to them: a piece of a row is too short
/// for the processor to see it coming.
constexpr std::int64_t rows_ahead = 8;

/// The factors of a sum of products, and what adds up their products.
struct Factors {
  Tape tape;  ///< Its two outputs.
  FoldProducts fold = nullptr;
};

/// Of a tape of one product or square, or of one with a factor that is conjugated before. Nothing
/// for other tapes, and where products are not added up.
std::optional<Factors> factors_of(const Job& job) {
  const Tape& tape = job.tape;
  const std::size_t count = tape.steps.size(), inputs = tape.inputs.size();
  if (job.values.size() != 1 || count == 0 || count > 2) return {};
  const Step& product = tape.steps[count - 1];
  if ((product.op != Op::multiply && product.op != Op::square) || is_half(product.result))
    return {};
  std::uint16_t x = product.operands[0], y = product.operands[product.op == Op::square ? 0 : 1];
  Conjugate conjugate = Conjugate::none;
  if (count == 2) {
    if (tape.steps[0].op != Op::conj || (x == inputs) == (y == inputs)) return {};
    conjugate = x == inputs ? Conjugate::first : Conjugate::second;
    (x == inputs ? x : y) = tape.steps[0].operands[0];
  }
  const FoldProducts fold = job.values[0].product_folds[static_cast<int>(conjugate)];
  if (!fold) return {};
  Factors factors{tape, fold};
  factors.tape.steps.clear();
  factors.tape.outputs.clear();
  factors.tape.outputs.push_back(x);
  factors.tape.outputs.push_back(y);
  return factors;
}

/// The tape without its last step, where that casts bools to int64 which are then added up: they
/// can be counted as they are.
std::optional<Tape> truths_of(const Job& job) {
  const Tape& tape = job.tape;
  if (job.values.size() != 1 || !job.values[0].fold_truths || tape.steps.empty()) return {};
  const Step& cast = tape.steps.back();
  const auto value = static_cast<std::uint16_t>(tape.inputs.size() + tape.steps.size() - 1);
  if (cast.op != Op::astype || cast.type != TypeId::bool_ || cast.result != TypeId::int64)
    return {};
  if (tape.outputs.size() != 1 || tape.outputs[0] != value) return {};
  Tape truths = tape;
  truths.steps.pop_back();
  truths.outputs[0] = cast.operands[0];
  return truths;
}

/// Elements of one group that were settled, so that those of later ones do not matter.
class Settled {
 public:
  /// Nothing is, unless `job` has one value that can be.
  explicit Settled(const Job& job) : job_(job), value_(job.values[0]) {
    can_be_ = job.values.size() == 1 && value_.last >= 0;
    if (!can_be_ || job.groups() == 1) return;
    const auto kept = static_cast<std::size_t>(job.kept);
    first_.reset(new std::atomic<std::int64_t>[kept]);
    for (std::size_t k = 0; k < kept; ++k) first_[k] = job.groups();
  }
  bool is(const char* value) const { return can_be_ && value_.is_settled(value); }
  /// Gives `group` the value of an earlier one that was settled; false if there is none.
  bool copy(std::int64_t kept, std::int64_t group) const {
    if (!first_) return false;
    const std::int64_t first = first_[kept].load(std::memory_order_acquire);
    if (first >= group) return false;
    std::memcpy(at(kept, group), at(kept, first), static_cast<std::size_t>(value_.bytes));
    return true;
  }
  /// Shows the value of a group, which has been written, to other threads.
  void publish(std::int64_t kept, std::int64_t group) {
    if (!first_ || !is(at(kept, group))) return;
    std::int64_t first = first_[kept].load(std::memory_order_relaxed);
    while (group < first &&
           !first_[kept].compare_exchange_weak(first, group, std::memory_order_release,
                                               std::memory_order_relaxed)) {
    }
  }

 private:
  char* at(std::int64_t kept, std::int64_t group) const {
    return value_.partial + (group * job_.kept + kept) * value_.bytes;
  }
  const Job& job_;
  const Combination& value_;
  bool can_be_;
  std::unique_ptr<std::atomic<std::int64_t>[]> first_;  ///< Group of each kept element.
};

/// The most chunks that are folded at a time.
constexpr std::int64_t most_chunks = 16;

/// Elements that are folded at a time: several chunks of what lies in memory, and of bools.
std::int64_t piece_of(const Job& job, const Plan& plan) {
  const auto takes_chunks = [](const Combination& value) { return value.takes_chunks(); };
  if (plan.slot_bytes > 1 || !std::ranges::all_of(job.values, takes_chunks)) return chunk_length;
  const std::int64_t chunks = std::min(job.group, most_chunks);
  return chunk_length *
         static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(chunks)));
}

/// The input whose elements are combined where they lie in memory; null if something is calculated
/// of them, or if there are several values.
const Operand* in_place_of(const Job& job, const Plan& plan, std::span<const Operand> operands) {
  if (job.values.size() != 1) return nullptr;
  if (!plan.instructions.empty() || plan.runs) return nullptr;
  const std::uint16_t value = plan.results[0];
  if (plan.values[value].place != Place::direct) return nullptr;
  for (const Port& port : plan.reads)
    if (port.value == value) return &operands[port.argument];
  return nullptr;
}

/// Whether a kept element can be one call. Where there are states, several passes are made, whose
/// elements should stay in the caches.
bool can_fold_at_once(const Job& job) {
  const Combination& value = job.values[0];
  if (job.groups() > 1 || value.last >= 0) return false;
  return !value.state ||
         job.reduced <= (value.takes_chunks() ? most_chunks * chunk_length : chunk_length);
}

/// Dense rows, each of which is one call.
void fold_rows_in_place(const Job& job, const Walk& walk, const Operand& rows) {
  const Combination& value = job.values[0];
  const auto work = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last; ++row)
      value.fold(value.partial + row * value.bytes, rows.base + walk.outer_offset(rows, row),
                 job.reduced, 0, nullptr);
  };
  parallel_for(job.kept, grain_of(job.kept, job.reduced / 4 + 16), work);
}

}  // namespace

/// Reduced elements in blocks: each piece of each kept element is one run of the plan.
void reduce_inner(const Job& job, const Walk& walk, std::span<const Operand> operands) {
  if (const std::optional<Tape> truths = truths_of(job)) {
    Job counting{job.rows, *truths,     job.arguments, job.values,
                 job.kept, job.reduced, job.chunks,    job.group};
    Combination& value = counting.values[0];
    value.fold_elements = std::exchange(value.fold_truths, nullptr);
    return reduce_inner(counting, walk, operands);
  }
  const std::optional<Factors> factors = factors_of(job);
  const Plan plan = make_plan(job.rows, factors ? factors->tape : job.tape, walk, operands);
  const Operand* const in_place = factors ? nullptr : in_place_of(job, plan, operands);
  if (in_place && can_fold_at_once(job) && walk.is_dense(*in_place))
    return fold_rows_in_place(job, walk, *in_place);
  const std::int64_t piece = piece_of(job, plan), length = std::min(piece, job.reduced);
  const std::int64_t block = (length + 127) / 128 * 128;
  const std::int64_t frame_bytes = to_lines(Frame::bytes(plan, block));
  const Rows rows(job, 0, 1);
  Settled settled(job);
  const auto work = [&](std::int64_t first, std::int64_t last) {
    char* scratch = thread_scratch(frame_bytes + rows.bytes());
    Frame frame(job.rows, plan, job.tape, job.arguments, block, scratch);
    SmallVector<Counter, 2> counters;
    scratch += frame_bytes;
    for (const Combination& value : job.values) {
      counters.push_back(Counter(value.combine, scratch, value.bytes, 1));
      scratch += rows.bytes_of(value);
    }
    SmallVector<std::int64_t, 8> offsets(operands.size());
    const auto begin_of = [&](std::int64_t unit) {
      return unit % job.groups() * job.group * chunk_length;
    };
    const auto end_of = [&](std::int64_t unit) {
      return std::min(job.reduced, begin_of(unit) + job.group * chunk_length);
    };
    for (std::int64_t unit = first; unit < last; ++unit) {
      const std::int64_t kept = unit / job.groups(), group = unit % job.groups();
      if (settled.copy(kept, group)) continue;
      for (std::size_t k = 0; k < operands.size(); ++k)
        offsets[k] = walk.outer_offset(operands[k], kept);
      for (Counter& counter : counters) counter.restart();
      const std::int64_t end = end_of(unit);
      bool is_done = false;
      for (std::int64_t begin = begin_of(unit); begin < end && !is_done; begin += piece) {
        const std::int64_t n = std::min(piece, end - begin);
        frame.read(walk, operands, offsets, begin, n);
        frame.run(n);
        if (factors) {
          factors->fold(counters[0].next(), frame.at(plan.results[0]), frame.at(plan.results[1]),
                        n);
          counters[0].push();
          continue;
        }
        for (std::size_t k = 0; k < counters.size(); ++k) {
          Counter& counter = counters[k];
          job.values[k].fold(counter.next(), frame.at(plan.results[k]), n, begin, counter.known());
          is_done = settled.is(counter.next());
          counter.push();
        }
      }
      for (std::size_t k = 0; k < counters.size(); ++k) {
        const Combination& value = job.values[k];
        std::memcpy(value.partial + (group * job.kept + kept) * value.bytes, counters[k].finish(),
                    static_cast<std::size_t>(value.bytes));
      }
      settled.publish(kept, group);
    }
  };
  const std::int64_t units = job.kept * job.groups();
  const std::int64_t cost = plan.cost * std::min(job.reduced, job.group * chunk_length) / 4 + 16;
  parallel_for(units, grain_of(units, cost), work);
}

/// Kept elements in blocks: row by row into lanes that are rows themselves.
void reduce_outer(const Job& job, const Walk& walk, std::span<const Operand> operands) {
  const Plan plan = make_plan(job.rows, job.tape, walk, operands);
  const SmallVector<bool, 8> is_dense = dense_ones(walk, operands);
  // 32 lanes of a block fill half of the first-level cache.
  const std::int64_t width = job.width();
  const std::int64_t block = (width + 127) / 128 * 128;
  const std::int64_t frame_bytes = to_lines(Frame::bytes(plan, block));
  const bool is_in_order = job.lanes() == 1;
  const Rows rows(job, lane_count, width);
  const std::int64_t columns = (job.kept + width - 1) / width;
  const Operand* const in_place =
      job.values[0].fold_columns ? in_place_of(job, plan, operands) : nullptr;
  const auto work = [&](std::int64_t first, std::int64_t last) {
    char* scratch = thread_scratch(frame_bytes + rows.bytes());
    Frame frame(job.rows, plan, job.tape, job.arguments, block, scratch);
    SmallVector<char*, 2> lanes_of;
    scratch += frame_bytes;
    for (const Combination& value : job.values)
      lanes_of.push_back(std::exchange(scratch, scratch + rows.bytes_of(value)));
    SmallVector<std::int64_t, 8> offsets(operands.size());
    for (std::int64_t unit = first; unit < last; ++unit) {
      const std::int64_t kept = unit % columns * width, group = unit / columns;
      const std::int64_t n = std::min(width, job.kept - kept);
      SmallVector<Counter, 2> counters;
      for (std::size_t k = 0; k < lanes_of.size(); ++k) {
        const Combination& value = job.values[k];
        char* const above = lanes_of[k] + lane_count * width * value.bytes;
        counters.push_back(Counter(value.combine, above, value.bytes, n));
      }
      const std::int64_t end = std::min(job.reduced, (group + 1) * job.group * chunk_length);
      for (std::int64_t begin = group * job.group * chunk_length; begin < end;
           begin += chunk_length) {
        const std::int64_t count = std::min(chunk_length, end - begin);
        if (in_place) {
          const char* rows_in_order[chunk_length];
          std::int64_t next = 0;
          for (LaneOrder order(count, lane_count); order.row < count; order.step())
            rows_in_order[next++] = in_place->base + kept * in_place->bytes +
                                    walk.outer_offset(*in_place, begin + order.row);
          if (job.values[0].fold_columns(counters[0].next(), rows_in_order, count, n)) {
            counters[0].push();
            continue;
          }
        }
        // lane by lane, so that a lane stays in the first-level cache while it takes its rows
        for (LaneOrder order(count, job.lanes()); order.row < count; order.step()) {
          const std::int64_t next = order.ahead(rows_ahead);
          for (std::size_t k = 0; k < operands.size(); ++k) {
            offsets[k] = walk.outer_offset(operands[k], begin + order.row);
            if (is_dense[k] && next < count)
              read_ahead(operands[k], walk.outer_offset(operands[k], begin + next), kept, n);
          }
          frame.read(walk, operands, offsets, kept, n);
          frame.run(n);
          for (std::size_t k = 0; k < lanes_of.size(); ++k) {
            const Combination& value = job.values[k];
            const std::int64_t own = value.lanes() > 1 ? order.lane : 0;
            char* const lane = lanes_of[k] + own * width * value.bytes;
            const char* const elements = frame.at(plan.results[k]);
            if (order.row == own)
              value.begin(lane, elements, n, begin + order.row);
            else
              value.take(lane, elements, n, begin + order.row, is_in_order);
          }
        }
        for (std::size_t k = 0; k < lanes_of.size(); ++k) {
          const Combination& value = job.values[k];
          char* const lanes = lanes_of[k];
          const std::int64_t lane_bytes = width * value.bytes;
          fold_lanes(std::min(count, value.lanes()), [&](std::int64_t a, std::int64_t b) {
            value.join(lanes + a * lane_bytes, lanes + b * lane_bytes, n);
          });
          value.close(counters[k].next(), lanes, n, begin);
          counters[k].push();
        }
      }
      for (std::size_t k = 0; k < lanes_of.size(); ++k) {
        const Combination& value = job.values[k];
        std::memcpy(value.partial + (group * job.kept + kept) * value.bytes, counters[k].finish(),
                    static_cast<std::size_t>(n * value.bytes));
      }
    }
  };
  const std::int64_t units = columns * job.groups();
  const std::int64_t cost = plan.cost * width * std::min(job.reduced, job.group * chunk_length) / 2;
  parallel_for(units, grain_of(units, cost), work);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
