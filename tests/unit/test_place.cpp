// test_place.cpp: what is made like an array is of that array's context, whoever's queue is
// current.
#include "isthmus/array/place.h"

#include <functional>

#include "isthmus/array/create/create.h"
#include "isthmus/array/text/format.h"
#include "support.h"

namespace isthmus {
namespace {

/// A context of the discrete device that a user made, and a queue on it; the queue of the device's
/// own context is this thread's current one.
class Place : public Graph {
 protected:
  void SetUp() override {
    Graph::SetUp();
    own = current_backend_queue(discrete_null);
    native_ = control().make_context(2);
    const auto queue = control().make_queue(2, native_, true);
    users = backend("null").adopt_queue(queue);
    control().drop_queue(queue);
    ASSERT_NE(users->context, own->context);
  }
  void TearDown() override {
    synchronize(discrete_null);
    own = users = nullptr;
    control().drop_context(native_);
    Graph::TearDown();
  }
  /// Three ones in the user's context.
  Array theirs() const {
    const OnQueue meanwhile(users);
    return ones({3}, TypeId::float32, discrete_null);
  }

  Ref<BackendQueue> own, users;

 private:
  std::uintptr_t native_ = 0;
};

using Maker = std::function<Array(const Array&, std::optional<DType>)>;
const std::pair<Maker, const char*> makers[] = {
    {[](const Array& x, auto dtype) { return zeros_like(x, dtype); }, "[0 0 0]"},
    {[](const Array& x, auto dtype) { return ones_like(x, dtype); }, "[1 1 1]"},
    {[](const Array& x, auto dtype) { return full_like(x, 5, dtype); }, "[5 5 5]"},
    {[](const Array& x, auto dtype) { return empty_like(x, dtype); }, ""},
};

TEST_F(Place, what_is_made_like_an_array_is_of_its_context) {
  for (const bool is_ready : {true, false}) {
    const Array x = theirs();
    if (is_ready) x.eval();
    for (const auto& [make, text] : makers) {
      const Array y = make(x, TypeId::int32);
      EXPECT_EQ(x.is_pending(), !is_ready) << "its elements are of no interest";
      EXPECT_EQ(y.is_pending(), *text != 0) << "but for empty memory";
      EXPECT_EQ(context_of(y), users->context);
      EXPECT_EQ(y.eval().storage()->memory()->context, users->context);
      EXPECT_EQ(y.device(), discrete_null);
      EXPECT_EQ(y.dtype(), TypeId::int32);
      if (*text) EXPECT_EQ(to_string(y), text);
      EXPECT_EQ(current_backend_queue(discrete_null), own) << "as it was before";
    }
  }
}

TEST_F(Place, what_is_made_like_an_array_works_with_it) {
  const Array x = theirs();
  for (const auto& [make, text] : makers) {
    const Array y = apply(Op::add, {x, apply(Op::multiply, {make(x, {}), 0})});
    EXPECT_EQ(y.dtype(), TypeId::float32) << "that of x, where none is given";
    if (*text) EXPECT_EQ(to_string(y), "[1. 1. 1.]");
    EXPECT_EQ(context_of(y), users->context);
  }
}

TEST_F(Place, a_users_queue_does_not_draw_what_is_made_like_our_own) {
  const Array x = ones({3}, TypeId::float32, discrete_null);
  const OnQueue meanwhile(users);
  EXPECT_EQ(context_of(ones({3}, TypeId::float32, discrete_null)), users->context);
  for (const auto& [make, text] : makers) {
    const Array y = make(x, TypeId::int32);
    EXPECT_EQ(context_of(y), own->context);
    EXPECT_EQ(y.eval().storage()->memory()->context, own->context);
    EXPECT_EQ(current_backend_queue(discrete_null), users);
  }
}

TEST_F(Place, a_maker_that_fails_leaves_the_current_queue) {
  const Array x = theirs();
  EXPECT_THROW(full_like(x, 300, TypeId::uint8), Error);
  EXPECT_THROW(zeros_like(x, TypeId::float64), Error) << "the device has no doubles";
  EXPECT_EQ(current_backend_queue(discrete_null), own);
}

TEST_F(Place, the_host_has_no_context) {
  const Array x = ones({2});
  EXPECT_FALSE(context_of(x));
  EXPECT_FALSE(context_of(zeros_like(x)));
}

TEST_F(Place, two_contexts_are_refused_when_an_operation_is_called) {
  const Array x = theirs(), y = ones({3}, TypeId::float32, discrete_null);
  try {
    apply(Op::add, {x, y});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::device_mismatch);
    const std::string text = error.what();
    EXPECT_EQ(text.find("add: operands are of a user's context of null:2 and of the default"), 0u)
        << text;
    EXPECT_NE(text.find("make them in one context (`OnQueue`), or copy one to an array in the "
                        "other's (`assign(y, x)`)"),
              std::string::npos)
        << text;
  }
  EXPECT_TRUE(x.is_pending() && y.is_pending());
}

}  // namespace
}  // namespace isthmus
