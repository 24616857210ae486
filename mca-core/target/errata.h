// Known errors of LLVM's scheduling models, and the right values if they are known.
//
// llvm-mca's numbers have these errors, and so have those of `mca`, which prints what llvm-mca prints. The editor and
// `--check` correct what can be corrected (Corrections in mca-core/model/lowering.h) and mark the rest. An entry has a
// reference: a number of LLVM's tracker, a document, or a measurement. What is only suspected has no entry.
// docs/model-errors.md lists them for users.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Regex.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace llvm {
class MCInst;
}

namespace mca {

class Target;

/// What is wrong with the model's row of an instruction, and what is right. Texts outlive the program.
struct Erratum {
  enum class Kind : uint8_t {
    OneAccess,       ///< a gather or scatter costs what a single access costs
    Placeholder,     ///< LLVM's row for microcode of unknown cost: one micro-op, 100 cycles
    NoUnits,         ///< an instruction that needs a unit takes none
    TooFast,         ///< it takes a unit for fewer cycles than on the CPU, or has its result sooner
    TooSlow,         ///< the reverse
    FalseDependency, ///< the CPU waits for the old value of the register that is written
    LateOperation,   ///< the load begins only when it can end just in time for the operation's other operands
  };
  Kind kind = Kind::OneAccess;
  llvm::StringRef reference = {};

  // Of OneAccess:
  uint32_t lanes = 0;           ///< elements that are loaded or stored
  uint32_t accessesPerLane = 1; ///< each takes the units of the model's one access
  uint32_t microOpsPerLane = 1;
  // Of TooFast and TooSlow; 0: LLVM's.
  llvm::StringRef unit = {}; ///< how the name of the resource ends: models prefix it with their CPU's
  uint32_t cycles = 0;       ///< for which it is taken
  int32_t latency = 0;       ///< cycles
  uint32_t microOps = 0;

  /// Whether the corrected numbers are right. Otherwise they are only closer, or there are none.
  bool isCorrected() const { return kind >= Kind::TooFast; }
  /// Whether a correction changes the instruction at all.
  bool hasValues() const { return kind != Kind::Placeholder && kind != Kind::NoUnits; }
};

/// The parts of the model's row that tell some errors.
struct ModelRow {
  uint32_t microOps = 0;
  int32_t latency = 0; ///< cycles
  bool takesUnits = false;
};

/// An entry of the table: instructions of some CPUs.
struct ErratumEntry {
  llvm::StringRef models;  ///< modelNameOf() of each, separated by spaces
  llvm::StringRef cpu;     ///< the only one of the model's CPUs; empty: all of them
  llvm::StringRef tuning;  ///< a tuning feature that the CPU must have; may be empty
  llvm::StringRef opcodes; ///< a regular expression for the whole of LLVM's name
  Erratum erratum;
};

std::span<const ErratumEntry> errataTable();

/// How many elements a gather or scatter of x86 moves, by LLVM's name; 0 for other instructions. The larger of an index
/// and an element decides: VPGATHERDQYrm loads four 64-bit elements with 32-bit indices.
uint32_t gatheredElements(llvm::StringRef opcode);

/// The errors of one CPU's model. Not thread-safe.
class Errata {
public:
  /// The target must outlive it.
  explicit Errata(const Target &target);

  /// What is wrong with an instruction's row; nothing if nothing is known.
  std::optional<Erratum> find(unsigned opcode, const ModelRow &row);
  /// LateOperation, if it is known of the CPU: which of its instructions have it depends on the rest of the region.
  std::optional<Erratum> lateOperation() const;
  /// For an instruction that loads an operand: the latency of its form with a register in place of that, in cycles;
  /// nothing if there is none.
  std::optional<int32_t> registerFormLatency(const llvm::MCInst &inst);

private:
  const ErratumEntry *entryOf(unsigned opcode);

  const Target &target_;
  llvm::StringRef model_;                                        ///< modelNameOf()
  std::vector<std::pair<llvm::Regex, const ErratumEntry *>> of_; ///< the entries of the CPU
  llvm::DenseMap<unsigned, const ErratumEntry *> entries_;
  llvm::StringMap<unsigned> opcodes_; ///< by name; filled when first needed
};

} // namespace mca
