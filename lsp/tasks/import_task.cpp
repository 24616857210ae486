// The commands mca.importTrace and mca.importProfile: make a branch trace, or a profile, of a recording. The worker
// does it as a command of its own, since a recording may take minutes to read.
#include "lsp/tasks/task.h"

#include <sstream>

namespace lsp {
namespace {

using protocol::ErrorCode;
using protocol::Json;

/// The lines of the worker's messages, without its name in front of each.
std::vector<std::string> messagesOf(const std::string &errors) {
  constexpr std::string_view kName = "mca-lsp: ";
  std::vector<std::string> messages;
  std::istringstream lines(errors);
  for (std::string line; std::getline(lines, line);)
    messages.push_back(line.starts_with(kName) ? line.substr(kName.size()) : line);
  return messages;
}

/// What both have in common: the answer is the file that was made, and the worker's notes.
class ImportTask : public Task {
protected:
  using Task::Task;

  void import(std::vector<std::string> command, const std::string &recording, JsonReply reply) {
    if (const std::string why = whyBusy(); !why.empty())
      return reply.fail(ErrorCode::RequestFailed, why);
    begin(std::move(reply), recording);
    run(std::move(command), "", [this](const CommandEnd &end) { finished(end); });
  }

private:
  /// A new file counts at once: not every client watches files.
  void finished(const CommandEnd &ended) {
    const JsonReply reply = end().reply;
    if (ended.status != 0) {
      const std::string last = lastMessageOf(ended, {"mca-lsp: ", "error: "});
      return reply.fail(ErrorCode::RequestFailed, last.empty() ? "the worker was killed" : last);
    }
    const std::string output = ended.output.substr(0, ended.output.find('\n'));
    reply({{"output", output}, {"notes", messagesOf(ended.errors)}});
    context_.jobs.filesChanged({output});
  }
};

class ImportTraceTask final : public ImportTask {
public:
  ImportTraceTask(const Tasks &all, TaskContext &context)
      : ImportTask(all, context,
                   {.command = "mca.importTrace",
                    .title = "Importing a branch trace",
                    .again = "another recording is being imported",
                    .whyBusy = nullptr}) {
    context_.commands.request(kind().command, this, &ImportTraceTask::start);
  }

private:
  void start(const protocol::ImportTraceArguments &arguments, JsonReply reply) {
    std::vector<std::string> command{
        context_.programs.worker, "--import-trace", arguments.kind,    arguments.file, "--program",
        arguments.program,        "--assembly",     arguments.assembly};
    for (const std::string &function : arguments.functions)
      command.insert(command.end(), {"--function", function});
    if (arguments.output)
      command.insert(command.end(), {"--output", *arguments.output});
    import(std::move(command), arguments.file, std::move(reply));
  }
};

class ImportProfileTask final : public ImportTask {
public:
  ImportProfileTask(const Tasks &all, TaskContext &context)
      : ImportTask(all, context,
                   {.command = "mca.importProfile",
                    .title = "Importing a profile",
                    .again = "another profile is being imported",
                    .whyBusy = nullptr}) {
    context_.commands.request(kind().command, this, &ImportProfileTask::start);
  }

private:
  void start(const protocol::ImportProfileArguments &arguments, JsonReply reply) {
    std::vector<std::string> command{context_.programs.worker, "--import-profile", arguments.kind, arguments.file};
    for (const std::string &program : arguments.programs)
      command.insert(command.end(), {"--program", program});
    command.insert(command.end(), {"--output", arguments.output});
    import(std::move(command), arguments.file, std::move(reply));
  }
};

} // namespace

std::unique_ptr<Task> makeImportTraceTask(const Tasks &all, TaskContext &context) {
  return std::make_unique<ImportTraceTask>(all, context);
}

std::unique_ptr<Task> makeImportProfileTask(const Tasks &all, TaskContext &context) {
  return std::make_unique<ImportProfileTask>(all, context);
}

} // namespace lsp
