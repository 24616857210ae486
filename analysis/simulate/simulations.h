// The reports of a job's regions: from the cache, or simulated on all threads (region_runs.h).
//
// Of a large text the loops are looked for while it is still parsed, as the other threads have nothing to do meanwhile.
// What will be asked for is then in the cache; what turns out to be no region was in vain.
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
  /// What was begun and not finished goes from the cache.
  ~Simulations();

  ReportCache::Key keyOf(const mca::Program &program, std::span<const uint32_t> instructions) const;
  /// The region's report, which is complete after finish(). `about` is told before anything is done for it.
  ReportCache::Entry find(const ReportCache::Key &key, const mca::Program &program,
                          std::span<const uint32_t> instructions, const wire::Progress &about);
  /// Of a program that is being parsed. `about` tells of that; where in the text is added.
  void lookAhead(const mca::Program &soFar, wire::Progress about);
  /// After a stop, some are left unfinished.
  void finish() { runs_.finish(); }

private:
  struct Begun {
    wire::Progress about;
    ReportCache::Key key;
    ReportCache::Entry entry;
  };

  Context context_;
  uint32_t lookedAt_ = 0; ///< instructions, ahead of the parser's end
  std::vector<Begun> begun_;
  RegionRuns runs_;
};

} // namespace analysis
