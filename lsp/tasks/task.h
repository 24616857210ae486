// A side program that a command of the user runs, such as one that measures a loop: it runs once at a time, shows its
// progress, answers the command when it has ended, and can be cancelled. What all of them do is here; an instance adds
// what its program is given and what comes of it (import_task.cpp, measure_task.cpp, calibrate_task.cpp).
#pragma once

#include "lsp/client/client.h"
#include "lsp/client/method_table.h"
#include "lsp/client/progress_reporter.h"
#include "lsp/jobs/document_jobs.h"
#include "lsp/system/system.h"
#include "lsp/tasks/side_command.h"
#include "lsp/workspace/workspace.h"

#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lsp {

/// The programs that tasks run, and the machine that they run on.
struct TaskPrograms {
  std::string worker;  ///< path
  std::string measure; ///< path of mca-measure
  std::string architecture = system::architecture();
};

class Tasks;

/// What tasks use of the server. All of it outlives them.
struct TaskContext {
  boost::asio::io_context &io;
  TaskPrograms programs;
  MethodTable &commands;
  Client &client;
  ProgressReporter &progress;
  Workspace &workspace;
  DocumentJobs &jobs;
};

struct TaskKind {
  const char *command; ///< its name; also, in place of a document's URI, that of the progress display
  const char *title;   ///< of the progress display
  const char *again;   ///< why it is not started again while it runs: "this CPU is being calibrated already"
  /// Of one that needs a quiet machine: why no other such task is started meanwhile. No job on git HEAD starts
  /// meanwhile. Null for one that does not.
  const char *whyBusy;
};

class Task {
public:
  Task(const Tasks &all, TaskContext &context, const TaskKind &kind)
      : context_(context), kind_(kind), all_(all), program_(context.io) {}
  Task(const Task &) = delete;
  Task &operator=(const Task &) = delete;
  virtual ~Task() = default;

  const TaskKind &kind() const { return kind_; }
  bool isRunning() const { return run_.has_value(); }
  bool answers(const protocol::RequestId &id) const { return run_ && run_->reply.id() == id; }

  /// The client, or the user, wants the running task to end.
  virtual void cancel(const std::string &why) { fail(protocol::ErrorCode::RequestCancelled, why); }
  /// Kills the running program, if there is one. The reply is an error.
  virtual void fail(protocol::ErrorCode code, const std::string &why);
  /// A document was closed.
  virtual void documentClosed(const std::string & /*uri*/) {}

protected:
  using JsonReply = Reply<protocol::Json>;

  /// What a running task holds. When it is destroyed, the progress display ends.
  struct Run {
    JsonReply reply;
    IdlePause quiet; ///< if the task needs a quiet machine
    CommandProgress progress;
  };

  /// Why it cannot be started, because of what runs already; empty if it can.
  std::string whyBusy() const;
  /// Starts the task: the reply is kept until end(), and the progress display opens.
  void begin(JsonReply reply, const std::string &message, std::optional<unsigned> percentage = std::nullopt);
  /// Runs its program, as SideCommand::start does.
  void run(std::vector<std::string> arguments, std::string_view input, SideCommand::Done done,
           SideCommand::OnLine onLine = nullptr) {
    program_.start(std::move(arguments), input, std::move(done), std::move(onLine));
  }
  /// Has the program finish what it does.
  void interrupt() { program_.interrupt(); }
  void showProgress(const std::string &message, std::optional<unsigned> percentage = std::nullopt) {
    context_.progress.update(kind_.command, message, percentage);
  }
  /// The task is over, and may be started again.
  Run end();

  TaskContext &context_;

private:
  TaskKind kind_;
  const Tasks &all_;
  std::optional<Run> run_;
  SideCommand program_;
};

/// All tasks.
class Tasks {
public:
  /// Binds their commands.
  explicit Tasks(TaskContext context);

  /// Cancels the task that answers the request. False if there is none.
  bool cancel(const protocol::RequestId &id);
  /// Cancels the task whose progress display is that of `command`, if there is one.
  void cancelByUser(const std::string &command);
  /// Ends all that run.
  void drop(const std::string &why);
  void documentClosed(const std::string &uri);

  const std::vector<std::unique_ptr<Task>> &all() const { return tasks_; }

private:
  TaskContext context_;
  std::vector<std::unique_ptr<Task>> tasks_;
};

// The instances. Each binds its command.
std::unique_ptr<Task> makeImportTraceTask(const Tasks &all, TaskContext &context);
std::unique_ptr<Task> makeImportProfileTask(const Tasks &all, TaskContext &context);
std::unique_ptr<Task> makeMeasureTask(const Tasks &all, TaskContext &context);
std::unique_ptr<Task> makeCalibrateTask(const Tasks &all, TaskContext &context);

} // namespace lsp
