#include "lsp/check/check_summary.h"

#include "analysis/common/counts.h"
#include "lsp/check/run_wide.h"
#include "lsp/check/terminal.h"
#include "lsp/check/worst_loops.h"

#include <array>
#include <string_view>

namespace lsp::features {
namespace {

using analysis::counted;
using analysis::wire::Severity;
using protocol::CheckFile;
using protocol::CheckFinding;

/// A list of worst_loops.h and what it is called.
struct TitledList {
  const char *title;
  const std::vector<WorstLoop> *loops;
  size_t inAll;
};

std::array<TitledList, 3> listsOf(const WorstLoops &worst) {
  return {{{"budgets missed or not checked", &worst.budgets, worst.budgetsInAll},
           {"biggest changes since the baseline", &worst.changed, worst.changedInAll},
           {"most cycles in one call of the function, as the compiler expects its loops to run", &worst.costly,
            worst.costlyInAll}}};
}

std::string totals(const std::vector<CheckFile> &files) {
  const protocol::CheckCounts counts = countsOf(files);
  std::string text = counted(counts.files, "file") + ", " + counted(counts.regions, "region") + ": " +
                     counted(counts.errors, "error") + ", " + counted(counts.warnings, "warning") + ", " +
                     counted(counts.information, "remark");
  if (counts.loops)
    text += "; " + std::to_string(counts.hinted) + " of " + counted(counts.loops, "innermost loop") + " with a hint";
  if (counts.compared)
    text += "; " + counted(counts.compared, "region") + " compared with the baseline";
  return text;
}

std::string shownOf(size_t shown, size_t all) {
  return shown < all ? std::to_string(shown) + " of " + std::to_string(all) : std::to_string(all);
}

/// " (12 files)"; nothing for one.
std::string filesOf(const protocol::RunWideLine &line) {
  return line.files > 1 ? " (" + std::to_string(line.files) + " files)" : "";
}

// ---- markdown ------------------------------------------------------------------------------------------------------

constexpr size_t kCellWidth = 200; ///< characters

/// A text that shows as it is, on one line and in one cell of a table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : cutToWidth(displayLine(text), kCellWidth)) {
    if (std::string_view("\\`*_[]<>|~#&@").find(c) != std::string_view::npos)
      escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string row(const CheckFile &file, uint32_t line, std::string_view name, std::string_view text) {
  return "| " + cell(file.name + ":" + std::to_string(line)) + " | " + (name.empty() ? "" : cell(name) + ": ") +
         cell(text) + " |\n";
}

std::string section(const std::string &title, size_t shown, size_t all, const std::string &rows) {
  return rows.empty() ? "" : "\n### " + title + " (" + shownOf(shown, all) + ")\n\n| | |\n|---|---|\n" + rows;
}

std::string capitalized(std::string text) {
  text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

std::string errorSection(const std::vector<CheckFile> &files, size_t top) {
  std::string rows;
  size_t all = 0;
  for (const CheckFile &file : files)
    for (const CheckFinding &finding : file.findings)
      if (finding.severity == Severity::Error && all++ < top)
        rows += row(file, finding.at.line, "", finding.message);
  return section("Errors", std::min(top, all), all, rows);
}

} // namespace

std::string setUpLines(const std::vector<CheckFile> &files, const PageStyle &style) {
  std::string text;
  for (const protocol::RunWideLine &line : protocol::runWideLines(files)) {
    if (line.finding) {
      CheckFinding finding = *line.finding;
      finding.message += filesOf(line);
      text += compilerStyle(finding, line.first->name, style);
    } else
      text += line.first->name + ": note: " + displayLine(*line.text) + filesOf(line) + "\n";
  }
  return text;
}

std::string checkSummary(const std::vector<CheckFile> &files, size_t top, const PageStyle &style) {
  const WorstLoops worst = worstLoops(files, top);
  std::string text;
  for (const TitledList &list : listsOf(worst)) {
    // One loop is the worst of its kind.
    if (list.loops->empty() || (list.loops == &worst.costly && list.inAll == 1))
      continue;
    text += colored(style.color, Color::Bold, list.title) + " (" + shownOf(list.loops->size(), list.inAll) + "):\n";
    for (const WorstLoop &loop : *list.loops)
      text += "  " + loop.file->name + ":" + std::to_string(loop.line) + ": " +
              (loop.name.empty() ? "" : displayLine(loop.name) + ": ") + displayLine(loop.reason) + "\n";
  }
  return text + (files.size() > 1 ? totals(files) + "\n" : "");
}

std::string checkMarkdown(const std::vector<CheckFile> &files, size_t top) {
  std::string text = "## mca-lsp\n\n" + totals(files) + ".\n";
  text += errorSection(files, top);
  const WorstLoops worst = worstLoops(files, top);
  for (const TitledList &list : listsOf(worst)) {
    std::string rows;
    for (const WorstLoop &loop : *list.loops)
      rows += row(*loop.file, loop.line, loop.name, loop.reason);
    text += section(capitalized(list.title), list.loops->size(), list.inAll, rows);
  }
  std::string setUp;
  for (const protocol::RunWideLine &line : protocol::runWideLines(files))
    setUp += "- " + cell(*line.text + filesOf(line)) + "\n";
  return text + (setUp.empty() ? "" : "\n### Set-up\n\n" + setUp);
}

} // namespace lsp::features
