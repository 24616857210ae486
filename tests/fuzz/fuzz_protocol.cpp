// The whole server on any bytes from a client: framing, JSON, lifecycle, documents. With an even first byte, the rest
// is the client's stream; with an odd one the server is initialized first, and NUL bytes separate the contents of
// messages. The worker is one in memory that finishes every job at once with a finding and two regions, whose
// simulations it sends where they are not known, so that moving, putting together and showing them is reached too.
//
// The server sends JSON, answers no request twice, and answers nothing that was not requested.
#include "lsp/protocol/json_rpc.h"
#include "lsp/server/server.h"
#include "lsp/system/log.h"
#include "lsp/transport/message_splitter.h"
#include "tests/fuzz/property.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <map>

namespace {

using fuzz::require;

class InstantRunner final : public lsp::JobRunner {
public:
  explicit InstantRunner(boost::asio::io_context &io) : io_(io) {}
  void start(analysis::wire::AnalyzeRequest request, std::function<void(const analysis::wire::Progress &)>,
             std::function<void(lsp::JobOutcome)> done) override {
    const auto end = static_cast<uint32_t>(request.text.size());
    analysis::wire::AnalysisResult result{.id = request.id};
    result.findings.push_back({.at = {end / 3, end}, .code = "parse-error", .message = "m"});
    for (const analysis::wire::ByteRange at : {analysis::wire::ByteRange{end / 4, end / 2}, {0, end}})
      result.regions.push_back({.name = "```",
                                .at = at,
                                .anchor = at.begin,
                                .calls = {"f"},
                                .transfers = {{.text = "call f", .at = at}},
                                .simulation = 1 + at.begin % 2,
                                .places = {at}});
    for (uint64_t id = 1; id <= 2; ++id)
      if (std::find(request.knownSimulations.begin(), request.knownSimulations.end(), id) ==
          request.knownSimulations.end())
        result.simulations.push_back({.id = id,
                                      .instructions = 1,
                                      .cyclesPerIteration = 4,
                                      .body = {{.text = "add", .waits = {{.by = {0, 7}}}, .needs = {0, 9}}},
                                      .chain = {{.instruction = 3}}});
    boost::asio::post(io_, [done = std::move(done), result = std::move(result)] { done(result); });
  }
  void cancel() override {}

private:
  boost::asio::io_context &io_;
};

/// Sends messages to the server, and checks what comes back.
class Client {
public:
  Client() : runner_(io_), server_(io_, {runner_}, options(), hooks()) {}

  bool ended() const { return ended_; }

  void send(std::string_view content) {
    const lsp::protocol::Incoming message = lsp::protocol::parseMessage(content);
    if (const auto *request = std::get_if<lsp::protocol::Request>(&message))
      ++open_[request->id];
    server_.receive(content);
    poll();
  }
  void sendBadFrame(const std::string &what) {
    server_.receivedBadFrame(what);
    poll();
  }

private:
  static lsp::ServerOptions options() { return {.configuration = {}, .hold = std::chrono::milliseconds(0)}; }
  lsp::ServerHooks hooks() {
    return {.send = [this](std::string_view content) { receive(content); },
            .exit = [this](int) { ended_ = true; },
            .watchProcess = [](int) {}};
  }

  void poll() {
    io_.restart();
    io_.poll();
  }

  void receive(std::string_view content) {
    const auto message = lsp::protocol::Json::parse(content, nullptr, /*allow_exceptions=*/false);
    require(message.is_object() && message.value("jsonrpc", "") == "2.0");
    if (message.contains("method"))
      return;
    require(message.contains("result") != message.contains("error"));
    if (const std::optional<lsp::protocol::RequestId> id = lsp::protocol::readId(message))
      // An id that is read from a message which is no request is answered with an error.
      require(message.contains("error") || open_[*id]-- > 0);
  }

  boost::asio::io_context io_;
  InstantRunner runner_;
  bool ended_ = false;
  std::map<lsp::protocol::RequestId, int> open_; ///< how many requests of the id are not answered yet
  lsp::Server server_;
};

void sendStream(Client &client, std::string_view stream) {
  lsp::transport::MessageSplitter splitter;
  splitter.feed(stream);
  for (bool more = true; more && !client.ended();) {
    const auto next = splitter.next();
    if (const auto *message = std::get_if<lsp::transport::Message>(&next))
      client.send(message->content);
    else if (const auto *error = std::get_if<lsp::transport::FrameError>(&next))
      client.sendBadFrame(error->what);
    else
      more = false;
  }
}

/// `variant` says in what the client differs from the usual one.
void sendSession(Client &client, unsigned variant, std::string_view contents) {
  constexpr const char *kEncodings[] = {"utf-16", "utf-8", "utf-32"};
  const std::string flag = variant & 4 ? "true" : "false";
  const std::string support = R"({"refreshSupport":)" + flag + "}";
  client.send(
      R"({"jsonrpc":"2.0","id":"i","method":"initialize","params":{"capabilities":{"general":{"positionEncodings":[")" +
      std::string(kEncodings[variant % 4 % 3]) + R"("]},"workspace":{"inlayHint":)" + support + R"(,"codeLens":)" +
      support + R"(,"semanticTokens":)" + support + R"(,"configuration":)" + flag +
      R"(,"workspaceEdit":{"documentChanges":)" + flag + R"(}},"window":{"workDoneProgress":)" + flag +
      R"(},"textDocument":{"codeAction":{"codeActionLiteralSupport":{}},"diagnostic":)" +
      (variant & 8 ? "{}" : "null") +
      R"(}},"initializationOptions":{"codeLens":{"enabled":true},)"
      R"("semanticTokens":{"enabled":true},"inlayHints":{"instructions":true}}}})");
  client.send(R"({"jsonrpc":"2.0","method":"initialized","params":{}})");
  while (!contents.empty() && !client.ended())
    client.send(fuzz::takeUntil(contents, '\0'));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const bool quiet = (lsp::setLogLevel(lsp::LogLevel::Error), std::fclose(stdin), true);
  static_cast<void>(quiet);
  if (size == 0)
    return 0;
  Client client;
  const std::string_view rest = fuzz::textOf(data + 1, size - 1);
  if (data[0] % 2)
    sendSession(client, data[0] >> 1, rest);
  else
    sendStream(client, rest);
  return 0;
}
