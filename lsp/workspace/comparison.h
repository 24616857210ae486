// How a region's numbers changed since an earlier analysis.
//
// Which regions correspond is said by region_pairs.h. A change is reported only if the shown digits differ. A lower
// bound is compared only with one that leaves out the same functions and instructions: when a call has been inlined
// since, the loop takes longer to simulate without being slower.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/workspace/region_pairs.h"

namespace lsp {

/// A region's numbers, then or now.
struct Figures {
  double cycles = 0; ///< per iteration of the machine code
  double ipc = 0;
  uint32_t sourceIterations = 0;                    ///< iterations of the source's loop in it; 0 when unknown
  std::vector<std::string> calls;                   ///< as in wire::Region: the cycles are a lower bound
  std::vector<analysis::wire::Caveat> leftOut = {}; ///< so they are with one of these (wire::leavesOut())
  bool isLowerBound() const { return !calls.empty() || !leftOut.empty(); }
  bool operator==(const Figures &) const = default;
};

/// The numbers of a version of a document.
struct Baseline {
  std::string name;                    ///< for the reader: "the last save", "git HEAD"
  std::string cpu;                     ///< that the numbers are for, as comparableCpu() has it
  std::vector<RegionIdentity> regions; ///< in the order of the text
  std::vector<Figures> figures;        ///< of each region
};

struct Change {
  std::string since; ///< Baseline::name
  Figures before, now;
  /// "4.0 → 3.0 cyc (−25 %) since the last save".
  std::string inWords() const;
  /// By how much the cycles have grown; negative when they have shrunk.
  double slowerPercent() const;
  bool operator==(const Change &) const = default;
};

/// The CPU, and the calibration if there is one: what numbers have to share to be compared.
std::string comparableCpu(const analysis::wire::TargetSummary &target);

/// The visible changes of each region of `now` since each of the baselines that has it. Ignores baselines for other
/// CPUs than that of `now`: their numbers differ for another reason.
std::vector<std::vector<Change>> changesSince(const std::vector<Baseline> &before, const Baseline &now);

} // namespace lsp
