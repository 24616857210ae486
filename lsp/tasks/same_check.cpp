#include "lsp/tasks/same_check.h"

#include "lsp/protocol/json_rpc.h"

#include <algorithm>
#include <fstream>
#include <utility>

namespace lsp {
namespace {

using protocol::Json;

bool write(const std::string &path, const std::string &text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return file.good();
}

/// Whether a difference of the reply is one of numbers, not of the bits of NaN alone.
bool isOfNumbers(const Json &difference) {
  return !(difference.contains("onlyNaN") && difference["onlyNaN"] == true);
}

bool isOverlapping(const Json &difference) {
  return difference.contains("overlap") && difference["overlap"] == true;
}

} // namespace

SameResults readSameResults(std::string_view json) {
  const Json reply = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!reply.is_object())
    return {.refused = "mca-measure gave no reply"};
  SameResults results;
  if (reply.contains("refused") && reply["refused"].is_string())
    results.refused = reply["refused"].get<std::string>();
  if (reply.contains("runs") && reply["runs"].is_number_unsigned())
    results.runs = static_cast<uint32_t>(std::min<uint64_t>(reply["runs"].get<uint64_t>(), UINT32_MAX));
  for (const char *member : {"differs", "overlapDiffers"}) {
    if (!reply.contains(member) || !reply[member].is_object() || !isOfNumbers(reply[member]))
      continue;
    (isOverlapping(reply[member]) ? results.differsOverlapping : results.differs) = true;
  }
  if (results.refused.empty() && results.runs == 0)
    results.refused = "no input could be compared";
  return results;
}

void SameCheck::start(const wire::RunnableFunction &now, const wire::RunnableFunction &then, Done done) {
  folder_.emplace(system::TemporaryFolder::make());
  const std::string one = folder_->path() + "/now.s", other = folder_->path() + "/then.s";
  std::vector<std::string> arguments{program_, "same", one, other, "--json", "--function", now.symbol};
  if (folder_->path().empty() || !write(one, now.assembly) || !write(other, then.assembly))
    arguments = {program_, "same"}; // says what it lacks, and ends
  if (!now.returns.empty())
    arguments.insert(arguments.end(), {"--returns", now.returns});
  for (const std::string &argument : now.arguments)
    arguments.insert(arguments.end(), {"--argument", argument});
  command_.start(std::move(arguments), "", [this, done = std::move(done)](const CommandEnd &end) {
    folder_.reset();
    done(end.status == 0 ? readSameResults(end.output)
                         : SameResults{.refused = lastMessageOf(end, {"mca-measure: ", "error: "})});
  });
}

} // namespace lsp
