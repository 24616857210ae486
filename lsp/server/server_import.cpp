// The command mca.importTrace of server.h: makes a branch trace of a recording. The worker does it as a command of its
// own, since a recording may take minutes to read.
#include "lsp/protocol/conversions.h"
#include "lsp/server/server.h"

#include <sstream>

namespace lsp {

using protocol::ErrorCode;
using protocol::InvalidParams;

namespace {

/// The required path of an argument: absolute, as the folder that the server runs in means nothing to a client.
std::string pathArgument(const protocol::Json &arguments, const char *name) {
  std::string path = protocol::requiredTextArgument(arguments, name);
  if (!path.starts_with("/"))
    throw InvalidParams(std::string("the argument ") + name + " is no absolute path");
  return path;
}

/// The lines of the worker's messages, without its name in front of each.
std::vector<std::string> messagesOf(const std::string &errors) {
  constexpr std::string_view kName = "mca-lsp: ";
  std::vector<std::string> messages;
  std::istringstream lines(errors);
  for (std::string line; std::getline(lines, line);)
    messages.push_back(line.starts_with(kName) ? line.substr(kName.size()) : line);
  return messages;
}

} // namespace

void Server::importTrace(const Json &arguments, JsonReply reply) {
  const std::string file = pathArgument(arguments, "file");
  std::vector<std::string> command{options_.worker,
                                   "--import-trace",
                                   protocol::requiredTextArgument(arguments, "kind"),
                                   file,
                                   "--program",
                                   pathArgument(arguments, "program"),
                                   "--assembly",
                                   pathArgument(arguments, "assembly")};
  for (const std::string &function :
       protocol::textsArgument(arguments, "functions").value_or(std::vector<std::string>()))
    command.insert(command.end(), {"--function", function});
  if (protocol::textArgument(arguments, "output"))
    command.insert(command.end(), {"--output", pathArgument(arguments, "output")});
  if (import_)
    return reply.fail(ErrorCode::RequestFailed, "another recording is being imported");
  import_.emplace(Importing{.reply = std::move(reply),
                            .progress = progress_.open(kImportProgress, "Importing a branch trace", file)});
  importer_.start(std::move(command), "", [this](const CommandEnd &end) { importFinished(end); });
}

/// A new trace counts at once: not every client watches files.
void Server::importFinished(const CommandEnd &end) {
  const JsonReply reply = std::move(import_->reply);
  import_.reset();
  if (end.status != 0) {
    const std::string last = lastMessageOf(end, {"mca-lsp: ", "error: "});
    return reply.fail(ErrorCode::RequestFailed, last.empty() ? "the worker was killed" : last);
  }
  const std::string output = end.output.substr(0, end.output.find('\n'));
  reply({{"output", output}, {"notes", messagesOf(end.errors)}});
  filesChanged({output});
}

/// Returns whether an import was running, of this request or, without one, of any.
bool Server::cancelImport(const protocol::RequestId *id, const std::string &why) {
  if (!import_ || (id && import_->reply.id() != *id))
    return false;
  importer_.cancel();
  const JsonReply reply = std::move(import_->reply);
  import_.reset();
  reply.fail(ErrorCode::RequestCancelled, why);
  return true;
}

} // namespace lsp
