// The names of enumerators in JSON, in settings and in reports: one spelling for all of them.
#pragma once

#include "analysis/wire/messages.h"

#include <array>
#include <cstddef>

namespace analysis::wire {

/// By RegionKind; by Severity from Error (1) on; by ControlFlow::Source.
inline constexpr std::array kRegionKindNames = {"marker", "loop", "snippet", "path"};
inline constexpr std::array kSeverityNames = {"error", "warning", "information", "hint"};
inline constexpr std::array kFlowSourceNames = {"odds", "file", "comment"};
/// By CalibrationSummary::Source.
inline constexpr std::array kCalibrationSourceNames = {"none", "own", "shipped", "user", "project", "profile"};

/// Empty for a value that is no enumerator.
constexpr const char *nameOf(RegionKind kind) {
  const auto index = static_cast<size_t>(kind);
  return index < kRegionKindNames.size() ? kRegionKindNames[index] : "";
}

/// Empty for a value that is no enumerator.
constexpr const char *nameOf(Severity severity) {
  const size_t index = static_cast<size_t>(severity) - static_cast<size_t>(Severity::Error);
  return index < kSeverityNames.size() ? kSeverityNames[index] : "";
}

/// Empty for a value that is no enumerator.
constexpr const char *nameOf(ControlFlow::Source source) {
  const auto index = static_cast<size_t>(source);
  return index < kFlowSourceNames.size() ? kFlowSourceNames[index] : "";
}

/// Empty for a value that is no enumerator.
constexpr const char *nameOf(CalibrationSummary::Source source) {
  const auto index = static_cast<size_t>(source);
  return index < kCalibrationSourceNames.size() ? kCalibrationSourceNames[index] : "";
}

static_assert(nameOf(CalibrationSummary::Source::Profile) == kCalibrationSourceNames.back());
static_assert(nameOf(ControlFlow::Source::Comment) == kFlowSourceNames.back());
static_assert(nameOf(RegionKind::Path) == kRegionKindNames.back() && nameOf(Severity::Hint) == kSeverityNames.back());

} // namespace analysis::wire
