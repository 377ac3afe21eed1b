// test_field.cpp: fields of structs as views: what they read, what is written through them, and
// which fall on no whole elements.
#include "isthmus/array/index/field.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/array/text/format.h"
#include "support.h"

namespace isthmus {
namespace {

struct Cell {
  std::int16_t i, j;
  friend bool operator==(const Cell&, const Cell&) = default;
};
struct Particle {
  float x, y;
  std::int32_t id;
  float v[2];
  Cell cell;
  friend bool operator==(const Particle&, const Particle&) = default;
};
using Particles = std::vector<Particle>;

DType cell_type() {
  return DType(intern({"", sizeof(Cell), 2, true, {{"i", "<i2", 0, {}}, {"j", "<i2", 2, {}}}}));
}
DType particle_type() {
  RecordType type{"", sizeof(Particle), 4, true, {}};
  type.fields = {{"x", "<f4", offsetof(Particle, x), {}},
                 {"y", "<f4", offsetof(Particle, y), {}, nullptr, "height"},
                 {"id", "<i4", offsetof(Particle, id), {}},
                 {"v", "<f4", offsetof(Particle, v), {2}},
                 {"cell", "|V4", offsetof(Particle, cell), {}, cell_type().record}};
  return DType(intern(std::move(type)));
}

Particles some(std::size_t count) {
  Particles made(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto n = static_cast<float>(i);
    const auto cell = static_cast<std::int16_t>(100 + i);
    made[i] = {n, -n, static_cast<std::int32_t>(7 * i), {n / 2, n / 4}, {cell, 5}};
  }
  return made;
}

class Field : public EachDevice {
 protected:
  Array put(Particles all) const {
    const std::size_t bytes = all.size() * sizeof(Particle);
    Ref<BackendMemory> memory = allocate(device, bytes);
    transfer(*memory, all.data(), bytes, true);
    const auto count = static_cast<std::int64_t>(all.size());
    return from_view({std::move(memory), particle_type(), row_major(Dims{count})});
  }
  static Particles all_of(const Array& x) {
    BackendMemory& memory = *x.storage()->memory();
    Particles found(memory.bytes / sizeof(Particle));
    transfer(memory, found.data(), found.size() * sizeof(Particle), false);
    found.resize(static_cast<std::size_t>(x.storage()->layout.count()));
    return found;
  }
};

INSTANTIATE_TEST_SUITE_P(, Field, ::testing::Values(-1, 1, 2), device_name);

TEST_P(Field, reads_in_the_memory_of_the_structs) {
  const Array p = put(some(4));
  for (const char* name : {"x", "y", "height", "id", "v", "cell"})
    EXPECT_EQ(field(p, name).storage()->memory(), p.storage()->memory()) << name;
  EXPECT_EQ(field(p, "id").dtype(), TypeId::int32);
  EXPECT_EQ(field(p, "y").layout().strides, Dims{6});
  EXPECT_EQ(field(p, "y").layout().offset, 1);
  EXPECT_EQ(to_string(field(p, "x")), "[0. 1. 2. 3.]");
  EXPECT_EQ(to_string(field(p, "height")), "[-0. -1. -2. -3.]") << "y by its title";
  EXPECT_EQ(to_string(field(p, "id")), "[ 0  7 14 21]");
  EXPECT_EQ(to_string(field(p, "v")), "[[0.   0.  ]\n [0.5  0.25]\n [1.   0.5 ]\n [1.5  0.75]]");
  EXPECT_EQ(field(p, "cell").dtype(), cell_type());
  EXPECT_EQ(to_string(field(field(p, "cell"), "i")), "[100 101 102 103]");
}

TEST_P(Field, of_a_part_is_that_part) {
  const Array p = put(some(6));
  EXPECT_EQ(to_string(field(p[slice(1, 3)], "id")), "[ 7 14]");
  EXPECT_EQ(to_string(field(p[slice({}, {}, -2)], "x")), "[5. 3. 1.]");
  EXPECT_EQ(to_string(field(p[3], "v")), "[1.5  0.75]");
  EXPECT_EQ(field(p[slice(0, 0)], "v").shape(), (Dims{0, 2}));
  EXPECT_EQ(to_string(field(field(p[slice({}, {}, -3)], "cell"), "i")), "[105 102]");
}

TEST_P(Field, is_written_through_and_leaves_the_other_fields) {
  const Array p = put(some(6));
  Particles wanted = some(6);
  assign(field(p[slice(1, 3)], "id"), -1);
  wanted[1].id = wanted[2].id = -1;
  EXPECT_EQ(all_of(p), wanted);
  assign(field(p[slice({}, {}, -2)], "v")[{slice(), 1}], arange(3, TypeId::float32, device));
  wanted[5].v[1] = 0, wanted[3].v[1] = 1, wanted[1].v[1] = 2;
  EXPECT_EQ(all_of(p), wanted);
  apply_in_place(Op::subtract, field(p, "x"), field(p, "y"));
  for (Particle& one : wanted) one.x -= one.y;
  EXPECT_EQ(all_of(p), wanted);
  assign(field(field(p[0], "cell"), "j"), 77);
  wanted[0].cell.j = 77;
  EXPECT_EQ(all_of(p), wanted);
}

TEST_P(Field, that_was_read_before_a_write_shows_what_it_was) {
  const Array p = put(some(3)), x = field(p, "x"), y = field(p, "y");
  const Array doubled = apply(Op::multiply, {x, 2});
  assign(y, 50);  // a neighbour
  assign(x, 9);
  EXPECT_EQ(to_string(doubled), "[0. 2. 4.]");
  EXPECT_EQ(to_string(apply(Op::add, {field(p, "x"), y})), "[59. 59. 59.]");
}

TEST_P(Field, of_a_pending_copy_evaluates_it) {
  const Array p = put(some(3)), q = copy(p[slice({}, {}, -1)]);
  EXPECT_EQ(to_string(field(q, "id")), "[14  7  0]");
  EXPECT_FALSE(q.is_pending());
  assign(field(q, "id"), 0);
  EXPECT_EQ(all_of(p), some(3));
}

TEST_P(Field, of_read_only_structs_is_read_only) {
  const Array p = put(some(3)), fixed = seen_as(p, p.layout(), true);
  EXPECT_THROW(assign(field(fixed, "x"), 1), Error);
  EXPECT_THROW(assign(field(field(fixed, "cell"), "i"), 1), Error);
  EXPECT_THROW(assign(field(broadcast_to(p[0], {2}), "x"), 1), Error);
  EXPECT_EQ(all_of(p), some(3));
}

TEST_P(Field, some_of_them_are_structs_with_gaps) {
  const Array p = put(some(3));
  const std::string names[] = {"id", "x"};
  const Array part = fields(p, names);
  EXPECT_EQ(part.dtype().bytes(), std::int64_t{sizeof(Particle)});
  EXPECT_EQ(part.storage()->memory(), p.storage()->memory());
  EXPECT_EQ(to_string(field(part, "id")), "[ 0  7 14]");
  EXPECT_THROW(field(part, "y"), Error);
  assign(field(part, "x"), 4);
  EXPECT_EQ(all_of(p)[2].x, 4);
  EXPECT_EQ(all_of(p)[2].y, -2);
  EXPECT_EQ(to_string(field(as_struct(part, p.dtype()), "y")), "[-0. -1. -2.]");
}

/// What is said of an array of so many structs of this type.
std::string refusal(Errc code, RecordType type, std::string_view name) {
  type.name = "";
  const Array x = zeros({2}, DType(intern(std::move(type))));
  try {
    field(x, name);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "no error";
}

class Refused : public Graph {};

TEST_F(Refused, field_that_does_not_fall_on_whole_elements) {
  const RecordType packed{"", 5, 1, false, {{"tag", "|u1", 0, {}}, {"x", "<f4", 1, {}}}};
  EXPECT_EQ(
      refusal(Errc::value, packed, "x")
          .find(
              "field 'x': float32 at byte 1 of structs of 5 bytes does not fall on whole elements"),
      0u);
  EXPECT_EQ(refusal(Errc::value, packed, "tag"), "no error") << "bytes fall anywhere";
  const RecordType uneven{"", 12, 4, false, {{"mass", "<f8", 0, {}}, {"x", "<f4", 8, {}}}};
  EXPECT_NE(refusal(Errc::value, uneven, "mass").find("of structs of 12 bytes"), std::string::npos);
  EXPECT_EQ(refusal(Errc::value, uneven, "x"), "no error");
  const RecordType shifted{"", 16, 4, false, {{"x", "<f4", 0, {}}, {"mass", "<f8", 4, {}}}};
  EXPECT_NE(refusal(Errc::value, shifted, "mass").find("float64 at byte 4"), std::string::npos);
}

TEST_F(Refused, field_that_is_not_there_or_no_number_of_ours) {
  const RecordType type{"", 8, 4, true, {{"x", "<f4", 0, {}}, {"big", ">i4", 4, {}}}};
  EXPECT_EQ(refusal(Errc::value, type, "z"),
            "field: there is no field 'z'; the fields are 'x', 'big'");
  EXPECT_EQ(refusal(Errc::value, type, ""),
            "field: there is no field ''; the fields are 'x', 'big'");
  EXPECT_EQ(refusal(Errc::type, type, "big").find("field 'big': >i4 is not a dtype of Isthmus"),
            0u);
}

TEST_F(Refused, what_has_no_fields) {
  const Array plain = zeros({2});
  const Array bytes = zeros({2}, DType(intern({"", 8, 1, false, {{"", "|V8", 0, {}}}})));
  for (const Array& x : {plain, bytes}) try {
      field(x, "x");
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::type);
      EXPECT_EQ(std::string(error.what()).find("field: an array of "), 0u) << error.what();
    }
}

TEST_F(Refused, fields_without_a_name_twice_or_of_another_size) {
  const Array p = zeros({2}, particle_type());
  const std::vector<std::string> none, twice{"x", "id", "x"}, titled{"y", "height"};
  EXPECT_THROW(fields(p, none), Error);
  EXPECT_THROW(fields(p, twice), Error);
  EXPECT_THROW(fields(p, titled), Error) << "one field by two names";
  EXPECT_THROW(as_struct(p, cell_type()), Error);
  EXPECT_THROW(as_struct(p, TypeId::float32), Error);
  EXPECT_THROW(as_struct(zeros({2}), particle_type()), Error);
}

TEST_F(Refused, field_whose_address_would_be_misaligned) {
  alignas(8) std::byte bytes[3 * sizeof(Particle) + 8]{};
  const auto at = [&](std::size_t shift) {
    const auto address = reinterpret_cast<std::uintptr_t>(bytes) + shift;
    auto memory = make_ref<BackendMemory>(cpu, MemoryKind::host, address, 3 * sizeof(Particle));
    memory->host = bytes + shift;
    return from_view({std::move(memory), particle_type(), row_major(Dims{3})});
  };
  EXPECT_EQ(to_string(field(at(4), "x")), "[0. 0. 0.]");
  try {
    field(at(2), "x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::value);
    EXPECT_EQ(std::string(error.what()).find("field 'x': the structs are misaligned for float32"),
              0u)
        << error.what();
  }
  EXPECT_EQ(to_string(field(field(at(2), "cell"), "j")), "[0 0 0]") << "which needs two bytes";
}

}  // namespace
}  // namespace isthmus
