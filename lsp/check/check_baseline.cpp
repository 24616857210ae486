// The rules of check_baseline.h for comparing the cycles of regions.
#include "lsp/check/check_baseline.h"

#include "analysis/wire/finding_codes.h"
#include "lsp/check/check_report.h"
#include "lsp/wording/calibration_text.h"
#include "lsp/workspace/region_pairs.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace lsp {
namespace {

using analysis::wire::codes::kSlowerThanBaseline;

/// Cycles are divisions of whole numbers, rounded to a double: a smaller difference is an error of rounding.
constexpr double kTolerance = 1e-9;

/// What all paths of one loop are called: the name without the path at its end. The words are those of regions in the
/// worker (analysis/regions/find_regions.cpp).
std::string_view loopNameOf(const CheckRegion &region) {
  const std::string_view name = region.name;
  if (region.kind != analysis::wire::RegionKind::Path)
    return name;
  size_t end = 0;
  for (const std::string_view path : {", through ", ", not through ", ", path"})
    if (const size_t at = name.rfind(path); at != std::string_view::npos)
      end = std::max(end, at);
  return name.substr(0, end);
}

std::vector<RegionIdentity> identitiesOf(const std::vector<const CheckRegion *> &regions) {
  std::vector<RegionIdentity> identities;
  for (const CheckRegion *region : regions) {
    const analysis::wire::Simulation &numbers = region->numbers;
    const std::string_view loop = loopNameOf(*region);
    uint64_t code = 0;
    std::from_chars(region->code.data(), region->code.data() + region->code.size(), code, 16);
    const std::vector<double> known = {numbers.cyclesPerIteration, static_cast<double>(numbers.instructions),
                                       static_cast<double>(numbers.microOps), numbers.blockReciprocalThroughput,
                                       static_cast<double>(region->sourceIterations)};
    identities.push_back({.name = std::string(loop),
                          .path = region->name.substr(loop.size()),
                          .kind = region->kind,
                          .loop = region->loop,
                          .code = code,
                          .numbers = fingerprintOf(known),
                          .position = region->line});
  }
  return identities;
}

/// Gives each region that `before` has, too, its cycles there.
void match(std::vector<CheckRegion> &regions, const std::vector<const CheckRegion *> &before) {
  std::vector<const CheckRegion *> now;
  for (const CheckRegion &region : regions)
    now.push_back(&region);
  const std::vector<std::optional<size_t>> partners = pairRegions(identitiesOf(before), identitiesOf(now));
  for (size_t i = 0; i < regions.size(); ++i)
    // Two lower bounds of cycles are comparable if they leave out the same functions and instructions.
    if (partners[i] && before[*partners[i]]->calls == regions[i].calls &&
        before[*partners[i]]->leftOut == regions[i].leftOut)
      regions[i].baseline = cyclesOf(*before[*partners[i]]);
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
  match(file.regions, before);
  for (const CheckRegion &region : file.regions)
    if (region.baseline && cyclesOf(region) > *region.baseline * (1 + percent_ / 100) + kTolerance)
      // With both numbers, because a build log may have the findings alone.
      file.findings.push_back({.at = {.line = region.line, .endLine = region.line},
                               .severity = analysis::wire::severityOf(kSlowerThanBaseline),
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
