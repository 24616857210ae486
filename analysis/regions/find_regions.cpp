#include "analysis/regions/caveats.h"
#include "analysis/regions/control_flow.h"
#include "analysis/regions/region.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/MC/MCSymbol.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace analysis {
namespace {

/// The function an instruction is in: the last label before it that is no compiler's own (".LBB0_2").
class FunctionNames {
public:
  explicit FunctionNames(const mca::Program &program) {
    for (const mca::Label &label : program.labels())
      declared_ |= program.isFunction(*label.symbol);
    for (const mca::Label &label : program.labels())
      if (declared_ ? program.isFunction(*label.symbol) : !label.symbol->isTemporary())
        labels_.push_back(&label);
  }

  /// Index of the function, -1 before the first.
  int indexOf(uint32_t instruction) const {
    const auto after = std::upper_bound(labels_.begin(), labels_.end(), instruction,
                                        [](uint32_t i, const mca::Label *label) { return i < label->instruction; });
    return static_cast<int>(after - labels_.begin()) - 1;
  }
  std::string nameOf(uint32_t instruction) const {
    const int index = indexOf(instruction);
    return index < 0 ? std::string() : withoutParameters(labels_[index]->name);
  }

  /// The function a loop is in. Where nothing is declared a function and the label is the loop's own, there is no
  /// telling.
  std::string nameAround(const Loop &loop) const {
    const int index = indexOf(loop.instructions.front());
    const auto isLoops = [&](uint32_t at) { return at == loop.instructions.front() || at == loop.header; };
    if (index < 0 || (!declared_ && isLoops(labels_[index]->instruction)))
      return {};
    return withoutParameters(labels_[index]->name);
  }

private:
  /// "ns::f<int>": what a reader calls the function.
  static std::string withoutParameters(std::string_view symbol) {
    const std::string name(symbol);
    llvm::ItaniumPartialDemangler demangler;
    if (demangler.partialDemangle(name.c_str()) || !demangler.isFunction())
      return llvm::demangle(name);
    char *text = demangler.getFunctionName(nullptr, nullptr);
    const std::string result = text ? text : name;
    std::free(text);
    return result;
  }

  std::vector<const mca::Label *> labels_;
  bool declared_ = false;
};

/// The range of whole lines from the first to the last of the instructions; nothing when none has a line.
std::optional<wire::ByteRange> rangeOf(const std::vector<uint32_t> &instructions, const SourceMap &map) {
  uint32_t first = ~0u, last = 0;
  for (const uint32_t index : instructions)
    if (const auto place = map.placeOf(index)) {
      first = std::min(first, place->line);
      last = std::max(last, place->line);
    }
  if (first == ~0u)
    return std::nullopt;
  return wire::ByteRange{map.lines().content(first - 1).begin, map.lines().content(last - 1).end};
}

std::string loopName(const FunctionNames &functions, const Loop &loop) {
  const std::string function = functions.nameAround(loop);
  return function.empty() ? "loop" : "loop in " + function;
}

/// The label just above the loop: what a jump to it names, rather than the function's own name above that.
uint32_t labelOffset(const mca::Program &program, uint32_t header) {
  const uint32_t offset = program.instructions()[header].offset;
  const auto labels = program.labels();
  const auto behind = std::upper_bound(labels.begin(), labels.end(), header,
                                       [](uint32_t i, const mca::Label &label) { return i < label.instruction; });
  if (behind == labels.begin() || (behind - 1)->instruction != header)
    return offset;
  return std::min(offset, (behind - 1)->offset);
}

Region wholeText(const mca::Program &program, const SourceMap &map) {
  Region region{.kind = wire::RegionKind::Snippet, .name = "whole text"};
  region.instructions.resize(program.instructions().size());
  std::iota(region.instructions.begin(), region.instructions.end(), 0);
  region.at = *rangeOf(region.instructions, map);
  region.anchor = program.instructions().front().offset;
  return region;
}

std::vector<Region> assemblyMarkers(const mca::Program &program, const SourceMap &map) {
  std::vector<Region> regions;
  for (const mca::MarkerRegion &marker : program.markerRegions()) {
    Region region{.kind = wire::RegionKind::Marker, .name = marker.name};
    region.instructions = program.instructionsOf(marker);
    if (region.instructions.empty())
      continue;
    const TextLines &lines = map.lines();
    const uint32_t end =
        marker.end == mca::MarkerRegion::kOpen ? static_cast<uint32_t>(lines.text().size()) : marker.end;
    region.at = {lines.content(lines.lineOf(marker.begin)).begin, lines.content(lines.lineOf(end)).end};
    region.anchor = marker.hasBegin ? marker.begin : program.instructions()[region.instructions.front()].offset;
    regions.push_back(std::move(region));
  }
  return regions;
}

} // namespace

std::vector<Region> findAssemblyRegions(const mca::Target &target, const mca::Program &program, const SourceMap &map,
                                        RegionKinds kinds) {
  std::vector<Region> regions;
  if (program.instructions().empty())
    return regions;
  if (kinds.markers)
    regions = assemblyMarkers(program, map);
  const size_t marked = regions.size();
  const std::vector<Loop> loops =
      kinds.loops || kinds.snippets ? findInnermostLoops(target, program) : std::vector<Loop>();
  const FunctionNames functions(program);
  for (const Loop &loop : loops) {
    // A marker region around just this loop says it already.
    const bool alreadyMarked = std::any_of(regions.begin(), regions.begin() + marked, [&](const Region &region) {
      return region.instructions == loop.instructions;
    });
    if (!kinds.loops || alreadyMarked)
      continue;
    Region region{.kind = wire::RegionKind::Loop, .name = loopName(functions, loop), .severalPaths = loop.severalPaths};
    region.instructions = loop.instructions;
    region.anchor = labelOffset(program, loop.instructions.front());
    region.at = *rangeOf(loop.instructions, map);
    region.at.begin = std::min(region.at.begin, map.lines().content(map.lines().lineOf(region.anchor)).begin);
    regions.push_back(std::move(region));
  }
  if (kinds.snippets && loops.empty() && program.markerRegions().empty())
    regions.push_back(wholeText(program, map));
  for (Region &region : regions)
    addCaveats(target, program, /*compiled=*/false, region);
  return regions;
}

namespace {

/// The instructions of the marked source, one list for each function that holds some of them.
std::vector<Region> sourceMarker(const mca::Program &program, const SourceMap &map, const FunctionNames &functions,
                                 const mca::MarkerRegion &marker) {
  const TextLines &lines = map.lines();
  llvm::MapVector<int, std::vector<uint32_t>> byFunction;
  for (uint32_t i = 0; i < program.instructions().size(); ++i) {
    const auto place = map.placeOf(i);
    if (!place)
      continue;
    const wire::ByteRange line = lines.range(place->line - 1);
    // Without a column the whole line counts as one place: its end, so that a marker behind the code excludes it.
    const uint32_t offset = place->column ? std::min(line.begin + place->column - 1, line.end) : line.begin;
    if (marker.contains(offset))
      byFunction[functions.indexOf(i)].push_back(i);
  }
  std::vector<Region> regions;
  for (auto &[function, instructions] : byFunction) {
    Region region{.kind = wire::RegionKind::Marker, .name = marker.name};
    if (byFunction.size() > 1)
      region.name += (region.name.empty() ? "in " : " in ") + functions.nameOf(instructions.front());
    const uint32_t end =
        marker.end == mca::MarkerRegion::kOpen ? static_cast<uint32_t>(lines.text().size()) : marker.end;
    region.at = {lines.content(lines.lineOf(marker.begin)).begin, lines.content(lines.lineOf(end)).end};
    region.anchor = marker.begin;
    region.instructions = std::move(instructions);
    regions.push_back(std::move(region));
  }
  return regions;
}

/// Markers that the source wrote into the assembly with `asm volatile`.
std::vector<Region> asmMarkers(const mca::Program &program, const SourceMap &map) {
  std::vector<Region> regions;
  for (const mca::MarkerRegion &marker : program.markerRegions()) {
    Region region{.kind = wire::RegionKind::Marker, .name = marker.name};
    region.instructions = program.instructionsOf(marker);
    const auto range = rangeOf(region.instructions, map);
    if (!range)
      continue;
    region.at = *range;
    region.anchor = range->begin;
    regions.push_back(std::move(region));
  }
  return regions;
}

} // namespace

std::vector<Region> findSourceRegions(const mca::Target &target, const mca::Program &program, const SourceMap &map,
                                      const std::vector<mca::MarkerRegion> &markers, RegionKinds kinds) {
  std::vector<Region> regions;
  if (program.instructions().empty())
    return regions;
  const FunctionNames functions(program);
  if (kinds.markers) {
    regions = asmMarkers(program, map);
    for (const mca::MarkerRegion &marker : markers)
      for (Region &region : sourceMarker(program, map, functions, marker))
        regions.push_back(std::move(region));
  }
  if (kinds.loops)
    for (Loop &loop : findInnermostLoops(target, program)) {
      const auto range = rangeOf(loop.instructions, map);
      if (!range)
        continue; // all of it is from headers
      regions.push_back({.kind = wire::RegionKind::Loop,
                         .name = loopName(functions, loop),
                         .instructions = std::move(loop.instructions),
                         .at = *range,
                         .anchor = range->begin,
                         .severalPaths = loop.severalPaths});
    }
  for (Region &region : regions)
    addCaveats(target, program, /*compiled=*/true, region);
  return regions;
}

} // namespace analysis
