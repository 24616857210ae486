// One file after the other through the scheduler.
#include "lsp/server/check.h"

#include "lsp/features/diagnostics.h"
#include "lsp/features/stage_text.h"
#include "lsp/server/language.h"
#include "lsp/server/log.h"
#include "lsp/server/scheduler.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace lsp {
namespace {

using analysis::wire::AnalysisResult;
using analysis::wire::Finding;
using analysis::wire::Severity;

std::optional<std::string> readFile(const std::string &path) {
  std::error_code isDirectory;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, isDirectory))
    return std::nullopt;
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return std::move(bytes).str();
}

class CheckRun final : private JobClient {
public:
  CheckRun(boost::asio::io_context &io, JobRunner &runner, const CheckOptions &options,
           const std::function<void(std::string_view)> &print)
      : options_(options), print_(print), scheduler_(io, runner, *this) {}

  /// Begins with file `index`; the rest follow. False when none is left.
  void begin(size_t index);
  bool done() const { return index_ == options_.files.size(); }
  bool failed() const { return failed_; }

private:
  analysis::wire::AnalyzeRequest jobRequest(const std::string &name) override;
  void jobProgress(const std::string &name, const analysis::wire::Progress &progress) override;
  void jobFinished(const std::string &name, AnalysisResult result) override;
  void jobCancelled(const std::string &name) override {}
  void workerDied(const std::string &name, const WorkerDeath &death, Verdict verdict) override;
  void workerUnavailable(const std::string &name, const std::string &why) override;
  void fail(const std::string &name, const std::string &why);

  const CheckOptions &options_;
  const std::function<void(std::string_view)> &print_;
  Scheduler scheduler_;
  size_t index_ = 0;
  Text text_;
  analysis::wire::Language language_ = analysis::wire::Language::Assembly;
  bool failed_ = false;
};

void CheckRun::begin(size_t index) {
  for (index_ = index; index_ < options_.files.size(); ++index_) {
    const std::string &name = options_.files[index_];
    const auto language = languageOfPath(name);
    auto bytes = readFile(name);
    if (language && bytes) {
      logInfo(name + ": " + std::to_string(bytes->size()) + " bytes");
      language_ = *language;
      text_ = Text(std::move(*bytes));
      return scheduler_.scheduleNow(name);
    }
    fail(name, bytes ? "neither assembly (.s, .S, .asm) nor C or C++ by its name" : "cannot be read");
  }
}

void CheckRun::fail(const std::string &name, const std::string &why) {
  failed_ = true;
  logError(name + ": " + why);
}

analysis::wire::AnalyzeRequest CheckRun::jobRequest(const std::string &name) {
  return {0, std::filesystem::absolute(name).lexically_normal().string(), language_, text_.bytes(), options_.settings};
}

void CheckRun::jobProgress(const std::string &name, const analysis::wire::Progress &progress) {
  logInfo(name + ": " + features::stageText(progress) + " " + progress.what);
}

void CheckRun::jobFinished(const std::string &name, AnalysisResult result) {
  logInfo(name + ": " + std::to_string(result.compileMicros / 1000) + " ms compiling, " +
          std::to_string(result.analysisMicros / 1000) + " ms analysing");
  failed_ |= std::any_of(result.findings.begin(), result.findings.end(),
                         [](const Finding &finding) { return finding.severity == Severity::Error; });
  const features::CheckedFile file{name, text_, result};
  if (options_.annotate && index_ > 0)
    print_("\n");
  print_(options_.annotate ? features::annotatedSource(file, options_.style)
                           : features::checkReport(file, options_.style));
  begin(index_ + 1);
}

void CheckRun::workerDied(const std::string &name, const WorkerDeath &death, Verdict verdict) {
  const Finding finding = features::findingOfDeath(death, verdict);
  logError(name + ": " + finding.message);
  if (verdict == Verdict::TryingAgain)
    return;
  failed_ = true;
  print_(features::compilerStyle(finding, name, text_, options_.style));
  begin(index_ + 1);
}

void CheckRun::workerUnavailable(const std::string &name, const std::string &why) {
  fail(name, "there is no worker: " + why);
  begin(index_ + 1);
}

} // namespace

int check(const CheckOptions &options, const WorkerOptions &worker,
          const std::function<void(std::string_view)> &print) {
  boost::asio::io_context io(1);
  WorkerSupervisor supervisor(io, worker);
  CheckRun run(io, supervisor, options, print);
  run.begin(0);
  while (!run.done())
    io.run_one();
  return run.failed() ? kCheckFailed : 0;
}

} // namespace lsp
