// `--check --advise`: what would make the loops of a file faster. Each hinted loop of C or C++ is tried in turn, by the
// worker that has just analysed the file.
#pragma once

#include "lsp/advice/advice_run.h"
#include "lsp/check/check_document.h"
#include "lsp/protocol/text.h"

#include <optional>
#include <string>
#include <vector>

namespace lsp {

class FileAdvice {
public:
  /// `request` and `analysis` are those of the file, `text` is its text.
  /// `comparesResults` and `measures` as of AdviceRun.
  FileAdvice(analysis::wire::AnalyzeRequest request, const Analysis &analysis, const Text &text, bool comparesResults,
             bool measures);

  /// The next analysis to run; no value if all is done. One runs at a time.
  std::optional<analysis::wire::AnalyzeRequest> next();
  /// The next versions to run before that; no value if there are none.
  std::optional<AdviceRun::Check> nextCheck();
  void takeCheck(size_t number, SameResults results) { run_->takeCheck(number, std::move(results)); }
  /// The next loops to time, after the checks; no value if there are none.
  std::optional<AdviceRun::Timing> nextTiming();
  void takeMeasured(size_t number, MeasuredGain gain) { run_->takeMeasured(number, std::move(gain)); }
  /// Its result; no value if there is none.
  void take(std::optional<analysis::wire::AnalysisResult> result);
  /// Adds what was found to the regions of the loops.
  void addTo(CheckFile &file, const Text &text) const;

private:
  analysis::wire::AnalyzeRequest request_;
  std::vector<uint32_t> lines_; ///< zero-based, that are left to do, the last one first
  bool comparesResults_ = false, measures_ = false;
  std::optional<AdviceRun> run_;
  std::vector<AdviceRun::Check> checks_;   ///< that are left to do
  std::vector<AdviceRun::Timing> timings_; ///< the same
  size_t step_ = 0;
  std::vector<AdviceReport> reports_;
};

} // namespace lsp
