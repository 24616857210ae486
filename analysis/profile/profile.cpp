#include "analysis/profile/profile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace analysis {
namespace {

constexpr double kClockTolerance = 0.05; // of measured ones

/// Whether two functions have the same code at the same place, so that their offsets mean the same.
bool isSame(const ProfiledFunction &a, const ProfiledFunction &b) {
  return a.program == b.program && a.address == b.address && a.name == b.name && a.code == b.code;
}

/// Neither is larger than Profile::kMaxWeight, and nor is the sum.
uint64_t addCounts(uint64_t a, uint64_t b) {
  return std::min(a + b, Profile::kMaxWeight);
}

void addPlaces(ProfiledFunction &into, const ProfiledFunction &from) {
  ProfiledFunction sum;
  for (size_t ours = 0, theirs = 0; ours < into.places.size() || theirs < from.places.size();) {
    const uint64_t nextOfOurs = ours < into.places.size() ? into.places[ours].offset : UINT64_MAX;
    const uint64_t nextOfTheirs = theirs < from.places.size() ? from.places[theirs].offset : UINT64_MAX;
    ProfiledPlace place = {.offset = static_cast<uint32_t>(std::min(nextOfOurs, nextOfTheirs))};
    uint64_t executions = 0;
    if (nextOfOurs <= nextOfTheirs) {
      place.weight = into.places[ours].weight;
      executions = into.executionsOf(ours++);
    }
    if (nextOfTheirs <= nextOfOurs) {
      place.weight += from.places[theirs].weight;
      executions = addCounts(executions, from.executionsOf(theirs++));
    }
    sum.addPlace(place, executions);
  }
  into.places = std::move(sum.places);
  into.executions = std::move(sum.executions);
}

void addLines(std::vector<ProfiledLine> &into, const std::vector<ProfiledLine> &from) {
  std::vector<ProfiledLine> all;
  std::ranges::merge(into, from, std::back_inserter(all), {}, &ProfiledLine::line, &ProfiledLine::line);
  into.clear();
  for (const ProfiledLine &line : all)
    if (!into.empty() && into.back().line == line.line) {
      into.back().weight += line.weight;
      into.back().iterations = addCounts(into.back().iterations, line.iterations);
      into.back().ends = addCounts(into.back().ends, line.ends);
    } else {
      into.push_back(line);
    }
}

/// Of the sum of two times in nanoseconds: the one by which it has as many cycles as the two have.
uint64_t meanClock(const Profile &a, const Profile &b) {
  const double weightOfA = static_cast<double>(a.total()), weightOfB = static_cast<double>(b.total());
  const double cycles = static_cast<double>(a.hertz) * weightOfA + static_cast<double>(b.hertz) * weightOfB;
  return weightOfA + weightOfB > 0 ? static_cast<uint64_t>(std::llround(cycles / (weightOfA + weightOfB))) : a.hertz;
}

void dropWeights(Profile &profile) {
  for (ProfiledFunction &function : profile.functions)
    for (ProfiledPlace &place : function.places)
      place.weight = 0;
  for (ProfiledFunction &function : profile.functions) {
    std::erase_if(function.lines, [](const ProfiledLine &line) { return line.iterations == 0; });
    for (ProfiledLine &line : function.lines)
      line.weight = 0;
  }
  profile.rest.clear();
  profile.samples = profile.runs = 0;
}

void addTo(ProfiledFunction &into, const ProfiledFunction &from) {
  addPlaces(into, from);
  if (into.source == ProfiledFunction::kNoSource)
    into.source = from.source;
  addLines(into.lines, from.lines);
}

void addRest(std::vector<UnattributedWeight> &into, const UnattributedWeight &weight) {
  const auto same = llvm::find_if(
      into, [&](const UnattributedWeight &one) { return one.kind == weight.kind && one.module == weight.module; });
  if (same == into.end())
    into.push_back(weight);
  else
    same->weight += weight.weight;
}

} // namespace

uint32_t digestOf(std::string_view line) {
  return static_cast<uint32_t>(llvm::xxh3_64bits(llvm::StringRef(line).trim())) | 1;
}

std::string_view nameOf(ProfileUnit unit) {
  switch (unit) {
  case ProfileUnit::Instructions:
    return "instructions";
  case ProfileUnit::Events:
    return "events";
  case ProfileUnit::Nanoseconds:
    return "ns";
  case ProfileUnit::Cycles:
    break;
  }
  return "cycles";
}

void ProfiledFunction::addPlace(const ProfiledPlace &place, uint64_t placeExecutions) {
  if (placeExecutions != 0)
    executions.resize(places.size());
  if (placeExecutions != 0 || !executions.empty())
    executions.push_back(placeExecutions);
  places.push_back(place);
}

uint64_t ProfiledFunction::weight() const {
  uint64_t sum = 0;
  for (const ProfiledPlace &place : places)
    sum += place.weight;
  return sum;
}

uint64_t Profile::total() const {
  uint64_t sum = 0;
  for (const ProfiledFunction &function : functions)
    sum += function.weight();
  for (const UnattributedWeight &one : rest)
    sum += one.weight;
  return sum;
}

std::optional<double> Profile::inCycles(double weight) const {
  if (unit == ProfileUnit::Cycles)
    return weight;
  if (unit == ProfileUnit::Nanoseconds && hertz != 0)
    return weight * 1e-9 * static_cast<double>(hertz);
  return std::nullopt;
}

uint32_t SourcePaths::indexOf(std::string_view path) {
  if (path.empty())
    return ProfiledFunction::kNoSource;
  const auto [known, isNew] = indices_.try_emplace(path, static_cast<uint32_t>(paths_.size()));
  if (isNew)
    paths_.emplace_back(path);
  return known->second;
}

std::string merge(Profile &into, Profile from) {
  const bool addsTime = into.runs != 0 && from.runs != 0;
  if (addsTime && into.unit == from.unit && into.event != from.event)
    return "one profile counts " + into.event + ", the other " + from.event;
  const bool haveClocks = addsTime && into.unit == from.unit && into.hertz != 0 && from.hertz != 0;
  const auto [slow, fast] = std::minmax(into.hertz, from.hertz);
  if (haveClocks && static_cast<double>(fast) > (1 + kClockTolerance) * static_cast<double>(slow))
    return "the clocks of the two profiles differ by more than 5 %";
  if (into.total() > Profile::kMaxWeight - from.total())
    return "the profiles' counts are too large to add";
  const bool keepsOurs = from.runs == 0 || (into.runs != 0 && into.unit > from.unit);
  if (keepsOurs)
    dropWeights(from);
  if (!keepsOurs && into.unit != from.unit)
    dropWeights(into);
  if (into.runs == 0) {
    into.event = from.event;
    into.unit = from.unit;
  }
  into.hertz = haveClocks ? meanClock(into, from) : into.hertz ? into.hertz : from.hertz;
  into.samples += from.samples;
  into.runs += from.runs;
  into.countedRuns += from.countedRuns;
  std::vector<uint32_t> programs;
  for (const ProfiledProgram &program : from.programs) {
    const auto same = llvm::find(into.programs, program);
    programs.push_back(static_cast<uint32_t>(same - into.programs.begin()));
    if (same == into.programs.end())
      into.programs.push_back(program);
  }
  SourcePaths sources(into.sources);
  std::vector<uint32_t> newSources;
  for (const std::string &source : from.sources)
    newSources.push_back(sources.indexOf(source));
  std::multimap<uint64_t, size_t> byAddress;
  for (size_t i = 0; i < into.functions.size(); ++i)
    byAddress.emplace(into.functions[i].address, i);
  for (ProfiledFunction &function : from.functions) {
    function.program = programs[function.program];
    if (function.source != ProfiledFunction::kNoSource)
      function.source = newSources[function.source];
    const auto [begin, end] = byAddress.equal_range(function.address);
    const auto same =
        std::find_if(begin, end, [&](const auto &entry) { return isSame(into.functions[entry.second], function); });
    if (same == end)
      into.functions.push_back(std::move(function));
    else
      addTo(into.functions[same->second], function);
  }
  for (const UnattributedWeight &one : from.rest)
    addRest(into.rest, one);
  return {};
}

} // namespace analysis
