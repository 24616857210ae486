// What would make a loop faster: the question, and once it is answered the changes that an editor can make.
#include "lsp/features/code_action_builder.h"

#include "lsp/wording/advice_text.h"
#include "lsp/wording/loops_of_line.h"

namespace lsp::features {
namespace {

/// The most changes that are offered for a loop.
constexpr size_t kMostOffered = 5;

void addChanges(CodeActionBuilder &actions, const AdviceReport &report) {
  size_t offered = 0;
  for (const Advice &advice : report.advice) {
    std::string title = wording::applyTitle(advice);
    if (title.empty() || offered++ == kMostOffered)
      continue;
    std::vector<protocol::TextEdit> edits;
    for (const wire::Edit &edit : advice.edits)
      edits.push_back(actions.replace(edit.at, edit.newText));
    actions.refactoring(std::move(title), std::move(edits));
  }
}

} // namespace

bool isAdvisable(const Document &document, const wording::LoopsOfLine &onLine) {
  using analysis::wire::RegionKind;
  const RegionKind kind = onLine.front().front()->region.kind;
  return document.settings().advice && document.language() != wire::Language::Assembly && wording::isHinted(onLine) &&
         (kind == RegionKind::Loop || kind == RegionKind::Path);
}

void addAdviceActions(CodeActionBuilder &actions) {
  for (const auto &[line, onLine] :
       wording::loopsByLine(actions.document.analysis(), actions.text, actions.firstLine, actions.lastLine)) {
    if (!isAdvisable(actions.document, onLine))
      continue;
    if (const AdviceReport *report = actions.document.analysis().adviceAt(onLine.front().front()->region.anchor))
      addChanges(actions, *report);
    actions.made.push_back(
        {.title = wording::kAdviceQuestion,
         .kind = "refactor",
         .call = protocol::CommandCall{
             "mca.advise", {{"uri", actions.document.uri()}, {"position", {{"line", line}, {"character", 0}}}}}});
  }
}

} // namespace lsp::features
