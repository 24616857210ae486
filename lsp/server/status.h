// mca/status: what the server does for a document, and what its numbers rest on, for an editor's status line.
//
//   {uri, state, cpu, cpuOrigin, modelOrigin, commandOrigin, command?, commands?}
//
// `state` is "idle", "compiling", "parsing", "looking for regions" or "simulating"; the rest is that of the last
// finished analysis, and empty before it. Nothing is sent twice in a row.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/server/client.h"

#include <map>
#include <string>

namespace lsp {

class StatusReporter {
public:
  explicit StatusReporter(const Client &client) : client_(client) {}

  void working(const std::string &uri, const std::string &state);
  void analysed(const std::string &uri, const analysis::wire::TargetSummary &target);
  void idle(const std::string &uri);
  void closed(const std::string &uri) { documents_.erase(uri), sent_.erase(uri); }

private:
  struct Status {
    std::string state = "idle";
    analysis::wire::TargetSummary target;
  };

  void send(const std::string &uri, const Status &status);

  const Client &client_;
  std::map<std::string, Status> documents_;
  std::map<std::string, protocol::Json> sent_;
};

} // namespace lsp
