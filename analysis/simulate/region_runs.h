// Simulates the regions of a job on several threads.
//
// Lowering an instruction calls LLVM, which may end the process on odd input. So this is done on the job's own thread,
// one region after the other, and the last region that was reported before is the one that ended it. A lowered region
// is plain numbers, and any thread may run it, which takes most of the time; the results do not depend on which. The
// names of registers need LLVM again: the job's thread adds them at the end.
#pragma once

#include "analysis/simulate/report_cache.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace analysis {

/// One simulator for each thread. The target must outlive them.
class Simulators {
public:
  explicit Simulators(const mca::Target &target) : target_(target) { all_.emplace_back(target); }
  /// That of the job's own thread.
  mca::Simulator &own() { return all_.front(); }
  /// `number` is at least 1. References stay valid.
  mca::Simulator &ofThread(size_t number);

private:
  const mca::Target &target_;
  std::deque<mca::Simulator> all_; // made when first requested
};

class RegionRuns {
public:
  /// Uses up to `threads` threads, including the job's own. `waitingFor` is called on that one, with the number of the
  /// region that it simulates or waits for next.
  RegionRuns(Simulators &simulators, size_t threads, std::stop_token stop, std::function<void(size_t)> waitingFor);
  ~RegionRuns() { finish(); }

  /// Has the region simulated, now or later. `number` identifies it for `waitingFor`. The entry is complete after
  /// finish().
  void add(size_t number, const mca::Program &program, std::span<const uint32_t> region,
           const mca::SimulationOptions &options, ReportCache::Entry entry);
  /// Returns when all regions have been simulated. After a requested stop, waiting ones may remain unfinished.
  void finish();

private:
  struct Run {
    size_t number = 0;
    mca::PreparedRegion prepared;
    ReportCache::Entry entry;
  };
  /// A simulated region whose registers have no names yet.
  struct Unnamed {
    ReportCache::Entry entry;
    unsigned syntaxVariant = 0;
  };
  /// A further thread, and the region that it simulates.
  struct Helper {
    size_t number = 0;
    std::thread thread;
  };

  std::unique_ptr<Run> unused();
  std::unique_ptr<Run> takeFront();
  bool runNext();
  std::unique_ptr<Run> waitForNext(Helper &helper);
  void help(Helper &helper, mca::Simulator &simulator);
  void startHelpers();
  void carryOut(std::unique_ptr<Run> run, mca::Simulator &simulator);

  Simulators &simulators_;
  const size_t threads_;
  const std::stop_token stop_;
  const std::function<void(size_t)> waitingFor_;
  std::deque<Helper> helpers_;

  std::mutex mutex_; // guards the following members
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Run>> waiting_;
  std::vector<std::unique_ptr<Run>> unused_; // kept for the memory of their lists
  std::vector<Unnamed> unnamed_;
  bool complete_ = false; // no further region comes
};

} // namespace analysis
