// A region lowered to what the simulator needs of it: plain numbers, no LLVM object, everything that can be looked up
// beforehand looked up.
//
// LLVM's data enters here and nowhere else: latencies, resources, buffers, read-advance, register files. Whoever wants
// to correct the model of a CPU changes a Body; the engine does not know the difference.
#pragma once

#include "mca-core/model/lowering.h"
#include "mca-core/model/registers.h"
#include "mca-core/model/resources.h"

#include <array>
#include <cstdint>
#include <vector>

namespace mca {

struct BodyWrite {
  RegisterIndex reg = kNoRegister; ///< kNoRegister: nothing is defined
  int32_t latency = 0;             ///< cycles
  uint16_t kind = 0;               ///< of the write resource, for read-advance
  bool clearsSuperRegisters = false;
  bool writesZero = false;
};

struct BodyRead {
  RegisterIndex reg = kNoRegister;
  bool independent = false; ///< of earlier definitions: a zero idiom's input
  uint32_t advances = 0;    ///< into Body::advances: one value a kind of write
};

/// Use of one resource from issue on.
struct BodyResource {
  uint64_t mask = 0;   ///< of the resource; its highest bit is its own
  uint32_t cycles = 0; ///< 0: only releases it
  uint32_t units = 1;
  uint8_t index = 0; ///< state index: position of the highest bit
  bool reserved = false;
  bool group = false;
};

struct BodyInstruction {
  uint32_t firstWrite = 0, writes = 0;
  uint32_t firstRead = 0, reads = 0;
  uint32_t firstResource = 0, resources = 0;
  uint32_t microOps = 0;
  int32_t latency = 0; ///< of its slowest write, in cycles
  uint64_t buffers = 0;
  uint64_t groups = 0;
  uint64_t needed = 0; ///< state bits of resources of which one free unit is needed
  bool mayLoad = false, mayStore = false;
  bool loadBarrier = false, storeBarrier = false;
  bool beginGroup = false, endGroup = false;
  bool retireOutOfOrder = false;
  bool optimizableMove = false;
  bool issuesAtOnce = false; ///< zero latency, or in-order resources only
  bool overlappingGroups = false;
  bool plainResources = false; ///< availability is told by `needed` alone
};

struct Body {
  std::vector<BodyInstruction> instructions;
  std::vector<BodyWrite> writes;
  std::vector<BodyRead> reads;
  std::vector<BodyResource> resources;
  std::vector<int16_t> advances; ///< cycles by which a read may come before the write is complete
  uint32_t writeKinds = 0;
  int32_t longestLateRead = 0; ///< the largest negative advance, as a positive number of cycles
  RegisterTable registers;

  explicit Body(RegisterTable table) : registers(std::move(table)) {}
};

Body makeBody(const Target &target, const LoweredRegion &region, uint32_t registerFileSize);

} // namespace mca
