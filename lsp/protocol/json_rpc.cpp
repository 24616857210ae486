// Requests, notifications and responses are distinguished by their members `method` and `id` (JSON-RPC 2.0, sections 4
// and 5). Text is repaired only after the parser has refused it, as nearly every message is valid.
#include "lsp/protocol/json_rpc.h"

#include "analysis/text/visible_text.h"
#include "lsp/protocol/unicode.h"

#include <algorithm>
#include <charconv>

namespace lsp::protocol {
namespace {

/// With the type that the client chose: 1 and "1" are different ids.
Json idJson(const RequestId &id) {
  return std::visit([](const auto &value) { return Json(value); }, id);
}

/// A message with a `method`. Without an `id` it is a notification; an id of another type makes it neither.
Incoming classifyCall(Json &message) {
  const auto id = readId(message);
  const auto method = message.find("method");
  if (!method->is_string())
    return Malformed{ErrorCode::InvalidRequest, "the method is not a string", id};
  Json params = message.contains("params") ? std::move(message["params"]) : Json();
  if (!params.is_null() && !params.is_structured())
    return Malformed{ErrorCode::InvalidRequest, "params are neither an object nor an array", id};
  if (!message.contains("id"))
    return Notification{method->get<std::string>(), std::move(params)};
  if (!id)
    return Malformed{ErrorCode::InvalidRequest, "the id is neither an integer nor a string", id};
  return Request{*id, method->get<std::string>(), std::move(params)};
}

Incoming classify(Json &message) {
  if (message.is_array())
    return Malformed{ErrorCode::InvalidRequest, "batches are not part of the Language Server Protocol", std::nullopt};
  if (!message.is_object())
    return Malformed{ErrorCode::InvalidRequest, "the message is not an object", std::nullopt};
  if (message.contains("method"))
    return classifyCall(message);
  const auto id = readId(message);
  const bool isAboutNone = message.contains("id") && message["id"].is_null();
  if (const auto error = message.find("error"); (id || isAboutNone) && error != message.end()) {
    const auto text = error->is_object() ? error->find("message") : error->end();
    return Response{id, Json(), text != error->end() && text->is_string() ? text->get<std::string>() : error->dump()};
  }
  if (const auto result = message.find("result"); id && result != message.end())
    return Response{id, std::move(*result), std::nullopt};
  return Malformed{ErrorCode::InvalidRequest, "neither a request nor a response", id};
}

/// Members whose text is no text for a reader: places, the document's own text, and what the client sends back.
constexpr std::string_view kVerbatim[] = {"uri",    "targetUri", "newText",   "changes", "path",
                                          "output", "document",  "arguments", "data",    "token"};

/// Makes all other texts in the value visible (analysis/text/visible_text.h).
void makeVisible(Json &value) {
  if (value.is_string()) {
    auto &text = value.get_ref<std::string &>();
    if (!analysis::isVisible(text))
      text = analysis::visibleText(text);
  } else if (value.is_object()) {
    for (const auto &[name, member] : value.items())
      if (std::ranges::find(kVerbatim, name) == std::end(kVerbatim))
        makeVisible(member);
  } else if (value.is_array()) {
    for (Json &element : value)
      makeVisible(element);
  }
}

/// Never throws: texts from files and compilers may have bytes that are not UTF-8, which become U+FFFD.
std::string dump(const Json &message) {
  return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The end of the string whose first quote is before `at`: one past its last quote, or the end of the text.
size_t stringEnd(std::string_view text, size_t at) {
  while ((at = text.find_first_of("\"\\", at)) != std::string_view::npos) {
    if (text[at] == '"')
      return at + 1;
    at += 2; // an escape sequence
  }
  return text.size();
}

/// Whether arrays and objects are nested deeper than kDeepestMessage. Reads brackets only, so any text has an answer.
bool isTooDeep(std::string_view text) {
  size_t depth = 0;
  for (size_t at = 0; at < text.size();) {
    switch (text[at++]) {
    case '"':
      at = stringEnd(text, at);
      break;
    case '[':
    case '{':
      if (++depth > kDeepestMessage)
        return true;
      break;
    case ']':
    case '}':
      depth -= depth > 0;
      break;
    default:
      break;
    }
  }
  return false;
}

/// Its id is read, so that a request gets its answer. The parser discards what is nested while it reads.
Malformed refuseDepth(std::string_view content) {
  const auto keepOutermost = [](int depth, Json::parse_event_t, Json &) { return depth < 2; };
  const Json message = Json::parse(content, keepOutermost, false);
  return {ErrorCode::InvalidRequest, "the message is nested deeper than " + std::to_string(kDeepestMessage) + " levels",
          message.is_object() && message.contains("method") ? readId(message) : std::nullopt};
}

constexpr size_t kEscapeBytes = 6; // \uXXXX

/// The UTF-16 unit of the escape sequence \uXXXX at the start of `text`; 0 if there is none.
unsigned escapedUnit(std::string_view text) {
  unsigned unit = 0;
  if (text.size() < kEscapeBytes || !text.starts_with("\\u"))
    return 0;
  const char *end = text.data() + kEscapeBytes;
  return std::from_chars(text.data() + 2, end, unit, 16).ptr == end ? unit : 0;
}

/// The escape sequence at the start of a text.
struct Escape {
  size_t bytes;
  bool isLoneSurrogate; ///< half a character, which the parser refuses
};

/// Two escape sequences that are a surrogate pair count as one (RFC 8259, section 7). A backslash before a byte that is
/// not ASCII escapes nothing: the byte may be no UTF-8.
Escape readEscape(std::string_view text) {
  const unsigned first = escapedUnit(text);
  if (first < 0xD800 || first > 0xDFFF)
    return {asciiPrefix(text.substr(0, 2)), false};
  const unsigned second = escapedUnit(text.substr(kEscapeBytes));
  const bool isPair = first < 0xDC00 && second >= 0xDC00 && second <= 0xDFFF;
  return isPair ? Escape{2 * kEscapeBytes, false} : Escape{kEscapeBytes, true};
}

} // namespace

std::optional<RequestId> readId(const Json &message) {
  const auto id = message.find("id");
  if (id == message.end())
    return std::nullopt;
  if (id->is_string())
    return id->get<std::string>();
  const bool isTooLarge = id->is_number_unsigned() && id->get<uint64_t>() > INT64_MAX;
  return id->is_number_integer() && !isTooLarge ? std::optional<RequestId>(id->get<int64_t>()) : std::nullopt;
}

std::string repairUnicode(std::string_view content) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  std::string result;
  result.reserve(content.size() + 16);
  for (size_t at = 0; at < content.size();) {
    const std::string_view rest = content.substr(at);
    if (rest.front() == '\\') {
      const Escape escape = readEscape(rest);
      result += escape.isLoneSurrogate ? kReplacement : rest.substr(0, escape.bytes);
      at += escape.bytes;
    } else {
      const CodePoint point = decodeUtf8(rest);
      result += point.valid ? rest.substr(0, point.bytes) : "?";
      at += point.bytes;
    }
  }
  return result;
}

Incoming parseMessage(std::string_view content) {
  if (isTooDeep(content))
    return refuseDepth(content);
  Json message = Json::parse(content, nullptr, false);
  if (message.is_discarded())
    message = Json::parse(repairUnicode(content), nullptr, false);
  if (message.is_discarded())
    return Malformed{ErrorCode::ParseError, "the message is not JSON", std::nullopt};
  return classify(message);
}

std::string toString(const RequestId &id) {
  return dump(idJson(id));
}

std::string requestText(int64_t id, std::string_view method, Json params) {
  Json message{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
  makeVisible(params);
  if (!params.is_null())
    message["params"] = std::move(params);
  return dump(message);
}

std::string notificationText(std::string_view method, Json params) {
  makeVisible(params);
  return dump({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

std::string notificationWith(std::string_view method, std::string_view params) {
  constexpr std::string_view kBegin = R"({"jsonrpc":"2.0","method":")", kParams = R"(","params":)";
  std::string text;
  text.reserve(kBegin.size() + method.size() + kParams.size() + params.size() + 1);
  return text.append(kBegin).append(method).append(kParams).append(params).append("}");
}

std::string resultText(const RequestId &id, Json result) {
  makeVisible(result);
  return dump({{"jsonrpc", "2.0"}, {"id", idJson(id)}, {"result", std::move(result)}});
}

std::string resultWith(const RequestId &id, std::string_view result) {
  const std::string begin = R"({"jsonrpc":"2.0","id":)" + dump(idJson(id)) + R"(,"result":)";
  std::string text;
  text.reserve(begin.size() + result.size() + 1);
  return text.append(begin).append(result).append("}");
}

std::string errorText(const std::optional<RequestId> &id, ErrorCode code, const std::string &message, Json data) {
  Json error{{"code", static_cast<int>(code)}, {"message", analysis::visibleText(message)}};
  if (!data.is_null())
    error["data"] = std::move(data);
  return dump({{"jsonrpc", "2.0"}, {"id", id ? idJson(*id) : Json()}, {"error", std::move(error)}});
}

} // namespace lsp::protocol
