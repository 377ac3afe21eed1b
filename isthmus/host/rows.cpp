// rows.cpp: the table of one instruction set.
#include "isthmus/host/rows.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {

void fill(RowTable& table) {
  fill_integer_rows(table);
  fill_real_rows(table);
  fill_math_rows(table);
  fill_complex_rows(table);
  fill_casts(table);
  fill_half_rows(table);
  fill_folds(table);
  fill_states(table);
  fill_moves(table);
  fill_grids(table);
  fill_searches(table);
  fill_sorts(table);
  fill_selections(table);
  fill_orders(table);
  fill_ranks(table);
  fill_random_rows(table);
  fill_chains(table);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
