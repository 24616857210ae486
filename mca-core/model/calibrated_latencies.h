// The registers of a region as cells, and the latencies between an instruction's operands.
#pragma once

#include "mca-core/calibration/form.h"
#include "mca-core/model/calibrated_body.h"
#include "mca-core/program/x86_instruction.h"
#include "mca-core/target/errata.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace mca {

/// The registers that a region writes. On x86, a register and its parts are one cell, because a write of 32 bits clears
/// the rest and smaller ones merge with it; the carry flag may have a cell apart from the other flags.
class RegisterCells {
public:
  void reset(const Target &target, bool separateCarry);
  /// Numbers the cells of a register that is written.
  void define(llvm::MCRegister reg, FlagParts flags);
  uint32_t count() const { return static_cast<uint32_t>(numbers_.size()); }
  /// Returns the cells that an instruction of the region writes.
  llvm::SmallVector<Cell, 4> find(llvm::MCRegister reg, FlagParts flags) const;
  bool separatesCarry() const { return separateCarry_; }

private:
  llvm::SmallVector<unsigned, 4> keysOf(llvm::MCRegister reg, FlagParts flags) const;

  const Target *target_ = nullptr;
  bool separateCarry_ = false;
  llvm::DenseMap<unsigned, Cell> numbers_;
};

/// Adds the operands of one instruction to a body.
class CalibratedLatencies {
public:
  /// `errata`: of the target, for what LLVM's computations take. `row`: null for LLVM's latencies. `mergesPartial`:
  /// writes of 8 and 16 bits wait for the register's earlier value.
  CalibratedLatencies(const Target &target, const llvm::MCInst &inst, const LoweredInstruction &lowered,
                      const CalibratedForm *row, const FormOperands &operands, const RegisterCells &cells,
                      bool mergesPartial, Errata &errata);

  /// `loadLatency`: of the machine, for forms that do not show how much of their latency is the load's.
  void add(int32_t loadLatency, CalibratedBody &body, CalibratedInstruction &instruction);

private:
  struct Kept {
    const FormOperand *operand;
    Cell cell;
  };
  bool isAddress(const FormOperand &operand) const;
  bool waitsFor(const FormOperand &source) const;
  bool isPartialWrite(llvm::MCRegister reg) const;
  std::optional<int32_t> exactlyFromRow(uint16_t source, uint16_t destination) const;
  std::optional<int32_t> fromRow(const FormOperand &source, const FormOperand &destination) const;
  std::optional<int32_t> fromOtherSources(const FormOperand &destination) const;
  int32_t writeLatencyOf(const FormOperand &destination) const;
  int32_t fromLlvm(const FormOperand &source, const FormOperand &destination) const;
  int32_t registerFormLatency() const;
  int32_t oldValueLatency(const FormOperand &source, const FormOperand &destination);
  int32_t latencyOf(const FormOperand &source, const FormOperand &destination);
  int32_t addressLatencyOf(const FormOperand &destination);
  int32_t latencyOfNone(const FormOperand &destination);
  int32_t longestFromRegisters(const FormOperand &destination);
  int32_t loadLatencyOf(int32_t machines);
  void addSources(CalibratedBody &body, CalibratedInstruction &instruction);
  void keep(const FormOperand &source);
  void addDestination(const FormOperand &destination, int32_t loadLatency, CalibratedBody &body);
  void addStored(const CalibratedInstruction &instruction, CalibratedBody &body) const;
  void addSlack(CalibratedBody &body, const CalibratedInstruction &instruction) const;

  Errata &errata_;
  const Target &target_;
  const llvm::MCInst &inst_;
  const LoweredInstruction &lowered_;
  const CalibratedForm *row_;
  const FormOperands &operands_;
  const RegisterCells &cells_;
  const bool mergesPartial_;
  const FormOperand oldFlags_;      ///< what an instruction that writes some of the flags keeps
  llvm::SmallVector<Kept, 8> kept_; ///< the sources that are no address, in the body's order
  int32_t machinesLoad_ = 0;        ///< cycles of a load on this machine
  bool usedLlvms_ = false;
};

} // namespace mca
