// Which of x86-64's general registers a register of LLVM's is, and what the body of a region does with them.
#pragma once

#include "mca-core/target/target.h"

#include "llvm/MC/MCInst.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace mca::measure {

/// The general registers, as CodeToRun has them.
inline constexpr std::array<const char *, 16> kRegisterNames{"RAX", "RCX", "RDX", "RBX", "RSP", "RBP", "RSI", "RDI",
                                                             "R8",  "R9",  "R10", "R11", "R12", "R13", "R14", "R15"};
inline constexpr uint32_t kStackRegister = 4;

/// LLVM numbers registers by target, and only their names are public.
class GeneralRegisters {
public:
  explicit GeneralRegisters(const llvm::MCRegisterInfo &registers);
  /// The index of the 64-bit register that contains `one`; nothing for other kinds of registers, and
  /// for none.
  std::optional<uint32_t> indexOf(llvm::MCRegister one) const;
  /// 128, 256 or 512 for a vector register, 512 for a mask; 0 for others.
  uint32_t vectorBitsOf(llvm::MCRegister one) const;

private:
  const llvm::MCRegisterInfo &registers_;
  std::array<llvm::MCRegister, 16> general_;
};

} // namespace mca::measure
