// The lists of worst_loops.h as text and as markdown.
#include "lsp/check/check_report.h"

#include "analysis/text/counts.h"
#include "lsp/check/terminal.h"
#include "lsp/check/worst_loops.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

namespace lsp {
namespace {

using analysis::counted;

/// "2 files, 7 regions: 0 errors, 1 warning, 3 remarks; 4 of 6 innermost loops with a hint".
std::string totals(const std::vector<CheckFile> &files) {
  const CheckCounts counts = countsOf(files);
  std::string text = counted(counts.files, "file") + ", " + counted(counts.regions, "region") + ": " +
                     counted(counts.errors, "error") + ", " + counted(counts.warnings, "warning") + ", " +
                     counted(counts.information, "remark");
  if (counts.loops)
    text += "; " + std::to_string(counts.hinted) + " of " + counted(counts.loops, "innermost loop") + " with a hint";
  if (counts.compared)
    text += "; " + counted(counts.compared, "region") + " compared with the baseline";
  return text;
}

/// " (3 of 12)"
std::string shownOf(const WorstList &list) {
  const size_t shown = list.loops.size();
  return " (" + (shown < list.inAll ? std::to_string(shown) + " of " : "") + std::to_string(list.inAll) + ")";
}

/// " (12 files)"; nothing for one, which the line names.
std::string filesOf(const SetUpMessage &message) {
  return message.files > 1 ? " (" + std::to_string(message.files) + " files)" : "";
}

// ---- markdown ------------------------------------------------------------------------------------------------------

/// The text as a code span (CommonMark 6.1) of one line. GitHub and others make links of addresses, of what follows @
/// and #, and of numbers of commits, wherever they stand, and an escaped character is no other to them; only in code do
/// they leave a text as it is. Empty for an empty text.
std::string codeSpan(std::string_view text) {
  constexpr size_t kWidth = 200; // characters
  std::string code = cutToWidth(displayLine(text), kWidth);
  if (code.empty())
    return "";
  size_t longest = 0, run = 0;
  for (const char c : code) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  // A blank at both ends is taken off, and keeps a backtick of the text from the fence.
  const auto isAtEnd = [&](char c) { return code.front() == c || code.back() == c; };
  if (isAtEnd('`') || isAtEnd(' '))
    code = " " + code + " ";
  const std::string fence(longest + 1, '`');
  return fence + code + fence;
}

/// The same in a cell of a table, which a vertical bar would end, in code, too (GFM 4.10).
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : codeSpan(text))
    escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

/// "▉▉▉▉ " for a share of 20 %; empty for none.
std::string barOf(double share) {
  constexpr double kColumns = 20; // of the whole
  std::string bar;
  for (long columns = std::lround(share * kColumns); columns > 0; --columns)
    bar += "▉";
  return bar.empty() ? bar : bar + " ";
}

/// A table of GitHub-flavoured markdown needs a heading row: an empty one takes the least room.
std::string section(const WorstList &list) {
  std::string title = list.title;
  title.front() = static_cast<char>(std::toupper(title.front()));
  std::string text = "\n### " + title + shownOf(list) + "\n\n| | |\n|---|---|\n";
  for (const WorstLoop &loop : list.loops)
    text += "| " + cell(loop.file->name + ":" + std::to_string(loop.line)) + " | " + barOf(loop.share) +
            (loop.name.empty() ? "" : cell(loop.name) + ": ") + cell(loop.reason) + " |\n";
  return text;
}

} // namespace

std::string setUpLines(const std::vector<CheckFile> &files, const PageStyle &style) {
  std::string text;
  for (const SetUpMessage &message : setUpMessages(files))
    if (message.finding) {
      CheckFinding finding = *message.finding;
      finding.message += filesOf(message);
      text += compilerStyle(finding, message.first->name, style);
    } else {
      text += displayLine(message.first->name + ": note: " + *message.text) + filesOf(message) + "\n";
    }
  return text;
}

std::string checkSummary(const std::vector<CheckFile> &files, size_t top, const PageStyle &style) {
  const WorstLoops worst = worstLoops(files, top);
  std::string text;
  for (const WorstList *list :
       {&worst.budgets, &worst.changed, &worst.hottest, &worst.advised, &worst.costly}) { // errors stand at their files
    // A ranking of one loop says nothing, and one by the compiler's expectations nothing that a profile does not say.
    if (list->loops.empty() || (list == &worst.costly && (list->inAll == 1 || !worst.hottest.loops.empty())))
      continue;
    text += colored(style.color, Color::Bold, list->title) + shownOf(*list) + ":\n";
    for (const WorstLoop &loop : list->loops)
      text += "  " +
              displayLine(loop.file->name + ":" + std::to_string(loop.line) + ": " +
                          (loop.name.empty() ? "" : loop.name + ": ") + loop.reason) +
              "\n";
  }
  return text + (files.size() > 1 ? totals(files) + "\n" : "");
}

std::string checkMarkdown(const std::vector<CheckFile> &files, size_t top) {
  // A heading for each section and none without entries: a comment without news stays short.
  std::string text = "## mca-lsp\n\n" + totals(files) + ".\n";
  const WorstLoops worst = worstLoops(files, top);
  for (const WorstList *list :
       {&worst.errors, &worst.budgets, &worst.changed, &worst.hottest, &worst.advised, &worst.costly})
    if (!list->loops.empty() && !(list == &worst.costly && !worst.hottest.loops.empty()))
      text += section(*list);
  std::string setUp;
  for (const std::string &calibration : calibrationsOf(files))
    setUp += "- calibration: " + codeSpan(calibration) + "\n";
  for (const SetUpMessage &message : setUpMessages(files))
    setUp += "- " + codeSpan(*message.text) + filesOf(message) + "\n";
  return text + (setUp.empty() ? "" : "\n### Set-up\n\n" + setUp);
}

} // namespace lsp
