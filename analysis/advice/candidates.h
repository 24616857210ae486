// The changes to try on a loop: one table, in candidates.cpp. docs/advice.md describes each by its id.
#pragma once

#include "analysis/advice/loop_signs.h"
#include "analysis/advice/loop_text.h"
#include "analysis/compile/compile.h"
#include "mca-core/target/target.h"

namespace analysis {

struct LoopToAdvise {
  const LoopText &text;
  const LoopSigns &signs;
  const CompileCommand &command;
  const CompiledTarget &compiled; ///< what the command compiles for
  const mca::Target &target;      ///< what is simulated
};

/// At most wire::kMostCandidates, the most promising first.
std::vector<wire::Candidate> candidatesFor(const LoopToAdvise &loop);

} // namespace analysis
