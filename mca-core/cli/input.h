// From the input file to the regions that are reported on, with llvm-mca's words for what is wrong on the way.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/cli/options.h"

#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace mca {

/// A region to report on: a marker region, or the whole text when it has none.
struct NamedRegion {
  std::string name;
  bool marked = false;
  std::vector<uint32_t> instructions; ///< of the program
};

/// The file's content, or that of the standard input for "-". Null when it cannot be read: it has been said why.
std::unique_ptr<llvm::MemoryBuffer> readInput(const std::string &path);

/// Parses the input and prints what the parser and the markers have to say. Null when that forbids to go on.
std::unique_ptr<Program> parseInput(const llvm::MemoryBuffer &input, const Target &target, const Options &options);

/// The regions in the order of their begin, empty ones included.
std::vector<NamedRegion> regionsOf(const Program &program);

} // namespace mca
