// test_error.cpp: each code throws its own class, which storing keeps, and texts speak C++.
#include "isthmus/base/error.h"

#include <gtest/gtest.h>

#include <complex>
#include <functional>
#include <regex>
#include <set>
#include <typeinfo>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/field.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/index/nonzero.h"
#include "isthmus/base/words.h"
#include "isthmus/exchange/dlpack.h"
#include "isthmus/exchange/span.h"
#include "isthmus/runtime/evaluate/failure.h"
#include "tests/unit/support.h"

namespace isthmus {
namespace {

/// What one row of errors.def promises.
template <class Class, class Base>
void expect_class(Errc code, std::string_view name, std::string_view text) {
  SCOPED_TRACE(name);
  static_assert(std::is_base_of_v<Base, Class>);
  static_assert(std::is_convertible_v<Class*, std::exception*>, "one way to the base, not two");
  EXPECT_EQ(to_string(code), name);
  EXPECT_EQ(meaning(code), text);
  const auto details = std::make_shared<const CompileDetails>(CompileDetails{"a", "b", "c", "d"});
  std::shared_ptr<const Error> kept;
  try {
    raise_error(code, "who: it failed", details);
  } catch (const Base& error) {
    EXPECT_EQ(typeid(error), typeid(Class));
    kept = error.share();
  }
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->code(), code);
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROW(kept->raise(), Class);
    EXPECT_THROW(kept->share()->raise(), Class);
  }
  EXPECT_EQ(typeid(*make_error(code, "x")), typeid(Class));
  try {
    kept->raise();
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(), "who: it failed");
    EXPECT_EQ(dynamic_cast<const Error&>(error).compile_details(), details);
  }
  EXPECT_THROW(fail(code, "{}: {}", "who", 3), Class);
  EXPECT_THROW(throw Class("a user's own"), Base);
  try {
    throw Class("a user's own");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
  }
}

TEST(Error, each_code_throws_its_class) {
#define ERROR_GROUP(...)
#define ERRC(code, Class, Base, text) expect_class<Class, Base>(Errc::code, #code, text);
#include "isthmus/base/errors.def"
}

TEST(Error, names_and_meanings_tell_codes_apart) {
  std::set<std::string_view> names, meanings;
  int count = 0;
#define ERROR_GROUP(...)
#define ERRC(code, ...)                 \
  names.insert(to_string(Errc::code));  \
  meanings.insert(meaning(Errc::code)); \
  EXPECT_EQ(static_cast<int>(Errc::code), count++);
#include "isthmus/base/errors.def"
  EXPECT_EQ(static_cast<int>(names.size()), count);
  EXPECT_EQ(static_cast<int>(meanings.size()), count);
  EXPECT_EQ(to_string(static_cast<Errc>(1000)), "unknown");
  EXPECT_EQ(make_error(static_cast<Errc>(1000), "x")->code(), Errc::launch);
}

TEST(Error, groups_are_what_users_handle_together) {
  EXPECT_THROW(fail(Errc::device_not_found, "x"), DeviceError);
  EXPECT_THROW(fail(Errc::backend_unavailable, "x"), DeviceError);
  EXPECT_THROW(fail(Errc::compile, "x"), DriverError);
  EXPECT_THROW(fail(Errc::launch, "x"), DriverError);
  EXPECT_THROW(fail(Errc::copy_refused, "x"), ExchangeError);
  EXPECT_THROW(fail(Errc::promotion, "x"), TypeError);
  static_assert(std::is_abstract_v<Error> && std::is_abstract_v<DriverError>);
  static_assert(!std::is_copy_constructible_v<Error>, "catching it by value would cut it");
}

TEST(Error, text_is_whole_where_what_ends_at_a_nul) {
  const std::string text("field 'a\0b': no", 15);
  try {
    fail(Errc::value, "{}", text);
  } catch (const ValueError& error) {
    EXPECT_EQ(error.text(), text);
    EXPECT_STREQ(error.what(), "field 'a");
  }
}

TEST(Error, what_is_caught_as_a_failure_keeps_its_class) {
  Failure failure;
  try {
    fail(Errc::out_of_memory, "allocate: 3 bytes");
  } catch (...) {
    failure = current_failure([] { return "add of (3,)"; });
  }
  EXPECT_EQ(typeid(*failure), typeid(OutOfMemoryError));
  EXPECT_STREQ(failure->what(), "add of (3,): allocate: 3 bytes");
  try {
    throw std::bad_alloc();
  } catch (...) {
    failure = current_failure();
  }
  EXPECT_THROW(failure->raise(), OutOfMemoryError);
}

class OfDevices : public testing::Test {
 protected:
  void SetUp() override {
    set_inline_policy(Inline::never);
    set_eager(false);
  }
  void TearDown() override {
    control().set_fail_at(0, false, 0);
    control().set_command_fail_at(0, false, 0);
    set_inline_policy(Inline::automatic);
  }
};

TEST_F(OfDevices, a_value_that_failed_throws_its_class_at_each_use) {
  const Array a = full({10}, 1.f, TypeId::float32, discrete_null).eval();
  Array(a + 7).eval();  // the kernel is compiled
  const Array bad = a + 1, above = bad * 2;
  control().set_fail_at(1, true, static_cast<int>(Errc::launch));
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW(bad.eval(), LaunchError);
    EXPECT_THROW(above.eval(), LaunchError);
    control().set_fail_at(0, false, 0);
  }
}

TEST_F(OfDevices, what_there_was_no_memory_for_is_tried_again) {
  const Array a = full({10}, 1.f, TypeId::float32, discrete_null).eval();
  Array(a + 7).eval();  // the kernel is compiled
  const Array y = a + 1, above = y * 2;
  control().set_fail_at(1, true, static_cast<int>(Errc::out_of_memory));
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW(y.eval(), OutOfMemoryError);
    EXPECT_THROW(above.eval(), OutOfMemoryError);
    EXPECT_TRUE(y.is_pending() && above.is_pending());
  }
  control().set_fail_at(0, false, 0);
  EXPECT_EQ(item<float>(sum(above)), 40.f);
  EXPECT_EQ(item<float>(sum(a)), 10.f);
}

TEST_F(OfDevices, work_that_failed_on_a_queue_throws_its_class_at_each_wait) {
  const Array a = full({10}, 1.f, TypeId::float32, discrete_null).eval();
  wait(a.storage());
  const Array bad = a + 1;
  control().set_command_fail_at(1, false, static_cast<int>(Errc::launch));
  bad.eval();
  const Array above = bad * 2;
  above.eval();
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROW(wait(above.storage()), LaunchError);
    EXPECT_THROW(wait(bad.storage()), LaunchError);
  }
}

/// What a C++ programmer could not write or would not know.
const std::regex python(
    "Python|python -m|isthmus\\.[a-z]|pip "
    "install|__[a-z_]+__|[sg]etitem|\\bNone\\b|\\bTrue\\b|\\bFalse\\b"
    "|[Nn]um[Pp]y|dpnp|dpctl|\\bimport\\b|\\bwith \\w+[.(]|(copy|dtype|device|stream|max_version"
    "|dl_device|align)=|py_object|capsule");

using Call = std::function<void()>;

/// The error's text; fails unless it is of that class.
template <class Class>
std::string text_of(const Call& call, int line = __builtin_LINE()) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown in line " << line;
  } catch (const Class& error) {
    return error.what();
  }
  return {};
}

std::vector<std::string> texts_of_refusals() {
  const Array x = full({2, 3}, 1.0), three = full({3}, 1, TypeId::int32);
  const Array fixed = broadcast_to(full({3}, 1.0), {2, 3});
  const Array there = full({2, 3}, 1.f, TypeId::float32, discrete_null);
  RecordType packed;
  packed.bytes = 9;
  packed.fields = {{"a", "|i1", 0, {}, nullptr}, {"b", "<f8", 1, {}, nullptr}};
  packed.fields.push_back({"c", "<M8[s]", 1, {}, nullptr});
  const Array structs = empty({2}, DType(intern(packed)));
  dlpack::DLTensor borrowed{};
  const std::vector<float> constant{1, 2};
  return {
      text_of<ValueError>([&] { assign(fixed, 1.0); }),
      text_of<ValueError>([&] { assign(x, full({5}, 1.0)); }),
      text_of<TypeError>([&] { assign(three, std::complex(1.0, 2.0)); }),
      text_of<OverflowError>([&] { assign(full({3}, 1, TypeId::int8), 1000); }),
      text_of<OverflowError>([&] { full({3}, Value::past_64_bits(1e30), TypeId::int64); }),
      text_of<Error>([&] { full({3}, Value::past_64_bits(1e30)); }),
      text_of<TypeError>([&] { assign(structs, 1); }),
      text_of<TypeError>([&] { assign(structs, x); }),
      text_of<ValueError>([&] { field(structs, "b"); }),
      text_of<TypeError>([&] { field(structs, "c"); }),
      text_of<ValueError>([&] { field(structs, "none"); }),
      text_of<TypeError>([&] { field(x, "a"); }),
      text_of<ExchangeError>([&] { static_cast<void>(to_dlpack(structs)); }),
      text_of<ExchangeError>([&] { static_cast<void>(to_dlpack(there)); }),
      text_of<ExchangeError>([&] { static_cast<void>(to_legacy_dlpack(fixed)); }),
      text_of<ExchangeError>([&] { borrow_dlpack(fixed, borrowed); }),
      text_of<Error>([&] { to_span<float>(x); }),
      text_of<Error>([&] { to_span<float>(there); }),
      text_of<Error>([&] { to_span<float>(from_span(constant)); }),
      text_of<DeviceMismatchError>([&] { x + there; }),
      text_of<DeviceMismatchError>([&] { sum(x) + there; }),
      text_of<ValueError>([&] { x + full({2}, 1.0); }),
      text_of<IndexError>([&] { x[{5}]; }),
      text_of<IndexError>([&] { x[{0, 0, 0}]; }),
      text_of<IndexError>([&] { sum(x, {7}); }),
      text_of<ValueError>([&] { reshape(x, {4}); }),
      text_of<ValueError>([&] { item(x); }),
      text_of<TypeError>([&] { item(structs[0]); }),
      text_of<ValueError>([&] { linspace(x, 1, 3); }),
      text_of<TypeError>([&] { bitwise_and(x, x); }),
      text_of<BackendUnavailableError>([&] { backend("nowhere"); }),
      text_of<DeviceNotFoundError>([&] { parse_device("nowhere:1"); }),
      text_of<DeviceNotFoundError>([&] { parse_device("cpu:99"); }),
  };
}

TEST_F(OfDevices, texts_speak_cpp) {
  std::smatch found;
  for (const std::string& text : texts_of_refusals()) {
    EXPECT_FALSE(text.empty());
    EXPECT_FALSE(std::regex_search(text, found, python)) << found.str() << " in: " << text;
    EXPECT_EQ(text.find("{}"), text.npos) << "a place that nothing fills: " << text;
  }
}

TEST_F(OfDevices, contexts_that_do_not_meet_are_named_with_what_would_do) {
  const auto native = control().make_context(2);
  const auto native_queue = control().make_queue(2, native, true);
  {
    const Ref<BackendQueue> queue = backend("null").adopt_queue(native_queue);
    const Array a = full({3}, 1.f, TypeId::float32, discrete_null).eval();
    const OnQueue on(queue);
    const Array b = full({3}, 1.f, TypeId::float32, discrete_null).eval();
    const std::string text = text_of<DeviceMismatchError>([&] { (a + b).eval(); });
    EXPECT_NE(text.find("(`OnQueue`)"), text.npos) << text;
    synchronize(discrete_null);
  }
  control().drop_queue(native_queue);
  control().drop_context(native);
}

TEST(Words, are_those_of_the_host_language_once_it_has_set_them) {
  static Words others = words();
  const Words& before = words();
  others.assign = "setitem";
  set_words(others);
  const Array fixed = broadcast_to(full({3}, 1.0), {2, 3});
  const std::string text = text_of<ValueError>([&] { assign(fixed, 1.0); });
  set_words(before);
  EXPECT_TRUE(text.starts_with("setitem: the array is read-only")) << text;
  EXPECT_TRUE(text_of<ValueError>([&] { assign(fixed, 1.0); }).starts_with("assign: "));
}

TEST(Words, name_the_call_that_writes) {
  const Array fixed = broadcast_to(full({3}, 1.0), {2, 3});
  EXPECT_TRUE(text_of<ValueError>([&] { fixed.sort(); }).starts_with("sort: the array is"));
  EXPECT_TRUE(text_of<ValueError>([&] { fixed.partition(1); }).starts_with("partition: the array"));
  EXPECT_TRUE(text_of<ValueError>([&] { fixed.fill(1); }).starts_with("fill: the array is"));
  EXPECT_TRUE(text_of<ValueError>([] { where(full({}, 1.0)); }).starts_with("where: an array"));
  EXPECT_TRUE(text_of<ValueError>([] { nonzero(full({}, 1.0)); }).starts_with("nonzero: an"));
}

}  // namespace
}  // namespace isthmus
