// How the processor renames each register.
//
// A scheduling model's MCExtraProcessorInfo lists the register files: which registers a file holds, how many physical
// registers a definition costs, and which moves it may eliminate. A register that no file holds is renamed without
// limit at a cost of one (RegisterFile::addRegisterFile in LLVM's MCA library).
#pragma once

#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSchedule.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace mca {

struct RegisterFileLimits {
  uint32_t size = 0;               ///< physical registers; 0: unlimited
  uint32_t maxMovesEliminated = 0; ///< per cycle; 0: unlimited
  bool zeroMovesOnly = false;
};

/// How a register is renamed. All registers are LLVM's numbers.
struct Renaming {
  uint16_t file = 0;
  uint16_t cost = 1;
  uint16_t renameAs = 0; ///< the register that is renamed when this one is written; 0: none
  bool allowMoveElimination = false;
};

/// The same, with the registers that share bits with it.
struct RenamedRegister : Renaming {
  llvm::SmallVector<uint16_t, 6> subregisters; ///< including artificial ones
  llvm::SmallVector<uint16_t, 6> realSubregisters;
  llvm::SmallVector<uint16_t, 6> superregisters;

  uint16_t wholeOf(uint16_t self) const { return renameAs ? renameAs : self; }
};

/// The register files of one scheduling model, and how each register is renamed. Not thread-safe, because look-ups fill
/// it.
class RegisterTable {
public:
  RegisterTable(const llvm::MCRegisterInfo &info, const llvm::MCSchedModel &model);

  /// The first look-up of a register finds its relatives; later ones are an array access.
  const RenamedRegister &operator[](uint16_t reg) { return registers_[reg] ? *registers_[reg] : describe(reg); }
  /// File 0 counts all definitions.
  const std::vector<RegisterFileLimits> &files() const { return files_; }
  /// Number of LLVM's registers.
  size_t size() const { return registers_.size(); }

private:
  void addFile(const llvm::MCRegisterFileDesc &file, const llvm::MCRegisterCostEntry *costs);
  const RenamedRegister &describe(uint16_t reg);

  const llvm::MCRegisterInfo &info_;
  std::vector<RegisterFileLimits> files_ = {{}};
  std::vector<Renaming> renaming_;                          ///< by register
  std::vector<std::unique_ptr<RenamedRegister>> registers_; ///< by register; null before its first look-up
};

} // namespace mca
