// test_dlpack.cpp: tensors out and in, without Python: fields, lifetimes, refusals.
#include "isthmus/exchange/dlpack.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/exchange/share.h"
#include "isthmus/runtime/observe/statistics.h"

namespace isthmus {
namespace {

using namespace dlpack;

Array numbers(std::initializer_list<std::int64_t> shape, DType dtype = TypeId::float32) {
  std::int64_t count = 1;
  for (std::int64_t extent : shape) count *= extent;
  const Array line =
      arange(Scalar::of(std::int64_t{0}), Scalar::of(count), Scalar::of(std::int64_t{1}), dtype);
  return reshape(line, shape);
}

bool is_shared(const Array& x) { return x.storage()->memory()->is_shared(); }

/// A tensor made by somebody else, who counts how often it was deleted.
struct Producer {
  std::vector<double> values = std::vector<double>(16, 1.5);
  std::int64_t shape[3] = {2, 3, 1}, strides[3] = {3, 1, 1};
  int deleted = 0;
  DLManagedTensorVersioned tensor{};
  DLManagedTensor legacy{};

  Producer() {
    DLTensor t{values.data(), {kDLCPU, 0}, 2, {2, 64, 1}, shape, strides, 0};
    tensor.version = {1, 3};
    tensor.manager_ctx = legacy.manager_ctx = this;
    tensor.dl_tensor = legacy.dl_tensor = t;
    tensor.deleter = [](DLManagedTensorVersioned* self) {
      ++static_cast<Producer*>(self->manager_ctx)->deleted;
    };
    legacy.deleter = [](DLManagedTensor* self) {
      ++static_cast<Producer*>(self->manager_ctx)->deleted;
    };
  }
  DLTensor& fields() { return tensor.dl_tensor; }
};

/// Imports what `change` made of a good tensor; the error must name `field`, and the deleter runs
/// exactly once, and nothing stays behind.
template <class F>
void expect_refusal(const char* field, F change) {
  const std::int64_t before = live_memories();
  Producer producer;
  change(producer);
  try {
    from_dlpack(&producer.tensor);
    ADD_FAILURE() << field << " was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::exchange) << error.what();
    EXPECT_NE(std::string_view(error.what()).find(std::string(field) + ":"), std::string_view::npos)
        << error.what();
  }
  EXPECT_EQ(producer.deleted, 1) << field;
  EXPECT_EQ(live_memories(), before) << field;
}

TEST(Dlpack, ExportFillsEveryField) {
  const Array x = numbers({3, 4});
  DlpackTensor tensor = to_dlpack(x);
  const DLTensor& t = tensor->dl_tensor;
  EXPECT_EQ(tensor->version.major, 1u);
  EXPECT_EQ(tensor->version.minor, 3u);
  EXPECT_EQ(tensor->flags, 0u);
  EXPECT_EQ(t.data, host_address(x));
  EXPECT_EQ(t.byte_offset, 0u);
  EXPECT_EQ(t.device, (DLDevice{kDLCPU, 0}));
  EXPECT_EQ(t.ndim, 2);
  EXPECT_EQ(t.shape[1], 4);
  EXPECT_EQ(t.strides[0], 4);
  EXPECT_EQ(t.dtype.code, 2);
  EXPECT_EQ(t.dtype.bits, 32);
  EXPECT_EQ(t.dtype.lanes, 1);
}

TEST(Dlpack, AnOffsetMovesThePointerAndNotByteOffset) {
  const Array x = numbers({12});
  Layout layout = x.layout();
  layout.shape = {3};
  layout.strides = {-2};
  layout.offset = 8;
  DlpackTensor tensor = to_dlpack(seen_as(x, layout));
  EXPECT_EQ(tensor->dl_tensor.data, static_cast<float*>(host_address(x)) + 8);
  EXPECT_EQ(tensor->dl_tensor.byte_offset, 0u);
  EXPECT_EQ(tensor->dl_tensor.strides[0], -2);
}

TEST(Dlpack, StridesOfShortAxesArePlainAndDataOfEmptyOnesNull) {
  const std::int64_t axes[] = {1};
  DlpackTensor tensor = to_dlpack(expand_dims(numbers({5}), axes));
  EXPECT_EQ(tensor->dl_tensor.strides[1], 1);
  tensor = to_dlpack(numbers({0, 3}));
  EXPECT_EQ(tensor->dl_tensor.data, nullptr);
  EXPECT_EQ(tensor->dl_tensor.strides[0], 3);
  EXPECT_EQ(tensor->dl_tensor.strides[1], 1);
}

TEST(Dlpack, ExportIsSharedUntilTheDeleterOnAnyThread) {
  const Array x = numbers({4});
  DlpackTensor tensor = to_dlpack(x);
  EXPECT_TRUE(is_shared(x));
  std::thread([&] { tensor.reset(); }).join();
  EXPECT_FALSE(is_shared(x));
}

TEST(Dlpack, ExportEvaluatesWhatReadsTheMemory) {
  const Array x = numbers({4});
  x.eval();
  const Array y = x + 1.0;
  DlpackTensor tensor = to_dlpack(x);
  static_cast<float*>(tensor->dl_tensor.data)[0] = 100;
  EXPECT_EQ(item(sum(y)).number.re, 10);
}

TEST(Dlpack, TheTensorOutlivesTheArray) {
  std::optional<Array> x = numbers({4});
  DlpackTensor tensor = to_dlpack(*x);
  x.reset();
  EXPECT_EQ(static_cast<float*>(tensor->dl_tensor.data)[3], 3);
}

TEST(Dlpack, ReadOnlyIsAFlagAndACopyIsWritable) {
  const std::int64_t shape[] = {2, 3};
  const Array x = broadcast_to(numbers({3}), shape);
  EXPECT_EQ(to_dlpack(x)->flags, read_only_flag);
  EXPECT_EQ(to_dlpack(x)->dl_tensor.strides[0], 0);
  EXPECT_THROW((void)to_legacy_dlpack(x), Error);
  const DlpackTensor copied = to_dlpack(x, {.is_copied = true});
  EXPECT_EQ(copied->flags, copied_flag);
  EXPECT_NE(to_legacy_dlpack(x, {.is_copied = true}), nullptr);
}

TEST(Dlpack, ACopyIsNobodyElsesAndIsCounted) {
  const Array x = numbers({4});
  x.eval();
  const std::int64_t before = statistics().copies;
  const DlpackTensor tensor = to_dlpack(x, {.is_copied = true});
  EXPECT_NE(tensor->dl_tensor.data, host_address(x));
  EXPECT_EQ(statistics().copies, before + 1);
  EXPECT_FALSE(is_shared(x));
  static_cast<float*>(tensor->dl_tensor.data)[0] = 100;
  EXPECT_EQ(item(sum(x)).number.re, 6);
}

TEST(Dlpack, ATensorThatNobodyTakesIsEndedByItsOwner) {
  const Array x = numbers({4});
  {
    const DlpackTensor kept = to_dlpack(x);
    EXPECT_TRUE(is_shared(x));
  }
  EXPECT_FALSE(is_shared(x));
  DlpackTensor given = to_dlpack(x);
  const Array y = from_dlpack(std::move(given));
  EXPECT_EQ(given, nullptr);
  EXPECT_EQ(y.storage(), x.storage());
  DLManagedTensorVersioned* const released = to_dlpack(x).release();  // a consumer of C
  EXPECT_TRUE(is_shared(x));
  released->deleter(released);
  EXPECT_FALSE(is_shared(x));
}

TEST(Dlpack, ATensorOfOursGivesBackWhatItWasMadeOf) {
  const Array x = numbers({2, 3});
  const Array y = from_dlpack(to_dlpack(x)), z = from_dlpack(to_legacy_dlpack(x));
  EXPECT_EQ(y.storage(), x.storage());
  EXPECT_EQ(z.storage(), x.storage());
  EXPECT_FALSE(is_shared(x));
}

TEST(Dlpack, ImportSharesAndDeletesOnce) {
  Producer producer;
  {
    const Array x = from_dlpack(&producer.tensor);
    const std::int64_t axes[] = {0};
    const Array view = flip(x, axes);
    EXPECT_EQ(host_address(x), producer.values.data());
    producer.values[0] = 10;
    EXPECT_EQ(item(sum(view)).number.re, 17.5);
    assign(x, 2.0);
    EXPECT_EQ(producer.values[5], 2);
    EXPECT_EQ(producer.deleted, 0);
  }
  EXPECT_EQ(producer.deleted, 1);
}

TEST(Dlpack, ImportHonoursByteOffsetNullStridesAndNullDeleter) {
  Producer producer;
  producer.values[2] = 42;
  producer.legacy.dl_tensor.byte_offset = 16;
  producer.legacy.dl_tensor.strides = nullptr;
  producer.legacy.deleter = nullptr;
  const Array x = from_dlpack(&producer.legacy);
  EXPECT_EQ(host_address(x), producer.values.data() + 2);
  EXPECT_EQ(item(max(x)).number.re, 42);
}

TEST(Dlpack, ImportHonoursFlags) {
  Producer producer;
  producer.tensor.flags = read_only_flag;
  EXPECT_TRUE(from_dlpack(&producer.tensor).is_read_only());
  producer.tensor.flags = copied_flag;
  EXPECT_FALSE(is_shared(from_dlpack(&producer.tensor)));
}

TEST(Dlpack, ATensorElsewhereThanItsProducerSaysIsRefused) {
  Producer producer;
  EXPECT_EQ(from_dlpack(&producer.tensor, {.device = DLDevice{kDLCPU, 7}}).size(), 6);
  EXPECT_EQ(producer.deleted, 1);
  EXPECT_THROW(from_dlpack(&producer.legacy, {.device = DLDevice{kDLCUDA, 0}}), ExchangeError);
  EXPECT_EQ(producer.deleted, 2);
  Producer sycl;  // libraries number its devices in more than one way: the address is looked at
  sycl.tensor.dl_tensor.device = {kDLOneAPI, 0};
  try {
    from_dlpack(&sycl.tensor, {.device = DLDevice{kDLOneAPI, 5}});
  } catch (const Error& error) {
    EXPECT_EQ(std::string_view(error.what()).find("producer names"), std::string_view::npos);
  }
  Producer pinned;
  EXPECT_EQ(from_dlpack(&pinned.tensor, {.device = DLDevice{kDLCUDAHost, 0}}).size(), 6);
}

TEST(Dlpack, ImportOfNoElementsTakesANullPointer) {
  Producer producer;
  producer.shape[0] = 0;
  producer.fields().data = nullptr;
  EXPECT_EQ(from_dlpack(&producer.tensor).size(), 0);
  EXPECT_EQ(producer.deleted, 1);
}

TEST(Dlpack, LanesBecomeAStructAndGoOutAgain) {
  Producer producer;
  producer.fields().dtype = {2, 32, 4};
  const Array x = from_dlpack(&producer.tensor);
  EXPECT_EQ(x.dtype().bytes(), 16);
  EXPECT_EQ(x.dtype().record->fields.size(), 4u);
  EXPECT_EQ(isthmus::to_dlpack(x.dtype()).lanes, 4);
}

TEST(Dlpack, EveryBuiltInDtypeGoesThereAndBack) {
  for (int i = 0; i < builtin_type_count; ++i) {
    const DType dtype = static_cast<TypeId>(i);
    EXPECT_EQ(isthmus::from_dlpack(isthmus::to_dlpack(dtype)), dtype);
  }
}

TEST(Dlpack, RefusalsNameTheFieldAndDeleteOnce) {
  expect_refusal("version", [](Producer& p) { p.tensor.version.major = 2; });
  expect_refusal("ndim", [](Producer& p) { p.fields().ndim = -1; });
  expect_refusal("ndim", [](Producer& p) { p.fields().ndim = 65; });
  expect_refusal("ndim", [](Producer& p) { p.fields().ndim = INT32_MAX; });
  expect_refusal("shape", [](Producer& p) { p.fields().shape = nullptr; });
  expect_refusal("shape", [](Producer& p) { p.shape[0] = -2; });
  expect_refusal("shape", [](Producer& p) { p.shape[0] = p.shape[1] = (1LL << 32) + 1; });
  expect_refusal("shape", [](Producer& p) { p.shape[0] = 1LL << 61, p.shape[1] = 2; });
  expect_refusal("shape", [](Producer& p) {
    p.shape[0] = p.shape[1] = (1LL << 32) + 1;
    p.fields().strides = nullptr;
  });
  expect_refusal("strides", [](Producer& p) { p.strides[0] = INT64_MAX; });
  expect_refusal("strides", [](Producer& p) { p.strides[0] = INT64_MIN; });
  expect_refusal("strides", [](Producer& p) { p.strides[0] = -(1LL << 59); });
  expect_refusal("data", [](Producer& p) { p.fields().data = nullptr; });
  expect_refusal(
      "data", [](Producer& p) { p.fields().data = reinterpret_cast<char*>(p.values.data()) + 1; });
  expect_refusal("byte_offset", [](Producer& p) { p.fields().byte_offset = UINT64_MAX; });
  expect_refusal("device", [](Producer& p) { p.fields().device = {kDLCUDA, 0}; });
  expect_refusal(
      "device", [](Producer& p) { p.fields().device.device_type = static_cast<DLDeviceType>(77); });
  expect_refusal("dtype", [](Producer& p) { p.fields().dtype = {3, 64, 1}; });
  expect_refusal("dtype", [](Producer& p) { p.fields().dtype = {17, 4, 1}; });
  expect_refusal("dtype", [](Producer& p) { p.fields().dtype = {8, 8, 1}; });
  expect_refusal("dtype", [](Producer& p) { p.fields().dtype = {2, 64, 0}; });
  expect_refusal("dtype", [](Producer& p) { p.fields().dtype = {2, 128, 1}; });
}

TEST(Dlpack, BorrowedTensorsAreFilledWithoutACount) {
  const Array x = numbers({2, 3});
  DLTensor tensor{};
  borrow_dlpack(x, tensor);
  EXPECT_EQ(tensor.data, host_address(x));
  EXPECT_EQ(tensor.shape, x.layout().shape.data());
  EXPECT_FALSE(is_shared(x));
}

TEST(Dlpack, StructsAreRefused) {
  RecordType record;
  record.bytes = 12;
  record.fields = {{"a", "<f4", 0, {}, nullptr}, {"b", "<f8", 4, {}, nullptr}};
  EXPECT_THROW(isthmus::to_dlpack(DType(intern(record))), Error);
}

}  // namespace
}  // namespace isthmus
