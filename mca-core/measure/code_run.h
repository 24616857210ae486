// Runs a piece of machine code in a child process that can do nothing but compute, and says how long it took.
#pragma once

#include "mca-core/target/result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace mca::measure {

/// Machine code with what it needs of registers and memory. The code is entered at its first byte and left behind its
/// last one.
struct CodeToRun {
  std::vector<uint8_t> code;   ///< position-independent; at most 1 MiB
  uint64_t registers[16] = {}; ///< rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15 at entry
  /// Each of 16 vector registers begins with this 64-bit pattern in all lanes.
  uint64_t vectors[16] = {};
  uint32_t repetitions = 16; ///< how often it is timed; the minimum counts
};

/// Why there is no time.
struct CodeRefusal {
  std::string reason; ///< a sentence without full stop, such as "it reads address 0x10, which is no memory of its own"
};

/// Time stamp counter ticks of each repetition, without the cost of entering and leaving.
struct CodeTimes {
  std::vector<uint64_t> ticks;
  uint64_t least() const;
};

/// Addresses that CodeToRun's registers may point at. They are the same in each run.
struct MeasureMemory {
  uint64_t begin = 0; ///< readable and writable
  uint64_t size = 0;  ///< bytes
};

/// Runs code in children of this process. Not thread-safe.
class CodeRunner {
public:
  /// Fails where code cannot be run safely: another system or architecture than Linux on x86-64, or no seccomp.
  static Result<std::unique_ptr<CodeRunner>> create();
  ~CodeRunner();

  MeasureMemory memory() const;
  /// Runs each of them in turn in one child; a refused one does not stop the others. Limits: 2 s for each.
  std::vector<std::variant<CodeTimes, CodeRefusal>> run(std::span<const CodeToRun> codes);

private:
  struct Parts;
  explicit CodeRunner(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

} // namespace mca::measure
