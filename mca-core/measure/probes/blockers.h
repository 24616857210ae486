// Abstract resources, found by blockers: instructions that take all of a resource and little of the front end.
//
// The method is Palmed's (CGO 2022): while a resource is saturated, each further instruction that needs it costs time,
// and the extra time says how much it takes. Which blockers there are is data (blockers.cpp), in the order in which
// they are tried. One becomes a resource if it runs at a rate below the front end's, if nops beside it cost nothing,
// and if no earlier resource explains its rate already.
#pragma once

#include "mca-core/calibration/calibration.h"
#include "mca-core/measure/probes/instances.h"
#include "mca-core/measure/probes/probe.h"

#include <string>
#include <vector>

namespace mca::measure {

/// A blocker and the resource that it saturates. Each of its instructions takes one unit.
struct Blocker {
  CalibratedResource resource;
  std::vector<llvm::MCInst> insts; ///< independent of each other
};

/// Times the candidates, and returns those that are resources. `slotsPerCycle`: of nops.
std::vector<Blocker> findBlockers(const InstanceMaker &maker, ProbeTimer &timer, double slotsPerCycle);

/// The blocker's instructions, `count` of them, in turn.
std::vector<llvm::MCInst> repeat(const Blocker &blocker, size_t count);

/// The nearest multiple of a quarter, if the value is within `tolerance` of it.
double snapToQuarter(double value, double tolerance);

} // namespace mca::measure
