#include "analysis/job/buffer_settings.h"

#include "analysis/wire/finding_codes.h"

#include <charconv>

namespace analysis {
namespace {

constexpr std::string_view kKeyword = "mca:";
/// One iteration more than this is a mistake: a keystroke would wait for it.
constexpr uint32_t kMaxIterations = 1'000'000;

/// The settings behind `mca:`, when the line is such a comment: only comment characters and blanks come before.
std::string_view settingsOn(std::string_view line) {
  const size_t keyword = line.find(kKeyword);
  if (keyword == std::string_view::npos || keyword == 0 || line.find_first_not_of("#;@/*|! \t") != keyword)
    return {};
  return line.substr(keyword + kKeyword.size());
}

/// Takes one `key=value`. Returns what is wrong with it, or nothing.
std::string apply(BufferSettings &settings, std::string_view key, std::string_view value) {
  if (key == "cpu")
    settings.cpu = value;
  else if (key == "triple")
    settings.triple = value;
  else if (key == "features")
    settings.features = value;
  else if (key == "iterations") {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), settings.iterations);
    if (error != std::errc() || end != value.data() + value.size() || settings.iterations == 0 ||
        settings.iterations > kMaxIterations) {
      settings.iterations = 0;
      return "iterations must be a number from 1 to 1000000";
    }
  } else {
    return "unknown key '" + std::string(key) + "': cpu, triple, features and iterations are known";
  }
  return {};
}

void readLine(BufferSettings &settings, std::string_view text, std::string_view words) {
  constexpr std::string_view kBlank = " \t\r\n";
  for (size_t at = words.find_first_not_of(kBlank); at != std::string_view::npos;) {
    const size_t end = std::min(words.find_first_of(kBlank, at), words.size());
    const std::string_view word = words.substr(at, end - at);
    at = words.find_first_not_of(kBlank, end);
    if (word == "*/")
      continue;
    const size_t equals = word.find('=');
    const std::string problem = equals == std::string_view::npos
                                    ? "'" + std::string(word) + "' is not of the form key=value"
                                    : apply(settings, word.substr(0, equals), word.substr(equals + 1));
    if (problem.empty())
      continue;
    const auto begin = static_cast<uint32_t>(word.data() - text.data());
    settings.findings.push_back({.at = {begin, begin + static_cast<uint32_t>(word.size())},
                                 .severity = wire::Severity::Warning,
                                 .code = wire::codes::kBufferSettings,
                                 .message = problem});
  }
}

} // namespace

BufferSettings readBufferSettings(const TextLines &lines) {
  BufferSettings settings;
  BudgetReader budgets(lines);
  const std::string_view text = lines.text();
  for (size_t at = text.find(kKeyword); at != std::string_view::npos; at = text.find(kKeyword, at + 1)) {
    const uint32_t number = lines.lineOf(static_cast<uint32_t>(at));
    const wire::ByteRange line = lines.range(number);
    const std::string_view whole = text.substr(line.begin, line.end - line.begin);
    const std::string_view words = settingsOn(whole);
    if (words.data() == nullptr || words.data() != text.data() + at + kKeyword.size())
      continue;
    if (holdsCondition(words))
      budgets.read(number, words);
    else
      readLine(settings, text, words);
  }
  settings.budgets = budgets.takeBudgets();
  for (wire::Finding &finding : budgets.takeFindings())
    settings.findings.push_back(std::move(finding));
  return settings;
}

} // namespace analysis
