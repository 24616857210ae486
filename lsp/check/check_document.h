// The result of a run of `mca-lsp --check`. Each output is made from this alone: text, JSON, SARIF and markdown.
//
// Places are lines and columns rather than bytes, so the sources are no longer needed: the JSON of several shards is
// read back and merged. Nothing here depends on the time, the host or the folder that the run was started in, because
// merged shards have to give the same bytes as one run (docs/check.md).
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/wording/budget_text.h"
#include "lsp/workspace/region_numbers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lsp {

/// A half-open range of a file. All numbers begin at 1.
struct CheckPlace {
  uint32_t line = 1;
  uint32_t column = 1;      ///< in bytes, as compilers count
  uint32_t utf16Column = 1; ///< in UTF-16 units, as SARIF counts
  uint32_t endLine = 1;
  uint32_t endColumn = 1;
  uint32_t utf16EndColumn = 1;
  bool operator==(const CheckPlace &) const = default;
};

/// A place that explains a finding: a note in compilers' terms, a related location in SARIF's (§3.27.22).
struct CheckRelated {
  std::string path; ///< empty: the checked file itself; of another file only the line is known
  CheckPlace at;
  std::string message;
};

struct CheckFinding {
  CheckPlace at;
  analysis::wire::Severity severity = analysis::wire::Severity::Information;
  std::string code;
  std::string message;
  std::vector<CheckRelated> related;
};

/// The label of a line's hint, as an editor shows it.
struct CheckHint {
  uint32_t line = 1; ///< 1-based
  std::string label;
  bool operator==(const CheckHint &) const = default;
};

/// A branch of a loop, with 1-based lines; 0 for what has no line in the file.
struct CheckBranch {
  uint32_t line = 0;
  uint32_t loadLine = 0;
  analysis::wire::BranchCost cost; ///< without places
  bool operator==(const CheckBranch &) const = default;
};

/// A place that a compiler's remark names. Both numbers are 1-based; 0 if unknown.
struct CheckRemarkPlace {
  std::string path; ///< empty: the checked file itself
  uint32_t line = 0;
  uint32_t column = 0; ///< in bytes
  std::string what;    ///< of a related place: LLVM's name of the argument, "ClobberedBy"
  bool operator==(const CheckRemarkPlace &) const = default;
};

/// Why the compiler did not vectorize a loop, or what it left in it.
struct CheckReason {
  std::string pass, name; ///< as in wire::WhyNot
  std::string words;
  CheckRemarkPlace at;
  std::vector<CheckRemarkPlace> related;
  bool operator==(const CheckReason &) const = default;
};

/// What is known about the branches of a region's loop. Paths of one loop have the same.
struct CheckFlow {
  analysis::wire::ControlFlow numbers; ///< without branches and callers
  std::vector<CheckBranch> branches;
  bool operator==(const CheckFlow &) const = default;
};

/// Replaces a part of the file.
struct CheckEdit {
  CheckPlace range;
  std::string newText;
  bool operator==(const CheckEdit &) const = default;
};

/// What is changed: the text, the compiler's flags, or both.
struct CheckChange {
  std::string kind; ///< "text", "flags", "text+flags"
  std::vector<CheckEdit> edits;
  std::vector<std::string> add;    ///< flags
  std::vector<std::string> remove; ///< flags
  bool operator==(const CheckChange &) const = default;
};

/// A change that makes a loop faster, as docs/json.md describes it.
struct CheckAdvice {
  std::string id;            ///< of docs/advice.md; of two changes both, with a plus sign between them
  std::string label;         ///< "same-results", "hardware", "promise", "changes-results"
  std::string words;         ///< what to change, and what it asks
  std::string limit;         ///< what limits the loop then; empty if unknown
  double cycles = 0;         ///< per iteration of the source
  double factor = 0;         ///< times as fast as the present code
  uint64_t from = 0;         ///< iterations from which on it is faster; 0: always
  bool isLowerBound = false; ///< the factor is at least this
  bool ifRandom = false;     ///< only if the loop's branches are random
  bool ifPredicted = false;  ///< only if the CPU predicts them
  double unaligned = 0;      ///< `factor` if data begin 16 bytes behind a line of the cache; 0: not simulated
  std::string stillBlocked;  ///< why the loop is not vectorized even so; empty if that is unknown
  bool checked = false;      ///< both versions gave the same results when they were run
  double measured = 0;       ///< the factor on this machine; 0: not measured
  CheckChange edit;
  bool operator==(const CheckAdvice &) const = default;
};

/// What a profile says of a region's loop, which its paths share.
struct CheckProfile {
  double share = 0;              ///< of the program's time, 0 to 1; if the code has changed that of its function
  double cyclesPerIteration = 0; ///< in the program, of the source's iteration; 0 if unknown
  bool isByLines = false;        ///< the share is that of the loop's source lines, also of edited ones
  bool isOutsideOfCore = false;  ///< wording::isOutsideOfCore()
  std::string change;            ///< the first difference from the code that was recorded; empty if there is none
  bool operator==(const CheckProfile &) const = default;
};

/// A region and its numbers: marked lines, a loop, one path through a loop, or a whole text. Paths of one loop share
/// its number in `loop`, and follow each other.
struct CheckRegion {
  std::string name;     ///< with variant and path; empty for a region without a name
  std::string instance; ///< without variant and path: the same for everything that the compiler made of one loop
  analysis::wire::RegionKind kind = analysis::wire::RegionKind::Snippet;
  uint32_t line = 1;      ///< of the hint, 1-based
  uint32_t firstLine = 1; ///< 1-based, both included
  uint32_t lastLine = 1;
  uint32_t loop = 0; ///< this and the next three as in analysis::wire::Region
  uint32_t sourceIterations = 1;
  double share = -1;
  double iterationsPerCall = 0;
  CheckProfile profile; ///< without a share if no profile has its function
  /// Without the details of single instructions. Cycles on other CPUs are per iteration of the source, as cyclesOf().
  analysis::wire::Simulation numbers;
  std::string code;       ///< wire::Simulation::code in hexadecimal digits; empty in the JSON of older versions
  std::string bottleneck; ///< one sentence; empty if there is none
  std::vector<std::string> caveats;
  std::vector<std::string> corrections; ///< known errors of LLVM's model that the numbers do not have
  std::vector<std::string> calls;
  std::vector<std::string> leftOut; ///< the caveats that instructions are left out (wire::leavesOut()), as in `caveats`
  std::vector<wording::BudgetResult> budgets;
  std::vector<CheckReason> whyNot; ///< the decisive one first
  CheckFlow flow;                  ///< without cycles if nothing is known
  std::string listing;             ///< the instructions as a text for llvm-mca, if requested
  std::optional<double> baseline;  ///< its cyclesOf() in the baseline, if that has the region
  // With --advise, of the loop that a line's hint shows:
  bool isAdvised = false;
  std::vector<CheckAdvice> advice; ///< the fastest first
  std::vector<std::string> tried;  ///< changes that are no advice, and why
  // Of a file that was compiled as a part of others, after these are merged (takeParts):
  std::string through;    ///< the file of the run, and its command, whose code this is; else empty
  uint32_t alike = 0;     ///< further commands with the same numbers
  uint32_t different = 0; ///< further commands with other numbers
};

/// Whether the region is a loop that the compiler made, or one of the paths through it, and not marked by hand.
inline bool isLoop(const CheckRegion &region) {
  return region.kind == analysis::wire::RegionKind::Loop || region.kind == analysis::wire::RegionKind::Path;
}

/// Whether the cycles are a lower bound, as wire::isLowerBound() has it. The IPC says nothing then.
inline bool isLowerBound(const CheckRegion &region) {
  return !region.calls.empty() || !region.leftOut.empty();
}

/// Whether a profile says what share of the time the region's own code takes.
inline bool isProfiled(const CheckRegion &region) {
  return region.profile.share > 0 && (region.profile.change.empty() || region.profile.isByLines);
}

/// Cycles per iteration as they are shown: of the source's loop if that is known.
inline double cyclesOf(const CheckRegion &region) {
  return cyclesPerSourceIteration(region.numbers.cyclesPerIteration, region.sourceIterations);
}

/// What the compiler made of the loop statement of a line, which left no machine loop.
struct CheckFate {
  uint32_t line = 0; ///< 1-based
  std::string words; ///< "unrolled completely, 8 iterations"
  bool operator==(const CheckFate &) const = default;
};

/// As wire::Coverage, and the loops of the source that the code lacks.
struct CheckCoverage {
  uint32_t loops = 0;
  uint32_t hinted = 0;
  uint32_t elsewhere = 0;
  std::vector<uint32_t> vanished = {}; ///< lines of loop statements that left no machine loop, 1-based, ascending
  std::vector<CheckFate> fates = {};   ///< of those, where the compiler reports what it made of them
  bool operator==(const CheckCoverage &) const = default;
};

/// The result for one file by one of its commands. A file with several commands, with and without AVX2 for example, has
/// several results of the same name, which target.command tells from each other.
struct CheckFile {
  std::string name;    ///< as given, or relative to the folder of the run
  std::string through; ///< the file of the run as a part of which this one was compiled; empty for a file of the run
  analysis::wire::TargetSummary target;
  CheckCoverage coverage;
  std::vector<CheckRegion> regions;
  std::vector<CheckHint> hints;
  std::vector<CheckFinding> findings;
  std::vector<std::string> notes;
};

/// The finding's message. If several commands compile the file, the name of the finding's command follows.
std::string messageOf(const CheckFile &file, const CheckFinding &finding);

/// The files of a run that one machine gets: each `count`th, from the `index`th on.
struct CheckShard {
  uint32_t index = 1; ///< 1 to `count`
  uint32_t count = 1;
  bool operator==(const CheckShard &) const = default;
};

/// A run, or the share of it that one machine did.
struct CheckDocument {
  std::string version; ///< of the program
  CheckShard shard;
  /// Each file of the run, once for each command that compiles it. In a shard or unit each is followed by the parts
  /// that were compiled with it; in a whole run the merged parts come last.
  std::vector<CheckFile> files;
  bool isUnit = false; ///< of one file alone (check_unit.h); it is merged like a shard
};

/// The totals of a run. Regions, loops and findings count once for each command that compiles their file, because each
/// makes other code of it.
struct CheckCounts {
  uint64_t files = 0; ///< each once, however many commands it has
  uint64_t regions = 0;
  uint64_t errors = 0;
  uint64_t warnings = 0;
  uint64_t information = 0; ///< all other findings, those of severity Hint included
  uint64_t loops = 0;       ///< innermost loops
  uint64_t hinted = 0;      ///< of these, those with a hint
  uint64_t compared = 0;    ///< regions that the baseline has, too
};
CheckCounts countsOf(const std::vector<CheckFile> &files);

/// Whether a finding is about the user's set-up rather than about the code ("name the CPU"). Many files share such a
/// finding word for word, so the text and SARIF have it once.
bool isOfSetUp(const CheckFinding &finding);

/// The calibrations that numbers of the files come from, in words, each once.
std::vector<std::string> calibrationsOf(const std::vector<CheckFile> &files);

/// A finding of the set-up, or a note.
struct SetUpMessage {
  const CheckFile *first = nullptr;      ///< of the files that have it
  const CheckFinding *finding = nullptr; ///< null: a note
  const std::string *text = nullptr;     ///< the finding's message, or the note
  size_t files = 0;                      ///< that have it
};

/// Each message once, in the order of the files. The result points into `files`.
std::vector<SetUpMessage> setUpMessages(const std::vector<CheckFile> &files);

} // namespace lsp
