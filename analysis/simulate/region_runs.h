// Simulates the regions of a job on several threads.
//
// LLVM lowers the instructions, and odd ones may end the process: that is done on the job's own thread, one region
// after the other, so that the last one that was told of is the one to blame. What is lowered is plain numbers; running
// them takes most of the time, and any thread may do it. The results do not depend on which. What needs LLVM at the
// end, the names of registers, is done on the job's thread again.
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

/// One for each thread. The target must outlive them.
class Simulators {
public:
  explicit Simulators(const mca::Target &target) : target_(target) { all_.emplace_back(target); }
  /// Of the job's own thread.
  mca::Simulator &own() { return all_.front(); }
  mca::Simulator &ofThread(size_t number);

private:
  const mca::Target &target_;
  std::deque<mca::Simulator> all_; // made when they are first asked for
};

class RegionRuns {
public:
  /// On up to `threads` threads, the job's own among them. `waitingFor` is called on that one with the number of the
  /// region that it goes on with, or waits for.
  RegionRuns(Simulators &simulators, size_t threads, std::stop_token stop, std::function<void(size_t)> waitingFor);
  ~RegionRuns() { finish(); }

  /// Has the region simulated, now or later. `number` tells it from others. The entry is complete after finish().
  void add(size_t number, const mca::Program &program, std::span<const uint32_t> region,
           const mca::SimulationOptions &options, ReportCache::Entry entry);
  /// Returns when all regions have been simulated; when a stop was requested, what is left may stay as it is.
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
  /// A further thread, and the region that it is at.
  struct Helper {
    size_t number = 0;
    std::thread thread;
  };

  std::unique_ptr<Run> unused();
  std::unique_ptr<Run> takeFront();
  std::unique_ptr<Run> next();
  std::unique_ptr<Run> waitForNext(Helper &helper);
  void help(Helper &helper, mca::Simulator &simulator);
  void startHelpers();
  void carryOut(std::unique_ptr<Run> run, mca::Simulator &simulator);
  void nameRegisters();

  Simulators &simulators_;
  const size_t threads_;
  const std::stop_token stop_;
  const std::function<void(size_t)> waitingFor_;
  std::deque<Helper> helpers_;

  std::mutex mutex_; // of what follows
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Run>> waiting_;
  std::vector<std::unique_ptr<Run>> unused_; // that have room in their lists
  std::vector<Unnamed> unnamed_;
  bool complete_ = false; // no further one comes
};

} // namespace analysis
