// test_memory.cpp: memory objects, and arrays over them.
#include "isthmus/exchange/memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>

#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/runtime/memory/pool.h"
#include "isthmus/runtime/observe/statistics.h"
#include "tests/unit/errors.h"
#include "tests/unit/support.h"

namespace isthmus {
namespace {

constexpr auto most = std::numeric_limits<std::size_t>::max();

class MemoryValue : public EachDevice {};
INSTANTIATE_TEST_SUITE_P(Devices, MemoryValue, ::testing::Values(-1, 1, 2), device_name);

std::array<std::byte, 8> bytes_of(const Memory& memory) {
  std::array<std::byte, 8> found{};
  memory.copy_to_host(found);
  return found;
}

TEST_P(MemoryValue, is_written_and_read) {
  const Memory memory(8, device);
  EXPECT_EQ(memory.nbytes(), 8u);
  EXPECT_EQ(memory.device(), device);
  memory.memset(7);
  EXPECT_EQ(bytes_of(memory)[5], std::byte{7});
  const std::array new_bytes{std::byte{1}, std::byte{2}};
  memory.copy_from_host(new_bytes);
  EXPECT_EQ(bytes_of(memory)[1], std::byte{2});
  EXPECT_EQ(bytes_of(memory)[2], std::byte{7});
  const Memory part = memory(6, 8), copy = memory;
  part.memset(9);
  EXPECT_EQ(bytes_of(copy)[6], std::byte{9});
  EXPECT_EQ(bytes_of(copy)[5], std::byte{7});
}

TEST_P(MemoryValue, goes_to_another_device) {
  const Memory memory(8, device);
  const Memory here(4, cpu);
  here.memset(3);
  memory.memset(1);
  memory.copy_from_device(here);
  EXPECT_EQ(bytes_of(memory)[3], std::byte{3});
  EXPECT_EQ(bytes_of(memory)[4], std::byte{1});
  memory.memset(5);
  here.copy_from_device(memory(0, 4));
  std::array<std::byte, 4> found{};
  here.copy_to_host(found);
  EXPECT_EQ(found[0], std::byte{5});
}

TEST_P(MemoryValue, is_the_memory_of_arrays) {
  const Memory memory(16, device);
  const Array x = from_memory<std::int32_t>(memory, {2, 2});
  assign(x, 4);
  const Array backwards = from_memory<std::int32_t>(memory, {4}, Dims{-1}, 3);
  backwards[0] = 9;
  EXPECT_EQ(x.to_vector<std::int32_t>(), (std::vector<std::int32_t>{4, 4, 4, 9}));
  EXPECT_EQ(from_memory(memory(4, 16), {3}, TypeId::int32).to_vector<std::int32_t>(),
            (std::vector<std::int32_t>{4, 4, 9}));
  EXPECT_EQ(Memory(backwards).nbytes(), Memory(x).nbytes());
  EXPECT_EQ(as_memory(x[1]).nbytes(), 8u);
  const Memory row = as_memory(x[1]);
  EXPECT_EQ(row.handle(), static_cast<char*>(memory.handle()) + 8);
  EXPECT_EQ(memory.context(), memory.queue().context());
}

TEST_P(MemoryValue, lives_as_long_as_its_arrays) {
  const std::int64_t before = counters().memories;
  {
    const Array x = from_memory<float>(Memory(400, device), {100});
    assign(x, 2);
    EXPECT_EQ(sum(x).item<float>(), 200);
  }
  EXPECT_EQ(counters().memories, before);
}

TEST_P(MemoryValue, is_refused_where_it_does_not_fit) {
  const Memory memory(16, device);
  EXPECT_THROW(Memory(0, device), ValueError);
  EXPECT_THROW(Memory(most, device), OutOfMemoryError);
  EXPECT_THROW(Memory(8, device, {.alignment = 48}), ValueError);
  EXPECT_THROW(Memory(8, device, {.alignment = most}), OutOfMemoryError);
  EXPECT_THROW(trim_pool(device, -1), ValueError);
  EXPECT_THROW(memory(9, 8), IndexError);
  EXPECT_THROW(memory(0, 17), IndexError);
  EXPECT_THROW(from_memory<double>(memory, {3}), ExchangeError);
  EXPECT_THROW(from_memory<double>(memory, {2}, Dims{1}, 1), ExchangeError);
  EXPECT_THROW(from_memory<double>(memory, {1}, Dims{1}, -1), ExchangeError);
  EXPECT_THROW(from_memory<double>(memory, {1}, Dims{1, 1}), ValueError);
  EXPECT_THROW(from_memory<double>(memory(4, 12), {1}), ExchangeError);
  EXPECT_THROW(from_memory<float>(memory, {2}, Dims{std::int64_t{1} << 62}), ExchangeError);
  std::array<std::byte, 15> small{};
  EXPECT_THROW(memory.copy_to_host(small), ValueError);
  EXPECT_THROW(memory(0, 14).copy_from_host(small), ValueError);
  EXPECT_THROW(memory(0, 8).copy_from_device(memory), ValueError);
  const Array nothing;
  EXPECT_THROW(Memory{nothing}, ValueError);
}

TEST(MemoryOfTheHost, shows_negative_sizes_as_such) {
  const Memory memory(16, cpu);
  const auto code = Errc::out_of_memory;
  const auto minus_one = static_cast<std::size_t>(-1), minus_four = static_cast<std::size_t>(-4);
  EXPECT_EQ(error_of(code, [&] { Memory(minus_one, cpu); }),
            "memory: 18446744073709551615 bytes, or -1; 1 to 2^63-1 are possible");
  EXPECT_EQ(
      error_of(code, [&] { Memory(8, cpu, {.alignment = minus_four}); }),
      "memory: alignment 18446744073709551612, or -4; a power of two up to 2^40, or 0 for 64");
  EXPECT_EQ(error_of(Errc::index, [&] { memory(minus_four, 8); }), "memory: bytes -4 to 8 of 16");
  EXPECT_EQ(error_of(Errc::index, [&] { memory(0, 17); }), "memory: bytes 0 to 17 of 16");
}

TEST(MemoryOfTheHost, is_aligned_as_asked) {
  for (const std::size_t alignment : {std::size_t{64}, std::size_t{256}, std::size_t{1} << 20}) {
    const Memory memory(10, cpu, {.alignment = alignment});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.handle()) % alignment, 0u);
    EXPECT_EQ(memory.kind(), MemoryKind::host);
  }
}

TEST(MemoryOnAQueue, is_of_that_queue) {
  const Queue own(discrete_null);
  const Queue mine(backend(discrete_null).make_queue(own.context().backend_context()));
  const Memory memory(8, discrete_null, {.queue = mine});
  EXPECT_EQ(memory.queue(), mine);
  EXPECT_THROW(Memory(8, cpu, {.queue = mine}), DeviceMismatchError);
}

}  // namespace
}  // namespace isthmus
