// The editor's progress display while a file is compiled.
//
// Each file has a display of its own, as several may be compiled at once.
//
// The protocol wants the client's consent first: a display is created, and only when the client has answered may it
// begin. A job that is over by then never shows one. Whatever has begun is ended.
#pragma once

#include "lsp/server/client.h"

#include <map>
#include <memory>
#include <string>

namespace lsp {

class ProgressReporter {
public:
  explicit ProgressReporter(Client &client) : client_(client) {}

  /// Shows `message` under `title`; the first call of a document's job opens the display, and a repeated message costs
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

  void begin(const std::shared_ptr<Display> &display);
  void end(const Display &display);

  Client &client_;
  std::map<std::string, std::shared_ptr<Display>> displays_; ///< by document
  unsigned nextToken_ = 1;
};

} // namespace lsp
