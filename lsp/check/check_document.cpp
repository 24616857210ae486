#include "lsp/check/check_document.h"

#include <set>
#include <string_view>

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

std::string messageOf(const CheckFile &file, const CheckFinding &finding) {
  const std::string &command = file.target.command;
  return finding.message + (command.empty() ? "" : " (the command " + command + ")");
}

CheckCounts countsOf(const std::vector<CheckFile> &files) {
  CheckCounts counts;
  std::set<std::string_view> names;
  for (const CheckFile &file : files) {
    counts.files += names.insert(file.name).second;
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
