// What would make a loop faster: the question, and once it is answered the changes that an editor can make.
#include "lsp/features/code_action_builder.h"

#include "lsp/wording/advice_text.h"
#include "lsp/wording/loops_of_line.h"
#include "lsp/wording/measured_text.h"

#include <algorithm>

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

/// Whether timing could tell more of what was found. It asks for trust when it is chosen.
bool isWorthTiming(const Document &document, const AdviceReport &report) {
  const auto isOpen = [](const TriedChange &change) { return change.end == TriedEnd::NeedsMeasuring; };
  return wording::whyNotMeasurable(document.analysis().target.triple).empty() &&
         (!report.advice.empty() || std::ranges::any_of(report.others, isOpen));
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
    const protocol::Json place = {{"uri", actions.document.uri()}, {"position", {{"line", line}, {"character", 0}}}};
    if (const AdviceReport *report = actions.document.analysis().adviceAt(onLine.front().front()->region.anchor)) {
      addChanges(actions, *report);
      if (isWorthTiming(actions.document, *report)) {
        protocol::Json timed = place;
        timed["measured"] = true;
        actions.made.push_back({.title = wording::kMeasureBoth,
                                .kind = "refactor",
                                .call = protocol::CommandCall{"mca.advise", std::move(timed)}});
      }
    }
    actions.made.push_back(
        {.title = wording::kAdviceQuestion, .kind = "refactor", .call = protocol::CommandCall{"mca.advise", place}});
  }
}

} // namespace lsp::features
