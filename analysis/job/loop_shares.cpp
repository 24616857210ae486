#include "analysis/job/loop_shares.h"

#include "analysis/profile/text_profile.h"

#include "llvm/Support/Path.h"

#include <cstdlib>
#include <map>
#include <optional>
#include <set>

namespace analysis {
namespace {

using Match = wire::ProfiledLoop::Match;

constexpr int64_t kFarthest = 500; // lines that a line may have moved
constexpr double kMostLost = 0.1;  // of a function's weight

double shareOf(uint64_t weight, uint64_t total) {
  return total ? static_cast<double>(weight) / static_cast<double>(total) : 0;
}

/// Observed cycles per iteration; 0 if unknown.
double cyclesOf(const Profile &profile, const TextProfile::Sum &header, uint64_t weight) {
  const auto cycles = profile.inCycles(static_cast<double>(weight));
  if (!cycles || weight == 0 || header.executions == 0 || profile.runs == 0 || profile.countedRuns == 0)
    return 0;
  const double iterations = static_cast<double>(header.executions) / profile.countedRuns;
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

private:
  std::map<uint32_t, std::vector<uint32_t>> numbers_;
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
                .cycles = cyclesOf(loaded_.profile, profile_.at(loop.header()), weight)};
    return std::nullopt;
  }

  /// The weights of a function's recorded lines where the buffer has them now; nothing if it has changed.
  std::optional<std::map<uint32_t, uint64_t>> linesOf(const TextProfile::Function &function) {
    if (!lines_)
      lines_.emplace(text_.lines);
    std::map<uint32_t, uint64_t> weights;
    uint64_t found = 0;
    for (const ProfiledFunction *recorded : function.recorded)
      if (llvm::sys::path::filename(recorded->source) == llvm::sys::path::filename(text_.path))
        for (const ProfiledLine &line : recorded->lines)
          if (const uint32_t number = lines_->find(line)) {
            weights[number] += line.weight;
            found += line.weight;
          }
    if (static_cast<double>(found) < (1 - kMostLost) * static_cast<double>(function.weight) || found == 0)
      return std::nullopt;
    return weights;
  }

  void addByLines(const TextProfile::Function &function, const std::vector<size_t> &regions) {
    if (!text_.isSource)
      return;
    const auto weights = linesOf(function);
    if (!weights)
      return;
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
    for (const auto &[line, weight] : *weights)
      if (const auto found = hints.find(line); found != hints.end() && found->second.size() == 1)
        byHint[*found->second.begin()] += weight;
    for (const size_t i : regions) {
      wire::Region &region = results_[i];
      region.profiled.match = Match::ByLines;
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
