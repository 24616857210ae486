#include "analysis/regions/marker_regions.h"

#include "analysis/regions/make_region.h"
#include "analysis/regions/marked_statements.h"
#include "analysis/regions/region_limits.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>

namespace analysis {
namespace {

/// The range of whole lines between the markers at two offsets of the buffer.
wire::ByteRange markedRange(const TextLines &lines, uint32_t begin, uint32_t end) {
  const uint32_t last = end == mca::MarkerRegion::kOpen ? static_cast<uint32_t>(lines.text().size()) : end;
  return {lines.content(lines.lineOf(begin)).begin, lines.content(lines.lineOf(last)).end};
}

/// What a symbol is to another of which the compiler made it, such as "f.cold" or "f._omp_fn.0" to "f".
bool isPartOf(llvm::StringRef part, llvm::StringRef whole) {
  return part.consume_front(whole) && part.starts_with(".");
}

/// Finds the regions of a source's markers, one after the other.
class SourceMarkerFinder {
public:
  SourceMarkerFinder(const SourceFacts &facts, const mca::Program &program, const SourceMap &map,
                     const FunctionNames &functions, std::span<const PlacedLoop> loops)
      : map_(map), functions_(functions), loops_(loops), statements_(map, *facts.statements, functions, loops) {
    for (uint32_t i = 0; i < program.instructions().size(); ++i)
      // Without a column it counts as the start of its line, so that a begin marker after the code excludes it.
      if (const auto place = map_.placeOf(i))
        placed_.push_back({map_.offsetOf(*place), i});
    llvm::sort(placed_);
  }

  /// False if the regions are beyond the limits.
  bool add(const mca::MarkerRegion &marker, Regions &found) {
    const MarkedStatements::Versions loops = statements_.versionsIn(marker);
    Instructions straight = instructionsOf(marker);
    std::set<MarkedStatements::Instance> instances;
    for (const auto &[key, versions] : loops)
      instances.insert(key.first);
    straight.remove_if([&](const auto &one) { return isReplaced(one.first, instances); });
    const bool isNamed = instances.size() + straight.size() > 1;
    const wire::ByteRange at = markedRange(map_.lines(), marker.begin, marker.end);
    addLoops(marker, loops, isNamed, at, found.marked);
    bool isWithin = true;
    for (auto &[function, instructions] : straight) {
      std::string name = marker.name;
      if (isNamed)
        name += (name.empty() ? "in " : " in ") + functions_.nameOf(instructions.front());
      Region region = regionOf(wire::RegionKind::Marker, std::move(name), std::move(instructions), map_);
      region.at = at;
      region.anchor = marker.begin;
      region.loop = nextNumber(found.regions);
      isWithin = count_.add(region.instructions.size()) && isWithin;
      found.regions.push_back(std::move(region));
    }
    for (const auto &[key, versions] : loops)
      for (const uint32_t loop : versions)
        isWithin = count_.add(loops_[loop].loop->instructions.size()) && isWithin;
    return isWithin;
  }

private:
  /// An instruction by its place in the buffer.
  struct Placed {
    uint32_t offset;
    uint32_t instruction;
    auto operator<=>(const Placed &) const = default;
  };
  using Instructions = llvm::MapVector<int, std::vector<uint32_t>>; // by function

  Instructions instructionsOf(const mca::MarkerRegion &marker) const {
    std::vector<uint32_t> inside;
    const auto first = std::ranges::lower_bound(placed_, marker.begin, {}, &Placed::offset);
    for (auto it = first; it != placed_.end() && marker.contains(it->offset); ++it)
      inside.push_back(it->instruction);
    llvm::sort(inside);
    Instructions byFunction;
    for (const uint32_t instruction : inside)
      byFunction[functions_.indexOf(instruction)].push_back(instruction);
    return byFunction;
  }

  /// Whether a function has the marked lines as a loop, or is what the compiler split off from one that has.
  bool isReplaced(int function, const std::set<MarkedStatements::Instance> &instances) const {
    const llvm::StringRef symbol = functions_.symbolOf(function);
    return llvm::any_of(instances, [&](const MarkedStatements::Instance &instance) {
      const llvm::StringRef other = functions_.symbolOf(instance.first);
      return instance.first == function || isPartOf(symbol, other) || isPartOf(other, symbol);
    });
  }

  /// `isNamed`: whether the names say in which function the loops are.
  void addLoops(const mca::MarkerRegion &marker, const MarkedStatements::Versions &loops, bool isNamed,
                wire::ByteRange at, std::vector<MarkedLoop> &marked) const {
    std::set<MarkedStatements::Statement> statements;
    for (const auto &[key, versions] : loops)
      statements.insert(key.second);
    for (const auto &[key, versions] : loops) {
      std::string name = marker.name;
      if (statements.size() > 1)
        name += " (loop " + std::to_string(std::distance(statements.begin(), statements.find(key.second)) + 1) +
                " of " + std::to_string(statements.size()) + ")";
      if (isNamed)
        name += whereabouts(loops_[versions.front()].name);
      marked.push_back(
          {.name = llvm::StringRef(name).ltrim().str(), .at = at, .anchor = marker.begin, .versions = versions});
    }
  }

  /// " in f" of "inlined loop in f".
  static llvm::StringRef whereabouts(llvm::StringRef name) { return name.split("loop").second; }

  const SourceMap &map_;
  const FunctionNames &functions_;
  std::span<const PlacedLoop> loops_;
  MarkedStatements statements_;
  std::vector<Placed> placed_; ///< ascending
  RegionCount count_;
};

} // namespace

std::vector<Region> programMarkers(const mca::Program &program, const SourceMap &map, bool compiled) {
  std::vector<Region> regions;
  RegionCount count;
  bool isWithin = true;
  for (const mca::MarkerRegion &marker : program.markerRegions()) {
    if (!isWithin)
      break;
    Region region = regionOf(wire::RegionKind::Marker, marker.name, program.instructionsOf(marker), map);
    const std::optional<wire::ByteRange> range = rangeOf(region, map);
    if (!range)
      continue;
    region.loop = nextNumber(regions);
    if (compiled) {
      region.at = *range;
      region.anchor = range->begin;
    } else {
      const uint32_t first = program.instructions()[region.instructions.front()].offset;
      region.at = markedRange(map.lines(), map.inBuffer(marker.begin),
                              marker.end == mca::MarkerRegion::kOpen ? marker.end : map.inBuffer(marker.end));
      region.anchor = map.inBuffer(marker.hasBegin ? marker.begin : first);
    }
    isWithin = count.add(region.instructions.size());
    regions.push_back(std::move(region));
  }
  return regions;
}

void addSourceMarkers(const SourceFacts &facts, const mca::Program &program, const SourceMap &map,
                      const FunctionNames &functions, std::span<const PlacedLoop> loops, Regions &found) {
  if (facts.markers.empty())
    return;
  SourceMarkerFinder finder(facts, program, map, functions, loops);
  for (const mca::MarkerRegion &marker : facts.markers)
    if (!finder.add(marker, found))
      return;
}

} // namespace analysis
