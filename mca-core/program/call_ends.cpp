#include "mca-core/program/call_ends.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

namespace mca {
namespace {

/// What gcc with -dA writes in a comment before the last instruction of a block: the list of the block's successors and
/// the lines after it. Empty if the instruction is none.
llvm::StringRef successorsBefore(const Program &program, uint32_t index) {
  const auto instructions = program.instructions();
  const uint32_t end = instructions[index].offset, previous = index ? instructions[index - 1].offset : 0;
  return end <= previous ? "" : llvm::StringRef(program.text()).slice(previous, end).rsplit(" SUCC:").second;
}

} // namespace

bool isNoReturnFunction(std::string_view name) {
  const llvm::StringRef function = name;
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

bool hasNoSuccessor(const Program &program, uint32_t index) {
  return successorsBefore(program, index).ltrim(" \t").starts_with("\n");
}

bool isMarkedTailCall(const Program &program, uint32_t index) {
  const auto instructions = program.instructions();
  const llvm::StringRef text = program.text();
  const size_t next = index + 1 < instructions.size() ? instructions[index + 1].offset : text.size();
  const llvm::StringRef rest = text.slice(instructions[index].offset, next).split('\n').first;
  const size_t mark = rest.find(" TAILCALL");
  const bool isMarked = mark != llvm::StringRef::npos && mark > 0 && llvm::StringRef("#@").contains(rest[mark - 1]);
  return isMarked || successorsBefore(program, index).split('\n').first.contains("SIBCALL");
}

} // namespace mca
