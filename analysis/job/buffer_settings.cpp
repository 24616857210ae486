// Reads `mca:` comments. They may stand anywhere in a buffer, and the whole text is searched before each analysis, so
// the search is for one short string and looks at lines only where it occurs.
#include "analysis/job/buffer_settings.h"

#include "analysis/text/comment_syntax.h"
#include "analysis/wire/finding_codes.h"

#include <charconv>
#include <optional>

namespace analysis {
namespace {

using wire::Sentence;

/// Larger numbers are taken for a mistake, since every keystroke would wait for the simulation.
constexpr uint32_t kMaxIterations = 1'000'000;

/// Applies one `key=value` of a line. Returns what is wrong with it.
std::optional<wire::Words> apply(BufferSettings &settings, uint32_t line, std::string_view key,
                                 std::string_view value) {
  if (key == comments::kCpu)
    settings.cpu = value;
  else if (key == comments::kTriple)
    settings.triple = value;
  else if (key == comments::kFeatures)
    settings.features = value;
  else if (key == comments::kIterations) {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), settings.iterations);
    if (error != std::errc() || end != value.data() + value.size() || settings.iterations == 0 ||
        settings.iterations > kMaxIterations) {
      settings.iterations = 0;
      return wire::Words{Sentence::BadIterations};
    }
  } else if (key == comments::kTripCount) {
    uint64_t count = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
    if (error != std::errc() || end != value.data() + value.size() || count == 0)
      return wire::Words{Sentence::BadTripCount};
    settings.tripCounts.push_back({line, count});
  } else if (key == comments::kSyntax) {
    if (value != comments::kIntelSyntax && value != comments::kAttSyntax)
      return wire::Words{Sentence::BadSyntax};
    settings.syntax = value;
  } else {
    return wire::Words{Sentence::UnknownKey, {std::string(key)}};
  }
  return std::nullopt;
}

void readLine(BufferSettings &settings, std::string_view text, uint32_t line, std::string_view words) {
  for (const std::string_view word : comments::wordsOf(words)) {
    const size_t equals = word.find('=');
    std::optional<wire::Words> problem = equals == std::string_view::npos
                                             ? wire::Words{Sentence::NotKeyAndValue, {std::string(word)}}
                                             : apply(settings, line, word.substr(0, equals), word.substr(equals + 1));
    if (!problem)
      continue;
    const auto begin = static_cast<uint32_t>(word.data() - text.data());
    settings.findings.push_back(wire::makeFinding({begin, begin + static_cast<uint32_t>(word.size())},
                                                  wire::codes::kBufferSettings, std::move(*problem)));
  }
}

/// The statement about branches in a line, whose settings begin at `begin`. `lineBegin`: the line's offset.
std::optional<TraceComment> traceIn(std::string_view line, size_t begin, uint32_t lineBegin) {
  const size_t first = line.find_first_not_of(comments::kBlank, begin);
  if (first == std::string_view::npos)
    return std::nullopt;
  const std::string_view word = line.substr(first, line.find_first_of(" \t\r:(", first) - first);
  if (word != comments::kTrace && word != comments::kPath)
    return std::nullopt;
  return TraceComment{.isPath = word == comments::kPath,
                      .at = {lineBegin + static_cast<uint32_t>(first),
                             lineBegin + static_cast<uint32_t>(comments::commentEnd(line, first))}};
}

bool startsMeasureStatement(std::string_view words) {
  const std::vector<std::string_view> all = comments::wordsOf(words);
  return !all.empty() && all.front() == comments::kMeasure;
}

} // namespace

BufferSettings readBufferSettings(const TextLines &lines) {
  BufferSettings settings;
  BudgetReader budgets(lines);
  const std::string_view text = lines.text();
  for (size_t at = text.find(comments::kSettings); at != std::string_view::npos;
       at = text.find(comments::kSettings, at + 1)) {
    const uint32_t number = lines.lineOf(static_cast<uint32_t>(at));
    const wire::ByteRange line = lines.range(number);
    const std::string_view whole = text.substr(line.begin, line.end - line.begin);
    const size_t begin = comments::settingsBegin(whole);
    if (begin == std::string_view::npos || line.begin + begin != at + comments::kSettings.size())
      continue;
    const std::string_view words = whole.substr(begin);
    const auto keyword = static_cast<uint32_t>(at);
    if (std::optional<TraceComment> trace = traceIn(whole, begin, line.begin))
      settings.traces.push_back(*trace);
    else if (const auto statement = mca::readPointerStatement(text.substr(at, line.end - at), keyword)) {
      if (mca::isAboutPointers(&*statement)) // that about operands holds without a comment here
        settings.pointers.push_back({statement->meet, statement->names, {statement->begin, statement->end}});
    } else if (startsMeasureStatement(words))
      settings.measures.push_back(
          {keyword, line.begin + static_cast<uint32_t>(comments::commentEnd(whole, keyword - line.begin))});
    else if (holdsCondition(words))
      budgets.read(number, words);
    else
      readLine(settings, text, number, words);
  }
  settings.budgets = budgets.takeBudgets();
  for (wire::Finding &finding : budgets.takeFindings())
    settings.findings.push_back(std::move(finding));
  return settings;
}

} // namespace analysis
