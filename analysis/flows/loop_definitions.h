// Which instructions of a loop may have written a register that another one reads, along all ways through its blocks.
#pragma once

#include "mca-core/program/loops.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/MC/MCRegisterInfo.h"

#include <cstdint>
#include <vector>

namespace analysis {

/// The definitions in one loop. Positions are those of Loop::instructions.
class LoopDefinitions {
public:
  LoopDefinitions(const mca::ProgramBranches &branches, const mca::Loop &loop);

  /// Calls `found` with the position of each instruction that may have written a part of `reg` last before `position`
  /// reads it. What is written before the loop is none of them. May call it several times for one.
  void forEach(uint32_t position, llvm::MCRegister reg, llvm::function_ref<void(uint32_t)> found) const;

private:
  /// Ascending positions.
  using Positions = std::vector<uint32_t>;

  void note(uint32_t position, llvm::MCRegister reg);
  void ofUnit(uint32_t position, llvm::MCRegUnit unit, llvm::function_ref<void(uint32_t)> found) const;
  bool findIn(const Positions *writes, uint32_t begin, uint32_t end, llvm::function_ref<void(uint32_t)> found) const;

  const mca::Target &target_;
  const mca::Loop &loop_;
  std::vector<uint32_t> blockOf_;                   ///< by position
  std::vector<std::vector<uint32_t>> predecessors_; ///< by block
  llvm::DenseMap<unsigned, Positions> writes_;      ///< by register unit
  Positions writesOfAll_;                           ///< calls, if they may have written any register
  std::vector<bool> isConditional_;                 ///< by position: executed under a condition, so it may not write
};

} // namespace analysis
