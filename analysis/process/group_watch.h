// What a process group uses while it runs, from /proc: only the kernel's account of ended children is complete, and it
// comes too late to stop anything.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <sys/types.h>

namespace analysis {

struct GroupUse {
  std::chrono::milliseconds processorTime{0}; ///< of its members and of those that ended and were waited for
  uint64_t memoryBytes = 0;                   ///< resident memory that no file backs, of all members
  unsigned processes = 0;
  /// A FIFO, a device or a socket with a name that a member waits for, to open or to read it; empty if there is none. A
  /// regular file is never waited for in this way.
  std::string waitsFor;
};

/// Looks at each process of the system: about 10 us for each.
GroupUse useOfGroup(pid_t group);

} // namespace analysis
