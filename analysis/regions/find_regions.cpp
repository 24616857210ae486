// The steps from a program to its regions. What a marker, a path or a place is, the other files of this folder decide.
//
// Regions come in this order: markers, then loops by their headers, the paths of each loop together. Region::loop
// counts them, so that consecutive regions of one number are one loop.
#include "analysis/regions/call_graph.h"
#include "analysis/regions/caveats.h"
#include "analysis/regions/duplication.h"
#include "analysis/regions/function_names.h"
#include "analysis/regions/loop_place.h"
#include "analysis/regions/make_region.h"
#include "analysis/regions/marker_regions.h"
#include "analysis/regions/outer_copies.h"
#include "analysis/regions/region.h"
#include "analysis/regions/region_limits.h"
#include "analysis/regions/repeated_includes.h"
#include "analysis/regions/snippets.h"
#include "analysis/regions/unread_lines.h"
#include "analysis/regions/vanished_loops.h"
#include "analysis/regions/vector_type.h"
#include "analysis/source_map/inline_scopes.h"
#include "analysis/text/counts.h"
#include "mca-core/program/loops.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace analysis {
namespace {

/// Paths through one loop that are simulated.
constexpr size_t kMaxPaths = 8;
/// Lines of the buffer at which the loop of one called function stands.
constexpr size_t kMaxCallingLines = 16;
/// Lines that the name of a path lists.
constexpr size_t kMaxNamedLines = 4;

/// Of assembly that somebody wrote: no compiler expects anything of its branches.
constexpr auto kNoProbabilities = [](uint32_t, uint32_t) -> std::optional<double> { return std::nullopt; };

// ---- paths ---------------------------------------------------------------------------------------------------------

/// "line 7", "lines 7, 9 and 3 more".
std::string listed(const std::vector<uint32_t> &lines) {
  std::string text = lines.size() == 1 ? "line " : "lines ";
  for (size_t i = 0; i < std::min(lines.size(), kMaxNamedLines); ++i)
    text += (i ? ", " : "") + std::to_string(lines[i]);
  return text + andMore(lines.size(), kMaxNamedLines);
}

/// Names each path by the lines that not all of them go through: those that it goes through, or if there are none, all
/// that it does not.
void namePaths(std::vector<Region> &paths) {
  std::vector<std::set<uint32_t>> lines;
  std::map<uint32_t, size_t> pathsThrough; // by line
  for (const Region &path : paths) {
    lines.emplace_back(path.lines.begin(), path.lines.end()).erase(0);
    for (const uint32_t line : lines.back())
      ++pathsThrough[line];
  }
  std::vector<uint32_t> telling;
  for (const auto &[line, count] : pathsThrough)
    if (count < paths.size())
      telling.push_back(line);
  std::map<std::string, size_t> named, counted;
  for (auto &&[path, through] : llvm::zip(paths, lines)) {
    std::vector<uint32_t> own;
    std::ranges::set_intersection(telling, through, std::back_inserter(own));
    path.path = !own.empty() ? "through " + listed(own) : telling.empty() ? "path" : "not through " + listed(telling);
    ++named[path.path];
  }
  for (Region &path : paths)
    if (const size_t alike = named[path.path]; alike > 1) {
      const std::string number = std::to_string(++counted[path.path]) + " of " + std::to_string(alike);
      path.path += telling.empty() ? " " + number : " (" + number + ")";
    }
}

/// One region for each path through the loop. `base` is what they share; its instructions and lines are the loop's, in
/// layout order.
void addPaths(const mca::Loop &loop, const BranchProbability &probability, Region base, std::vector<Region> &regions) {
  LoopPaths found = findLoopPaths(loop, probability, kMaxPaths);
  base.loop = nextNumber(regions);
  base.body = std::make_shared<const LoopCode>(loop, base.lines);
  if (found.paths.empty()) {
    base.severalPaths = true;
    regions.push_back(std::move(base));
    return;
  }
  if (found.hasOtherWays)
    base.caveats.push_back({.kind = wire::Caveat::Kind::SeveralEntries});
  if (!found.complete)
    base.caveats.push_back({.kind = wire::Caveat::Kind::MorePaths, .count = static_cast<uint32_t>(found.paths.size())});
  llvm::DenseMap<uint32_t, uint32_t> lineOf;
  for (size_t i = 0; i < loop.instructions.size(); ++i)
    lineOf[loop.instructions[i]] = base.lines[i];
  std::vector<Region> paths;
  for (LoopPath &path : found.paths) {
    Region &region = paths.emplace_back(base);
    region.instructions = std::move(path.instructions);
    region.lines.clear();
    for (const uint32_t index : region.instructions)
      region.lines.push_back(lineOf[index]);
    if (found.paths.size() > 1) {
      region.kind = wire::RegionKind::Path;
      region.share = path.share.value_or(-1);
    }
  }
  if (paths.size() > 1)
    namePaths(paths);
  std::ranges::move(paths, std::back_inserter(regions));
}

// ---- assembly ------------------------------------------------------------------------------------------------------

/// The label just above the loop: what a jump to it names, rather than the function's own name above that.
uint32_t labelOffset(const mca::Program &program, uint32_t header) {
  const uint32_t offset = program.instructions()[header].offset;
  const auto labels = program.labels();
  const auto after = std::ranges::upper_bound(labels, header, {}, &mca::Label::instruction);
  if (after == labels.begin() || (after - 1)->instruction != header)
    return offset;
  return std::min(offset, (after - 1)->offset);
}

/// Finds the file whose report has an assembly's instructions, if that is not the buffer: the innermost file around all
/// of them that has a report of its own.
class OtherReports {
public:
  OtherReports(const mca::Program &program, const SourceMap &map, const AssemblyParts &parts)
      : program_(program), preprocessed_(map.preprocessed()), parts_(parts) {}

  std::optional<uint32_t> fileOf(const std::vector<uint32_t> &instructions) const {
    if (!preprocessed_ || !parts_.hasOwnReport)
      return std::nullopt;
    std::vector<uint32_t> offsets;
    for (const uint32_t index : instructions)
      offsets.push_back(program_.instructions()[index].offset);
    for (const uint32_t file : preprocessed_->filesAround(offsets))
      if (preprocessed_->isBuffer(file))
        return std::nullopt;
      else if (parts_.hasOwnReport(file))
        return file;
    return std::nullopt;
  }

private:
  const mca::Program &program_;
  const Preprocessed *preprocessed_;
  const AssemblyParts &parts_;
};

/// The marked regions by their first and last instruction: with their number, these are all of a list that ascends
/// without a gap.
class MarkedRuns {
public:
  explicit MarkedRuns(const std::vector<Region> &marked) {
    for (const Region &region : marked)
      runs_.insert(runOf(region.instructions));
  }

  /// Whether a marked region has just the loop's instructions.
  bool contain(const mca::Loop &loop) const {
    return runs_.contains(runOf(loop.instructions)) && llvm::is_sorted(loop.instructions);
  }

private:
  static std::tuple<uint32_t, uint32_t, size_t> runOf(const std::vector<uint32_t> &instructions) {
    return {instructions.front(), instructions.back(), instructions.size()};
  }

  std::set<std::tuple<uint32_t, uint32_t, size_t>> runs_;
};

void addAllCaveats(const mca::ControlFlow &code, const SourceMap &map, bool compiled, std::vector<Region> &regions) {
  addUnreadLines(code, map, compiled, regions);
  for (Region &region : regions)
    addCaveats(code.target(), code.program(), compiled, region);
  addVectorTypes(code, regions);
}

} // namespace

std::vector<LoopBody> findLoopBodies(const mca::Target &target, const mca::Program &program, uint32_t first) {
  std::vector<LoopBody> bodies;
  const mca::ControlFlow code(target, program, first);
  for (mca::Loop &loop : mca::findInnermostLoops(code)) {
    const auto entryOffsets = mca::findEntryOffsets(code, loop.header(), loop.instructions);
    LoopPaths found = findLoopPaths(loop, kNoProbabilities, kMaxPaths);
    for (LoopPath &path : found.paths)
      bodies.push_back({std::move(path.instructions), entryOffsets});
    if (found.paths.empty())
      bodies.push_back({std::move(loop.instructions), entryOffsets});
  }
  return bodies;
}

Regions findAssemblyRegions(const mca::ControlFlow &code, const SourceMap &map, RegionKinds kinds,
                            const AssemblyParts &parts) {
  const mca::Program &program = code.program();
  std::vector<Region> regions;
  std::vector<LoopElsewhere> elsewhere;
  if (program.instructions().empty())
    return {};
  const OtherReports others(program, map, parts);
  if (kinds.markers)
    regions = programMarkers(program, map, /*compiled=*/false);
  std::erase_if(regions, [&](const Region &region) { return others.fileOf(region.instructions).has_value(); });
  const MarkedRuns marked(regions);
  const FunctionNames functions(program);
  const std::vector<mca::Loop> loops =
      kinds.loops || kinds.snippets ? findInnermostLoops(code) : std::vector<mca::Loop>();
  for (const mca::Loop &loop : loops) {
    if (!kinds.loops || marked.contain(loop)) // a marker region around just this loop says it already
      continue;
    if (parts.onlyLoops && !std::ranges::binary_search(*parts.onlyLoops, loop.header()))
      continue;
    const std::string function = functions.nameAround(loop);
    if (const std::optional<uint32_t> file = others.fileOf(loop.instructions)) {
      elsewhere.push_back(
          {.file = {}, .line = 0, .function = function, .loop = loop.header(), .files = {*file}, .home = {}});
      continue;
    }
    Region base =
        regionOf(wire::RegionKind::Loop, function.empty() ? "loop" : "loop in " + function, loop.instructions, map);
    const std::optional<wire::ByteRange> range = rangeOf(base, map);
    if (!range) // made of no line of the buffer
      continue;
    base.anchor = map.inBuffer(labelOffset(program, loop.instructions.front()));
    base.at = *range;
    base.at.begin = std::min(base.at.begin, map.lines().content(map.lines().lineOf(base.anchor)).begin);
    addPaths(loop, kNoProbabilities, std::move(base), regions);
  }
  if (kinds.snippets && loops.empty() && program.markerRegions().empty() && !parts.onlyLoops) {
    regions = findSnippets(code, map);
    if (regions.size() > 1)
      std::erase_if(regions, [&](const Region &region) { return others.fileOf(region.instructions).has_value(); });
  }
  RegionsBeyond beyond = removeBeyondLimits(regions);
  addAllCaveats(code, map, /*compiled=*/false, regions);
  return {.regions = std::move(regions), .elsewhere = std::move(elsewhere), .beyond = std::move(beyond)};
}

// ---- C and C++ -----------------------------------------------------------------------------------------------------

namespace {

/// The places in other files that a loop's instructions come from, those of most instructions first.
std::vector<std::string> inlinedInto(const mca::Loop &loop, const SourceMap &map, const InlineScopes *scopes) {
  constexpr size_t kNamed = 6;
  struct Inlined {
    std::string_view function; ///< empty if unknown
    size_t instructions = 0;
  };
  llvm::MapVector<std::pair<uint32_t, uint32_t>, Inlined> found; // by file and line
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
  llvm::stable_sort(places, [](const auto &a, const auto &b) { return a.second.instructions > b.second.instructions; });
  std::vector<std::string> texts;
  for (const auto &[place, inlined] : llvm::ArrayRef(places).take_front(kNamed)) {
    const std::string line =
        llvm::sys::path::filename(map.fileName(place.first)).str() + ":" + std::to_string(place.second);
    texts.push_back((inlined.function.empty() ? line : std::string(inlined.function) + " (" + line + ")") + ", " +
                    counted(inlined.instructions, "instruction"));
  }
  if (places.size() > kNamed)
    texts.push_back("and " + std::to_string(places.size() - kNamed) + " more places");
  return texts;
}

/// Finds the regions of one program that was compiled from the buffer.
class SourceRegions {
public:
  SourceRegions(const mca::ControlFlow &code, const SourceMap &map, const SourceFacts &facts)
      : code_(code), program_(code.program()), map_(map), facts_(facts), functions_(program_),
        files_(map, facts.language) {}

  Regions find(RegionKinds kinds) {
    Regions found;
    const bool hasMarkers = kinds.markers && !facts_.markers.empty();
    if (kinds.markers)
      found.regions = programMarkers(program_, map_, /*compiled=*/true);
    if (kinds.loops || hasMarkers)
      addLoops(kinds.loops, hasMarkers, found);
    found.beyond = removeBeyondLimits(found.regions);
    addAllCaveats(code_, map_, /*compiled=*/true, found.regions);
    return found;
  }

private:
  /// Adds the regions of innermost loops and, if there are markers, of marked lines. The loops of those are found even
  /// if loops are not `wanted` themselves.
  void addLoops(bool wanted, bool hasMarkers, Regions &found) {
    const auto isOwn = [&](const mca::SharedHeader &shared) {
      return isOwnStatement(shared, sources(), functions_.startOf(shared.part.header()));
    };
    const std::vector<mca::Loop> loops = findInnermostLoops(code_, isOwn);
    std::vector<PlacedLoop> placed = placeLoops(loops, hasMarkers, found.elsewhere);
    if (!wanted)
      found.elsewhere.clear();
    else if (!facts_.onlyLoops)
      found.vanished = findVanishedLoops(code_, map_, *facts_.statements, functions_, {placed, found.elsewhere});
    chooseInclusions(placed);
    removeOuterCopies(code_, sources(), functions_, placed);
    if (hasMarkers)
      addSourceMarkers(facts_, program_, map_, functions_, placed, found);
    std::vector<uint32_t> numbers;
    for (const PlacedLoop &one : placed) {
      numbers.push_back(nextNumber(found.regions));
      addPaths(*one.loop, facts_.probability, baseOf(one, wanted), found.regions);
    }
    for (MarkedLoop &marked : found.marked)
      for (uint32_t &version : marked.versions)
        version = numbers[version];
  }

  /// What the paths through a loop share.
  Region baseOf(const PlacedLoop &one, bool wanted) {
    const auto &[loop, place, doubt, name, isWanted] = one;
    Region base;
    base.kind = wire::RegionKind::Loop;
    base.name = name + (place.lacksInner ? ", without its inner loop" : "");
    base.instructions = loop->instructions;
    for (const uint32_t instruction : loop->instructions)
      base.lines.push_back(lineInLoop(map_, place, instruction));
    base.at = place.at;
    base.anchor = place.anchor;
    base.isCalled = place.isCalled;
    base.onlyMarked = !wanted || !isWanted;
    base.iterationsPerCall = facts_.blocks ? runsPerCall(*facts_.blocks, loop->header()) : 0;
    base.inlined = inlinedInto(*loop, map_, facts_.scopes);
    if (doubt)
      base.caveats.push_back(*doubt);
    if (place.firstLine)
      base.code = {map_.fileName(place.file), place.firstLine, place.lastLine,
                   place.isStatement,         place.caller,    place.column};
    readOwnCode(*loop, program_, sources(), place, facts_.tellsDuplication, base);
    return base;
  }

  /// The places of all loops that are wanted; those without one are reported in `elsewhere`. With markers also the
  /// places of the others in the buffer: marked lines may hold them, although another file shows them.
  /// The calls of functions are searched only if a loop needs them.
  std::vector<PlacedLoop> placeLoops(const std::vector<mca::Loop> &loops, bool hasMarkers,
                                     std::vector<LoopElsewhere> &elsewhere) {
    std::vector<PlacedLoop> placed;
    const auto add = [&](const mca::Loop &loop, LoopPlace place, bool isWanted) {
      std::string name = nameOf(loop, place);
      placed.push_back({.loop = &loop, .place = std::move(place), .name = std::move(name), .isWanted = isWanted});
    };
    std::optional<CallGraph> graph;
    for (const mca::Loop &loop : loops) {
      const bool isWanted = !facts_.onlyLoops || std::ranges::binary_search(*facts_.onlyLoops, loop.header());
      if (!isWanted && !hasMarkers)
        continue;
      const uint32_t first = loop.instructions.front(), start = functions_.startOf(first);
      const uint32_t end = std::min(functions_.endOf(first), static_cast<uint32_t>(program_.instructions().size()));
      if (std::optional<LoopPlace> place = placeLoop(loop, sources(), start, end)) {
        add(loop, std::move(*place), isWanted);
        continue;
      }
      if (!isWanted)
        continue;
      std::vector<uint32_t> around = filesAround(loop, sources(), start);
      std::vector<LoopPlace> places;
      if (!facts_.hasOwnReport || llvm::none_of(around, facts_.hasOwnReport)) {
        if (!graph)
          graph.emplace(code_.target(), program_, map_, functions_);
        places = placeAtCalls(loop, graph->callsTo(first), sources(), start);
      }
      if (places.empty() || places.size() > kMaxCallingLines)
        elsewhere.push_back(placeElsewhere(loop, std::move(around)));
      else
        for (LoopPlace &place : places)
          add(loop, std::move(place), /*isWanted=*/true);
    }
    return placed;
  }

  LoopElsewhere placeElsewhere(const mca::Loop &loop, std::vector<uint32_t> files) const {
    LoopElsewhere place{.file = {}, .line = 0, .function = functions_.nameAround(loop), .loop = loop.header()};
    place.home = files.empty() ? "" : map_.fileName(files.front());
    place.files = std::move(files);
    for (const uint32_t instruction : loop.instructions)
      if (const uint32_t frame = map_.frameOf(instruction); frame != SourceMap::kNoFrame && map_.frame(frame).line) {
        place.file = map_.fileName(map_.frame(frame).file);
        place.line = map_.frame(frame).line;
        break;
      }
    return place;
  }

  /// Places each loop of a file that a function includes several times at one of the inclusions.
  void chooseInclusions(std::vector<PlacedLoop> &placed) {
    using Statement = std::tuple<int, uint32_t, uint32_t, uint32_t>; // function, file, lines
    std::map<Statement, std::vector<PlacedLoop *>> repeated;
    for (PlacedLoop &one : placed)
      if (const LoopPlace &place = one.place; place.includes.size() > 1)
        repeated[{functions_.indexOf(one.loop->header()), place.file, place.firstLine, place.lastLine}].push_back(&one);
    if (repeated.empty())
      return;
    for (const auto &[statement, loops] : repeated) {
      const std::vector<uint32_t> includes = loops.front()->place.includes;
      std::vector<IncludedLoop> included;
      for (const PlacedLoop *one : loops) {
        Region own;
        readOwnCode(*one->loop, program_, sources(), one->place, facts_.tellsDuplication, own);
        included.push_back({one->loop, own.duplication == 1});
      }
      const Inclusions inclusions = inclusionsOf(included, includes.size(), code_.blocks, functions_);
      for (size_t i = 0; i < loops.size(); ++i) {
        LoopPlace &place = loops[i]->place;
        if (!inclusions)
          loops[i]->doubt = {.kind = wire::Caveat::Kind::OtherInclusion,
                             .count = static_cast<uint32_t>(includes.size()),
                             .names = {llvm::sys::path::filename(map_.fileName(place.file)).str()}};
        place.anchor = includes[inclusions ? (*inclusions)[i] : 0];
        place.at = map_.lines().content(map_.lines().lineOf(place.anchor));
      }
    }
  }

  /// What a reader calls a loop: by the function whose code it is in, and the call it was inlined at.
  std::string nameOf(const mca::Loop &loop, const LoopPlace &place) const {
    const std::string function = functions_.nameAround(loop);
    const std::string in = function.empty() ? "" : " in " + function;
    if (place.isCalled)
      return "loop of " + withoutTemplateArguments(function) + ", called here";
    if (place.atCall)
      return "inlined loop" + in;
    if (place.caller == SourceMap::kNoFrame)
      return "loop" + in;
    // Compilers collect a file's initialisers in a function of their own, which has no place or that of the file's end.
    const uint32_t least = llvm::StringRef(function).starts_with("_GLOBAL__sub_I") ? 1 : 0;
    uint32_t outermost = place.caller;
    while (map_.frame(outermost).depth > least)
      outermost = map_.frame(outermost).caller;
    const uint32_t line = map_.frame(outermost).inBuffer.line;
    return "loop inlined into " + (function.empty() ? "its caller" : function) +
           (line ? " at line " + std::to_string(line) : "");
  }

  /// The buffer's statements are there whenever loops or marker comments are wanted.
  Sources sources() { return {map_, *facts_.statements, files_}; }

  const mca::ControlFlow &code_;
  const mca::Program &program_;
  const SourceMap &map_;
  const SourceFacts &facts_;
  const FunctionNames functions_;
  SourceFiles files_;
};

} // namespace

Regions findSourceRegions(const mca::ControlFlow &code, const SourceMap &map, const SourceFacts &facts,
                          RegionKinds kinds) {
  if (code.program().instructions().empty())
    return {};
  return SourceRegions(code, map, facts).find(kinds);
}

} // namespace analysis
