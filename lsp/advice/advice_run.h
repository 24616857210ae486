// What would make one loop faster: the document is analysed with each change that is worth trying, and then with pairs
// of changes that may enable each other. What gains is advice.
//
// The loop of a version is the one with the same name and the hint on the same line, because no change moves lines. Two
// versions are compared by cycles per iteration of the source's loop on the same CPU, and only if both are known: their
// code does a known number of iterations, and leaves out the same calls. A loop with branches is compared with the cost
// of its mispredictions.
//
// A header may change between two compiles, and would then look like a gain. So if there is advice, the present code is
// analysed once more at the end, and has to be what it was.
#pragma once

#include "lsp/advice/loop_time.h"
#include "lsp/workspace/advice.h"
#include "lsp/workspace/analysis.h"

#include <optional>
#include <string>
#include <vector>

namespace lsp {

class AdviceRun {
public:
  /// `request`: of the document as it is. `line` is zero-based.
  /// `comparesResults`: whether versions are to be run, see checks(); `measures`: whether they are to be timed, see
  /// timings().
  AdviceRun(wire::AnalyzeRequest request, uint32_t line, bool comparesResults = false, bool measures = false);

  struct Step {
    size_t number = 0;
    wire::AnalyzeRequest request;
  };
  /// The next analysis to run; no value if there is none at the moment, or any more. Several may run at once.
  std::optional<Step> next();
  /// The result of a step; no value if there is none.
  void take(size_t number, std::optional<wire::AnalysisResult> result);
  bool isOver() const;
  /// Whether the present code has become another one during the search: what was found is not true of it.
  bool isOutdated() const { return isOutdated_; }

  /// Two versions of the loop's function whose results are said to be the same, at least where arrays do not overlap.
  struct Check {
    size_t number = 0; ///< of the step of the changed version
    const wire::RunnableFunction *now = nullptr;
    const wire::RunnableFunction *then = nullptr;
  };
  /// What to run, of what is advice so far; each comes once. Valid until the next step is taken.
  std::vector<Check> checks();
  void takeCheck(size_t number, SameResults results) { changes_[number - 1].same = std::move(results); }

  /// The loop now and with a change.
  struct Timing {
    size_t number = 0; ///< of the step of the changed version
    const LoopCode *now = nullptr;
    const LoopCode *then = nullptr;
  };
  /// What to time, of what is advice so far or would be if the model were known to be right; each comes once. Valid
  /// until the next step is taken.
  std::vector<Timing> timings();
  void takeMeasured(size_t number, MeasuredGain gain) { changes_[number - 1].measured = std::move(gain); }
  /// Analyses that are done, and those that are known of.
  size_t done() const { return done_; }
  size_t known() const { return changes_.size() + 1 + isLastStarted_; }
  /// What was found so far. What was not tried is left out.
  AdviceReport report() const;

private:
  /// The loop of the line in one version.
  struct Version {
    std::string name;
    uint32_t number = 0; ///< wire::Region::loop
    uint32_t anchor = 0;
    uint64_t simulation = 0;
    uint64_t digest = 0;        ///< wire::Simulation::code, which does not depend on the numbers of labels
    double least = 0, most = 0; ///< cycles per iteration of the source, along a trace or with perfect prediction
    double random = 0;          ///< the same if branches that depend on data are as random as the compiler expects
    double unaligned = 0;       ///< `most` if data begin 16 bytes behind a line of the cache; 0: not simulated
    bool isKnown = false;       ///< the ratio to the source's iterations is
    std::vector<std::string> leftOut; ///< calls and caveats by which its cycles are a lower bound
    bool isDoubtful = false;          ///< LLVM's model is known to be wrong about its instructions
    std::string limit;
    std::string blocked; ///< why the compiler does not vectorize it
    WholeLoop whole;
    LoopCode code; ///< if it is to be timed
  };
  struct Change {
    std::vector<wire::Candidate> parts;
    std::vector<wire::Edit> edits;
    bool isStarted = false;
    bool isDone = false;
    std::optional<Version> version; ///< none if the loop was not found
    bool isCompiled = true;
    bool failed = false;
    wire::RunnableFunction function;
    bool sharesFrontEnd = false; ///< it was made from the document's module
    std::string module;          ///< what the compiler's front end made of its text; empty if that is not known
    std::optional<SameResults> same;
    bool isChecked = false;
    std::optional<MeasuredGain> measured;
    bool isTimed = false;
  };

  std::vector<Change>::iterator nextChange();
  bool areChangesDone() const;
  bool hasGain() const;
  void takeBase(const std::optional<Analysis> &analysis);
  static std::optional<Version> versionOf(const Analysis &analysis, const std::string &text, uint32_t line,
                                          const std::string &name);
  void addSingles();
  void addPairs();
  void add(std::vector<wire::Candidate> parts);
  wire::AnalyzeRequest requestOf(const Change &change) const;
  void shareFrontEnd(wire::AnalyzeRequest &request, const Change &change) const;
  struct Gain {
    double predicted = 1; ///< times as fast as the base, in the worse of their extremes
    double random = 1;    ///< the same with random branches
  };
  Gain gainOf(const Change &change) const;
  static void takeAdvice(AdviceReport &report, Advice advice);
  Advice judge(const Change &change) const;

  wire::AnalyzeRequest request_;
  uint32_t line_;
  bool measures_;
  bool isBaseStarted_ = false;
  bool isBaseDone_ = false;
  bool hasPairs_ = false;
  bool isLastStarted_ = false; ///< the last look at the present code
  bool isLastDone_ = false;
  bool isOutdated_ = false;
  size_t done_ = 0;
  std::string cpu_;      ///< that all versions are simulated on
  double leastGain_ = 1; ///< what a gain must exceed, by what is known of that CPU
  std::string noBase_;   ///< why there is no `base_`, for a sentence
  wire::AdviceFacts facts_;
  std::optional<Version> base_;
  std::vector<Change> changes_;
};

} // namespace lsp
