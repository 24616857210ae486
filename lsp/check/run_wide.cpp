#include "lsp/check/run_wide.h"

#include "analysis/wire/finding_codes.h"

#include <map>
#include <string_view>
#include <tuple>

namespace lsp::protocol {

bool isOfSetUp(const CheckFinding &finding) {
  const analysis::wire::FindingKind *kind = analysis::wire::findFindingKind(finding.code);
  return kind && kind->ofSetUp;
}

std::vector<RunWideLine> runWideLines(const std::vector<CheckFile> &files) {
  std::vector<RunWideLine> lines;
  std::map<std::tuple<std::string_view, int, std::string_view>, size_t> known; // a note has no code
  const auto add = [&](const CheckFile &file, const CheckFinding *finding, const std::string &text) {
    const auto key = finding ? std::tuple(std::string_view(finding->code), static_cast<int>(finding->severity),
                                          std::string_view(text))
                             : std::tuple(std::string_view(), 0, std::string_view(text));
    const auto [entry, isNew] = known.try_emplace(key, lines.size());
    if (isNew)
      lines.push_back({.first = &file, .finding = finding, .text = &text});
    RunWideLine &line = lines[entry->second];
    // A file may repeat itself, and several commands may compile it.
    line.files += !line.last || line.last->name != file.name;
    line.last = &file;
  };
  for (const CheckFile &file : files) {
    for (const CheckFinding &finding : file.findings)
      if (isOfSetUp(finding))
        add(file, &finding, finding.message);
    for (const std::string &note : file.notes)
      add(file, nullptr, note);
  }
  return lines;
}

} // namespace lsp::protocol
