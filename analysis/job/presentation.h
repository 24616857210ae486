// From the simulated regions of a buffer to what is said of them, line by line.
//
// Regions that share a line share its hint and hover. What is told of single instructions depends on how many there
// are in all: the depths are settled first, and then each line stands for itself. So a line can be left out where
// the same was said of it before, which idOf() tells without making it.
#pragma once

#include "analysis/simulate/report_cache.h"
#include "analysis/verdict/present.h"
#include "analysis/wording/region_text.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace analysis {

struct SimulatedRegion {
  const Region *region = nullptr;
  ReportCache::Key key;
  ReportCache::Entry entry;         ///< with a simulation that succeeded
  std::vector<std::string> caveats; ///< the region's own and what simulating it added
};

class Presentation {
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
    std::stop_token stop;
    std::function<void(size_t)> simulating; ///< called with the region's order before it is simulated once more
  };

  /// `regions`, in the order of the result, must outlive this; the paths of a loop follow each other.
  Presentation(Context context, std::span<const SimulatedRegion> regions);

  size_t lineCount() const { return lines_.size(); }
  /// The places among the regions of those of the line, in the order of its part.
  std::vector<size_t> ordersOf(size_t line) const;
  /// Whole lines of the buffer, from the first to the last that anything is told of.
  wire::ByteRange textOf(size_t line) const;
  /// A hash of all that part() depends on.
  uint64_t idOf(size_t line) const;
  /// Simulates what part() asks for beyond what is there.
  void deepen(size_t line);
  /// After deepen(). Different lines may be told at the same time.
  wire::Part part(size_t line);

  /// A region with its report, and nothing that has to be simulated once more.
  static AnalysedRegion plain(const SimulatedRegion &simulated);

private:
  /// What is told of a region's instructions.
  struct Depth {
    bool waits = false;
    bool ordered = false;
    bool dataflow = false;
  };
  /// The loops of one line, the one that the hint shows first.
  using Line = std::vector<AnalysedLoop>;

  bool isAssembly() const { return context_.request.language == wire::Language::Assembly; }
  void groupByLine();
  void settleDepths();
  void compare();
  void deepen(AnalysedRegion &analysed);
  const mca::Waits *waitsOf(const AnalysedRegion &analysed);
  std::optional<mca::Summary> orderedOf(const AnalysedRegion &analysed);
  std::vector<OtherCpu> onOtherCpus(const AnalysedRegion &analysed) const;
  std::vector<wire::Finding> findingsOf(const Line &onLine, const LoopNumbers &numbers) const;
  wire::RegionSummary summaryOf(const AnalysedRegion &analysed) const;
  std::vector<wire::InstructionDetails> bodyOf(const AnalysedRegion &analysed) const;

  Context context_;
  std::span<const SimulatedRegion> regions_;
  std::vector<Depth> depths_; ///< of each region
  std::vector<Line> lines_;   ///< in the order of their first regions
};

} // namespace analysis
