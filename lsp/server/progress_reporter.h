// The editor's progress display while a file is compiled, and while a command runs.
//
// Each file and command has a display of its own, as several may be at work at once. The client must agree first
// (window/workDoneProgress/create, LSP 3.17): a display begins when the client has answered, and a job that is over by
// then never shows one. Each display that has begun is ended.
#pragma once

#include "lsp/server/client.h"

#include <map>
#include <memory>
#include <string>

namespace lsp {

class ProgressReporter {
public:
  /// Whether the user can end the work (window/workDoneProgress/cancel).
  enum class Cancel : uint8_t { Impossible, Possible };

  explicit ProgressReporter(Client &client) : client_(client) {}

  /// Shows `message` under `title`. The first call of a document's job opens the display; a repeated message costs
  /// nothing.
  void report(const std::string &uri, const std::string &title, const std::string &message,
              Cancel cancel = Cancel::Impossible);
  /// The document or command whose display has this token; empty for none.
  std::string ownerOf(const std::string &token) const;
  /// The job of the document is over.
  void end(const std::string &uri);
  void endAll();

private:
  struct Display {
    std::string token;
    std::string title;
    std::string message; ///< the newest, for when the display begins
    Cancel cancel = Cancel::Impossible;
    bool begun = false;
  };

  /// Sends $/progress if the display has begun.
  void send(const Display &display, protocol::Json value);

  Client &client_;
  std::map<std::string, std::shared_ptr<Display>> displays_; ///< by document or command
  unsigned nextToken_ = 1;
};

} // namespace lsp
