// Work in any order on several threads. LLVM's parallelFor() has one pool for the process, whose size is fixed with its
// first use; the number of threads is a parameter here.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>

namespace analysis {

/// Calls `work` once with each number below `count`, on up to `threads` threads including the calling one. Returns when
/// all calls have returned. A thread takes `atATime` numbers at once, and none is started for less work.
void forEachInParallel(size_t count, size_t threads, llvm::function_ref<void(size_t)> work, size_t atATime = 16);

} // namespace analysis
