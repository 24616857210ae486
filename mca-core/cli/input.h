// Reads the input file, parses it and finds the regions to report, with llvm-mca's error messages.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/cli/options.h"

#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace mca {

/// A region to report: a marker region, or the whole text if it has none.
struct NamedRegion {
  std::string name;
  bool marked = false;
  std::vector<uint32_t> instructions; ///< indices into Program::instructions()
};

/// Returns the content of the file, or of the standard input for "-". Prints an error and returns null on failure.
std::unique_ptr<llvm::MemoryBuffer> readInput(const std::string &path);

/// Parses the input and prints the messages of the parser and the markers. Returns null if they prevent a report.
std::unique_ptr<Program> parseInput(const llvm::MemoryBuffer &input, const Target &target, const Options &options);

/// Returns the regions by their begin, including empty ones.
std::vector<NamedRegion> regionsOf(const Program &program);

} // namespace mca
