// A command as clang's driver and frontend read it, without a process.
#pragma once

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Option/ArgList.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace analysis {

struct Invocation {
  std::unique_ptr<clang::CompilerInvocation> compiler; ///< null when the driver cannot run or makes no sense of it
  std::vector<std::string> errors;                     ///< that clang would print about the flags
};

/// Flags, without the program before them, as clang's driver reads them. The list refers to the strings.
llvm::opt::InputArgList parseFlags(std::span<const std::string> flags);

/// Of argv, the compiler first.
Invocation invocationOf(const std::string &directory, const std::vector<std::string> &arguments);

} // namespace analysis
