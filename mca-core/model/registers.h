// The registers that a region touches, numbered densely, and how the processor renames them.
//
// LLVM describes register files in a scheduling model's MCExtraProcessorInfo: which registers a file holds, how many
// physical registers a definition costs, and which ones may be move-eliminated. A register that no file holds is
// renamed without limit, at the cost of one.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSchedule.h"

#include <cstdint>
#include <vector>

namespace mca {

using RegisterIndex = uint16_t;
constexpr RegisterIndex kNoRegister = 0xFFFF;

struct RegisterFileLimits {
  uint32_t size = 0;               ///< physical registers; 0: unlimited
  uint32_t maxMovesEliminated = 0; ///< per cycle; 0: unlimited
  bool zeroMovesOnly = false;
};

struct RenamedRegister {
  uint16_t llvm = 0; ///< LLVM's number
  uint16_t file = 0;
  uint16_t cost = 1;
  RegisterIndex renameAs = kNoRegister;
  bool allowMoveElimination = false;
  llvm::SmallVector<RegisterIndex, 4> subregisters;     ///< of those in the table, artificial ones included
  llvm::SmallVector<RegisterIndex, 4> realSubregisters; ///< without artificial ones
  llvm::SmallVector<RegisterIndex, 4> superregisters;
};

class RegisterTable {
public:
  /// `fileSize`: physical registers of file 0, which counts all definitions; 0 means unlimited.
  RegisterTable(const llvm::MCRegisterInfo &info, const llvm::MCSchedModel &model, uint32_t fileSize);

  /// Adds a register and all that renaming may touch with it. To be called before finish().
  void add(unsigned llvmRegister);
  /// Closes the table: indices are valid from now on.
  void finish();

  RegisterIndex indexOf(unsigned llvmRegister) const { return index_.lookup(llvmRegister); }
  const RenamedRegister &operator[](RegisterIndex index) const { return registers_[index]; }
  size_t size() const { return registers_.size(); }
  const std::vector<RegisterFileLimits> &files() const { return files_; }

private:
  struct Renaming {
    uint16_t file = 0;
    uint16_t cost = 1;
    uint16_t renameAs = 0; // LLVM's number, 0 for none
    bool allowMoveElimination = false;
  };
  void readFiles(const llvm::MCSchedModel &model, uint32_t fileSize);
  void insert(unsigned llvmRegister);

  const llvm::MCRegisterInfo &info_;
  std::vector<RegisterFileLimits> files_;
  llvm::DenseMap<unsigned, Renaming> renaming_;
  llvm::DenseMap<unsigned, RegisterIndex> index_;
  std::vector<RenamedRegister> registers_;
};

} // namespace mca
