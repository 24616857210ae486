// What is assumed, and what a reader has to think of it.
#include "lsp/wording/caveat_text.h"

#include "analysis/common/counts.h"
#include "lsp/wording/words.h"

namespace lsp::wording {
namespace {

using analysis::wire::Caveat;

/// A worker that is about to crash may send anything.
std::string name(const Caveat &caveat, size_t i) {
  return i < caveat.names.size() ? caveat.names[i] : "?";
}

std::string lateCopy(const Caveat &caveat) {
  const std::string copy = registerInWords(name(caveat, 2));
  return "the chain goes through the copy `" + name(caveat, 0) + "`" +
         (caveat.count ? " and " + std::to_string(caveat.count) + " more like it" : "") + ": the model lets " + copy +
         " wait for later writes of " + registerInWords(name(caveat, 1)) + ", which a CPU does not; " +
         analysis::decimals(caveat.cycles, 1) + " cycles per iteration if " + copy + " keeps its value";
}

} // namespace

std::string inWords(const Caveat &caveat) {
  using Kind = Caveat::Kind;
  const std::string count = std::to_string(caveat.count);
  switch (caveat.kind) {
  case Kind::NoPath:
    return "no path leads through the loop (it has several entries): all of its blocks are simulated one after the "
           "other, as they are laid out";
  case Kind::SeveralEntries:
    return "the loop can be entered at several places: the paths are those from the first one";
  case Kind::MorePaths:
    return "the loop has more paths than the " + count + " that are simulated";
  case Kind::OtherInclusion:
    return "the function includes " + name(caveat, 0) + " " + count + " times: this loop may be another inclusion's";
  case Kind::BranchingText:
    return "the text branches: it is simulated from its first to its last line";
  case Kind::BranchingSource:
    return "the marked source branches: its instructions are simulated one after the other, as the compiler laid them "
           "out";
  case Kind::SourceInPieces:
    return "the compiler put the marked source into several places: its instructions are simulated one after the "
           "other, as it laid them out";
  case Kind::RepeatPrefix:
    return "how often a rep prefix repeats its instruction is not known: it is simulated once";
  case Kind::VectorTypeNotSet:
    return "no vsetvli, vsetivli or LLVM-MCA-RISCV-LMUL comment comes before some vector instructions: the model's "
           "worst case is assumed";
  case Kind::VectorTypeByRegister:
    return "vsetvl takes the vector type from a register, which cannot be known here: the one in force before it is "
           "assumed to go on";
  case Kind::SeveralVectorTypes:
    return "some vector instructions are reached with different vector types: the one that stands above them in the "
           "text is assumed";
  case Kind::OtherVectorType:
    return "the vector type that control flow brings to some instructions is not the one that stands above them in the "
           "text, with which LLVM's model is asked (" +
           name(caveat, 0) + ")";
  case Kind::UnknownIterations:
    return "the compiler unrolled or vectorized the loop; how many of its iterations are one of the machine code's is "
           "not known, so the cycles are those of the machine code's iteration";
  case Kind::UnreadLine:
    return "a line in it could not be read and is missing";
  case Kind::NoSchedulingData:
    return count + " of its instructions " + (caveat.count == 1 ? "has" : "have") + " no scheduling data on " +
           name(caveat, 0) + " and " + (caveat.count == 1 ? "is" : "are") + " missing";
  case Kind::LateCopy:
    return lateCopy(caveat);
  case Kind::OtherCpu:
    return name(caveat, 0);
  }
  return "";
}

bool isAssumedVectorType(const Caveat &caveat) {
  return caveat.kind >= Caveat::Kind::VectorTypeNotSet && caveat.kind <= Caveat::Kind::SeveralVectorTypes;
}

} // namespace lsp::wording
