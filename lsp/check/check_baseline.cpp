// The rules of check_baseline.h for matching regions and comparing their cycles.
#include "lsp/check/check_baseline.h"

#include "analysis/wire/finding_codes.h"
#include "lsp/check/check_report.h"
#include "lsp/wording/calibration_text.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace lsp {
namespace {

using analysis::wire::codes::kSlowerThanBaseline;

/// Cycles are divisions of whole numbers, rounded to a double: a smaller difference is an error of rounding.
constexpr double kTolerance = 1e-9;

/// With the kind: a marker and a loop of one name are two regions.
std::string wholeName(const CheckRegion &region) {
  return std::to_string(static_cast<int>(region.kind)) + region.name;
}

/// "loop in f, through lines 7, 9" is "loop in f, through lines , ". Digits before the word stay: they are of the
/// function's name.
std::string nameWithoutLines(const CheckRegion &region) {
  std::string name = wholeName(region);
  const size_t lines = std::min(name.find(" line"), name.size());
  const auto isDigit = [](unsigned char c) { return std::isdigit(c) != 0; };
  name.erase(std::remove_if(name.begin() + static_cast<std::ptrdiff_t>(lines), name.end(), isDigit), name.end());
  return name;
}

/// Gives each region that has none yet its cycles in the baseline, and removes the regions that it used from `before`.
void match(std::vector<CheckRegion> &regions, std::vector<const CheckRegion *> &before,
           std::string (*nameOf)(const CheckRegion &)) {
  std::multimap<std::string, const CheckRegion **> byName; // equal names stay in their order
  for (const CheckRegion *&region : before)
    if (region)
      byName.emplace(nameOf(*region), &region);
  for (CheckRegion &region : regions) {
    if (region.baseline)
      continue;
    const std::string name = nameOf(region);
    const auto found = byName.lower_bound(name);
    if (found == byName.end() || found->first != name)
      continue;
    const CheckRegion &known = *std::exchange(*found->second, nullptr);
    byName.erase(found);
    // A region that calls functions has a lower bound of cycles: two are comparable if they leave out the same ones.
    if (known.calls == region.calls)
      region.baseline = cyclesOf(known);
  }
}

/// Cycles on another CPU, or by another calibration of it, are no change of the code.
bool sameTarget(const CheckFile &a, const CheckFile &b) {
  return a.target.triple == b.target.triple && a.target.cpu == b.target.cpu &&
         a.target.calibration.id == b.target.calibration.id;
}

/// "znver4 (x86_64-unknown-linux-gnu)"; with a calibration ", calibrated: AMD EPYC of 2026-11-23 (your own)".
std::string targetName(const CheckFile &file) {
  const std::string calibration = wording::calibrationInWords(file.target.calibration);
  return file.target.cpu + " (" + file.target.triple + ")" +
         (calibration.empty() ? "" : ", calibrated: " + calibration);
}

} // namespace

CheckBaseline::Key CheckBaseline::keyOf(const CheckFile &file) {
  const bool isPart = std::ranges::any_of(file.regions, [](const CheckRegion &one) { return !one.through.empty(); });
  return {file.name, file.target.command, isPart};
}

CheckBaseline::CheckBaseline(CheckDocument document, double percent) : percent_(percent) {
  for (CheckFile &file : document.files) {
    Key key = keyOf(file);
    files_.emplace(std::move(key), std::move(file));
  }
}

void CheckBaseline::compare(CheckFile &file) const {
  std::erase_if(file.findings, [](const CheckFinding &finding) { return finding.code == kSlowerThanBaseline; });
  for (CheckRegion &region : file.regions)
    region.baseline.reset();
  std::vector<const CheckRegion *> before;
  for (auto [earlier, end] = files_.equal_range(keyOf(file)); earlier != end; ++earlier)
    if (sameTarget(earlier->second, file))
      for (const CheckRegion &region : earlier->second.regions)
        before.push_back(&region);
  // Whole names first: a loop that stayed in its place is not mistaken for a neighbour of the same name that moved.
  match(file.regions, before, wholeName);
  match(file.regions, before, nameWithoutLines);
  for (const CheckRegion &region : file.regions)
    if (region.baseline && cyclesOf(region) > *region.baseline * (1 + percent_ / 100) + kTolerance)
      // With both numbers, because a build log may have the findings alone.
      file.findings.push_back({.at = {.line = region.line, .endLine = region.line},
                               .severity = analysis::wire::Severity::Warning,
                               .code = kSlowerThanBaseline,
                               .message = (region.name.empty() ? "marked region" : region.name) +
                                          ": slower than in the baseline, " + changeOf(region),
                               .related = {}});
}

std::string CheckBaseline::whyNothingIsCompared(const std::vector<CheckFile> &files, bool isShard) const {
  bool isAnyInCommon = false;
  std::string otherTarget;
  for (const CheckFile &file : files) {
    if (std::ranges::any_of(file.regions, [](const CheckRegion &one) { return one.baseline.has_value(); }))
      return "";
    for (auto [earlier, end] = files_.equal_range(keyOf(file)); earlier != end; ++earlier) {
      isAnyInCommon = true;
      if (otherTarget.empty() && !file.regions.empty() && !earlier->second.regions.empty() &&
          !sameTarget(earlier->second, file))
        otherTarget =
            file.name + " was analysed for " + targetName(earlier->second) + " then and is now for " + targetName(file);
    }
  }
  if (!otherTarget.empty() || isShard)
    return otherTarget;
  return isAnyInCommon ? "the files of this run have no region in common with it"
                       : "it has none of the files of this run";
}

} // namespace lsp
