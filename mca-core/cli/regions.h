// The regions of a text that `mca` reports.
#pragma once

#include "mca-core/assembly/program.h"

#include <string>
#include <vector>

namespace mca {

/// A region to report: a marker region, or the whole text if it has none.
struct NamedRegion {
  std::string name;
  bool marked = false;
  std::vector<uint32_t> instructions; ///< indices into Program::instructions()
};

/// Returns the regions by their begin, including empty ones.
std::vector<NamedRegion> regionsOf(const Program &program);

} // namespace mca
