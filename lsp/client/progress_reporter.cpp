// A display is shared with the client's pending answer, which finds it gone if its job ended first.
#include "lsp/client/progress_reporter.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lsp {
namespace {

using protocol::Json;

Json stateOf(const std::string &message, std::optional<unsigned> percentage) {
  Json state{{"message", message}};
  if (percentage)
    state["percentage"] = *percentage;
  return state;
}

} // namespace

void EndProgress::operator()(ProgressReporter *reporter) const {
  reporter->end(command);
}

void ProgressReporter::report(const std::string &uri, const std::string &title, const std::string &message) {
  if (const auto open = displays_.find(uri); open == displays_.end())
    begin(displays_[uri], {.token = {}, .title = title, .message = message, .percentage = {}});
  else if (std::exchange(open->second->message, message) != message)
    send(*open->second, "report", stateOf(message, std::nullopt));
}

CommandProgress ProgressReporter::open(const char *command, const std::string &title, const std::string &message,
                                       std::optional<unsigned> percentage) {
  assert(!displays_.contains(command) && "a command runs once at a time");
  begin(displays_[command],
        {.token = {}, .title = title, .message = message, .percentage = percentage, .isCancellable = true});
  return CommandProgress(this, EndProgress{command});
}

void ProgressReporter::update(const char *command, const std::string &message, std::optional<unsigned> percentage) {
  const auto open = displays_.find(command);
  if (open == displays_.end())
    return;
  Display &display = *open->second;
  const auto before = std::pair(display.message, display.percentage);
  display.message = message;
  if (percentage)
    display.percentage = percentage;
  if (before != std::pair(display.message, display.percentage))
    send(display, "report", stateOf(message, display.percentage));
}

void ProgressReporter::begin(std::shared_ptr<Display> &place, Display display) {
  display.token = "mca-" + std::to_string(nextToken_++);
  place = std::make_shared<Display>(std::move(display));
  if (!client_.capabilities.workDoneProgress)
    return;
  client_.request("window/workDoneProgress/create", {{"token", place->token}},
                  [this, weak = std::weak_ptr(place)](const std::optional<Json> &accepted) {
                    const auto display = weak.lock();
                    if (!display || !accepted)
                      return;
                    display->begun = true;
                    Json value = stateOf(display->message, display->percentage);
                    value.update({{"title", display->title}, {"cancellable", display->isCancellable}});
                    send(*display, "begin", std::move(value));
                  });
}

std::string ProgressReporter::ownerOf(const std::string &token) const {
  const auto owner = std::ranges::find_if(displays_, [&](const auto &one) { return one.second->token == token; });
  return owner == displays_.end() ? "" : owner->first;
}

void ProgressReporter::send(const Display &display, const char *kind, Json value) const {
  if (!display.begun)
    return;
  value["kind"] = kind;
  client_.notify("$/progress", {{"token", display.token}, {"value", std::move(value)}});
}

void ProgressReporter::end(const std::string &owner) {
  if (const auto display = displays_.extract(owner))
    send(*display.mapped(), "end", Json::object());
}

void ProgressReporter::endAll() {
  for (const auto &[owner, display] : std::exchange(displays_, {}))
    send(*display, "end", Json::object());
}

} // namespace lsp
