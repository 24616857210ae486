// One append() a struct. The text has the members that to_json(Json &, const Diagnostic &) writes for pulled
// diagnostics; a test compares the two. Texts are made visible as json_rpc.cpp does it.
#include "lsp/protocol/diagnostics_text.h"

#include "analysis/text/visible_text.h"
#include "lsp/protocol/conversions.h"

#include <algorithm>
#include <string_view>

namespace lsp::protocol {
namespace {

constexpr size_t kUsualBytes = 1500; // of a diagnostic with its related places

/// A character that JSON text holds as it is (RFC 8259, section 7), of ASCII alone.
bool isPlain(char c) {
  return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

/// In quotes. The library escapes other texts and replaces bytes that are not UTF-8.
void append(std::string &out, const std::string &text) {
  if (std::ranges::all_of(text, isPlain))
    out.append(1, '"').append(text).append(1, '"');
  else
    out += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The same for a text that is shown.
void appendShown(std::string &out, const std::string &text) {
  append(out, analysis::isVisible(text) ? text : analysis::visibleText(text));
}

/// `key` is the text before the value, with its punctuation.
void append(std::string &out, const char *key, const Position &position) {
  out += key;
  out += R"({"line":)" + std::to_string(position.line) + R"(,"character":)" + std::to_string(position.character) + "}";
}

void append(std::string &out, const char *key, const Range &range) {
  out += key;
  append(out, R"({"start":)", range.start);
  append(out, R"(,"end":)", range.end);
  out += '}';
}

void append(std::string &out, const DiagnosticRelatedInformation &related) {
  out += R"({"location":{"uri":)";
  append(out, related.uri);
  append(out, R"(,"range":)", related.range);
  out += R"(},"message":)";
  appendShown(out, related.message);
  out += '}';
}

void append(std::string &out, const Diagnostic &diagnostic);

/// `[a,b]`.
template <typename Items>
void appendList(std::string &out, const Items &items) {
  out += '[';
  for (size_t i = 0; i < items.size(); ++i) {
    if (i)
      out += ',';
    append(out, items[i]);
  }
  out += ']';
}

void append(std::string &out, const Diagnostic &diagnostic) {
  append(out, R"({"range":)", diagnostic.range);
  out += R"(,"severity":)" + std::to_string(diagnostic.severity) + R"(,"source":"mca","code":)";
  append(out, diagnostic.code);
  out += R"(,"message":)";
  appendShown(out, diagnostic.message);
  if (!diagnostic.codeLink.empty()) {
    out += R"(,"codeDescription":{"href":)";
    append(out, diagnostic.codeLink);
    out += '}';
  }
  if (diagnostic.unnecessary)
    out += R"(,"tags":[1])"; // DiagnosticTag.Unnecessary
  if (!diagnostic.related.empty()) {
    out += R"(,"relatedInformation":)";
    appendList(out, diagnostic.related);
  }
  out += '}';
}

} // namespace

std::string toText(const PublishDiagnosticsParams &params) {
  std::string out = R"({"uri":)";
  out.reserve(params.diagnostics.size() * kUsualBytes);
  append(out, params.uri);
  if (params.version)
    out += R"(,"version":)" + std::to_string(*params.version);
  out += R"(,"diagnostics":)";
  appendList(out, params.diagnostics);
  out += '}';
  return out;
}

} // namespace lsp::protocol
