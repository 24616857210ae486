// Documents, features and jobs of server.h.
#include "lsp/features/diagnostics.h"
#include "lsp/features/hover.h"
#include "lsp/features/inlay_hint.h"
#include "lsp/features/stage_text.h"
#include "lsp/protocol/conversions.h"
#include "lsp/server/log.h"
#include "lsp/server/server.h"

namespace lsp {

using analysis::wire::AnalysisResult;
using analysis::wire::Language;

// ---- documents
// -------------------------------------------------------------------------------------------------------

Document *Server::find(const std::string &uri) {
  const auto found = documents_.find(uri);
  if (found == documents_.end())
    logError("a document that is not open: " + uri);
  return found == documents_.end() ? nullptr : &found->second;
}

void Server::didOpen(protocol::DidOpenParams params) {
  if (documents_.contains(params.uri))
    logError("opened twice: " + params.uri);
  Document document(params, std::move(params.text));
  const bool ours = document.language().has_value();
  logInfo((ours ? "opened " : "opened, not ours: ") + params.uri);
  documents_.insert_or_assign(params.uri, std::move(document));
  if (ours)
    scheduler_.scheduleNow(params.uri);
}

void Server::didChange(const protocol::DidChangeParams &params) {
  Document *document = find(params.uri);
  if (!document)
    return;
  const std::optional<int64_t> before = document->version();
  if (params.version && before && *params.version <= *before)
    logError("version " + std::to_string(*params.version) + " follows " + std::to_string(*before) + ": " + params.uri);
  if (!document->apply(params, client_.capabilities.encoding))
    return logError("a change would make the document too long and was dropped: " + params.uri);
  if (document->language() == Language::Assembly || (document->language() && settings_.worker.compileOnChange))
    scheduler_.scheduleAfterPause(params.uri);
}

void Server::didSave(const protocol::DocumentParams &params) {
  const Document *document = find(params.uri);
  if (document && document->language() && document->language() != Language::Assembly)
    scheduler_.scheduleNow(params.uri);
}

void Server::didClose(const protocol::DocumentParams &params) {
  if (!find(params.uri))
    return;
  scheduler_.forget(params.uri);
  documents_.erase(params.uri);
  answerHeldHints(params.uri);
  client_.notify("textDocument/publishDiagnostics", toJson(protocol::PublishDiagnosticsParams{params.uri, {}, {}}));
}

// ---- features
// --------------------------------------------------------------------------------------------------------

void Server::inlayHint(protocol::InlayHintParams params, Reply<std::vector<protocol::InlayHint>> reply) {
  const bool comesAgain = client_.capabilities.refreshesInlayHints;
  if (comesAgain || !settings_.inlayHints || !scheduler_.pending(params.uri))
    return reply(hintsFor(params));
  HeldHints &held =
      heldHints_.emplace_back(std::move(params), std::move(reply), boost::asio::steady_timer(io_, options_.hintHold));
  held.deadline.async_wait([this, id = held.reply.id()](boost::system::error_code error) {
    if (error)
      return;
    heldHints_.remove_if([&](const HeldHints &held) {
      const bool due = held.reply.id() == id;
      if (due)
        held.reply(hintsFor(held.params));
      return due;
    });
  });
}

void Server::answerHeldHints(const std::string &uri) {
  heldHints_.remove_if([&](const HeldHints &held) {
    const bool due = held.params.uri == uri;
    if (due)
      held.reply(hintsFor(held.params));
    return due;
  });
}

std::vector<protocol::InlayHint> Server::hintsFor(const protocol::InlayHintParams &params) {
  const auto found = documents_.find(params.uri);
  if (found == documents_.end() || !settings_.inlayHints)
    return {};
  const Document &document = found->second;
  return features::inlayHints(document.analysis().hints, document.text(), params.range, client_.capabilities);
}

void Server::hover(const protocol::HoverParams &params, Reply<std::optional<protocol::Hover>> reply) {
  const Document *document = settings_.hover ? find(params.uri) : nullptr;
  if (!document)
    return reply(std::nullopt);
  reply(features::hover(document->analysis().hovers, document->text(), params.position, client_.capabilities));
}

void Server::publish(const Document &document) {
  protocol::PublishDiagnosticsParams params{document.uri(), document.version(), {}};
  if (settings_.diagnostics)
    params.diagnostics =
        features::diagnostics(document.analysis().findings, document.text(), document.uri(), client_.capabilities);
  client_.notify("textDocument/publishDiagnostics", toJson(params));
}

void Server::refreshHints() {
  if (!client_.capabilities.refreshesInlayHints || state_ != State::Running)
    return;
  client_.request("workspace/inlayHint/refresh", nullptr, [](const std::optional<protocol::Json> &) {});
}

// ---- jobs
// ------------------------------------------------------------------------------------------------------------

analysis::wire::AnalyzeRequest Server::jobRequest(const std::string &uri) {
  Document &document = documents_.at(uri);
  document.jobStarted();
  return {.path = document.path(),
          .language = *document.language(),
          .text = document.text().bytes(),
          .settings = settings_.worker,
          .openFiles = otherSources(uri)};
}

/// The C and C++ files among the open documents but one, in the order of their URIs.
std::vector<std::string> Server::otherSources(const std::string &uri) const {
  std::vector<std::string> paths;
  for (const auto &[other, document] : documents_)
    if (other != uri && document.language() && document.language() != Language::Assembly)
      paths.push_back(document.path());
  return paths;
}

void Server::jobProgress(const std::string &uri, const analysis::wire::Progress &progress) {
  const Document &document = documents_.at(uri);
  logVerbose(uri + ": " + features::stageText(progress) + " " + progress.what);
  if (document.language() != Language::Assembly)
    progress_.report("mca: " + document.path().substr(document.path().rfind('/') + 1), features::stageText(progress));
}

void Server::jobFinished(const std::string &uri, AnalysisResult result) {
  Document &document = documents_.at(uri);
  logInfo("analysed " + uri + ": " + std::to_string(result.regions.size()) + " regions, " +
          std::to_string(result.findings.size()) + " findings, " + std::to_string(result.compileMicros / 1000) +
          " ms compiling, " + std::to_string(result.analysisMicros / 1000) + " ms analysing");
  document.setAnalysis({std::move(result.hints), std::move(result.findings), std::move(result.hovers)});
  publish(document);
  for (const std::string &note : result.notes)
    client_.showMessageOnce(protocol::MessageType::Info, "mca-lsp: " + note);
  jobOver(uri);
  refreshHints();
}

void Server::jobCancelled(const std::string &uri) {
  jobOver(uri);
}

void Server::workerDied(const std::string &uri, const WorkerDeath &death, Verdict verdict) {
  Document &document = documents_.at(uri);
  analysis::wire::Finding finding = features::findingOfDeath(death, verdict);
  logError(uri + ": " + finding.message);
  finding.at = document.present(finding.at);
  document.setFindings({std::move(finding)});
  publish(document);
  jobOver(uri);
}

void Server::workerUnavailable(const std::string &uri, const std::string &why) {
  logError("no worker: " + why);
  client_.showMessageOnce(protocol::MessageType::Error,
                          "mca-lsp cannot start its worker, so there will be no hints (" + why +
                              "). Install mca-worker beside mca-lsp, or name it with --worker PATH.");
  jobOver(uri);
}

void Server::jobOver(const std::string &uri) {
  progress_.end();
  if (const auto found = documents_.find(uri); found != documents_.end())
    found->second.jobEnded();
  if (!scheduler_.pending(uri))
    answerHeldHints(uri);
}

} // namespace lsp
