// Instances of an opcode for probes: instructions whose registers and addresses are chosen, from LLVM's descriptions.
//
// Registers are numbers within a family: general registers as the processor encodes them (rax 0, rcx 1, rdx 2, rbx 3,
// rsp 4, rbp 5, rsi 6, rdi 7, r8 to r15), vector registers 0 to 15, mask registers 0 to 7. A probe gives forms and
// blockers registers and memory of their own: shared ones add dependencies and false forwardings that look like cost.
#pragma once

#include "mca-core/calibration/form.h"
#include "mca-core/target/target.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCInst.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mca::measure {

enum class RegisterFamily : uint8_t { General, Vector, Mask };
inline constexpr size_t kRegisterFamilies = 3;
inline constexpr uint8_t kFamilyRegisters = 16;

/// The parts of an instance's address.
struct AddressParts {
  bool base = true;
  uint8_t scale = 0; ///< of the index: 1, 2, 4 or 8; 0: no index
  bool displacement = false;
  bool relative = false; ///< to the instruction pointer, instead of base and index
  bool operator==(const AddressParts &) const = default;
};

/// What an opcode leaves open and forms distinguish.
struct Variant {
  AddressParts address;
  bool sameRegisters = false;  ///< all registers that are read are one
  bool ownDestination = false; ///< a move of a register to itself
  bool twoFlags = false;       ///< the condition reads two flags
  bool locked = false;         ///< an atomic change of memory
};

/// Where the operands of an instance come from.
struct Placement {
  struct Registers {
    /// Destinations, rotating with the copies, so that the copies do not depend on each other.
    std::vector<uint8_t> targets;
    /// Registers that are only read: the first source, the second, and so on.
    std::array<uint8_t, 3> sources{};
  };
  std::array<Registers, kRegisterFamilies> families; ///< by RegisterFamily
  uint8_t base = 0, index = 0;                       ///< of addresses, general registers
};

/// Registers of forms, and of forms that run without a blocker. The index holds 0, other sources 1.
Placement formPlacement();
Placement aloneFormPlacement();
/// Registers of blockers.
Placement blockerPlacement();

/// Makes instances for one target. The target has to outlive it.
class InstanceMaker {
public:
  explicit InstanceMaker(const Target &target);

  const Target &target() const { return target_; }
  std::optional<unsigned> opcodeOf(llvm::StringRef name) const;

  /// Why no probe can use the opcode, as a clause; empty if one can.
  std::string refusal(unsigned opcode) const;
  /// The variants of an opcode that have rows of their own, the plain one first.
  std::vector<Variant> variantsOf(unsigned opcode) const;
  /// An instance, or nothing if the opcode has no such variant or needs a register that no family has.
  std::optional<llvm::MCInst> make(unsigned opcode, const Variant &variant, const Placement &placement,
                                   unsigned copy) const;
  /// A nop of five bytes. Caches of decoded instructions hold only so many per line of code, so that shorter ones are
  /// not delivered at the full rate: Zen 5 has eight a cycle of five to eight bytes, seven of four.
  llvm::MCInst nop() const;
  /// make() by name, for the probes' own instructions, with the operands in LLVM's order: registers by family and
  /// number, immediates. The name has to exist.
  llvm::MCInst assemble(llvm::StringRef opcode, llvm::ArrayRef<llvm::MCOperand> operands) const;

  /// The register of the operand's class with this number; invalid if there is none.
  llvm::MCRegister registerFor(unsigned opcode, unsigned operand, uint8_t number) const;
  /// The full-width general register, the vector register of 128 bits, or the mask register. Invalid if the CPU has no
  /// such family.
  llvm::MCRegister fullRegister(RegisterFamily family, uint8_t number) const {
    return full_[static_cast<size_t>(family)][number];
  }
  /// The family and the number of a register or of its part; nothing for flags and others.
  std::optional<std::pair<RegisterFamily, uint8_t>> numberOf(llvm::MCRegister reg) const;
  /// Replaces the register of an operand, and of those that are tied to it. False if its class lacks the register.
  bool setRegister(llvm::MCInst &inst, unsigned operand, uint8_t number) const;
  /// The first of the five operands of an address.
  std::optional<unsigned> addressOf(unsigned opcode) const;
  bool isLea(unsigned opcode) const;

private:
  bool mayBeLocked(unsigned opcode) const;
  bool setOperand(llvm::MCInst &inst, unsigned operand, const Variant &variant, const Placement &placement,
                  unsigned copy) const;
  llvm::MCRegister choose(unsigned opcode, unsigned operand, const Variant &variant, const Placement &placement,
                          unsigned copy) const;
  int64_t placeOf(unsigned opcode, unsigned copy) const;
  void addAddress(llvm::MCInst &inst, const Variant &variant, const Placement &placement, unsigned copy) const;
  unsigned sourcePosition(unsigned opcode, unsigned operand) const;

  const Target &target_;
  std::array<std::array<llvm::MCRegister, kFamilyRegisters>, kRegisterFamilies> full_;
  llvm::MCRegister instructionPointer_;
  llvm::StringMap<unsigned> opcodes_;
};

} // namespace mca::measure
