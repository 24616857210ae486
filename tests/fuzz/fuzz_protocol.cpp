// The whole server on any bytes from a client: framing, JSON, lifecycle, documents. The worker is one in memory that
// finishes every job at once with a hint and a finding, for the whole and in parts of which it keeps what is known, so
// that moving, putting together and converting them is reached too.
#include "lsp/server/server.h"
#include "lsp/system/log.h"
#include "lsp/transport/message_splitter.h"

#include <boost/asio/post.hpp>

namespace {

class InstantRunner final : public lsp::JobRunner {
public:
  explicit InstantRunner(boost::asio::io_context &io) : io_(io) {}
  void start(analysis::wire::AnalyzeRequest request, std::function<void(const analysis::wire::Progress &)>,
             std::function<void(lsp::JobOutcome)> done) override {
    const auto end = static_cast<uint32_t>(request.text.size());
    analysis::wire::AnalysisResult result{.id = request.id};
    result.hints.push_back({.offset = end / 2, .parts = {{"IPC 1.00 · 1.0 cyc", {}}}});
    result.findings.push_back({.at = {end / 3, end}, .code = "resource-bottleneck", .message = "m"});
    result.hovers.push_back({.at = {0, end}, .contents = {{analysis::wire::Block::Kind::Preformatted, "```"}}});
    for (const uint64_t id : request.knownParts)
      result.parts.push_back({.id = id, .kept = true});
    if (request.inParts && result.parts.size() < 3)
      result.parts.push_back({.id = request.id,
                              .text = {end / 4, end / 2},
                              .regions = {{.name = "loop", .at = {end / 4, end / 2}}},
                              .hints = {{.offset = end / 4, .parts = {{"IPC 2.00", {}}}}},
                              .findings = {{.at = {end / 4, end / 3}, .code = "call", .message = "m"}}});
    boost::asio::post(io_, [done = std::move(done), result = std::move(result)] { done(result); });
  }
  void cancel() override {}

private:
  boost::asio::io_context &io_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const bool quiet = (lsp::setLogLevel(lsp::LogLevel::Error), std::fclose(stdin), true);
  static_cast<void>(quiet);
  boost::asio::io_context io;
  InstantRunner runner(io);
  bool ended = false;
  lsp::Server server(io, {runner}, {.configuration = {}, .hold = std::chrono::milliseconds(0)},
                     {.send = [](std::string_view) {}, .exit = [&](int) { ended = true; }, .watchProcess = [](int) {}});
  lsp::transport::MessageSplitter splitter;
  splitter.feed({reinterpret_cast<const char *>(data), size});
  for (bool more = true; more && !ended;) {
    const auto next = splitter.next();
    if (const auto *message = std::get_if<lsp::transport::Message>(&next))
      server.receive(message->content);
    else if (const auto *error = std::get_if<lsp::transport::FrameError>(&next))
      server.receivedBadFrame(error->what);
    else
      more = false;
    io.restart();
    io.poll();
  }
  return 0;
}
