// LLVM's tables say what an instruction is. They do not know which functions return: after a call of abort() the text
// goes on with code of another part of the function.
#include "analysis/regions/branches.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCSymbol.h"

namespace analysis {
namespace {

/// ARM predicates almost every instruction: one that happens only under a condition lets control fall through.
bool isPredicated(const mca::Target &target, const llvm::MCInst &inst, const llvm::MCInstrDesc &description) {
  if (!target.triple().isARM() && !target.triple().isThumb())
    return false;
  const int predicate = description.findFirstPredOperandIdx();
  constexpr int64_t kAlways = 14; // the condition code AL of the ARM architecture
  return predicate >= 0 && inst.getOperand(predicate).isImm() && inst.getOperand(predicate).getImm() != kAlways;
}

/// Functions of C and C++ that do not return: nothing follows a call of them. gcc lays other code out there, to
/// which an edge would lead otherwise.
bool neverReturns(llvm::StringRef function) {
  const bool isNamed =
      llvm::StringSwitch<bool>(function)
          .Cases({"abort", "exit", "_exit", "_Exit", "quick_exit"}, true)
          .Cases({"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"}, true)
          .Cases({"pthread_exit", "thrd_exit"}, true)
          .Cases({"__assert_fail", "__assert_perror_fail"}, true)
          // What glibc calls when a check of -fstack-protector or _FORTIFY_SOURCE fails.
          .Cases({"__stack_chk_fail", "__chk_fail", "__fortify_fail"}, true)
          // The C++ runtime's (Itanium C++ ABI, chapters 2 and 3).
          .Cases({"__cxa_throw", "__cxa_rethrow", "__cxa_bad_cast", "__cxa_bad_typeid"}, true)
          .Cases({"__cxa_throw_bad_array_new_length", "__cxa_pure_virtual", "_Unwind_Resume", "_ZSt9terminatev"}, true)
          .Default(false);
  return isNamed || (function.starts_with("_ZSt") && function.contains("__throw_")); // std::__throw_length_error
}

/// What gcc with -dA writes in a comment before the last instruction of a block: the list of the block's successors and
/// the lines after it. Empty if the instruction is none.
llvm::StringRef successorsBefore(const mca::Program &program, uint32_t index) {
  const auto instructions = program.instructions();
  const uint32_t end = instructions[index].offset, previous = index ? instructions[index - 1].offset : 0;
  return end <= previous ? "" : llvm::StringRef(program.text()).slice(previous, end).rsplit(" SUCC:").second;
}

/// Whether the compiler says that its block ends with the instruction at `index` and nothing comes after it. gcc writes
/// an empty list before a call of a function that does not return, the project's own ones included.
bool hasNoSuccessor(const mca::Program &program, uint32_t index) {
  return successorsBefore(program, index).ltrim(" \t").starts_with("\n");
}

/// Whether the compiler says that the jump at `index` is a call, after which the function does not go on: clang in a
/// comment after it on x86 and ARM, gcc in the list of successors.
bool isTailCall(const mca::Program &program, uint32_t index) {
  const auto instructions = program.instructions();
  const llvm::StringRef text = program.text();
  const size_t next = index + 1 < instructions.size() ? instructions[index + 1].offset : text.size();
  const llvm::StringRef rest = text.slice(instructions[index].offset, next).split('\n').first;
  return rest.contains("# TAILCALL") || rest.contains("@ TAILCALL") ||
         successorsBefore(program, index).split('\n').first.contains("SIBCALL");
}

} // namespace

BranchKind branchKindOf(const mca::Target &target, const llvm::MCInst &inst) {
  const llvm::MCInstrAnalysis tables(&target.instructions());
  const llvm::MCInstrAnalysis &analysis = target.analysis() ? *target.analysis() : tables;
  return {.isCall = analysis.isCall(inst),
          .isReturn = analysis.isReturn(inst),
          .isBranch = analysis.isBranch(inst),
          .isConditional = analysis.isConditionalBranch(inst),
          .isIndirect = analysis.isIndirectBranch(inst)};
}

Flow flowOf(const mca::Target &target, const mca::Program &program, uint32_t index) {
  const llvm::MCInst &inst = program.instructions()[index].inst;
  const llvm::MCInstrDesc &description = target.instructions().get(inst.getOpcode());
  const BranchKind kind = branchKindOf(target, inst);
  if (kind.isCall && !kind.isReturn && !description.isBarrier()) {
    // A call through memory names a pointer, and one with a delay slot has another instruction after it.
    const llvm::MCSymbol *callee = description.mayLoad() || description.hasDelaySlot() ? nullptr : symbolOf(inst);
    if (callee && neverReturns(callee->getName()))
      return {.endsBlock = true, .fallsThrough = isPredicated(target, inst, description)};
    const bool isLast = hasNoSuccessor(program, index);
    return {.endsBlock = isLast, .fallsThrough = !isLast};
  }
  if (!kind.isBranch && !kind.isReturn && !description.isBarrier())
    return {};
  const bool fallsThrough = kind.isConditional || isPredicated(target, inst, description);
  if (kind.isBranch && isTailCall(program, index))
    return {.endsBlock = true, .fallsThrough = fallsThrough};
  return {.endsBlock = true,
          .fallsThrough = fallsThrough,
          .isIndirect = kind.isIndirect,
          .target = kind.isBranch && !kind.isIndirect ? symbolOf(inst) : nullptr};
}

const llvm::MCSymbol *symbolIn(const llvm::MCExpr *expression) {
  switch (expression->getKind()) {
  case llvm::MCExpr::SymbolRef:
    return &llvm::cast<llvm::MCSymbolRefExpr>(expression)->getSymbol();
  case llvm::MCExpr::Unary:
    return symbolIn(llvm::cast<llvm::MCUnaryExpr>(expression)->getSubExpr());
  case llvm::MCExpr::Binary: {
    const auto *binary = llvm::cast<llvm::MCBinaryExpr>(expression);
    const llvm::MCSymbol *left = symbolIn(binary->getLHS());
    return left ? left : symbolIn(binary->getRHS());
  }
  case llvm::MCExpr::Specifier:
    return symbolIn(llvm::cast<llvm::MCSpecifierExpr>(expression)->getSubExpr());
  default:
    return nullptr;
  }
}

const llvm::MCSymbol *symbolOf(const llvm::MCInst &inst) {
  for (const llvm::MCOperand &operand : llvm::reverse(inst))
    if (const llvm::MCSymbol *symbol = operand.isExpr() ? symbolIn(operand.getExpr()) : nullptr)
      return symbol;
  return nullptr;
}

} // namespace analysis
