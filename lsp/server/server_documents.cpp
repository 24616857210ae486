// Documents of server.h: their edits, the requests that may wait for their jobs, and these jobs.
#include "analysis/wire/finding_codes.h"
#include "lsp/features/diagnostics.h"
#include "lsp/features/features.h"
#include "lsp/server/server.h"
#include "lsp/system/log.h"
#include "lsp/wording/death_text.h"
#include "lsp/wording/findings.h"
#include "lsp/workspace/language.h"

#include <algorithm>
#include <iterator>

namespace lsp {

using analysis::wire::AnalysisResult;
using analysis::wire::AnalyzeRequest;
using analysis::wire::Language;

namespace {

bool isWholeText(const protocol::ContentChange &change) {
  return !change.range;
}

} // namespace

// ---- documents -----------------------------------------------------------------------------------------------------

/// Null if it is not open.
Document *Server::openDocument(const std::string &uri) {
  const auto found = documents_.find(uri);
  return found == documents_.end() ? nullptr : &found->second;
}

/// The same for a document that a client must not name before it has opened it: if it is not open, that is logged.
Document *Server::find(const std::string &uri) {
  Document *document = openDocument(uri);
  if (!document)
    logError("a document that is not open: " + uri);
  return document;
}

/// Replaces a document that is open already: a client that opens one twice means the newer text.
void Server::didOpen(protocol::DidOpenParams params) {
  if (protocol::isVirtual(params.uri))
    return; // made by us from an analysis
  if (documents_.contains(params.uri))
    logError("opened twice: " + params.uri);
  lost_.erase(params.uri);
  doubtful_.erase(params.uri);
  Document document(params, std::move(params.text));
  const bool ours = document.language().has_value();
  logInfo((ours ? "opened " : "opened, not ours: ") + params.uri);
  Document &added = documents_.insert_or_assign(params.uri, std::move(document)).first->second;
  added.setSettings(configuration_.settingsFor(added.path()));
  configFileShown(added.path(), &added);
  publishConfigFindings();
  if (!ours)
    return;
  baselines_.opened(params.uri);
  compiled_.erase(params.uri);
  schedule(params.uri);
}

/// Starts a job after a pause for assembly, and for C and C++ if the setting compileOn is "change".
void Server::didChange(const protocol::DidChangeParams &params) {
  if (protocol::isVirtual(params.uri))
    return;
  if (lost_.contains(params.uri))
    return takeWholeText(params);
  Document *document = find(params.uri);
  if (!document)
    return;
  if (const std::string why = applyChange(*document, params); !why.empty())
    return loseText(*document, why);
  configFileShown(document->path(), document);
  if (!document->language())
    return;
  baselines_.edited(params.uri);
  virtual_.edited(params.uri, document->lastShifts());
  dropHeadJobs();
  dropSideJobs(params.uri, protocol::ErrorCode::ContentModified, "the document changed");
  prefer(params.uri);
  if (document->language() == Language::Assembly || document->settings().worker.compileOnChange)
    scheduler_.scheduleAfterPause(params.uri);
}

/// Why the change could not be made; empty if it was.
std::string Server::applyChange(Document &document, const protocol::DidChangeParams &params) {
  const std::optional<int64_t> before = document.version();
  if (params.version && before && *params.version <= *before)
    logError("version " + std::to_string(*params.version) + " follows " + std::to_string(*before) + ": " + params.uri);
  const bool isNext = params.version && before && *params.version == *before + 1;
  const bool replacesAll = std::ranges::any_of(params.changes, isWholeText);
  if (!params.unreadable.empty())
    return "a change of it cannot be read: " + params.unreadable;
  if (doubtful_.erase(params.uri) && !isNext && !replacesAll)
    return "a message of the editor was lost";
  try {
    return document.apply(params, client_.capabilities.encoding) ? "" : "it has become too long";
  } catch (const std::exception &error) {
    return error.what();
  }
}

/// A message was lost, and with it perhaps a change. The version of the next one shows whether it was.
void Server::doubtTexts() {
  for (const auto &[uri, document] : documents_)
    doubtful_.insert(uri);
}

/// The document counts as closed. Only the user can help: editors send a whole text again when they open the file.
void Server::loseText(const Document &document, const std::string &why) {
  logError("lost track of " + document.uri() + ": " + why);
  lost_[document.uri()] = document.languageId();
  if (document.language())
    client_.showMessage(protocol::MessageType::Warning,
                        "mca-lsp has lost track of the text of " + document.path() + " (" + why +
                            "). It shows nothing there until you close the file and open it again.");
  closeDocument(document);
  refreshPulls();
  refreshHints();
}

/// Opens a document whose text was lost again, if one of the changes is the whole text.
void Server::takeWholeText(const protocol::DidChangeParams &params) {
  const auto &changes = params.changes;
  const auto after = std::find_if(changes.rbegin(), changes.rend(), isWholeText).base();
  if (after == changes.begin())
    return logVerbose("a change of a text that is not known: " + params.uri);
  const bool isLast = after == changes.end();
  didOpen({params.uri, lost_.at(params.uri), isLast ? params.version : std::nullopt, std::prev(after)->text});
  if (!isLast)
    didChange({params.uri, params.version, {after, changes.end()}, {}});
}

/// A text that comes with the save is the truth, even if it differs from ours. Assembly is analysed at each change, so
/// a save starts no job unless the preprocessor reads other files, too.
void Server::didSave(protocol::DidSaveParams params) {
  const Document *open = openDocument(params.uri);
  const bool sameText = !params.text || (open && open->text().bytes() == *params.text);
  if (!sameText)
    didChange({params.uri, {}, {{std::nullopt, std::move(*params.text)}}, {}});
  if (lost_.contains(params.uri)) {
    ++saves_;
    return;
  }
  const Document *document = find(params.uri);
  if (document)
    configFileShown(document->path(), document);
  if (!document || !document->language())
    return;
  ++saves_;
  prefer(params.uri);
  baselines_.saved(params.uri);
  if (document->language() != Language::Assembly || isPreprocessed(document->path()))
    schedule(params.uri);
  else
    scheduleHeadAnalysis();
}

void Server::didClose(const protocol::DocumentParams &params) {
  if (const auto virtualUri = protocol::parseVirtualUri(params.uri)) {
    virtual_.close(*virtualUri);
    return answerHeldContent();
  }
  if (lost_.erase(params.uri) != 0)
    return;
  if (const Document *document = find(params.uri))
    closeDocument(*document);
}

/// Diagnostics of a closed document are withdrawn, as LSP 3.17 (PublishDiagnostics) makes the server their owner. A
/// client that pulls drops its own.
void Server::closeDocument(const Document &document) {
  // Copies, because the document is erased below.
  const std::string uri = document.uri();   // NOLINT(performance-unnecessary-copy-initialization)
  const std::string path = document.path(); // NOLINT(performance-unnecessary-copy-initialization)
  scheduler_.forget({uri});
  doubtful_.erase(uri);
  documents_.erase(uri);
  forgetDocument(uri);
  answerHeld(uri);
  if (!client_.capabilities.pullsDiagnostics || configuration_.isConfigFile(path))
    client_.publish({uri, {}, {}});
  configFileShown(path, nullptr);
  publishConfigFindings();
}

// ---- features ------------------------------------------------------------------------------------------------------

/// Without a refresh the client would show what is known now until the next edit, so its request waits. Any client
/// waits for the first analysis of a document: none has hints before it, and Neovim 0.10 to 0.12 may keep showing none
/// after the refresh, as it takes hints of one version of a text for drawn.
void Server::inlayHint(protocol::InlayHintParams params, HintReply reply) {
  const Document *document = openDocument(params.uri);
  const bool shown = document && document->settings().inlayHints;
  const bool known = document && document->analysed();
  if ((known && client_.capabilities.refreshesInlayHints) || !shown || !scheduler_.pending(params.uri))
    return reply(hintsFor(params));
  heldHints_.hold(std::move(params), std::move(reply));
}

/// The document's job is over or was dropped, so nothing newer will come.
void Server::answerHeld(const std::string &uri) {
  heldHints_.answer(uri);
  heldPulls_.answer(uri);
}

/// None while the user has hidden them (mca.toggleHints).
std::vector<protocol::InlayHint> Server::hintsFor(const protocol::InlayHintParams &params) {
  const Document *document = openDocument(params.uri);
  if (!document || !document->settings().inlayHints || hintsHidden_)
    return {};
  return features::inlayHints(*document, params.range, document->settings(), client_.capabilities);
}

/// A client that supports a refresh waits only for the first analysis of a document.
void Server::documentDiagnostic(protocol::DocumentDiagnosticParams params, DiagnosticReply reply) {
  const Document *document = openDocument(params.uri);
  const bool known = !document || document->analysed();
  if ((known && client_.capabilities.refreshesDiagnostics) || !scheduler_.pending(params.uri))
    return answerPull(params, reply, false);
  heldPulls_.hold(std::move(params), std::move(reply));
}

/// Before the first analysis a report would be empty, and the client would show the file as free of findings. So a pull
/// that has waited long enough fails, and the client pulls again by itself if the server cannot request that.
void Server::answerPull(const protocol::DocumentDiagnosticParams &params, const DiagnosticReply &reply, bool late) {
  const Document *document = openDocument(params.uri);
  if (late && document && !document->analysed()) // LSP 3.17, DiagnosticServerCancellationData
    return reply.fail(protocol::ErrorCode::ServerCancelled, "the first analysis is not over yet",
                      {{"retriggerRequest", !client_.capabilities.refreshesDiagnostics}});
  auto items = document ? diagnosticsOf(*document) : std::vector<protocol::Diagnostic>();
  reply(features::diagnosticReport(std::move(items), params.previousResultId));
}

std::vector<protocol::Diagnostic> Server::diagnosticsOf(const Document &document) const {
  if (!document.settings().diagnostics)
    return {};
  return features::diagnostics(document.analysis().findings, document.settings(), document.text(), document.uri(),
                               client_.capabilities);
}

/// Publishes them or requests a pull, never both: LSP 3.17 has two models of diagnostics, and a client would show each
/// finding twice.
void Server::showDiagnostics(const Document &document) {
  if (!client_.capabilities.pullsDiagnostics)
    client_.publish({document.uri(), document.version(), diagnosticsOf(document)});
  else
    refreshPulls();
}

void Server::refreshPulls() {
  if (client_.capabilities.pullsDiagnostics && client_.capabilities.refreshesDiagnostics)
    client_.request("workspace/diagnostic/refresh", nullptr);
}

/// With the hints, lenses and tokens: all of them show the same analysis.
void Server::refreshHints() {
  refreshFeatures();
  if (client_.capabilities.refreshesInlayHints && state_ == State::Running)
    client_.request("workspace/inlayHint/refresh", nullptr);
}

// ---- jobs ----------------------------------------------------------------------------------------------------------

/// The user does something with the document, so its job comes before those of others.
void Server::prefer(const std::string &uri) {
  if (documents_.contains(uri))
    scheduler_.prefer(uri);
}

/// Views need the text that was analysed, which the buffer may no longer have when the job is over: the ticket keeps
/// it.
JobStart Server::startJob(const JobKey &job, size_t worker) {
  if (job.kind != JobKind::Document)
    return {sideJobRequest(job, worker), {}};
  Document &document = documents_.at(job.uri);
  refreshSettings(document);
  document.jobStarted();
  JobTicket ticket{worker, saves_, baselines_.textState(job.uri), baselines_.before(job.uri), virtual_.allOf(job.uri),
                   nullptr};
  if (!ticket.views.empty())
    ticket.viewed = std::make_shared<const Text>(document.text());
  AnalyzeRequest request = baseRequest(document);
  request.documents = virtual_.requests(ticket.views, document.text());
  request.reuseCompiled = mayReuseCompiled(job.uri, worker);
  request.knownSimulations = std::as_const(document).analysis().knownSimulations();
  return {std::move(request), std::move(ticket)};
}

/// The paths of all other open documents that may include this one, in the order of their URIs: those in C and C++, or
/// those in assembly for the preprocessor.
std::vector<std::string> Server::otherSources(const Document &document) const {
  const bool isAssembly = document.language() == Language::Assembly;
  std::vector<std::string> paths;
  for (const auto &[uri, other] : documents_)
    if (uri != document.uri() && other.isLocalFile() && other.language() &&
        (other.language() == Language::Assembly) == isAssembly && (!isAssembly || isPreprocessed(other.path())))
      paths.push_back(other.path());
  return paths;
}

/// The progress display is for C and C++, whose jobs wait for a compiler. A status line shows every job.
void Server::jobProgress(const JobKey &job, const analysis::wire::Progress &progress) {
  if (job.kind != JobKind::Document)
    return;
  const Document &document = documents_.at(job.uri);
  status_.working(job.uri, wording::stageText(progress));
  logVerbose(job.uri + ": " + wording::stageText(progress) + " " + progress.what);
  if (document.language() != Language::Assembly)
    progress_.report(job.uri, "mca: " + document.path().substr(document.path().rfind('/') + 1),
                     wording::stageText(progress));
}

/// The order matters: views are made from the analysis at its places in the analysed text, before setAnalysis() moves
/// it through the edits made since.
void Server::jobFinished(const JobKey &job, const JobTicket &ticket, AnalysisResult result) {
  if (job.kind != JobKind::Document)
    return sideJobFinished(job, std::move(result));
  const std::string &uri = job.uri;
  Document &document = documents_.at(uri);
  Analysis analysis = Analysis::take(result, std::as_const(document).analysis());
  analysis.compareWith(ticket.before);
  takeViews(document, ticket, result.views, analysis);
  document.setAnalysis(std::move(analysis));
  takeNumbers(document, ticket);
  updateFindings(document);
  logInfo("analysed " + uri + ": " + std::to_string(document.analysis().regions.size()) + " regions, " +
          std::to_string(document.analysis().findings.size()) + " findings, " +
          std::to_string(result.compileMicros / 1000) + " ms compiling, " +
          std::to_string(result.analysisMicros / 1000) + " ms analysing");
  for (const std::string &note : result.notes)
    client_.showMessageOnce(protocol::MessageType::Info, "mca-lsp: " + note);
  jobOver(uri);
  refreshHints();
  scheduleHeadAnalysis();
}

/// Findings follow from the analysis and the settings: this is called when either has changed.
void Server::updateFindings(Document &document) {
  wording::makeFindings(document.analysis(), document.text(), document.settings().slowerPercent);
  showDiagnostics(document);
}

void Server::jobCancelled(const JobKey &job) {
  if (job.kind == JobKind::Document)
    jobOver(job.uri);
}

/// The death is a finding at the place that the worker was busy with. If the content is set aside, no job will make the
/// virtual documents that wait, so they say why.
void Server::workerDied(const JobKey &job, const WorkerDeath &death, AfterDeath after) {
  if (job.kind != JobKind::Document)
    return sideJobFailed(job, "the worker ended: " + death.how);
  const std::string &uri = job.uri;
  Document &document = documents_.at(uri);
  analysis::wire::Finding finding = wording::findingOfDeath(death, after);
  logError(uri + ": " + finding.message);
  finding.at = document.present(finding.at);
  const std::string message = finding.message;
  document.setFailure(std::move(finding));
  updateFindings(document);
  if (after == AfterDeath::SetAside)
    setPlaceholderText(uri, message);
  jobOver(uri);
}

/// The user sees the message once: for each further document the reason is the same.
void Server::workerUnavailable(const JobKey &job, const std::string &why) {
  if (job.kind != JobKind::Document)
    return sideJobFailed(job, why);
  logError("no worker: " + why);
  setPlaceholderText(job.uri, "there is no worker: " + why);
  client_.showMessageOnce(protocol::MessageType::Error,
                          "mca-lsp cannot start its worker, so there will be no hints (" + why +
                              "). Install mca-worker beside mca-lsp, or name it with --worker PATH.");
  jobOver(job.uri);
}

/// Another job may be pending already, after an edit: requests then wait for that one.
void Server::jobOver(const std::string &uri) {
  progress_.end(uri);
  if (Document *document = openDocument(uri))
    document->jobEnded();
  if (scheduler_.pending(uri))
    return;
  status_.idle(uri);
  answerHeld(uri);
}

} // namespace lsp
