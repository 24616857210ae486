// What the programs are lowered with: a compiler, a level and a target, and the CPU that the loops are simulated for.
#pragma once

#include "analysis/wire/messages.h"

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace sources {

struct Configuration {
  bool gcc = false;   ///< clang otherwise
  std::string level;  ///< "-O2"
  std::string triple; ///< GNU's: "aarch64-linux-gnu"
  std::string cpu;

  /// "clang-O2-aarch64".
  std::string name() const;
  /// The program's compile command, with the flags that its first line asks for.
  std::string commandFor(const std::filesystem::path &program, const std::string &text) const;
  /// `folder` holds the compile_commands.json.
  analysis::wire::Settings settings(const std::filesystem::path &folder) const;
};

std::ostream &operator<<(std::ostream &out, const Configuration &configuration);

std::vector<Configuration> configurations();

} // namespace sources
