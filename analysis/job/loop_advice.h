// What could make the loop of a line faster, for a job that lists it.
#pragma once

#include "analysis/advice/candidates.h"
#include "analysis/source_map/text_lines.h"

namespace analysis {

struct AdviceSources {
  const wire::AnalyzeRequest &request;
  const TextLines &lines;
  LoopStatements statements; ///< of the request's text
  const wire::AnalysisResult &result;
  const CompileCommand &command;
  const CompiledTarget &compiled;
  const mca::Target &target;
  uint64_t tripCount = 0; ///< as the buffer says; 0 if it does not
  // With AnalyzeRequest::listFunction:
  std::string symbol = {};   ///< of the function that the loop's code is in
  std::string assembly = {}; ///< the compiler's output
};

wire::AdviceFacts adviceFor(AdviceSources sources);

} // namespace analysis
