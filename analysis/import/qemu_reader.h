// Reads what qemu-user logs with `-d exec,nochain`: one line for each block of code before it executes, in order.
//
//   Trace 0: 0x7f07000bd700 [0000000000000000/0000004000001180/1040c0b3/00000200] kern
//
// The number after `Trace` is that of the thread, the second one in brackets the address; the function's name is there
// if the program has symbols. `-d page` adds where the program was loaded (`start_code`). Lines of other `-d` items are
// skipped.
#pragma once

#include "analysis/import/branch_records.h"

namespace analysis {

std::unique_ptr<RecordingReader> createQemuReader();

} // namespace analysis
