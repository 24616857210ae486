// Which files a source includes, as the preprocessor finds them.
#pragma once

#include "analysis/compile/compile.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace analysis {

/// The flags that make clang print what a source includes, as a rule of make, whether or not all of it is found.
inline constexpr const char *kDependencyFlags[] = {"-M", "-MG", "-w"};

/// Runs `command`, which has these flags, and looks for `header` among the files that it prints. It may use the
/// processor time that is `left`, which gets less by what it used; nothing is left when it reached the limit.
bool printsDependency(const CompileCommand &command, const std::string &header, std::chrono::milliseconds &left,
                      const std::stop_token &stop);

/// The files after the colon of a rule of make.
std::vector<std::string> prerequisitesOf(std::string_view rule);

} // namespace analysis
