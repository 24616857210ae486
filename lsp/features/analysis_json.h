// A finished analysis as JSON, for programs. The members are those of the wire's structs, under the same names; lines
// count from 1, cycles and micro-ops are of all iterations.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/protocol/json_rpc.h"
#include "lsp/server/text.h"

#include <string>
#include <vector>

namespace lsp::features {

/// The numbers of the last finished analysis of a document.
struct AnalysisNumbers {
  analysis::wire::TargetSummary target;
  std::vector<analysis::wire::RegionSummary> regions;
  analysis::wire::Coverage coverage;
};

protocol::Json analysisJson(const std::string &path, const AnalysisNumbers &numbers,
                            const std::vector<analysis::wire::Finding> &findings, const Text &text);

} // namespace lsp::features
