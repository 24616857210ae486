// Reports as JSON, with the members, the order and the number formats of llvm-mca 22.1's -json.
#pragma once

#include "mca-core/report/simulator.h"
#include "mca-core/views/text.h"

#include "llvm/Support/JSON.h"

namespace mca {

/// One region's report: the members that llvm-mca puts into "CodeRegions". Like there, the statistics of schedulers,
/// retirement and register files have none.
llvm::json::Object toJson(const Report &report, const ViewSelection &views, const std::string &regionName);

/// The CPU and its resource units.
llvm::json::Object targetToJson(const Target &target);

/// The options that the simulation depends on, as far as they are not the default.
llvm::json::Object parametersToJson(const Target &target, const SimulationOptions &options);

} // namespace mca
