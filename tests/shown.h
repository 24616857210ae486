// What an editor shows of a result, made as the server makes it: for tests that look at an analysis as its user does.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/wording/budget_text.h"
#include "lsp/wording/hint.h"
#include "lsp/workspace/virtual_documents.h"

#include <string>
#include <vector>

namespace analysis {

struct ShownHint {
  uint32_t offset = 0; ///< in the line that it stands behind
  std::vector<lsp::wording::HintPart> parts;
  lsp::wording::RichText tooltip;

  std::string label() const;
};

struct ShownHover {
  wire::ByteRange at;
  lsp::wording::RichText contents;
};

struct ShownInstruction : wire::InstructionDetails {
  wire::ByteRange at;
};

/// A region with the numbers of its simulation and its texts.
struct ShownRegion {
  std::string name;     ///< with variant and path
  std::string instance; ///< without
  wire::RegionKind kind = wire::RegionKind::Snippet;
  wire::ByteRange at;
  uint32_t line = 0; ///< of the hint, 1-based
  uint32_t loop = 0;
  uint32_t sourceIterations = 1;
  double share = -1;
  double iterationsPerCall = 0;
  uint32_t instructions = 0;
  double cyclesPerIteration = 0;
  double ipc = 0;
  uint32_t iterations = 0;
  uint64_t cycles = 0;
  uint64_t microOps = 0;
  uint32_t dispatchWidth = 0;
  double averageIpc = 0;
  double averageMicroOpsPerCycle = 0;
  double blockReciprocalThroughput = 0;
  std::vector<wire::ResourceUse> pressure;
  wire::Verdict verdict;
  std::string bottleneck; ///< the verdict in words
  std::vector<std::string> caveats;
  std::vector<std::string> corrections;
  double uncorrectedCycles = 0; ///< as in wire::Simulation
  std::vector<std::string> calls;
  bool isLowerBound = false;
  std::vector<wire::CpuSummary> otherCpus;
  std::string listing;
  std::vector<ShownInstruction> body;
  std::vector<uint32_t> chain; ///< positions in the body
  std::vector<lsp::wording::BudgetResult> budgets;
};

struct Shown {
  wire::Status status = wire::Status::Finished;
  wire::TargetSummary target;
  std::vector<ShownRegion> regions;
  wire::Coverage coverage;
  std::vector<ShownHint> hints; ///< by line
  std::vector<wire::Finding> findings;
  std::vector<ShownHover> hovers;          ///< by the line of the hint
  std::vector<lsp::VirtualText> documents; ///< of AnalyzeRequest::documents
  std::vector<std::string> notes;
  std::vector<wire::OtherFile> otherFiles;
  uint64_t head = 0;
};

/// The result of a request for the text of the file `path`. `before`: what its regions are compared with.
Shown shown(wire::AnalysisResult result, const std::string &text, const std::string &path = "/a.s",
            const std::vector<lsp::Baseline> &before = {}, uint32_t slowerPercent = 5);

} // namespace analysis
