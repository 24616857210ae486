// How a region's numbers changed since an earlier analysis.
//
// Regions correspond if they have the same name and the same position among those of that name. A change is reported
// only if the shown digits differ. A lower bound is compared only with one that leaves out the same functions: when a
// call has been inlined since, the loop takes longer to simulate without being slower.
#pragma once

#include "analysis/wire/messages.h"

#include <map>

namespace lsp {

/// A region's numbers, then or now.
struct Figures {
  double cycles = 0; ///< per iteration of the machine code
  double ipc = 0;
  uint32_t sourceIterations = 0;  ///< iterations of the source's loop in it; 0 when unknown
  std::vector<std::string> calls; ///< as in wire::Region: the cycles are a lower bound
  bool operator==(const Figures &) const = default;
};

/// The numbers of an earlier version of a document.
struct Baseline {
  std::string name;                                     ///< for the reader: "the last save", "git HEAD"
  std::string cpu;                                      ///< that the numbers are for, as comparableCpu() has it
  std::vector<std::pair<std::string, Figures>> regions; ///< by their full names, in the order of the text
  bool operator==(const Baseline &) const = default;
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

class Comparison {
public:
  /// Ignores baselines for other CPUs than `cpu`, as comparableCpu() has it: their numbers differ for another reason.
  Comparison(const std::vector<Baseline> &before, const std::string &cpu);

  /// The visible changes since each baseline that has the region. `occurrence`: 0 for the first region of the name.
  std::vector<Change> changesOf(const std::string &name, size_t occurrence, const Figures &now) const;

private:
  /// By a region's name and occurrence. Of each change only the side before is known.
  std::map<std::pair<std::string, size_t>, std::vector<Change>> known_;
};

} // namespace lsp
