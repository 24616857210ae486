// The text of a trace from what a recording said, checked against the assembly text before anyone sees it.
#pragma once

#include "analysis/import/branch_recorder.h"

#include "mca-core/target/result.h"
#include "mca-core/trace/token_targets.h"

namespace analysis {

struct TraceHeader {
  std::string kind; ///< of the recording
  std::string assembly;
  std::string program;
  std::string buildId;
};

struct WrittenTrace {
  std::string text;         ///< of at most mca::kMaxTraceBytes and mca::kMaxTraceNodes
  bool isTruncated = false; ///< whether traces end early because of a limit
};

/// Returns the trace's text. Fails if nothing of the text was executed, if the counts alone exceed the limits, or if
/// the text would not fit the assembly: that is a mistake of ours, or a name that the format cannot hold.
mca::Result<WrittenTrace> writeTrace(const BranchRecorder &recorder, const TraceHeader &header,
                                     const mca::Program &program, const mca::ProgramBranches &branches,
                                     const mca::SizeOf &sizeOf);

} // namespace analysis
