// "file:line:column: label: message", without a place "program: label: message" and "label: message". The labels of
// clang's and gcc's messages differ only for what became of a loop: clang says "remark", gcc says "optimized", and
// before version 9 "note".
#include "analysis/compile/compiler_messages.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <optional>

namespace analysis {
namespace {

using std::string_view;
using Kind = LoopRemark::Kind;

constexpr size_t kMaxRemarks = 20'000;

struct Place {
  string_view path; ///< empty when the message has no place
  uint32_t line = 0;
  uint32_t column = 0;
};

/// Takes ":NUMBER" off the end of `text`.
std::optional<uint32_t> takeLastNumber(string_view &text) {
  const size_t colon = text.find_last_of(':');
  if (colon == string_view::npos)
    return std::nullopt;
  uint32_t number = 0;
  const char *const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, number);
  if (error != std::errc() || stopped != end)
    return std::nullopt;
  text = text.substr(0, colon);
  return number;
}

Place parsePlace(string_view text) {
  const std::optional<uint32_t> last = takeLastNumber(text);
  const std::optional<uint32_t> before = last ? takeLastNumber(text) : std::nullopt;
  return last ? Place{text, before.value_or(*last), before ? *last : 0} : Place{};
}

std::string absolutePath(string_view path, const std::string &directory) {
  if (path.empty() || path.front() == '/' || path.front() == '<')
    return std::string(path);
  while (path.substr(0, 2) == "./")
    path.remove_prefix(2);
  return directory + "/" + std::string(path);
}

/// Where `label` stands in the line as a label; npos when it does not.
size_t findLabel(string_view line, string_view label) {
  const size_t at = line.find(label);
  const bool labelled = at == 0 || (at != string_view::npos && at >= 2 && line.substr(at - 2, 2) == ": ");
  return labelled ? at : string_view::npos;
}

std::optional<CompilerDiagnostic> parseError(string_view line, const std::string &directory) {
  for (const string_view label : {"fatal error: ", "error: "}) {
    const size_t at = findLabel(line, label);
    if (at == string_view::npos)
      continue;
    const Place place = parsePlace(line.substr(0, at ? at - 2 : 0));
    return CompilerDiagnostic{absolutePath(place.path, directory), place.line, place.column, wire::Severity::Error,
                              std::string(line.substr(at + label.size()))};
  }
  return std::nullopt;
}

/// The number that follows `name` in the text; 0 when there is none.
uint32_t numberAfter(string_view text, string_view name) {
  const size_t at = text.find(name);
  uint32_t number = 0;
  if (at != string_view::npos)
    std::from_chars(text.data() + at + name.size(), text.data() + text.size(), number);
  return number;
}

/// The number that the text is, with a full stop behind it or none; 0 for anything else.
uint32_t wholeNumber(string_view text) {
  if (text.ends_with('.'))
    text.remove_suffix(1);
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

LoopRemark ofKind(Kind kind) {
  LoopRemark remark;
  remark.kind = kind;
  return remark;
}

LoopRemark vectorizedByClang(string_view message) {
  constexpr string_view kWidth = "vectorization width: ", kScalableWidth = "vectorization width: vscale x ";
  LoopRemark remark = ofKind(Kind::Vectorized);
  remark.scalable = message.find(kScalableWidth) != string_view::npos;
  remark.width = numberAfter(message, remark.scalable ? kScalableWidth : kWidth);
  remark.interleave = numberAfter(message, "interleaved count: ");
  return remark;
}

LoopRemark vectorizedByGcc(string_view message) {
  LoopRemark remark = ofKind(Kind::Vectorized);
  remark.scalable = message.find("variable length") != string_view::npos;
  remark.vectorBytes = numberAfter(message, "vectorized using ");
  return remark;
}

/// What gcc notes on its way to a vectorized loop: it tries several modes, each of which has a factor, and chooses one
/// for the loop and perhaps one for what that leaves. It says which loops it has vectorized when it has chosen both.
class VectorizerNotes {
public:
  void read(string_view message);
  /// The factor of the loop that it says it has vectorized now; 0 when unknown.
  uint32_t take();

private:
  uint32_t factor_ = 0; // of the mode that is tried
  std::map<string_view, uint32_t> factors_;
  std::deque<uint32_t> chosen_;
};

void VectorizerNotes::read(string_view message) {
  message.remove_prefix(std::min(message.find_first_not_of(' '), message.size()));
  const auto follows = [&](string_view words) {
    const bool starts = message.starts_with(words);
    if (starts)
      message.remove_prefix(words.size());
    return starts;
  };
  if (follows("=== analyze_loop_nest"))
    *this = {};
  else if (follows("vectorization factor = ") || follows("Updating vectorization factor to "))
    factor_ = wholeNumber(message);
  else if (follows("***** Analysis succeeded with vector mode "))
    factors_[message] = factor_;
  else if (follows("***** Choosing vector mode ") || follows("***** Choosing epilogue vector mode "))
    chosen_.push_back(factors_[message]);
}

uint32_t VectorizerNotes::take() {
  if (chosen_.empty())
    return 0;
  const uint32_t factor = chosen_.front();
  chosen_.pop_front();
  return factor;
}

LoopRemark unrolled(Kind kind, uint32_t copies) {
  LoopRemark remark = ofKind(kind);
  remark.unroll = copies;
  return remark;
}

/// What the message says of a loop. The vectorizers come first in each pair: clang's, then gcc's words.
std::optional<LoopRemark> parseLoopMessage(string_view message) {
  constexpr string_view kReason = "loop not vectorized: ";
  if (message.starts_with("vectorized loop ("))
    return vectorizedByClang(message);
  if (message.starts_with("loop vectorized using "))
    return vectorizedByGcc(message);
  if (message.starts_with("unrolled loop by a factor of "))
    return unrolled(Kind::Unrolled, numberAfter(message, "factor of "));
  if (message.starts_with("loop unrolled ")) // gcc counts the copies that it adds
    return unrolled(Kind::Unrolled, numberAfter(message, "loop unrolled ") + 1);
  if (message.starts_with("completely unrolled loop"))
    return unrolled(Kind::FullyUnrolled, numberAfter(message, "loop with "));
  if (message.starts_with("loop with ") && message.find("completely unrolled") != string_view::npos)
    return unrolled(Kind::FullyUnrolled, numberAfter(message, "loop with "));
  if (message.starts_with(kReason)) {
    LoopRemark remark = ofKind(Kind::NotVectorized);
    remark.reason = message.substr(kReason.size());
    return remark;
  }
  if (message.starts_with("interleaved loop (")) {
    LoopRemark remark = ofKind(Kind::Interleaved);
    remark.interleave = numberAfter(message, "interleaved count: ");
    return remark;
  }
  return std::nullopt;
}

std::optional<LoopRemark> parseRemark(string_view line, const std::string &directory, VectorizerNotes &notes) {
  for (const string_view label : {"remark: ", "optimized: ", "note: "}) {
    const size_t at = findLabel(line, label);
    if (at == string_view::npos || at == 0)
      continue;
    const string_view message = line.substr(at + label.size());
    std::optional<LoopRemark> remark = parseLoopMessage(message);
    if (!remark)
      notes.read(message);
    else if (remark->vectorBytes)
      remark->width = notes.take();
    const Place place = remark ? parsePlace(line.substr(0, at - 2)) : Place{};
    if (!remark || place.path.empty())
      continue;
    remark->path = absolutePath(place.path, directory);
    remark->line = place.line;
    remark->column = place.column;
    return remark;
  }
  return std::nullopt;
}

} // namespace

CompilerMessages parseCompilerMessages(string_view text, const std::string &directory) {
  CompilerMessages messages;
  VectorizerNotes notes;
  for (const string_view line : linesOf(text)) {
    if (std::optional<LoopRemark> remark = parseRemark(line, directory, notes)) {
      if (messages.remarks.size() < kMaxRemarks)
        messages.remarks.push_back(std::move(*remark));
      continue;
    }
    std::optional<CompilerDiagnostic> error = parseError(line, directory);
    // The driver's summary of a crash says nothing that its exit status does not.
    if (error && !error->message.starts_with("clang frontend command failed"))
      messages.errors.push_back(std::move(*error));
  }
  return messages;
}

std::vector<string_view> linesOf(string_view text) {
  std::vector<string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

} // namespace analysis
