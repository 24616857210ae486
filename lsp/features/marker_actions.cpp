// Code actions about region markers. Which marker is wrong the findings say, by their place; what is wrong with it, the
// markers before it.
#include "analysis/common/comment_syntax.h"
#include "lsp/features/code_action_builder.h"

#include <algorithm>
#include <optional>

namespace lsp::features {
namespace {

using analysis::wire::Finding;
using analysis::wire::RegionKind;
using Kind = MarkerComment::Kind;

std::string beginMarker(const std::string &name) {
  return std::string(analysis::comments::kBeginMarker) + (name.empty() ? "" : " " + name);
}

std::string endMarker(const std::string &name) {
  return std::string(analysis::comments::kEndMarker) + (name.empty() ? "" : " " + name);
}

std::string spoken(const std::string &name) {
  return name.empty() ? "the region without a name" : "region " + name;
}

/// `stem` with the first number behind it that no marker has.
std::string freeName(const std::vector<MarkerComment> &comments, const std::string &stem, int number) {
  while (true) {
    const std::string name = stem + "-" + std::to_string(number++);
    if (std::none_of(comments.begin(), comments.end(), [&](const auto &comment) { return comment.name == name; }))
      return name;
  }
}

void addWrapping(CodeActionBuilder &actions) {
  if (!actions.isSelection())
    return;
  const std::string name = freeName(actions.comments(), "region", 1);
  actions.refactoring("Mark the selected lines as a region: " + beginMarker(name),
                      {actions.insertLineBefore(actions.firstLine(), actions.comment(beginMarker(name))),
                       actions.insertLineAfter(actions.lastLine(), actions.comment(endMarker(name)))});
}

/// The comment, with its line when there is nothing else on it.
protocol::TextEdit removal(const CodeActionBuilder &actions, const MarkerComment &comment) {
  const Text &text = actions.text();
  const std::string_view line = text.line(comment.line);
  const bool alone = line.find_first_not_of(" \t") == comment.whole.begin - text.lineBegin(comment.line) &&
                     comment.whole.end == text.lineEnd(comment.line);
  if (!alone)
    return actions.replace(comment.whole, "");
  const uint32_t next = comment.line + 1;
  return actions.replace({text.lineBegin(comment.line), next < text.lineCount() ? text.lineBegin(next) : text.size()},
                         "");
}

/// An end marker that ends nothing.
void addEndFixes(CodeActionBuilder &actions, size_t index, const Finding *finding) {
  const auto &comments = actions.comments();
  for (const size_t open : openRegions(comments, index))
    actions.quickFix("End " + spoken(comments[open].name) + " here",
                     {actions.replace(comments[index].at, endMarker(comments[open].name))}, finding);
}

/// A begin marker whose name is taken: the first end marker behind it is taken for its own.
void addBeginFixes(CodeActionBuilder &actions, size_t index, const Finding *finding) {
  const auto &comments = actions.comments();
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
  const auto &comments = actions.comments();
  for (const Finding *finding : actions.findings("marker-error")) {
    const uint32_t line = actions.text().lineOf(finding->at.begin);
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

/// The line behind which a region that begins with `comments[index]` should end: that of the first loop in it, else the
/// one before the next region, else the last one.
uint32_t lastLineOf(const CodeActionBuilder &actions, size_t index) {
  const auto &comments = actions.comments();
  const Text &text = actions.text();
  uint32_t last = text.lineCount() - 1;
  if (last > comments[index].line && text.line(last).empty())
    --last;
  for (size_t i = index + 1; i < comments.size(); ++i)
    if (comments[i].kind == Kind::Begin) {
      last = std::max(comments[i].line, comments[index].line + 1) - 1;
      break;
    }
  for (const AnalysedRegion &analysed : actions.document().analysis().regions) {
    const analysis::wire::Region &region = analysed.region;
    const bool isLoop = region.kind == RegionKind::Loop || region.kind == RegionKind::Path;
    const uint32_t end = text.lineOf(region.at.end > region.at.begin ? region.at.end - 1 : region.at.end);
    if (isLoop && text.lineOf(region.at.begin) > comments[index].line)
      last = std::min(last, end);
  }
  return last;
}

void addMissingEnds(CodeActionBuilder &actions) {
  const auto &comments = actions.comments();
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
