// Probes of latencies: an instruction whose result reaches one of its own sources, so that each execution waits for the
// last one.
//
// If the destination cannot be the source (another family, flags, a part of an address), instructions whose latency is
// known carry the value on: bridges. What crosses families is observable only as a round trip, so half of it counts for
// each direction. Any other split gives the same times.
#pragma once

#include "mca-core/measure/probes/instances.h"
#include "mca-core/measure/probes/probe.h"

#include <optional>
#include <vector>

namespace mca::measure {

/// Latencies of the bridges in cycles.
struct BridgeLatencies {
  double move = 1;      ///< between general registers, a sign extension
  double shuffle = 1;   ///< between vector registers
  double mask = 1;      ///< `and` and `or` with an immediate or a register
  double toVector = 3;  ///< from a general register
  double toGeneral = 3; ///< from a vector register
  double toMask = 3;    ///< from a general register
  double fromMask = 3;  ///< to a general register
  double select = 1;    ///< from the flags to a general register, a conditional move
  double test = 1;      ///< from a general register to the flags
};

/// Measures the bridges; those without a time keep their default.
BridgeLatencies measureBridges(const InstanceMaker &maker, ProbeTimer &timer);

/// A probe of the latency from one operand to another.
struct LatencyChain {
  uint16_t source = 0, destination = 0; ///< as FormOperand::number
  Probe probe;
  double executions = 1;   ///< of the instruction in one execution of the block
  double bridgeCycles = 0; ///< per execution of the instruction
  /// With bridges that take longer than the instruction occupies the machine, so that a result of about −bridgeCycles
  /// means that the destination does not depend on the source.
  bool isCertain = false;
};

/// Chains for each source and destination that one can be built for. A pair may have two: a bare one, and a certain one
/// for instructions whose bare chain is not slower than independent copies.
std::vector<LatencyChain> latencyChainsOf(const InstanceMaker &maker, const BridgeLatencies &bridges, unsigned opcode,
                                          const Variant &variant);

} // namespace mca::measure
