// Each kind of action has its own file. All are made and then filtered by kind, so that the files need not know what
// the client wants.
#include "lsp/features/features.h"

#include "lsp/features/code_action_builder.h"
#include "lsp/wording/loops_of_line.h"
#include "lsp/wording/measured_text.h"

#include <algorithm>

namespace lsp::features {
namespace {

using protocol::CodeAction;
using protocol::TextEdit;
using wire::Finding;

/// Kinds are hierarchical (LSP 3.17, CodeActionKind): "refactor" includes "refactor.rewrite", and the empty kind all.
bool isWanted(const std::string &kind, const std::vector<std::string> &only) {
  return only.empty() || std::ranges::any_of(only, [&](const std::string &wanted) {
           return wanted.empty() || kind == wanted || kind.starts_with(wanted + ".");
         });
}

/// The compile command to analyse, of a file that its build compiles several times. The server keeps the choice as long
/// as the document is open; no file changes. It is offered where numbers are, and on the first line: the code of
/// another command may have loops that this one's has not.
void addCommandActions(CodeActionBuilder &actions) {
  if (!actions.touches(0) && !actions.touchesHint())
    return;
  const wire::TargetSummary &target = actions.document.analysis().target;
  for (const std::string &command : target.commands)
    if (command != target.command)
      actions.made.push_back(
          {.title = "Use the command " + command + " (now: " + target.command + ")",
           .kind = "refactor",
           .call = protocol::CommandCall{"mca.setCommand", {{"uri", actions.document.uri()}, {"command", command}}}});
}

void addMeasureActions(CodeActionBuilder &actions) {
  if (!wording::isMeasurable(actions.document.analysis().target))
    return;
  for (const auto &[line, onLine] :
       wording::loopsByLine(actions.document.analysis(), actions.text, actions.firstLine, actions.lastLine))
    if (wording::isHinted(onLine))
      actions.made.push_back({.title = wording::measureTitle(onLine.front()),
                              .kind = "refactor",
                              .call = protocol::CommandCall{"mca.measureRegion",
                                                            {{"uri", actions.document.uri()},
                                                             {"position", {{"line", line}, {"character", 0}}}}}});
}

} // namespace

std::vector<CodeAction> codeActions(const Document &document, const protocol::CodeActionParams &params,
                                    const ActionChoices &choices, const protocol::ClientCapabilities &client) {
  if (!document.language() || !client.codeActionLiterals)
    return {};
  CodeActionBuilder builder(document, params, choices, client);
  addMarkerActions(builder);
  addInstrumentActions(builder);
  addCpuActions(builder);
  addCommandActions(builder);
  addMeasureActions(builder);
  addAdviceActions(builder);
  std::erase_if(builder.made, [&](const CodeAction &action) { return !isWanted(action.kind, params.only); });
  return std::move(builder.made);
}

CodeActionBuilder::CodeActionBuilder(const Document &document, const protocol::CodeActionParams &params,
                                     const ActionChoices &choices, const protocol::ClientCapabilities &client)
    : document(document), text(document.text()), choices(choices), client(client), comments(markerComments(text)),
      firstLine(std::min(params.range.start.line, text.lineCount() - 1)),
      lastLine(std::min(params.range.end.line -
                            (params.range.start.line < params.range.end.line && params.range.end.character == 0),
                        text.lineCount() - 1)),
      params_(params) {}

bool CodeActionBuilder::isPlace() const {
  const auto &[start, end] = params_.range;
  return start.line == end.line && end.character <= start.character + 1;
}

bool CodeActionBuilder::touchesHint() const {
  return std::ranges::any_of(wording::loopsByLine(document.analysis(), text, firstLine, lastLine),
                             [](const auto &line) { return wording::isHinted(line.second); });
}

std::vector<const Finding *> CodeActionBuilder::findings(const std::string &code) const {
  std::vector<const Finding *> found;
  for (const Finding &finding : document.analysis().findings)
    if (finding.code == code && text.lineOf(finding.at.begin) <= lastLine && text.lineOf(finding.at.end) >= firstLine)
      found.push_back(&finding);
  return found;
}

std::string CodeActionBuilder::comment(const std::string &content) const {
  return commentOpening(*document.language(), document.analysis().target.triple) + " " + content;
}

TextEdit CodeActionBuilder::replace(wire::ByteRange range, std::string with) const {
  return {text.rangeOf(range, client.encoding), std::move(with)};
}

TextEdit CodeActionBuilder::insertLineBefore(uint32_t line, const std::string &content) const {
  const uint32_t begin = text.lineBegin(line);
  return replace({begin, begin}, indentation(text.line(line)) + content + lineBreak(text));
}

TextEdit CodeActionBuilder::insertLineAfter(uint32_t line, const std::string &content) const {
  const uint32_t end = text.lineEnd(line);
  return replace({end, end}, lineBreak(text) + indentation(text.line(line)) + content);
}

std::vector<protocol::Json> CodeActionBuilder::diagnosticsOf(const Finding *finding) const {
  std::vector<protocol::Json> diagnostics;
  for (const protocol::ContextDiagnostic &shown : params_.diagnostics)
    if (finding && shown.code == finding->code && shown.range == text.rangeOf(finding->at, client.encoding))
      diagnostics.push_back(shown.whole);
  return diagnostics;
}

/// The edit names the version of the text if the client can check it. A client that has another one by then rejects the
/// edit (LSP 3.17, OptionalVersionedTextDocumentIdentifier).
void CodeActionBuilder::quickFix(std::string title, std::vector<TextEdit> edits, const Finding *fixes) {
  made.push_back({std::move(title),
                  "quickfix",
                  diagnosticsOf(fixes),
                  {.uri = document.uri(),
                   .version = document.version(),
                   .edits = std::move(edits),
                   .asDocumentChanges = client.documentChanges}});
}

void CodeActionBuilder::refactoring(std::string title, std::vector<TextEdit> edits) {
  quickFix(std::move(title), std::move(edits), nullptr);
  made.back().kind = "refactor";
}

} // namespace lsp::features
