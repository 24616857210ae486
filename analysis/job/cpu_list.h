// The CPUs that LLVM knows for a triple, for a user to pick from.
#pragma once

#include "analysis/wire/messages.h"
#include "mca-core/target/model_origin.h"

namespace analysis {

wire::CpuModel modelOf(const mca::ModelOrigin &origin);

wire::CpusResult listCpus(const wire::CpusRequest &request);

} // namespace analysis
