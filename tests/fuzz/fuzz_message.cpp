// The bytes of a client as messages and typed parameters: framing, JSON-RPC, every fromJson, URIs. The first byte says
// how the stream is cut into reads, the rest is the stream and the content of one frame.
//
// Parameters of the wrong shape throw InvalidParams and nothing else. What is read is written and read again as the
// same.
#include "analysis/text/visible_text.h"
#include "lsp/protocol/conversions.h"
#include "lsp/protocol/unicode.h"
#include "lsp/protocol/uri.h"
#include "lsp/protocol/virtual_uri.h"
#include "lsp/transport/message_splitter.h"
#include "tests/fuzz/property.h"

#include <cstdint>
#include <tuple>
#include <vector>

namespace {

using namespace lsp::protocol;
using fuzz::require;

// ---- framing -------------------------------------------------------------------------------------------------------

/// What the splitter makes of the stream: of a message "+" and its content, of an error "-" and what it says.
std::vector<std::string> split(std::string_view stream, size_t read) {
  std::vector<std::string> found;
  lsp::transport::MessageSplitter splitter;
  while (!stream.empty()) {
    const std::string_view part = stream.substr(0, read);
    stream.remove_prefix(part.size());
    splitter.feed(part);
    for (bool more = true; more;) {
      const auto next = splitter.next();
      if (const auto *message = std::get_if<lsp::transport::Message>(&next))
        found.push_back("+" + std::string(message->content));
      else if (const auto *error = std::get_if<lsp::transport::FrameError>(&next))
        found.push_back("-" + error->what);
      else
        more = false;
    }
  }
  return found;
}

void checkFraming(std::string_view stream, size_t read) {
  require(split(stream, read) == split(stream, stream.size()));
  require(split(lsp::transport::frame(stream), read) == std::vector<std::string>{"+" + std::string(stream)});
}

// ---- typed parameters ----------------------------------------------------------------------------------------------

template <class Params>
void check(const Params &) {}

void check(const InlayHintParams &params) {
  require(params.range.start <= params.range.end);
}

void check(const CodeActionParams &params) {
  require(params.range.start <= params.range.end);
  for (const ContextDiagnostic &one : params.diagnostics)
    require(one.range.start <= one.range.end && one.whole.is_object());
}

void check(const DidChangeParams &params) {
  require(params.unreadable.empty() || params.changes.empty());
  for (const ContentChange &change : params.changes)
    require(!change.range || change.range->start <= change.range->end);
}

template <class Params>
void read(Json params) {
  Params out;
  try {
    fromJson(params, out);
  } catch (const InvalidParams &error) {
    require(*error.what() != '\0');
    return;
  }
  check(out);
}

using AllParams =
    std::tuple<InitializeParams, DidOpenParams, DidChangeParams, DidSaveParams, DocumentParams,
               DocumentDiagnosticParams, DidChangeWatchedFilesParams, SetTraceParams, ProgressTokenParams,
               InlayHintParams, HoverParams, CancelParams, DidChangeConfigurationParams, NoParams,
               InlayHintResolveParams, CodeActionParams, ExecuteCommandParams, UriParams, TimelineParams,
               PlaceArguments, CompareCpusArguments, SetCpuArguments, SetCommandArguments, ListCpusArguments,
               ImportTraceArguments, ImportProfileArguments, MeasureRegionArguments, CalibrateArguments>;

void readAll(const Json &params) {
  documentOf(params);
  std::apply([&](const auto &...each) { (read<std::decay_t<decltype(each)>>(params), ...); }, AllParams());
}

// ---- messages ------------------------------------------------------------------------------------------------------

/// What answers a request names it. What a reader may not see is replaced once, and then stays.
void checkAnswers(const Request &request) {
  const Incoming result = parseMessage(resultText(request.id, request.params));
  const auto *response = std::get_if<Response>(&result);
  require(response && response->id == request.id && !response->error);
  require(resultText(request.id, response->result) == resultText(request.id, request.params));
  const Incoming error = parseMessage(errorText(request.id, ErrorCode::InvalidParams, request.method));
  const auto *failed = std::get_if<Response>(&error);
  require(failed && failed->id == request.id && failed->error == analysis::visibleText(request.method));
}

void checkMessage(std::string_view content) {
  const Incoming incoming = parseMessage(content);
  if (const auto *request = std::get_if<Request>(&incoming)) {
    checkAnswers(*request);
    const std::string text = requestText(7, request->method, request->params);
    const Incoming again = parseMessage(text);
    const auto *same = std::get_if<Request>(&again);
    require(same && requestText(7, same->method, same->params) == text);
    readAll(request->params);
  } else if (const auto *notification = std::get_if<Notification>(&incoming)) {
    const std::string params = notification->params.dump();
    const Incoming again = parseMessage(notificationWith("m", params));
    const auto *same = std::get_if<Notification>(&again);
    require(same && same->params == notification->params);
    readAll(notification->params);
  } else if (const auto *response = std::get_if<Response>(&incoming)) {
    readAll(response->result);
  } else {
    require(!std::get<Malformed>(incoming).what.empty());
  }
}

/// The repaired text is Unicode, and has nothing left to repair.
void checkRepair(std::string_view content) {
  const std::string repaired = repairUnicode(content);
  require(repairUnicode(repaired) == repaired);
  for (std::string_view rest = repaired; !rest.empty();) {
    const CodePoint point = decodeUtf8(rest);
    require(point.valid);
    rest.remove_prefix(point.bytes);
  }
}

void checkUri(std::string_view text) {
  static_cast<void>(queryOf(text));
  const UriParts parts = parseUri(text);
  if (parts.path.starts_with('/'))
    require(parseUri(fileUri(parts.path)).path == parts.path && parseUri(fileUri(parts.path)).scheme == "file");
  if (const std::optional<VirtualUri> document = parseVirtualUri(text))
    require(parseVirtualUri(toString(*document)) == document);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  const std::string_view content = fuzz::textOf(data + 1, size - 1);
  checkFraming(content, 1 + data[0] % 64);
  checkMessage(content);
  checkRepair(content);
  checkUri(content);
  return 0;
}
