// The reports of a job's regions: from the cache, or simulated on several threads.
//
// Lowering an instruction calls LLVM, which may end the process on odd input. So this is done on the job's own thread,
// one region after the other, and the last region that was reported before is the one that ended it. A lowered region
// is plain numbers, and any thread may run it, which takes most of the time; the results do not depend on which. The
// names of registers need LLVM again: the job's thread adds them at the end.
//
// While a large text is still being parsed, the other threads have nothing to do. So its loops are searched for and
// simulated already then. Later requests find them in the cache; a loop that turns out to be no region was simulated in
// vain.
#pragma once

#include "analysis/regions/region_limits.h"
#include "analysis/simulate/calibrations.h"
#include "analysis/simulate/report_cache.h"
#include "analysis/wire/messages.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
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
  /// `number` is 0 for the job's own thread. References stay valid.
  mca::Simulator &ofThread(size_t number) {
    while (all_.size() <= number)
      all_.emplace_back(target_);
    return all_[number];
  }

private:
  const mca::Target &target_;
  std::deque<mca::Simulator> all_; // made when first requested
};

/// The code of a region, and what is known of the code around it.
struct SimulatedCode {
  const mca::Program &program;
  std::span<const uint32_t> instructions;              ///< indices in the program
  std::span<const mca::EntryOffset> entryOffsets = {}; ///< SimulationOptions::entryOffsets
};

class Simulations {
public:
  struct Context {
    const mca::Target &target;
    mca::SimulationOptions options;
    ReportCache &reports;
    Simulators &simulators;
    size_t threads; ///< the limit of threads, the job's own included
    std::stop_token stop;
    const wire::ProgressSink &progress; ///< called on the job's thread
    std::shared_ptr<const LoadedCalibration> calibration =
        nullptr; ///< what the numbers come from, where it can; null: LLVM's model
  };

  explicit Simulations(Context context) : context_(std::move(context)) {}
  /// Removes unfinished entries from the cache.
  ~Simulations();

  /// Whose numbers a region has.
  enum class Machine : uint8_t {
    Best,  ///< the calibrated machine's if there is a calibration, and it can run the region
    Llvms, ///< those of LLVM's model
  };

  ReportCache::Key keyOf(const SimulatedCode &code, Machine machine = Machine::Best) const;
  /// The region's report, which is complete after finish(). `about` is reported before work on it starts.
  ReportCache::Entry find(const ReportCache::Key &key, const SimulatedCode &code, const wire::Progress &about,
                          Machine machine = Machine::Best);
  /// Simulates the new loops of a program that is being parsed. `about` describes the parsing; places in the text are
  /// added.
  void lookAhead(const mca::Program &soFar, wire::Progress about);
  /// Returns when all regions have been simulated. After a requested stop, waiting ones may stay unfinished.
  void finish();

private:
  struct Begun {
    wire::Progress about;
    ReportCache::Key key;
    ReportCache::Entry entry;
  };
  struct Run {
    size_t number = 0; ///< in begun_
    mca::PreparedRegion prepared;
    /// In LLVM's model as it is, if `prepared` is with the calibration, or with corrections.
    std::optional<mca::PreparedRegion> model;
    ReportCache::Entry entry; ///< that of begun_, which other threads may not access
  };
  /// A simulated region whose registers have no names yet.
  struct Unnamed {
    ReportCache::Entry entry;
    unsigned syntaxVariant = 0;
  };
  /// A further thread, and the region that it simulates.
  struct Helper {
    std::atomic<size_t> number = 0;
    std::thread thread;
  };

  std::optional<mca::Failure> prepare(Run &run, const SimulatedCode &code, Machine machine);
  void start(std::unique_ptr<Run> run);
  std::unique_ptr<Run> unused();
  std::unique_ptr<Run> takeFront();
  bool runNext();
  std::unique_ptr<Run> waitForNext(Helper &helper);
  void startHelpers();
  void carryOut(std::unique_ptr<Run> run, mca::Simulator &simulator);

  Context context_;
  uint32_t lookedAt_ = 0; ///< instructions searched for loops
  RegionCount ahead_;     ///< of the loops found there
  bool isWithinLimits_ = true;
  std::vector<Begun> begun_;
  std::deque<Helper> helpers_;

  std::mutex mutex_; // guards the following members
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Run>> waiting_;
  std::vector<std::unique_ptr<Run>> unused_; // kept for the memory of their lists
  std::vector<Unnamed> unnamed_;
  bool complete_ = false; // no further region comes
};

} // namespace analysis
