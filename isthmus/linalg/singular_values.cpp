// singular_values.cpp: singular values and vectors.
#include <algorithm>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/linalg/calls.h"
#include "isthmus/linalg/factor.h"
#include "isthmus/linalg/on_host.h"
#include "isthmus/linalg/singular_values.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

namespace {

/// Where the results go; without vectors, `u` and `vh` are null.
struct Singular {
  const Stack& x;
  const Stack& s;
  const Stack* u;
  const Stack* vh;
  char job;
};

/// Fortran sees the rows as columns: x^T = Vh^T S U^T.
template <class T>
class SingularValues {
 public:
  SingularValues(const HostWork& work, const Singular& of)
      : calls_(work.lapack()),
        of_(of),
        rows_(of.x.rows),
        columns_(of.x.columns),
        least_(std::min(rows_, columns_)),
        most_(std::max(rows_, columns_)),
        u_step_(of.u ? of.u->columns : 1) {
    T wanted{};
    Real<T> real_written{};  // a query may write there, too
    std::int64_t written = 0;
    calls_.gesdd(of_.job, columns_, rows_, nullptr, nullptr, nullptr, columns_, nullptr, u_step_,
                 &wanted, -1, &real_written, &written);
    const std::int64_t square = product_at_most(least_, least_);
    room_.work = Calls<T>::room_of(wanted);
    room_.integers = 8 * least_;
    if (is_complex_number<T>)
      room_.real_work = of_.job == 'N'
                            ? 7 * least_
                            : std::max(5 * square + 7 * least_,
                                       2 * product_at_most(most_, least_) + 2 * square + least_);
    work.check_extents({most_, room_.work, room_.real_work, product_at_most(rows_, columns_),
                        of_.job == 'N' ? 1 : product_at_most(4 * least_ + 7, least_),
                        of_.job == 'A' ? product_at_most(most_, most_) : 1});
  }

  auto make_worker() const {
    return [this, a = room_for<T>(rows_ * columns_), work = room_for<T>(room_.work),
            real_work = room_for<Real<T>>(room_.real_work),
            integers = room_for<std::int64_t>(room_.integers)](std::int64_t i) -> std::int64_t {
      gather_rows(of_.x, i, a.get());
      if (!is_finite(a.get(), rows_ * columns_)) return not_finite;
      T unused{};
      return calls_.gesdd(of_.job, columns_, rows_, a.get(), of_.s.template at<Real<T>>(i),
                          of_.vh ? of_.vh->template at<T>(i) : &unused, columns_,
                          of_.u ? of_.u->template at<T>(i) : &unused, u_step_, work.get(),
                          room_.work, real_work.get(), integers.get());
    };
  }

 private:
  const Calls<T> calls_;
  const Singular of_;
  const std::int64_t rows_, columns_, least_, most_, u_step_;
  Room room_;
};

/// The values, and vectors if the job is 'A' for all or 'S' for as many as there are values.
SVD decompose(std::string_view who, const Array& given, char job) {
  const Array x = matrices_of(who, given);
  const InContextOf meanwhile(x);
  const Shape front = in_front_of(x);
  const std::int64_t rows = x.shape(-2), columns = x.shape(-1), least = std::min(rows, columns);
  const Shape of_u = with_axes(front, {rows, job == 'A' ? rows : least});
  const Shape of_vh = with_axes(front, {job == 'A' ? columns : least, columns});
  const bool has_vectors = job != 'N', has_elements = x.size() > 0;
  SVD all;
  all.S = empty(with_axes(front, {least}), real_part(x.dtype()), x.device());
  if (has_vectors) {
    const auto make = has_elements ? empty_for : empty_or_identities;
    all.U = make(who, of_u, x.dtype(), x.device());
    all.Vh = make(who, of_vh, x.dtype(), x.device());
  }
  if (!has_elements) return all;
  const HostWork work(who);
  const Array u = has_vectors ? all.U : all.S, vh = has_vectors ? all.Vh : all.S;
  for (const Array& one : {x, all.S, u, vh}) make_reachable(who, one);
  const Stack from(x, front), to_s(all.S, front, 1);
  std::optional<Stack> to_u, to_vh;
  if (has_vectors) to_u.emplace(u, front), to_vh.emplace(vh, front);
  const auto failure = with_type(x.dtype(), [&]<class T>(T) {
    const SingularValues<T> values(
        work, {from, to_s, to_u ? &*to_u : nullptr, to_vh ? &*to_vh : nullptr, job});
    const Array writes[] = {all.S, u, vh};
    return work.run({&x, 1}, writes, x.size() / rows / columns,
                    product_at_most(product_at_most(8 * rows, columns), least),
                    [&] { return values.make_worker(); });
  });
  if (failure) fail_with(who, *failure, front, "has singular values that did not converge");
  return all;
}

}  // namespace

SVD svd_for(std::string_view who, const Array& x) { return decompose(who, x, 'S'); }

SVD svd(const Array& x, Flag full_matrices) {
  return decompose("svd", x, full_matrices ? 'A' : 'S');
}

Array svdvals(const Array& x) { return decompose("svdvals", x, 'N').S; }

Array svdvals_for(std::string_view who, const Array& x) { return decompose(who, x, 'N').S; }

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
