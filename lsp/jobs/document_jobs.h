// The analyses of the open documents: which are scheduled, what they are made from, and what becomes of their results.
// It knows no protocol: what comes of a job is reported to a JobListener.
//
// An edit moves the last analysis along; a job starts after a pause; its result replaces the analysis. C and C++ are
// analysed on open and on save, unless the setting compileOn is "change". Whoever changes a document's text, a
// configuration or a file says so here.
#pragma once

#include "lsp/jobs/job_inputs.h"
#include "lsp/jobs/scheduler.h"
#include "lsp/jobs/side_jobs.h"
#include "lsp/workspace/workspace.h"

#include <boost/asio/io_context.hpp>
#include <set>
#include <string>
#include <vector>

namespace lsp {

class JobListener {
public:
  virtual ~JobListener() = default;
  /// A job of the document itself runs.
  virtual void working(const Document &document, const analysis::wire::Progress &progress) = 0;
  /// It has finished. What is shown of the document changes next.
  virtual void analysed(const Document &document) = 0;
  /// It has ended, with a result or without; unless another one is pending, nothing newer comes.
  virtual void jobOver(const std::string &uri, bool isPending) = 0;
  /// Shows a message to the user, once in a session.
  virtual void showOnce(protocol::MessageType type, const std::string &message) = 0;
  virtual void findingsChanged(const Document &document) = 0;
  /// Of any document.
  virtual void hintsChanged() = 0;
  /// The virtual documents that have changed, as the client spells them.
  virtual void virtualDocumentsChanged(const std::vector<std::string> &uris) = 0;
  /// Each document has the settings that are in force.
  virtual void settingsApplied() = 0;
};

class DocumentJobs : private JobClient {
public:
  /// All of them outlive this.
  DocumentJobs(boost::asio::io_context &io, const JobRunners &workers, Workspace &workspace, JobListener &listener);

  // The life of a document that is ours to analyse. A closed one is not in the workspace any more.
  void opened(const std::string &uri);
  void edited(const Document &document);
  void saved(const Document &document);
  void closed(const std::string &uri);

  /// Starts the document's own job as soon as it is its turn.
  void schedule(const std::string &uri);
  /// The same after a choice of the user: numbers with another one are no baseline for the new ones. `why` fails the
  /// requests that wait for other jobs of the document.
  void reanalyse(const std::string &uri, const std::string &why);
  /// The same for each document.
  void reanalyseAll(const std::string &why);
  /// The user does something with the document, so its job comes before those of others. It need not be open.
  void prefer(const std::string &uri);
  /// True while a job of the document itself waits or runs.
  bool isPending(const std::string &uri) const { return scheduler_.pending(uri); }
  /// Makes the virtual documents of a buffer that have no text yet, by a job if there can be one.
  void makeVirtualDocuments(const std::string &uri);

  /// Gives each document its settings, and makes findings and analyses anew where they have changed.
  void applySettings();
  /// What was read of these files is read again, even if they look the same, and their users are analysed again: the
  /// compiler's output may be another one.
  void filesChanged(const std::set<std::string> &paths);
  /// A file was saved that is no open document of ours.
  void otherFileSaved() { inputs_.changed(); }
  /// Makes the findings again, which follow from the analysis and the settings.
  void updateFindings(Document &document);
  /// Hints have changed.
  void updateHints() { listener_.hintsChanged(); }

  JobInputs &inputs() { return inputs_; }
  SideJobs &side() { return side_; }

  /// Analyses each document anew, even one that was set aside because it killed the worker.
  void restartWorkers();
  /// As of the scheduler.
  void listCpus(const std::string &triple, CpusCallback done) { scheduler_.listCpus(triple, std::move(done)); }
  std::vector<int> workerPids() const { return scheduler_.workerPids(); }
  /// Drops all jobs. None starts any more.
  void shutDown(const std::string &why);

private:
  bool applySettings(Document &document);
  void refreshSettings(Document &document);
  void takeViews(const Document &document, const JobTicket &ticket, const std::vector<analysis::wire::View> &views,
                 const Analysis &analysis);
  void setPlaceholderText(const std::string &uri, const std::string &text);
  void jobOver(const std::string &uri);

  JobStart startJob(const JobKey &job, size_t worker) override;
  void jobProgress(const JobKey &job, const analysis::wire::Progress &progress) override;
  void jobFinished(const JobKey &job, const JobTicket &ticket, analysis::wire::AnalysisResult result) override;
  void jobCancelled(const JobKey &job) override;
  void workerDied(const JobKey &job, const WorkerDeath &death, AfterDeath after) override;
  void workerUnavailable(const JobKey &job, const std::string &why) override;

  boost::asio::io_context &io_;
  Workspace &workspace_;
  JobListener &listener_;
  Scheduler scheduler_;
  JobInputs inputs_;
  SideJobs side_;
};

} // namespace lsp
