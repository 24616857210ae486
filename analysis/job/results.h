// Turns the simulated regions of a buffer into the messages for the server.
//
// The detail of a region depends on the number of instructions in the whole document, so it is chosen first. Every
// region is sent each time. Its simulation is sent under an id, a hash of all its inputs, and is neither computed nor
// sent if the server already has that id. So an edit costs only the regions that it changed.
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
    std::span<const wire::ByteRange> measures; ///< BufferSettings::measures
    size_t threads = 1;
    std::stop_token stop;
    std::function<void(size_t)> simulating; ///< called with a region's number before that region is simulated again
  };

  /// `regions`, in the order of the result, must outlive this; the paths of a loop follow each other.
  Results(Context context, std::span<const SimulatedRegion> regions);

  /// The regions at their places, in the order of the constructor's argument.
  std::vector<wire::Region> regions() const;
  /// The simulations that the server lacks, each once. Simulates again if a detail is requested that the cache lacks.
  std::vector<wire::Simulation> simulations();

private:
  /// What was decided for a region by comparing it with the others of the document.
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
  std::vector<std::string> statementsOf(const Region &region) const;
  std::string runnable(size_t number) const;
  std::vector<wire::ByteRange> placesOf(const SimulatedRegion &simulated) const;
  std::vector<wire::Transfer> transfersOf(const Region &region) const;

  Context context_;
  std::span<const SimulatedRegion> regions_;
  std::vector<Choice> choices_; ///< of each region
};

} // namespace analysis
