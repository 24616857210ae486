// The branches of a program: what each instruction does to control flow, and where it may go.
//
// Labels are resolved as an assembler does: a branch goes to the next instruction of the label's own section, also if
// other sections stand between them in the text. Aliases (`.set a, b`) are followed. LLVM tells the kinds of
// instructions apart; what it leaves open on ARM (predicates, loads into the program counter) is decided here.
//
// A function reaches from its label to that of the next one in its section; `f.cold` belongs to `f`. Functions are
// declared (`.type f, @function`); in Mach-O, where they are not, every label that is not private starts one. What
// comes before the first of a section is a function without a name.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

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

struct Branch {
  BranchKind kind = BranchKind::None;
  bool isPredicated = false; ///< executes under a condition although it is no ConditionalJump: `bxne lr` on ARM
  bool hasDelaySlot = false; ///< the next instruction executes before the target
  bool isBackward = false;   ///< a direct branch to itself or to an instruction before it
  uint32_t target = kNone;   ///< of a direct branch, as an index in the program; kNone if that is not in the text
  /// The instruction that executes if this branch is not taken, and where a call returns to; kNone if there is none.
  uint32_t fallThrough = kNone;
  std::string_view symbol; ///< the symbol that a direct branch names; empty if it names none
};

struct TextFunction {
  std::string_view name; ///< empty if its section declares none
  uint32_t entry = 0;    ///< index of its first instruction
};

/// Refers to the program, which must outlive it and must not be updated.
class ProgramBranches {
public:
  ProgramBranches(const Target &target, const Program &program);

  /// How many instructions the program has.
  uint32_t size() const { return static_cast<uint32_t>(branches_.size()); }
  const Branch &at(uint32_t instruction) const { return branches_[instruction]; }
  BranchKind kindOf(uint32_t instruction) const { return branches_[instruction].kind; }
  /// The instruction that follows in the section, or kNone.
  uint32_t next(uint32_t instruction) const { return next_[instruction]; }
  /// The same, but kNone for branches and for instructions in delay slots, too.
  uint32_t nextAfterPlain(uint32_t instruction) const { return nextAfterPlain_[instruction]; }
  /// The 1-based line of an instruction in the text; of the call for one from a macro.
  uint32_t lineOf(uint32_t instruction) const { return lines_[instruction]; }
  /// The first instruction on a line, or the next one after it; kNone if there is none.
  uint32_t firstOnLine(uint64_t line) const;

  /// The instruction that a label stands for; kNone for names that are no label of an instruction.
  uint32_t placeOf(std::string_view label) const;
  bool hasLabel(uint32_t instruction) const { return hasLabel_[instruction]; }
  /// Whether a name can only be that of a label of this text: `.LBB1_3`.
  bool isPrivate(std::string_view name) const;

  /// In the order of their entries.
  std::span<const TextFunction> functions() const { return functions_; }
  /// Index in functions().
  uint32_t functionOf(uint32_t instruction) const { return functionOf_[instruction]; }
  /// Whether a jump table says where an indirect jump may go.
  bool hasTable(uint32_t jump) const { return tableOfJump_.contains(jump); }
  /// Whether an indirect jump may go to an instruction: one that its table names, otherwise any label of its function
  /// and the entry of any function.
  bool mayJumpTo(uint32_t jump, uint32_t instruction) const;
  /// The targets of an indirect jump that its table names, ascending and without repetition; empty without a table.
  std::span<const uint32_t> tableTargets(uint32_t jump) const;

private:
  /// Index in `tables_`, by the table's label.
  using TableIndices = llvm::DenseMap<const llvm::MCSymbol *, uint32_t>;

  void linkInstructions();
  void resolveLabels();
  void findFunctions();
  bool startsFunction(const Label &label) const;
  bool startsFunction(uint32_t instruction) const;
  void classify();
  void findFallThroughs();
  void findTables();
  void resolveTarget(Branch &branch, const llvm::MCInst &inst) const;
  uint32_t targetOf(const llvm::MCSymbol *symbol) const;
  TableIndices readTables();
  uint32_t tableOf(uint32_t jump, const TableIndices &tables) const;

  const Target &target_;
  const Program &program_;
  std::vector<Branch> branches_;
  std::vector<uint32_t> next_;
  std::vector<uint32_t> nextAfterPlain_;
  std::vector<uint32_t> previous_;
  std::vector<uint32_t> lines_;
  std::vector<bool> hasLabel_;
  llvm::StringMap<uint32_t> labels_;
  llvm::DenseMap<const llvm::MCSymbol *, uint32_t> symbols_;
  std::vector<TextFunction> functions_;
  std::vector<uint32_t> functionOf_;
  std::vector<std::vector<uint32_t>> tables_; ///< the targets of each, ascending; empty if some are not known
  llvm::DenseMap<uint32_t, uint32_t> tableOfJump_;
};

} // namespace mca
