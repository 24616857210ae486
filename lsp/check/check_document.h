// What a run of `mca-lsp --check` found, as its outputs tell it: the text, the JSON and the SARIF are made of this
// alone.
//
// Places are lines and columns rather than bytes, so that no text is needed any more: the JSON of several runs can be
// read back and put together. Nothing here depends on time, on the machine or on the folder that the run was started
// in.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/wording/budget_text.h"
#include "lsp/workspace/region_numbers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lsp::protocol {

/// A half-open range of a file. All numbers begin at 1.
struct CheckPlace {
  uint32_t line = 1;
  uint32_t column = 1;      ///< in bytes
  uint32_t utf16Column = 1; ///< in UTF-16 units
  uint32_t endLine = 1;
  uint32_t endColumn = 1;
  uint32_t utf16EndColumn = 1;
};

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

struct CheckHint {
  uint32_t line = 1; ///< 1-based
  std::string label;
};

struct CheckRegion {
  std::string name;     ///< with variant and path; empty for a region without a name
  std::string instance; ///< without these: what becomes of one loop has it in common
  analysis::wire::RegionKind kind = analysis::wire::RegionKind::Snippet;
  uint32_t line = 1;      ///< of the hint, 1-based
  uint32_t firstLine = 1; ///< 1-based, both included
  uint32_t lastLine = 1;
  uint32_t loop = 0; ///< this and the next three as in analysis::wire::Region
  uint32_t sourceIterations = 1;
  double share = -1;
  double iterationsPerCall = 0;
  /// Without the details of single instructions. Cycles on other CPUs are as cyclesOf().
  analysis::wire::Simulation numbers;
  std::string bottleneck; ///< one sentence; empty when none was found
  std::vector<std::string> caveats;
  std::vector<std::string> calls;
  std::vector<wording::BudgetResult> budgets;
  std::string listing;            ///< the instructions as a text for llvm-mca, if asked for
  std::optional<double> baseline; ///< cyclesOf() it in the baseline; none when that lacks it
  // Of a file that was compiled as a part of others, once these are put together (check_parts.h):
  std::string through;    ///< the file of the run, and its command, whose code this is; else empty
  uint32_t alike = 0;     ///< further commands with the same numbers
  uint32_t different = 0; ///< further commands with other ones
};

/// Cycles per iteration as they are shown: of the source's loop where it is known.
inline double cyclesOf(const CheckRegion &region) {
  return cyclesPerSourceIteration(region.numbers.cyclesPerIteration, region.sourceIterations);
}

struct CheckFile {
  std::string name;    ///< as given, or relative to the folder of the run
  std::string through; ///< the file of the run as a part of which this one was compiled; empty for a file of the run
  analysis::wire::TargetSummary target;
  analysis::wire::Coverage coverage;
  std::vector<CheckRegion> regions;
  std::vector<CheckHint> hints;
  std::vector<CheckFinding> findings;
  std::vector<std::string> notes;
};

/// The finding's message; of a file that several commands compile with the name of the one that it is about.
std::string messageOf(const CheckFile &file, const CheckFinding &finding);

/// Which part of the files a run was given: each `count`th, from the `index`th on.
struct CheckShard {
  uint32_t index = 1; ///< 1 to `count`
  uint32_t count = 1;
  bool operator==(const CheckShard &) const = default;
};

struct CheckDocument {
  std::string version; ///< of the program
  CheckShard shard;
  /// Each file of the run, several times where several commands compile it. Of a shard each is followed by the parts
  /// that were compiled with it; else these are put together at the end.
  std::vector<CheckFile> files;
};

/// What all files of a run add up to.
struct CheckCounts {
  uint64_t files = 0; ///< each once, however many commands it has
  uint64_t regions = 0;
  uint64_t errors = 0;
  uint64_t warnings = 0;
  uint64_t information = 0; ///< findings that are no more than that, hints among them
  uint64_t loops = 0;       ///< innermost loops
  uint64_t hinted = 0;      ///< of these, those with a hint
  uint64_t compared = 0;    ///< regions that the baseline has, too
};
CheckCounts countsOf(const std::vector<CheckFile> &files);

} // namespace lsp::protocol
