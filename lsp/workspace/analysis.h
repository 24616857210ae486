// What a finished analysis says, at its places in the present text of a document.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/workspace/comparison.h"
#include "lsp/workspace/line_edit.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lsp {

/// A verdict in words. Making them is most of the work of a finding, and a keystroke leaves nearly all verdicts as they
/// were.
struct VerdictWords {
  uint32_t sourceIterations = 0; ///< that they speak of
  std::string sentence;
  std::vector<std::string> roles; ///< of Verdict::witnesses
};

/// A region at its present place, with what its simulation says. An instruction whose line was changed has an empty
/// place.
struct AnalysedRegion {
  analysis::wire::Region region;
  std::shared_ptr<const analysis::wire::Simulation> simulation; ///< never null
  std::shared_ptr<const VerdictWords> words;                    ///< of its verdict; null until they are made
  std::vector<Change> changes;                                  ///< since earlier analyses
  bool edited = false;                                          ///< some of its lines were changed
  bool anchorEdited = false;                                    ///< the line of its hint was
};

struct Analysis {
  analysis::wire::TargetSummary target;
  analysis::wire::Coverage coverage;
  std::vector<AnalysedRegion> regions; ///< in the order of the analysed text; the paths of a loop follow each other
  std::vector<analysis::wire::Budget> budgets;
  std::vector<analysis::wire::Finding> own; ///< findings that follow from no region and no budget
  /// The worker died over a later text: that is all there is to say.
  std::optional<analysis::wire::Finding> failure;
  std::vector<analysis::wire::Finding> findings; ///< all that are shown

  /// `result` with those of its simulations that it lacks taken from `before`, an earlier analysis of the document. A
  /// region whose simulation is in neither shows nothing. The findings that follow from regions and budgets are left to
  /// the caller.
  static Analysis take(analysis::wire::AnalysisResult &result, const Analysis &before);

  void move(const LineEdit &edit);
  /// Moves what points outside of a text of this size.
  void clampTo(uint32_t size);
  /// AnalyzeRequest::knownSimulations.
  std::vector<uint64_t> knownSimulations() const;
  /// Compares the regions with earlier analyses, in place of what they were compared with.
  void compareWith(const std::vector<Baseline> &before);
};

/// Its numbers for a comparison.
Figures figuresOf(const AnalysedRegion &region);

/// Cycles per iteration as they are shown: of the source's loop where it is known.
double cyclesOf(const AnalysedRegion &region);

} // namespace lsp
