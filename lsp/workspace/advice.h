// What would make a loop faster, as it was found by trying (lsp/advice/advice_run.h).
#pragma once

#include "analysis/wire/advice.h"
#include "analysis/wire/messages.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lsp {

namespace wire = analysis::wire;

/// What came of a change that was tried: all but the first make it no advice.
enum class TriedEnd : uint8_t {
  Gains,          ///< it is advice
  NotCompiled,    ///< the compiler refuses it
  NotFound,       ///< the loop is gone, or is another one
  UnknownRatio,   ///< how many iterations of the source its code does is not known
  LeavesOut,      ///< its code calls what the other one does not
  SameAsNow,      ///< the compiler makes the same code of the loop
  Split,          ///< it becomes several loops
  NoGain,         ///< not by more than the numbers' error
  Slower,         ///< by more than that
  NoBetter,       ///< another change gains as much and asks less of the user
  SameCode,       ///< its loop is that of another change, which asks no more
  TooFew,         ///< faster only with more iterations than the loop has
  NeedsMeasuring, ///< the model is known to be wrong about its instructions
  MeasuredNoGain, ///< it should be faster, and on this machine it is not
  OtherResults,   ///< it gives other results even where what it asks for holds
  Failed          ///< the worker died, or the job was cancelled
};

/// What became of two versions of a function that ran on the same random inputs.
struct SameResults {
  std::string refused;             ///< why they were not run, or not to the end; empty if they were
  bool differs = false;            ///< in a result, for inputs whose arrays do not overlap
  bool differsOverlapping = false; ///< the same where arrays overlap
  uint32_t runs = 0;               ///< inputs whose arrays do not overlap
};

/// The machine code of a version of a loop, to be run alone.
struct LoopCode {
  wire::TargetSummary target;
  std::string text; ///< wire::Region::runnable
  uint32_t sourceIterations = 1;
  std::string refused; ///< why it cannot be run; empty if it can
};

/// What two versions of a loop take on this machine, in cycles per iteration of the source.
struct MeasuredGain {
  std::string refused; ///< why they were not measured; empty if they were
  double now = 0, then = 0;

  bool isKnown() const { return refused.empty() && now > 0 && then > 0; }
  double factor() const { return now / then; }
};

/// A change, or two together, and what came of it.
struct TriedChange {
  std::vector<wire::Candidate> parts;
  TriedEnd end = TriedEnd::NoGain;
  double cycles = 0;        ///< per iteration of the source; 0 if unknown
  double factor = 0;        ///< times as fast as the present code; 0 if unknown
  std::string limit;        ///< what limits it, as a sentence's part; empty if unknown
  std::string stillBlocked; ///< why the compiler does not vectorize it even so; empty if that is unknown

  /// That of the part that asks most, or more if the two versions gave other results.
  wire::AdviceLabel label() const;
  std::optional<SameResults> same;      ///< none if the versions were not run
  std::optional<MeasuredGain> measured; ///< none if nobody asked for it
};

/// A change that makes the loop faster.
struct Advice : TriedChange {
  std::vector<wire::Edit> edits; ///< of all parts, in the order of the text
  uint64_t from = 0;             ///< it is faster from so many iterations on; 0: always, as far as the code shows
  bool isLowerBound = false;     ///< the present code takes at least what is known: the factor may be larger
  bool ifRandom = false;         ///< there is a gain only if the loop's branches depend on random data
  bool ifPredicted = false;      ///< there is a gain only if the CPU predicts the loop's branches
  double predicted = 1;          ///< `factor` if the CPU predicts the loop's branches
  double random = 1;             ///< the same if they are random
  double unaligned = 0;          ///< `factor` if data begin 16 bytes behind a line of the cache; 0: not simulated
  uint64_t digest = 0;           ///< wire::Simulation::code of its loop
};

struct AdviceReport {
  std::string loop;        ///< its name; empty if it is not known which one it is
  uint32_t number = 0;     ///< wire::Region::loop of the present code
  uint32_t line = 0;       ///< zero-based, in the text that was analysed
  uint32_t anchor = 0;     ///< offset of the loop's hint
  uint64_t simulation = 0; ///< wire::Region::simulation of the present code
  double cycles = 0;       ///< now, per iteration of the source
  std::string limit;       ///< what limits it now
  uint64_t tripCount = 0;
  wire::SourceKept sourceKept = wire::SourceKept::No;
  std::string failure;             ///< why there is no advice, for a sentence; empty if the changes were tried
  std::vector<Advice> advice;      ///< the fastest first
  std::vector<TriedChange> others; ///< in the order in which they were tried
};

} // namespace lsp
