// What both machines have in common: their options and the words for why dispatch stalls.
//
// A machine tells what happens through an `Events` object, whose functions are called inline:
//   onDispatched(id, what, microOps, registers), onReady(id, what), onIssued(id, what, units, IssuedInstruction),
//   onExecuted(id, what), onRetired(id, what, registers), onBuffersReserved(id, what), onStall(Stall),
//   onPressure(reason, delayed, resources) and onCycleEnd().
// `id` is the dynamic instance, `what` its position in the body; `registers` counts physical registers by file.
#pragma once

#include "mca-core/views/bottlenecks.h"

#include <cstdint>

namespace mca {

enum class Stall { RegisterFile, RetireTokens, DispatchGroup, SchedulerFull, LoadQueueFull, StoreQueueFull };

struct MachineOptions {
  uint32_t dispatchWidth = 0; ///< micro-ops per cycle
  uint32_t reorderBuffer = 0; ///< entries; unused in order
  uint32_t maxRetired = 0;    ///< instructions per cycle; 0: no limit
  uint32_t microOpQueue = 0;  ///< entries; 0: no queue
  uint32_t decoders = 0;      ///< instructions per cycle that enter the queue; 0: no limit
  uint32_t loadQueue = 0, storeQueue = 0;
  bool assumeNoAlias = true;
  bool pressure = false; ///< whether Events wants onPressure
};

} // namespace mca
