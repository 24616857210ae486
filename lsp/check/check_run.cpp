// A slot analyses one file of the run after the other. What follows from the first analysis of a file is analysed by
// the same worker, which may still have the compiler's output: the project's other files whose loops that code holds,
// and the file by its further commands.
#include "lsp/check/check_run.h"

#include "analysis/files/folders.h"
#include "analysis/files/regular_file.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/check/check_advice.h"
#include "lsp/check/check_file.h"
#include "lsp/features/diagnostics.h"
#include "lsp/jobs/scheduler.h"
#include "lsp/system/log.h"
#include "lsp/tasks/loop_measure.h"
#include "lsp/tasks/same_check.h"
#include "lsp/wording/death_text.h"
#include "lsp/wording/findings.h"
#include "lsp/wording/measured_text.h"
#include "lsp/workspace/language.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <list>
#include <utility>

namespace lsp {

using analysis::wire::AnalysisResult;
using analysis::wire::AnalyzeRequest;

namespace {

/// Of a file whose command in the database the worker did not use: its numbers would be those of other flags.
analysis::wire::Finding unusedCommand(const std::vector<std::string> &notes) {
  std::string message = "its command in the database cannot be used";
  for (const std::string &note : notes)
    message += (&note == &notes.front() ? ": " : "; ") + note;
  return analysis::wire::makeFinding({}, analysis::wire::codes::kNotAnalysed, std::move(message));
}

constexpr const char *kOutside =
    "this link leads outside of the project: name the file itself, or its folder with --readable-folder";

/// Whether a text may be something else than assembly, which findings and annotated sources would quote.
bool isDoubtful(const AnalysisResult &result) {
  const auto isError = [](const analysis::wire::Finding &finding) {
    return finding.code == analysis::wire::codes::kParseError;
  };
  return result.regions.empty() || std::ranges::any_of(result.findings, isError);
}

} // namespace

/// One worker, and the file of the run that it has.
class CheckRun::Slot final : private JobClient {
public:
  explicit Slot(CheckRun &run)
      : run_(run), supervisor_(run.io_, run.worker_), scheduler_(run.io_, {supervisor_}, *this),
        same_(run.io_, run.options_.measure), measure_(run.io_, run.options_.measure) {}

  /// Starts the next analysis of the file; if there is none, of the next file of the run.
  void goOn() {
    for (;;) {
      while (!steps_.empty()) {
        Step &step = steps_.front();
        const std::string problem = prepare(step);
        if (problem.empty())
          return scheduler_.scheduleNow({step.name});
        finishStep(notAnalysed(step.name, problem));
      }
      if (!done_.empty())
        run_.finished(index_, std::exchange(done_, {}));
      const std::vector<std::string> &names = run_.files_.names;
      if (run_.taken_ == names.size())
        return;
      index_ = run_.taken_++;
      run_.events_.begun(index_ + 1, names.size(), names[index_]);
      Step &step = steps_.emplace_back();
      step.name = names[index_];
      step.request.path = pathOf(run_.files_, step.name, run_.folder_);
      step.request.projectFolder = run_.files_.projectFolder;
      step.request.listInputs = run_.files_.listInputs;
      step.request.reasons = true;
    }
  }

private:
  /// One analysis.
  struct Step {
    std::string name; ///< for the reader
    AnalyzeRequest request;
    std::string through; ///< the file of the run as a part of which this one is compiled; empty for that itself
    protocol::UserSettings settings;
    Text text;
    std::vector<std::string> inputs; ///< CheckedFile::inputs
    bool inputsUnknown = true;       ///< until the analysis has listed them
    bool isOutside = false;          ///< the file is a link that leads outside of the project
  };

  // The text is copied: a worker that dies is given it once more.
  JobStart startJob(const JobKey &, size_t) override {
    if (advice_)
      return {advisedRequest_, {}};
    AnalyzeRequest request = steps_.front().request;
    request.text = steps_.front().text.bytes();
    request.settings = steps_.front().settings.worker;
    return {std::move(request), {}};
  }

  void jobProgress(const JobKey &job, const analysis::wire::Progress &progress) override {
    logInfo(job.uri + ": " + wording::stageText(progress) + " " + progress.what);
  }

  /// Findings are worded and weighted as for an editor, by the settings of the file.
  void jobFinished(const JobKey &job, const JobTicket &, AnalysisResult result) override {
    if (advice_)
      return advise(std::move(result));
    logInfo(job.uri + ": " + std::to_string(result.compileMicros / 1000) + " ms compiling, " +
            std::to_string(result.analysisMicros / 1000) + " ms analysing");
    addFurtherSteps(result);
    Step &step = steps_.front();
    std::ranges::move(result.inputs, std::back_inserter(step.inputs));
    step.inputsUnknown = result.inputsUnknown;
    if (step.isOutside && isDoubtful(result)) {
      step.text = Text();
      finishStep(notAnalysed(step.name, kOutside));
      return goOn();
    }
    if (commandsOf(step) && isOfAnotherSource(result.target.commandOrigin)) {
      CheckFile file{.name = step.name};
      file.findings.push_back(checkFinding(unusedCommand(result.notes), step.text, run_.folder_));
      finishStep(std::move(file));
      return goOn();
    }
    Analysis analysis = Analysis::take(result, {});
    wording::makeFindings(analysis, step.text, step.settings.slowerPercent, step.settings.minimumPermille);
    analysis.findings = features::withSeverities(std::move(analysis.findings), step.settings);
    if (!step.through.empty())
      result.notes.clear(); // they are about the command, which the file of the run reports
    CheckFile file = checkFile(step.name, step.text, analysis, result.notes, run_.folder_);
    if (!run_.options_.advise.empty() && step.through.empty()) {
      advised_ = std::move(file);
      advice_.emplace(startJob(job, 0).request, analysis, step.text, mayRun(step, analysis),
                      run_.options_.advise == "measured");
      mayMeasure_ = mayRun(step, analysis);
      return adviseNext();
    }
    finishStep(std::move(file));
    goOn();
  }

  /// Whether versions of its functions may be run and compared.
  static bool mayRun(const Step &step, const Analysis &analysis) {
    return wording::whyNotMeasurable(analysis.target.triple).empty() &&
           analysis::liesInAnyOf(step.request.path, step.settings.worker.trustedFolders);
  }

  /// Tries the next change of a loop of the file, or ends the file's step.
  void adviseNext() {
    if (const std::optional<AdviceRun::Check> check = advice_->nextCheck())
      return same_.start(*check->now, *check->then, [this, number = check->number](SameResults results) {
        advice_->takeCheck(number, std::move(results));
        adviseNext();
      });
    if (const std::optional<AdviceRun::Timing> timing = advice_->nextTiming()) {
      const auto take = [this, number = timing->number](MeasuredGain gain) {
        advice_->takeMeasured(number, std::move(gain));
        adviseNext();
      };
      return mayMeasure_ ? measure_.start(*timing->now, *timing->then, take)
                         : take({.refused = "the file is in no trusted folder (--trusted-folder)"});
    }
    if (std::optional<AnalyzeRequest> request = advice_->next()) {
      advisedRequest_ = std::move(*request);
      return scheduler_.scheduleNow({steps_.front().name});
    }
    advice_->addTo(advised_, steps_.front().text);
    advice_.reset();
    finishStep(std::move(advised_));
    goOn();
  }

  void advise(std::optional<AnalysisResult> result) {
    advice_->take(std::move(result));
    adviseNext();
  }

  void jobCancelled(const JobKey &) override {} // no file is scheduled again while its job runs

  /// A file without numbers fails a run, whatever its severity in an editor.
  void workerDied(const JobKey &job, const WorkerDeath &death, AfterDeath after) override {
    analysis::wire::Finding finding = wording::findingOfDeath(death, after);
    logError(job.uri + ": " + finding.message);
    if (after != AfterDeath::SetAside)
      return;
    if (advice_)
      return advise(std::nullopt);
    finding.severity = analysis::wire::Severity::Error;
    const Step &step = steps_.front();
    CheckFile file{.name = step.name};
    file.target.command = step.through.empty() ? step.request.command : "";
    file.findings.push_back(checkFinding(finding, step.text, run_.folder_));
    finishStep(std::move(file));
    goOn();
  }

  /// The files that follow will fail as well. Each is reported all the same, so that none is missing in the result.
  void workerUnavailable(const JobKey &job, const std::string &why) override {
    if (advice_)
      return advise(std::nullopt);
    finishStep(notAnalysed(job.uri, "there is no worker: " + why));
    goOn();
  }

  /// The database's entries for the file that is compiled; null if it has none.
  const std::vector<CompileEntry> *commandsOf(const Step &step) const {
    const std::string &compiled = step.through.empty() ? step.name : step.through;
    const auto found =
        run_.files_.commands.find((std::filesystem::path(run_.folder_) / compiled).lexically_normal().string());
    return found == run_.files_.commands.end() ? nullptr : &found->second;
  }

  /// Whether a command comes from elsewhere than the database. Assembly that is not preprocessed has none.
  bool isOfAnotherSource(const std::string &commandOrigin) const {
    return !commandOrigin.empty() && !commandOrigin.starts_with(databaseFile(run_.files_.databaseFolder));
  }

  /// Reads the file and its settings. Returns why it cannot be analysed, or nothing.
  std::string prepare(Step &step) const {
    if (step.through.empty()) { // a part has the language of the file that it is compiled with
      const auto language = languageOfPath(step.name);
      if (!language)
        return "neither assembly (.s, .S, .sx, .asm) nor C or C++ by its name";
      step.request.language = *language;
    }
    analysis::RegularFile file = analysis::readRegularFile(step.request.path, kMaxInputBytes);
    if (!file.isRead())
      return "the file cannot be read: " + file.failure;
    logInfo(step.name + ": " + std::to_string(file.text.size()) + " bytes");
    step.text = Text(std::move(file.text));
    // Settings may differ by folder: the nearest .mca-lsp.json counts (settings/config_files.h).
    step.settings = run_.configuration_.settingsFor(step.request.path);
    if (const auto *commands = commandsOf(step))
      step.settings.worker.compileCommands = databaseText(*commands);
    step.isOutside = leadsOutside(step);
    if (step.isOutside && !isNamedByUser(step)) {
      step.text = Text();
      return kOutside;
    }
    for (const std::string &config :
         {run_.configuration_.userFile(), run_.configuration_.folderFile(step.request.path)})
      if (run_.configuration_.load(config)) {
        run_.reportConfigFindings(config);
        step.inputs.push_back(config);
      }
    return "";
  }

  static bool leadsOutside(const Step &step) {
    const analysis::wire::Settings &settings = step.settings.worker;
    const std::string &path = step.request.path;
    return !analysis::liesInProject(path, path, settings.projectFolders) &&
           !analysis::liesInAnyOf(path, settings.readableFolders);
  }

  /// A database of the folder names all others. The compiler reads no source outside of the project, so a link of the
  /// user's own is of use for assembly alone.
  bool isNamedByUser(const Step &step) const {
    return step.request.language == analysis::wire::Language::Assembly && !isPreprocessed(step.name) &&
           std::ranges::find(run_.options_.selection.files, step.name) != run_.options_.selection.files.end();
  }

  /// The parts that the result names, compiled by its command; after the first command the file by each further one.
  /// They come next, before further commands of earlier results, because the worker still has the compiler's output.
  void addFurtherSteps(const AnalysisResult &result) {
    const Step &step = steps_.front();
    if (!step.through.empty())
      return;
    std::list<Step> further;
    const auto add = [&](const std::string &name, const std::string &command) -> Step & {
      Step &added = further.emplace_back();
      added.name = name;
      added.request = step.request;
      added.request.command = command;
      return added;
    };
    for (const analysis::wire::OtherFile &other : result.otherFiles) {
      const std::string name = std::filesystem::path(other.path).lexically_proximate(run_.folder_).string();
      if (isExcluded(name, run_.options_.selection))
        continue;
      Step &part = add(name, result.target.command);
      part.through = step.name;
      part.request.path = other.path;
      part.request.compiledThrough = step.request.path;
      part.request.onlyLoops = other.loops;
      part.request.reuseCompiled = true;
    }
    // The first analysis, which names no command, is by the first one.
    for (size_t i = 1; step.request.command.empty() && i < result.target.commands.size(); ++i)
      add(step.name, result.target.commands[i]);
    steps_.splice(std::next(steps_.begin()), further);
  }

  /// Ends the first step with this result.
  void finishStep(CheckFile file) {
    Step step = std::move(steps_.front());
    steps_.pop_front();
    file.through = step.through;
    std::string page = step.through.empty() ? run_.events_.render(file, step.text) : "";
    done_.push_back({std::move(file), std::move(page), std::move(step.inputs), step.inputsUnknown});
  }

  CheckRun &run_;
  WorkerSupervisor supervisor_;
  Scheduler scheduler_;
  SameCheck same_;
  LoopMeasure measure_;
  bool mayMeasure_ = false; ///< code of the file may be run

  size_t index_ = 0;              ///< of the file
  std::list<Step> steps_;         ///< the first one is being analysed
  std::vector<CheckedFile> done_; ///< of this file
  // With --advise, after the file's own analysis:
  std::optional<FileAdvice> advice_;
  AnalyzeRequest advisedRequest_; ///< that is being analysed
  CheckFile advised_;
};

namespace {

/// The command line comes last, because its author has these files in mind.
ConfigurationOptions configurationOptions(const CheckOptions &options, const CheckFiles &files,
                                          const std::string &folder) {
  ConfigurationOptions configuration;
  configuration.commandLine.worker = options.settings;
  if (!files.databaseFolder.empty())
    configuration.commandLine.worker.compileCommandsDir = files.databaseFolder;
  configuration.projectFolders = {folder, files.projectFolder, files.databaseFolder};
  configuration.commandLineIsLast = true;
  configuration.userFile = userConfigPath();
  return configuration;
}

} // namespace

CheckRun::CheckRun(const CheckOptions &options, const WorkerOptions &worker, CheckFiles files, std::string folder,
                   CheckRunEvents events)
    : options_(options), worker_(worker), files_(std::move(files)), folder_(std::move(folder)),
      events_(std::move(events)), configuration_(configurationOptions(options, files_, folder_)) {
  const size_t slots = std::clamp<size_t>(options.jobs, 1, std::max<size_t>(files_.names.size(), 1));
  for (size_t i = 0; i < slots; ++i)
    slots_.push_back(std::make_unique<Slot>(*this));
}

CheckRun::~CheckRun() = default;

/// run_one() rather than run(): the supervisors wait for signals of their children, so the loop never runs out of work.
void CheckRun::run() {
  for (const std::unique_ptr<Slot> &slot : slots_)
    slot->goOn();
  while (done_ < files_.names.size())
    io_.run_one();
}

/// On standard error, once for each configuration file: they are about none of the files that are checked.
void CheckRun::reportConfigFindings(const std::string &path) {
  const LoadedConfig *config = reportedConfigs_.insert(path).second ? configuration_.load(path) : nullptr;
  if (!config)
    return;
  for (const analysis::wire::Finding &finding : config->content.findings) {
    misconfigured_ |= finding.severity == analysis::wire::Severity::Error;
    std::string line = compilerStyle(checkFinding(finding, config->text, folder_), path, {});
    line.pop_back(); // the line break
    logError(line);
  }
}

/// Hands over the results of each file that no earlier one holds up.
void CheckRun::finished(size_t index, std::vector<CheckedFile> results) {
  waiting_.emplace(index, std::move(results));
  for (auto next = waiting_.begin(); next != waiting_.end() && next->first == done_; next = waiting_.begin()) {
    events_.done(std::move(next->second));
    waiting_.erase(next);
    ++done_;
  }
}

} // namespace lsp
