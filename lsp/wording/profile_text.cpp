// A reason for cycles that the prediction does not have is named only if it is known as data: a trace's mispredictions,
// the functions that are called, the cycles with another assumption about memory. That the loop waits for memory needs
// evidence: a run of it goes through more bytes than a first cache has, or the time is more than the core can take even
// if it does one thing after the other. Without it, cache misses come last, as a possibility, and only for loops that
// load.
#include "lsp/wording/profile_text.h"

#include "lsp/wording/region_text.h"
#include "lsp/wording/verdict_text.h"

#include <algorithm>
#include <cmath>

namespace lsp::wording {
namespace {

using Kind = Block::Kind;
using Match = wire::ProfiledLoop::Match;

constexpr double kExplained = 0.25; // of the prediction: a larger difference is explained
constexpr size_t kMostLoops = 8;
/// The largest first cache for data of any CPU that LLVM has a model of (Apple's M1 and later), in bytes.
constexpr double kLargestFirstCache = 128 << 10;

/// "of the program's time (cpu-clock)".
std::string wholeInWords(const wire::ProfileSummary &profile) {
  return (profile.isTime ? "of the program's time (" : "of what was counted (") + profile.event + ")";
}

const wire::ProfiledLoop &profiledOf(const ShownLoop &loop) {
  return loop.front()->region.profiled;
}

bool isKnown(const wire::ProfiledLoop &loop) {
  return loop.match != Match::None && loop.match != Match::Changed;
}

/// A number of machine cycles in the unit of the hint: "9.6 cycles per iteration".
std::string cyclesOfMachineCode(double cycles, const ShownLoop &loop) {
  return cyclesInWords({.leastCycles = cycles,
                        .mostCycles = cycles,
                        .sourceIterations = loop.front()->region.sourceIterations,
                        .calls = {}});
}

bool exceedsFirstCache(const wire::ProfiledLoop &profiled) {
  return profiled.bytesPerRun > kLargestFirstCache;
}

bool exceedsCore(const wire::ProfiledLoop &profiled) {
  return profiled.serialCycles > 0 && profiled.cycles > profiled.serialCycles;
}

/// "1.5 GiB", "200 KiB".
std::string bytesInWords(double bytes) {
  constexpr double kStep = 1024;
  double value = bytes / kStep;
  const char *unit = " KiB";
  for (const char *larger : {" MiB", " GiB", " TiB"})
    if (value >= kStep) {
      value /= kStep;
      unit = larger;
    }
  return decimals(value, value < 10 ? 1 : 0) + unit;
}

void addMemory(RichText &text, const ShownLoop &loop) {
  const AnalysedRegion &first = *loop.front();
  const wire::ProfiledLoop &profiled = first.region.profiled;
  if (exceedsFirstCache(profiled))
    add(text, Kind::Item,
        "outside of the core: loads and stores miss the first cache, as a run of the loop goes through " +
            bytesInWords(profiled.bytesPerRun));
  else if (exceedsCore(profiled))
    add(text, Kind::Item,
        "outside of the core: loads that miss caches, as the core takes at most " +
            cyclesOfMachineCode(profiled.serialCycles, loop) +
            ", if each instruction waits for the one before and each branch is mispredicted");
  else if (std::ranges::any_of(first.simulation->body, &wire::InstructionDetails::loads))
    add(text, Kind::Item, "loads that miss the first cache, if there are any: the prediction has none of them");
}

void addReasons(RichText &text, const ShownLoop &loop) {
  const AnalysedRegion &first = *loop.front();
  const LoopNumbers numbers = numbersOf(loop);
  if (!numbers.calls.empty())
    add(text, Kind::Item,
        "it " + lowerBoundInWords(numbers.calls, {}) +
            "; nor are they in the share, which is that of the loop's own code");
  if (const wire::ControlFlow *flow = flowOf(loop); flow && !numbers.traced && flow->cycles > numbers.leastCycles)
    add(text, Kind::Item,
        "branches that depend on data: up to " + cyclesOfMachineCode(flow->cycles, loop) +
            " if none of them can be predicted; record a trace to know (`mca-lsp --record-trace`)");
  if (first.simulation->orderedCycles > (1 + kExplained) * first.simulation->cyclesPerIteration)
    add(text, Kind::Item,
        "loads that wait for the stores before them: " + cyclesOfMachineCode(first.simulation->orderedCycles, loop) +
            " if each does");
  addMemory(text, loop);
}

/// The cycles in the program beside the prediction.
void addObserved(RichText &text, const ShownLoop &loop) {
  const double observed = profiledOf(loop).cycles;
  if (observed <= 0)
    return;
  const LoopNumbers numbers = numbersOf(loop);
  const std::string taken = "In the program it took " + cyclesOfMachineCode(observed, loop);
  if (observed <= (1 + kExplained) * numbers.mostCycles)
    return add(text, Kind::Paragraph, taken + ".");
  add(text, Kind::Paragraph,
      taken + ", " + decimals(observed / std::max(numbers.mostCycles, 1e-9), 1) +
          " times the prediction. What is not in the prediction:");
  addReasons(text, loop);
}

void addChanged(RichText &text, const ShownLoop &loop, const wire::ProfileSummary &profile) {
  add(text, Kind::Paragraph,
      "Its function took " + shareInWords(profiledOf(loop).share) + " " + wholeInWords(profile) +
          ", but its code is not what was recorded: " + profiledOf(loop).difference +
          ". Build and record the program again to know the loop's share.");
}

} // namespace

bool isOutsideOfCore(const AnalysedRegion &region) {
  const wire::ProfiledLoop &profiled = region.region.profiled;
  return profiled.cycles > (1 + kExplained) * region.simulation->cyclesPerIteration &&
         (exceedsFirstCache(profiled) || exceedsCore(profiled));
}

double shareOfLine(const LoopsOfLine &onLine) {
  double share = -1;
  for (const ShownLoop &loop : onLine)
    if (isKnown(profiledOf(loop)))
      share = std::max(share, 0.0) + profiledOf(loop).share;
  return share;
}

std::string shareInWords(double share) {
  constexpr double kTen = 0.0995; // more would be rounded to it
  if (share > 0 && share < 0.0005)
    return "< 0.1 %";
  return decimals(share * 100, share < kTen ? 1 : 0) + " %";
}

bool isShareOfLines(const LoopsOfLine &onLine) {
  return std::ranges::any_of(onLine, [](const ShownLoop &loop) {
    return profiledOf(loop).match == Match::ByLines || profiledOf(loop).match == Match::Edited;
  });
}

std::string shareLabel(const LoopsOfLine &onLine) {
  const double share = shareOfLine(onLine);
  return share < 0 ? "" : (isShareOfLines(onLine) ? "≈ " : "") + shareInWords(share) + " · ";
}

bool isBelowShare(const LoopsOfLine &onLine, const wire::ProfileSummary &profile, uint32_t permille) {
  if (!profile.hasCode)
    return false;
  double share = 0;
  for (const ShownLoop &loop : onLine) {
    const AnalysedRegion &first = *loop.front();
    if (first.region.kind != wire::RegionKind::Loop && first.region.kind != wire::RegionKind::Path)
      return false; // a marked region is wanted
    share += first.region.profiled.share;
  }
  return share * 1000 < permille;
}

void addProfiled(RichText &text, const LoopsOfLine &onLine, const wire::ProfileSummary &profile) {
  const ShownLoop &first = onLine.front();
  if (profile.file.empty() || !profile.hasCode)
    return;
  if (profiledOf(first).match == Match::Changed)
    return addChanged(text, first, profile);
  const double share = shareOfLine(onLine);
  if (share < 0)
    return add(text, Kind::Paragraph, "The profile has no sample in the loop's function.");
  add(text, Kind::Paragraph,
      (isShareOfLines(onLine) ? "≈ " : "") + shareInWords(share) + " " + wholeInWords(profile) +
          (onLine.size() > 1 ? " in the loops of this line:" : "."));
  for (size_t i = 0; onLine.size() > 1 && i < std::min(onLine.size(), kMostLoops); ++i)
    if (isKnown(profiledOf(onLine[i])))
      add(text, Kind::Item, shareInWords(profiledOf(onLine[i]).share) + " in " + titleOf(*onLine[i].front()));
  if (profiledOf(first).match == Match::Edited)
    add(text, Kind::Item,
        "recorded before the function was edited: " + profiledOf(first).difference +
            ". Build and record the program again to know its share now.");
  else if (isShareOfLines(onLine))
    add(text, Kind::Item,
        "by the lines of the source, as the machine code is not what was recorded: " + profiledOf(first).difference);
  addObserved(text, first);
}

std::vector<HotLine> hotLines(const Analysis &analysis, const Text &text) {
  std::vector<HotLine> lines;
  for (const auto &[line, onLine] : loopsByLine(analysis, text, 0, text.lineCount() - 1)) {
    const double share = shareOfLine(onLine);
    if (share <= 0)
      continue;
    const ShownLoop loop = shownPaths(onLine.front());
    lines.push_back({.share = share,
                     .path = "",
                     .line = line,
                     .name = titleOf(*loop.front()),
                     .label = labelOf(loop),
                     .limit = bottleneckOf(*loop.front())});
  }
  return lines;
}

std::string hotLinesText(const std::vector<HotLine> &lines) {
  constexpr long kColumns = 20; // of the whole
  if (lines.empty())
    return "No open document has a loop of which a profile has samples. The setting mca.profile names the file.\n";
  std::string text;
  for (const HotLine &one : lines) {
    const long full = std::clamp(std::lround(one.share * kColumns), 0L, kColumns);
    std::string bar;
    for (long column = 0; column < kColumns; ++column)
      bar += column < full ? "█" : " ";
    text += rightAligned(shareInWords(one.share), 6) + "  " + bar + "  " + one.path + ":" +
            std::to_string(one.line + 1) + ": " + one.name + ": " + one.label +
            (one.limit.empty() ? "" : "; " + one.limit) + "\n";
  }
  return text;
}

} // namespace lsp::wording
