// Limits for reading an assembly text: a few lines of it may stand for any number of instructions or bytes (`.rept`,
// macros that call themselves, `.dcb`).
#pragma once

namespace mca::measure {

/// While one exists, the process ends with a message and status 1 as soon as it has used 5 s of processor time or 2
/// GiB of address space. One at a time.
class ReadingLimits {
public:
  ReadingLimits();
  ~ReadingLimits();
  ReadingLimits(const ReadingLimits &) = delete;
  ReadingLimits &operator=(const ReadingLimits &) = delete;
};

} // namespace mca::measure
