// The editor's progress display while a file is compiled.
//
// Each file has a display of its own, as several may be compiled at once. The client must agree first
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
  explicit ProgressReporter(Client &client) : client_(client) {}

  /// Shows `message` under `title`. The first call of a document's job opens the display; a repeated message costs
  /// nothing.
  void report(const std::string &uri, const std::string &title, const std::string &message);
  /// The job of the document is over.
  void end(const std::string &uri);
  void endAll();

private:
  struct Display {
    std::string token;
    std::string title;
    std::string message; ///< the newest, for when the display begins
    bool begun = false;
  };

  /// Sends $/progress if the display has begun.
  void send(const Display &display, protocol::Json value);

  Client &client_;
  std::map<std::string, std::shared_ptr<Display>> displays_; ///< by document
  unsigned nextToken_ = 1;
};

} // namespace lsp
