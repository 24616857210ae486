// window/workDoneProgress/create and $/progress.
#include "lsp/server/progress_reporter.h"

#include "lsp/protocol/conversions.h"

#include <utility>

namespace lsp {

void ProgressReporter::report(const std::string &uri, const std::string &title, const std::string &message) {
  if (!client_.capabilities.workDoneProgress)
    return;
  std::shared_ptr<Display> &display = displays_[uri];
  if (!display) {
    display = std::make_shared<Display>(Display{"mca-" + std::to_string(nextToken_++), title, message, false});
    client_.request("window/workDoneProgress/create", protocol::progressCreateParams(display->token),
                    [this, weak = std::weak_ptr(display)](const std::optional<protocol::Json> &result) {
                      const auto display = weak.lock();
                      if (display && result)
                        begin(display);
                    });
    return;
  }
  if (std::exchange(display->message, message) != message && display->begun)
    client_.notify("$/progress", protocol::progressReportParams(display->token, message));
}

void ProgressReporter::begin(const std::shared_ptr<Display> &display) {
  display->begun = true;
  client_.notify("$/progress", protocol::progressBeginParams(display->token, display->title, display->message));
}

void ProgressReporter::end(const Display &display) {
  if (display.begun)
    client_.notify("$/progress", protocol::progressEndParams(display.token));
}

void ProgressReporter::end(const std::string &uri) {
  if (const auto display = displays_.extract(uri))
    end(*display.mapped());
}

void ProgressReporter::endAll() {
  for (const auto &[uri, display] : std::exchange(displays_, {}))
    end(*display);
}

} // namespace lsp
