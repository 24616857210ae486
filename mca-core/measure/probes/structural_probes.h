// Probes of facts that belong to no single form: the front end, fusion, the stack engine, forwarding, splits, loops.
#pragma once

#include "mca-core/calibration/calibration.h"
#include "mca-core/measure/probes/instances.h"
#include "mca-core/measure/probes/probe.h"

#include <vector>

namespace mca::measure {

/// Slots per cycle, as nops of each length show them. 0: the timer has stopped.
double measureSlots(const InstanceMaker &maker, ProbeTimer &timer, Calibration &calibration);

/// Adds facts and rules. `slotsPerCycle` as measureSlots() says. Needs no forms.
void measureStructure(const InstanceMaker &maker, ProbeTimer &timer, double slotsPerCycle, Calibration &calibration);

/// Switches on the rules that treatments of the calibration's rows need, and adds rows of pushes and pops, which take
/// what stores and loads take.
void completeFromForms(Calibration &calibration);

} // namespace mca::measure
