// mca/status: what the server does for a document, and the target that its numbers are for, in an editor's status line.
//
//   {uri, state, cpu, cpuOrigin, modelOrigin, commandOrigin, command?, commands?, calibrationAdvised?, notConfined?}
//
// `state` is "idle", "compiling", "parsing", "looking for regions" or "simulating"; the rest is from the last finished
// analysis, and empty before it. The same status is not sent twice in a row.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/client/client.h"

#include <map>
#include <string>

namespace lsp {

class StatusReporter {
public:
  /// `missingConfinement`: ServerOptions::missingConfinement.
  StatusReporter(const Client &client, std::string missingConfinement)
      : client_(client), missingConfinement_(std::move(missingConfinement)) {}

  /// A job of the document is in this state.
  void working(const std::string &uri, const std::string &state);
  /// An analysis for `target` is finished.
  void analysed(const std::string &uri, const analysis::wire::TargetSummary &target);
  /// Does nothing for a document that was never worked on.
  void idle(const std::string &uri);
  void closed(const std::string &uri) { documents_.erase(uri), sent_.erase(uri); }

private:
  struct Status {
    std::string state = "idle";
    analysis::wire::TargetSummary target;
  };

  /// Unless it is the same as the last one for the document.
  void send(const std::string &uri, const Status &status);

  const Client &client_;
  std::string missingConfinement_;
  std::map<std::string, Status> documents_;    ///< by URI
  std::map<std::string, protocol::Json> sent_; ///< the last one, by URI
};

} // namespace lsp
