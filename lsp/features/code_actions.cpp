// Collecting and filtering, and the edits of code_action_builder.h.
#include "lsp/features/code_actions.h"

#include "lsp/features/code_action_builder.h"
#include "lsp/wording/loops_of_line.h"

#include <algorithm>

namespace lsp::features {
namespace {

using analysis::wire::ByteRange;
using analysis::wire::Finding;
using protocol::CodeAction;
using protocol::TextEdit;

/// Kinds are hierarchical: "refactor" asks for "refactor.rewrite", too, and the empty kind for all.
bool isWanted(const std::string &kind, const std::vector<std::string> &only) {
  return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string &wanted) {
           return wanted.empty() || kind == wanted || kind.starts_with(wanted + ".");
         });
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
  std::vector<CodeAction> actions = builder.take();
  std::erase_if(actions, [&](const CodeAction &action) { return !isWanted(action.kind, params.only); });
  return actions;
}

CodeActionBuilder::CodeActionBuilder(const Document &document, const protocol::CodeActionParams &params,
                                     const ActionChoices &choices, const protocol::ClientCapabilities &client)
    : document_(document), params_(params), choices_(choices), client_(client),
      comments_(markerComments(document.text())) {
  const uint32_t last = text().lineCount() - 1;
  firstLine_ = std::min(params.range.start.line, last);
  lastLine_ = std::min(params.range.end.line, last);
  if (lastLine_ > firstLine_ && params.range.end.line == lastLine_ && params.range.end.character == 0)
    --lastLine_;
}

bool CodeActionBuilder::touchesHint() const {
  const auto lines = wording::loopsByLine(document_.analysis(), text(), firstLine_, lastLine_);
  return std::any_of(lines.begin(), lines.end(), [](const auto &line) { return wording::isHinted(line.second); });
}

std::vector<const Finding *> CodeActionBuilder::findings(const std::string &code) const {
  std::vector<const Finding *> found;
  for (const Finding &finding : document_.analysis().findings)
    if (finding.code == code && text().lineOf(finding.at.begin) <= lastLine_ &&
        text().lineOf(finding.at.end) >= firstLine_)
      found.push_back(&finding);
  return found;
}

std::string CodeActionBuilder::comment(const std::string &content) const {
  return commentOpening(*document_.language(), document_.analysis().target.triple) + " " + content;
}

TextEdit CodeActionBuilder::replace(ByteRange range, std::string with) const {
  return {text().rangeOf(range, client_.encoding), std::move(with)};
}

TextEdit CodeActionBuilder::insertLineBefore(uint32_t line, const std::string &content) const {
  const uint32_t begin = text().lineBegin(line);
  return replace({begin, begin}, indentation(text().line(line)) + content + lineBreak(text()));
}

TextEdit CodeActionBuilder::insertLineAfter(uint32_t line, const std::string &content) const {
  const uint32_t end = text().lineEnd(line);
  return replace({end, end}, lineBreak(text()) + indentation(text().line(line)) + content);
}

std::vector<protocol::Json> CodeActionBuilder::diagnosticsOf(const Finding *finding) const {
  std::vector<protocol::Json> diagnostics;
  for (const protocol::ContextDiagnostic &shown : params_.diagnostics)
    if (finding && shown.code == finding->code && shown.range == text().rangeOf(finding->at, client_.encoding))
      diagnostics.push_back(shown.whole);
  return diagnostics;
}

void CodeActionBuilder::quickFix(std::string title, std::vector<TextEdit> edits, const Finding *mends) {
  actions_.push_back({std::move(title),
                      "quickfix",
                      diagnosticsOf(mends),
                      {.uri = document_.uri(),
                       .version = document_.version(),
                       .edits = std::move(edits),
                       .asDocumentChanges = client_.documentChanges}});
}

void CodeActionBuilder::refactoring(std::string title, std::vector<TextEdit> edits) {
  quickFix(std::move(title), std::move(edits), nullptr);
  actions_.back().kind = "refactor";
}

void CodeActionBuilder::newFile(std::string title, protocol::NewFile file, const Finding *mends) {
  actions_.push_back(
      {std::move(title), "quickfix", diagnosticsOf(mends), {.file = std::move(file), .asDocumentChanges = true}});
}

void CodeActionBuilder::call(std::string title, protocol::CommandCall call) {
  actions_.push_back({std::move(title), "refactor", {}, {}, std::move(call)});
}

} // namespace lsp::features
