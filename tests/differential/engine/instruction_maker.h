// Makes instructions of any opcode with operands that the opcode's description allows, as far as it tells. What is not
// legal after all shows when the printed instruction is parsed.
#pragma once

#include "mca-core/target/target.h"

#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInst.h"

#include <cstdint>
#include <random>
#include <vector>

namespace differential {

/// Random numbers that are the same everywhere: distributions of the standard library are not.
class Random {
public:
  explicit Random(uint64_t seed) : generator_(seed) {}
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(generator_() % limit); }
  bool oneIn(uint32_t times) { return below(times) == 0; }
  template <typename List>
  const auto &pick(const List &list) {
    return list[below(static_cast<uint32_t>(std::size(list)))];
  }

private:
  std::mt19937_64 generator_;
};

class InstructionMaker {
public:
  /// Ways to choose immediates; the first is all zeros.
  static constexpr unsigned kStyles = 6;

  /// Both must outlive it, and the instructions refer to `context`.
  InstructionMaker(const mca::Target &target, llvm::MCContext &context, uint64_t seed);

  /// Registers are mostly of the first few of their class, so that instructions depend on each other.
  llvm::MCInst make(unsigned opcode, unsigned style);
  /// Whether the style makes a difference.
  bool hasImmediates(unsigned opcode) const;

private:
  llvm::MCOperand operand(const llvm::MCOperandInfo &info, unsigned style);
  llvm::MCOperand predicate(const llvm::MCOperandInfo &info, unsigned style);
  llvm::MCOperand registerOf(const llvm::MCOperandInfo &info);
  llvm::MCOperand label();
  int64_t immediate(unsigned style);
  void addX86Address(llvm::ArrayRef<llvm::MCOperandInfo> infos, llvm::MCInst &inst);
  void addRegisterList(const llvm::MCOperandInfo &info, llvm::MCInst &inst);
  int registerClass(const llvm::MCOperandInfo &info) const;

  const mca::Target &target_;
  llvm::MCContext &context_;
  Random random_;
  unsigned hwMode_;
};

} // namespace differential
