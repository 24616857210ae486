// A worker in memory: the test sees each job and says how it ends.
#pragma once

#include "lsp/jobs/job_runner.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lsp {

class MemoryRunner final : public JobRunner {
public:
  void start(analysis::wire::AnalyzeRequest request, std::function<void(const analysis::wire::Progress &)> progress,
             std::function<void(JobOutcome)> done) override {
    started.push_back(std::move(request));
    pid = 1;
    progress_ = std::move(progress);
    done_ = std::move(done);
  }
  void cancel() override { ++cancels; }
  void listCpus(const std::string &triple,
                std::function<void(std::optional<analysis::wire::CpusResult>)> done) override {
    askedTriple = triple;
    pid = 1;
    answerCpus = std::move(done);
  }
  void allowIdleWork(bool allowed) override { mayWorkIdly = allowed; }
  void endProcess() override { ++ends, pid = 0; }
  int workerPid() const override { return pid; }

  bool busy() const { return done_ != nullptr; }
  void progress(const analysis::wire::Progress &progress) { progress_(progress); }
  void finish(JobOutcome outcome) { std::exchange(done_, nullptr)(std::move(outcome)); }
  void crash() { pid = 0, finish(WorkerDeath{WorkerDeath::Cause::Crashed, "signal 11", std::nullopt}); }

  std::vector<analysis::wire::AnalyzeRequest> started;
  int cancels = 0;
  int ends = 0; ///< of its process
  int pid = 0;
  bool mayWorkIdly = true;
  std::string askedTriple;
  std::function<void(std::optional<analysis::wire::CpusResult>)> answerCpus;

private:
  std::function<void(const analysis::wire::Progress &)> progress_;
  std::function<void(JobOutcome)> done_;
};

} // namespace lsp
