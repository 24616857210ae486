// Telling requests, notifications and responses apart, and writing our own.
#include "lsp/protocol/json_rpc.h"

#include "lsp/protocol/unicode.h"

namespace lsp::protocol {
namespace {

std::optional<RequestId> readId(const Json &message) {
  const auto id = message.find("id");
  if (id == message.end())
    return std::nullopt;
  if (id->is_string())
    return id->get<std::string>();
  if (id->is_number_integer())
    return id->get<int64_t>();
  return std::nullopt;
}

Json idJson(const RequestId &id) {
  return std::visit([](const auto &value) { return Json(value); }, id);
}

Incoming classifyCall(Json &message) {
  const auto id = readId(message);
  const auto method = message.find("method");
  if (!method->is_string())
    return Malformed{ErrorCode::InvalidRequest, "the method is not a string", id};
  Json params;
  if (const auto found = message.find("params"); found != message.end())
    params = std::move(*found);
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
  if (const auto error = message.find("error"); id && error != message.end()) {
    const auto text = error->is_object() ? error->find("message") : error->end();
    return Response{*id, Json(), text != error->end() && text->is_string() ? text->get<std::string>() : error->dump()};
  }
  if (const auto result = message.find("result"); id && result != message.end())
    return Response{*id, std::move(*result), std::nullopt};
  return Malformed{ErrorCode::InvalidRequest, "neither a request nor a response", id};
}

std::string dump(const Json &message) {
  return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<unsigned> readHex4(std::string_view text) {
  unsigned value = 0;
  for (char c : text.substr(0, 4)) {
    const auto digit = std::string_view("0123456789abcdefABCDEF").find(c);
    if (digit == std::string_view::npos)
      return std::nullopt;
    value = value * 16 + static_cast<unsigned>(digit < 16 ? digit : digit - 6);
  }
  return text.size() < 4 ? std::nullopt : std::optional(value);
}

/// The bytes of the escape sequence at the start of `text`, and whether it stands for half a character.
struct Escape {
  size_t length;
  bool lone;
};

Escape readEscape(std::string_view text) {
  const auto unit = [&](size_t at) -> unsigned {
    if (text.size() < at + 6 || text[at] != '\\' || text[at + 1] != 'u')
      return 0;
    return readHex4(text.substr(at + 2)).value_or(0);
  };
  const unsigned first = unit(0);
  if (first < 0xD800 || first > 0xDFFF)
    return {std::min<size_t>(2, text.size()), false};
  const unsigned second = unit(6);
  if (first < 0xDC00 && second >= 0xDC00 && second <= 0xDFFF)
    return {12, false};
  return {6, true};
}

} // namespace

std::string repairUnicode(std::string_view content) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  std::string result;
  result.reserve(content.size() + 16);
  for (size_t at = 0; at < content.size();) {
    size_t length = 1;
    if (content[at] == '\\') {
      const Escape escape = readEscape(content.substr(at));
      length = escape.length;
      result.append(escape.lone ? kReplacement : content.substr(at, length));
    } else {
      const CodePoint point = decodeUtf8(content.substr(at));
      length = point.bytes;
      result.append(point.valid ? content.substr(at, length) : "?");
    }
    at += length;
  }
  return result;
}

Incoming parseMessage(std::string_view content) {
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
  if (!params.is_null())
    message["params"] = std::move(params);
  return dump(message);
}

std::string notificationText(std::string_view method, Json params) {
  return dump({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

std::string notificationWith(std::string_view method, std::string_view params) {
  std::string text = R"({"jsonrpc":"2.0","method":")";
  text.reserve(text.size() + method.size() + params.size() + 16);
  text += method;
  text += R"(","params":)";
  text += params;
  text += '}';
  return text;
}

std::string resultText(const RequestId &id, Json result) {
  return dump({{"jsonrpc", "2.0"}, {"id", idJson(id)}, {"result", std::move(result)}});
}

std::string errorText(const std::optional<RequestId> &id, ErrorCode code, const std::string &message, Json data) {
  Json error{{"code", static_cast<int>(code)}, {"message", message}};
  if (!data.is_null())
    error["data"] = std::move(data);
  return dump({{"jsonrpc", "2.0"}, {"id", id ? idJson(*id) : Json()}, {"error", std::move(error)}});
}

} // namespace lsp::protocol
