// Which loops of the machine code belong to the marked lines of a source.
#pragma once

#include "analysis/regions/marker_regions.h"

#include <map>

namespace analysis {

class MarkedStatements {
public:
  /// What the loops of one instance have in common: the function that they are in, and the frame of the call through
  /// which their own function was inlined there.
  using Instance = std::pair<int, uint32_t>;
  /// A loop statement, or a call that brought a loop into the lines: its offset; the file and the line of the loop's
  /// statement there.
  using Statement = std::tuple<uint32_t, uint32_t, uint32_t>;
  /// Indices of the loops, the versions of one statement together.
  using Versions = std::map<std::pair<Instance, Statement>, std::vector<uint32_t>>;

  /// `loops` must outlive this.
  MarkedStatements(const SourceMap &map, const LoopStatements &statements, const FunctionNames &functions,
                   std::span<const PlacedLoop> loops);

  /// The innermost loops that the marked lines hold, or the one around them.
  Versions versionsIn(const mca::MarkerRegion &marker) const;

private:
  /// One of the offsets at which a loop belongs to the buffer: its own, or that of a call through which it came there.
  struct Place {
    uint32_t offset;
    int function;
    uint32_t caller; ///< the frame of the call through which the function around the offset was inlined
    uint32_t loop;
    uint32_t depth; ///< of calls between the offset and the loop
  };

  std::vector<Place> heldBy(const mca::MarkerRegion &marker) const;
  std::vector<Place> around(const mca::MarkerRegion &marker) const;
  bool isStatement(const Place &place) const;
  bool holdsLoops(const Place &place) const;

  const LoopStatements &statements_;
  std::span<const PlacedLoop> loops_;
  std::vector<Place> places_;                                  ///< by their offsets
  std::vector<std::tuple<int, uint32_t, uint32_t>> instances_; ///< function, caller and offset of each, ascending
};

} // namespace analysis
