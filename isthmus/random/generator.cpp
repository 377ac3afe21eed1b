// generator.cpp: the state of a generator; what seeds, children and streams are.
#include "isthmus/random/generator.h"

#include <mutex>
#include <random>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/types.h"
#include "isthmus/base/error.h"
#include "isthmus/random/drawing.h"

namespace isthmus::inline ISTHMUS_ABI::random {

using detail::check;

namespace {

using uint = std::uint32_t;
using ulong = std::uint64_t;
#define FUNCTION [[maybe_unused]] static
#include "isthmus/core/philox_functions.inc"
#undef FUNCTION

/// So that the number of an element, of which a block has four, fits 64 bits.
constexpr std::uint64_t most_blocks = std::uint64_t{1} << 60;

/// That one call of spawn makes: all are there when it returns.
constexpr std::int64_t most_children = std::int64_t{1} << 20;

const State& checked(const State& state) {
  check(state.counter <= most_blocks, Errc::value, "Generator: the counter {} is past 2^60",
        state.counter);
  check(state.stream <= most_blocks, Errc::value, "Generator: the stream {} is past 2^60",
        state.stream);
  return state;
}

/// Streams from the highest one down are of keys, not of numbers: the low halves of their blocks of
/// children, and the high half of the first block of what draws in loops.
std::uint64_t stream_of_keys(const State& state) { return ~state.stream; }

}  // namespace

Generator::Generator(const State& state) : impl_(std::make_unique<Impl>()) {
  held().state = checked(state);
}
Generator::Generator(const Generator& other) : Generator(other.state()) {}
Generator::Generator(Generator&& other) noexcept = default;
Generator& Generator::operator=(const Generator& other) {
  set_state(other.state());
  return *this;
}
Generator& Generator::operator=(Generator&& other) noexcept = default;
Generator::~Generator() = default;

Generator::Impl& Generator::held() const {
  check(impl_ != nullptr, Errc::value,
        "Generator: it is empty, moved from; assign a generator to it first");
  return *impl_;
}

State Generator::state() const {
  const std::lock_guard lock(held().mutex);
  return held().state;
}

void Generator::set_state(const State& state) {
  (void)checked(state);
  if (!impl_) impl_ = std::make_unique<Impl>();
  const std::lock_guard lock(held().mutex);
  held().state = state;
}

Drawn Generator::Impl::take(std::int64_t elements, std::int64_t of_block) {
  const auto blocks =
      static_cast<std::uint64_t>(elements / of_block + (elements % of_block != 0 ? 1 : 0));
  check(blocks <= most_blocks, Errc::value, "Generator: {} elements; a stream has no more than {}",
        elements, most_blocks * static_cast<std::uint64_t>(of_block));
  const std::lock_guard lock(mutex);
  check(blocks <= most_blocks - state.counter, Errc::value,
        "Generator: all blocks of this stream are used up; jump to another one");
  const Drawn drawn{state.key, state.stream, state.counter * static_cast<std::uint64_t>(of_block)};
  state.counter += blocks;
  return drawn;
}

Array Generator::Impl::draw_in_loops(const Target& target, Op op, const Value& parameter) {
  const Drawn drawn = take(target.count(), 1);
  const Value others[] = {philox_high(0, drawn.key, ~drawn.stream), parameter};
  return random::draw(target, op, drawn.first, others);
}

std::vector<Generator> Generator::spawn(AnyInteger count) {
  check(count >= 0 && count <= most_children, Errc::value,
        "spawn: {} generators; a call makes 0 to {}", count, most_children);
  State state;
  {
    const std::lock_guard lock(held().mutex);
    state = held().state;
    held().state.children += static_cast<std::uint64_t>(count);
  }
  std::vector<Generator> children;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t number = state.children + static_cast<std::uint64_t>(i);
    children.emplace_back(State{philox_low(number, state.key, stream_of_keys(state)), 0, 0, 0});
  }
  return children;
}

Generator Generator::jumped(AnyInteger jumps) const {
  check(jumps >= 0, Errc::value, "jumped: {} jumps; a generator does not go back", jumps);
  State there = state();
  check(static_cast<std::uint64_t>(jumps) <= most_blocks - there.stream, Errc::value,
        "jumped: {} jumps from the stream {}; the last one is 2^60", jumps, there.stream);
  there.stream += static_cast<std::uint64_t>(jumps);
  there.children = 0;
  return Generator(there);
}

Generator default_rng() {
  std::random_device entropy;
  const auto word = [&] { return std::uint64_t{entropy()} << 32 | entropy(); };
  return Generator(State{word(), 0, 0, 0});
}

Generator default_rng(std::uint64_t seed) { return default_rng({seed}); }

Generator default_rng(std::span<const std::uint64_t> seeds) {
  std::vector<std::vector<std::uint64_t>> digits;
  for (const std::uint64_t seed : seeds) digits.push_back({seed});
  return detail::seeded(digits);
}

Array philox4x32(const Array& counter, const Array& key) {
  constexpr const char* who = "philox4x32";
  for (const Array* x : {&counter, &key}) {
    const std::int64_t last = x == &counter ? 4 : 2;
    check(x->dtype() == DType(TypeId::uint32), Errc::type,
          "{}: the {} has the dtype {}, not uint32", who, last == 4 ? "counter" : "key",
          x->dtype());
    check(x->ndim() > 0 && x->shape(-1) == last, Errc::value,
          "{}: the {} has the shape {}; its last axis must have {} numbers", who,
          last == 4 ? "counter" : "key", x->shape(), last);
  }
  check(counter.device() == key.device(), Errc::device_mismatch,
        "{}: the counter is on {}, the key on {}; move one with to_device", who, counter.device(),
        key.device());
  const auto word = [](const Array& x, std::int64_t first) {
    const auto digit = [&](std::int64_t at) { return astype(x[{ellipsis, at}], TypeId::uint64); };
    return bitwise_or(digit(first), bitwise_left_shift(digit(first + 1), 32));
  };
  const Array low = word(counter, 0), high = word(counter, 2), one = word(key, 0);
  std::vector<Array> digits;
  for (const Op op : {Op::philox_low, Op::philox_high}) {
    const Array half = calculate(who, op, TypeId::uint64, {low, one, high});
    digits.push_back(astype(half, TypeId::uint32));
    digits.push_back(astype(bitwise_right_shift(half, 32), TypeId::uint32));
  }
  return stack(digits, -1);
}

}  // namespace isthmus::inline ISTHMUS_ABI::random

namespace isthmus::inline ISTHMUS_ABI::detail {

void refuse_seed(std::int64_t seed) {
  fail(Errc::value, "default_rng: the seed {} is negative", seed);
}

random::Generator seeded(std::span<const std::vector<std::uint64_t>> seeds) {
  std::uint64_t key = 0;
  for (const std::vector<std::uint64_t>& digits : seeds)
    for (std::size_t i = 0; i < digits.size(); ++i)
      key = random::philox_low(digits[i], key, ~(digits.size() << 32 | i));
  return random::Generator(random::State{key, 0, 0, 0});
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
