// Watches the editor's process: a server whose editor is gone must exit. LSP 3.17, InitializeParams.processId: "If the
// parent process is not alive then the server should exit".
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <optional>

namespace lsp {

class ProcessWatch {
public:
  explicit ProcessWatch(boost::asio::io_context &io) : io_(io) {}

  /// Calls `gone` once process `pid` has ended, or soon if there is no such process. Replaces an earlier watch.
  void watch(int pid, std::function<void()> gone);

private:
  boost::asio::io_context &io_;
  std::optional<boost::asio::posix::stream_descriptor> process_;
};

} // namespace lsp
