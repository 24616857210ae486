#include "lsp/check/check_run.h"

#include "lsp/check/check_file.h"
#include "lsp/check/check_files.h"
#include "lsp/check/check_report.h"
#include "lsp/features/diagnostics.h"
#include "lsp/features/stage_text.h"
#include "lsp/jobs/scheduler.h"
#include "lsp/system/log.h"
#include "lsp/wording/findings.h"
#include "lsp/workspace/language.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <iterator>
#include <utility>

namespace lsp {

using analysis::wire::AnalysisResult;
using analysis::wire::AnalyzeRequest;

/// One worker and the file of the run that it has, with all that is to be analysed for it: the file by each of its
/// commands, and after each the other files of the project that were compiled with it.
class CheckRun::Slot final : private JobClient {
public:
  explicit Slot(CheckRun &run)
      : run_(run), supervisor_(run.io_, run.options_.worker), scheduler_(run.io_, {supervisor_}, *this) {}

  /// Goes on to the next file, if there is one.
  void next();

private:
  /// One analysis.
  struct Step {
    std::string name; ///< for the reader
    AnalyzeRequest request;
    std::string through; ///< the file of the run as a part of which this one is compiled; empty for that itself
    protocol::UserSettings settings;
    Text text;
  };

  JobStart startJob(const JobKey &job, size_t worker) override;
  void jobProgress(const JobKey &job, const analysis::wire::Progress &progress) override;
  void jobFinished(const JobKey &job, const JobTicket &ticket, AnalysisResult result) override;
  void jobCancelled(const JobKey &) override {}
  void workerDied(const JobKey &job, const WorkerDeath &death, AfterDeath after) override;
  void workerUnavailable(const JobKey &job, const std::string &why) override;

  std::string pathOf(const std::string &name) const;
  std::string begin(Step step);
  void addFurther(const AnalysisResult &result);
  void stepOver(protocol::CheckFile file);

  CheckRun &run_;
  WorkerSupervisor supervisor_;
  Scheduler scheduler_;

  size_t index_ = 0;
  std::deque<Step> steps_;                ///< the first one is under way
  std::vector<protocol::CheckFile> done_; ///< of this file
  std::vector<std::string> pages_;
};

void CheckRun::Slot::next() {
  while ((index_ = run_.take()) < run_.options_.files.size()) {
    const std::string &name = run_.options_.files[index_];
    const auto language = languageOfPath(name);
    Step step;
    step.name = name;
    step.request.path = pathOf(name);
    step.request.projectFolder = run_.options_.projectFolder;
    if (language)
      step.request.language = *language;
    const std::string why =
        language ? begin(std::move(step)) : "neither assembly (.s, .S, .sx, .asm) nor C or C++ by its name";
    if (why.empty())
      return;
    std::vector<protocol::CheckFile> files{features::notAnalysed(name, why)};
    std::vector<std::string> pages{run_.events_.render(files.front(), Text())};
    run_.finished(index_, {std::move(files), std::move(pages)});
  }
}

std::string CheckRun::Slot::pathOf(const std::string &name) const {
  return (std::filesystem::path(run_.options_.folder) / name).lexically_normal().string();
}

/// Starts an analysis, or says why it cannot be.
std::string CheckRun::Slot::begin(Step step) {
  auto bytes = readWholeFile(step.request.path);
  if (!bytes)
    return "the file cannot be read";
  logInfo(step.name + ": " + std::to_string(bytes->size()) + " bytes");
  step.text = Text(std::move(*bytes));
  step.settings = run_.settingsFor(step.request.path);
  steps_.push_front(std::move(step));
  scheduler_.scheduleNow({steps_.front().name});
  return "";
}

JobStart CheckRun::Slot::startJob(const JobKey &, size_t) {
  AnalyzeRequest request = steps_.front().request;
  request.text = steps_.front().text.bytes();
  request.settings = steps_.front().settings.worker;
  return {std::move(request), {}};
}

void CheckRun::Slot::jobProgress(const JobKey &job, const analysis::wire::Progress &progress) {
  logInfo(job.uri + ": " + features::stageText(progress) + " " + progress.what);
}

void CheckRun::Slot::jobFinished(const JobKey &job, const JobTicket &, AnalysisResult result) {
  const std::string &name = job.uri;
  logInfo(name + ": " + std::to_string(result.compileMicros / 1000) + " ms compiling, " +
          std::to_string(result.analysisMicros / 1000) + " ms analysing");
  addFurther(result);
  const Step &step = steps_.front();
  Analysis analysis = Analysis::take(result, {});
  wording::makeFindings(analysis, step.text, step.settings.slowerPercent);
  analysis.findings = features::withSeverities(std::move(analysis.findings), step.settings);
  protocol::CheckFile file = features::checkFile(name, step.text, analysis, result.notes, run_.options_.folder);
  file.through = step.through;
  if (!step.through.empty())
    file.notes.clear(); // of the command, which the file of the run reports
  stepOver(std::move(file));
}

/// What the first analysis of a file leads to: other files of the project, and then the file by its further commands.
void CheckRun::Slot::addFurther(const AnalysisResult &result) {
  const Step &step = steps_.front();
  if (!step.through.empty())
    return;
  std::deque<Step> further;
  for (const analysis::wire::OtherFile &other : result.otherFiles) {
    const std::string name = std::filesystem::path(other.path).lexically_proximate(run_.options_.folder).string();
    if (run_.options_.isExcluded(name))
      continue;
    Step part;
    part.name = name;
    part.request = step.request;
    part.through = step.name;
    part.request.path = other.path;
    part.request.compiledThrough = step.request.path;
    part.request.onlyLoops = other.loops;
    part.request.command = result.target.command;
    part.request.reuseCompiled = true;
    further.push_back(std::move(part));
  }
  if (step.request.command.empty())
    for (size_t i = 1; i < result.target.commands.size(); ++i) {
      Step again;
      again.name = step.name;
      again.request = step.request;
      again.request.command = result.target.commands[i];
      further.push_back(std::move(again));
    }
  steps_.insert(steps_.begin() + 1, std::make_move_iterator(further.begin()), std::make_move_iterator(further.end()));
}

/// Goes on to the next analysis of the file, or to the next file.
void CheckRun::Slot::stepOver(protocol::CheckFile file) {
  if (file.through.empty())
    pages_.push_back(run_.events_.render(file, steps_.front().text));
  done_.push_back(std::move(file));
  steps_.pop_front();
  while (!steps_.empty()) {
    Step step = std::move(steps_.front());
    steps_.pop_front();
    const std::string name = step.name, through = step.through;
    const std::string why = begin(std::move(step));
    if (why.empty())
      return;
    done_.push_back(features::notAnalysed(name, why));
    done_.back().through = through;
  }
  run_.finished(index_, {std::exchange(done_, {}), std::exchange(pages_, {})});
  next();
}

/// A file without numbers fails a run, whatever it is to an editor.
void CheckRun::Slot::workerDied(const JobKey &job, const WorkerDeath &death, AfterDeath after) {
  const std::string &name = job.uri;
  analysis::wire::Finding finding = features::findingOfDeath(death, after);
  logError(name + ": " + finding.message);
  if (after != AfterDeath::SetAside)
    return;
  finding.severity = analysis::wire::Severity::Error;
  const Step &step = steps_.front();
  protocol::CheckFile file{.name = name, .through = step.through};
  file.target.command = step.through.empty() ? step.request.command : "";
  file.findings.push_back(features::checkFinding(finding, step.text, run_.options_.folder));
  stepOver(std::move(file));
}

void CheckRun::Slot::workerUnavailable(const JobKey &job, const std::string &why) {
  protocol::CheckFile file = features::notAnalysed(job.uri, "there is no worker: " + why);
  file.through = steps_.front().through;
  stepOver(std::move(file));
}

namespace {

/// Who types the command line has these files in mind.
ConfigurationOptions configurationOptions(const CheckRunOptions &options) {
  ConfigurationOptions configuration;
  configuration.commandLine.worker = options.settings;
  configuration.commandLineIsLast = true;
  configuration.userFile = userConfigPath();
  return configuration;
}

} // namespace

CheckRun::CheckRun(const CheckRunOptions &options, CheckRunEvents events)
    : options_(options), events_(std::move(events)), configuration_(configurationOptions(options)) {
  const size_t workers = std::min<size_t>(std::max(options.jobs, 1u), std::max<size_t>(options.files.size(), 1));
  for (size_t i = 0; i < workers; ++i)
    slots_.push_back(std::make_unique<Slot>(*this));
}

CheckRun::~CheckRun() = default;

void CheckRun::run() {
  for (const std::unique_ptr<Slot> &slot : slots_)
    slot->next();
  while (printed_ < options_.files.size())
    io_.run_one();
}

protocol::UserSettings CheckRun::settingsFor(const std::string &path) {
  protocol::UserSettings settings = configuration_.settingsFor(path);
  tellConfigFindings(configuration_.userFile());
  tellConfigFindings(configuration_.folderFile(path));
  return settings;
}

/// On standard error, once for each file: they are about none of the files that are checked.
void CheckRun::tellConfigFindings(const std::string &path) {
  const LoadedConfig *file = toldConfigs_.insert(path).second ? configuration_.load(path) : nullptr;
  if (!file)
    return;
  for (const analysis::wire::Finding &finding : file->content.findings) {
    misconfigured_ |= finding.severity == analysis::wire::Severity::Error;
    std::string line = features::compilerStyle(features::checkFinding(finding, file->text, options_.folder), path, {});
    line.pop_back();
    logError(line);
  }
}

size_t CheckRun::take() {
  if (taken_ < options_.files.size())
    events_.begun(taken_ + 1, options_.files[taken_]);
  return std::min(taken_++, options_.files.size());
}

void CheckRun::finished(size_t index, Done done) {
  waiting_.emplace(index, std::move(done));
  for (auto next = waiting_.begin(); next != waiting_.end() && next->first == printed_; next = waiting_.begin()) {
    events_.printed(std::move(next->second.files), std::move(next->second.pages));
    waiting_.erase(next);
    ++printed_;
  }
}

} // namespace lsp
