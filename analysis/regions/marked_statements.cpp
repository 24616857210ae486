#include "analysis/regions/marked_statements.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace analysis {
namespace {

/// Inlined calls through which one loop is followed outwards. Real stacks are of some thirty.
constexpr uint32_t kMostCalls = 200;

} // namespace

MarkedStatements::MarkedStatements(const SourceMap &map, const LoopStatements &statements,
                                   const FunctionNames &functions, std::span<const PlacedLoop> loops)
    : statements_(statements), loops_(loops) {
  for (uint32_t i = 0; i < loops.size(); ++i) {
    const LoopPlace &place = loops[i].place;
    // The code of a called function is not that of the line, and a copy without its inner loop is not what the line
    // does.
    if (place.isCalled || place.lacksInner)
      continue;
    const int function = functions.indexOf(loops[i].loop->header());
    places_.push_back({place.anchor, function, place.caller, i, 0});
    uint32_t depth = 1;
    for (uint32_t frame = place.caller; frame != SourceMap::kNoFrame && depth < kMostCalls;
         frame = map.frame(frame).caller, ++depth)
      if (const Frame &call = map.frame(frame); call.inBuffer.line)
        places_.push_back({map.offsetOf(call.inBuffer), function, call.caller, i, depth});
  }
  std::ranges::stable_sort(places_, {}, &Place::offset);
  for (const Place &place : places_)
    instances_.emplace_back(place.function, place.caller, place.offset);
  llvm::sort(instances_);
}

/// Whether the loop is the statement's at its offset.
bool MarkedStatements::isStatement(const Place &place) const {
  const LoopPlace &own = loops_[place.loop].place;
  return place.depth == 0 && own.isStatement && !own.atCall;
}

/// Whether the loop's statement holds other loops of the same instance. Then this one is no innermost loop of the
/// source: it may be what runs when the inner one has nothing to do.
bool MarkedStatements::holdsLoops(const Place &place) const {
  const LoopStatement *own = isStatement(place) ? statements_.around(place.offset) : nullptr;
  if (!own)
    return false;
  const auto next = std::ranges::upper_bound(instances_, std::tuple(place.function, place.caller, place.offset));
  return next != instances_.end() && std::get<0>(*next) == place.function && std::get<1>(*next) == place.caller &&
         std::get<2>(*next) < own->extent.end;
}

/// Of each loop the innermost place in the marked lines.
std::vector<MarkedStatements::Place> MarkedStatements::heldBy(const mca::MarkerRegion &marker) const {
  llvm::MapVector<uint32_t, Place> found; // by loop
  for (auto place = std::ranges::lower_bound(places_, marker.begin, {}, &Place::offset);
       place != places_.end() && marker.contains(place->offset); ++place) {
    const auto [known, isNew] = found.try_emplace(place->loop, *place);
    if (!isNew && place->depth < known->second.depth)
      known->second = *place;
  }
  std::vector<Place> held;
  for (const auto &[loop, place] : found)
    held.push_back(place);
  return held;
}

/// The loops of the innermost statement that holds all marked lines. The body of a lambda is none of the loop around
/// the lambda.
std::vector<MarkedStatements::Place> MarkedStatements::around(const mca::MarkerRegion &marker) const {
  const LoopStatement *statement = statements_.around(marker.begin);
  const FunctionExtents &functions = statements_.functions();
  if (!statement || !marker.hasBegin || marker.end > statement->extent.end ||
      functions.around(statement->keyword) != functions.around(marker.begin))
    return {};
  std::vector<Place> found;
  const auto range = std::ranges::equal_range(places_, statement->keyword, {}, &Place::offset);
  std::ranges::copy_if(range, std::back_inserter(found), [&](const Place &place) { return isStatement(place); });
  return found;
}

MarkedStatements::Versions MarkedStatements::versionsIn(const mca::MarkerRegion &marker) const {
  std::vector<Place> found = heldBy(marker);
  if (found.empty())
    found = around(marker);
  std::erase_if(found, [&](const Place &place) { return holdsLoops(place); });
  Versions versions;
  for (const Place &place : found) {
    const LoopPlace &own = loops_[place.loop].place;
    versions[{{place.function, own.caller}, {place.offset, own.file, own.isStatement ? own.firstLine : 0}}].push_back(
        place.loop);
  }
  return versions;
}

} // namespace analysis
