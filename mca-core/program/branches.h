// The branches of a program: what each instruction does to control flow, and where it may go.
//
// Labels are resolved as an assembler does: a branch goes to the next instruction of the label's own section, also if
// other sections stand between them in the text. Aliases (`.set a, b`) are followed.
//
// A function reaches from its label to that of the next one in its section; `f.cold` belongs to `f`. Functions are
// declared (`.type f, @function`); in Mach-O, where they are not, every label starts one that has the underscore of the
// source's names. What comes before the first of a section is a function without a name.
#pragma once

#include "mca-core/program/branch.h"
#include "mca-core/program/jump_tables.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace mca {

struct TextFunction {
  std::string_view name; ///< empty if its section declares none
  uint32_t entry = 0;    ///< index of its first instruction
};

/// Refers to the program, which must outlive it and must not be updated.
class ProgramBranches {
public:
  /// Of the instructions from `first` on, as if the text began there. Of a part of a text that is still being parsed
  /// (`first` is not 0) there are no lines and no jump tables, which come after it. All answers are about instructions
  /// from `first` on.
  ProgramBranches(const Target &target, const Program &program, uint32_t first = 0);

  const Target &target() const { return target_; }
  const Program &program() const { return program_; }
  const llvm::MCInst &inst(uint32_t instruction) const { return program_.instructions()[instruction].inst; }
  uint32_t first() const { return first_; }
  /// How many instructions the program has.
  uint32_t size() const { return first_ + static_cast<uint32_t>(branches_.size()); }
  const Branch &at(uint32_t instruction) const { return branches_[instruction - first_]; }
  BranchKind kindOf(uint32_t instruction) const { return at(instruction).kind; }
  /// The instruction that follows in the section, or kNone.
  uint32_t next(uint32_t instruction) const { return next_[instruction - first_]; }
  uint32_t previous(uint32_t instruction) const { return previous_[instruction - first_]; }
  /// As next(), but kNone for branches and for instructions in delay slots, too.
  uint32_t nextAfterPlain(uint32_t instruction) const { return nextAfterPlain_[instruction - first_]; }
  /// The 1-based line of an instruction in the text; of the call for one from a macro.
  uint32_t lineOf(uint32_t instruction) const { return lines_[instruction]; }
  /// The first instruction on a line, or the next one after it; kNone if there is none.
  uint32_t firstOnLine(uint64_t line) const;

  /// The instruction that a label stands for; kNone for names that are no label of an instruction.
  uint32_t placeOf(std::string_view label) const;
  /// The same for a symbol.
  uint32_t placeOf(const llvm::MCSymbol &symbol) const;
  bool hasLabel(uint32_t instruction) const { return hasLabel_[instruction - first_]; }
  /// Whether a name can only be that of a label of this text: `.LBB1_3`.
  bool isPrivate(std::string_view name) const;

  /// In the order of their entries.
  std::span<const TextFunction> functions() const { return functions_; }
  /// Index in functions().
  uint32_t functionOf(uint32_t instruction) const { return functionOf_[instruction - first_]; }
  /// Whether a function begins with the instruction, one without a name included.
  bool isEntry(uint32_t instruction) const { return functions_[functionOf(instruction)].entry == instruction; }
  /// Whether it is the first of a function with a name: a jump there from another function is a call.
  bool startsFunction(uint32_t instruction) const {
    return isEntry(instruction) && !functions_[functionOf(instruction)].name.empty();
  }

  /// What is known of where indirect jumps go.
  const JumpTables &tables() const { return tables_; }
  /// Whether a jump table says where an indirect jump may go.
  bool hasTable(uint32_t jump) const { return !tableTargets(jump).empty(); }
  /// Whether an indirect jump may go to an instruction: one that its table names, otherwise any label of its function
  /// and the entry of any function.
  bool mayJumpTo(uint32_t jump, uint32_t instruction) const;
  /// The targets of an indirect jump that its table names, ascending and without repetition; empty without a table.
  std::span<const uint32_t> tableTargets(uint32_t jump) const { return tables_.allTargetsOf(jump); }

private:
  std::span<const Label> labels() const;
  void linkInstructions();
  void countLines();
  void resolveLabels();
  void findFunctions();
  bool startsFunction(const Label &label) const;
  void classify();
  void findFallThroughs();
  void resolveTarget(Branch &branch, const llvm::MCInst &inst) const;

  const Target &target_;
  const Program &program_;
  const uint32_t first_;
  // By instruction, from first_ on.
  std::vector<Branch> branches_;
  std::vector<uint32_t> next_;
  std::vector<uint32_t> nextAfterPlain_;
  std::vector<uint32_t> previous_;
  std::vector<uint32_t> functionOf_;
  std::vector<bool> hasLabel_;

  std::vector<uint32_t> lines_;
  llvm::StringMap<uint32_t> labels_;
  llvm::DenseMap<const llvm::MCSymbol *, uint32_t> symbols_;
  std::vector<TextFunction> functions_;
  JumpTables tables_;
};

} // namespace mca
