// What one instruction does to control flow. LLVM tells the kinds of instructions apart; what it leaves open on ARM
// (predicates, loads into the program counter) is decided here.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include "llvm/MC/MCInst.h"

#include <cstdint>
#include <string_view>

namespace mca {

enum class BranchKind : uint8_t {
  None, ///< no branch
  Jump,
  ConditionalJump,
  IndirectJump,
  Call,
  IndirectCall,
  Return,
  Trap, ///< execution never continues after it: `ud2`
};

constexpr bool isCall(BranchKind kind) {
  return kind == BranchKind::Call || kind == BranchKind::IndirectCall;
}
constexpr bool isJump(BranchKind kind) {
  return kind == BranchKind::Jump || kind == BranchKind::ConditionalJump || kind == BranchKind::IndirectJump;
}

struct Branch {
  BranchKind kind = BranchKind::None;
  bool isPredicated = false; ///< executes under a condition although it is no ConditionalJump: `bxne lr` on ARM
  bool hasDelaySlot = false; ///< the next instruction executes before the target
  bool isTailCall = false;   ///< a jump that calls a function, and after which this one does not go on
  // What only the program shows (branches.h).
  bool neverReturns = false; ///< a call after which nothing of its function is executed
  bool isBackward = false;   ///< a direct branch to itself or to an instruction before it
  uint32_t target = kNone;   ///< of a direct branch, as an index in the program; kNone if that is not in the text
  /// The instruction that executes if this branch is not taken, and where a call returns to; kNone if there is none.
  uint32_t fallThrough = kNone;
  const llvm::MCSymbol *symbol = nullptr; ///< the one that a direct branch names, which may be an alias

  /// Empty if a direct branch names no symbol.
  std::string_view symbolName() const;
  /// Whether the next instruction may be executed without this one's function being called or left in between.
  bool fallsThrough() const {
    return kind == BranchKind::None || kind == BranchKind::ConditionalJump || isPredicated ||
           (isCall(kind) && !neverReturns);
  }
  /// Whether it ends a basic block. A call that returns does not.
  bool endsBlock() const { return kind != BranchKind::None && (!isCall(kind) || neverReturns); }
};

/// Kind, predicate and delay slot of an instruction; no target. Tail calls are those that LLVM knows.
Branch classifyBranch(const Target &target, const llvm::MCInst &inst);

/// Whether an instruction of ARM, where almost all have a predicate, executes under a condition.
bool isPredicated(const Target &target, const llvm::MCInst &inst);

/// The symbol that an operand expression is exactly, after aliases are followed; null for sums and numbers.
const llvm::MCSymbol *exactSymbolIn(const llvm::MCExpr &expression);

/// The symbol that an instruction names: of a branch or a call its target, of another one what its address is made of;
/// null if there is none.
const llvm::MCSymbol *symbolOf(const llvm::MCInst &inst);

} // namespace mca
