// The table of names. What they do is described where they are used: mca-core/model/calibrated_body.h.
#include "mca-core/calibration/names.h"

#include <algorithm>

namespace mca {
namespace {

constexpr double kMaxCount = 65535;
constexpr double kMaxCycles = 1000;

constexpr KnownValue kFacts[] = {
    {"slots-per-cycle", "slots", 0.25, 64, "LLVM's issue width", "what the front end delivers"},
    {"vector-slots-per-cycle", "slots", 0.25, 64, "no limit", "of instructions with a vector register"},
    {"code-bytes-per-cycle", "bytes", 1, 4096, "no limit", "of code that is fetched"},
    {"taken-branches-per-cycle", "branches", 0.05, 8, "no limit", "that are fetched"},
    {"fetch-queue", "instructions", 1, 4096, "64", "fetched ahead of renaming"},
    {"redirect-penalty", "cycles", 0, kMaxCycles, "that of the model", "from a mispredicted branch to the right code"},
    {"reorder-buffer", "slots", 1, kMaxCount, "LLVM's", "between renaming and retirement"},
    {"scheduler", "instructions", 1, kMaxCount, "no limit", "that wait for execution"},
    {"vector-scheduler", "instructions", 1, kMaxCount, "`scheduler` holds all", "with a vector register that wait"},
    {"load-queue", "loads", 1, kMaxCount, "LLVM's", "that are not retired"},
    {"store-queue", "stores", 1, kMaxCount, "LLVM's", "that are not written to the cache"},
    {"retired-per-cycle", "slots", 1, 64, "LLVM's, or no limit", "that retire"},
    {"load-latency", "cycles", 1, kMaxCycles, "LLVM's", "from an address to an integer register"},
    {"scaled-index-latency", "cycles", 0, kMaxCycles, "0", "of a load, in addition, if its index is scaled"},
    {"three-part-latency", "cycles", 0, kMaxCycles, "0", "of a load from base, index and displacement, in addition"},
};

/// A value that says how far an instruction takes part in fusion with branches.
constexpr KnownValue branchFusion(std::string_view name) {
  return {name, "kind", 0, 3, "0", "1: fuses with all conditions, 2: but sign, parity and overflow, 3: nor carry"};
}
/// A value that is 1 for yes.
constexpr KnownValue yesOrNo(std::string_view name, std::string_view absent, std::string_view meaning) {
  return {name, "0 or 1", 0, 1, absent, meaning};
}
constexpr KnownValue moveFusion(std::string_view name) {
  return yesOrNo(name, "0", "1: a register move fuses with it");
}

constexpr KnownValue kMacroFusion[] = {
    branchFusion("cmp"),
    branchFusion("test"),
    branchFusion("and"),
    branchFusion("or"),
    branchFusion("xor"),
    branchFusion("add"),
    branchFusion("sub"),
    branchFusion("inc"),
    branchFusion("dec"),
    yesOrNo("memory", "0", "1: also with a memory operand"),
    yesOrNo("memory-immediate", "0", "1: also with a memory operand and an immediate"),
    yesOrNo("rip", "0", "1: also with an operand relative to the instruction"),
};
constexpr KnownValue kMoveFusion[] = {
    moveFusion("add"), moveFusion("sub"), moveFusion("and"), moveFusion("or"),  moveFusion("xor"), moveFusion("inc"),
    moveFusion("dec"), moveFusion("not"), moveFusion("neg"), moveFusion("shl"), moveFusion("shr"), moveFusion("sar"),
};
constexpr KnownValue kStackEngine[] = {
    {"read-slots", "slots", 0, 64, "0", "of an instruction that reads the stack pointer after push or pop"},
    {"write-slots", "slots", 0, 64, "0", "of an instruction that writes it after push or pop"},
    {"write-latency", "cycles", 0, 64, "0", "of the same instruction, in addition, if it also reads it"},
};
constexpr KnownValue kPartialRegisters[] = {
    yesOrNo("merge", "1", "0: a write of 8 or 16 bits does not wait for the register's earlier value"),
};
constexpr KnownValue kStoreForwarding[] = {
    {"general", "cycles", 0, kMaxCycles, "that of the load", "from an integer store's data to the load's value"},
    {"vector", "cycles", 0, kMaxCycles, "that of the load", "the same for vector registers"},
    {"partial", "cycles", 0, kMaxCycles, "that of the load", "the same for a load of more than the store wrote"},
};
constexpr KnownValue kMemoryRenaming[] = {
    {"latency", "cycles", 0, kMaxCycles, "0", "of a load from the address expression of a store"},
    yesOrNo("vector", "0", "1: also of vector registers"),
    yesOrNo("index", "1", "1: also with an index register"),
    yesOrNo("stack-only", "0", "1: only relative to the stack pointer, as AMD's Zen 3 does"),
    {"least-bytes", "bytes", 1, 64, "4", "of the load"},
};
constexpr KnownValue kPredictiveForwarding[] = {
    {"loads", "loads", 0, kMaxCount, "0", "of a loop that closes with a branch have this latency"},
    {"latency", "cycles", 0, kMaxCycles, "0", "of these loads"},
    {"least-bytes", "bytes", 1, 64, "1", "of these loads"},
    yesOrNo("vector", "1", "1: also of vector registers"),
    yesOrNo("operations", "1", "1: also of instructions that load and compute, without a store"),
};
constexpr KnownValue kSplits[] = {
    {"load", "units", 0, 1000, "1", "that a load across a line takes in addition"},
    {"store", "units", 0, 1000, "1", "that a store across a line takes in addition; it also leaves twice"},
    {"line", "bytes", 8, 4096, "64", "of a line"},
};
constexpr KnownValue kStoreCommit[] = {
    {"per-cycle", "stores", 0.01, 64, "1",
     "that leave; one to the block of memory of the store before it leaves with that"},
    {"bytes", "bytes", 1, 4096, "64", "of such a block; a power of two"},
    yesOrNo("alone-if-read", "0", "1: a store that a load of the region reads does not leave with another one"),
    {"narrow-bytes", "bytes", 0, 64, "0", "stores of fewer bytes cost more, if they do not leave with another one"},
    {"narrow-cycles", "cycles", 0, 100, "0", "of all of them in an iteration, in addition"},
};
constexpr KnownValue kSmallLoops[] = {
    {"lost-slots", "slots", 0, 64, "0", "that a taken branch wastes"},
    {"least-cycles", "cycles", 0, kMaxCycles, "0", "of an iteration"},
    yesOrNo("whole-cycles", "0", "1: nothing is renamed after a taken branch in its cycle"),
    {"fetch-ops", "instructions", 0, 64, "0", "fetched per cycle, of one line of 64 bytes; 0: no such limit"},
};

constexpr KnownRule kRules[] = {
    {"zero-idioms", "rows with `rename=zero` execute nothing", {}, {}},
    {"dependency-breaking", "rows with `rename=breaks-dependency` do not wait for their sources", {}, {}},
    {"move-elimination", "rows with `rename=eliminated` execute nothing", {}, {}},
    {"immediate-adds", "rows with `rename=immediate` execute nothing", {}, {}},
    {"macro-fusion", "an instruction and the conditional branch after it are one", kMacroFusion, {}},
    {"move-fusion", "a register move and the operation on its result after it are one", kMoveFusion, {}},
    {"stack-engine", "push and pop change the stack pointer for nothing", kStackEngine, {}},
    {"separate-carry", "the carry flag is apart from the other flags", {}, {}},
    {"partial-registers", "how writes of 8 and 16 bits are merged", kPartialRegisters, {}},
    {"store-forwarding", "loads take their value from a store that has not left", kStoreForwarding, {}},
    {"memory-renaming", "loads of what was stored through the same expression need no memory", kMemoryRenaming, {}},
    {"predictive-forwarding", "loads of a loop that are found to follow a store", kPredictiveForwarding, {}},
    {"splits", "accesses that cross a line", kSplits, {}},
    {"store-commit", "stores are written to the cache in order", kStoreCommit, {}},
    {"dependent-issue",
     "instructions that wait for an operand take more of a resource",
     {},
     KnownValue{"RESOURCE", "units", 0, 1000, "0", "of this resource in addition"}},
    {"small-loops", "what iterations of a short loop cost", kSmallLoops, {}},
};

template <typename T>
const T *findIn(std::span<const T> list, std::string_view name) {
  const auto found = std::ranges::find(list, name, &T::name);
  return found == list.end() ? nullptr : &*found;
}

} // namespace

std::span<const KnownValue> knownFacts() {
  return kFacts;
}
std::span<const KnownRule> knownRules() {
  return kRules;
}

const KnownValue *findFact(std::string_view name) {
  return findIn(knownFacts(), name);
}
const KnownRule *findRule(std::string_view name) {
  return findIn(knownRules(), name);
}
const KnownValue *findValue(const KnownRule &rule, std::string_view name) {
  return findIn(rule.values, name);
}

} // namespace mca
