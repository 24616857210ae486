// The commands of server.h (workspace/executeCommand). docs/commands.md describes their arguments and replies.
//
// Choices that commands make last for the session: they are above the settings, but not saved in them.
#include "lsp/check/check_json.h"
#include "lsp/protocol/conversions.h"
#include "lsp/server/server.h"
#include "lsp/system/system.h"
#include "lsp/wording/loops_of_line.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <unistd.h>

namespace lsp {

using analysis::wire::DocumentKind;
using protocol::ErrorCode;
using protocol::InvalidParams;
using protocol::PositionParams;

namespace {

/// In the order of analysis::wire::CpuModel, which the wire's codec has checked.
constexpr const char *kModelNames[] = {"own", "borrowed", "none"};

/// The choice for `key`, which an empty one takes back.
void choose(std::map<std::string, std::string> &choices, const std::string &key, const std::string &choice) {
  if (choice.empty())
    choices.erase(key);
  else
    choices[key] = choice;
}

/// Rounded down.
std::string mebibytes(uint64_t bytes) {
  return std::to_string(bytes >> 20) + " MiB";
}

} // namespace

void Server::executeCommand(const protocol::ExecuteCommandParams &params, JsonReply reply) {
  const auto command = commands_.find(params.command);
  if (command == commands_.end())
    throw InvalidParams("no command of this server: " + params.command);
  (this->*command->second)(params.arguments, std::move(reply));
}

/// Throws InvalidParams for a document that is not open, or not ours to analyse.
Document &Server::analysedDocument(const std::string &uri) {
  Document *document = openDocument(uri);
  if (!document || !document->language())
    throw InvalidParams("no open assembly, C or C++ document: " + uri);
  return *document;
}

/// The settings for a job of the document. A CPU that the user chose for it, or else for all, wins over them; in the
/// worker, a comment in the buffer wins over both.
analysis::wire::Settings Server::workerSettings(const std::string &uri) const {
  analysis::wire::Settings settings = documents_.at(uri).settings().worker;
  auto chosen = chosenCpus_.find(uri);
  if (chosen == chosenCpus_.end())
    chosen = chosenCpus_.find("");
  if (chosen != chosenCpus_.end()) {
    settings.cpu = chosen->second;
    settings.cpuSource = "chosen for this session";
  }
  if (const auto predictor = chosenPredictors_.find(uri); predictor != chosenPredictors_.end())
    settings.predictor = predictor->second;
  return settings;
}

template <DocumentKind kind>
void Server::showVirtual(const Json &arguments, JsonReply reply) {
  const PositionParams place = protocol::placeArguments(arguments);
  analysedDocument(place.uri);
  const protocol::VirtualUri uri{kind, place.uri, place.position.line};
  const std::string spelling = protocol::toString(uri);
  virtual_.open(uri, spelling, /*retarget=*/true);
  if (!virtual_.textOf(uri))
    wantVirtual(place.uri);
  reply({{"uri", spelling}});
  if (client_.capabilities.showDocument)
    client_.request("window/showDocument", {{"uri", spelling}, {"takeFocus", false}});
}

/// The reply follows the job. An edit cancels it, since the position may then mean another region.
void Server::compareCpus(const Json &arguments, JsonReply reply) {
  const PositionParams place = protocol::placeArguments(arguments);
  const Document &document = analysedDocument(place.uri);
  const std::vector<std::string> cpus =
      protocol::textsArgument(arguments, "cpus").value_or(document.settings().worker.cpus);
  if (cpus.empty())
    throw InvalidParams("no CPU to compare with: the argument cpus and the setting mca.cpus are empty");
  if (cannotCompile(place.uri))
    return reply.fail(ErrorCode::RequestFailed, "the buffer has unsaved changes: save it first");
  dropHeadJobs();
  const JobKey job{place.uri, JobKind::OtherCpus, nextSideJob_++};
  sideJobs_.emplace(job, SideJob{.cpus = cpus,
                                 .offset = document.text().offsetOf(place.position, client_.capabilities.encoding),
                                 .reply = std::move(reply),
                                 .progress = {}});
  scheduler_.scheduleNow(job);
}

/// For one document, or without `uri` for all.
void Server::setCpu(const Json &arguments, JsonReply reply) {
  const std::optional<std::string> cpu = protocol::textArgument(arguments, "cpu");
  const std::string uri = protocol::textArgument(arguments, "uri").value_or("");
  if (!cpu)
    throw InvalidParams("the argument cpu is missing; an empty one takes the choice back");
  if (!uri.empty())
    analysedDocument(uri);
  choose(chosenCpus_, uri, *cpu);
  for (const auto &[other, document] : documents_)
    if (document.language() && (uri.empty() || other == uri))
      analyseAnew(other, "another CPU was chosen");
  reply({{"cpu", *cpu}});
}

/// Numbers with another choice are no baseline for the new ones.
void Server::analyseAnew(const std::string &uri, const std::string &why) {
  baselines_.forget(uri);
  dropSideJobs(uri, ErrorCode::ContentModified, why);
  schedule(uri);
}

/// The user's choice among the commands that compile the document. Empty for the first of them.
std::string Server::chosenCommand(const std::string &uri) const {
  const auto chosen = chosenCommands_.find(uri);
  return chosen == chosenCommands_.end() ? "" : chosen->second;
}

/// The choice is among the commands of the last analysis: before it there is none.
void Server::setCommand(const Json &arguments, JsonReply reply) {
  const std::string uri = protocol::requiredTextArgument(arguments, "uri");
  const std::vector<std::string> &known = analysedDocument(uri).analysis().target.commands;
  const std::optional<std::string> command = protocol::textArgument(arguments, "command");
  if (!command)
    throw InvalidParams("the argument command is missing; an empty one takes the choice back");
  if (!command->empty() && std::find(known.begin(), known.end(), *command) == known.end())
    throw InvalidParams("no command of the document is the one " + *command);
  choose(chosenCommands_, uri, *command);
  analyseAnew(uri, "another compile command was chosen");
  reply({{"command", *command}});
}

/// Of the loop whose numbers the line's hint shows. An analysis has the numbers of all paths, so none is started.
void Server::nextPath(const Json &arguments, JsonReply reply) {
  const PositionParams place = protocol::placeArguments(arguments);
  Document &document = analysedDocument(place.uri);
  const uint32_t line = place.position.line;
  const auto lines = wording::loopsByLine(document.analysis(), document.text(), line, line);
  if (lines.empty() || lines.begin()->second.front().size() == 1)
    return reply.fail(ErrorCode::RequestFailed, "no hint of a loop with several paths stands on this line");
  const wording::ShownLoop &loop = lines.begin()->second.front();
  document.analysis().choosePath(loop.front()->region.loop);
  const auto chosen = std::ranges::find_if(loop, &AnalysedRegion::chosen);
  reply({{"path", chosen == loop.end() ? 0 : chosen - loop.begin() + 1}, {"paths", loop.size()}});
  updateFindings(document);
  refreshHints();
}

/// Of the predictors that the settings know, those that tell most of a loop. Without measurements `measured` is the
/// same as `tage`, so that the next one comes after that.
void Server::nextPredictor(const Json &arguments, JsonReply reply) {
  constexpr std::array<const char *, 3> kPredictors{"tage", "perfect", "measured"};
  const std::string uri = protocol::requiredTextArgument(arguments, "uri");
  const Document &document = analysedDocument(uri);
  std::string now = workerSettings(uri).predictor;
  const auto isMeasured = [](const AnalysedRegion &one) { return one.flow && one.flow->predictor == "measured"; };
  if (now.empty() || (now == "measured" && std::ranges::none_of(document.analysis().regions, isMeasured)))
    now = kPredictors.front();
  const auto known = std::ranges::find(kPredictors, now);
  const char *next = known == kPredictors.end() || known + 1 == kPredictors.end() ? kPredictors.front() : *(known + 1);
  chosenPredictors_[uri] = next;
  schedule(uri);
  reply({{"predictor", next}});
}

/// Hides the hints that the settings show, for this session, or shows them again.
void Server::toggleHints(const Json &, JsonReply reply) {
  hintsHidden_ = !hintsHidden_;
  reply({{"enabled", configuration_.usersSettings().inlayHints && !hintsHidden_}});
  refreshHints();
}

void Server::exportJson(const Json &arguments, JsonReply reply) {
  const Document &document = analysedDocument(protocol::requiredTextArgument(arguments, "uri"));
  if (!document.analysed())
    return reply.fail(ErrorCode::RequestFailed, "the document has not been analysed yet");
  reply(analysisJson(document));
}

/// For the triple of the document's last analysis, else of its settings; without a document, of the user's settings.
void Server::listCpus(const Json &arguments, JsonReply reply) {
  std::string triple = configuration_.usersSettings().worker.triple;
  if (const std::optional<std::string> uri = protocol::textArgument(arguments, "uri")) {
    const Document &document = analysedDocument(*uri);
    const std::string &analysed = document.analysis().target.triple;
    triple = analysed.empty() ? document.settings().worker.triple : analysed;
  }
  // Shared because std::function must be copyable, and a Reply is not.
  scheduler_.listCpus(triple, [reply = std::make_shared<JsonReply>(std::move(reply))](
                                  const std::optional<analysis::wire::CpusResult> &result) {
    if (!result)
      return reply->fail(ErrorCode::RequestFailed, "the worker did not answer");
    Json cpus = Json::array();
    for (const analysis::wire::CpuName &cpu : result->cpus)
      cpus.push_back({{"name", cpu.name}, {"model", kModelNames[static_cast<size_t>(cpu.model)]}});
    (*reply)({{"triple", result->triple}, {"cpus", std::move(cpus)}});
  });
}

/// Analyses each document anew, even one that was set aside because it killed the worker.
void Server::restartWorker(const Json &, JsonReply reply) {
  dropHeadJobs();
  for (const auto &[uri, document] : documents_) {
    dropSideJobs(uri, ErrorCode::RequestCancelled, "the worker is restarted");
    scheduler_.forget({uri});
  }
  scheduler_.restartWorkers();
  for (const auto &[uri, document] : documents_)
    if (document.language())
      schedule(uri);
  reply(nullptr);
}

/// Resident memory, as the system reports it.
void Server::showMemory(const Json &, JsonReply reply) {
  std::string workers;
  for (const int pid : scheduler_.workerPids())
    workers += (workers.empty() ? "" : " and ") + mebibytes(system::residentBytes(pid));
  reply("mca-lsp: " + mebibytes(system::residentBytes(getpid())) +
        ", mca-worker: " + (workers.empty() ? "not running" : workers));
}

void Server::bindCommands() {
  commands_ = {{"mca.showReport", &Server::showVirtual<DocumentKind::Report>},
               {"mca.showAssembly", &Server::showVirtual<DocumentKind::Assembly>},
               {"mca.compareCpus", &Server::compareCpus},
               {"mca.setCpu", &Server::setCpu},
               {"mca.toggleHints", &Server::toggleHints},
               {"mca.exportJson", &Server::exportJson},
               {"mca.listCpus", &Server::listCpus},
               {"mca.restartWorker", &Server::restartWorker},
               {"mca.showMemory", &Server::showMemory},
               {"mca.setCommand", &Server::setCommand},
               {"mca.nextPath", &Server::nextPath},
               {"mca.nextPredictor", &Server::nextPredictor},
               {"mca.importTrace", &Server::importTrace},
               {"mca.measureRegion", &Server::measureRegion},
               {"mca.calibrate", &Server::calibrate}};
  assert(commands_.size() == std::size(protocol::kCommandNames) && "the capabilities name each command");
}

} // namespace lsp
