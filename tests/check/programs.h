// What the tests of `mca-lsp --check` share: the program's status, and the files that it writes.
#pragma once

#include "tests/differential/process.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
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

inline void writeFile(const fs::path &path, const std::string &text) {
  fs::create_directories(fs::absolute(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

/// `mca-lsp --check` with these options. The numbers are LLVM's, whatever was measured of this machine.
inline ProcessResult runCheck(const Words &options) {
  Words command = {MCA_LSP_PROGRAM, "--check", "--calibration=off"};
  command.insert(command.end(), options.begin(), options.end());
  return differential::runProcess(command);
}

/// Tests that run in an empty folder.
class InEmptyFolder : public testing::Test {
protected:
  InEmptyFolder() : before_(fs::current_path()) {
    std::string pattern = (fs::temp_directory_path() / "mca-check-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    fs::current_path(folder_);
  }
  ~InEmptyFolder() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }
  fs::path folder_;

private:
  fs::path before_;
};

} // namespace check
