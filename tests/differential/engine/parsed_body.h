// A body as assembly text, parsed: what both simulators get.
#pragma once

#include "mca-core/assembly/program.h"

#include <memory>
#include <string>
#include <vector>

namespace differential {

struct ParsedBody {
  /// The target must outlive it.
  ParsedBody(const mca::Target &target, const std::vector<std::string> &lines);

  std::unique_ptr<mca::Program> program;
  std::vector<uint32_t> region; ///< all instructions of the program
};

/// Positions of those lines that give instructions and no error.
std::vector<size_t> goodLines(const mca::Target &target, const std::vector<std::string> &lines);

} // namespace differential
