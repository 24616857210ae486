// Statuses are compared as they were sent: most progress reports change nothing that a status line shows.
#include "lsp/client/status.h"

#include <utility>

namespace lsp {

void StatusReporter::working(const std::string &uri, const std::string &state) {
  Status &status = documents_[uri];
  if (std::exchange(status.state, state) != state)
    send(uri, status);
}

void StatusReporter::analysed(const std::string &uri, const analysis::wire::TargetSummary &target) {
  documents_[uri].target = target;
  idle(uri);
}

void StatusReporter::idle(const std::string &uri) {
  const auto found = documents_.find(uri);
  if (found == documents_.end())
    return;
  found->second.state = "idle";
  send(uri, found->second);
}

void StatusReporter::send(const std::string &uri, const Status &status) {
  protocol::Json params{{"uri", uri},
                        {"state", status.state},
                        {"cpu", status.target.cpu},
                        {"cpuOrigin", status.target.cpuOrigin},
                        {"modelOrigin", status.target.modelOrigin},
                        {"commandOrigin", status.target.commandOrigin}};
  if (!status.target.commands.empty())
    params.update({{"command", status.target.command}, {"commands", status.target.commands}});
  if (status.target.calibrationAdvised)
    params["calibrationAdvised"] = true;
  if (!missingConfinement_.empty())
    params["notConfined"] = missingConfinement_;
  if (std::exchange(sent_[uri], params) != params)
    client_.notify("mca/status", std::move(params));
}

} // namespace lsp
