// Regions of made-up numbers, for tests of what is said about them.
#pragma once

#include "lsp/wording/findings.h"
#include "lsp/wording/loops_of_line.h"

#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace lsp::wording {

/// Regions that were simulated for 100 iterations, which last as long as this at their steady rate, and 7 cycles to run
/// up.
class Presented {
public:
  static analysis::wire::Simulation numbers(uint64_t cycles, uint64_t instructions) {
    return {.instructions = static_cast<uint32_t>(instructions / 100),
            .cyclesPerIteration = static_cast<double>(cycles) / 100,
            .ipc = cycles ? static_cast<double>(instructions) / static_cast<double>(cycles) : 0,
            .iterations = 100,
            .cycles = cycles + 7,
            .microOps = instructions};
  }
  AnalysedRegion *add(analysis::wire::Region region, analysis::wire::Simulation simulation) {
    region.places.resize(simulation.instructions);
    return &regions_.emplace_back(
        AnalysedRegion{.region = std::move(region),
                       .simulation = std::make_shared<const analysis::wire::Simulation>(std::move(simulation))});
  }
  AnalysedRegion *add(analysis::wire::Region region, uint64_t cycles, uint64_t instructions,
                      analysis::wire::Verdict verdict = {}) {
    analysis::wire::Simulation simulation = numbers(cycles, instructions);
    simulation.verdict = std::move(verdict);
    return add(std::move(region), std::move(simulation));
  }

private:
  std::deque<AnalysedRegion> regions_;
};

inline analysis::wire::Region loop(uint32_t sourceIterations = 1) {
  return {.name = "loop in f",
          .kind = analysis::wire::RegionKind::Loop,
          .at = {3, 9},
          .anchor = 4,
          .sourceIterations = sourceIterations};
}

inline analysis::wire::Region path(const std::string &name, double share = -1) {
  return {.name = "loop in f",
          .path = name,
          .kind = analysis::wire::RegionKind::Path,
          .at = {3, 9},
          .anchor = 4,
          .share = share};
}

/// A text with regions, and its findings in a form that tests compare.
class FindingsTest : public testing::Test {
protected:
  explicit FindingsTest(const std::string &text) : text_(text) {}

  /// "call@head:: message [mul a: …]": code, place, message and related places of each, made anew.
  std::vector<std::string> findings() {
    makeFindings(analysis, Text(text_), 5);
    std::vector<std::string> all;
    for (const analysis::wire::Finding &finding : analysis.findings) {
      std::string shown = finding.code + "@" + at(finding.at) + ": " + finding.message;
      for (const analysis::wire::RelatedPlace &related : finding.related)
        shown += " [" + at(related.at) + ": " + related.message + "]";
      all.push_back(shown);
    }
    return all;
  }

  Presented made;
  Analysis analysis;

private:
  std::string at(analysis::wire::ByteRange range) const { return text_.substr(range.begin, range.end - range.begin); }

  std::string text_;
};

} // namespace lsp::wording
