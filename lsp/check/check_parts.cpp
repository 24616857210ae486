#include "lsp/check/check_parts.h"

#include "analysis/common/counts.h"
#include "analysis/wire/finding_codes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace lsp::features {
namespace {

namespace wire = analysis::wire;
using protocol::CheckFile;
using protocol::CheckFinding;
using protocol::CheckRegion;

/// What one compile makes of one statement in one function: its vector body, its remainder, its copies.
using Instance = std::vector<const CheckRegion *>;
using InstanceKey = std::tuple<uint32_t, bool, std::string>;
using Instances = std::map<InstanceKey, Instance>;

/// The line, whether a marker is there, and the name.
InstanceKey keyOf(const CheckRegion &region) {
  return {region.line, region.kind == wire::RegionKind::Marker, region.instance};
}

bool isLoop(const CheckRegion &region) {
  return region.kind == wire::RegionKind::Loop || region.kind == wire::RegionKind::Path;
}

bool sameTarget(const CheckFile &a, const CheckFile &b) {
  return a.target.triple == b.target.triple && a.target.cpu == b.target.cpu && a.target.features == b.target.features;
}

bool sameNumbers(const CheckRegion *one, const CheckRegion *other) {
  const auto numbers = [](const CheckRegion &region) {
    const wire::Simulation &numbers = region.numbers;
    return std::tie(region.name, region.sourceIterations, region.share, numbers.instructions, numbers.iterations,
                    numbers.cycles, numbers.microOps, numbers.dispatchWidth, numbers.blockReciprocalThroughput,
                    numbers.pressure);
  };
  return numbers(*one) == numbers(*other);
}

bool sameFinding(const CheckFinding &a, const CheckFinding &b) {
  return a.at.line == b.at.line && a.at.column == b.at.column && a.code == b.code && a.message == b.message;
}

bool has(const CheckFile &file, const CheckFinding &finding) {
  return std::any_of(file.findings.begin(), file.findings.end(),
                     [&](const CheckFinding &one) { return sameFinding(one, finding); });
}

/// Findings that one compile refutes: another one has the code that is missing in the first.
bool isAbsence(const CheckFinding &finding) {
  return finding.code == wire::codes::kEmptyRegion || finding.code == wire::codes::kBudgetUnchecked;
}

/// What must not get lost because the numbers are those of another command.
bool isOfEachCommand(const CheckFinding &finding) {
  return finding.severity == wire::Severity::Error || finding.code == wire::codes::kBudgetExceeded;
}

std::string labelOf(const CheckFile &part) {
  return part.through + (part.target.command.empty() ? "" : ", the command " + part.target.command);
}

/// The compiles of one file, in the order of the run, and what is made of them.
class Parts {
public:
  /// `own`: what the run reports of the file for the file's own commands.
  Parts(std::vector<const CheckFile *> views, std::vector<const CheckFile *> own)
      : views_(std::move(views)), own_(std::move(own)), lines_(views_.size()), ranges_(views_.size()) {}

  std::vector<CheckFile> together() {
    for (const CheckFile *view : views_)
      instances_.push_back(instancesOf(*view));
    for (const CheckFile *file : own_) {
      ownInstances_.push_back(instancesOf(*file));
      for (const auto &[key, instance] : ownInstances_.back())
        addRanges(ownRanges_, instance);
    }
    for (size_t view = 0; view < views_.size(); ++view)
      for (const auto &[key, instance] : instances_[view])
        take(view, key, instance);
    for (size_t view = 0; view < views_.size(); ++view) {
      takeHints(view);
      takeFindings(view);
    }
    for (CheckFile &file : merged_)
      finish(file);
    return std::move(merged_);
  }

private:
  /// First and last lines of regions, 1-based, both included.
  using LineRanges = std::set<std::pair<uint32_t, uint32_t>>;

  static void addRanges(LineRanges &ranges, const Instance &instance) {
    for (const CheckRegion *region : instance)
      ranges.emplace(region->firstLine, region->lastLine);
  }

  static Instances instancesOf(const CheckFile &file) {
    Instances instances;
    for (const CheckRegion &region : file.regions)
      instances[keyOf(region)].push_back(&region);
    return instances;
  }

  /// The file that holds what comes from the view.
  CheckFile &fileOf(size_t view) {
    const auto known = std::find_if(merged_.begin(), merged_.end(),
                                    [&](const CheckFile &file) { return sameTarget(file, *views_[view]); });
    const size_t index = static_cast<size_t>(known - merged_.begin());
    if (known == merged_.end()) {
      CheckFile file{.name = views_[view]->name, .target = views_[view]->target};
      file.target.command.clear();
      file.target.commandOrigin = sourcesOf(view);
      merged_.push_back(std::move(file));
    }
    return merged_[index];
  }

  /// "as a part of a.c and of 3 others": those for the target of the view.
  std::string sourcesOf(size_t view) const {
    const auto others = std::count_if(views_.begin(), views_.end(),
                                      [&](const CheckFile *other) { return sameTarget(*other, *views_[view]); }) -
                        1;
    return "as a part of " + labelOf(*views_[view]) +
           (others == 0 ? "" : " and of " + analysis::counted(static_cast<size_t>(others), "other"));
  }

  void take(size_t view, const InstanceKey &key, const Instance &instance) {
    uint32_t alike = 0, different = 0;
    const auto count = [&](const CheckFile &file, const Instances &instances) {
      const auto found = instances.find(key);
      if (found == instances.end())
        return false;
      const bool same =
          file.target.cpu == views_[view]->target.cpu &&
          std::equal(instance.begin(), instance.end(), found->second.begin(), found->second.end(), sameNumbers);
      ++(same ? alike : different);
      return same;
    };
    for (size_t own = 0; own < own_.size(); ++own)
      if (count(*own_[own], ownInstances_[own]))
        return;
    if (!taken_.insert(key).second)
      return;
    for (size_t other = 0; other < views_.size(); ++other)
      if (other != view)
        count(*views_[other], instances_[other]);
    lines_[view].insert(std::get<0>(key));
    addRanges(ranges_[view], instance);
    CheckFile &file = fileOf(view);
    for (const CheckRegion *region : instance) {
      CheckRegion &taken = file.regions.emplace_back(*region);
      taken.through = labelOf(*views_[view]);
      taken.alike = alike;
      taken.different = different;
      taken.loop = numberOf(view, *region);
    }
  }

  /// Loops of different compiles have numbers of their own.
  uint32_t numberOf(size_t view, const CheckRegion &region) {
    return loops_.emplace(std::pair(view, region.loop), static_cast<uint32_t>(loops_.size())).first->second;
  }

  void takeHints(size_t view) {
    for (const protocol::CheckHint &hint : views_[view]->hints) {
      if (!lines_[view].contains(hint.line))
        continue;
      CheckFile &file = fileOf(view);
      const bool known = std::any_of(file.hints.begin(), file.hints.end(), [&](const protocol::CheckHint &other) {
        return other.line == hint.line && other.label == hint.label;
      });
      if (!known)
        file.hints.push_back(hint);
    }
  }

  /// Whether a finding is about regions of which none are the view's.
  bool isAboutOthers(size_t view, uint32_t line) const {
    const auto stands = [&](const LineRanges &ranges) {
      return std::any_of(ranges.begin(), ranges.end(),
                         [&](const auto &range) { return range.first <= line && line <= range.second; });
    };
    return !stands(ranges_[view]) && (std::any_of(ranges_.begin(), ranges_.end(), stands) || stands(ownRanges_));
  }

  bool isWanted(size_t view, const CheckFinding &finding) const {
    const auto saysIt = [&](const CheckFile *file) { return has(*file, finding); };
    if (isAbsence(finding) && !std::all_of(views_.begin(), views_.end(), saysIt))
      return false;
    const bool isKnown = std::any_of(views_.begin(), views_.begin() + static_cast<std::ptrdiff_t>(view), saysIt) ||
                         std::any_of(own_.begin(), own_.end(), saysIt);
    return !isKnown && (isOfEachCommand(finding) || !isAboutOthers(view, finding.at.line));
  }

  void takeFindings(size_t view) {
    for (const CheckFinding &finding : views_[view]->findings) {
      if (!isWanted(view, finding))
        continue;
      CheckFinding &taken = fileOf(view).findings.emplace_back(finding);
      if (finding.severity <= wire::Severity::Warning)
        taken.message += " (seen through " + labelOf(*views_[view]) + ")";
    }
  }

  void finish(CheckFile &file) {
    const auto byLine = [](const auto &a, const auto &b) { return a.line < b.line; };
    std::stable_sort(file.hints.begin(), file.hints.end(), byLine);
    std::stable_sort(file.regions.begin(), file.regions.end(),
                     [&](const CheckRegion &a, const CheckRegion &b) { return byLine(a, b); });
    std::stable_sort(file.findings.begin(), file.findings.end(),
                     [&](const CheckFinding &a, const CheckFinding &b) { return byLine(a.at, b.at); });
    std::set<uint32_t> hinted;
    for (const CheckRegion &region : file.regions)
      if (isLoop(region))
        hinted.insert(region.loop);
    countLoops(file, static_cast<uint32_t>(hinted.size()));
  }

  /// Loops without numbers have no name that identifies them: the most that one compile has are counted.
  void countLoops(CheckFile &file, uint32_t hinted) const {
    uint32_t without = 0;
    for (const CheckFile *view : views_)
      if (const wire::Coverage &coverage = view->coverage; sameTarget(file, *view))
        without = std::max(without, coverage.loops - std::min(coverage.hinted, coverage.loops));
    file.coverage = {.loops = hinted + without, .hinted = hinted, .elsewhere = 0};
  }

  std::vector<const CheckFile *> views_;
  std::vector<const CheckFile *> own_;
  std::vector<Instances> ownInstances_; ///< of each of `own_`
  LineRanges ownRanges_;
  std::vector<Instances> instances_; ///< of each view
  std::set<InstanceKey> taken_;
  std::vector<std::set<uint32_t>> lines_; ///< of hints of what was taken from each view
  std::vector<LineRanges> ranges_;        ///< of what was taken from each view
  std::map<std::pair<size_t, uint32_t>, uint32_t> loops_;
  std::vector<CheckFile> merged_;
};

} // namespace

std::vector<CheckFile> takeParts(std::vector<CheckFile> &files) {
  struct Named {
    std::vector<const CheckFile *> views, own;
  };
  std::map<std::string, Named> byName;
  for (const CheckFile &file : files)
    if (!file.through.empty())
      byName[file.name].views.push_back(&file);
  for (const CheckFile &file : files)
    if (const auto found = byName.find(file.name); file.through.empty() && found != byName.end())
      found->second.own.push_back(&file);
  std::vector<CheckFile> together;
  for (auto &[name, one] : byName) {
    std::vector<CheckFile> parts = Parts(std::move(one.views), std::move(one.own)).together();
    std::move(parts.begin(), parts.end(), std::back_inserter(together));
  }
  std::erase_if(files, [](const CheckFile &file) { return !file.through.empty(); });
  return together;
}

} // namespace lsp::features
