// Which parts of a text `mca-measure run` measures, and which `# mca: measure` statements are for each.
#pragma once

#include "mca-core/measure/measure_statement.h"
#include "mca-core/program/branches.h"

#include <string>
#include <vector>

namespace mca::measure {

/// A region as the user sees it.
struct MeasuredRegion {
  std::string name;
  std::vector<uint32_t> instructions; ///< not empty
  uint32_t begin = 0, end = 0;        ///< offsets in the text, half-open, with the comments of the region

  bool contains(uint32_t offset) const { return offset >= begin && offset < end; }
};

/// The marker regions; without markers each innermost loop, which begins with its label and whose name is its first
/// line; without loops the whole text.
std::vector<MeasuredRegion> findRegions(const Program &program, const ProgramBranches &branches);

/// Whether a statement stands before all regions, and so is for each of them.
bool isForAll(const MeasureStatement &statement, const std::vector<MeasuredRegion> &regions);

} // namespace mca::measure
