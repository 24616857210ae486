// The command mca.importTrace: makes a branch trace of a recording. The worker does it as a command of its own, since a
// recording may take minutes to read.
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

class ImportTask final : public Task {
public:
  ImportTask(const Tasks &all, TaskContext &context)
      : Task(all, context,
             {.command = "mca.importTrace",
              .title = "Importing a branch trace",
              .again = "another recording is being imported",
              .whyBusy = nullptr}) {
    context_.commands.request(kind().command, this, &ImportTask::start);
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
    if (const std::string why = whyBusy(); !why.empty())
      return reply.fail(ErrorCode::RequestFailed, why);
    begin(std::move(reply), arguments.file);
    run(std::move(command), "", [this](const CommandEnd &end) { finished(end); });
  }

  /// A new trace counts at once: not every client watches files.
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

} // namespace

std::unique_ptr<Task> makeImportTask(const Tasks &all, TaskContext &context) {
  return std::make_unique<ImportTask>(all, context);
}

} // namespace lsp
