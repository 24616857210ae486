// One append() a struct. The text has the members that to_json(Json &, const Diagnostic &) writes for pulled
// diagnostics; a test compares the two.
#include "lsp/protocol/diagnostics_text.h"

#include "lsp/protocol/json_strings.h"

#include <string_view>

namespace lsp::protocol {
namespace {

constexpr size_t kUsualBytes = 1500; // of a diagnostic with its related places

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
  appendString(out, related.uri);
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
  appendString(out, diagnostic.code);
  out += R"(,"message":)";
  appendShown(out, diagnostic.message);
  if (!diagnostic.codeLink.empty()) {
    out += R"(,"codeDescription":{"href":)";
    appendString(out, diagnostic.codeLink);
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
  appendString(out, params.uri);
  if (params.version)
    out += R"(,"version":)" + std::to_string(*params.version);
  out += R"(,"diagnostics":)";
  appendList(out, params.diagnostics);
  out += '}';
  return out;
}

} // namespace lsp::protocol
