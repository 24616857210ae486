// Runs pieces of machine code in a child process that can do nothing but compute, and returns how long they took.
//
// The child shares no memory with its parent but one mapping for the results, has no file open and may make one system
// call, the one that ends it (child.h says how). Whatever the code does ends there: with times, or with the reason why
// there are none. A result is what the child left in memory that the code could write, too: it is checked for
// plausibility, and a code that forges times deceives only the user who asked for them.
#pragma once

#include "mca-core/target/result.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace mca::measure {

/// Machine code with what it needs of registers and memory. The code is entered at its first byte, which begins a page,
/// and left after its last one.
struct CodeToRun {
  static constexpr size_t kMaxBytes = 1 << 20;
  static constexpr uint32_t kMaxRepetitions = 4096;
  static constexpr size_t kMaxExtraPages = 64;
  /// Of all its repetitions.
  static constexpr std::chrono::milliseconds kTimeLimit{1200};

  /// A field of 4 bytes in the code that gets the distance from its own first byte to an address.
  struct RelativeField {
    uint32_t offset = 0;
    uint64_t address = 0; ///< below 2 GiB
  };

  std::vector<uint8_t> code; ///< position-independent but for `relative`; at most kMaxBytes
  std::vector<RelativeField> relative;
  uint64_t registers[16] = {}; ///< rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15 at entry
  /// Each 64-bit lane of vector register i holds vectors[i] at entry; of registers 16 to 31 it is vectors[i - 16].
  uint64_t vectors[16] = {};
  /// 128, 256 or 512: how wide the vector registers are set. The rest of them is zero, as after vzeroupper, so that SSE
  /// code is not slowed down. With 512, the mask registers are set to ones. More than the CPU has is refused.
  uint32_t vectorBits = 128;
  uint32_t repetitions = 16; ///< how often it is timed; at most kMaxRepetitions
  /// Each 64-bit word of the memory holds this before the first repetition.
  uint64_t memoryFill = 0;
  /// Addresses of 4096-byte pages that exist, too, filled with `memoryFill`; at most kMaxExtraPages. Codes with the
  /// same pages that follow each other share a child.
  std::vector<uint64_t> extraPages;
};

/// Why there is no time.
struct CodeRefusal {
  enum class Kind : uint8_t {
    Access,     ///< to memory that does not exist or must not be written
    Protection, ///< a privileged instruction, an address that is not canonical, a misaligned vector operand
    Illegal,    ///< no instruction of this CPU
    Arithmetic, ///< a division error, or an unmasked floating-point exception
    Trap,       ///< a breakpoint or a single step
    SystemCall,
    Jump, ///< execution left the code
    TimeLimit,
    Changed,    ///< it changed the memory of the harness or left the processor in another state
    Disturbing, ///< the clock cannot be read beside it
    Unsuitable  ///< it was not run
  };
  Kind kind = Kind::Unsuitable;
  std::string reason;              ///< a clause without full stop, such as "it reads address 0x10, where no memory is"
  std::optional<uint64_t> address; ///< what Access is about, or where Jump leads
  std::optional<uint32_t> offset;  ///< of the instruction in the code
};

/// Time stamp counter ticks of each repetition.
struct CodeTimes {
  std::vector<uint64_t> ticks; ///< without the cost of entering and leaving; not empty
  /// Of the same repetitions: how long the canary took, the longer one of before and after. It is some 2,000 cycles of
  /// independent loads and nops, and takes up to twice that beside a busy neighbour on the other hardware thread.
  std::vector<uint64_t> canaries;
  uint64_t note = 0; ///< what the last repetition left at CodeRunner::noteAddress(); 0 before each
  /// The steps in which the counter advances, in ticks: 24 on some AMD CPUs, whose counter follows a clock of 100 MHz.
  uint64_t granularity = 1;
  uint64_t least() const;
  /// The mean of the times that differ from the least one by the granularity only: finer than its steps, since they
  /// fall differently in each repetition.
  double center() const;
};

using CodeResult = std::variant<CodeTimes, CodeRefusal>;

/// Addresses that CodeToRun's registers may point at. They are the same in each run.
struct MeasureMemory {
  uint64_t begin = 0; ///< readable and writable; a multiple of 64 KiB, below 2 GiB
  uint64_t size = 0;  ///< bytes; nothing is mapped in the 64 MiB around it
};

/// Runs code in children of this process. Not thread-safe; one at a time exists in a process.
class CodeRunner {
public:
  /// Fails where code cannot be run safely: another system or architecture than Linux on x86-64, or no seccomp.
  static Result<std::unique_ptr<CodeRunner>> create();
  ~CodeRunner();

  MeasureMemory memory() const;
  /// Below 2 GiB: a 64-bit word that code may write to return a number, such as a count.
  static uint64_t noteAddress();
  /// Whether a page can be among CodeToRun::extraPages: it is the user's, and beside what always exists.
  static bool mayMap(uint64_t page);
  /// Runs each of them in turn; a refused one does not stop the others, but costs another child. `limit`: processor
  /// time of each.
  std::vector<CodeResult> run(std::span<const CodeToRun> codes,
                              std::chrono::milliseconds limit = CodeToRun::kTimeLimit);

private:
  struct Parts;
  explicit CodeRunner(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

} // namespace mca::measure
