// A region on the wire: what its simulation says, and where it stands.
//
// The two are apart because they change at different times. A new line at the top of a file moves all regions and
// changes no number, so that only the short half is sent again.
#pragma once

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

/// What an instruction may wait for: before dispatch what is full, then operands, a free unit, the order of results or
/// a rule of the target's own in order, and at last retirement.
enum class WaitKind : uint8_t {
  RegisterFile,
  RetireTokens,
  SchedulerFull,
  LoadQueue,
  StoreQueue,
  Group, ///< units without a buffer
  Register,
  Memory,
  Resource,
  WriteBack,
  TargetRule,
  RetireOrder,
  RetireWidth
};

struct Wait {
  WaitKind kind = WaitKind::Register;
  /// The register as it is printed; the names of the busy resources; of Memory "load" or "store" if one can be named;
  /// empty otherwise.
  std::string what;
  double cycles = 0;        ///< per iteration
  std::vector<uint32_t> by; ///< the instructions that it waits for, by position in the region
  bool operator==(const Wait &) const = default;
};

/// A register's way from one instruction of a chain to the next.
struct ChainLink {
  uint32_t instruction = 0; ///< that writes it, by position in the region
  std::string reg;          ///< as it is printed; empty if it was not printed
  uint32_t cycles = 0;      ///< from the start of the instruction until the value is there
  uint32_t iterations = 0;  ///< of the machine code, how many later it is read
  bool operator==(const ChainLink &) const = default;
};

/// What limits a region, with the numbers that say so. analysis/verdict/verdict.h has the rules.
struct Verdict {
  enum class Kind : uint8_t { None, Resource, Dispatch, IssueWidth, Registers, Memory, Stall };
  struct Unit {
    std::string resource;
    uint32_t number = 0; ///< of the unit among those of the resource
    uint32_t unitsOfResource = 1;
    bool operator==(const Unit &) const = default;
  };
  /// An instruction that has to do with it.
  struct Witness {
    uint32_t instruction = 0;      ///< by position in the region
    std::string text;              ///< with single spaces
    std::vector<ResourceUse> uses; ///< of Resource: of the busy units
    Wait wait;                     ///< of Memory (the first witness) and Stall
    bool operator==(const Witness &) const = default;
  };
  Kind kind = Kind::None;
  double busy = 0;                ///< cycles per iteration that the limit takes; units may be held beyond the last one
  double cycles = 0;              ///< per iteration, of the steady loop
  std::vector<Unit> units;        ///< of Resource, the busiest first
  uint32_t users = 0;             ///< of Resource: instructions that use the units noticeably
  std::string mnemonic;           ///< of Resource: that makes up at least half of the use; empty if none does
  uint32_t usersOfMnemonic = 0;   ///< the users that have it
  double microOps = 0;            ///< of Dispatch and IssueWidth: per iteration
  uint32_t dispatchWidth = 0;     ///< of Dispatch and IssueWidth: micro-ops per cycle
  std::vector<ChainLink> chain;   ///< of Registers
  std::vector<Witness> witnesses; ///< a few, those that matter most first
  bool operator==(const Verdict &) const = default;
};

/// One instruction of a region, as the scheduling model describes it and as the simulation treats it.
struct InstructionDetails {
  std::string text; ///< in the printer's syntax, with single spaces
  uint32_t microOps = 0;
  uint32_t latency = 0;            ///< cycles
  double reciprocalThroughput = 0; ///< cycles
  std::vector<ResourceUse> pressure;
  std::vector<Wait> waits;     ///< most cycles first; empty when waits were not looked at
  std::vector<uint32_t> needs; ///< instructions whose results it reads, by position in the region, ascending
  bool loads = false;          ///< it may read memory
  bool operator==(const InstructionDetails &) const = default;
};

/// A region on another CPU.
struct CpuSummary {
  std::string cpu;
  double cycles = 0;  ///< per iteration of the machine code; 0 when it cannot be simulated there
  double ipc = 0;     ///< of the steady loop
  std::string remark; ///< why not, or what the numbers are worth; empty when there is nothing to say
  bool simulated = true;
  bool operator==(const CpuSummary &) const = default;
};

/// Part of an instance's life in which it waits for one thing. Cycles, half-open.
struct TimelineWait {
  uint32_t from = 0;
  uint32_t to = 0;
  Wait wait;
  bool operator==(const TimelineWait &) const = default;
};

/// One execution of one instruction, in cycles from the start of the simulation.
struct TimelineRow {
  uint32_t iteration = 0;
  uint32_t instruction = 0; ///< position in the region
  uint32_t dispatched = 0;
  uint32_t issued = 0;
  uint32_t executed = 0;           ///< the last cycle of its execution; that of its dispatch where it needs none
  uint32_t retired = 0;            ///< at most `executed` where nothing retires in order
  std::vector<TimelineWait> waits; ///< in the order of time; of a Simulation none
  bool operator==(const TimelineRow &) const = default;
};

/// Rows of a timeline that a Simulation has at most: as many as a hover has room for.
constexpr size_t kTimelineRows = 10;

/// What the simulation of a region says, wherever the region stands. What is of all iterations, and averages over them,
/// are llvm-mca's.
struct Simulation {
  uint64_t id = 0;               ///< a hash of all that it follows from: instructions, CPU, options
  uint32_t instructions = 0;     ///< of one iteration
  double cyclesPerIteration = 0; ///< of the steady loop, see mca::Rate; of the machine code's iteration
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
  double orderedCycles = -1;         ///< per iteration, if each load waited for the stores before it; -1: not simulated
  std::vector<TimelineRow> timeline; ///< the first instances
  std::vector<std::string> timelineTexts; ///< of the instructions that have a row
  std::vector<CpuSummary> otherCpus;      ///< with Settings::cpus, for the regions whose numbers a hint shows
  // Of the regions whose numbers a hint shows; empty where the document has too many instructions.
  std::vector<InstructionDetails> body;
  double chainCycles = 0;       ///< per iteration, of the longest loop-carried chain; 0: there is none
  std::vector<ChainLink> chain; ///< its links in order
  bool operator==(const Simulation &) const = default;
};

/// Why numbers are less certain than they look.
struct Caveat {
  enum class Kind : uint8_t {
    NoPath,           ///< no path leads through the loop: its blocks stand as they are laid out
    SeveralEntries,   ///< the paths are those from the first entry
    MorePaths,        ///< than `count`
    OtherInclusion,   ///< the loop may be another inclusion's of the file `names`[0], which is included `count` times
    BranchingText,    ///< simulated from the first line to the last
    BranchingSource,  ///< the marked lines branch
    SourceInPieces,   ///< the compiler put the marked lines into several places
    RepeatPrefix,     ///< how often it repeats is not known
    VectorTypeNotSet, ///< RISC-V: the model's worst case is assumed
    VectorTypeByRegister, ///< RISC-V: the one in force before is assumed
    SeveralVectorTypes,   ///< RISC-V: that above in the text is assumed
    OtherVectorType,      ///< RISC-V: the model is asked with `names`[0]
    UnknownIterations,    ///< of the source's loop in one of the machine code's
    UnreadLine,           ///< a line in it could not be read
    NoSchedulingData,     ///< `count` instructions have none on the CPU `names`[0]
    LateCopy,             ///< the chain goes through the move `names`[0] of `names`[1] to `names`[2], and `count` more
                          ///< like it; `cycles` per iteration without
    OtherCpu              ///< `names`[0] says what the numbers of the budget's CPU are worth
  };
  Kind kind = Kind::NoPath;
  uint32_t count = 0;
  double cycles = 0;
  std::vector<std::string> names;
  bool operator==(const Caveat &) const = default;
};

/// An instruction that goes elsewhere: a call, which is not simulated, or a jump to a computed address.
struct Transfer {
  enum class Kind : uint8_t { Call, IndirectJump };
  Kind kind = Kind::Call;
  uint32_t instruction = 0; ///< in the program: several paths may go through one
  std::string text;         ///< as it stands in the assembly, without a comment
  ByteRange at;             ///< its line in the buffer, without the white space around it; empty when it has none
  bool operator==(const Transfer &) const = default;
};

/// Where a region stands in the buffer, and what its source makes of the numbers.
struct Region {
  std::string name;    ///< the marker's name, or "loop in f": what becomes of one loop has it in common
  std::string variant; ///< which of several loops on one line: "vector body ×8"; empty when alone
  std::string path;    ///< of a Path: "through line 7"; empty otherwise
  RegionKind kind = RegionKind::Snippet;
  ByteRange at;                  ///< whole lines
  uint32_t anchor = 0;           ///< the hint stands at the end of the line that holds this offset
  uint32_t rank = 0;             ///< of its loop among those of that line: the hint shows the numbers of the first
  uint32_t loop = 0;             ///< the paths through one loop have the same number
  uint32_t sourceIterations = 1; ///< iterations of a C or C++ loop in one of the machine code's; 0 when unknown
  double share = -1; ///< of a Path: of the loop's iterations, as the compiler expects, 0 to 1; -1 when unknown
  double iterationsPerCall = 0; ///< of a loop's machine code, in one call of its function, as the compiler expects or
                                ///< a profile says; 0 when unknown
  std::vector<std::string> vectorTypes; ///< RISC-V: "e32, m2 for 4 instructions"
  std::vector<std::string> inlined;     ///< places in other files that its instructions come from: "at (vector:12), 3
                                        ///< instructions"
  std::vector<Caveat> caveats;
  std::vector<std::string> calls;  ///< functions that are not simulated: the cycles are a lower bound
  std::vector<Transfer> transfers; ///< in the order of the instructions
  std::string listing;             ///< the instructions as a text for llvm-mca, with Settings::listings
  uint64_t simulation = 0;         ///< Simulation::id
  std::vector<ByteRange> places;   ///< of each instruction of the simulation: of an assembly buffer its text, else the
                                   ///< line that it belongs to; empty when it has none
  bool operator==(const Region &) const = default;
};

/// "loop in f, vector body ×8, through line 7"; empty for a region without a name.
inline std::string fullName(const Region &region) {
  return region.name + (region.variant.empty() ? "" : ", " + region.variant) +
         (region.path.empty() ? "" : ", " + region.path);
}

/// A region that a budget is meant for, with the numbers of the budget's CPU.
struct BudgetedRegion {
  std::string name;              ///< fullName()
  std::string failure;           ///< why it could not be simulated; empty when it could
  double cyclesPerIteration = 0; ///< of the machine code's iteration
  double ipc = 0;
  uint32_t sourceIterations = 1; ///< as in Region
  std::vector<std::string> calls;
  std::vector<Caveat> caveats;
  /// In AnalysisResult::regions; beyond them where it could not be simulated for the buffer's own CPU.
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
  std::string written; ///< the limit as the buffer has it: "4.50"
  std::string cpu;
  ByteRange at; ///< its line, without the white space around it
  /// Each path through the region, and each function that the marked lines became code of, is one.
  std::vector<BudgetedRegion> regions;
  bool operator==(const Budget &) const = default;
};

} // namespace analysis::wire
