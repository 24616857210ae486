// Measures forms: what each takes of the front end and of the resources, and its latencies.
//
// Three rounds of probes for a batch of forms. Alone: independent copies, and the chains of latency_chains.h. Slots:
// beside nops that fill the front end. Resources: beside each blocker. The mixes of a form are long enough that neither
// its own latency nor the front end limits them, so that what they take longer is due to the resource.
#pragma once

#include "mca-core/calibration/calibration.h"
#include "mca-core/measure/probes/blockers.h"
#include "mca-core/measure/probes/latency_chains.h"

#include <span>
#include <vector>

namespace mca::measure {

/// A form to measure.
struct FormToProbe {
  unsigned opcode = 0;
  Variant variant;
};

/// What is known of the machine before its forms.
struct ProbedMachine {
  double slotsPerCycle = 1;
  BridgeLatencies bridges;
  std::vector<Blocker> blockers; ///< uses of rows are indexes into them
};

/// A row, and what no resource explains.
struct ProbedForm {
  CalibratedForm row;
  double cyclesAlone = 0; ///< of an execution among independent ones
  /// Cycles that an execution occupies something that is none of the resources; 0: nothing.
  double unexplained = 0;
};

/// The rows of the forms, in order. A form that cannot run, or whose passes differ, has an empty opcode; single values
/// without a time are missing.
std::vector<ProbedForm> probeForms(const InstanceMaker &maker, ProbeTimer &timer, const ProbedMachine &machine,
                                   std::span<const FormToProbe> forms);

} // namespace mca::measure
