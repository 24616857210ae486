// Where a function goes on after calls, and where it does not. LLVM's tables do not know which functions return, or
// which jumps are calls: after a call of abort() the text goes on with code of another part of the function.
#pragma once

#include "mca-core/assembly/program.h"

#include <string_view>

namespace mca {

/// Whether it is a function of C or C++ that does not return: nothing follows a call of it. gcc lays other code out
/// there.
bool isNoReturnFunction(std::string_view name);

/// Whether the compiler says that its block ends with the instruction at `index` and nothing comes after it. gcc writes
/// an empty list of successors before a call of a function that does not return, the project's own ones included.
bool hasNoSuccessor(const Program &program, uint32_t index);

/// Whether the compiler says that the jump at `index` is a call, after which the function does not go on: clang in a
/// comment after it on x86 and ARM, gcc in the list of successors.
bool isMarkedTailCall(const Program &program, uint32_t index);

} // namespace mca
