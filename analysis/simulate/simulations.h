// The reports of a job's regions: from the cache, or simulated on all threads (region_runs.h).
//
// While a large text is still being parsed, the other threads have nothing to do. So its loops are searched for and
// simulated already then. Later requests find them in the cache; a loop that turns out to be no region was simulated in
// vain.
#pragma once

#include "analysis/simulate/region_runs.h"
#include "analysis/wire/messages.h"

#include <span>
#include <vector>

namespace analysis {

class Simulations {
public:
  struct Context {
    const mca::Target &target;
    mca::SimulationOptions options;
    ReportCache &reports;
    Simulators &simulators;
    size_t threads;
    std::stop_token stop;
    const wire::ProgressSink &progress;
  };

  explicit Simulations(Context context);
  /// Removes unfinished entries from the cache.
  ~Simulations();

  ReportCache::Key keyOf(const mca::Program &program, std::span<const uint32_t> instructions) const;
  /// The region's report, which is complete after finish(). `about` is reported before work on it starts.
  ReportCache::Entry find(const ReportCache::Key &key, const mca::Program &program,
                          std::span<const uint32_t> instructions, const wire::Progress &about);
  /// Simulates the new loops of a program that is being parsed. `about` describes the parsing; places in the text are
  /// added.
  void lookAhead(const mca::Program &soFar, wire::Progress about);
  /// After a requested stop, some entries stay unfinished.
  void finish() { runs_.finish(); }

private:
  struct Begun {
    wire::Progress about;
    ReportCache::Key key;
    ReportCache::Entry entry;
  };

  Context context_;
  uint32_t lookedAt_ = 0; ///< instructions searched for loops
  std::vector<Begun> begun_;
  RegionRuns runs_;
};

} // namespace analysis
