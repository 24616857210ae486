// From the simulated regions of a buffer to what is sent for them.
//
// How much detail a region gets depends on how many instructions the whole document has, so that is chosen first. Every
// region is always sent. Its simulation is sent under an id, a hash of everything it follows from, and is neither made
// nor sent if the server already has that id: an edit then costs only the regions that it changed.
#pragma once

#include "analysis/simulate/other_cpus.h"
#include "analysis/simulate/simulated_region.h"
#include "analysis/verdict/describe.h"

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace analysis {

class Results {
public:
  struct Context {
    const wire::AnalyzeRequest &request;
    const wire::TargetSummary &summary;
    const mca::Target &target;
    mca::Simulator &simulator;
    const mca::Program &program;
    const TextLines &lines;
    const SourceMap &map;
    const mca::SimulationOptions &options; ///< of the simulations
    const FindTarget &findTarget;
    size_t threads = 1;
    std::stop_token stop;
    std::function<void(size_t)> simulating; ///< called with the region's number before it is simulated once more
  };

  /// `regions`, in the order of the result, must outlive this; the paths of a loop follow each other.
  Results(Context context, std::span<const SimulatedRegion> regions);

  /// In the order of the regions.
  std::vector<wire::Region> regions() const;
  /// Those that the server lacks, each once. Simulates what they need beyond what is there.
  std::vector<wire::Simulation> simulations();

private:
  /// What is not the region's own.
  struct Choice {
    uint32_t rank = 0; ///< wire::Region::rank
    Detail detail;
    bool onOtherCpus = false;
    uint64_t id = 0; ///< wire::Simulation::id
  };

  bool isAssembly() const { return context_.request.language == wire::Language::Assembly; }
  void rankLoops();
  void chooseDetails();
  uint64_t idOf(size_t region) const;
  void computeDetail(size_t region);
  std::vector<wire::CpuSummary> onOtherCpus(size_t region) const;
  wire::Region place(size_t region) const;
  std::vector<wire::ByteRange> placesOf(const SimulatedRegion &simulated) const;
  std::vector<wire::Transfer> transfersOf(const Region &region) const;

  Context context_;
  std::span<const SimulatedRegion> regions_;
  std::vector<Choice> choices_; ///< of each region
};

} // namespace analysis
