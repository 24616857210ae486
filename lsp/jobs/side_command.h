// Runs one program beside the workers, without blocking: the worker as a command, for mca.importTrace, and
// mca-measure, for mca.measureRegion.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lsp {

struct CommandEnd {
  int status = -1; ///< the exit status; -1 if it could not be started, or a signal ended it
  std::string output;
  std::string errors; ///< of standard error; if it could not be started, why
};

class SideCommand {
public:
  using Done = std::function<void(CommandEnd end)>;

  explicit SideCommand(boost::asio::io_context &io) : io_(io) {}
  SideCommand(const SideCommand &) = delete;
  SideCommand &operator=(const SideCommand &) = delete;
  ~SideCommand() { cancel(); }

  bool isRunning() const { return running_ != nullptr; }
  /// Starts a program with this standard input. `arguments`: argv, of which the first is its path. None may be running.
  /// `done` is called later by the io_context. Of each output, the first MiB counts.
  void start(std::vector<std::string> arguments, std::string_view input, Done done);
  /// Kills it with all that it started; `done` is not called.
  void cancel();

private:
  struct Running;
  void read(const std::shared_ptr<Running> &running, size_t stream);
  void finish();

  boost::asio::io_context &io_;
  std::shared_ptr<Running> running_;
};

} // namespace lsp
