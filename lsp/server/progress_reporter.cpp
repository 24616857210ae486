// A display is shared with the client's pending answer, which finds it gone if its job ended first.
#include "lsp/server/progress_reporter.h"

#include <algorithm>
#include <utility>

namespace lsp {

void ProgressReporter::report(const std::string &uri, const std::string &title, const std::string &message,
                              Cancel cancel) {
  if (!client_.capabilities.workDoneProgress)
    return;
  std::shared_ptr<Display> &display = displays_[uri];
  if (display) {
    if (std::exchange(display->message, message) != message)
      send(*display, {{"kind", "report"}, {"message", message}});
    return;
  }
  display = std::make_shared<Display>(Display{"mca-" + std::to_string(nextToken_++), title, message, cancel});
  client_.request("window/workDoneProgress/create", {{"token", display->token}},
                  [this, weak = std::weak_ptr(display)](const std::optional<protocol::Json> &accepted) {
                    const auto display = weak.lock();
                    if (!display || !accepted)
                      return;
                    display->begun = true;
                    send(*display, {{"kind", "begin"},
                                    {"title", display->title},
                                    {"message", display->message},
                                    {"cancellable", display->cancel == Cancel::Possible}});
                  });
}

std::string ProgressReporter::ownerOf(const std::string &token) const {
  const auto owner = std::ranges::find_if(displays_, [&](const auto &one) { return one.second->token == token; });
  return owner == displays_.end() ? "" : owner->first;
}

void ProgressReporter::send(const Display &display, protocol::Json value) {
  if (display.begun)
    client_.notify("$/progress", {{"token", display.token}, {"value", std::move(value)}});
}

void ProgressReporter::end(const std::string &uri) {
  if (const auto display = displays_.extract(uri))
    send(*display.mapped(), {{"kind", "end"}});
}

void ProgressReporter::endAll() {
  for (const auto &[uri, display] : std::exchange(displays_, {}))
    send(*display, {{"kind", "end"}});
}

} // namespace lsp
