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
  const LoopSigns &signs;
  uint64_t tripCount = 0; ///< as the buffer says; 0 if it does not
  // With AnalyzeRequest::listFunction:
  std::string symbol = {};   ///< of the function that the loop's code is in
  std::string assembly = {}; ///< the compiler's output
};

/// Adds what the request wants to be listed.
void addAdvice(AdviceSources sources, wire::AdviceFacts &facts);

} // namespace analysis
