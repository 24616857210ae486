// What all kinds of regions share: their numbers, and the lines of their instructions.
#pragma once

#include "analysis/regions/region.h"

#include <optional>
#include <string>
#include <vector>

namespace analysis {

/// Region::loop of the next loop or marked region.
uint32_t nextNumber(const std::vector<Region> &regions);

/// A region of these instructions, each with its line of the buffer.
Region regionOf(wire::RegionKind kind, std::string name, std::vector<uint32_t> instructions, const SourceMap &map);

/// The range of whole lines from the first to the last of a region's instructions; nothing if none has a line.
std::optional<wire::ByteRange> rangeOf(const Region &region, const SourceMap &map);

} // namespace analysis
