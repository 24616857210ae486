// JSON-RPC 2.0 as the Language Server Protocol uses it (LSP 3.17, Base Protocol): what a message is, and how ours are
// written.
//
// Batches are no part of that protocol, so an array is an invalid request. Text that is not valid Unicode is repaired
// rather than refused: a document must not get lost because one byte of it is odd. A replacement takes as many columns
// as the original in the client's text, in every position encoding, because later edits name columns.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace lsp::protocol {

using Json = nlohmann::json;

/// The error codes that the server gives, as JSON-RPC 2.0 and LSP 3.17 (ErrorCodes) number them.
enum class ErrorCode : int {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  ServerNotInitialized = -32002,
  ServerCancelled = -32802,
  RequestCancelled = -32800,
  ContentModified = -32801,
  RequestFailed = -32803,
};

using RequestId = std::variant<int64_t, std::string>;

/// Must be answered, with a result or an error.
struct Request {
  RequestId id;
  std::string method;
  Json params;
};

/// Has no answer, even if it is wrong.
struct Notification {
  std::string method;
  Json params;
};

/// The client's answer to a request of the server.
struct Response {
  std::optional<RequestId> id; ///< no value for an error about a message whose id the client could not read
  Json result;
  std::optional<std::string> error; ///< the message of the error, when it is one
};

/// Not a message. `id` has a value if one could be read.
struct Malformed {
  ErrorCode code;
  std::string what;
  std::optional<RequestId> id;
};

using Incoming = std::variant<Request, Notification, Response, Malformed>;

/// The most levels of arrays and objects in a message: values are copied, compared and printed by recursion, which a
/// deeper one could overflow the stack with.
inline constexpr size_t kDeepestMessage = 256;

/// Reads the content of one frame. A message that is nested deeper than kDeepestMessage is malformed, and is refused
/// before a tree of it is built.
Incoming parseMessage(std::string_view content);

/// The member `id` of an object. No value if it is missing, or neither an integer nor a string.
std::optional<RequestId> readId(const Json &message);

/// `content` with every byte that is not UTF-8 replaced by `?`, and every escaped surrogate without its partner by
/// U+FFFD.
std::string repairUnicode(std::string_view content);

/// The id for log lines.
std::string toString(const RequestId &id);

/// Null `params` are left out.
std::string requestText(int64_t id, std::string_view method, Json params);
std::string notificationText(std::string_view method, Json params);
/// Takes params that are JSON text already.
std::string notificationWith(std::string_view method, std::string_view params);
std::string resultText(const RequestId &id, Json result);
/// Takes a result that is JSON text already.
std::string resultWith(const RequestId &id, std::string_view result);
/// Null `data` is left out. The id is null if that of the request could not be read (JSON-RPC 2.0, section 5).
std::string errorText(const std::optional<RequestId> &id, ErrorCode code, const std::string &message,
                      Json data = nullptr);

} // namespace lsp::protocol
