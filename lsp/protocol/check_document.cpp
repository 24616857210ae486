#include "lsp/protocol/check_document.h"

namespace lsp::protocol {
namespace {

void add(CheckCounts &counts, const CheckFinding &finding) {
  using analysis::wire::Severity;
  if (finding.severity == Severity::Error)
    ++counts.errors;
  else if (finding.severity == Severity::Warning)
    ++counts.warnings;
  else
    ++counts.information;
}

} // namespace

CheckCounts countsOf(const std::vector<CheckFile> &files) {
  CheckCounts counts;
  counts.files = files.size();
  for (const CheckFile &file : files) {
    counts.regions += file.regions.size();
    counts.loops += file.coverage.loops;
    counts.hinted += file.coverage.hinted;
    for (const CheckRegion &region : file.regions)
      counts.compared += region.baseline.has_value();
    for (const CheckFinding &finding : file.findings)
      add(counts, finding);
  }
  return counts;
}

} // namespace lsp::protocol
