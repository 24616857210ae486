// The whole server on any bytes from a client: framing, JSON, lifecycle, documents. The worker is one in memory that
// finishes every job at once with a finding and two regions, whose simulations it sends where they are not known, so
// that moving, putting together and showing them is reached too.
#include "lsp/server/server.h"
#include "lsp/system/log.h"
#include "lsp/transport/message_splitter.h"

#include <algorithm>
#include <boost/asio/post.hpp>

namespace {

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
