#include "lsp/tasks/task.h"

#include <algorithm>
#include <utility>

namespace lsp {

std::string Task::whyBusy() const {
  const auto excludes = [&](const std::unique_ptr<Task> &other) {
    return other.get() != this && other->isRunning() && kind_.whyBusy && other->kind().whyBusy;
  };
  const auto other = std::ranges::find_if(all_.all(), excludes);
  return other != all_.all().end() ? (*other)->kind().whyBusy : isRunning() ? kind_.again : "";
}

void Task::begin(JsonReply reply, const std::string &message, std::optional<unsigned> percentage) {
  run_.emplace(Run{.reply = std::move(reply),
                   .quiet = kind_.whyBusy ? context_.jobs.side().pauseIdle() : nullptr,
                   .progress = context_.progress.open(kind_.command, kind_.title, message, percentage)});
}

Task::Run Task::end() {
  Run ended = std::move(*run_);
  run_.reset();
  return ended;
}

void Task::fail(protocol::ErrorCode code, const std::string &why) {
  program_.cancel();
  const JsonReply reply = end().reply;
  reply.fail(code, why);
}

Tasks::Tasks(TaskContext context) : context_(std::move(context)) {
  for (const auto make : {makeImportTraceTask, makeImportProfileTask, makeMeasureTask, makeCalibrateTask})
    tasks_.push_back(make(*this, context_));
}

bool Tasks::cancel(const protocol::RequestId &id) {
  const auto task = std::ranges::find_if(tasks_, [&](const auto &one) { return one->answers(id); });
  if (task == tasks_.end())
    return false;
  (*task)->cancel("cancelled by the client");
  return true;
}

void Tasks::cancelByUser(const std::string &command) {
  for (const auto &task : tasks_)
    if (task->isRunning() && task->kind().command == command)
      task->cancel("cancelled by the user");
}

void Tasks::drop(const std::string &why) {
  for (const auto &task : tasks_)
    if (task->isRunning())
      task->fail(protocol::ErrorCode::RequestCancelled, why);
}

void Tasks::documentClosed(const std::string &uri) {
  for (const auto &task : tasks_)
    task->documentClosed(uri);
}

} // namespace lsp
