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

/// The kind of arithmetic of an element. `record` is opaque: it is copied, never calculated with.
enum class Family : std::uint8_t { boolean, integer, natural, real, complex, record };

/// A complex number as stored in memory: two reals, no C++ library semantics.
template <class R>
struct Complex {
  R re;  ///< The real part.
  R im;  ///< The imaginary part.
  /// Whether both parts are equal.
  friend bool operator==(const Complex&, const Complex&) = default;
};

/// The number of built-in dtypes.
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
    std::string title = {};              ///< A second name, as in NumPy.
    /// Whether all is equal.
    friend bool operator==(const Field&, const Field&) = default;
  };
  std::string name;            ///< "float4" for a vector type, else empty.
  std::int64_t bytes = 0;      ///< Of one struct.
  std::int64_t alignment = 1;  ///< Of which its address must be a multiple, in bytes.
  bool is_aligned = false;     ///< Laid out with C alignment, as numpy.dtype(align=True).
  std::vector<Field> fields;   ///< In the order of their offsets.
  /// Whether all is equal.
  friend bool operator==(const RecordType&, const RecordType&) = default;
};

/// A small value: family, bits of an element, and the struct or vector type if it is one. Equal if
/// elements have the same meaning; cheap to copy.
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
  constexpr bool is_builtin() const { return id != TypeId::record; }  ///< False for a struct.
  /// Whether elements of both have the same meaning. The other members follow from these two.
  friend constexpr bool operator==(const DType& a, const DType& b) {
    return a.id == b.id && a.record == b.record;
  }
};

/// A row of dtypes.def.
struct TypeInfo {
  std::string_view name;     ///< As in Python: "float32", "bool".
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

/// The types of a built-in dtype: storage_t in memory, compute_t for calculations.
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

/// The dtype that both promote to, by Array API 2025.12, otherwise as in NumPy; for structs that
/// differ only in C alignment, the less aligned one. Throws PromotionError if there is none.
ISTHMUS_EXPORT DType promote(DType a, DType b);

/// The number of bytes of which an element's address must be a multiple.
ISTHMUS_EXPORT std::int64_t alignment_of(DType dtype);

/// The real dtype of the parts of a complex dtype; any other dtype itself.
ISTHMUS_EXPORT DType real_part(DType dtype);

/// The dtype of a real function of integers, as in NumPy: float16 for int8, float32 for int16, else
/// float64.
ISTHMUS_EXPORT DType floating_for(DType dtype);

/// A number of any family, which is rounded to a dtype where it is used.
struct ISTHMUS_EXPORT Scalar {
  DType dtype;  ///< Its family selects one of the numbers below.
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
