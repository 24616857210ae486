#include "lsp/check/check_baseline.h"

#include "analysis/wire/finding_codes.h"
#include "lsp/check/check_report.h"

#include <algorithm>
#include <cctype>
#include <deque>
#include <functional>
#include <utility>

namespace lsp::features {
namespace {

using protocol::CheckFile;
using protocol::CheckFinding;
using protocol::CheckRegion;

/// Cycles are numbers with an end: this much is no difference.
constexpr double kTolerance = 1e-9;

std::string wholeName(const CheckRegion &region) {
  return std::to_string(static_cast<int>(region.kind)) + region.name;
}

/// The name with the numbers of lines left out: "loop in f, through lines 7, 9" is "loop in f, through lines , ".
std::string nameWithoutLines(const CheckRegion &region) {
  const std::string name = wholeName(region);
  const size_t lines = name.find(" line");
  std::string result = name.substr(0, lines);
  for (size_t i = result.size(); i < name.size(); ++i)
    if (!std::isdigit(static_cast<unsigned char>(name[i])))
      result += name[i];
  return result;
}

using NameOf = std::function<std::string(const CheckRegion &)>;

/// Gives each region that has none yet its cycles in the baseline; those that are given away are gone from `before`.
void match(std::vector<CheckRegion> &regions, std::vector<const CheckRegion *> &before, const NameOf &nameOf) {
  std::map<std::string, std::deque<size_t>> byName;
  for (size_t i = 0; i < before.size(); ++i)
    if (before[i])
      byName[nameOf(*before[i])].push_back(i);
  for (CheckRegion &region : regions) {
    const auto found = region.baseline ? byName.end() : byName.find(nameOf(region));
    if (found == byName.end() || found->second.empty())
      continue;
    const CheckRegion &known = *std::exchange(before[found->second.front()], nullptr);
    found->second.pop_front();
    // A lower bound is comparable with one that leaves out the same functions.
    if (known.calls == region.calls)
      region.baseline = cyclesOf(known);
  }
}

bool sameTarget(const CheckFile &a, const CheckFile &b) {
  return a.target.triple == b.target.triple && a.target.cpu == b.target.cpu;
}

/// "znver4 (x86_64-unknown-linux-gnu)".
std::string targetName(const CheckFile &file) {
  return file.target.cpu + " (" + file.target.triple + ")";
}

CheckFinding slower(const CheckRegion &region) {
  CheckFinding finding;
  finding.at.line = finding.at.endLine = region.line;
  finding.severity = analysis::wire::Severity::Warning;
  finding.code = analysis::wire::codes::kSlowerThanBaseline;
  finding.message =
      (region.name.empty() ? "marked region" : region.name) + ": slower than in the baseline, " + changeOf(region);
  return finding;
}

} // namespace

Baseline::Key Baseline::keyOf(const CheckFile &file) {
  const bool isPart = std::any_of(file.regions.begin(), file.regions.end(),
                                  [](const CheckRegion &region) { return !region.through.empty(); });
  return {file.name, file.target.command, isPart};
}

Baseline::Baseline(protocol::CheckDocument document, double percent) : percent_(percent) {
  for (CheckFile &file : document.files) {
    Key key = keyOf(file);
    files_.emplace(std::move(key), std::move(file));
  }
}

void Baseline::compare(CheckFile &file) const {
  std::erase_if(file.findings,
                [](const CheckFinding &finding) { return finding.code == analysis::wire::codes::kSlowerThanBaseline; });
  for (CheckRegion &region : file.regions)
    region.baseline.reset();
  std::vector<const CheckRegion *> before;
  for (auto [earlier, end] = files_.equal_range(keyOf(file)); earlier != end; ++earlier)
    if (sameTarget(earlier->second, file))
      for (const CheckRegion &region : earlier->second.regions)
        before.push_back(&region);
  match(file.regions, before, wholeName);
  match(file.regions, before, nameWithoutLines);
  for (const CheckRegion &region : file.regions)
    if (region.baseline && cyclesOf(region) > *region.baseline * (1 + percent_ / 100) + kTolerance)
      file.findings.push_back(slower(region));
}

std::string Baseline::whyNothingIsCompared(const std::vector<CheckFile> &files, bool isShard) const {
  size_t common = 0;
  std::string otherTarget;
  for (const CheckFile &file : files) {
    if (std::any_of(file.regions.begin(), file.regions.end(), [](const CheckRegion &one) { return !!one.baseline; }))
      return "";
    for (auto [earlier, end] = files_.equal_range(keyOf(file)); earlier != end; ++earlier) {
      ++common;
      if (otherTarget.empty() && !file.regions.empty() && !earlier->second.regions.empty() &&
          !sameTarget(earlier->second, file))
        otherTarget =
            file.name + " was analysed for " + targetName(earlier->second) + " then and is now for " + targetName(file);
    }
  }
  if (!otherTarget.empty())
    return otherTarget;
  if (isShard)
    return "";
  return common == 0 ? "it has none of the files of this run"
                     : "the files of this run have no region in common with it";
}

} // namespace lsp::features
