#include "analysis/profile/callgrind_costs.h"
#include "analysis/profile/perf_samples.h"
#include "analysis/profile/pprof_reader.h"
#include "analysis/profile/sample_profile_reader.h"
#include "analysis/profile/separate_reader.h"
#include "analysis/profile/source_counts.h"

#include "llvm/ADT/StringSwitch.h"

namespace analysis {

std::unique_ptr<ProfileReader> createProfileReader(std::string_view kind, const std::vector<std::string> &programs) {
  if (kind == "autofdo")
    return readSeparately(createSampleProfileReader());
  if (kind == "profdata")
    return readSeparately(createInstrumentationReader(programs.empty() ? "" : programs.front()));
  using Create = std::unique_ptr<ProfileReader> (*)();
  const auto create = llvm::StringSwitch<Create>(kind)
                          .Case("perf", createPerfSampleReader)
                          .Case("pprof", createPprofReader)
                          .Case("gcov", createGcovCountReader)
                          .Case("callgrind", createCallgrindCostReader)
                          .Default(nullptr);
  return create ? create() : nullptr;
}

} // namespace analysis
