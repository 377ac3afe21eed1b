// format.cpp: what is shown of an array, and the brackets round it. The layout is NumPy's.
#include "isthmus/array/text/format.h"

#include <sstream>

#include "isthmus/array/apply.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/array/text/decimal.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

constexpr std::int64_t most_elements = 1000, edge = 3;
constexpr std::size_t line_width = 75;

/// Axes longer than their two edges show these alone, as two axes of 2 and `edge` elements: in
/// row-major order that is the start and then the end, and a view without a copy.
Layout edges_of(const Layout& layout) {
  Layout shown{{}, {}, layout.offset};
  for (int axis = 0; axis < layout.ndim(); ++axis) {
    const std::int64_t extent = layout.shape[axis], stride = layout.strides[axis];
    const bool is_long = extent > 2 * edge;
    if (is_long) {
      shown.shape.push_back(2);
      shown.strides.push_back((extent - edge) * stride);
    }
    shown.shape.push_back(is_long ? edge : extent);
    shown.strides.push_back(stride);
  }
  return shown;
}

template <class Visitor>
void visit(const Layout& layout, int axis, std::int64_t offset, const Visitor& visitor) {
  if (axis == layout.ndim()) return visitor(offset);
  for (std::int64_t i = 0; i < layout.shape[axis]; ++i)
    visit(layout, axis + 1, offset + i * layout.strides[axis], visitor);
}

/// In row-major order. Waits.
std::vector<Scalar> elements_of(const Array& x) {
  const Array here = to_host(x);
  const auto* start = static_cast<const char*>(here.storage()->memory()->host);
  std::vector<Scalar> elements;
  visit(here.layout(), 0, here.layout().offset, [&](std::int64_t offset) {
    elements.push_back(load(here.dtype(), start + offset * here.dtype().bytes()));
  });
  return elements;
}

std::vector<double> parts_of(const std::vector<Scalar>& elements, double Complex<double>::* part) {
  std::vector<double> parts;
  for (const Scalar& s : elements) parts.push_back(s.number.*part);
  return parts;
}

std::vector<std::string> words_of_reals(DType dtype, const std::vector<Scalar>& elements) {
  const std::vector<double> numbers = parts_of(elements, &Complex<double>::re);
  std::vector<std::string> words;
  if (dtype.id == TypeId::bfloat16) {
    for (double x : numbers) words.push_back(word_of_bfloat(x));
    return words;
  }
  const RealWords word(dtype, numbers);
  for (double x : numbers) words.push_back(word(x));
  return words;
}

std::vector<std::string> words_of_complex(DType dtype, const std::vector<Scalar>& elements) {
  const RealWords re(real_part(dtype), parts_of(elements, &Complex<double>::re));
  const RealWords im(real_part(dtype), parts_of(elements, &Complex<double>::im), true);
  std::vector<std::string> words;
  for (const Scalar& s : elements) {
    std::string imaginary = im(s.number.im);
    imaginary.insert(imaginary.find_last_not_of(' ') + 1, 1, 'j');
    words.push_back(re(s.number.re) + imaginary);
  }
  return words;
}

std::string word_of_integer(const Scalar& s) {
  return s.dtype.family == Family::natural ? std::to_string(s.natural) : std::to_string(s.integer);
}

std::vector<std::string> words_of_integers(const std::vector<Scalar>& elements) {
  std::vector<std::string> words;
  std::size_t width = 0;
  for (const Scalar& s : elements)
    width = std::max(width, words.emplace_back(word_of_integer(s)).size());
  for (std::string& word : words) word.insert(0, width - word.size(), ' ');
  return words;
}

std::vector<std::string> words_of(const Array& shown) {
  const DType dtype = shown.dtype();
  if (!dtype.is_builtin())
    return std::vector<std::string>(static_cast<std::size_t>(shown.size()), format("<{}>", dtype));
  const std::vector<Scalar> elements = elements_of(shown);
  if (dtype.family == Family::real) return words_of_reals(dtype, elements);
  if (dtype.family == Family::complex) return words_of_complex(dtype, elements);
  if (dtype.family != Family::boolean) return words_of_integers(elements);
  std::vector<std::string> words;
  for (const Scalar& s : elements) words.emplace_back(s.integer ? " True" : "False");
  return words;
}

/// Whether the stream's format differs from that of a new stream.
bool has_own_format(const std::ostream& out) {
  using Stream = std::ios_base;
  constexpr auto flags = Stream::floatfield | Stream::basefield | Stream::showpos |
                         Stream::showpoint | Stream::showbase | Stream::uppercase |
                         Stream::boolalpha;
  return (out.flags() & flags) != Stream::dec || out.precision() != 6 || out.width() != 0;
}

void write_number(std::ostream& text, const Scalar& s) {
  const bool is_decimal = (text.flags() & std::ios_base::basefield) == std::ios_base::dec;
  switch (s.dtype.family) {
    case Family::boolean: text << (s.integer != 0); break;
    case Family::integer:
      if (is_decimal)
        text << s.integer;
      else  // as many digits as the dtype has
        text << (s.natural & UINT64_MAX >> (64 - s.dtype.bits));
      break;
    case Family::natural: text << s.natural; break;
    case Family::complex: text << s.number.re << std::showpos << s.number.im << 'j'; break;
    default: text << s.number.re;
  }
}

/// As the stream writes them, all of one width.
std::vector<std::string> words_in(const std::ostream& out, const std::vector<Scalar>& elements) {
  std::vector<std::string> words;
  auto width = static_cast<std::size_t>(out.width());
  for (const Scalar& s : elements) {
    std::ostringstream text;
    text.copyfmt(out);
    text.width(0);
    write_number(text, s);
    width = std::max(width, words.emplace_back(text.str()).size());
  }
  const bool is_left = (out.flags() & std::ios_base::adjustfield) == std::ios_base::left;
  for (std::string& word : words)
    word.insert(is_left ? word.size() : 0, width - word.size(), out.fill());
  return words;
}

std::string word_alone(const Array& x) {
  if (!x.dtype().is_builtin()) return format("<{}>", x.dtype());
  const Scalar s = item(x);
  switch (s.dtype.family) {
    case Family::boolean: return s.integer ? "True" : "False";
    case Family::real:
      return s.dtype.id == TypeId::bfloat16 ? word_of_bfloat(s.number.re)
                                            : word_of_real(s.dtype, s.number.re);
    case Family::complex: return word_of_complex(s.dtype, s.number);
    default: return word_of_integer(s);
  }
}

/// Words between brackets, axis by axis.
class Text {
 public:
  Text(const Dims& shape, bool is_summary, std::vector<std::string> words)
      : shape_(shape), is_summary_(is_summary), words_(std::move(words)) {}

  /// All along one axis, in lines of `width` characters that begin with `indent` spaces but for
  /// the first.
  std::string along(std::size_t axis, std::size_t indent, std::size_t width) {
    const bool is_cut = is_summary_ && shape_[axis] > 2 * edge;
    const std::int64_t count = is_cut ? 2 * edge + 1 : shape_[axis];
    const bool is_row = axis + 1 == shape_.size();
    std::string text = "[", line;
    for (std::int64_t i = 0; i < count; ++i) {
      const bool is_gap = is_cut && i == edge;
      if (is_row) {
        add_word(text, line, is_gap ? "..." : words_[next_++], indent, width - 1);
        line += i + 1 < count ? " " : "";
      } else {
        text += is_gap ? "..." : along(axis + 1, indent + 1, width - 1);
        if (i + 1 < count)
          text += std::string(shape_.size() - 1 - axis, '\n') + std::string(indent, ' ');
      }
    }
    return text + line + "]";
  }

 private:
  /// Ends the line first if the word does not fit, unless a new one would be no longer.
  static void add_word(std::string& text, std::string& line, const std::string& word,
                       std::size_t indent, std::size_t width) {
    const std::size_t begin = text.find('\n') == text.npos ? 0 : indent;
    if (indent + (line.size() - begin) + word.size() > width && line.size() > begin) {
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      line = std::string(indent, ' ');
    }
    line += word;
  }

  const Dims& shape_;
  bool is_summary_;
  std::vector<std::string> words_;
  std::size_t next_ = 0;
};

}  // namespace

/// With the words that `words_for` makes of the elements that are shown.
template <class F>
static std::string in_brackets(const Array& x, F words_for) {
  const bool is_summary = x.size() > most_elements;
  x.eval();  // all of it: whoever looks at a part has use for the rest
  const Array shown = is_summary ? seen_as(x, edges_of(x.layout())) : x;
  return Text(x.shape(), is_summary, words_for(shown)).along(0, 1, line_width);
}

std::string to_string(const Array& x) {
  if (x.size() == 0) return "[]";
  return x.ndim() == 0 ? word_alone(x) : in_brackets(x, words_of);
}

std::ostream& operator<<(std::ostream& out, const Array& x) {
  if (!x.dtype().is_builtin() || !has_own_format(out)) return out << to_string(x);
  const auto words = [&](const Array& shown) { return words_in(out, elements_of(shown)); };
  const std::string text = x.size() == 0   ? "[]"
                           : x.ndim() == 0 ? words(x)[0]
                                           : in_brackets(x, words);
  out.width(0);
  return out << text;
}

std::ostream& operator<<(std::ostream& out, const Scalar& number) {
  return out << full(Shape(), number, number.dtype, Device());
}

}  // namespace isthmus::inline ISTHMUS_ABI
