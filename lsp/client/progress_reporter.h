// The editor's progress display while a file is compiled, and while a command runs.
//
// Each file and command has a display of its own, as several may be at work at once. The client must agree first
// (window/workDoneProgress/create, LSP 3.17): a display begins when the client has answered, and a job that is over by
// then never shows one. Each display that has begun is ended.
#pragma once

#include "lsp/client/client.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace lsp {

class ProgressReporter;

/// Ends the display of a command.
struct EndProgress {
  const char *command = nullptr;
  void operator()(ProgressReporter *reporter) const;
};

/// The display of a command, until this is destroyed. The reporter must outlive it.
using CommandProgress = std::unique_ptr<ProgressReporter, EndProgress>;

class ProgressReporter {
public:
  explicit ProgressReporter(Client &client) : client_(client) {}

  /// Shows `message` under `title`. The first call of a document's job opens the display; a repeated message costs
  /// nothing.
  void report(const std::string &uri, const std::string &title, const std::string &message);
  /// Opens the display of a command that the user can end (window/workDoneProgress/cancel). With `percentage`, of 0 to
  /// 100, it shows a bar. The command's display must not be open.
  [[nodiscard]] CommandProgress open(const char *command, const std::string &title, const std::string &message,
                                     std::optional<unsigned> percentage = std::nullopt);
  /// Changes the display of a command if it is open. Its percentage stays unless it is named.
  void update(const char *command, const std::string &message, std::optional<unsigned> percentage = std::nullopt);
  /// The document or command whose display has this token; empty for none.
  std::string ownerOf(const std::string &token) const;
  /// The job of the document, or the command, is over.
  void end(const std::string &owner);
  void endAll();

private:
  /// The newest state is kept for when the display begins.
  struct Display {
    std::string token;
    std::string title;
    std::string message;
    std::optional<unsigned> percentage;
    bool isCancellable = false;
    bool begun = false;
  };

  void begin(std::shared_ptr<Display> &place, Display display);
  /// Sends $/progress if the display has begun.
  void send(const Display &display, const char *kind, protocol::Json value) const;

  Client &client_;
  std::map<std::string, std::shared_ptr<Display>> displays_; ///< by document or command
  unsigned nextToken_ = 1;
};

} // namespace lsp
