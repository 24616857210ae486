// Owns the worker process: starts it when a job needs it, talks to it, and survives whatever it does.
//
// A worker may crash, hang, outgrow its memory or write nonsense. Each of these ends the process with its whole group
// (so a compiler that it started ends, too) and the job with it; the next job starts another worker, so a worker that
// crashes again and again costs nothing while there is no job. A worker that dies without a job is replaced in the same
// way, and the user is not notified.
//
// Everything happens on the thread of the io_context. A worker counts as ended when its exit status is there and its
// socket is drained: its last messages arrive before its death does.
//
// Callbacks are posted. None runs inside of this code, where it could start the next job on a worker whose end is being
// handled, or throw through a loop that reads.
//
// A worker that already had a job and dies before it reports progress on the next one may have died of either. The job
// is sent again to a new worker; if that dies, too, the job is to blame.
#pragma once

#include "analysis/process/time_limit.h"
#include "lsp/jobs/job_runner.h"
#include "lsp/system/system.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace lsp {

struct WorkerOptions {
  std::string program;
  uint64_t memoryLimitMb = analysis::wire::kJobMemory >> 20; ///< MiB, of the worker alone
  /// Of a job without any progress, without the compiler's time; as analysis::wire::TimeLimit counts.
  std::chrono::milliseconds jobTimeout{60000};
  std::chrono::milliseconds compileTimeout =
      analysis::wire::kCompileTime; ///< of one run of the compiler; counted the same way
  uint64_t compileMemoryLimitMb = analysis::wire::kCompileMemory >> 20; ///< MiB, of one run of the compiler
  /// Whether the kernel restricts the worker and its compilers (analysis/process/confinement.h). A worker whose jobs
  /// may run the programs of a trusted build is not restricted: caches of compilers write files and use the network.
  bool sandbox = true;
  std::chrono::milliseconds cancelGrace{500}; ///< between asking a job to end and ending the process
};

class WorkerSupervisor final : public JobRunner {
public:
  WorkerSupervisor(boost::asio::io_context &io, WorkerOptions options);
  ~WorkerSupervisor() override;

  void start(analysis::wire::AnalyzeRequest request, analysis::wire::ProgressSink progress,
             std::function<void(JobOutcome)> done) override;
  void cancel() override;
  void listCpus(const std::string &triple, CpusCallback done) override;
  void allowIdleWork(bool allowed) override;
  void endProcess() override;
  int workerPid() const override;

private:
  struct Process;
  struct Job;
  using ProcessPtr = std::shared_ptr<Process>;

  std::string ensureProcess(bool confined);
  void replaceIfUnfit(bool confined);
  void watchChildren();
  void reapIfEnded();
  void jobDied(const Process &process, const system::ExitStatus &status, std::string how);
  void sendJob(const std::string &error);
  void read(const ProcessPtr &process);
  void write(const ProcessPtr &process);
  void send(std::string frame);
  void drain(Process &process);
  void receive(Process &process, size_t count);
  static void fail(Process &process, std::string fault);
  void handle(const analysis::wire::Progress &progress);
  void handle(analysis::wire::AnalysisResult result);
  void handle(analysis::wire::CpusResult result);
  void sendIdleWork();
  void dropQueries();
  void limitJob();
  void checkLimit();
  void callAt(std::chrono::steady_clock::time_point time, std::function<void()> then);
  void end(const std::string &why, std::optional<WorkerDeath::Cause> cause);
  void finish(JobOutcome outcome);

  boost::asio::io_context &io_;
  WorkerOptions options_;
  boost::asio::signal_set childSignals_;
  boost::asio::steady_timer timer_;
  ProcessPtr process_;
  // For process_:
  std::unique_ptr<Job> job_;
  std::map<uint64_t, CpusCallback> queries_; ///< by the request's id
  uint64_t nextId_ = 1;
  bool idleWorkAllowed_ = true;
  uint64_t timerRound_ = 0; ///< a wait of timer_ that ends in another round is stale
};

} // namespace lsp
