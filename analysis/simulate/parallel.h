// Work that can be done in any order, on several threads.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>

namespace analysis {

/// Calls `work` with each number below `count`, once, on up to `threads` threads, of which the calling one is one.
/// Returns when all is done. With little to do no thread is made.
void forEachInParallel(size_t count, size_t threads, llvm::function_ref<void(size_t)> work);

} // namespace analysis
