// The CPUs that LLVM knows for a triple, for a user to pick from.
#pragma once

#include "analysis/wire/messages.h"

namespace analysis {

wire::CpusResult listCpus(const wire::CpusRequest &request);

} // namespace analysis
