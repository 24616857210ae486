// Code actions about the CPU: a comment in the buffer, which overrides every other source, or a configuration file.
#include "analysis/text/comment_syntax.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/features/code_action_builder.h"
#include "lsp/protocol/conversions.h"

namespace lsp::features {
namespace {

using wire::Finding;
namespace codes = wire::codes;

/// Findings that disappear with another CPU, or when the assumed one is named.
constexpr const char *kCpuFindings[] = {codes::kAssumedCpu, codes::kNoSchedulingModel, codes::kUnknownCpu,
                                        codes::kBorrowedModel};

/// The first in the order of kCpuFindings, or null. One is enough: all of them get the same fixes.
const Finding *findingAboutCpu(const CodeActionBuilder &actions) {
  for (const char *code : kCpuFindings)
    if (const auto found = actions.findings(code); !found.empty())
      return found.front();
  return nullptr;
}

} // namespace

/// Besides the findings, the actions are offered where a reader would look for the CPU: on the line of a hint, and on
/// that of the comment with settings.
void addCpuActions(CodeActionBuilder &actions) {
  const std::string &present = actions.document.analysis().target.cpu;
  const std::optional<CpuSetting> setting = cpuSetting(actions.text);
  const Finding *finding = findingAboutCpu(actions);
  if (!finding && !(setting && actions.touches(setting->line)) && !actions.touchesHint())
    return;
  // Naming the present CPU changes nothing, except where it was only assumed.
  std::vector<std::string> cpus = actions.choices.cpus;
  std::erase(cpus, present);
  if (finding && finding->code == codes::kAssumedCpu && !present.empty())
    cpus.insert(cpus.begin(), present);
  for (const std::string &cpu : cpus) {
    const std::string assignment = std::string(analysis::comments::kCpuAssignment) + cpu;
    const std::string settings = markerText(analysis::comments::kSettings, assignment);
    const protocol::TextEdit edit = setting
                                        ? actions.replace(setting->value, setting->isSet ? cpu : " " + assignment)
                                        : actions.replace({0, 0}, actions.comment(settings) + lineBreak(actions.text));
    const std::string title = "Analyse this file for " + cpu + ": a comment `" + settings + "`";
    if (finding)
      actions.quickFix(title, {edit}, finding);
    else
      actions.refactoring(title, {edit});
  }
  // A configuration file applies to the whole folder, so it is offered for a finding alone.
  const std::string &uri = actions.choices.newConfigUri;
  if (!finding || !actions.client.createsFiles || uri.empty())
    return;
  for (const std::string &cpu : cpus)
    actions.made.push_back( // LSP has no way to create a file but in documentChanges (3.17, WorkspaceEdit)
        {.title = "Analyse this folder for " + cpu + ": a new file .mca-lsp.json",
         .kind = "quickfix",
         .diagnostics = actions.diagnosticsOf(finding),
         .edit = {.file = protocol::NewFile{uri, protocol::configurationText(cpu)}, .asDocumentChanges = true}});
}

} // namespace lsp::features
