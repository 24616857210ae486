// The rules that all outputs of a run share: how its files are counted, and which messages it prints once.
#include "lsp/check/check_document.h"

#include "analysis/wire/finding_codes.h"
#include "lsp/wording/calibration_text.h"

#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace lsp {

using analysis::wire::Severity;

std::string messageOf(const CheckFile &file, const CheckFinding &finding) {
  const std::string &command = file.target.command;
  return finding.message + (command.empty() ? "" : " (the command " + command + ")");
}

CheckCounts countsOf(const std::vector<CheckFile> &files) {
  CheckCounts counts;
  std::set<std::string_view> names;
  // The name tells files from each other: several commands may compile one.
  for (const CheckFile &file : files) {
    counts.files += names.insert(file.name).second;
    counts.regions += file.regions.size();
    counts.loops += file.coverage.loops;
    counts.hinted += file.coverage.hinted;
    for (const CheckRegion &region : file.regions)
      counts.compared += region.baseline.has_value();
    for (const CheckFinding &finding : file.findings)
      ++(finding.severity == Severity::Error     ? counts.errors
         : finding.severity == Severity::Warning ? counts.warnings
                                                 : counts.information);
  }
  return counts;
}

std::vector<std::string> calibrationsOf(const std::vector<CheckFile> &files) {
  std::set<std::string> known;
  for (const CheckFile &file : files)
    known.insert(wording::calibrationInWords(file.target.calibration));
  known.erase(""); // files without one
  return {known.begin(), known.end()};
}

bool isOfSetUp(const CheckFinding &finding) {
  const analysis::wire::FindingKind *kind = analysis::wire::findFindingKind(finding.code);
  return kind && kind->ofSetUp;
}

/// A finding with another code or severity is another message, even if its words are the same.
std::vector<SetUpMessage> setUpMessages(const std::vector<CheckFile> &files) {
  std::vector<SetUpMessage> messages;
  // The index of a message and the last file that has it, by code, severity and text. A note has no code.
  std::map<std::tuple<std::string_view, Severity, std::string_view>, std::pair<size_t, std::string_view>> known;
  const auto add = [&](const CheckFile &file, const CheckFinding *finding, const std::string &text) {
    const std::string_view code = finding ? std::string_view(finding->code) : "";
    const auto [entry, isNew] =
        known.try_emplace({code, finding ? finding->severity : Severity::Hint, text}, messages.size(), "");
    if (isNew)
      messages.push_back({&file, finding, &text});
    // A file may repeat a message, and several commands may compile the file.
    auto &[index, lastFile] = entry->second;
    messages[index].files += isNew || lastFile != file.name;
    lastFile = file.name;
  };
  for (const CheckFile &file : files) {
    for (const CheckFinding &finding : file.findings)
      if (isOfSetUp(finding))
        add(file, &finding, finding.message);
    for (const std::string &note : file.notes)
      add(file, nullptr, note);
  }
  return messages;
}

} // namespace lsp
