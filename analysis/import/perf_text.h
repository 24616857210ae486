// What all outputs of `perf script` have in common: comments, and records about the recording between the samples.
#pragma once

#include "analysis/import/record_text.h"

namespace analysis {

class PerfTextReader : public TextReader {
protected:
  /// Takes a line that is neither a comment nor a record such as PERF_RECORD_MMAP2.
  virtual std::optional<ImportError> readSample(llvm::StringRef line, BranchSink &sink) = 0;

private:
  std::optional<ImportError> readLine(llvm::StringRef line, BranchSink &sink) final;
  std::optional<ImportError> readMapping(llvm::StringRef record, BranchSink &sink) const;
};

} // namespace analysis
