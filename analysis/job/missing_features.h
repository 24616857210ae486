// Instructions of an assembly text that the CPU does not have: which feature they need, and which CPU has it.
//
// Most parsers of LLVM refuse such an instruction and name the feature. That of x86 reads everything, and the
// scheduling model may have numbers even for what the CPU cannot run: there the registers and the opcode tell.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include <cstdint>
#include <string>
#include <vector>

namespace analysis {

struct MissingFeature {
  std::string name;              ///< as LLVM's: "avx512f"
  std::vector<uint32_t> offsets; ///< of the instructions that need it, in the program's text, ascending
};

/// The features that the text needs and the target lacks, by their first instruction.
std::vector<MissingFeature> findMissingFeatures(const mca::Program &program, const mca::Target &target);

/// The CPU with the feature and a scheduling model that is closest to the target's by its other features; empty if
/// there is none.
std::string closestCpuWith(const std::string &feature, const mca::Target &target);

} // namespace analysis
