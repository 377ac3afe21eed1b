// recorder.h: what null:0 was asked to do, line by line.
#pragma once

#include <string>

namespace isthmus::null {

void record(const std::string& line);
/// All lines so far.
std::string recorded();
void clear_records();

}  // namespace isthmus::null
