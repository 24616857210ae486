// A command as clang's driver and frontend read it, in this process: no program starts.
#pragma once

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Option/ArgList.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace analysis {

struct Invocation {
  std::unique_ptr<clang::CompilerInvocation> compiler; ///< null if the driver finds no compilation in the command
  std::vector<std::string> errors;                     ///< the errors that clang would print about the flags
};

/// Flags as clang's driver reads them; the program's name is not among them. The list refers to the strings.
llvm::opt::InputArgList parseFlags(std::span<const std::string> flags);

/// `arguments` is argv, the compiler first; `directory` is where the command would run.
Invocation invocationOf(const std::string &directory, const std::vector<std::string> &arguments);

} // namespace analysis
