// How often the compiler expects each block to run, from what it writes into its assembly when asked to.
//
// clang writes the section .llvm_bb_addr_map (-fbasic-block-address-map -mllvm -pgo-analysis-map=all; the layout is in
// LLVM's docs/Extensions.rst, "SHT_LLVM_BB_ADDR_MAP Section", versions 2 to 5). gcc writes comments (-dA):
// `# BLOCK 3, count:…` at the start of a block and `# PRED: …` after it, with the edges to it.
#pragma once

#include "analysis/regions/loop_paths.h"
#include "mca-core/assembly/program.h"

#include "llvm/ADT/SmallVector.h"

namespace analysis {

/// What the compiler expects of one block.
struct ProfiledBlock {
  struct Edge {
    uint32_t to = 0;        ///< the first instruction of the successor
    double probability = 0; ///< 0 to 1, of leaving the block this way
  };
  uint32_t first = 0; ///< instructions of the program, half-open; a block may be empty
  uint32_t last = 0;
  double frequency = 0;  ///< runs per entry of the function
  bool measured = false; ///< in a run of the program (a profile was used), rather than estimated by the compiler
  llvm::SmallVector<Edge, 2> successors;
};

/// Prefixes of the sections to keep (ParseOptions::keepData) for readBlockProfiles().
std::vector<std::string> blockProfileSections();

/// By their first instructions, ascending; empty if the text has none, or none that can be read.
std::vector<ProfiledBlock> readBlockProfiles(const mca::Program &program);

/// The probabilities of the branches of these blocks, which are as readBlockProfiles() returns them.
BranchProbability branchProbabilities(std::vector<ProfiledBlock> blocks);

/// How often the block that holds an instruction of the program runs in one call of its function; 0 if unknown.
/// `blocks`: as readBlockProfiles() returns them.
double runsPerCall(const std::vector<ProfiledBlock> &blocks, uint32_t instruction);

} // namespace analysis
