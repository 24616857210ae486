// Whether a command is harmless, by other means than our lists of flags. See compiler_oracle.cpp.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace fuzz {

/// Ends the fuzzer unless clang's own driver and frontend, which know nothing of our lists of flags, find in the
/// command at most one compilation to standard output, without plugins and without a file that clang would write.
void requireHarmlessClang(const std::string &directory, llvm::ArrayRef<std::string> command);

/// The same for gcc, whose driver is no library, by a list of the flags that run, load or write something.
void requireHarmlessGcc(llvm::ArrayRef<std::string> flags);

} // namespace fuzz
