// clang's record of its optimizations: what its passes did to each loop, and why they did not do more.
//
// clang writes the record to its standard error, where nothing else comes with a compile that succeeds: the compiler
// needs no file that it may write. Names of remarks and their arguments are LLVM's own (OptimizationRemarkEmitter);
// they are no promise, so that an unknown one keeps its text. Only remarks with a use are kept: those about loops, and
// loads that the loop repeats.
//
// A compile with a record takes up to a tenth longer, as clang then looks for reasons in all passes. What the passes
// did to loops they also say as plain messages, which takes a tenth of that.
#pragma once

#include "analysis/compile/compile.h"

#include <string>
#include <string_view>
#include <vector>

namespace analysis {

/// The arguments that make clang write the record. `format`: "bitstream" for a clang of our LLVM's version, "yaml" for
/// every other one.
std::vector<std::string> recordFlags(std::string_view format);

/// Has clang print what it did to loops (compiler_messages.h), without the record.
constexpr const char *kLoopMessagesFlag = "-Rpass=^loop-(vectorize|unroll|idiom|delete)$";

/// Removes what asks for the record or the messages from a command. Returns whether it had that.
bool removeRemarkFlags(std::vector<std::string> &arguments);

/// Whether the command has clang write the record.
bool writesRecord(const std::vector<std::string> &arguments);

/// What clang printed: messages, then the record.
struct PrintedRecord {
  std::string_view messages;
  std::string_view record; ///< empty if there is none
};
PrintedRecord splitRecord(std::string_view errors);

struct OptimizationRecord {
  std::vector<LoopRemark> loops;
  std::vector<VectorizerDecision> decisions;
  std::vector<MissedRemark> missed; ///< of other passes
};

/// Reads a record up to its end, or to what is no record; at most 20,000 of each kind. `command` is the one that made
/// it: clang names a file below a folder around the working directory without that folder's path.
OptimizationRecord readRecord(std::string_view record, const CompileCommand &command);

} // namespace analysis
