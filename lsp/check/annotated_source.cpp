// The source with its hints in the margin, as the editor shows them.
#include "lsp/check/check_report.h"

#include "lsp/check/run_wide.h"
#include "lsp/check/terminal.h"

#include <algorithm>
#include <map>
#include <set>

namespace lsp::features {
namespace {

using analysis::wire::TargetSummary;
using protocol::CheckFile;

constexpr uint32_t kShortFile = 60; ///< lines that are shown whole
constexpr uint32_t kContext = 4;    ///< lines around a hint
constexpr size_t kGap = 3;          ///< columns between source and hint

using HintsByLine = std::map<uint32_t, std::string>;

/// By zero-based line.
HintsByLine hintsByLine(const CheckFile &file) {
  HintsByLine lines;
  for (const protocol::CheckHint &hint : file.hints) {
    std::string &line = lines[hint.line - 1];
    line += (line.empty() ? "" : "   ") + displayLine(hint.label);
  }
  return lines;
}

/// The lines to show, in order.
std::set<uint32_t> shownLines(const Text &text, const HintsByLine &hints) {
  std::set<uint32_t> shown;
  uint32_t count = text.lineCount();
  if (count > 1 && text.line(count - 1).empty())
    --count;
  const auto showAround = [&](uint32_t line) {
    const uint32_t from = line - std::min(line, kContext);
    for (uint32_t i = from; i < std::min(count, line + kContext + 1); ++i)
      shown.insert(i);
  };
  for (uint32_t line = 0; line < count && count <= kShortFile; ++line)
    shown.insert(line);
  for (const auto &[line, hint] : hints)
    showAround(line);
  return shown;
}

std::string header(const CheckFile &file, const PageStyle &style) {
  const TargetSummary &target = file.target;
  std::string lines = colored(style.color, Color::Bold, file.name) + "\n";
  const auto add = [&](const std::string &line) { lines += colored(style.color, Color::Dim, "  " + line) + "\n"; };
  if (!target.triple.empty()) {
    const std::string origin = target.cpuOrigin.empty() ? "" : " (" + target.cpuOrigin + ")";
    add(target.triple + " · " + target.cpu + origin);
    add("model: " + target.modelOrigin);
  }
  if (!target.commandOrigin.empty())
    add("compile command: " + target.commandOrigin);
  return lines;
}

/// Where things stand on the page, in characters.
struct Columns {
  size_t number = 0; ///< width of the line numbers
  size_t source = 0; ///< width that a line without a hint may take
  size_t hint = 0;   ///< column of the hints, counted from the source's first
};

Columns columnsFor(const Text &text, const HintsByLine &hints, const std::set<uint32_t> &shown,
                   const PageStyle &style) {
  Columns columns;
  columns.number = shown.empty() ? 1 : std::to_string(*shown.rbegin() + 1).size();
  const size_t gutter = columns.number + 4;
  columns.source = style.width > gutter ? style.width - gutter : 1;
  size_t widestHint = 0;
  for (const auto &[line, hint] : hints) {
    columns.hint = std::max(columns.hint, displayWidth(displayLine(text.line(line))) + kGap);
    widestHint = std::max(widestHint, displayWidth(hint));
  }
  const size_t room = columns.source > widestHint ? columns.source - widestHint : 0;
  columns.hint = std::min(columns.hint, std::max(room, columns.source / 2));
  return columns;
}

std::string sourceLine(const Text &text, uint32_t line, const std::string &hint, const Columns &columns,
                       const PageStyle &style) {
  const std::string number = std::to_string(line + 1);
  const std::string gutter = std::string(columns.number + 1 - number.size(), ' ') + number + " │ ";
  std::string source = displayLine(text.line(line));
  std::string result = colored(style.color, Color::Dim, gutter);
  if (hint.empty())
    return result + cutToWidth(source, columns.source) + "\n";
  source = cutToWidth(source, columns.hint > kGap ? columns.hint - kGap : 0);
  const size_t used = displayWidth(source);
  result += source + std::string(columns.hint > used ? columns.hint - used : 0, ' ');
  const size_t room = columns.source > columns.hint ? columns.source - columns.hint : 1;
  return result + colored(style.color, Color::Green, cutToWidth(hint, room)) + "\n";
}

} // namespace

std::string annotatedSource(const CheckFile &file, const Text &text, const PageStyle &style) {
  const HintsByLine hints = hintsByLine(file);
  const std::set<uint32_t> shown = shownLines(text, hints);
  const Columns columns = columnsFor(text, hints, shown, style);
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
  for (const protocol::CheckFinding &finding : file.findings)
    if (!protocol::isOfSetUp(finding))
      findings += compilerStyle(finding, file.name, style);
  return page + (findings.empty() ? "" : "\n") + findings;
}

} // namespace lsp::features
