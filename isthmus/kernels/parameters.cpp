// parameters.cpp: arguments of users' kernels as bytes and addresses.
#include "isthmus/kernels/parameters.h"

#include <algorithm>
#include <optional>

#include "isthmus/array/infer/literal.h"
#include "isthmus/graph/storage.h"
#include "isthmus/kernels/c_tokens.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

namespace {

/// A C type that numbers have: float, float4, or cfloat_t, which has two lanes.
struct CNumber {
  TypeId type;
  int lanes;
  bool is_complex = false;
};

/// Nothing for structs and other names.
std::optional<CNumber> builtin_number_of(std::string_view type) {
  while (type.ends_with('*') || type.ends_with(' ')) type.remove_suffix(1);
  for (const std::string_view prefix : {"unsigned ", "signed "})
    if (type.starts_with(prefix)) {
      auto found = builtin_number_of(type.substr(prefix.size()));
      if (found && prefix[0] == 'u')
        found->type =
            static_cast<TypeId>(static_cast<int>(found->type) - static_cast<int>(TypeId::int8) +
                                static_cast<int>(TypeId::uint8));
      return found;
    }
  if (type == "cfloat_t" || type == "complex64") return CNumber{TypeId::float32, 2, true};
  if (type == "cdouble_t" || type == "complex128") return CNumber{TypeId::float64, 2, true};
  const auto is_letter = [](char c) { return c < '0' || c > '9'; };
  const auto digits =
      static_cast<std::size_t>(std::ranges::find_if_not(type, is_letter) - type.begin());
  int lanes = digits < type.size() ? 0 : 1;
  for (const char digit : type.substr(digits)) lanes = 10 * lanes + (digit - '0');
  type = type.substr(0, digits);
  constexpr std::pair<std::string_view, TypeId> names[] = {
      {"char", TypeId::int8},     {"uchar", TypeId::uint8},   {"short", TypeId::int16},
      {"ushort", TypeId::uint16}, {"int", TypeId::int32},     {"uint", TypeId::uint32},
      {"long", TypeId::int64},    {"ulong", TypeId::uint64},  {"half", TypeId::float16},
      {"float", TypeId::float32}, {"double", TypeId::float64}};
  for (const auto& [name, id] : names)
    if (type == name) return CNumber{id, lanes};
  return {};
}

/// The same of a type that the text may have given another name.
std::optional<CNumber> number_of(std::string_view type, std::span<const Typedef> typedefs) {
  while (type.ends_with('*') || type.ends_with(' ')) type.remove_suffix(1);
  for (std::size_t k = 0; k <= typedefs.size(); ++k) {  // each names one that comes before it
    if (const auto found = builtin_number_of(type)) return found;
    const auto named = std::ranges::find(typedefs, type, &Typedef::name);
    if (named == typedefs.end()) return {};
    type = named->type;
  }
  return {};
}

/// What errors call a parameter: "argument 2 (x) of kernel 'f' is float*".
struct Where {
  std::string_view kernel;
  std::size_t number;
  const Parameter& parameter;
  std::span<const Typedef> typedefs;
};
std::string to_string(const Where& where) {
  const Parameter& p = where.parameter;
  const std::string_view space = p.kind == Parameter::Kind::local ? "__local " : "";
  return format("argument {} ({}) of kernel '{}' is {}{}", where.number, p.name, where.kernel,
                space, p.type);
}

/// What errors call an argument. Written where there is an error: it would cost as much as a
/// launch.
struct Found {
  const KernelArgument& what;
};
std::string to_string(const Found& found) {
  const KernelArgument& what = found.what;
  if (const auto* x = what.array())
    return format("an array of {}{}", x->dtype(),
                  x->ndim() == 0 ? ", whose item() is a number" : "");
  if (const auto* number = what.number()) return format("a number of {}", number->dtype);
  if (const auto* bytes = what.bytes()) return format("{} bytes", bytes->size());
  return "LocalMemory";
}

/// What errors call all parameters, written likewise.
struct All {
  std::span<const Parameter> parameters;
};
std::string to_string(const All& all) {
  std::string list;
  for (const Parameter& p : all.parameters)
    list += format("{}{} {}", list.empty() ? "" : ", ", p.type, p.name);
  return list;
}

/// Whether elements are what a pointer of this type points to, whatever their grouping: of float4*
/// an array of float32 will do.
bool is_pointee(DType dtype, TypeId type) {
  if (!dtype.is_builtin()) return true;
  const TypeInfo& wanted = info(type);
  const DType part = real_part(dtype);
  if (part.bits != wanted.bits) return false;
  const bool is_real = part.family == Family::real && part.id != TypeId::bfloat16;
  return is_real == (wanted.family == Family::real);
}

CallArgument bind_memory(const Where& where, const KernelArgument& what, BoundCall& call) {
  const auto* given = what.array();
  check(where.parameter.type.ends_with('*'), Errc::unsupported,
        "{}; arrays are passed to pointers only", where);
  check(given, Errc::type, "{}; an array is needed, not {}", where, Found{what});
  const Array& x = *given;
  const auto number = number_of(where.parameter.type, where.typedefs);
  check(!number || is_pointee(x.dtype(), number->type), Errc::type, "{}; the array is {}", where,
        x.dtype());
  BackendMemory& memory = *x.storage()->memory();
  const bool is_read_only = where.parameter.is_read_only;
  check(
      is_read_only || !(x.is_read_only() || memory.is_read_only), Errc::value,
      "{}, without const; the array is read-only (a broadcast, or read-only memory): copy it first",
      where);
  (is_read_only ? call.reads : call.writes).push_back(&memory);
  CallArgument argument;
  argument.memory = &memory;
  argument.byte = static_cast<std::size_t>(x.layout().offset * x.dtype().bytes());
  return argument;
}

/// A number as the kernel's type; bytes as they are.
std::span<const std::byte> value_of(const Where& where, const KernelArgument& what,
                                    BoundCall& call) {
  const auto number = number_of(where.parameter.type, where.typedefs);
  if (const auto* bytes = what.bytes()) {
    const std::size_t wanted =
        number                  ? static_cast<std::size_t>(info(number->type).bits / 8 *
                                                           (number->lanes == 3 ? 4 : number->lanes))
        : where.parameter.bytes ? where.parameter.bytes
                                : bytes->size();
    check(bytes->size() == wanted, Errc::value, "{}, {} bytes, not {}", where, wanted,
          bytes->size());
    return *bytes;
  }
  const auto* given = what.number();
  const bool has_parts = !number || number->lanes > 1;
  check(given, Errc::type, "{}; a value is needed, not {}{}", where, Found{what},
        what.array() && has_parts ? "; pass its bytes, or a struct of the same layout" : "");
  check(number.has_value(), Errc::type,
        "{}, which is not a type of numbers; pass its bytes, or a struct of the same layout",
        where);
  const bool is_complex = given->dtype.family == Family::complex || number->is_complex;
  const DType dtype = is_complex && number->type == TypeId::float32   ? DType(TypeId::complex64)
                      : is_complex && number->type == TypeId::float64 ? DType(TypeId::complex128)
                                                                      : DType(number->type);
  check(number->lanes == (dtype.family == Family::complex ? 2 : 1), Errc::type,
        "{}; {} is not a value of that type; pass its bytes", where, Found{what});
  const bool is_whole = info(number->type).family != Family::real;
  Value weak(*given, true);
  weak.is_past_64_bits = what.is_past_64_bits();
  const bool is_real = given->dtype.family == Family::real && !weak.is_past_64_bits;
  check(!is_whole || !is_real, Errc::type, "{}; an int is needed, not {}", where, Found{what});
  const bool is_any_real = dtype.family == Family::real && is_real;
  if (weak.is_past_64_bits || (given->dtype != dtype && !is_any_real))  // of those all values fit
    check_fits(to_string(where), weak, dtype);
  BoundCall::Number& bytes = call.numbers.emplace_back();
  store(*given, dtype, bytes.data());
  return std::span(bytes).first(static_cast<std::size_t>(dtype.bytes()));
}

CallArgument bind_one(const Where& where, const KernelArgument& what, BoundCall& call) {
  if (where.parameter.kind == Parameter::Kind::memory) return bind_memory(where, what, call);
  CallArgument argument;
  if (where.parameter.kind == Parameter::Kind::local) {
    const auto* memory = what.local();
    check(memory, Errc::type, "{}; LocalMemory is needed, not {}", where, Found{what});
    check(memory->bytes > 0, Errc::value, "{}; LocalMemory of 0 bytes is not allowed", where);
    argument.local_bytes = memory->bytes;
    return argument;
  }
  argument.value = value_of(where, what, call);
  return argument;
}

}  // namespace

std::vector<Typedef> typedefs_of(std::string_view text) {
  std::vector<Typedef> found;
  const std::vector<CToken> tokens = c_tokens(text);
  const auto is_name = [&](std::size_t k) { return tokens[k].kind == CToken::Kind::name; };
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (tokens[k].text != "typedef") continue;
    std::string type;
    std::size_t last = k + 1;
    for (; is_name(last) && is_name(last + 1); ++last)
      type.append(type.empty() ? "" : " ").append(tokens[last].text);
    if (type.empty() || !is_name(last) || tokens[last + 1].text != ";") continue;
    const auto same = std::ranges::find(found, tokens[last].text, &Typedef::name);
    if (same == found.end())
      found.push_back({std::string(tokens[last].text), type});
    else if (same->type != type)
      same->type.clear();
  }
  return found;
}

BoundCall bind(std::string_view kernel, std::span<const Parameter> parameters,
               std::span<const KernelArgument> arguments, std::span<const Typedef> typedefs) {
  check(parameters.size() == arguments.size(), Errc::type,
        "kernel '{}' takes {} argument{} ({}), not {}", kernel, parameters.size(),
        parameters.size() == 1 ? "" : "s", All{parameters}, arguments.size());
  BoundCall call;
  call.numbers.reserve(arguments.size());  // arguments point there
  for (std::size_t i = 0; i < arguments.size(); ++i)
    call.arguments.push_back(
        bind_one({kernel, i + 1, parameters[i], typedefs}, arguments[i], call));
  return call;
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
