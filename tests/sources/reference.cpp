#include "tests/sources/reference.h"

#include "tests/differential/process.h"
#include "tests/differential/summary_differences.h"

#include <fstream>

namespace sources {

using analysis::Shown;
using analysis::ShownRegion;

void Reference::add(const std::string &program, const Shown &result) {
  for (const ShownRegion &region : result.regions) {
    if (region.uncorrectedCycles > 0) // the numbers do not have an error of llvm-mca's model
      continue;
    // What llvm-mca does not know of loads and stores with one operand, mca knows by a comment of the listing.
    const bool needsMca = region.listing.find("mca: same-operands") != std::string::npos;
    Batch &batch =
        batches_[{needsMca ? MCA_PROGRAM : LLVM_MCA, "-mtriple=" + result.target.triple, "-mcpu=" + result.target.cpu,
                  "-mattr=" + result.target.features, "-iterations=" + std::to_string(region.iterations)}];
    const std::string number = std::to_string(batch.regions.size());
    batch.text += "# LLVM-MCA-BEGIN r" + number + "\n" + region.listing + "# LLVM-MCA-END r" + number + "\n";
    batch.names.push_back(program + ":" + std::to_string(region.line) + " " + region.name);
    batch.regions.push_back(region);
  }
}

std::string Reference::differences() const {
  std::string all;
  for (const auto &[options, batch] : batches_)
    all += differences(options, batch);
  return all;
}

std::string Reference::differences(const Options &options, const Batch &batch) const {
  const std::string path = (folder_ / "listings.s").string();
  std::ofstream(path, std::ios::binary) << batch.text;
  std::vector<std::string> command = options;
  command.insert(command.end(),
                 {"-instruction-info=0", "-call-latency=1", "-skip-unsupported-instructions=lack-sched"});
  command.push_back(path);
  const differential::ProcessResult run = differential::runProcess(command);
  const std::vector<differential::LlvmRegion> reports = differential::parseLlvmReport(run.output);
  if (run.status != 0 || reports.size() != batch.regions.size())
    return "llvm-mca: status " + std::to_string(run.status) + ", " + std::to_string(reports.size()) + " reports for " +
           std::to_string(batch.regions.size()) + " regions\n" + run.errors;
  std::string all;
  for (size_t i = 0; i < reports.size(); ++i)
    if (const std::string different = differential::summaryDifferences(batch.regions[i], reports[i]);
        !different.empty())
      all += batch.names[i] + "\n" + different + batch.regions[i].listing;
  return all;
}

} // namespace sources
