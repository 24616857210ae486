#include "lsp/server/check_run.h"

#include "lsp/features/check_file.h"
#include "lsp/features/check_report.h"
#include "lsp/features/diagnostics.h"
#include "lsp/features/stage_text.h"
#include "lsp/server/check_files.h"
#include "lsp/server/language.h"
#include "lsp/server/log.h"
#include "lsp/server/scheduler.h"

#include <algorithm>
#include <filesystem>

namespace lsp {

using analysis::wire::AnalysisResult;
using analysis::wire::AnalyzeRequest;

/// One worker and the file that it has.
class CheckRun::Slot final : private JobClient {
public:
  explicit Slot(CheckRun &run)
      : run_(run), supervisor_(run.io_, run.options_.worker), scheduler_(run.io_, supervisor_, *this) {}

  /// Goes on to the next file, if there is one.
  void next();

private:
  AnalyzeRequest jobRequest(const std::string &name) override;
  void jobProgress(const std::string &name, const analysis::wire::Progress &progress) override;
  void jobFinished(const std::string &name, AnalysisResult result) override;
  void jobCancelled(const std::string &name) override {}
  void workerDied(const std::string &name, const WorkerDeath &death, Verdict verdict) override;
  void workerUnavailable(const std::string &name, const std::string &why) override;

  CheckRun &run_;
  WorkerSupervisor supervisor_;
  Scheduler scheduler_;
  std::string path() const;

  size_t index_ = 0;
  protocol::UserSettings settings_; ///< of the file
  Text text_;
  analysis::wire::Language language_ = analysis::wire::Language::Assembly;
};

void CheckRun::Slot::next() {
  while ((index_ = run_.take()) < run_.options_.files.size()) {
    const std::string &name = run_.options_.files[index_];
    const auto language = languageOfPath(name);
    auto bytes = readWholeFile(name);
    if (language && bytes) {
      logInfo(name + ": " + std::to_string(bytes->size()) + " bytes");
      language_ = *language;
      text_ = Text(std::move(*bytes));
      settings_ = run_.settingsFor(path());
      return scheduler_.scheduleNow(name);
    }
    const char *why =
        bytes ? "neither assembly (.s, .S, .sx, .asm) nor C or C++ by its name" : "the file cannot be read";
    run_.finished(index_, features::notAnalysed(name, why), Text());
  }
}

std::string CheckRun::Slot::path() const {
  const std::filesystem::path path = std::filesystem::path(run_.options_.folder) / run_.options_.files[index_];
  return path.lexically_normal().string();
}

AnalyzeRequest CheckRun::Slot::jobRequest(const std::string &) {
  return {.path = path(), .language = language_, .text = text_.bytes(), .settings = settings_.worker};
}

void CheckRun::Slot::jobProgress(const std::string &name, const analysis::wire::Progress &progress) {
  logInfo(name + ": " + features::stageText(progress) + " " + progress.what);
}

void CheckRun::Slot::jobFinished(const std::string &name, AnalysisResult result) {
  logInfo(name + ": " + std::to_string(result.compileMicros / 1000) + " ms compiling, " +
          std::to_string(result.analysisMicros / 1000) + " ms analysing");
  result.findings = features::withSeverities(std::move(result.findings), settings_);
  run_.finished(index_, features::checkFile(name, text_, result, run_.options_.folder), text_);
  next();
}

/// A file without numbers fails a run, whatever it is to an editor.
void CheckRun::Slot::workerDied(const std::string &name, const WorkerDeath &death, Verdict verdict) {
  analysis::wire::Finding finding = features::findingOfDeath(death, verdict);
  logError(name + ": " + finding.message);
  if (verdict != Verdict::SetAside)
    return;
  finding.severity = analysis::wire::Severity::Error;
  protocol::CheckFile file{.name = name};
  file.findings.push_back(features::checkFinding(finding, text_, run_.options_.folder));
  run_.finished(index_, std::move(file), text_);
  next();
}

void CheckRun::Slot::workerUnavailable(const std::string &name, const std::string &why) {
  run_.finished(index_, features::notAnalysed(name, "there is no worker: " + why), text_);
  next();
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

void CheckRun::finished(size_t index, protocol::CheckFile file, const Text &text) {
  std::string rendered = events_.render(file, text);
  waiting_.emplace(index, Done{std::move(file), std::move(rendered)});
  for (auto next = waiting_.begin(); next != waiting_.end() && next->first == printed_; next = waiting_.begin()) {
    events_.printed(std::move(next->second.file), std::move(next->second.rendered));
    waiting_.erase(next);
    ++printed_;
  }
}

} // namespace lsp
