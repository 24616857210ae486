// What the language server and its worker say to each other.
//
// These plain structs are the whole contract between the two processes: the server sends the upper group, the worker
// the lower one. Nothing here knows JSON, the Language Server Protocol or LLVM. Positions are byte offsets into the
// text of the request, half-open; turning them into lines and the client's columns is the server's business. `codec.h`
// turns the structs into frames and back.
//
// The worker may die at any moment. So that its last words are of use, it says what it is about to do before it does
// it (`Progress`), and the server remembers the place.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace analysis::wire {

/// A half-open range of bytes in the text of a request.
struct ByteRange {
  uint32_t begin = 0;
  uint32_t end = 0;
  bool operator==(const ByteRange &) const = default;
};

enum class Language : uint8_t { Assembly, C, Cxx };

/// What the user set. An empty string or a zero means "not set", and the next source is asked: the buffer's own
/// `mca:` comment comes before these, the compile command and the host after them.
struct Settings {
  std::string cpu;                     ///< an LLVM CPU name
  std::string triple;                  ///< an LLVM target triple
  std::vector<std::string> cpus;       ///< other CPUs to show beside it
  std::string features;                ///< LLVM subtarget features, "+avx2,-fma"
  uint32_t iterations = 0;             ///< iterations of a region to simulate; 0 means llvm-mca's 100
  std::string compiler;                ///< the clang or gcc that lowers C and C++, or "project" for the compile
                                       ///< command's own; empty means clang-22: the one beside the worker, or in PATH
  std::string compileCommandsDir;      ///< where compile_commands.json lies, if not upward of the file
  std::vector<std::string> extraFlags; ///< flags added to the fallback command of a file without an entry
  bool markerRegions = true;           ///< analyse LLVM-MCA-BEGIN/END regions
  bool loops = true;                   ///< analyse innermost loops
  bool wholeSnippets = true;           ///< analyse a text with neither as one region
  bool listings = false;               ///< put each region's instructions into its summary
  bool compileOnChange = false;        ///< compile C and C++ as they are edited, not only what is saved
  std::vector<std::string> trustedFolders;   ///< absolute; "project" runs the program that a database below one names
  uint32_t slowerPercent = 5;                ///< a region that got slower by more is a finding
  std::vector<std::string> allowedCompilers; ///< globs of absolute paths that "project" runs wherever they are named
  std::string cpuSource;                     ///< who set `cpu`, for the reader; empty: "set in the configuration"
  bool operator==(const Settings &) const = default;
};

// ---- server to worker ----------------------------------------------------------------------------------------------

/// A region of an earlier analysis, to compare with.
struct RegionNumbers {
  std::string name;               ///< as in RegionSummary
  double cycles = 0;              ///< RegionSummary::cyclesPerIteration
  double ipc = 0;                 ///< RegionSummary::ipc
  uint32_t sourceIterations = 0;  ///< as in RegionSummary; 0 also where it is unknown
  std::vector<std::string> calls; ///< as in RegionSummary
  bool operator==(const RegionNumbers &) const = default;
};

/// What an earlier version of the document had.
struct Baseline {
  std::string name; ///< for the reader: "the last save", "git HEAD"
  std::vector<RegionNumbers> regions;
  std::string cpu; ///< that the numbers are for; those of another CPU than the analysis is for are not compared
  bool operator==(const Baseline &) const = default;
};

/// A virtual document that the editor shows beside the buffer.
enum class DocumentKind : uint8_t {
  Report,   ///< every view of the region at the offset
  Assembly, ///< the function at the offset, with source lines and numbers
  Timeline  ///< the region at the offset, cycle by cycle: no text but a Timeline
};

struct DocumentRequest {
  DocumentKind kind = DocumentKind::Report;
  uint32_t offset = 0; ///< in the text of the request
  bool operator==(const DocumentRequest &) const = default;
};

/// Which text is analysed.
enum class Version : uint8_t {
  Buffer, ///< the request's
  Head    ///< that of the same file in git HEAD; the request's is what it is compared with
};

/// Analyse one version of one document. The worker answers with any number of `Progress` and one `AnalysisResult`,
/// or, after a `CancelRequest` of the same id, one `AnalysisResult` whose status is Cancelled.
struct AnalyzeRequest {
  uint64_t id = 0;
  std::string path; ///< absolute path of the file; need not exist for assembly
  Language language = Language::Assembly;
  std::string text; ///< the whole buffer, UTF-8 (bytes that are not are kept as they are)
  Settings settings;
  std::vector<std::string> openFiles; ///< absolute paths of the other C and C++ files that the editor has open
  std::vector<Baseline> before;       ///< what to compare with
  std::vector<DocumentRequest> documents;
  /// The compiler's output for the same path, text and settings may be used again, if the worker still has it: nothing
  /// was saved since.
  bool reuseCompiled = false;
  Version version = Version::Buffer;
  /// With Version::Head: AnalysisResult::head of the last such result for the same path and settings, which need not be
  /// analysed again; 0 for none.
  uint64_t knownHead = 0;
  /// What is said of assembly may come in parts, of which those that the server still has, word for word and at their
  /// places in this text, need not be sent.
  bool inParts = false;
  std::vector<uint64_t> knownParts; ///< Part::id of them
  /// Which of several commands compiles the file: one of TargetSummary::commands. The first where it is empty or none.
  std::string command;
  /// Absolute path of the source as a part of which the file is compiled, with the source's command. Empty: the file's
  /// own command, or what is found for it.
  std::string compiledThrough;
  std::vector<uint32_t> onlyLoops; ///< with `compiledThrough`: those of AnalysisResult::otherFiles; other loops are not
                                   ///< the file's, and not counted
  /// Absolute: the loops that stand in other files below it are reported in AnalysisResult::otherFiles, and are no more
  /// `elsewhere`. Files are those on disk for as long as the worker lives. Empty for none.
  std::string projectFolder;
};

struct CancelRequest {
  uint64_t id = 0;
};

/// Asks for the CPUs that LLVM knows. The worker answers with a `CpusResult` when the jobs before it are done.
struct CpusRequest {
  uint64_t id = 0;
  std::string triple; ///< empty: this machine's
};

using ToWorker = std::variant<AnalyzeRequest, CancelRequest, CpusRequest>;

// ---- worker to server ----------------------------------------------------------------------------------------------

enum class Stage : uint8_t { Compiling, Parsing, FindingRegions, Simulating };

/// Sent before each step. `at` and `what` name the region or line that is about to be worked on.
struct Progress {
  uint64_t id = 0;
  Stage stage = Stage::Parsing;
  std::string what;
  ByteRange at;
  uint32_t done = 0;  ///< steps of this stage that are finished
  uint32_t total = 0; ///< steps of this stage, 0 when unknown
};

/// Called before each step, on the thread of the job.
using ProgressSink = std::function<void(const Progress &)>;

/// Error: the user's text is wrong. Warning: a number is not what it seems, or missing. Information: a verdict.
enum class Severity : uint8_t { Error = 1, Warning = 2, Information = 3, Hint = 4 };

struct RelatedPlace {
  std::string path;  ///< empty: the analysed document itself
  ByteRange at;      ///< in the document; for another file unused
  uint32_t line = 0; ///< 1-based line in `path` when it is another file
  std::string message;
};

/// What becomes a diagnostic.
struct Finding {
  ByteRange at;
  Severity severity = Severity::Information;
  std::string code; ///< stable, lower case with dashes: "resource-bottleneck", "parse-error"
  std::string message;
  std::vector<RelatedPlace> related;
};

/// A piece of a hover: one document model, which the server renders as markdown or as plain text.
struct Block {
  enum class Kind : uint8_t { Heading, Paragraph, Item, Preformatted };
  Kind kind = Kind::Paragraph;
  std::string text;
};
using RichText = std::vector<Block>;

/// A piece of a hint's label.
struct HintPart {
  std::string text; ///< on one line
  RichText tooltip; ///< of the piece alone; empty for none
};

/// An inlay hint: shown at the end of the line that holds `offset`.
struct Hint {
  uint32_t offset = 0;
  std::vector<HintPart> parts;
  RichText tooltip; ///< of the whole

  std::string label() const {
    std::string whole;
    for (const HintPart &part : parts)
      whole += part.text;
    return whole;
  }
};

struct Hover {
  ByteRange at;
  RichText contents;
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
  ByteRange at;     ///< of an assembly buffer its text, else the line that it belongs to; empty when it has none
  std::string text; ///< in the printer's syntax, with single spaces
  uint32_t microOps = 0;
  uint32_t latency = 0;            ///< cycles
  double reciprocalThroughput = 0; ///< cycles
  std::vector<ResourceUse> pressure;
  std::vector<Wait> waits;     ///< most cycles first; empty when waits were not looked at
  std::vector<uint32_t> needs; ///< instructions whose results it reads, by position in the region, ascending
  bool loads = false;          ///< it may read memory
};

/// A region on another CPU.
struct CpuSummary {
  std::string cpu;
  double cycles = 0;  ///< per iteration of the source's loop, as the hint counts; 0 when it cannot be simulated there
  double ipc = 0;     ///< of the steady loop
  std::string remark; ///< why not, or what the numbers are worth; empty when there is nothing to say
  bool simulated = true;
};

/// A limit that the buffer sets for a region.
struct Budget {
  std::string what; ///< "cycles": per iteration, at most the limit; "ipc": at least the limit
  double limit = 0;
  double value = 0; ///< rounded as it is compared; 0 when the region cannot be simulated on the CPU
  std::string cpu;
  bool met = false;
  bool checked = true; ///< whether the value decides; not one that is missing, or a lower bound below the limit
};

/// The numbers of one region. They are also in the texts above; here they are for programs. What is of all iterations,
/// and averages over them, are llvm-mca's.
struct RegionSummary {
  std::string name;
  std::string instance; ///< the name without variant and path: what becomes of one loop has it in common
  RegionKind kind = RegionKind::Snippet;
  ByteRange at;
  uint32_t line = 0;             ///< 1-based, of the hint
  uint32_t loop = 0;             ///< the paths through one loop have the same number
  uint32_t sourceIterations = 1; ///< iterations of a C or C++ loop in one of the machine code's; 0 when unknown
  double share = -1; ///< of a Path: of the loop's iterations, as the compiler expects, 0 to 1; -1 when unknown
  double iterationsPerCall = 0;  ///< of a loop's machine code, in one call of its function, as the compiler expects or
                                 ///< a profile says; 0 when unknown
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
  std::vector<std::string> caveats;     ///< why the numbers are less certain than they look; empty when they are not
  std::vector<std::string> calls;       ///< functions that are not simulated: the cycles are a lower bound
  std::vector<CpuSummary> otherCpus;    ///< with Settings::cpus, for the regions whose numbers a hint shows
  std::string listing;                  ///< the instructions as a text for llvm-mca, with Settings::listings
  std::vector<InstructionDetails> body; ///< empty where the document has too many
  std::vector<uint32_t> chain; ///< the instructions of the longest loop-carried chain, in order; positions in `body`
  std::vector<Budget> budgets; ///< those of a marked region
};

/// What the numbers rest on.
struct TargetSummary {
  std::string triple;
  std::string cpu;
  std::string features;
  std::string cpuOrigin;     ///< "set in the buffer", "from -march in the compile command", "this machine's, as nothing
                             ///< else names one"
  std::string modelOrigin;   ///< "znver4's own model", "apple-m4: modelled as cyclone"
  std::string commandOrigin; ///< where the compile command comes from; empty for assembly
  /// Those of several commands for the file that make different code, in the database's order and in words: "with
  /// -mavx2". Empty where there is only one.
  std::vector<std::string> commands = {};
  std::string command = {}; ///< the one of them that was used
};

/// A line of a virtual document that stands for a line of the buffer. Both are 0-based.
struct LineLink {
  uint32_t line = 0;
  uint32_t bufferLine = 0;
};

/// Part of an instance's life in which it waits for one thing. Cycles, half-open.
struct TimelineWait {
  uint32_t from = 0;
  uint32_t to = 0;
  std::string why;          ///< "for xmm0", "for room in the reorder buffer"
  std::vector<uint32_t> by; ///< the instructions that it waits for, by position
  bool operator==(const TimelineWait &) const = default;
};

/// One execution of one instruction: the cycles in which it was dispatched, issued, executed and retired.
struct TimelineInstance {
  uint32_t iteration = 0;
  uint32_t instruction = 0; ///< position in the region
  uint32_t dispatched = 0;
  uint32_t issued = 0;
  uint32_t executed = 0;           ///< the last cycle of its execution; that of its dispatch where it needs none
  uint32_t retired = 0;            ///< at most `executed` where nothing retires in order
  std::vector<TimelineWait> waits; ///< in the order of time
  bool operator==(const TimelineInstance &) const = default;
};

/// The first iterations of a region, as far as they end within the cycles that a timeline has.
struct Timeline {
  std::string title; ///< the region's name
  std::string cpu;
  double cyclesPerIteration = 0;
  std::vector<std::string> instructions;   ///< of one iteration
  std::vector<TimelineInstance> instances; ///< iteration by iteration
  std::vector<ResourceUse> pressure;
  bool operator==(const Timeline &) const = default;
};

/// What a DocumentRequest asked for.
struct DocumentText {
  DocumentRequest request;
  std::string text;            ///< says why when there is nothing to show; else empty for a timeline
  std::vector<LineLink> links; ///< of a timeline: `line` is the position of an instruction
  Timeline timeline = {};
};

/// What is said of the regions of one line.
struct Part {
  uint64_t id = 0;   ///< parts with one id say the same of the same lines; their offsets differ by what stands before
  bool kept = false; ///< the server has it: the vectors are empty
  uint32_t line = 0; ///< of the text's first line, 0-based
  ByteRange text;    ///< whole lines, which hold all places that it speaks of
  std::vector<RegionSummary> regions;
  std::vector<Hint> hints;
  std::vector<Finding> findings;
  std::vector<Hover> hovers;
};

enum class Status : uint8_t { Finished, Cancelled };

/// What became of the innermost loops of the code.
struct Coverage {
  uint32_t loops = 0;     ///< all of them
  uint32_t hinted = 0;    ///< that a hint stands for, or is named in its hover
  uint32_t elsewhere = 0; ///< that belong to no line of the document
  bool operator==(const Coverage &) const = default;
};

/// Another file of the project whose loops the code holds, and no line of the document stands for them.
struct OtherFile {
  std::string path;            ///< absolute, without links
  std::vector<uint32_t> loops; ///< ascending: AnalyzeRequest::onlyLoops for it; empty where it has marked regions alone
};

struct AnalysisResult {
  uint64_t id = 0;
  Status status = Status::Finished;
  TargetSummary target;
  std::vector<RegionSummary> regions;
  Coverage coverage;
  std::vector<Hint> hints;
  std::vector<Finding> findings;
  std::vector<Hover> hovers;
  std::vector<Part> parts;             ///< with AnalyzeRequest::inParts: what is not above, in the order of the text
  std::vector<DocumentText> documents; ///< in the order of the request
  std::vector<std::string> notes;      ///< for the user's set-up rather than for a line: each is shown once
  uint64_t compileMicros = 0;          ///< wall time of the compiler
  uint64_t analysisMicros = 0;         ///< wall time of the rest
  /// With Version::Head: tells its text from others; 0 when there is none, or when it is the request's own. Nothing was
  /// analysed then, nor where it is the request's `knownHead`.
  uint64_t head = 0;
  std::vector<OtherFile> otherFiles; ///< with AnalyzeRequest::projectFolder; by their paths
};

/// Whose scheduling model a CPU has: its own, one that was written for another CPU or that nobody knows the owner of,
/// none.
enum class CpuModel : uint8_t { Own, Borrowed, None };

struct CpuName {
  std::string name;
  CpuModel model = CpuModel::None;
};

struct CpusResult {
  uint64_t id = 0;
  std::string triple;
  std::vector<CpuName> cpus; ///< by name; empty for a triple that LLVM does not know
};

using FromWorker = std::variant<Progress, AnalysisResult, CpusResult>;

} // namespace analysis::wire
