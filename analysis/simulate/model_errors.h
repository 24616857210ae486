// The known errors of LLVM's model in a simulation's instructions, as the caveats that users see.
#pragma once

#include "analysis/wire/region.h"
#include "mca-core/report/simulator.h"

#include <vector>

namespace analysis {

/// One caveat for each error, with the first instruction that has it.
struct ModelErrors {
  std::vector<wire::Caveat> uncertain; ///< the numbers are less certain than they look
  std::vector<wire::Caveat> corrected; ///< the numbers do not have the error
};

ModelErrors modelErrorsOf(const mca::Simulation &simulation);

} // namespace analysis
