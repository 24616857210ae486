// The state that jobs share: targets, compiled output, simulated regions. Creating an LLVM target costs some
// milliseconds and parsing a model's tables more, so targets are kept for the next job.
#include "analysis/job/analyzer.h"

#include "analysis/compile/database.h"
#include "analysis/compile/git_head.h"
#include "analysis/compile/wrappers.h"
#include "analysis/job/cpu_list.h"
#include "analysis/job/job.h"

#include <algorithm>
#include <list>
#include <thread>
#include <utility>

namespace analysis {
namespace {

constexpr size_t kReportBytes = size_t{256} << 20; // a loop takes about ten kilobytes
constexpr size_t kCachedTargets = 16;              // more than one job needs
constexpr size_t kMostThreads = 8;                 // the editor needs the other processors

} // namespace

struct Analyzer::State {
  /// Returns the target, from the cache if possible. Null with a message in `error` if LLVM has no such target.
  SimulatedTarget *target(const mca::TargetSelection &selection, std::string &error);

  wire::AnalysisResult analyse(wire::AnalyzeRequest request, std::stop_token stop, const ProgressSink &progress);
  wire::AnalysisResult analyseHead(wire::AnalyzeRequest request, std::stop_token stop, const ProgressSink &progress);
  void forgetFiles(uint64_t events);

  uint64_t fileEvents = 0; ///< AnalyzeRequest::fileEvents of the last request
  size_t threads = 1;      ///< for simulating
  wire::CompileLimits compileLimits;
  ReportCache reports{kReportBytes};
  CompileCache compiled;
  PrewarmedCompiler prewarmedCompiler;
  Preambles preambles;
  FrontEndRuns frontEndRuns;
  FlowCache flows;
  WalkCache walks;
  TraceFiles traceFiles;
  Calibrations calibrations;
  ProfileFiles profiles;
  std::list<std::pair<mca::TargetSelection, std::unique_ptr<SimulatedTarget>>> targets;
};

SimulatedTarget *Analyzer::State::target(const mca::TargetSelection &selection, std::string &error) {
  for (auto it = targets.begin(); it != targets.end(); ++it)
    if (it->first == selection) {
      targets.splice(targets.begin(), targets, it);
      return it->second.get();
    }
  auto made = mca::Target::create(selection);
  if (!made) {
    error = made.message();
    return nullptr;
  }
  targets.emplace_front(selection, std::make_unique<SimulatedTarget>(std::move(*made)));
  if (targets.size() > kCachedTargets)
    targets.pop_back();
  return targets.front().second.get();
}

Analyzer::Analyzer(size_t threads, const wire::CompileLimits &compile) : state_(std::make_unique<State>()) {
  state_->compileLimits = compile;
  state_->threads = threads ? threads : std::clamp<size_t>(std::thread::hardware_concurrency(), 1, kMostThreads);
}
Analyzer::~Analyzer() = default;

wire::AnalysisResult Analyzer::State::analyse(wire::AnalyzeRequest request, std::stop_token stop,
                                              const ProgressSink &progress) {
  const auto findTarget = [this](const mca::TargetSelection &selection, std::string &error) {
    return target(selection, error);
  };
  wire::AnalysisResult result = Job(std::move(request), std::move(stop), progress,
                                    {reports, compiled, prewarmedCompiler, preambles, frontEndRuns, flows, walks,
                                     traceFiles, calibrations, profiles, findTarget, threads, compileLimits})
                                    .run();
  reports.trim();
  return result;
}

wire::AnalysisResult Analyzer::State::analyseHead(wire::AnalyzeRequest request, std::stop_token stop,
                                                  const ProgressSink &progress) {
  std::optional<std::string> committed = readGitHead(request.path, stop, compileLimits.confined);
  wire::AnalysisResult result;
  result.id = request.id;
  result.status = stop.stop_requested() ? wire::Status::Cancelled : wire::Status::Finished;
  if (!committed || *committed == request.text)
    return result;
  const uint64_t head = llvm::xxh3_64bits(*committed) | 1; // never 0
  if (head != request.knownHead) {
    request.text = std::move(*committed);
    result = analyse(std::move(request), std::move(stop), progress);
  }
  result.head = head;
  return result;
}

/// Drops what was read of files on disk, if one has changed since the last request.
void Analyzer::State::forgetFiles(uint64_t events) {
  if (std::exchange(fileEvents, events) == events)
    return;
  forgetDatabases();
  forgetLaunchers();
  traceFiles.forget();
  calibrations.forget();
  profiles.forget();
}

wire::AnalysisResult Analyzer::run(const wire::AnalyzeRequest &request, std::stop_token stop,
                                   const ProgressSink &progress) {
  state_->forgetFiles(request.fileEvents);
  return request.version == wire::Version::Head ? state_->analyseHead(request, std::move(stop), progress)
                                                : state_->analyse(request, std::move(stop), progress);
}

wire::CpusResult Analyzer::run(const wire::CpusRequest &request) {
  return listCpus(request);
}

void Analyzer::prepare() {
  state_->prewarmedCompiler.prepare();
}

void Analyzer::makePreambles(const std::stop_token &stop) {
  state_->preambles.make(stop, state_->compileLimits);
}

void Analyzer::releaseIdleCompiler() {
  state_->prewarmedCompiler.end();
}

} // namespace analysis
