// Which row of a calibration an instruction belongs to, and how a row's latencies number its operands.
//
// A form is LLVM's opcode and a shape: what the opcode leaves open and CPUs distinguish. A shape is a list of words,
// joined by commas in the order below; an opcode that leaves nothing open has an empty one. x86 has these, other
// targets have none yet:
//
//   base+scaled+disp  an address, lea's too: its parts, of base, index (scaled: by 2, 4 or 8) and disp (not 0).
//                     absolute: a displacement alone. rip: relative to the instruction. String instructions and moffs
//                     have no such word
//   segment           a segment register is named
//   same              two or more registers are read, all are one, and there is no address: zero idioms and their like
//   self              a move of a register to itself or to a part of itself
//   imm0, imm1        a shift or a rotation by an immediate of this value
//   high8             one of ah, bh, ch and dh
//   carry+zero        the condition reads two flags (a, be)
//   lock, rep, repne  a prefix
//
// A row that is missing is replaced by one of a less precise shape where LLVM's own data do not distinguish the two
// either, or where the two behave alike; shapesToTry() has the order. Not replaced: `same` of instructions whose result
// is then a constant (LLVM's models know these idioms), lea's parts, conditions, and prefixes.
#pragma once

#include "mca-core/calibration/calibration.h"
#include "mca-core/target/target.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCInst.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mca {

/// Which row of a calibration an instruction belongs to.
struct Form {
  std::string opcode; ///< LLVM's name, such as ADD64rr
  std::string shape;  ///< words joined by commas, see above
  bool operator==(const Form &) const = default;
};

Form formOf(const llvm::MCInst &inst, const Target &target);

/// The stems under which EVEX encodes what VEX encodes under this one, its own first: "VPAND", "VPANDD" and "VPANDQ".
std::vector<std::string> evexNamesOf(llvm::StringRef stem);

/// Whether a text is empty or words of shapes in their order.
bool isShape(std::string_view text);

/// The shapes whose rows may stand for the form, the most precise one, its own, first.
std::vector<std::string> shapesToTry(const Form &form);

/// The number of the operand `index` in the latencies of a row, for an index as LLVM's MCA library has it
/// (ReadDescriptor and WriteDescriptor): an operand of the MCInst, or ~N for the N-th implicit register of the
/// instruction's description, where reads and writes count apart.
constexpr uint16_t kFirstImplicit = 256;
constexpr uint16_t formOperandNumber(int index) {
  return static_cast<uint16_t>(index >= 0 ? index : kFirstImplicit + ~index);
}

/// A register that a latency of a row may start or end at.
struct FormOperand {
  enum class Kind : uint8_t {
    Register,
    Address, ///< a part of an address; sources only
    Flags,
    OldValue ///< of a register that is written and not read, for merges and false dependencies; sources only
  };
  Kind kind = Kind::Register;
  /// Index in the MCInst, or kFirstImplicit + index in the description's implicit uses (sources) or implicit
  /// definitions (destinations). An old value has the number of its destination, which no other source has.
  uint16_t number = 0;
  llvm::MCRegister reg;
  bool operator==(const FormOperand &) const = default;
};

/// Between what a row of the instruction's form may have latencies. Memory is no operand: the latency of a load is that
/// of its address. Left out are registers that do not change where code is measured: segments, the instruction pointer,
/// the direction flag, control and status words of floating point, the shadow stack's pointer.
struct FormOperands {
  llvm::SmallVector<FormOperand, 8> sources, destinations; ///< explicit ones first; old values last
};

FormOperands formOperandsOf(const llvm::MCInst &inst, const Target &target);

/// The rows of a calibration by form.
class FormTable {
public:
  /// `calibration` has to outlive it.
  explicit FormTable(const Calibration &calibration);

  /// The row of the form, or one that may stand for it; null if there is none.
  const CalibratedForm *find(const Form &form) const;

  /// The row of the same operation without a mask, with the operands of the instruction that has one (EVEX). Empty if
  /// there is none, or if it rests on what the rename stage does, which a mask prevents.
  std::optional<CalibratedForm> findUnmasked(const llvm::MCInst &inst, const Target &target) const;

private:
  llvm::StringMap<const CalibratedForm *> rows_; ///< by opcode, a blank and the shape
};

} // namespace mca
