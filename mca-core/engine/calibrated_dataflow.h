// The limits of a loop on a CPU as it was measured, each as if it were the only one: its dependencies, and the slots of
// the front end. Links and limits mean what they do for LLVM's models (dataflow.h, dispatch_limit.h).
#pragma once

#include "mca-core/engine/dataflow.h"
#include "mca-core/engine/dispatch_limit.h"
#include "mca-core/model/calibrated_body.h"

#include <vector>

namespace mca {

DataflowLimit findDataflowLimit(const CalibratedBody &body);

/// The register dependencies between instructions in a later iteration. What renaming forwards has none.
std::vector<DataLink> findDataLinks(const CalibratedBody &body);

DispatchLimit findSlotLimit(const CalibratedBody &body);

} // namespace mca
