// What the last finished analysis says, at its places in the present text of a document.
//
// Results arrive late and in parts: the worker sends no simulation that the server has already, and the text may have
// changed since the request. So an analysis is put together from the old and the new one, and moves with every edit.
#pragma once

#include "lsp/workspace/advice.h"
#include "lsp/workspace/comparison.h"
#include "lsp/workspace/line_edit.h"
#include "lsp/workspace/measurement.h"

#include <map>
#include <memory>

namespace lsp {

/// A verdict in words. Composing them is most of the work for a finding, and a keystroke changes few verdicts, so they
/// are kept.
struct VerdictWords {
  uint32_t sourceIterations = 0; ///< wire::Region::sourceIterations, which the words name
  std::string sentence;
  std::vector<std::string> roles; ///< of Verdict::witnesses
};

/// Where a branch is, and the load that its condition waits for; each empty if it has no place or its line was changed.
struct BranchPlaces {
  wire::ByteRange branch, load;
};

/// A region at its present place, with what its simulation says. An instruction whose line was changed has an empty
/// place.
struct AnalysedRegion {
  wire::Region region;
  std::shared_ptr<const wire::Simulation> simulation; ///< never null
  std::shared_ptr<const VerdictWords> words;          ///< of its verdict; null until they are made
  std::vector<Change> changes;                        ///< since earlier analyses
  bool edited = false;                                ///< some of its lines were changed
  bool anchorEdited = false;                          ///< the line of its hint was
  std::shared_ptr<const wire::ControlFlow> flow; ///< of its loop, the same for all paths; null if there is none. Its
                                                 ///< branches have no places
  std::vector<BranchPlaces> branches;            ///< the places of flow->branches
  bool chosen = false;                           ///< the user looks at this path of the loop alone
  std::shared_ptr<const Measurement> measured;   ///< of its simulation; null if there is none
};

struct Analysis {
  wire::TargetSummary target;
  wire::Coverage coverage;
  std::vector<wire::VanishedLoop> vanishedLoops; ///< as in wire::AnalysisResult
  std::vector<AnalysedRegion> regions; ///< in the order of the analysed text; the paths of a loop follow each other
  std::vector<wire::Budget> budgets;
  std::vector<wire::Finding> own;       ///< findings that follow from no region and no budget
  std::optional<wire::Finding> failure; ///< the worker died over a later text: shown in place of all other findings
  std::vector<wire::Finding> findings;  ///< all that are shown
  std::vector<AdviceReport> advice;     ///< on loops of the present text, as they were asked for; one for each loop
  /// By Simulation::id: also those of regions that the text does not have at the moment.
  std::map<uint64_t, std::shared_ptr<const Measurement>> measurements;
  /// How often the compiler may still be asked for those of wire::Region::whyNot: not at all once they are known.
  uint8_t reasonsAttempts = 0;

  /// Takes `result` over, which is left without its parts. Simulations that it lacks come from `before`, an earlier
  /// analysis of the document, and so do measurements and the paths that the user has chosen; a region whose simulation
  /// is in neither shows nothing. `findings` stays empty: the caller adds those that follow from regions and budgets.
  static Analysis take(wire::AnalysisResult &result, const Analysis &before);

  /// Follows an edit that was made to the text.
  void move(const LineEdit &edit);
  /// Moves what points outside of a text of `size` bytes to its end.
  void clampTo(uint32_t size);
  /// AnalyzeRequest::knownSimulations: ascending, each once.
  std::vector<uint64_t> knownSimulations() const;
  /// Compares the regions with earlier analyses. Replaces the result of the last comparison.
  void compareWith(const std::vector<Baseline> &before);
  /// Chooses the next path of a loop (wire::Region::loop): after all of them the first one alone, after the last one
  /// all.
  void choosePath(uint32_t loop);
  /// Adds advice, in place of what the loop had.
  void setAdvice(AdviceReport report);
  /// Takes over the advice on loops that are the same here.
  void keepAdvice(std::vector<AdviceReport> before);
  /// Whether there is a loop whose hint is at this offset, with these instructions.
  bool hasLoop(uint32_t anchor, uint64_t simulation) const;
  /// The advice on the loop of the hint at this offset; null if there is none.
  const AdviceReport *adviceAt(uint32_t anchor) const;
  /// Adds or replaces the measurement of the regions that have this simulation.
  void setMeasurement(uint64_t simulation, Measurement measurement);
};

/// The numbers that a comparison needs.
Figures figuresOf(const AnalysedRegion &region);
/// Those of all regions, with what these are recognised by.
Baseline numbersOf(const Analysis &analysis, const char *name);

/// Cycles per iteration as they are shown: of the source's loop if its share in the machine code's is known.
double cyclesOf(const AnalysedRegion &region);

} // namespace lsp
