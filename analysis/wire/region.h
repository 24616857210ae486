// A region in messages: its place (Region) and the results of its simulation (Simulation).
//
// The two are separate because they change at different times. A new line at the top of a file moves all regions and
// changes no number, so that only the short half is sent again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace analysis::wire {

/// A half-open range of bytes in the text of a request.
struct ByteRange {
  uint32_t begin = 0;
  uint32_t end = 0;
  bool operator==(const ByteRange &) const = default;
};

/// Path: one of several ways through a loop.
enum class RegionKind : uint8_t { Marker, Loop, Snippet, Path };

/// Average use of one processor resource, in cycles per iteration.
struct ResourceUse {
  std::string name;
  double perIteration = 0;
  bool operator==(const ResourceUse &) const = default;
};

/// What an instruction may wait for, as in mca::WaitKind: room before dispatch (RegisterFile to Group), operands and
/// free units before issue, on in-order CPUs also WriteBack and TargetRule, and finally retirement.
enum class WaitKind : uint8_t {
  RegisterFile,
  RetireTokens,
  SchedulerFull,
  LoadQueue,
  StoreQueue,
  Group, ///< units without a buffer: nothing can wait for them after dispatch
  Register,
  Memory,
  Resource,
  WriteBack, ///< in order: an earlier instruction must write its result first
  TargetRule,
  RetireOrder,
  RetireWidth
};

struct Wait {
  WaitKind kind = WaitKind::Register;
  /// Register: its printed name. Resource: the names of the busy ones, separated by ", ". Memory: "load" or "store" if
  /// that is known. Empty for other kinds.
  std::string what;
  double cycles = 0;        ///< per iteration
  std::vector<uint32_t> by; ///< the instructions that it waits for: positions in the region
  bool operator==(const Wait &) const = default;
};

/// A link of a chain: a register that one instruction writes and the next one reads.
struct ChainLink {
  uint32_t instruction = 0; ///< that writes it: position in the region
  std::string reg;          ///< as it is printed, or "memory"; empty if it was not printed
  uint32_t cycles = 0;      ///< from the issue of the instruction until the value is ready
  uint32_t iterations = 0;  ///< how many iterations of the machine code later it is read
  bool operator==(const ChainLink &) const = default;
};

/// What limits a region, with the numbers that show it. analysis/verdict/verdict.h has the rules.
struct Verdict {
  enum class Kind : uint8_t { None, Resource, Dispatch, IssueWidth, Registers, Memory, Stall, Buffer };
  struct Unit {
    std::string resource;
    uint32_t number = 0; ///< among the units of the resource, from 0
    uint32_t unitsOfResource = 1;
    bool operator==(const Unit &) const = default;
  };
  /// An instruction that contributes to the limit.
  struct Witness {
    uint32_t instruction = 0;      ///< position in the region
    std::string text;              ///< with single spaces
    std::vector<ResourceUse> uses; ///< of Resource: of the busy units
    Wait wait;                     ///< of Memory (the first witness), Stall and Buffer
    bool operator==(const Witness &) const = default;
  };
  Kind kind = Kind::None;
  double busy = 0; ///< cycles per iteration that the limit takes; may exceed `cycles`, as units are held after the end
  double cycles = 0;              ///< per iteration, of the steady loop
  bool isLargest = false;         ///< no limit takes nearly all cycles: this one takes more of them than the others do
  double roomyCycles = 0;         ///< of Buffer: per iteration, if the buffers had several times as many entries
  std::vector<Unit> units;        ///< of Resource, the busiest first
  uint32_t users = 0;             ///< of Resource: instructions that use the units noticeably
  std::string mnemonic;           ///< of Resource: with at least half of the use; empty if there is none
  uint32_t usersOfMnemonic = 0;   ///< users with this mnemonic
  double microOps = 0;            ///< of Dispatch and IssueWidth: per iteration
  uint32_t dispatchWidth = 0;     ///< of Dispatch and IssueWidth: micro-ops per cycle
  std::vector<ChainLink> chain;   ///< of Registers, and of Memory if it is a chain and no wait for memory order
  std::vector<Witness> witnesses; ///< a few, the most important ones first
  /// Of the CPU as it was measured: micro-ops are slots of its front end, and `dispatchWidth` is rounded.
  bool isCalibrated = false;
  bool operator==(const Verdict &) const = default;
};

/// One instruction of a region: numbers of the scheduling model and results of the simulation.
struct InstructionDetails {
  std::string text; ///< in the printer's syntax, with single spaces
  uint32_t microOps = 0;
  uint32_t latency = 0;            ///< cycles
  double reciprocalThroughput = 0; ///< cycles
  std::vector<ResourceUse> pressure;
  std::vector<Wait> waits;     ///< most cycles first; empty if waits were not recorded
  std::vector<uint32_t> needs; ///< positions of the instructions whose results it reads, ascending
  bool loads = false;          ///< it may read memory
  bool operator==(const InstructionDetails &) const = default;
};

/// A region's numbers on another CPU (Settings::cpus).
struct CpuSummary {
  std::string cpu;
  double cycles = 0;  ///< per iteration of the machine code; 0 if it cannot be simulated there
  double ipc = 0;     ///< of the steady loop
  std::string remark; ///< why it cannot, or why the numbers are uncertain; may be empty
  bool simulated = true;
  bool isLowerBound = false; ///< instructions without scheduling data there are left out
  bool operator==(const CpuSummary &) const = default;
};

/// A row of a hover's timeline: one execution of one instruction.
struct DrawnRow {
  uint32_t iteration = 0;
  uint32_t instruction = 0; ///< position in the region
  std::string cells;        ///< one character a cycle from the start of the simulation, as llvm-mca draws it
  std::string text;         ///< of the instruction
  bool operator==(const DrawnRow &) const = default;
};

/// With a calibration, a Simulation is of the CPU as it was measured (TargetSummary::calibration): its micro-ops are
/// slots of the front end, and of the numbers on other CPUs none is. This is what else is known then.
struct CalibratedNumbers {
  double llvmCycles = 0; ///< per iteration of the machine code, in LLVM's model; 0: there is no calibration
  double llvmIpc = 0;
  uint32_t fromLlvm = 0;           ///< instructions of one iteration that have values of LLVM's
  std::vector<ResourceUse> bounds; ///< what single limits allow at least, the highest few, the highest first
  /// Per iteration of the machine code, if data begin 16 bytes behind the begin of a line of the cache; 0: not
  /// simulated, as it changes nothing, or no hint shows the region's numbers.
  double unalignedCycles = 0;
  bool operator==(const CalibratedNumbers &) const = default;
};

/// The most bounds of CalibratedNumbers.
constexpr size_t kMostBounds = 6;

/// The most rows of a Simulation's timeline: a hover has room for so many (lsp/wording/timeline_text.h).
constexpr size_t kTimelineRows = 10;

/// The results of simulating a region, independent of its place. Totals over all iterations and averages are llvm-mca's
/// numbers; rates of the steady loop are ours (mca::Rate), or the calibrated machine's.
struct Simulation {
  uint64_t id = 0;               ///< a hash of everything that the results depend on: instructions, CPU, options
  uint64_t code = 0;             ///< a hash of the instructions alone (analysis/simulate/code_digest.h); never 0
  uint32_t instructions = 0;     ///< of one iteration
  double cyclesPerIteration = 0; ///< of the machine code, in the steady loop
  double ipc = 0;                ///< of the steady loop
  uint32_t iterations = 0;       ///< simulated from the start
  uint64_t cycles = 0;           ///< of all iterations
  uint64_t microOps = 0;         ///< of all iterations
  uint32_t dispatchWidth = 0;
  double averageIpc = 0;
  double averageMicroOpsPerCycle = 0;   ///< per cycle
  double blockReciprocalThroughput = 0; ///< cycles
  std::vector<ResourceUse> pressure;
  Verdict verdict;
  bool loadsAndStores = false;
  uint32_t operandLoads = 0;         ///< loads of an operand that the region stores to: they wait for the store
  double orderedCycles = -1;         ///< per iteration, if each load waits for the stores before it; -1: not simulated
  std::vector<DrawnRow> timeline;    ///< the first instances
  uint32_t timelineCycles = 0;       ///< until the last of them is retired
  std::vector<CpuSummary> otherCpus; ///< with Settings::cpus, if a hint shows the region's numbers
  // Only for regions whose numbers a hint shows, and only if the document has not too many instructions.
  std::vector<InstructionDetails> body;
  double chainCycles = 0;       ///< per iteration, of the longest loop-carried chain; 0 if there is none
  std::vector<ChainLink> chain; ///< its links in order
  CalibratedNumbers calibrated;
  /// Cycles per iteration of the machine code with the known errors of LLVM's model; 0 if none was corrected.
  double uncorrectedCycles = 0;
  bool operator==(const Simulation &) const = default;
};

inline bool isCalibrated(const Simulation &simulation) {
  return simulation.calibrated.llvmCycles > 0;
}

/// Whether it matters where data begin in a line of the cache: by more than 5 % of the cycles.
inline bool dependsOnAlignment(const Simulation &simulation) {
  return simulation.calibrated.unalignedCycles > 1.05 * simulation.cyclesPerIteration;
}

/// Cycles per iteration of the machine code in LLVM's model.
inline double llvmCycles(const Simulation &simulation) {
  return isCalibrated(simulation) ? simulation.calibrated.llvmCycles : simulation.cyclesPerIteration;
}

inline double llvmIpc(const Simulation &simulation) {
  return isCalibrated(simulation) ? simulation.calibrated.llvmIpc : simulation.ipc;
}

/// Why numbers are less certain than they look. lsp/wording/caveat_text.cpp has the sentences.
struct Caveat {
  enum class Kind : uint8_t {
    NoPath,           ///< no path leads through the loop: its blocks are simulated in layout order
    SeveralEntries,   ///< the paths are those from the first entry
    MorePaths,        ///< the loop has more than `count` paths
    OtherInclusion,   ///< the file `names`[0] is included `count` times, and the loop may belong to another inclusion
    BranchingText,    ///< simulated from the first line to the last
    BranchingSource,  ///< the marked lines branch
    SourceInPieces,   ///< the compiler moved the marked lines to several places
    RepeatPrefix,     ///< x86 `rep`: the number of repetitions is not known
    VectorTypeNotSet, ///< RISC-V: the model's worst case is assumed
    VectorTypeElsewhere,  ///< RISC-V: set in code that is not known; the one above in the text is assumed
    VectorTypeByRegister, ///< RISC-V: vsetvl reads it from a register; the previous one is assumed
    SeveralVectorTypes,   ///< RISC-V: control flow brings several; the one above in the text is assumed
    OtherVectorType,      ///< RISC-V: control flow brings another one than `names`[0], which the model uses
    UnknownIterations,    ///< how many source iterations one of the machine code does is not known
    UnreadLine,           ///< `count` lines in it could not be read
    NoSchedulingData,     ///< `count` instructions have none on the CPU `names`[0]; the other names are their mnemonics
    LateCopy, ///< the chain goes through the move `names`[0] from `names`[1] to `names`[2], and `count` more
              ///< like it; without them, `cycles` per iteration
    // Known errors of LLVM's model in the instruction `names`[0] and `count` more, with the reference `names`[1]
    // (mca-core/target/errata.h). The last four are corrected: they are in Region::corrected.
    OneAccess,       ///< of a gather or scatter of `names`[2] elements
    Placeholder,     ///< the model has no row for it
    NoUnits,         ///< it takes no unit
    TooFast,         ///< it leaves a unit too early
    TooSlow,         ///< its result is ready sooner
    FalseDependency, ///< the CPU waits for the old value of its destination
    LateOperation,   ///< its load waits for the other operands
    OtherCpu         ///< `names`[0] says why the numbers of the budget's CPU are uncertain
  };
  Kind kind = Kind::NoPath;
  uint32_t count = 0;
  double cycles = 0;
  std::vector<std::string> names;
  bool operator==(const Caveat &) const = default;
};

/// Whether the caveat is that instructions are left out of the numbers.
inline bool leavesOut(const Caveat &caveat) {
  return caveat.kind == Caveat::Kind::UnreadLine || caveat.kind == Caveat::Kind::NoSchedulingData;
}

/// Whether a region's cycles are a lower bound, because functions that it calls or some of its instructions are left
/// out of them. The IPC and the limit are then unknown.
template <typename AnyRegion>
bool isLowerBound(const AnyRegion &region) {
  return !region.calls.empty() || std::ranges::any_of(region.caveats, leavesOut);
}

/// An instruction that leaves the region: a call, whose function is not simulated, or a jump to a computed address.
struct Transfer {
  enum class Kind : uint8_t { Call, IndirectJump };
  Kind kind = Kind::Call;
  uint32_t instruction = 0; ///< index in the program: several paths may share it
  std::string text;         ///< as in the assembly, without a comment
  ByteRange at;             ///< its line in the buffer, without the white space around it; empty if it has none
  bool operator==(const Transfer &) const = default;
};

/// A place that a remark of the compiler names.
struct RemarkPlace {
  std::string path;    ///< of another file, absolute; empty: the document
  ByteRange at;        ///< in the document, from the column to the end of the line
  uint32_t line = 0;   ///< 1-based, as the compiler counts lines; 0: there is no place
  uint32_t column = 0; ///< 1-based; 0 if unknown
  bool operator==(const RemarkPlace &) const = default;
};

/// Why the compiler did not vectorize a loop, or what else it left in it, as its own record says. The words are made in
/// lsp/wording/why_not_text.cpp.
struct WhyNot {
  struct Argument {
    std::string key;   ///< LLVM's name of it: "ClobberedBy", "Callee"
    std::string value; ///< "store"
    RemarkPlace at;
    bool operator==(const Argument &) const = default;
  };
  std::string pass;                ///< "loop-vectorize", "licm", "slp-vectorizer"; of gcc "vect"
  std::string name;                ///< "CantReorderFPOps"; of gcc the words of its message before the colon
  std::string text;                ///< the compiler's own words
  RemarkPlace at;                  ///< of an instruction, or the loop's head
  std::vector<Argument> arguments; ///< those of the text, and of another pass's remark that explains it
  bool operator==(const WhyNot &) const = default;
};

/// The most reasons of a region.
constexpr size_t kMostReasons = 6;

/// What a profile says of a loop. The paths through it have the same.
struct ProfiledLoop {
  enum class Match : uint8_t {
    None,    ///< there is no profile, or it has no sample of the loop's function
    Exact,   ///< the function is the code that was recorded
    ByLines, ///< it differs, and the share is that of the loop's source lines
    Edited,  ///< its source differs: the share is that of the loop's lines before they were edited
    Changed  ///< it differs: only the function's share is known
  };
  Match match = Match::None;
  double share = 0;       ///< of all that was recorded, 0 to 1; with Changed the function's
  double cycles = 0;      ///< observed, per iteration of the machine code; 0 if unknown
  double bytesPerRun = 0; ///< from the first iteration to the last, of the access that moves farthest; 0 if unknown
  /// Of the path, per iteration: what it takes if each instruction waits for the one before, and each branch is
  /// mispredicted. 0 if functions are called.
  double serialCycles = 0;
  std::string difference; ///< with Changed: the first one of the function's code
  bool operator==(const ProfiledLoop &) const = default;
};

/// A region's place in the buffer, and facts about its source that the numbers are shown with.
struct Region {
  std::string name;    ///< the marker's name, or "loop in f"; all versions of a source loop share it
  std::string variant; ///< tells loops of one line apart: "vector body ×8"; empty if alone
  std::string path;    ///< of a Path: "through line 7"; empty otherwise
  RegionKind kind = RegionKind::Snippet;
  ByteRange at;                  ///< whole lines
  uint32_t anchor = 0;           ///< the hint is at the end of the line with this offset
  uint32_t rank = 0;             ///< of its loop among those of the line; the hint shows the numbers of rank 0
  uint32_t loop = 0;             ///< a number that the paths through one loop share
  uint32_t sourceIterations = 1; ///< iterations of a C or C++ loop in one of the machine code; 0 if unknown
  double share = -1; ///< of a Path: its part of the iterations that the compiler expects, 0 to 1; -1 if unknown
  double iterationsPerCall = 0; ///< of a loop's machine code per call of its function, as the compiler expects or a
                                ///< profile shows; 0 if unknown
  ProfiledLoop profiled;        ///< of a loop
  std::vector<std::string> vectorTypes; ///< RISC-V: "e32, m2 for 4 instructions"
  std::vector<std::string> pointers;    ///< statements that hold for it: "alias rdi, rsi"
  std::vector<std::string> inlined;     ///< places in other files that instructions come from: "at (vector:12), 3
                                        ///< instructions"
  std::vector<Caveat> caveats;
  std::vector<Caveat> corrected;   ///< known errors of LLVM's model that the numbers do not have
  std::vector<std::string> calls;  ///< called functions, which are not simulated; if any, the cycles are a lower bound
  std::vector<Transfer> transfers; ///< in order of the instructions
  /// Of a loop without vector instructions in C or C++: the reasons, the decisive one first.
  std::vector<WhyNot> whyNot;
  std::string listing;  ///< the instructions as a text for llvm-mca, with Settings::listings
  std::string runnable; ///< the instructions as a text for mca-measure: a closed loop with labels of its own, which no
                        ///< other region has; with Settings::runnable
  uint64_t simulation = 0;       ///< Simulation::id
  std::vector<ByteRange> places; ///< of each instruction: in an assembly buffer its text, otherwise its source line;
                                 ///< empty if it has none
  bool operator==(const Region &) const = default;
};

/// "loop in f, vector body ×8, through line 7"; empty for a region without a name.
inline std::string fullName(const Region &region) {
  return region.name + (region.variant.empty() ? "" : ", " + region.variant) +
         (region.path.empty() ? "" : ", " + region.path);
}

/// A region of a budget, with the numbers on the budget's CPU.
struct BudgetedRegion {
  std::string name;              ///< fullName()
  std::string failure;           ///< why it could not be simulated; empty if it could
  double cyclesPerIteration = 0; ///< of the machine code's iteration
  double ipc = 0;
  uint32_t sourceIterations = 1; ///< as in Region
  std::vector<std::string> calls;
  std::vector<Caveat> caveats;
  /// Index in AnalysisResult::regions; beyond the last if it could not be simulated on the buffer's own CPU.
  uint32_t region = 0;
  bool operator==(const BudgetedRegion &) const = default;
};

/// A limit that the buffer sets for a marked region.
struct Budget {
  enum class What : uint8_t {
    Cycles, ///< per iteration, at most the limit
    Ipc     ///< at least the limit
  };
  What what = What::Cycles;
  double limit = 0;
  std::string written; ///< the limit as in the buffer, "4.50": its decimals count
  std::string cpu;
  ByteRange at; ///< its line, without the white space around it
  /// One for each path through the region, and for each function whose code has the marked lines.
  std::vector<BudgetedRegion> regions;
  bool operator==(const Budget &) const = default;
};

} // namespace analysis::wire
