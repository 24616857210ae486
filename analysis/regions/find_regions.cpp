#include "analysis/common/counts.h"
#include "analysis/regions/call_graph.h"
#include "analysis/regions/caveats.h"
#include "analysis/regions/control_flow.h"
#include "analysis/regions/duplication.h"
#include "analysis/regions/function_names.h"
#include "analysis/regions/loop_place.h"
#include "analysis/regions/region.h"
#include "analysis/regions/repeated_includes.h"
#include "analysis/regions/vector_type.h"
#include "analysis/source_map/inline_scopes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace analysis {
namespace {

/// Paths through one loop that are simulated.
constexpr size_t kMaxPaths = 8;
/// Lines of the buffer at which the loop of one called function stands.
constexpr size_t kMaxCallingLines = 16;
/// Lines that the name of a path lists.
constexpr size_t kMaxNamedLines = 4;

/// Of assembly that somebody wrote.
constexpr auto kNobodySaid = [](uint32_t, uint32_t) -> std::optional<double> { return std::nullopt; };

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

std::vector<uint32_t> linesOf(const std::vector<uint32_t> &instructions, const SourceMap &map) {
  std::vector<uint32_t> lines;
  for (const uint32_t index : instructions)
    lines.push_back(map.placeOf(index).value_or(SourcePlace{}).line);
  return lines;
}

// ---- paths ---------------------------------------------------------------------------------------------------------

std::string listed(const std::vector<uint32_t> &lines) {
  std::string text = lines.size() == 1 ? "line " : "lines ";
  for (size_t i = 0; i < std::min(lines.size(), kMaxNamedLines); ++i)
    text += (i ? ", " : "") + std::to_string(lines[i]);
  return text + andMore(lines.size(), kMaxNamedLines);
}

/// Names each path by the lines that not all of them go through: those that it goes through, or if there are none, all
/// that it does not.
void namePaths(std::vector<Region> &paths) {
  std::vector<std::vector<uint32_t>> lines;
  llvm::DenseMap<uint32_t, size_t> onPaths;
  for (const Region &path : paths) {
    std::vector<uint32_t> own = path.lines;
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    std::erase(own, 0u);
    for (const uint32_t line : own)
      ++onPaths[line];
    lines.push_back(std::move(own));
  }
  std::vector<uint32_t> telling;
  for (const auto &[line, count] : onPaths)
    if (count < paths.size())
      telling.push_back(line);
  std::sort(telling.begin(), telling.end());
  std::map<std::string, size_t> named, counted;
  for (size_t i = 0; i < paths.size(); ++i) {
    std::erase_if(lines[i], [&](uint32_t line) { return onPaths[line] == paths.size(); });
    paths[i].path = !lines[i].empty() ? "through " + listed(lines[i])
                    : telling.empty() ? "path"
                                      : "not through " + listed(telling);
    ++named[paths[i].path];
  }
  for (Region &path : paths)
    if (const size_t alike = named[path.path]; alike > 1) {
      const std::string number = std::to_string(++counted[path.path]) + " of " + std::to_string(alike);
      path.path += telling.empty() ? " " + number : " (" + number + ")";
    }
}

/// One region for each path through the loop. `base` is what they share; its lines are the loop's, in layout order.
void addPaths(const Loop &loop, const BranchProbability &probability, Region base, std::vector<Region> &regions) {
  LoopPaths found = findLoopPaths(loop, probability, kMaxPaths);
  if (found.paths.empty()) {
    base.severalPaths = true;
    base.instructions = loop.instructions;
    regions.push_back(std::move(base));
    return;
  }
  if (loop.severalEntries)
    base.caveats.push_back({.kind = wire::Caveat::Kind::SeveralEntries});
  if (!found.complete)
    base.caveats.push_back({.kind = wire::Caveat::Kind::MorePaths, .count = static_cast<uint32_t>(found.paths.size())});
  llvm::DenseMap<uint32_t, uint32_t> lineOf;
  for (size_t i = 0; i < loop.instructions.size(); ++i)
    lineOf[loop.instructions[i]] = base.lines[i];
  std::vector<Region> paths;
  for (LoopPath &path : found.paths) {
    Region region = base;
    region.instructions = std::move(path.instructions);
    region.lines.clear();
    for (const uint32_t index : region.instructions)
      region.lines.push_back(lineOf[index]);
    if (found.paths.size() > 1) {
      region.kind = wire::RegionKind::Path;
      region.share = path.share;
    }
    paths.push_back(std::move(region));
  }
  if (paths.size() > 1)
    namePaths(paths);
  std::move(paths.begin(), paths.end(), std::back_inserter(regions));
}

/// Gives the regions of one loop, from the index on, their number.
void numberLoops(std::vector<Region> &regions, size_t from, uint32_t number) {
  for (size_t i = from; i < regions.size(); ++i)
    regions[i].loop = number;
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
  region.lines = linesOf(region.instructions, map);
  region.at = rangeOf(region.instructions, map).value_or(map.lines().content(0));
  region.anchor = map.inBuffer(program.instructions().front().offset);
  return region;
}

std::vector<Region> assemblyMarkers(const mca::Program &program, const SourceMap &map) {
  std::vector<Region> regions;
  for (const mca::MarkerRegion &marker : program.markerRegions()) {
    Region region{.kind = wire::RegionKind::Marker, .name = marker.name};
    region.instructions = program.instructionsOf(marker);
    if (region.instructions.empty())
      continue;
    region.lines = linesOf(region.instructions, map);
    const TextLines &lines = map.lines();
    const uint32_t end =
        marker.end == mca::MarkerRegion::kOpen ? static_cast<uint32_t>(lines.text().size()) : map.inBuffer(marker.end);
    region.at = {lines.content(lines.lineOf(map.inBuffer(marker.begin))).begin, lines.content(lines.lineOf(end)).end};
    region.anchor =
        map.inBuffer(marker.hasBegin ? marker.begin : program.instructions()[region.instructions.front()].offset);
    regions.push_back(std::move(region));
  }
  return regions;
}

} // namespace

std::vector<std::vector<uint32_t>> findLoopBodies(const mca::Target &target, const mca::Program &program,
                                                  uint32_t first) {
  std::vector<std::vector<uint32_t>> bodies;
  for (Loop &loop : findInnermostLoops(target, program, first)) {
    LoopPaths found = findLoopPaths(loop, kNobodySaid, kMaxPaths);
    for (LoopPath &path : found.paths)
      bodies.push_back(std::move(path.instructions));
    if (found.paths.empty())
      bodies.push_back(std::move(loop.instructions));
  }
  return bodies;
}

Regions findAssemblyRegions(const mca::Target &target, const mca::Program &program, const SourceMap &map,
                            RegionKinds kinds) {
  std::vector<Region> regions;
  if (program.instructions().empty())
    return {};
  if (kinds.markers)
    regions = assemblyMarkers(program, map);
  const size_t marked = regions.size();
  for (uint32_t i = 0; i < marked; ++i)
    regions[i].loop = i;
  const std::vector<Loop> loops =
      kinds.loops || kinds.snippets ? findInnermostLoops(target, program) : std::vector<Loop>();
  const FunctionNames functions(program);
  uint32_t number = static_cast<uint32_t>(marked);
  for (const Loop &loop : loops) {
    // A marker region around just this loop says it already.
    const bool alreadyMarked = std::any_of(regions.begin(), regions.begin() + marked, [&](const Region &region) {
      return region.instructions == loop.instructions;
    });
    if (!kinds.loops || alreadyMarked)
      continue;
    Region base{.kind = wire::RegionKind::Loop, .name = loopName(functions, loop)};
    base.lines = linesOf(loop.instructions, map);
    const std::optional<wire::ByteRange> range = rangeOf(loop.instructions, map);
    if (!range) // made of no line of the buffer
      continue;
    base.anchor = map.inBuffer(labelOffset(program, loop.instructions.front()));
    base.at = *range;
    base.at.begin = std::min(base.at.begin, map.lines().content(map.lines().lineOf(base.anchor)).begin);
    const size_t from = regions.size();
    addPaths(loop, kNobodySaid, std::move(base), regions);
    numberLoops(regions, from, number++);
  }
  if (kinds.snippets && loops.empty() && program.markerRegions().empty())
    regions.push_back(wholeText(program, map));
  for (Region &region : regions)
    addCaveats(target, program, /*compiled=*/false, region);
  addVectorTypes(target, program, regions);
  return {.regions = std::move(regions), .elsewhere = {}};
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
    const uint32_t offset =
        place->column ? line.begin + std::min(place->column - 1, line.end - line.begin) : line.begin;
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
    region.lines = linesOf(instructions, map);
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
    region.lines = linesOf(region.instructions, map);
    region.at = *range;
    region.anchor = range->begin;
    regions.push_back(std::move(region));
  }
  return regions;
}

/// "std::sort" of "std::sort<int *>".
std::string withoutArguments(llvm::StringRef name) {
  std::string text;
  unsigned depth = 0;
  for (const char c : name) {
    const bool isOperator = llvm::StringRef(text).ends_with("operator");
    if (c == '<' && !isOperator)
      ++depth;
    else if (c == '>' && depth)
      --depth;
    else if (!depth)
      text += c;
  }
  return text;
}

/// What a reader calls a loop: by the function whose code it is in, and the call it was inlined at.
std::string nameInSource(const FunctionNames &functions, const Loop &loop, const SourceMap &map,
                         const LoopPlace &place) {
  const std::string function = functions.nameAround(loop);
  const std::string in = function.empty() ? "" : " in " + function;
  if (place.isCalled)
    return "loop of " + withoutArguments(function) + ", called here";
  if (place.atCall)
    return "inlined loop" + in;
  if (place.caller == SourceMap::kNoFrame)
    return "loop" + in;
  // Compilers collect a file's initialisers in a function of their own, which has no place or that of the file's end.
  const uint32_t least = llvm::StringRef(function).starts_with("_GLOBAL__sub_I") ? 1 : 0;
  uint32_t outermost = place.caller;
  while (map.frame(outermost).depth > least)
    outermost = map.frame(outermost).caller;
  const uint32_t line = map.frame(outermost).inBuffer.line;
  return "loop inlined into " + (function.empty() ? "its caller" : function) +
         (line ? " at line " + std::to_string(line) : "");
}

/// The places in other files that a loop's instructions come from, those of most instructions first.
std::vector<std::string> inlinedInto(const Loop &loop, const SourceMap &map, const InlineScopes *scopes) {
  constexpr size_t kNamed = 6;
  struct Inlined {
    std::string_view function; ///< empty when unknown
    size_t instructions = 0;
  };
  llvm::MapVector<std::pair<uint32_t, uint32_t>, Inlined> found;
  for (const uint32_t instruction : loop.instructions)
    if (const uint32_t index = map.frameOf(instruction); index != SourceMap::kNoFrame)
      if (const Frame &frame = map.frame(index); frame.line && !frame.inBuffer.line) {
        Inlined &inlined = found[{frame.file, frame.line}];
        ++inlined.instructions;
        const uint32_t scope = scopes ? scopes->scopeOf(instruction) : InlineScopes::kNone;
        if (scope != InlineScopes::kNone && inlined.function.empty())
          inlined.function = scopes->nameOf(scopes->scopes()[scope]);
      }
  auto places = found.takeVector();
  std::stable_sort(places.begin(), places.end(),
                   [](const auto &a, const auto &b) { return a.second.instructions > b.second.instructions; });
  std::vector<std::string> texts;
  for (const auto &[place, inlined] : places) {
    if (texts.size() == kNamed) {
      texts.push_back("and " + std::to_string(places.size() - kNamed) + " more places");
      break;
    }
    const std::string line =
        llvm::sys::path::filename(map.fileName(place.first)).str() + ":" + std::to_string(place.second);
    texts.push_back((inlined.function.empty() ? line : std::string(inlined.function) + " (" + line + ")") + ", " +
                    counted(inlined.instructions, "instruction"));
  }
  return texts;
}

LoopElsewhere placeElsewhere(const FunctionNames &functions, const Loop &loop, const SourceMap &map,
                             std::vector<uint32_t> files) {
  LoopElsewhere place{.file = {}, .line = 0, .function = functions.nameAround(loop), .loop = loop.header()};
  place.home = files.empty() ? "" : map.fileName(files.front());
  place.files = std::move(files);
  for (const uint32_t instruction : loop.instructions)
    if (const uint32_t frame = map.frameOf(instruction); frame != SourceMap::kNoFrame && map.frame(frame).line) {
      place.file = map.fileName(map.frame(frame).file);
      place.line = map.frame(frame).line;
      break;
    }
  return place;
}

/// A loop and one of its places.
struct PlacedLoop {
  const Loop *loop;
  LoopPlace place;
  std::optional<wire::Caveat> doubt = std::nullopt; ///< why the place may be another one
};

/// Places each loop of a file that a function includes several times at one of the inclusions.
void chooseInclusions(std::vector<PlacedLoop> &placed, const mca::Target &target, const mca::Program &program,
                      const SourceMap &map, const SourceFacts &facts, StatementsByFrame &statements,
                      const FunctionNames &functions) {
  using Statement = std::tuple<int, uint32_t, uint32_t, uint32_t>; // function, file, lines
  std::map<Statement, std::vector<PlacedLoop *>> repeated;
  for (PlacedLoop &one : placed)
    if (const LoopPlace &place = one.place; place.includes.size() > 1)
      repeated[{functions.indexOf(one.loop->header()), place.file, place.firstLine, place.lastLine}].push_back(&one);
  if (repeated.empty())
    return;
  const ProgramBlocks code = findBlocks(target, program);
  for (const auto &[statement, loops] : repeated) {
    const std::vector<uint32_t> includes = loops.front()->place.includes;
    std::vector<IncludedLoop> included;
    for (const PlacedLoop *one : loops) {
      Region own;
      readOwnCode(*one->loop, program, map, one->place, statements, facts.tellsDuplication, own);
      included.push_back({one->loop, own.duplication == 1});
    }
    const auto inclusions = inclusionsOf(included, includes.size(), code.blocks, functions);
    for (size_t i = 0; i < loops.size(); ++i) {
      LoopPlace &place = loops[i]->place;
      if (!inclusions)
        loops[i]->doubt = {.kind = wire::Caveat::Kind::OtherInclusion,
                           .count = static_cast<uint32_t>(includes.size()),
                           .names = {llvm::sys::path::filename(map.fileName(place.file)).str()}};
      place.anchor = includes[inclusions ? (*inclusions)[i] : 0];
      place.at = map.lines().content(map.lines().lineOf(place.anchor));
    }
  }
}

/// The places of all loops that are wanted; those without one are reported in `elsewhere`.
std::vector<PlacedLoop> placeLoops(const std::vector<Loop> &loops, const mca::Target &target,
                                   const mca::Program &program, const SourceMap &map, const SourceFacts &facts,
                                   SourceFiles &files, const FunctionNames &functions,
                                   std::vector<LoopElsewhere> &elsewhere) {
  const LoopStatements &statements = *facts.statements;
  std::vector<PlacedLoop> placed;
  std::optional<CallGraph> graph;
  for (const Loop &loop : loops) {
    const uint32_t first = loop.instructions.front(), start = functions.startOf(first);
    const uint32_t end = std::min(functions.endOf(first), static_cast<uint32_t>(program.instructions().size()));
    if (facts.onlyLoops && !std::binary_search(facts.onlyLoops->begin(), facts.onlyLoops->end(), loop.header()))
      continue;
    if (std::optional<LoopPlace> place = placeLoop(loop, map, statements, files, start, end)) {
      placed.push_back({&loop, std::move(*place)});
      continue;
    }
    std::vector<uint32_t> around = filesAround(loop, map, statements, files, start);
    std::vector<LoopPlace> places;
    if (!facts.hasOwnReport || llvm::none_of(around, facts.hasOwnReport)) {
      if (!graph)
        graph.emplace(target, program, map, functions);
      places = placeAtCalls(loop, graph->callsTo(first), map, statements, files, start);
    }
    if (places.empty() || places.size() > kMaxCallingLines)
      elsewhere.push_back(placeElsewhere(functions, loop, map, std::move(around)));
    else
      for (LoopPlace &place : places)
        placed.push_back({&loop, std::move(place)});
  }
  return placed;
}

/// Adds the regions of innermost loops; `number` is the first one's.
void addSourceLoops(const mca::Target &target, const mca::Program &program, const SourceMap &map,
                    const SourceFacts &facts, const FunctionNames &functions, uint32_t number, Regions &found) {
  SourceFiles files(map, facts.language);
  const auto isOwn = [&](const SharedHeader &shared) {
    return isOwnStatement(shared, map, *facts.statements, files, functions.startOf(shared.part.header()));
  };
  StatementsByFrame statements(map, *facts.statements, files);
  const std::vector<Loop> loops = findInnermostLoops(target, program, 0, isOwn);
  std::vector<PlacedLoop> placed = placeLoops(loops, target, program, map, facts, files, functions, found.elsewhere);
  chooseInclusions(placed, target, program, map, facts, statements, functions);
  for (const auto &[loop, place, doubt] : placed) {
    Region base{.kind = wire::RegionKind::Loop, .name = nameInSource(functions, *loop, map, place)};
    for (const uint32_t instruction : loop->instructions)
      base.lines.push_back(lineInLoop(map, place, instruction));
    base.at = place.at;
    base.anchor = place.anchor;
    base.isCalled = place.isCalled;
    base.iterationsPerCall = facts.blocks ? runsPerCall(*facts.blocks, loop->header()) : 0;
    base.inlined = inlinedInto(*loop, map, facts.scopes);
    if (doubt)
      base.caveats.push_back(*doubt);
    if (place.firstLine)
      base.code = {map.fileName(place.file), place.firstLine, place.lastLine, place.isStatement, place.caller};
    readOwnCode(*loop, program, map, place, statements, facts.tellsDuplication, base);
    const size_t from = found.regions.size();
    addPaths(*loop, facts.probability, std::move(base), found.regions);
    numberLoops(found.regions, from, number++);
  }
}

} // namespace

Regions findSourceRegions(const mca::Target &target, const mca::Program &program, const SourceMap &map,
                          const SourceFacts &facts, RegionKinds kinds) {
  Regions found;
  std::vector<Region> &regions = found.regions;
  if (program.instructions().empty())
    return found;
  const FunctionNames functions(program);
  if (kinds.markers) {
    regions = asmMarkers(program, map);
    for (const mca::MarkerRegion &marker : facts.markers)
      for (Region &region : sourceMarker(program, map, functions, marker))
        regions.push_back(std::move(region));
  }
  uint32_t number = 0;
  for (; number < regions.size(); ++number)
    regions[number].loop = number;
  if (kinds.loops)
    addSourceLoops(target, program, map, facts, functions, number, found);
  for (Region &region : regions)
    addCaveats(target, program, /*compiled=*/true, region);
  addVectorTypes(target, program, regions);
  return found;
}

std::string nameOf(const Region &region) {
  return region.name + (region.variant.empty() ? "" : ", " + region.variant) +
         (region.path.empty() ? "" : ", " + region.path);
}

} // namespace analysis
