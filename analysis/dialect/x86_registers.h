// The names of x86 registers that no other target has.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace analysis {

/// Whether the name, in lower case and without `%`, is that of a register of 32 bits or more: "eax", "r10d", "xmm3".
bool isX86Register(llvm::StringRef name);

/// Whether it is one of 64 bits that code for 32 bits cannot have: "rax", "r10".
bool isX86Register64(llvm::StringRef name);

} // namespace analysis
