// Which loads wait for which stores: by their operands (memory_operands.h), and by the statements of a text about its
// pointers (assembly/pointer_statements.h).
//
// A memory operation goes through a pointer that a statement names if the register is the base of its address, or on
// x86 its index without a scale. The register's name stands for it wherever the statement holds, whatever is written to
// it. The pointer is followed into other registers through the instructions in the order of the region, and from its
// last instruction to its first one:
//   - copies, and additions and subtractions of constants and of registers that hold no such pointer;
//   - x86: mov, lea, add, sub, inc, dec; AArch64: mov, add, sub, loads and stores with write-back; RISC-V: mv, addi,
//     add, sh1add to sh3add.
// A register that is scaled or shifted is no pointer. Everything else ends it: a call, a load of the pointer, a
// conditional move, the sum of two pointers. Stack accesses of push, pop, call and ret, and string instructions, go
// through no pointer.
//
// A load through p waits for the data of the last earlier store through q if `alias` names both, and does not if
// `distinct` does. A statement with one name is about p alone; otherwise `alias` holds for each name with itself, too.
// What no statement says is as assumeNoAlias has it. Nothing else changes: stores keep their order.
//
// A load of an operand that the region stores to waits for the last store to it, whatever a statement says of the
// registers: `distinct` is about different addresses, and this is one.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/model/body.h"
#include "mca-core/model/lowering.h"
#include "mca-core/model/memory_operands.h"

#include "llvm/ADT/StringMap.h"

#include <span>
#include <vector>

namespace mca {

/// What holds beyond the statements of a text.
struct MemoryRules {
  bool assumeNoAlias = true;
  bool sameOperands = false; ///< a load waits for the store to its own operand, without a statement, too
  bool inAnyOrder = false;   ///< the instructions are those of a trace
  /// The printed instruction, by its number among the lowered ones.
  llvm::function_ref<llvm::StringRef(size_t)> textOf;
};

/// For one target. Programs without statements cost nothing.
class MemoryClassifier {
public:
  explicit MemoryClassifier(const Target &target) : target_(target) {}

  /// Fills in Body::memoryClasses, and the classes of the instructions. Leaves them as they are if nothing is known.
  /// `lowered` is the region, and `body` is made of it. Returns how many loads have an operand that the region stores
  /// to.
  uint32_t classify(const Program &program, std::span<const uint32_t> region, const LoweredRegion &lowered,
                    const MemoryRules &rules, Body &body);

  /// What is wrong with a statement of the program, as warnings: names that are no registers, or that no load or store
  /// goes through.
  std::vector<Diagnostic> check(const Program &program, const PointerStatement &statement);

private:
  /// By instruction; empty if no statement about pointers holds for one.
  std::vector<MemoryClass> classesByStatements(const Program &program, std::span<const uint32_t> instructions,
                                               bool assumeNoAlias, const Body &body);
  /// The names that the target's assembly has, and LLVM's own.
  const llvm::StringMap<unsigned> &registers();

  const Target &target_;
  llvm::StringMap<unsigned> registers_; ///< by name in lower case: the number of the register's first unit
};

} // namespace mca
