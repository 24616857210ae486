// A buffer of C, C++ or assembly of any bytes, as it is read without a compiler: marker comments, settings and
// statements in comments, loop statements, functions, lines. The first byte chooses the language.
//
// Places lie inside the text, markers are where the text has them, and what holds other text nests.
#include "analysis/job/buffer_settings.h"
#include "analysis/regions/loop_statements.h"
#include "analysis/regions/source_markers.h"
#include "analysis/text/comment_syntax.h"
#include "mca-core/measure/measure_statement.h"
#include "tests/fuzz/property.h"

#include <algorithm>
#include <cstdint>

namespace {

using namespace analysis;
using fuzz::require;

void requireInside(uint64_t begin, uint64_t end, std::string_view text) {
  require(begin <= end && end <= text.size());
}
void requireInside(wire::ByteRange at, std::string_view text) {
  requireInside(at.begin, at.end, text);
}
bool holds(wire::ByteRange outer, wire::ByteRange inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

void checkDiagnostic(const mca::Diagnostic &diagnostic, std::string_view text) {
  requireInside(diagnostic.begin, diagnostic.end, text);
  require(!diagnostic.message.empty());
  for (const mca::Diagnostic::Related &related : diagnostic.related)
    requireInside(related.begin, related.end, text);
}

// ---- lines and comments --------------------------------------------------------------------------------------------

void checkLine(std::string_view line) {
  const size_t settings = comments::settingsBegin(line);
  if (settings != std::string_view::npos) {
    require(line.substr(0, settings).ends_with(comments::kSettings));
    require(comments::commentBegin(line, settings - comments::kSettings.size()) != std::string_view::npos);
  }
  for (const size_t inside : {size_t{0}, line.size() / 2, line.size()}) {
    const size_t begin = comments::commentBegin(line, inside);
    require(begin == std::string_view::npos || begin < inside);
    require(comments::commentEnd(line, inside) <= line.size());
  }
  for (const std::string_view word : comments::wordsOf(line))
    require(!word.empty() && word.data() >= line.data() && word.data() + word.size() <= line.data() + line.size() &&
            word.find_first_of(comments::kBlank) == std::string_view::npos);
}

void checkLines(const TextLines &lines) {
  uint32_t last = 0;
  for (uint32_t line = 0; line < lines.count(); ++line) {
    const wire::ByteRange range = lines.range(line);
    requireInside(range, lines.text());
    require(range.begin >= last && holds(range, lines.content(line)));
    require(lines.lineOf(range.begin) == line && lines.lineOf(range.end) == line);
    require(lines.lineOf(range.end, line / 2) == line && lines.lineOf(range.begin, lines.count() - 1) == line);
    last = range.end;
    checkLine(lines.lineText(line));
  }
}

// ---- what comments say ---------------------------------------------------------------------------------------------

void checkMarkers(std::string_view text, wire::Language language) {
  const SourceMarkers found = findSourceMarkers(text, language);
  for (const mca::MarkerRegion &region : found.regions) {
    const uint64_t end = region.end == mca::MarkerRegion::kOpen ? text.size() : region.end;
    requireInside(region.begin, end, text);
    if (region.hasBegin) {
      requireInside(region.begin, uint64_t{region.begin} + region.beginLength, text);
      const auto body = mca::markerBody(text.substr(region.begin, region.beginLength));
      require(body && body->starts_with(comments::kBegin));
    }
    if (region.end != mca::MarkerRegion::kOpen) {
      const auto body = mca::markerBody(text.substr(region.end));
      require(body && body->starts_with(comments::kEnd));
    }
  }
  for (const mca::Diagnostic &diagnostic : found.diagnostics)
    checkDiagnostic(diagnostic, text);
}

void checkSettings(const TextLines &lines) {
  constexpr uint32_t kMaxIterations = 1'000'000;
  const std::string_view text = lines.text();
  const BufferSettings settings = readBufferSettings(lines);
  require(settings.iterations <= kMaxIterations);
  for (const std::string &value : {settings.cpu, settings.triple, settings.features})
    require(text.find(value) != std::string_view::npos);
  for (const wire::Finding &finding : settings.findings) {
    requireInside(finding.at, text);
    require(!finding.message.empty() || finding.words.sentence != wire::Sentence::None);
  }
  for (const WrittenBudget &budget : settings.budgets) {
    requireInside(budget.budget.at, text);
    requireInside(budget.marker, text);
    require(budget.budget.limit > 0 && text.find(budget.budget.written) != std::string_view::npos);
    require(text.substr(budget.marker.begin, budget.marker.end - budget.marker.begin).find(comments::kBeginMarker) !=
            std::string_view::npos);
  }
  for (const TraceComment &trace : settings.traces) {
    requireInside(trace.at, text);
    require(text.substr(trace.at.begin).starts_with(trace.isPath ? comments::kPath : comments::kTrace));
  }
  for (const wire::ByteRange measure : settings.measures) {
    requireInside(measure, text);
    require(text.substr(measure.begin).starts_with(comments::kSettings));
  }
  for (const PointerComment &pointers : settings.pointers) {
    requireInside(pointers.at, text);
    require(text.substr(pointers.at.begin).starts_with(pointers.meet ? mca::kAlias : mca::kDistinct));
  }
}

void checkMeasureStatements(std::string_view text) {
  const mca::measure::MeasureStatements found = mca::measure::readMeasureStatements(text);
  for (const mca::measure::MeasureStatement &statement : found.statements)
    require(statement.offset <= text.size());
  for (const mca::Diagnostic &diagnostic : found.diagnostics)
    checkDiagnostic(diagnostic, text);
}

// ---- what statements hold ------------------------------------------------------------------------------------------

void checkTokens(std::string_view text, wire::Language language) {
  const SourceTokens tokens(text, language);
  uint32_t last = 0;
  for (size_t at = 0; at < tokens.size(); ++at) {
    const Token &token = tokens[at];
    requireInside(token.begin, token.end, text);
    require(token.begin >= last && (token.pragma == Token::kNone || token.pragma <= token.begin));
    require(token.word != Word::Alternative || (token.resume <= tokens.size() && token.resume > at));
    last = token.end;
  }
  // The hash may be a digraph, or come after a line that a backslash continues.
  for (const IncludeLine &include : tokens.includes())
    require(include.offset < text.size() &&
            std::string_view("#%\\").find(text[include.offset]) != std::string_view::npos);
}

void checkFunction(const FunctionExtent &function, std::string_view text) {
  requireInside(function.extent, text);
  if (function.name.begin != function.name.end)
    require(holds(function.extent, function.name));
  uint32_t last = function.extent.begin;
  for (const uint32_t call : function.ownCalls) {
    require(call >= last && call < function.extent.end);
    last = call;
  }
}

/// Whether the offset is in the function's body for sure. Text that is no program may have the keyword of a loop in a
/// function's head, or brackets that no branch of a conditional closes.
bool isInBody(std::string_view text, const FunctionExtent &function, uint32_t offset) {
  const std::string_view before = text.substr(function.extent.begin, offset - function.extent.begin);
  return std::ranges::count(before, '{') > std::ranges::count(before, '}') && text.find('#') == std::string_view::npos;
}

void checkStatements(std::string_view text, wire::Language language) {
  const LoopStatements statements(text, language);
  for (const FunctionExtent &function : statements.functions().all())
    checkFunction(function, text);
  for (uint32_t at = 0; at < text.size(); ++at) {
    const LoopStatement *one = statements.around(at);
    require(!one || (one->extent.begin <= at && at < one->extent.end));
    for (const LoopStatement *inner = nullptr; one; inner = one, one = statements.around(*one)) {
      requireInside(one->extent, text);
      require(holds(one->extent, {one->keyword, one->headEnd}));
      require(!inner || one->extent.begin <= inner->extent.begin);
      const FunctionExtent *function = statements.functions().around(one->keyword);
      require(!function || !isInBody(text, *function, one->keyword) || one->extent.end <= function->extent.end);
    }
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  const std::string text(fuzz::textOf(data + 1, size - 1)); // clang's lexer needs the NUL byte at its end
  const TextLines lines(text);
  checkLines(lines);
  checkSettings(lines);
  checkMeasureStatements(text);
  if (data[0] % 3 == 0)
    return 0;
  const wire::Language language = data[0] % 3 == 1 ? wire::Language::C : wire::Language::Cxx;
  checkMarkers(text, language);
  checkTokens(text, language);
  checkStatements(text, language);
  return 0;
}
