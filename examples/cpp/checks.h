// checks.h: what the programs of the tour say of what they found.
#pragma once

#include <isthmus/isthmus.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

/// Says what holds. Ends the program with status 1 where it does not.
inline void expect(bool holds, const std::string& what) {
  std::printf("  %-6s %s\n", holds ? "ok" : "FAILED", what.c_str());
  std::fflush(stdout);
  if (!holds) std::exit(1);
}

inline bool is_near(double got, double wanted) {
  return std::abs(got - wanted) <= 1e-6 * std::abs(wanted);
}

/// Kernels that ran since the last call.
inline std::int64_t kernels() {
  static std::int64_t before = 0;
  const std::int64_t now = isthmus::statistics().kernels;
  return now - std::exchange(before, now);
}
