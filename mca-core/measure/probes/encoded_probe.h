// Probes as machine code.
#pragma once

#include "mca-core/measure/code_run.h"
#include "mca-core/measure/probes/instances.h"
#include "mca-core/measure/probes/probe.h"

#include <memory>

namespace mca::measure {

/// A probe as two codes, whose times differ by that of `copies` executions of its block. The difference leaves out the
/// setup, the ends of the code and the loop around the block.
struct EncodedProbe {
  CodeToRun shorter, longer;
  double copies = 0;
};

/// Encodes probes with LLVM's encoder.
class ProbeEncoder {
public:
  /// `maker` has to outlive it. Probes find `memory` through the base registers of placements and the stack pointer.
  ProbeEncoder(const InstanceMaker &maker, MeasureMemory memory);
  ~ProbeEncoder();

  /// Fails for code that needs all registers or that LLVM cannot encode.
  Result<EncodedProbe> encode(const Probe &probe) const;
  /// The bytes of one instruction; none if it needs a relocation.
  std::vector<uint8_t> bytesOf(const llvm::MCInst &inst) const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace mca::measure
