// Code actions about the CPU: a comment in the buffer, which comes before every other source, or a configuration file.
#include "analysis/common/comment_syntax.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/features/code_action_builder.h"
#include "lsp/protocol/conversions.h"

#include <algorithm>

namespace lsp::features {
namespace {

using analysis::wire::Finding;
namespace codes = analysis::wire::codes;

/// Findings that another CPU, or naming the one assumed, does away with.
constexpr const char *kCpuFindings[] = {codes::kAssumedCpu, codes::kNoSchedulingModel, codes::kUnknownCpu,
                                        codes::kBorrowedModel};

std::string assignment(const std::string &cpu) {
  return std::string(analysis::comments::kCpuAssignment) + cpu;
}

std::string settingsFor(const std::string &cpu) {
  return std::string(analysis::comments::kSettings) + " " + assignment(cpu);
}

protocol::TextEdit cpuEdit(const CodeActionBuilder &actions, const std::string &cpu) {
  const std::optional<CpuSetting> setting = cpuSetting(actions.text());
  if (!setting)
    return actions.replace({0, 0}, actions.comment(settingsFor(cpu)) + lineBreak(actions.text()));
  return actions.replace(setting->value, setting->isSet ? cpu : " " + assignment(cpu));
}

/// Lines where a reader would look for the CPU: that of a hint, and that of the comment with settings.
bool isAsked(const CodeActionBuilder &actions) {
  const std::optional<CpuSetting> setting = cpuSetting(actions.text());
  return (setting && actions.touches(setting->line)) || actions.touchesHint();
}

void addFixes(CodeActionBuilder &actions, const std::vector<std::string> &cpus, const Finding *finding) {
  for (const std::string &cpu : cpus)
    actions.quickFix("Analyse this file for " + cpu + ": a comment `" + settingsFor(cpu) + "`", {cpuEdit(actions, cpu)},
                     finding);
  const std::string &uri = actions.choices().newConfigUri;
  if (!actions.client().createsFiles || uri.empty())
    return;
  for (const std::string &cpu : cpus)
    actions.newFile("Analyse this folder for " + cpu + ": a new file .mca-lsp.json",
                    {uri, protocol::configurationText(cpu)}, finding);
}

} // namespace

void addCpuActions(CodeActionBuilder &actions) {
  const std::string &present = actions.document().analysis().target.cpu;
  std::vector<std::string> others = actions.choices().cpus;
  std::erase(others, present);
  const Finding *finding = nullptr;
  for (const char *code : kCpuFindings)
    if (const auto found = actions.findings(code); !found.empty() && !finding)
      finding = found.front();
  if (finding) {
    if (finding->code == "assumed-cpu" && !present.empty())
      others.insert(others.begin(), present);
    return addFixes(actions, others, finding);
  }
  if (isAsked(actions))
    for (const std::string &cpu : others)
      actions.refactoring("Analyse this file for " + cpu + ": a comment `" + settingsFor(cpu) + "`",
                          {cpuEdit(actions, cpu)});
}

} // namespace lsp::features
