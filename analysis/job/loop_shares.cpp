#include "analysis/job/loop_shares.h"

#include "analysis/compile/command_source.h"
#include "analysis/profile/text_profile.h"
#include "analysis/regions/induction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

namespace analysis {
namespace {

using Match = wire::ProfiledLoop::Match;

constexpr int64_t kFarthest = 500;  // lines that a line may have moved
constexpr double kMostLost = 0.1;   // of a function's weight
constexpr double kMostPenalty = 32; // cycles of a misprediction: the Pentium 4's 31 are the most of any CPU

double shareOf(uint64_t weight, uint64_t total) {
  return total ? static_cast<double>(weight) / static_cast<double>(total) : 0;
}

/// Observed cycles per iteration; 0 if unknown.
double cyclesOf(const Profile &profile, uint64_t executions, uint64_t weight) {
  const auto cycles = profile.inCycles(static_cast<double>(weight));
  if (!cycles || weight == 0 || executions == 0 || profile.runs == 0 || profile.countedRuns == 0)
    return 0;
  const double iterations = static_cast<double>(executions) / profile.countedRuns;
  return *cycles / profile.runs / iterations;
}

/// The lines of a buffer by what identifies their text.
class LinesByText {
public:
  explicit LinesByText(const TextLines &lines) {
    for (uint32_t i = 0; i < lines.count(); ++i)
      numbers_[digestOf(lines.lineText(i))].push_back(i + 1);
  }
  /// The nearest line with the text of a recorded one; 0 if there is none.
  uint32_t find(const ProfiledLine &recorded) const {
    const auto same = numbers_.find(recorded.digest);
    uint32_t nearest = 0;
    int64_t least = kFarthest + 1;
    if (recorded.digest != 0 && same != numbers_.end())
      for (const uint32_t number : same->second)
        if (const int64_t distance = std::abs(int64_t{number} - recorded.line); distance < least) {
          least = distance;
          nearest = number;
        }
    return nearest;
  }
  /// Whether a recorded line still has its number.
  bool isAt(const ProfiledLine &recorded) const {
    const auto same = numbers_.find(recorded.digest);
    return recorded.digest != 0 && same != numbers_.end() && std::ranges::binary_search(same->second, recorded.line);
  }
  /// The only line with the text of a recorded one; 0 if there is none, or several.
  uint32_t findOnly(const ProfiledLine &recorded) const {
    const auto same = numbers_.find(recorded.digest);
    return recorded.digest != 0 && same != numbers_.end() && same->second.size() == 1 ? same->second.front() : 0;
  }

private:
  std::map<uint32_t, std::vector<uint32_t>> numbers_; ///< ascending
};

class Shares {
public:
  Shares(const LoadedProfile &loaded, const ProfiledText &text, std::span<wire::Region> results)
      : loaded_(loaded), text_(text), results_(results), profile_(loaded.profile, text.code.branches) {}

  wire::ProfileSummary add() {
    const Profile &profile = loaded_.profile;
    wire::ProfileSummary summary{.file = loaded_.path,
                                 .event = profile.event,
                                 .isTime =
                                     profile.unit == ProfileUnit::Cycles || profile.unit == ProfileUnit::Nanoseconds,
                                 .samples = profile.samples};
    for (uint32_t i = 0; i < text_.code.branches.functions().size(); ++i)
      if (const auto *function = profile_.function(i)) {
        summary.hasCode = true;
        summary.inText += function->difference.empty() ? shareOf(function->weight, loaded_.total) : 0;
      }
    std::map<uint32_t, std::vector<size_t>> changed; // regions by function
    for (size_t i = 0; i < text_.regions.size(); ++i)
      if (text_.regions[i].region->body)
        if (const auto function = addLoop(i))
          changed[*function].push_back(i);
    for (const auto &[function, regions] : changed)
      addByLines(*profile_.function(function), regions);
    addCyclesOfSource();
    for (size_t i = 0; i < text_.regions.size(); ++i)
      if (results_[i].profiled.cycles > 0)
        results_[i].profiled.serialCycles = serialCyclesOf(i);
    return summary;
  }

private:
  const mca::Loop &loopOf(size_t region) const { return text_.regions[region].region->body->loop; }

  /// Returns the loop's function if that is not what was recorded.
  std::optional<uint32_t> addLoop(size_t region) {
    const mca::Loop &loop = loopOf(region);
    const uint32_t index = text_.code.branches.functionOf(loop.header());
    const auto *const function = profile_.function(index);
    if (!function)
      return std::nullopt;
    wire::ProfiledLoop &profiled = results_[region].profiled;
    if (!function->difference.empty()) {
      profiled = {.match = Match::Changed,
                  .share = shareOf(function->weight, loaded_.total),
                  .difference = function->difference};
      return index;
    }
    const uint64_t weight = profile_.weightOf(loop.instructions);
    profiled = {.match = Match::Exact,
                .share = shareOf(weight, loaded_.total),
                .cycles = cyclesOf(loaded_.profile, profile_.at(loop.header()).executions, weight)};
    return std::nullopt;
  }

  struct SourceCounts {
    uint64_t iterations = 0, ends = 0; ///< as in ProfiledLine
  };
  /// Those of the buffer's loops in their source, by line. Many loops have the same text: once lines have moved, only
  /// those count whose text there is once.
  std::map<uint32_t, SourceCounts> sourceCounts() {
    std::map<uint32_t, SourceCounts> counts;
    // Other files have copies of a header's functions, whose time is not this text's.
    if (!text_.isSource || isHeader(text_.path) || loaded_.profile.countedRuns == 0)
      return counts;
    std::map<llvm::StringRef, std::vector<const ProfiledLine *>> bySource;
    for (const ProfiledFunction &function : loaded_.profile.functions)
      if (llvm::sys::path::filename(loaded_.profile.sourceOf(function)) == llvm::sys::path::filename(text_.path))
        for (const ProfiledLine &line : function.lines)
          if (line.iterations)
            bySource[loaded_.profile.sourceOf(function)].push_back(&line);
    for (const auto &[source, counted] : bySource) {
      const bool isUnmoved = llvm::all_of(counted, [&](const ProfiledLine *line) { return lines().isAt(*line); });
      for (const ProfiledLine *line : counted)
        if (const uint32_t number = isUnmoved ? line->line : lines().findOnly(*line)) {
          SourceCounts &sum = counts[number];
          sum.iterations = llvm::SaturatingAdd(sum.iterations, line->iterations);
          sum.ends = llvm::SaturatingAdd(sum.ends, line->ends);
        }
    }
    return counts;
  }

  /// Sets the cycles of the loops whose iterations were counted in the source. All that the compiler made of a loop,
  /// its versions and copies in other functions, has the iterations together.
  void addCyclesOfSource() {
    const std::map<uint32_t, SourceCounts> counted = sourceCounts();
    if (counted.empty())
      return;
    std::map<uint32_t, std::vector<size_t>> regions; // by line
    for (size_t i = 0; i < text_.regions.size(); ++i)
      if (text_.regions[i].region->body)
        regions[text_.lines.lineOf(results_[i].anchor) + 1].push_back(i);
    for (const auto &[line, counts] : counted) {
      uint64_t weight = 0;
      std::set<uint32_t> loops; // several paths go through one
      bool isKnown = true;
      for (const size_t i : regions[line]) {
        isKnown &= results_[i].profiled.match == Match::Exact || results_[i].profiled.match == Match::None;
        if (loops.insert(results_[i].loop).second)
          weight += profile_.weightOf(loopOf(i).instructions);
      }
      const double cycles = isKnown ? cyclesOf(loaded_.profile, counts.iterations, weight) : 0;
      for (const size_t i : regions[line])
        if (wire::ProfiledLoop &profiled = results_[i].profiled;
            profiled.match == Match::Exact && profiled.cycles == 0) {
          profiled.cycles = cycles * results_[i].sourceIterations;
          profiled.bytesPerRun = bytesPerRun(i, counts);
        }
    }
  }

  /// As in wire::ProfiledLoop. A loop that ends in other ways, too, runs more often than its condition says.
  double bytesPerRun(size_t region, const SourceCounts &counts) const {
    const mca::Loop &loop = loopOf(region);
    const Advance advance = advanceOf(text_.code.target(), text_.code.program(), loop.instructions);
    const double perIteration = results_[region].sourceIterations; // of the machine code
    if (!advance.ofMemory || counts.ends == 0 || perIteration == 0 || exitsOf(loop) != 1)
      return 0;
    return static_cast<double>(advance.distance) * static_cast<double>(counts.iterations) /
           static_cast<double>(counts.ends) / perIteration;
  }

  /// The ways out of a loop.
  size_t exitsOf(const mca::Loop &loop) const {
    const mca::CodeBlocks &blocks = text_.code.blocks;
    const std::set<uint32_t> inside(loop.instructions.begin(), loop.instructions.end());
    size_t exits = 0;
    for (const mca::LoopBlock &block : loop.blocks)
      for (const uint32_t next : blocks.at(blocks.blockOf(loop.instructions[block.end - 1])).successors)
        exits += !inside.contains(blocks.at(next).instructions.front());
    return exits;
  }

  double serialCyclesOf(size_t region) const {
    double cycles = kMostPenalty * static_cast<double>(loopOf(region).blocks.size());
    for (const mca::InstructionInfo &instruction : text_.regions[region].report().instructions) {
      if (instruction.isCall)
        return 0;
      cycles += instruction.effectiveLatency;
    }
    return cycles;
  }

  const LinesByText &lines() {
    if (!lines_)
      lines_.emplace(text_.lines);
    return *lines_;
  }

  struct LineWeights {
    std::map<uint32_t, uint64_t> byLine; ///< of the buffer
    uint64_t found = 0, edited = 0;      ///< of recorded lines whose text is there, and is not there any more
  };

  /// The weights of a function's recorded lines where the buffer has them now. An edited line is where it would be if
  /// it had moved as its nearest neighbour that is not edited has.
  LineWeights linesOf(const TextProfile::Function &function) {
    LineWeights weights;
    for (const ProfiledFunction *recorded : function.recorded) {
      if (llvm::sys::path::filename(loaded_.profile.sourceOf(*recorded)) != llvm::sys::path::filename(text_.path))
        continue;
      std::map<int64_t, int64_t> moved; // by recorded line
      std::vector<const ProfiledLine *> edited;
      for (const ProfiledLine &line : recorded->lines)
        if (const uint32_t number = lines().find(line)) {
          weights.byLine[number] += line.weight;
          weights.found += line.weight;
          moved[line.line] = int64_t{number} - line.line;
        } else {
          edited.push_back(&line);
          weights.edited += line.weight;
        }
      for (const ProfiledLine *line : edited)
        if (const int64_t number = line->line + nearestTo(line->line, moved); !moved.empty() && number > 0)
          weights.byLine[static_cast<uint32_t>(number)] += line->weight;
    }
    return weights;
  }

  /// The value of the nearest key, of two the lower one's; 0 if there is none.
  static int64_t nearestTo(int64_t key, const std::map<int64_t, int64_t> &values) {
    const auto after = values.lower_bound(key);
    if (after == values.begin())
      return after == values.end() ? 0 : after->second;
    const auto before = std::prev(after);
    return after == values.end() || key - before->first <= after->first - key ? before->second : after->second;
  }

  void addByLines(const TextProfile::Function &function, const std::vector<size_t> &regions) {
    if (!text_.isSource)
      return;
    const LineWeights weights = linesOf(function);
    const double least = (1 - kMostLost) * static_cast<double>(function.weight);
    if (weights.byLine.empty() || static_cast<double>(weights.found + weights.edited) < least)
      return;
    const bool isEdited = static_cast<double>(weights.found) < least;
    // The versions of a source loop have one hint: a line's weight counts for the first of them.
    std::map<uint32_t, std::set<uint32_t>> hints; // by line
    std::map<uint32_t, uint32_t> firstLoop;       // by hint
    for (const size_t i : regions) {
      const wire::Region &region = results_[i];
      const auto [first, isNew] = firstLoop.try_emplace(region.anchor, region.loop);
      if (!isNew && region.rank == 0)
        first->second = region.loop;
      for (const uint32_t line : text_.regions[i].region->body->lines)
        if (line)
          hints[line].insert(region.anchor);
    }
    std::map<uint32_t, uint64_t> byHint;
    for (const auto &[line, weight] : weights.byLine)
      if (const auto found = hints.find(line); found != hints.end() && found->second.size() == 1)
        byHint[*found->second.begin()] += weight;
    for (const size_t i : regions) {
      wire::Region &region = results_[i];
      if (isEdited && byHint[region.anchor] == 0)
        continue; // it may be new
      region.profiled.match = isEdited ? Match::Edited : Match::ByLines;
      region.profiled.share =
          firstLoop[region.anchor] == region.loop ? shareOf(byHint[region.anchor], loaded_.total) : 0;
    }
  }

  const LoadedProfile &loaded_;
  const ProfiledText &text_;
  const std::span<wire::Region> results_;
  const TextProfile profile_;
  std::optional<LinesByText> lines_; ///< of the buffer; made when they are needed
};

} // namespace

wire::ProfileSummary addShares(const LoadedProfile &loaded, const ProfiledText &text, std::span<wire::Region> results) {
  return Shares(loaded, text, results).add();
}

} // namespace analysis
