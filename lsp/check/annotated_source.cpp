// The source with its hints in the margin, as the editor shows them. A line that is too long for the terminal is cut
// rather than wrapped, so that the hints stay in one column.
#include "lsp/check/check_report.h"
#include "lsp/check/terminal.h"
#include "lsp/wording/words.h"

#include <algorithm>
#include <map>
#include <set>

namespace lsp {
namespace {

constexpr uint32_t kShortFile = 60; ///< lines that are shown whole
constexpr uint32_t kContext = 4;    ///< lines around a hint
constexpr size_t kGap = 3;          ///< columns between source and hint

using HintsByLine = std::map<uint32_t, std::string>;

/// By zero-based line. Loops on one line have one hint; several hints on a line are those of merged views of a header.
HintsByLine hintsByLine(const CheckFile &file) {
  HintsByLine lines;
  for (const CheckHint &hint : file.hints) {
    std::string &line = lines[hint.line - 1];
    line += (line.empty() ? "" : "   ") + displayLine(hint.label);
  }
  return lines;
}

/// Zero-based. All lines of a short file; of a longer one the surroundings of the hints, as a diff shows those of
/// changes.
std::set<uint32_t> shownLines(const Text &text, const HintsByLine &hints) {
  uint32_t count = text.lineCount();
  if (count > 1 && text.line(count - 1).empty())
    --count; // the empty line after a final line break
  std::set<uint32_t> shown;
  const auto show = [&](uint32_t from, uint32_t to) {
    for (; from < std::min(to, count); ++from)
      shown.insert(from);
  };
  if (count <= kShortFile)
    show(0, count);
  for (const auto &[line, hint] : hints)
    show(line - std::min(line, kContext), line + kContext + 1);
  return shown;
}

/// What a reader needs to judge the hints: the CPU and who chose it, whose model it is, and the command.
std::string header(const CheckFile &file, const PageStyle &style) {
  const analysis::wire::TargetSummary &target = file.target;
  std::string lines = colored(style.color, Color::Bold, displayLine(file.name)) + "\n";
  const auto add = [&](const std::string &line) {
    lines += colored(style.color, Color::Dim, "  " + displayLine(line)) + "\n";
  };
  if (!target.triple.empty()) {
    add(target.triple + " · " + target.cpu + (target.cpuOrigin.empty() ? "" : " (" + target.cpuOrigin + ")"));
    add("model: " + target.modelOrigin);
  }
  if (!target.commandOrigin.empty())
    add("compile command: " + target.commandOrigin);
  return lines;
}

/// The columns of a page, in characters.
struct Columns {
  size_t number = 0; ///< width of the line numbers
  size_t source = 0; ///< width of a line without a hint
  size_t hint = 0;   ///< where hints begin, from the source's first column
};

/// `a - b`, but at least `least`.
size_t difference(size_t a, size_t b, size_t least = 0) {
  return a > b ? a - b : least;
}

/// Hints stand to the right of the longest line with a hint. They move to the left if the widest of them would be cut,
/// but leave half of the page to the source.
Columns columnsFor(const Text &text, const HintsByLine &hints, const std::set<uint32_t> &shown, size_t width) {
  Columns columns;
  columns.number = shown.empty() ? 1 : std::to_string(*shown.rbegin() + 1).size();
  columns.source = difference(width, columns.number + 4, 1);
  size_t widestHint = 0;
  for (const auto &[line, hint] : hints) {
    columns.hint = std::max(columns.hint, displayWidth(displayLine(text.line(line))) + kGap);
    widestHint = std::max(widestHint, displayWidth(hint));
  }
  columns.hint = std::min(columns.hint, std::max(difference(columns.source, widestHint), columns.source / 2));
  return columns;
}

/// The line with its number; `hint` may be empty.
std::string sourceLine(const Text &text, uint32_t line, const std::string &hint, const Columns &columns,
                       const PageStyle &style) {
  const std::string gutter = wording::rightAligned(std::to_string(line + 1), columns.number + 1) + " │ ";
  const std::string source = displayLine(text.line(line));
  std::string result = colored(style.color, Color::Dim, gutter);
  if (hint.empty())
    return result + cutToWidth(source, columns.source) + "\n";
  const std::string cut = cutToWidth(source, difference(columns.hint, kGap));
  result += cut + std::string(difference(columns.hint, displayWidth(cut)), ' ');
  const size_t room = difference(columns.source, columns.hint, 1);
  return result + colored(style.color, Color::Green, cutToWidth(hint, room)) + "\n";
}

} // namespace

std::string annotatedSource(const CheckFile &file, const Text &text, const PageStyle &style) {
  const HintsByLine hints = hintsByLine(file);
  const std::set<uint32_t> shown = shownLines(text, hints);
  const Columns columns = columnsFor(text, hints, shown, style.width);
  const std::string elision = colored(style.color, Color::Dim, std::string(columns.number, ' ') + "…") + "\n";
  std::string page = header(file, style) + "\n";
  uint32_t next = 0;
  for (const uint32_t line : shown) {
    if (line != next)
      page += elision;
    const auto hint = hints.find(line);
    page += sourceLine(text, line, hint == hints.end() ? "" : hint->second, columns, style);
    next = line + 1;
  }
  if (next + 1 < text.lineCount())
    page += elision;
  std::string findings;
  for (const CheckFinding &finding : file.findings)
    if (!isOfSetUp(finding))
      findings += compilerStyle(finding, file.name, style);
  return page + (findings.empty() ? "" : "\n") + findings;
}

} // namespace lsp
