// Code actions about region markers. The place of a finding says which marker is wrong; the markers before it say how.
#include "analysis/text/comment_syntax.h"
#include "lsp/features/code_action_builder.h"

#include <algorithm>

namespace lsp::features {
namespace {

using wire::Finding;
using wire::RegionKind;
using Kind = MarkerComment::Kind;

std::string beginMarker(const std::string &name) {
  return markerText(analysis::comments::kBeginMarker, name);
}

std::string endMarker(const std::string &name) {
  return markerText(analysis::comments::kEndMarker, name);
}

std::string spoken(const std::string &name) {
  return name.empty() ? "the region without a name" : "region " + name;
}

/// `stem` with the first number from `number` on that no marker has.
std::string freeName(const std::vector<MarkerComment> &comments, const std::string &stem, int number) {
  std::string name;
  do
    name = stem + "-" + std::to_string(number++);
  while (std::ranges::find(comments, name, &MarkerComment::name) != comments.end());
  return name;
}

/// Without a selection there is no way to know which lines are meant.
void addWrapping(CodeActionBuilder &actions) {
  if (!actions.isSelection())
    return;
  const std::string name = freeName(actions.comments, "region", 1);
  actions.refactoring("Mark the selected lines as a region: " + beginMarker(name),
                      {actions.insertLineBefore(actions.firstLine, actions.comment(beginMarker(name))),
                       actions.insertLineAfter(actions.lastLine, actions.comment(endMarker(name)))});
}

/// Removes the comment, with its line if there is nothing else on it.
protocol::TextEdit removal(const CodeActionBuilder &actions, const MarkerComment &comment) {
  const Text &text = actions.text;
  const wire::ByteRange content = text.contentOf(comment.line);
  if (content.begin != comment.whole.begin || comment.whole.end != text.lineEnd(comment.line))
    return actions.replace(comment.whole, "");
  const uint32_t next = comment.line + 1;
  return actions.replace({text.lineBegin(comment.line), next < text.lineCount() ? text.lineBegin(next) : text.size()},
                         "");
}

/// An end marker that ends nothing. Any region that is open there may be meant.
void addEndFixes(CodeActionBuilder &actions, size_t index, const Finding *finding) {
  const auto &comments = actions.comments;
  for (const size_t open : openRegions(comments, index))
    actions.quickFix("End " + spoken(comments[open].name) + " here",
                     {actions.replace(comments[index].at, endMarker(comments[open].name))}, finding);
}

/// A begin marker whose name is taken. The first end marker of that name after it counts as its own.
void addBeginFixes(CodeActionBuilder &actions, size_t index, const Finding *finding) {
  const auto &comments = actions.comments;
  const MarkerComment &comment = comments[index];
  actions.quickFix("End " + spoken(comment.name) + " before this one begins",
                   {actions.insertLineBefore(comment.line, actions.comment(endMarker(comment.name)))}, finding);
  const std::string name = freeName(comments, comment.name.empty() ? "region" : comment.name, 2);
  std::vector<protocol::TextEdit> edits{actions.replace(comment.at, beginMarker(name))};
  const auto end = std::find_if(comments.begin() + static_cast<ptrdiff_t>(index), comments.end(),
                                [&](const auto &one) { return one.kind == Kind::End && one.name == comment.name; });
  if (end != comments.end())
    edits.push_back(actions.replace(end->at, endMarker(name)));
  actions.quickFix("Rename this region to " + name, std::move(edits), finding);
}

void addFixes(CodeActionBuilder &actions) {
  const auto &comments = actions.comments;
  for (const Finding *finding : actions.findings("marker-error")) {
    const uint32_t line = actions.text.lineOf(finding->at.begin);
    for (size_t i = 0; i < comments.size(); ++i) {
      if (comments[i].line != line)
        continue;
      if (comments[i].kind == Kind::Begin)
        addBeginFixes(actions, i, finding);
      else if (comments[i].kind == Kind::End)
        addEndFixes(actions, i, finding);
      actions.quickFix("Remove this marker", {removal(actions, comments[i])}, finding);
    }
  }
}

/// The last line of a region that begins with `comments[index]` and has no end: that of the first loop in it, else the
/// one before the next region, else the last one of the text.
uint32_t lastLineOf(const CodeActionBuilder &actions, size_t index) {
  const auto &comments = actions.comments;
  const Text &text = actions.text;
  uint32_t last = text.lineCount() - 1;
  if (last > comments[index].line && text.line(last).empty())
    --last;
  const auto after = comments.begin() + static_cast<ptrdiff_t>(index) + 1;
  if (const auto next = std::ranges::find(after, comments.end(), Kind::Begin, &MarkerComment::kind);
      next != comments.end())
    last = std::max(next->line, comments[index].line + 1) - 1;
  for (const AnalysedRegion &analysed : actions.document.analysis().regions) {
    const wire::Region &region = analysed.region;
    const bool isLoop = region.kind == RegionKind::Loop || region.kind == RegionKind::Path;
    if (isLoop && text.lineOf(region.at.begin) > comments[index].line)
      last = std::min(last, text.lineOf(std::max(region.at.begin + 1, region.at.end) - 1));
  }
  return last;
}

/// llvm-mca ends a region without an end marker at the end of the text, so there is no finding to attach these to.
void addMissingEnds(CodeActionBuilder &actions) {
  const auto &comments = actions.comments;
  for (const size_t open : openRegions(comments, comments.size()))
    if (actions.touches(comments[open].line))
      actions.quickFix(
          "Add the missing " + endMarker(comments[open].name),
          {actions.insertLineAfter(lastLineOf(actions, open), actions.comment(endMarker(comments[open].name)))},
          nullptr);
}

} // namespace

void addMarkerActions(CodeActionBuilder &actions) {
  addWrapping(actions);
  addFixes(actions);
  addMissingEnds(actions);
}

} // namespace lsp::features
