// Documents of --check for tests.
#pragma once

#include "lsp/check/check_document.h"

#include <string>
#include <utility>
#include <vector>

namespace lsp {

/// A region that takes `cycles` per iteration.
inline CheckRegion checkedRegion(std::string name, double cycles,
                                 analysis::wire::RegionKind kind = analysis::wire::RegionKind::Loop) {
  CheckRegion region;
  region.name = std::move(name);
  region.kind = kind;
  region.line = 3;
  region.numbers = {.instructions = 4, .iterations = 100};
  region.numbers.cyclesPerIteration = cycles;
  region.numbers.cycles = static_cast<uint64_t>(cycles * 100);
  return region;
}

inline CheckFile checkedFile(std::string name, std::vector<CheckRegion> regions = {}) {
  CheckFile file{.name = std::move(name)};
  file.target = {"x86_64", "znver4", "+avx2", "set in the buffer", "its own model", ""};
  file.regions = std::move(regions);
  return file;
}

inline CheckFinding checkedFinding(analysis::wire::Severity severity, std::string code) {
  CheckFinding finding;
  finding.severity = severity;
  finding.code = std::move(code);
  finding.message = "a message";
  return finding;
}

} // namespace lsp
