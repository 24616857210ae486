#include "lsp/jobs/document_jobs.h"

#include "lsp/system/log.h"
#include "lsp/wording/death_text.h"
#include "lsp/wording/findings.h"
#include "lsp/wording/view_text.h"
#include "lsp/workspace/language.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

namespace lsp {

using analysis::wire::AnalysisResult;
using analysis::wire::AnalyzeRequest;
using analysis::wire::Language;

namespace {

std::string folderOf(const std::string &path) {
  return path.substr(0, path.rfind('/'));
}

/// A document's trace is that of its settings or, without such a setting, one beside it. The worker knows which.
bool mayReadTrace(const Document &document, const std::string &path) {
  const std::string &named = document.settings().worker.trace;
  return path.ends_with(kTraceExtension) &&
         (named.empty() ? folderOf(path) == folderOf(document.path()) : named == path);
}

/// A database lies in the folder that the settings name, or else in one above the document or in `build` there.
bool mayReadCommands(const Document &document, const std::string &path) {
  const std::string folder = folderOf(path), name = path.substr(folder.size() + 1);
  const bool isCompiled = document.language() != Language::Assembly || isPreprocessed(document.path());
  if (!isCompiled || (name != kDatabaseFile && name != kFlagsFile))
    return false;
  if (isInFolder(folder, document.path()) || name == kFlagsFile)
    return isInFolder(folder, document.path());
  return document.settings().worker.compileCommandsDir == folder ||
         (folder.ends_with("/build") && isInFolder(folderOf(folder), document.path()));
}

/// Whether the document may be analysed with the file, which is no source.
bool mayRead(const Document &document, const std::string &path) {
  return mayReadTrace(document, path) || mayReadCommands(document, path) ||
         document.settings().worker.calibration == path || document.settings().worker.profile == path;
}

} // namespace

DocumentJobs::DocumentJobs(boost::asio::io_context &io, const JobRunners &workers, Workspace &workspace,
                           JobListener &listener)
    : io_(io), workspace_(workspace), listener_(listener), scheduler_(io, workers, *this), inputs_(workspace),
      side_(scheduler_, workspace, inputs_, [this](Document &document) {
        updateFindings(document);
        updateHints();
      }) {}

// ---- documents -----------------------------------------------------------------------------------------------------

void DocumentJobs::opened(const std::string &uri) {
  workspace_.baselines.opened(uri);
  inputs_.opened(uri);
  schedule(uri);
}

/// Starts a job after a pause for assembly, and for C and C++ if the setting compileOn is "change".
void DocumentJobs::edited(const Document &document) {
  const std::string &uri = document.uri();
  workspace_.baselines.edited(uri);
  workspace_.virtualDocuments.edited(uri, document.lastShifts());
  side_.dropIdle();
  side_.drop(uri, protocol::ErrorCode::ContentModified, "the document changed");
  prefer(uri);
  if (document.language() == Language::Assembly || document.settings().worker.compileOnChange)
    scheduler_.scheduleAfterPause(uri);
}

/// Assembly is analysed at each change, so a save starts no job unless the preprocessor reads other files, too.
void DocumentJobs::saved(const Document &document) {
  const std::string &uri = document.uri();
  inputs_.changed();
  prefer(uri);
  workspace_.baselines.saved(uri);
  if (document.language() != Language::Assembly || isPreprocessed(document.path()))
    schedule(uri);
  else
    side_.scheduleIdle();
}

/// All that is kept by URI is forgotten, so that reopening the document starts afresh.
void DocumentJobs::closed(const std::string &uri) {
  scheduler_.forget({uri});
  side_.drop(uri, protocol::ErrorCode::RequestCancelled, "the document was closed");
  workspace_.baselines.closed(uri);
  inputs_.closed(uri);
  workspace_.virtualDocuments.closeAllOf(uri);
}

// ---- scheduling ----------------------------------------------------------------------------------------------------

void DocumentJobs::schedule(const std::string &uri) {
  side_.dropIdle();
  scheduler_.scheduleNow({uri});
}

void DocumentJobs::reanalyse(const std::string &uri, const std::string &why) {
  workspace_.baselines.forget(uri);
  side_.drop(uri, protocol::ErrorCode::ContentModified, why);
  schedule(uri);
}

void DocumentJobs::reanalyseAll(const std::string &why) {
  for (const auto &[uri, document] : workspace_.documents)
    if (document.language())
      reanalyse(uri, why);
}

void DocumentJobs::prefer(const std::string &uri) {
  if (workspace_.find(uri))
    scheduler_.prefer(uri);
}

void DocumentJobs::makeVirtualDocuments(const std::string &uri) {
  prefer(uri);
  if (workspace_.awaitsSave(uri))
    setPlaceholderText(uri, "The buffer has unsaved changes: save it to see this.\n");
  else
    schedule(uri);
}

void DocumentJobs::restartWorkers() {
  side_.dropIdle();
  for (const auto &[uri, document] : workspace_.documents) {
    side_.drop(uri, protocol::ErrorCode::RequestCancelled, "the worker is restarted");
    scheduler_.forget({uri});
  }
  scheduler_.restartWorkers();
  for (const auto &[uri, document] : workspace_.documents)
    if (document.language())
      schedule(uri);
}

void DocumentJobs::shutDown(const std::string &why) {
  side_.stop();
  for (const auto &[uri, document] : workspace_.documents)
    scheduler_.forget({uri});
  for (const auto &[uri, document] : workspace_.documents)
    side_.drop(uri, protocol::ErrorCode::RequestCancelled, why);
}

// ---- settings and files --------------------------------------------------------------------------------------------

void DocumentJobs::applySettings() {
  bool changed = false;
  for (auto &[uri, document] : workspace_.documents)
    changed |= applySettings(document);
  listener_.settingsApplied();
  if (changed)
    updateHints();
}

/// True if they have changed.
bool DocumentJobs::applySettings(Document &document) {
  if (!document.language())
    return false;
  const protocol::UserSettings before = document.settings();
  document.setSettings(workspace_.configuration.settingsFor(document.path()));
  if (before == document.settings())
    return false;
  logInfo("the settings changed of " + document.uri());
  updateFindings(document);
  if (before.worker != document.settings().worker) {
    inputs_.changed();
    reanalyse(document.uri(), "the settings changed");
  }
  return true;
}

/// Before an analysis: a configuration file may have changed without a message, as not every client watches files.
/// Other documents get their settings after the job has begun, since applySettings() may schedule jobs. Dropping jobs
/// may do so, too.
void DocumentJobs::refreshSettings(Document &document) {
  protocol::UserSettings present = workspace_.configuration.settingsFor(document.path());
  if (present == document.settings())
    return;
  if (present.worker != document.settings().worker) {
    workspace_.baselines.forget(document.uri());
    inputs_.changed();
    boost::asio::post(io_, [this, uri = document.uri()] {
      side_.drop(uri, protocol::ErrorCode::ContentModified, "the settings changed");
      side_.scheduleIdle();
    });
  }
  document.setSettings(std::move(present));
  boost::asio::post(io_, [this] { applySettings(); });
}

void DocumentJobs::filesChanged(const std::set<std::string> &paths) {
  inputs_.filesChanged();
  for (const std::string &path : paths)
    workspace_.configuration.files().touched(path);
  applySettings();
  for (const auto &[uri, document] : workspace_.documents)
    if (document.language() &&
        std::ranges::any_of(paths, [&](const std::string &path) { return mayRead(document, path); })) {
      side_.drop(uri, protocol::ErrorCode::ContentModified, "a file that it is analysed with has changed");
      schedule(uri);
    }
}

void DocumentJobs::updateFindings(Document &document) {
  wording::makeFindings(document.analysis(), document.text(), document.settings().slowerPercent,
                        document.settings().minimumPermille);
  listener_.findingsChanged(document);
}

// ---- jobs ----------------------------------------------------------------------------------------------------------

/// Views need the text that was analysed, which the buffer may no longer have when the job is over: the ticket keeps
/// it.
JobStart DocumentJobs::startJob(const JobKey &job, size_t worker) {
  if (job.kind != JobKind::Document)
    return {side_.requestFor(job, worker), {}};
  Document &document = workspace_.documents.at(job.uri);
  refreshSettings(document);
  document.jobStarted();
  JobTicket ticket{worker,
                   inputs_.saves(),
                   workspace_.baselines.textState(job.uri),
                   workspace_.baselines.before(job.uri),
                   workspace_.virtualDocuments.allOf(job.uri),
                   nullptr};
  if (!ticket.views.empty())
    ticket.viewed = std::make_shared<const Text>(document.text());
  AnalyzeRequest request = inputs_.requestFor(document);
  request.documents = workspace_.virtualDocuments.requests(ticket.views, document.text());
  request.reuseCompiled = inputs_.mayReuseCompiled(job.uri, worker);
  request.knownSimulations = std::as_const(document).analysis().knownSimulations();
  return {std::move(request), std::move(ticket)};
}

void DocumentJobs::jobProgress(const JobKey &job, const analysis::wire::Progress &progress) {
  if (job.kind == JobKind::Document)
    listener_.working(workspace_.documents.at(job.uri), progress);
}

/// The order matters: views are made from the analysis at its places in the analysed text, before setAnalysis() moves
/// it through the edits made since.
void DocumentJobs::jobFinished(const JobKey &job, const JobTicket &ticket, AnalysisResult result) {
  if (job.kind != JobKind::Document)
    return side_.finished(job, std::move(result));
  const std::string &uri = job.uri;
  Document &document = workspace_.documents.at(uri);
  Analysis analysis = Analysis::take(result, std::as_const(document).analysis());
  analysis.compareWith(ticket.before);
  takeViews(document, ticket, result.views, analysis);
  document.setAnalysis(std::move(analysis));
  inputs_.finished(uri, ticket.worker, ticket.saves, ticket.text);
  workspace_.baselines.jobFinished(uri, ticket.text, document.analysis());
  listener_.analysed(document);
  updateFindings(document);
  logInfo("analysed " + uri + ": " + std::to_string(document.analysis().regions.size()) + " regions, " +
          std::to_string(document.analysis().findings.size()) + " findings, " +
          std::to_string(result.compileMicros / 1000) + " ms compiling, " +
          std::to_string(result.analysisMicros / 1000) + " ms analysing");
  for (const std::string &note : result.notes)
    listener_.showOnce(protocol::MessageType::Info, "mca-lsp: " + note);
  jobOver(uri);
  updateHints();
  side_.scheduleIdle();
}

/// Makes the virtual documents of a finished job, whose analysis still has its places in the analysed text.
void DocumentJobs::takeViews(const Document &document, const JobTicket &ticket,
                             const std::vector<analysis::wire::View> &views, const Analysis &analysis) {
  std::vector<VirtualText> texts;
  if (ticket.viewed)
    for (const analysis::wire::View &view : views)
      texts.push_back(wording::viewText(view, analysis, *ticket.viewed, document.path()));
  listener_.virtualDocumentsChanged(
      workspace_.virtualDocuments.jobFinished(ticket.views, std::move(texts), document.shiftsSinceJob()));
}

/// Only documents that have no text yet get this one.
void DocumentJobs::setPlaceholderText(const std::string &uri, const std::string &text) {
  listener_.virtualDocumentsChanged(workspace_.virtualDocuments.setPlaceholderText(uri, text));
}

void DocumentJobs::jobCancelled(const JobKey &job) {
  if (job.kind == JobKind::Document)
    jobOver(job.uri);
}

/// The death is a finding at the place that the worker was busy with. If the content is set aside, no job will make the
/// virtual documents that wait, so they say why.
void DocumentJobs::workerDied(const JobKey &job, const WorkerDeath &death, AfterDeath after) {
  if (job.kind != JobKind::Document)
    return side_.failed(job, "the worker ended: " + death.how);
  const std::string &uri = job.uri;
  Document &document = workspace_.documents.at(uri);
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
void DocumentJobs::workerUnavailable(const JobKey &job, const std::string &why) {
  if (job.kind != JobKind::Document)
    return side_.failed(job, why);
  logError("no worker: " + why);
  setPlaceholderText(job.uri, "there is no worker: " + why);
  listener_.showOnce(protocol::MessageType::Error,
                     "mca-lsp cannot start its worker, so there will be no hints (" + why +
                         "). Install mca-worker beside mca-lsp, or name it with --worker PATH.");
  jobOver(job.uri);
}

/// Another job may be pending already, after an edit: requests then wait for that one.
void DocumentJobs::jobOver(const std::string &uri) {
  if (Document *document = workspace_.find(uri))
    document->jobEnded();
  listener_.jobOver(uri, isPending(uri));
}

} // namespace lsp
