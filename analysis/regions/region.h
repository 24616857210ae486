// A Region is a list of instructions worth simulating together, tied to a range of the user's buffer.
#pragma once

#include "analysis/source_map/source_map.h"
#include "analysis/wire/messages.h"
#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include <string>
#include <vector>

namespace analysis {

struct Region {
  wire::RegionKind kind = wire::RegionKind::Snippet;
  std::string name;                   ///< for the reader: the marker's name, or "loop in f"
  std::vector<uint32_t> instructions; ///< indices in the program, in layout order
  wire::ByteRange at;                 ///< in the buffer, whole lines
  uint32_t anchor = 0;                ///< the hint stands at the end of the line that holds this offset
  bool severalPaths = false;          ///< of a loop: its iterations may differ
  std::vector<std::string> caveats;   ///< what makes its numbers less certain than they look
};

/// Which kinds of regions are wanted.
struct RegionKinds {
  bool markers = true;
  bool loops = true;
  bool snippets = true;
};

/// Regions of an assembly buffer: markers, innermost loops, and the whole text when it has neither.
std::vector<Region> findAssemblyRegions(const mca::Target &target, const mca::Program &program, const SourceMap &map,
                                        RegionKinds kinds);

/// Regions of a C or C++ buffer that was compiled to `program`. `markers` have offsets in the buffer.
std::vector<Region> findSourceRegions(const mca::Target &target, const mca::Program &program, const SourceMap &map,
                                      const std::vector<mca::MarkerRegion> &markers, RegionKinds kinds);

} // namespace analysis
