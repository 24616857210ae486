// What the tests of `mca-lsp --check` share: the program's status, and the files that it writes.
#pragma once

#include "tests/differential/process.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace check {

namespace fs = std::filesystem;
using differential::ProcessResult;
using Words = std::vector<std::string>;

/// The statuses of docs/check.md.
inline constexpr int kFailed = 3, kUnusable = 2;

inline std::string readFile(const fs::path &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

} // namespace check
