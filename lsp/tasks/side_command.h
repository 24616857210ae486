// Runs one program beside the workers, without blocking: the worker as a command, for mca.importTrace and
// mca.importProfile, and mca-measure, for mca.measureRegion and mca.calibrate.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lsp {

struct CommandEnd {
  int status = -1; ///< the exit status; -1 if it could not be started, or a signal ended it
  std::string output;
  std::string errors; ///< of standard error, unless its lines were passed on; if it could not be started, why
};

/// The last line of the program's messages, without the words in `prefixes`, which may stand in front of it one after
/// the other. Empty if it printed none.
std::string lastMessageOf(const CommandEnd &end, std::initializer_list<std::string_view> prefixes);

class SideCommand {
public:
  using Done = std::function<void(CommandEnd end)>;
  /// Gets one line of standard error, without its end.
  using OnLine = std::function<void(std::string_view line)>;

  explicit SideCommand(boost::asio::io_context &io) : io_(io) {}
  SideCommand(const SideCommand &) = delete;
  SideCommand &operator=(const SideCommand &) = delete;
  ~SideCommand() { cancel(); }

  bool isRunning() const { return running_ != nullptr; }
  /// Starts a program with this standard input. `arguments`: argv, of which the first is its path. None may be running.
  /// `done` is called later by the io_context. Of each output, the first MiB counts. With `onLine`, standard error goes
  /// there line by line as it is written; a line of more than a MiB comes in parts.
  void start(std::vector<std::string> arguments, std::string_view input, Done done, OnLine onLine = nullptr);
  /// Sends it SIGINT, so that it may finish what it does; `done` is called when it has ended.
  void interrupt();
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
