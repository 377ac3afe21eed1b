// dtype.h: the type of an array's elements, and promotion.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/core/type_id.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What arithmetic an element knows. `record` is opaque: it is moved, never calculated with.
enum class Family : std::uint8_t { boolean, integer, natural, real, complex, record };

/// A complex number as it lies in memory: two reals, no C++ library semantics.
template <class R>
struct Complex {
  R re;  ///< The real part.
  R im;  ///< The imaginary part.
  /// Whether both parts are equal.
  friend bool operator==(const Complex&, const Complex&) = default;
};

/// How many dtypes are built in.
inline constexpr int builtin_type_count = static_cast<int>(TypeId::record);

/// A C struct or an OpenCL vector type, interned: equal types are one object, never freed.
struct RecordType {
  /// One member of the struct.
  struct Field {
    std::string name;          ///< As it is written.
    std::string format;        ///< NumPy typestr of the field, or the name of a nested record.
    std::int64_t byte_offset;  ///< From the beginning of the struct.
    std::vector<std::int64_t> shape;     ///< Of a sub-array field; empty otherwise.
    const RecordType* nested = nullptr;  ///< The field's own struct, if it is one.
    std::string title = {};              ///< A second name, as NumPy has it.
    /// Whether all is equal.
    friend bool operator==(const Field&, const Field&) = default;
  };
  std::string name;            ///< "float4" for a vector type, else empty.
  std::int64_t bytes = 0;      ///< Of one struct.
  std::int64_t alignment = 1;  ///< What its address must be a multiple of, in bytes.
  bool is_aligned = false;     ///< Laid out with C alignment, as numpy.dtype(align=True).
  std::vector<Field> fields;   ///< In the order of their offsets.
  /// Whether all is equal.
  friend bool operator==(const RecordType&, const RecordType&) = default;
};

/// A small value: family, bits of an element, and the struct or the vector type if it is one. Equal
/// when the elements mean the same; cheap to copy.
struct DType {
  TypeId id = TypeId::float64;         ///< Which of the built-in dtypes it is.
  Family family = Family::real;        ///< What can be calculated with it.
  std::uint8_t bits = 64;              ///< Of one element; 0 for a struct.
  const RecordType* record = nullptr;  ///< The struct; null for others.

  /// float64.
  constexpr DType() = default;
  /// A built-in dtype.
  constexpr DType(TypeId builtin);  // NOLINT: a TypeId is a dtype
  /// The dtype of an interned struct.
  explicit DType(const RecordType* type)
      : id(TypeId::record), family(Family::record), bits(0), record(type) {}

  /// Bytes of one element; a vector of three takes four lanes, as in OpenCL.
  constexpr std::int64_t bytes() const { return record ? record->bytes : bits / 8; }
  constexpr bool is_builtin() const { return id != TypeId::record; }  ///< Whether it is no struct.
  /// Whether elements of both mean the same. The rest follows from these two.
  friend constexpr bool operator==(const DType& a, const DType& b) {
    return a.id == b.id && a.record == b.record;
  }
};

/// A row of dtypes.def.
struct TypeInfo {
  std::string_view name;     ///< As Python has it: "float32", "bool".
  Family family;             ///< What can be calculated with it.
  std::uint8_t bits;         ///< Of one element.
  std::uint8_t dlpack_code;  ///< DLDataTypeCode.
  std::string_view typestr;  ///< NumPy's, without the byte order.
};

/// The built-in dtypes, in the order of TypeId.
inline constexpr std::array type_table{
#define DTYPE(name, storage, compute, family, bits, code, typestr)                          \
  TypeInfo{std::string_view(#name) == "bool_" ? "bool" : #name, Family::family, bits, code, \
           typestr},
#include "isthmus/core/dtypes.def"
};

/// The row of a built-in dtype.
constexpr const TypeInfo& info(TypeId id) { return type_table[static_cast<std::size_t>(id)]; }

constexpr DType::DType(TypeId builtin)
    : id(builtin), family(info(builtin).family), bits(info(builtin).bits) {}

/// storage_t<TypeId::float16> is what lies in memory; compute_t what it is calculated in.
template <TypeId id>
struct TypeOf;
#define DTYPE(name, storage_type, compute_type, ...) \
  template <>                                        \
  struct TypeOf<TypeId::name> {                      \
    using storage = storage_type;                    \
    using compute = compute_type;                    \
  };
#include "isthmus/core/dtypes.def"
/// The C++ type of an element in memory.
template <TypeId id>
using storage_t = typename TypeOf<id>::storage;
/// The C++ type that an element is calculated in.
template <TypeId id>
using compute_t = typename TypeOf<id>::compute;

/// "float32", "float4", or "struct (x: <f4, y: <f4)".
ISTHMUS_EXPORT std::string to_string(DType dtype);

/// The one copy of a struct type that compares equal to `type`. Thread-safe; never freed.
ISTHMUS_EXPORT const RecordType* intern(RecordType type);

/// The dtype that holds both: by Array API 2025.12, else as in NumPy; of structs that differ in C's
/// alignment alone, the less aligned one. Throws PromotionError if there is none.
ISTHMUS_EXPORT DType promote(DType a, DType b);

/// Bytes that an element's address must be a multiple of.
ISTHMUS_EXPORT std::int64_t alignment_of(DType dtype);

/// The real dtype of a complex one's parts; any other dtype itself.
ISTHMUS_EXPORT DType real_part(DType dtype);

/// The dtype NumPy gives a real function of integers: int8 float16, int16 float32, else float64.
ISTHMUS_EXPORT DType floating_for(DType dtype);

/// A number of any family, to be rounded to a dtype where it is used.
struct ISTHMUS_EXPORT Scalar {
  DType dtype;  ///< Its family says which of the numbers below it is.
  union {
    std::int64_t integer;    ///< boolean and integer families
    std::uint64_t natural;   ///< natural family
    Complex<double> number;  ///< real and complex families
  };
  /// The integer 0.
  constexpr Scalar() : dtype(TypeId::int64), integer(0) {}
  static Scalar of(bool value);                          ///< bool
  static Scalar of(std::int64_t value);                  ///< int64
  static Scalar of(std::uint64_t value);                 ///< uint64
  static Scalar of(double value);                        ///< float64
  static Scalar of(Complex<double> value);               ///< complex128
  static Scalar of(Complex<double> value, DType dtype);  ///< of the real or complex family
};

/// Writes `value` to `memory` as one element of `dtype`, rounded as a cast would.
ISTHMUS_EXPORT void store(const Scalar& value, DType dtype, void* memory);
/// Reads one element of a built-in dtype.
ISTHMUS_EXPORT Scalar load(DType dtype, const void* memory);

/// @{
/// float16 and bfloat16 to float and back, to nearest even, without hardware help.
ISTHMUS_EXPORT float half_to_float(std::uint16_t half) noexcept;
ISTHMUS_EXPORT std::uint16_t float_to_half(float value) noexcept;
ISTHMUS_EXPORT std::uint16_t double_to_half(double value) noexcept;
ISTHMUS_EXPORT float bfloat_to_float(std::uint16_t bfloat) noexcept;
ISTHMUS_EXPORT std::uint16_t float_to_bfloat(float value) noexcept;
/// @}

}  // namespace isthmus::inline ISTHMUS_ABI
