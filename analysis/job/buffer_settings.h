// Settings that a buffer carries itself, in a comment of its own: `# mca: triple=riscv64 cpu=sifive-p670
// iterations=10`. `n=20` is about the loop on the next line alone.
//
// A line counts when it holds nothing but a comment that starts with `mca:`. Several lines add up; of one key the last
// wins. Unknown keys and bad values are findings on their place. Other lines set nothing: one with a condition is the
// budget of a region (budgets.h), one that starts with `trace` or `path` says how branches go
// (analysis/flows/document_traces.h), and one that starts with `alias` or `distinct` speaks of pointers
// (analysis/regions/pointer_names.h), and one that starts with `measure` sets registers for measuring
// (mca-core/measure/measure_statement.h).
#pragma once

#include "analysis/flows/document_traces.h"
#include "analysis/job/budgets.h"
#include "analysis/regions/pointer_names.h"
#include "analysis/source_map/text_lines.h"
#include "analysis/wire/messages.h"

#include <vector>

namespace analysis {

struct BufferSettings {
  std::string cpu;
  std::string triple;
  std::string features;
  uint32_t iterations = 0;
  /// How often the loop below a comment iterates each time that it is entered.
  struct TripCount {
    uint32_t line = 0; ///< zero-based, of the comment
    uint64_t count = 0;
  };
  std::vector<TripCount> tripCounts;
  std::string syntax; ///< of x86 assembly: "intel" or "att"; empty if the comment is missing
  std::vector<WrittenBudget> budgets;
  std::vector<TraceComment> traces;
  std::vector<wire::ByteRange> measures; ///< statements `mca: measure rdi=64`, from `mca:` to the comment's end
  std::vector<PointerComment> pointers;  ///< in assembly, the parser reads them itself
  std::vector<wire::Finding> findings;
};

BufferSettings readBufferSettings(const TextLines &lines);

} // namespace analysis
