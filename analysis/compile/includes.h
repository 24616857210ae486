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

/// Runs `command`, which has these flags, for at most `limit`, and looks for `header` among the files that it prints.
/// False also when it does not end in time.
bool printsDependency(const CompileCommand &command, const std::string &header, std::chrono::milliseconds limit,
                      const std::stop_token &stop);

/// The files after the colon of a rule of make.
std::vector<std::string> prerequisitesOf(std::string_view rule);

} // namespace analysis
