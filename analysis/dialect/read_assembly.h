// Parses an assembly text in whichever of the supported dialects it is: a listing of a disassembler, Intel's syntax
// without the directive, spellings that LLVM's parser refuses. What LLVM's parser reads as it is costs nothing more.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace analysis {

/// How a text is to be read.
struct Dialect {
  bool isListing = false;
  unsigned syntax = 0;                ///< as ParseOptions::syntax
  std::vector<mca::TextEdit> edits{}; ///< of a listing
};

/// `syntax`: "intel" or "att"; empty: the one that the text is in.
Dialect dialectOf(std::string_view text, const mca::Target &target, std::string_view syntax);

/// Parses the text, and once more if lines that were refused can be spelled in another way.
std::unique_ptr<mca::Program> readAssembly(std::string text, const mca::Target &target, Dialect dialect,
                                           mca::ParseOptions options);

/// Whether readAssembly() would read lines of the program that were refused in another spelling.
bool hasRespellableErrors(const mca::Program &program, const mca::Target &target);

} // namespace analysis
