// One sentence for each kind of caveat: what is assumed or missing, and what that means for the numbers.
#include "lsp/wording/caveat_text.h"

#include <algorithm>
#include <array>

namespace lsp::wording {
namespace {

using Kind = wire::Caveat::Kind;

constexpr size_t kNamedMnemonics = 4;

/// The decoder checks kinds and not lists: a worker that is about to crash may send too few names.
std::string name(const wire::Caveat &caveat, size_t i) {
  return i < caveat.names.size() ? caveat.names[i] : "?";
}

std::string lateCopy(const wire::Caveat &caveat) {
  const std::string copy = registerInWords(name(caveat, 2));
  return "the chain goes through the copy `" + name(caveat, 0) + "`" +
         (caveat.count ? " and " + std::to_string(caveat.count) + " more like it" : "") + ": the model lets " + copy +
         " wait for later writes of " + registerInWords(name(caveat, 1)) + ", which a CPU does not; " +
         decimals(caveat.cycles, 1) + " cycles per iteration if " + copy + " keeps its value";
}

std::string noSchedulingData(const wire::Caveat &caveat) {
  const std::string has = caveat.count == 1 ? " has" : " have", is = caveat.count == 1 ? " is" : " are";
  std::vector<std::string> mnemonics;
  for (size_t i = 1; i < caveat.names.size(); ++i)
    mnemonics.push_back("`" + caveat.names[i] + "`");
  const std::string named = mnemonics.empty() ? "" : " (" + listOf(mnemonics, kNamedMnemonics) + ")";
  return std::to_string(caveat.count) + " of its instructions" + named + has + " no scheduling data on " +
         name(caveat, 0) + " and" + is + " missing";
}

/// "`popcntq %rax, %rcx`", with how many more instructions have the same error.
std::string instructionOf(const wire::Caveat &caveat) {
  return "`" + name(caveat, 0) + "`" + (caveat.count ? " (and " + std::to_string(caveat.count) + " more)" : "");
}

std::string modelError(const wire::Caveat &caveat) {
  const std::string instruction = instructionOf(caveat);
  switch (caveat.kind) {
  case Kind::OneAccess:
    return "the model has the cost of one access for " + instruction + ", which makes " + name(caveat, 2) +
           ": it is simulated with so many, and a CPU may take longer";
  case Kind::Placeholder:
    return "the model has no costs of " + instruction + ": it assumes one micro-op and 100 cycles";
  case Kind::NoUnits:
    return "the model lets " + instruction + " take no unit of the CPU";
  case Kind::TooFast:
    return "the model lets " + instruction + " leave its unit too early";
  case Kind::TooSlow:
    return "the result of " + instruction + " is ready sooner than in the model";
  case Kind::FalseDependency:
    return "the CPU lets " + instruction + " wait for the old value of the register that it writes, the model does not";
  default:
    return "the load of " + instruction + " need not wait for its other operands, as it does in the model";
  }
}

/// The kinds whose sentence is always the same.
constexpr std::array<std::pair<Kind, const char *>, 11> kFixed{{
    {Kind::NoPath, "no path leads through the loop (it has several entries): all of its blocks are simulated one after "
                   "the other, as they are laid out"},
    {Kind::SeveralEntries,
     "a part of the loop can be entered at several places: ways around that part alone are left out"},
    {Kind::BranchingText, "the text branches: it is simulated from its first to its last line"},
    {Kind::BranchingSource, "the marked source branches: its instructions are simulated one after the other, as the "
                            "compiler laid them out"},
    {Kind::SourceInPieces, "the compiler put the marked source into several places: its instructions are simulated one "
                           "after the other, as it laid them out"},
    {Kind::RepeatPrefix, "how often a rep prefix repeats its instruction is not known: it is simulated once"},
    {Kind::VectorTypeNotSet, "no vsetvli, vsetivli or LLVM-MCA-RISCV-LMUL comment comes before some vector "
                             "instructions: the model's worst case is assumed"},
    {Kind::VectorTypeElsewhere, "a caller or a called function sets the vector type of some vector instructions, which "
                                "cannot be known here: the one above them in the text is assumed"},
    {Kind::VectorTypeByRegister, "vsetvl takes the vector type from a register, which cannot be known here: the one in "
                                 "force before it is assumed to go on"},
    {Kind::SeveralVectorTypes, "some vector instructions are reached with different vector types: the one above "
                               "them in the text is assumed"},
    {Kind::UnknownIterations, "the compiler unrolled or vectorized the loop; how many of its iterations are one of the "
                              "machine code's is not known, so the cycles are those of the machine code's iteration"},
}};
static_assert(kFixed.size() + 14 == static_cast<size_t>(Kind::OtherCpu) + 1, "inWords() has the other fourteen");

} // namespace

std::string inWords(const wire::Caveat &caveat) {
  const std::string count = std::to_string(caveat.count);
  switch (caveat.kind) {
  case Kind::MorePaths:
    return "the loop has more paths than the " + count + " that are simulated";
  case Kind::OtherInclusion:
    return "the function includes " + name(caveat, 0) + " " + count + " times: this loop may be another inclusion's";
  case Kind::OtherVectorType:
    return "the vector type that control flow brings to some instructions is not the one above them in the text, "
           "with which LLVM's model is asked (" +
           name(caveat, 0) + ")";
  case Kind::NoSchedulingData:
    return noSchedulingData(caveat);
  case Kind::UnreadLine:
    return caveat.count > 1 ? count + " lines in it could not be read and are missing"
                            : "a line in it could not be read and is missing";
  case Kind::LateCopy:
    return lateCopy(caveat);
  case Kind::OtherCpu:
    return name(caveat, 0);
  case Kind::OneAccess:
  case Kind::Placeholder:
  case Kind::NoUnits:
  case Kind::TooFast:
  case Kind::TooSlow:
  case Kind::FalseDependency:
  case Kind::LateOperation:
    return modelError(caveat) + " (" + name(caveat, 1) + ")";
  default:
    return std::ranges::find(kFixed, caveat.kind, &std::pair<Kind, const char *>::first)->second;
  }
}

std::string markedInWords(const wire::Caveat &caveat) {
  return (leavesOut(caveat) ? "≥ " : "≈ ") + inWords(caveat);
}

bool isAssumedVectorType(const wire::Caveat &caveat) {
  return caveat.kind >= Kind::VectorTypeNotSet && caveat.kind <= Kind::SeveralVectorTypes;
}

} // namespace lsp::wording
