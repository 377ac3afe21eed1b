// each_eigen.h: eigenvalues and eigenvectors of each matrix of a stack, by a solver for them.
#pragma once

#include <optional>

#include "isthmus/array/create/create.h"
#include "isthmus/linalg/eigen.h"
#include "isthmus/linalg/on_host.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

/// What is wanted of square matrices `x`, with the dtypes of the results; a matrix takes about
/// `cost` n^3 operations.
struct EigenCall {
  std::string_view who;
  const Array& x;
  DType of_values, of_vectors;
  bool has_vectors;
  std::int64_t cost;
};

/// `make_solver(T(), work, from, values, vectors)` makes what has a make_worker() as
/// HostWork::run() calls it; `vectors` is null if they are not wanted, and the results have the
/// values in their place then.
Eigen each_eigen(const EigenCall& call, auto make_solver) {
  const Array& x = call.x;
  const Shape front = in_front_of(x);
  const std::int64_t n = x.shape(-1);
  const Array values = empty(with_axes(front, {n}), call.of_values, x.device());
  const Array vectors = call.has_vectors ? empty(x.shape(), call.of_vectors, x.device()) : values;
  if (x.size() == 0) return {values, vectors};
  const HostWork work(call.who);
  for (const Array* one : {&x, &values, &vectors}) make_reachable(call.who, *one);
  const Stack from(x, front), to_values(values, front, 1);
  std::optional<Stack> to_vectors;
  if (call.has_vectors) to_vectors.emplace(vectors, front);
  const auto failure = with_type(x.dtype(), [&]<class T>(T number) {
    const auto solver =
        make_solver(number, work, from, to_values, to_vectors ? &*to_vectors : nullptr);
    const Array writes[] = {values, vectors};
    return work.run({&x, 1}, writes, x.size() / n / n,
                    product_at_most(product_at_most(call.cost * n, n), n),
                    [&] { return solver.make_worker(); });
  });
  if (failure) fail_with(call.who, *failure, front, "has eigenvalues that did not converge");
  return {values, vectors};
}

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
