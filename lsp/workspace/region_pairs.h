// Which regions of two versions of a text are the same one.
//
// Names hold numbers that an edit elsewhere changes: the line of a call ("loop inlined into f at line 18"), the lines
// of a path, the number of a lambda or of a copy. So regions are compared by their names without these numbers: only
// those of the same function, instance, variant and kind are paired. Among them, equal instructions come first, then
// the order in the text, and positions last. A region that nothing identifies has no partner: it is new, or it is gone.
#pragma once

#include "analysis/wire/region.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lsp {

/// What a region is recognised by.
struct RegionIdentity {
  std::string name; ///< with its variant, without its path
  std::string path; ///< of a path: as wire::Region::path; otherwise empty
  analysis::wire::RegionKind kind = analysis::wire::RegionKind::Loop;
  uint32_t loop = 0;     ///< of a path: the number that it shares with the others of its loop, which follow each other
  uint64_t code = 0;     ///< wire::Simulation::code; 0 if unknown
  uint64_t numbers = 0;  ///< fingerprintOf() its numbers, in place of an unknown code; 0 if unknown
  uint32_t position = 0; ///< in the text, by lines or by bytes
  bool operator==(const RegionIdentity &) const = default;
};

/// A hash of numbers; never 0.
uint64_t fingerprintOf(const std::vector<double> &numbers);

/// The partner in `before` of each region of `now`, by index. Each region has one partner at most.
std::vector<std::optional<size_t>> pairRegions(const std::vector<RegionIdentity> &before,
                                               const std::vector<RegionIdentity> &now);

} // namespace lsp
