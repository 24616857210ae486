// Reads the words of a budget's line; one wrong word costs its condition, not the line.
#include "analysis/job/budgets.h"

#include "analysis/text/comment_syntax.h"
#include "analysis/wire/finding_codes.h"

#include "llvm/ADT/STLExtras.h"

#include <charconv>
#include <cmath>
#include <optional>

namespace analysis {
namespace {

using wire::Sentence;

bool isCondition(std::string_view word) {
  return word.find_first_of("<>") != std::string_view::npos;
}

std::optional<double> readLimit(std::string_view text) {
  double limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit, std::chars_format::fixed);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(limit) || limit <= 0)
    return std::nullopt;
  return limit;
}

/// Reads one condition into `budget`. Returns what is wrong with it.
std::optional<wire::Words> readCondition(std::string_view word, wire::Budget &budget) {
  const bool isCycles = word.starts_with("cycles<="), isIpc = word.starts_with("ipc>=");
  if (!isCycles && !isIpc)
    return wire::Words{Sentence::UnknownCondition, {std::string(word)}};
  const std::string_view number = word.substr(word.find('=') + 1);
  const std::optional<double> limit = readLimit(number);
  if (!limit)
    return wire::Words{Sentence::NotPositive, {std::string(number)}};
  budget.what = isCycles ? wire::Budget::What::Cycles : wire::Budget::What::Ipc;
  budget.limit = *limit;
  budget.written = number;
  return std::nullopt;
}

} // namespace

bool isBudgetOf(const WrittenBudget &budget, const wire::Region &region) {
  using wire::RegionKind;
  return (region.kind == RegionKind::Marker || region.kind == RegionKind::Path) &&
         region.anchor >= budget.marker.begin && region.anchor <= budget.marker.end;
}

bool holdsCondition(std::string_view words) {
  return llvm::any_of(comments::wordsOf(words), isCondition);
}

void BudgetReader::read(uint32_t line, std::string_view words) {
  const bool follows = hasMarker_ && line == nextLine_;
  hasMarker_ = follows || findMarkerAbove(line);
  nextLine_ = line + 1;
  if (!hasMarker_)
    return addFinding(lines_.content(line), {Sentence::BudgetWithoutMarker});
  const auto begin = static_cast<uint32_t>(words.data() - lines_.text().data());
  const size_t firstOfLine = budgets_.size();
  std::string cpu; // it may come after the conditions that it is for
  for (const std::string_view word : comments::wordsOf(words)) {
    wire::Budget budget{.at = lines_.content(line)};
    std::optional<wire::Words> problem;
    if (word.starts_with(comments::kCpuAssignment))
      cpu = word.substr(comments::kCpuAssignment.size());
    else if (isCondition(word))
      problem = readCondition(word, budget);
    else
      problem = wire::Words{Sentence::NoPartOfBudget, {std::string(word)}};
    if (problem) {
      const uint32_t at = begin + static_cast<uint32_t>(word.data() - words.data());
      addFinding({at, at + static_cast<uint32_t>(word.size())}, std::move(*problem));
    } else if (!budget.written.empty()) {
      budgets_.push_back({std::move(budget), marker_});
    }
  }
  for (WrittenBudget &written : llvm::drop_begin(budgets_, firstOfLine))
    written.budget.cpu = cpu;
}

/// The marker's range begins where its comment opens, not at the keyword.
bool BudgetReader::findMarkerAbove(uint32_t line) {
  if (line == 0)
    return false;
  const wire::ByteRange above = lines_.range(line - 1);
  const std::string_view text = lines_.text().substr(above.begin, above.end - above.begin);
  const size_t keyword = text.find(comments::kBeginMarker);
  if (keyword == std::string_view::npos)
    return false;
  const size_t code =
      keyword == 0 ? std::string_view::npos : text.find_last_not_of(comments::kOpeningOrBlank, keyword - 1);
  const size_t comment = code == std::string_view::npos ? 0 : code + 1;
  marker_ = {above.begin + static_cast<uint32_t>(comment), above.end};
  return true;
}

void BudgetReader::addFinding(wire::ByteRange at, wire::Words words) {
  findings_.push_back(wire::makeFinding(at, wire::codes::kBufferSettings, std::move(words)));
}

} // namespace analysis
