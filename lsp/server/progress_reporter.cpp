// window/workDoneProgress/create and $/progress.
#include "lsp/server/progress_reporter.h"

#include "lsp/protocol/conversions.h"

#include <utility>

namespace lsp {

void ProgressReporter::report(const std::string &title, const std::string &message) {
  if (!client_.capabilities.workDoneProgress)
    return;
  if (!display_) {
    display_ = std::make_shared<Display>(Display{"mca-" + std::to_string(nextToken_++), title, message, false});
    client_.request("window/workDoneProgress/create", protocol::progressCreateParams(display_->token),
                    [this, weak = std::weak_ptr(display_)](const std::optional<protocol::Json> &result) {
                      const auto display = weak.lock();
                      if (display && result)
                        begin(display);
                    });
    return;
  }
  if (std::exchange(display_->message, message) != message && display_->begun)
    client_.notify("$/progress", protocol::progressReportParams(display_->token, message));
}

void ProgressReporter::begin(const std::shared_ptr<Display> &display) {
  display->begun = true;
  client_.notify("$/progress", protocol::progressBeginParams(display->token, display->title, display->message));
}

void ProgressReporter::end() {
  if (display_ && display_->begun)
    client_.notify("$/progress", protocol::progressEndParams(display_->token));
  display_.reset();
}

} // namespace lsp
