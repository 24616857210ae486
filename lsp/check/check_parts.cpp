// The rules of takeParts(). A "view" of a part is what one compile of it reports: through a file of the run that
// includes it, or by a command of its own. A header may have a hundred thousand views, so that none is compared with
// all others: what they say is looked up by its key.
#include "lsp/check/check_merge.h"

#include "analysis/text/counts.h"
#include "analysis/wire/finding_codes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace lsp {
namespace {

namespace wire = analysis::wire;

/// The line, whether it is a marker's, and the name.
using InstanceKey = std::tuple<uint32_t, bool, std::string>;
/// What one compile makes of one statement in one function: its vector body, its remainder, its copies.
using Instance = std::vector<const CheckRegion *>;

/// First and last lines, 1-based, both included.
using LineRanges = std::set<std::pair<uint32_t, uint32_t>>;

bool contains(const LineRanges &ranges, uint32_t line) {
  return std::ranges::any_of(ranges, [&](const auto &one) { return one.first <= line && line <= one.second; });
}

/// What one compile of the part reports, by statement, and how much of it the result has.
struct View {
  const CheckFile *file;
  std::map<InstanceKey, Instance> instances;
  // What was taken from it; of a file's own commands everything that they report:
  std::set<uint32_t> hintLines; ///< 1-based
  LineRanges regions;
};

View viewOf(const CheckFile &file) {
  View view{.file = &file};
  for (const CheckRegion &region : file.regions)
    view.instances[{region.line, region.kind == wire::RegionKind::Marker, region.instance}].push_back(&region);
  return view;
}

/// With the features: -mavx2 makes other code, and a reader has to know which one the numbers are for.
bool sameTarget(const CheckFile &a, const CheckFile &b) {
  return a.target.triple == b.target.triple && a.target.cpu == b.target.cpu && a.target.features == b.target.features &&
         a.target.calibration == b.target.calibration;
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

/// "a.c", or "a.c, the command with -mavx2" if several commands compile a.c.
std::string labelOf(const CheckFile &part) {
  return part.through + (part.target.command.empty() ? "" : ", the command " + part.target.command);
}

/// One part, from its views to the files that are reported.
class Part {
public:
  std::vector<View> views; ///< through files of the run, in their order
  std::vector<View> own;   ///< by the file's own commands

  std::vector<CheckFile> merge() {
    for (View &view : own)
      for (const auto &[key, instance] : view.instances)
        markTaken(view, key, instance);
    countAll();
    for (View &view : views)
      for (const auto &[key, instance] : view.instances)
        take(view, key, instance);
    for (const View &view : views) {
      takeHints(view);
      takeFindings(view);
    }
    for (CheckFile &file : merged_)
      finish(file);
    return std::move(merged_);
  }

private:
  /// One finding of several views.
  using FindingKey = std::tuple<uint32_t, uint32_t, std::string_view, std::string_view>;
  struct Sharers {
    const View *first; ///< of those that are no own commands
    const View *last;  ///< the same, of those counted so far
    size_t count = 0;
  };

  static FindingKey keyOf(const CheckFinding &finding) {
    return {finding.at.line, finding.at.column, finding.code, finding.message};
  }

  void markTaken(View &view, const InstanceKey &key, const Instance &instance) {
    view.hintLines.insert(std::get<0>(key));
    for (const CheckRegion *region : instance) {
      view.regions.emplace(region->firstLine, region->lastLine);
      allTaken_.emplace(region->firstLine, region->lastLine);
    }
  }

  /// Which views have an instance, and which a finding.
  void countAll() {
    for (const View &view : own)
      for (const CheckFinding &finding : view.file->findings)
        ownFindings_.insert(keyOf(finding));
    for (const View &view : views) {
      for (const auto &[key, instance] : view.instances)
        withInstance_[key].push_back(&view);
      for (const CheckFinding &finding : view.file->findings) {
        Sharers &sharers = findings_.try_emplace(keyOf(finding), Sharers{&view, nullptr}).first->second;
        sharers.count += sharers.last != &view; // a view may repeat a finding
        sharers.last = &view;
      }
    }
  }

  /// The file for what is taken from the view: the one for its target. The command is the source's, so it is not named
  /// as one of the part's.
  CheckFile &fileOf(const View &view) {
    const auto known =
        std::ranges::find_if(merged_, [&](const CheckFile &file) { return sameTarget(file, *view.file); });
    if (known != merged_.end())
      return *known;
    const auto ofTarget =
        std::ranges::count_if(views, [&](const View &other) { return sameTarget(*other.file, *view.file); });
    CheckFile &file = merged_.emplace_back();
    file.name = view.file->name;
    file.target = view.file->target;
    file.target.command.clear();
    file.target.commandOrigin = "as a part of " + labelOf(*view.file);
    if (ofTarget > 1)
      file.target.commandOrigin += " and of " + analysis::counted(static_cast<size_t>(ofTarget - 1), "other");
    return file;
  }

  /// Takes an instance from the view, unless a view before it or the file's own commands have the same one. All
  /// commands that make something of the statement are counted, for the reader: one that makes other code may be
  /// slower.
  void take(View &view, const InstanceKey &key, const Instance &instance) {
    uint32_t alike = 0, different = 0;
    const auto count = [&](const View &other) {
      const auto found = other.instances.find(key);
      if (found == other.instances.end())
        return false;
      const bool same =
          other.file->target.cpu == view.file->target.cpu && std::ranges::equal(instance, found->second, sameNumbers);
      ++(same ? alike : different);
      return same;
    };
    if (std::ranges::any_of(own, count) || !taken_.insert(key).second)
      return;
    for (const View *other : withInstance_.at(key))
      if (other != &view)
        count(*other);
    markTaken(view, key, instance);
    CheckFile &file = fileOf(view);
    for (const CheckRegion *region : instance) {
      CheckRegion &taken = file.regions.emplace_back(*region);
      taken.through = labelOf(*view.file);
      taken.alike = alike;
      taken.different = different;
      // The views number their loops independently.
      const auto next = static_cast<uint32_t>(loops_.size());
      taken.loop = loops_.emplace(std::pair(&view, region->loop), next).first->second;
    }
  }

  /// A line's hint is made of all loops on the line, so it is taken as a whole.
  void takeHints(const View &view) {
    for (const CheckHint &hint : view.file->hints) {
      if (!view.hintLines.contains(hint.line))
        continue;
      CheckFile &file = fileOf(view);
      if (hints_.insert({&file - merged_.data(), hint.line, hint.label}).second)
        file.hints.push_back(hint);
    }
  }

  /// Whether a finding is about regions of which all were taken from others.
  bool isAboutOthers(const View &view, uint32_t line) const {
    return !contains(view.regions, line) && contains(allTaken_, line);
  }

  bool isWanted(const View &view, const CheckFinding &finding) const {
    const Sharers &sharers = findings_.at(keyOf(finding));
    // Where one command makes no code, another one may: the findings about that are for what none of them makes.
    const bool isAbsence = finding.code == wire::codes::kEmptyRegion || finding.code == wire::codes::kBudgetUnchecked;
    if (isAbsence && sharers.count < views.size())
      return false;
    const bool isKnown = sharers.first != &view || ownFindings_.contains(keyOf(finding));
    // These are reported for each command, even if the numbers of the region are taken from another one.
    const bool isOfEachCommand =
        finding.severity == wire::Severity::Error || finding.code == wire::codes::kBudgetExceeded;
    return !isKnown && (isOfEachCommand || !isAboutOthers(view, finding.at.line));
  }

  void takeFindings(const View &view) {
    for (const CheckFinding &finding : view.file->findings) {
      if (!isWanted(view, finding))
        continue;
      CheckFinding &taken = fileOf(view).findings.emplace_back(finding);
      if (finding.severity <= wire::Severity::Warning)
        taken.message += " (seen through " + labelOf(*view.file) + ")";
    }
  }

  /// Sorts what came from several views by line, and counts the loops.
  void finish(CheckFile &file) const {
    std::ranges::stable_sort(file.hints, {}, &CheckHint::line);
    std::ranges::stable_sort(file.regions, {}, &CheckRegion::line);
    std::ranges::stable_sort(file.findings, {}, [](const CheckFinding &finding) { return finding.at.line; });
    std::set<uint32_t> loops;
    for (const CheckRegion &region : file.regions)
      if (isLoop(region))
        loops.insert(region.loop);
    // Loops without numbers have no name to match them by: the most that one view has are counted.
    uint32_t unhinted = 0;
    for (const View &view : views)
      if (const CheckCoverage &coverage = view.file->coverage; sameTarget(file, *view.file))
        unhinted = std::max(unhinted, coverage.loops - std::min(coverage.hinted, coverage.loops));
    const auto hinted = static_cast<uint32_t>(loops.size());
    file.coverage = {.loops = hinted + unhinted, .hinted = hinted, .elsewhere = 0};
  }

  std::map<InstanceKey, std::vector<const View *>> withInstance_; ///< in their order
  std::map<FindingKey, Sharers> findings_;                        ///< of `views`
  std::set<FindingKey> ownFindings_;
  std::set<std::tuple<std::ptrdiff_t, uint32_t, std::string_view>> hints_; ///< by the merged file that has them
  LineRanges allTaken_; ///< from any view, and by the file's own commands
  std::set<InstanceKey> taken_;
  std::map<std::pair<const View *, uint32_t>, uint32_t> loops_; ///< numbers of merged loops, by the view's
  std::vector<CheckFile> merged_;                               ///< one for each target
};

} // namespace

std::vector<CheckFile> takeParts(std::vector<CheckFile> &files) {
  std::map<std::string, Part> parts;
  for (const CheckFile &file : files)
    if (!file.through.empty())
      parts[file.name].views.push_back(viewOf(file));
  for (const CheckFile &file : files)
    if (const auto part = parts.find(file.name); file.through.empty() && part != parts.end())
      part->second.own.push_back(viewOf(file));
  std::vector<CheckFile> merged;
  for (auto &[name, part] : parts)
    std::ranges::move(part.merge(), std::back_inserter(merged));
  std::erase_if(files, [](const CheckFile &file) { return !file.through.empty(); });
  return merged;
}

} // namespace lsp
