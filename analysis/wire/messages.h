// The messages between the language server and its worker.
//
// These plain structs are the whole contract between the two processes: the server sends the upper group, the worker
// the lower one. Nothing here knows JSON, the Language Server Protocol or LLVM. Positions are byte offsets into the
// text of the request, and ranges are half-open; the server converts them to lines and the client's columns. `codec.h`
// turns the structs into frames and back.
//
// The worker may die at any moment, because LLVM ends its process on some input. So it reports each step before it
// begins (`Progress`), and the server remembers the place: that is where a crash is reported.
#pragma once

#include "analysis/wire/advice.h"
#include "analysis/wire/control_flow.h"
#include "analysis/wire/finding_codes.h"
#include "analysis/wire/region.h"
#include "analysis/wire/view.h"

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace analysis::wire {

enum class Language : uint8_t { Assembly, C, Cxx };

/// The user's settings. An empty string or a zero means "not set"; then the next source counts. The order is: the
/// buffer's own `mca:` comment, these, the compile command, the host.
/// The value of Settings::compiler that stands for the compile command's own.
inline constexpr const char *kProjectsCompiler = "project";

struct Settings {
  std::string cpu;                ///< an LLVM CPU name
  std::string triple;             ///< an LLVM target triple
  std::vector<std::string> cpus;  ///< other CPUs to show as well
  std::string features;           ///< LLVM subtarget features, "+avx2,-fma"
  uint32_t iterations = 0;        ///< iterations of a region to simulate; 0 means llvm-mca's 100
  std::string compiler;           ///< the clang or gcc that lowers C and C++, or "project" for the compile
                                  ///< command's own; empty means clang-22: the one beside the worker, or in PATH
  std::string compileCommandsDir; ///< the folder of compile_commands.json; empty: the file's folder or one above
  /// The file's entries in the database of `compileCommandsDir`, as the text of a database that has no others; that one
  /// is not read then. Empty: it is.
  std::string compileCommands;
  std::vector<std::string> extraFlags; ///< flags added to the fallback command of a file without an entry
  bool markerRegions = true;           ///< analyse LLVM-MCA-BEGIN/END regions
  bool loops = true;                   ///< analyse innermost loops
  bool wholeSnippets = true;           ///< analyse a text without either as one region
  bool listings = false;               ///< put each region's instructions into its summary
  bool runnable = false;               ///< put each region's instructions into its summary as code that can run alone
  bool compileOnChange = false;        ///< compile C and C++ as they are edited, not only when saved
  /// Absolute. Below them, "project" runs the program that the database names, and the server measures loops.
  std::vector<std::string> trustedFolders;
  std::vector<std::string> allowedCompilers; ///< globs of absolute paths that "project" may run for any folder
  std::string cpuSource;                     ///< who set `cpu`, in words; empty: "set in the configuration"
  std::string trace; ///< absolute path of the document's branch trace; empty: the file beside it, `FILE.mcatrace`
  /// If not empty: the absolute path of the folder whose configuration names `trace`, which has to lie in the project
  /// or in this folder, links followed.
  std::string traceFolder;
  std::string predictor;          ///< of branches, as mca::predictorNamed knows it; empty: `tage`
  uint32_t mispredictPenalty = 0; ///< cycles; 0: the scheduling model's
  /// Which calibration the numbers come from: "auto" (the user's own of this machine's CPU, or a shipped one), or an
  /// absolute path. Empty or "off": none.
  std::string calibration;
  /// With "auto", what CPUs without a calibration have: "llvm", LLVM's model alone; otherwise their documented profile.
  std::string model;
  /// If not empty: an absolute path of a folder, in which the file of `calibration` must be, links followed.
  std::string calibrationFolder;
  std::string profile;       ///< absolute path of a profile of the program (docs/profile-file.md); empty: none
  std::string profileFolder; ///< as `calibrationFolder`, for `profile`
  std::vector<std::string> readableFolders; ///< absolute; the compiler may read them beside the project
  /// Absolute, without a slash at the end, links not resolved: the folders that the user has opened, and the file's own
  /// if it is in none of them. They decide which other files may be quoted. Never the file system's root, so that there
  /// may be none.
  std::vector<std::string> projectFolders;
  bool operator==(const Settings &) const = default;
};

// ---- server to worker ----------------------------------------------------------------------------------------------

/// Which text is analysed.
enum class Version : uint8_t {
  Buffer, ///< the text of the request
  Head    ///< the text of the same file in git HEAD
};

/// Analyse one version of one document. The worker answers with any number of `Progress` and one `AnalysisResult`,
/// or, after a `CancelRequest` of the same id, one `AnalysisResult` whose status is Cancelled.
struct AnalyzeRequest {
  uint64_t id = 0;
  /// Absolute path of the file, which need not exist for assembly. A relative one is the name of a document that is no
  /// file of this machine: no file is read for it.
  std::string path;
  Language language = Language::Assembly;
  std::string text; ///< the whole buffer, UTF-8 (bytes that are not are kept as they are)
  Settings settings;
  /// Absolute paths of the other files that the editor has open and that may include this one: C and C++, or assembly
  /// for the preprocessor.
  std::vector<std::string> openFiles;
  std::vector<DocumentRequest> documents;
  /// The worker may reuse the compiler's output for the same path, text and settings: no file was saved since, so that
  /// headers are the same, too.
  bool reuseCompiled = false;
  /// How often the editor has said that files changed on disk. If it is another number than that of the request before,
  /// databases, traces and calibrations are read again even if they look the same.
  uint64_t fileEvents = 0;
  Version version = Version::Buffer;
  /// With Version::Head: AnalysisResult::head of the last such result for the same path and settings. If it is still
  /// the same, nothing is analysed. 0: none.
  uint64_t knownHead = 0;
  std::vector<uint64_t> knownSimulations; ///< Simulation::id of those that the server has: they are not sent
  /// The command that compiles the file if there are several: one of TargetSummary::commands. Anything else means the
  /// first.
  std::string command;
  /// Absolute path of a source that includes the file: the file is compiled as a part of it, with its command. Empty:
  /// the file is compiled with its own command, or an inferred one.
  std::string compiledThrough;
  std::vector<uint32_t> onlyLoops; ///< with `compiledThrough`: the loops of the file (OtherFile::loops); others are not
                                   ///< counted
  /// Absolute. Loops of other files below it are reported in AnalysisResult::otherFiles, and do not count as
  /// Coverage::elsewhere. Which files are on disk is found out
  /// once in the worker's life. Empty: no such folder.
  std::string projectFolder;
  bool listInputs = false; ///< list AnalysisResult::inputs
  /// Fill Region::whyNot. A compile with clang takes some tenth longer for it; without, `whyNot` is filled if the
  /// compiler's output is there that has it.
  bool reasons = false;
  /// 1-based: only the loops with hints on this line of C or C++ are analysed. 0: all regions.
  uint32_t onlyLine = 0;
  bool listCandidates = false; ///< with `onlyLine`: fill AnalysisResult::advice
  bool listFunction = false;   ///< the same: also AdviceFacts::function
  /// The document with a change that the user does not have yet: it is compiled from `text`, and nothing of it is kept.
  bool isVariant = false;
  std::vector<std::string> addedFlags;   ///< of a variant: for the compiler, if the allow-list has them
  std::vector<std::string> removedFlags; ///< of a variant: of the compile command's, as they are written
  FrontEndModule module;                 ///< with `onlyLine`: what the front end made of `text` without other flags
  bool listModule = false;               ///< of a variant without flags: also AdviceFacts::module
};

struct CancelRequest {
  uint64_t id = 0;
};

/// Requests the CPUs that LLVM knows. The worker answers with a `CpusResult` after the jobs before it.
struct CpusRequest {
  uint64_t id = 0;
  std::string triple; ///< empty: the host's
};

/// Whether the worker may do what nobody waits for (preambles) while it has no request. It may unless it gets one of
/// these: not while another worker compiles what the user waits for. No answer.
struct IdleWorkRequest {
  bool allowed = true;
};

using ToWorker = std::variant<AnalyzeRequest, CancelRequest, CpusRequest, IdleWorkRequest>;

// ---- worker to server ----------------------------------------------------------------------------------------------

enum class Stage : uint8_t { Compiling, Parsing, FindingRegions, Simulating };

/// Sent before each step. `at` and `what` name the region or line that comes next.
struct Progress {
  uint64_t id = 0;
  Stage stage = Stage::Parsing;
  std::string what;
  ByteRange at;
  uint32_t done = 0;  ///< finished steps of this stage
  uint32_t total = 0; ///< all steps of this stage; 0 if unknown
};

/// Called before each step, on the thread of the job.
using ProgressSink = std::function<void(const Progress &)>;

struct RelatedPlace {
  std::string path;  ///< empty: the analysed document itself
  ByteRange at;      ///< in the document; unused for another file
  uint32_t line = 0; ///< 1-based line in `path` if that is another file
  std::string message;
};

/// What a finding says, as data. lsp/wording/sentences.cpp has the texts, and says what the operands are.
struct Words {
  Sentence sentence = Sentence::None;
  std::vector<std::string> operands = {}; ///< names, numbers, and texts of other programs
};

/// A diagnostic. Its severity is usually that of its code: see makeFinding().
struct Finding {
  ByteRange at;
  Severity severity = Severity::Information;
  std::string code;    ///< one of finding_codes.h
  std::string message; ///< empty if there are words: the server makes it of them
  std::vector<RelatedPlace> related = {};
  Words words = {};
};

/// A finding with the severity of its code.
inline Finding makeFinding(ByteRange at, const char *code, std::string message) {
  return {.at = at, .severity = severityOf(code), .code = code, .message = std::move(message)};
}
inline Finding makeFinding(ByteRange at, const char *code, Words words) {
  return {.at = at, .severity = severityOf(code), .code = code, .message = "", .words = std::move(words)};
}

/// Whose scheduling model a CPU has. Borrowed: written for another CPU, or shared by several without a known owner.
enum class CpuModel : uint8_t { Own, Borrowed, None };

/// Which calibration a document's numbers come from.
struct CalibrationSummary {
  enum class Source : uint8_t {
    None,    ///< there is no calibration: all numbers are LLVM's
    Own,     ///< the user's own, in the data folder
    Shipped, ///< with the program
    User,    ///< a file that the user's settings name
    Project, ///< a file that the project's settings name
    Profile  ///< no measurement, but what is published of the CPU; with the program
  };
  Source source = Source::None;
  std::string cpu;  ///< that was measured, such as AMD EPYC 7763, LLVM's name if it has no other; a profile's family
  std::string date; ///< YYYY-MM-DD
  std::string file; ///< of User and Project: its absolute path
  std::string id;   ///< a hash of its text
  bool operator==(const CalibrationSummary &) const = default;
};

/// The profile that the loops' shares of time come from.
struct ProfileSummary {
  std::string file;    ///< absolute; empty if there is none
  std::string event;   ///< what the profiler counted: "cpu-clock"
  bool isTime = false; ///< whether that is time: cycles, or nanoseconds
  uint64_t samples = 0;
  bool hasCode = false; ///< it has samples of some function of this text
  double inText = 0;    ///< share of the functions of this text that are the code that was recorded, 0 to 1
  bool operator==(const ProfileSummary &) const = default;
};

/// The target that was simulated, and where each part of it and what is shown with its numbers come from.
struct TargetSummary {
  std::string triple;
  std::string cpu;
  std::string features;
  std::string cpuOrigin;     ///< "set in the buffer", "from -march in the compile command", "this machine's, as nothing
                             ///< else names one"
  std::string modelOrigin;   ///< "znver4's own model", "apple-m4: modelled as cyclone"
  std::string commandOrigin; ///< where the compile command comes from; empty for assembly
  /// The commands for the file if several make different code, in the database's order and in words: "with -mavx2".
  /// Empty otherwise.
  std::vector<std::string> commands = {};
  std::string command = {}; ///< the one that was used
  CpuModel model = CpuModel::Own;
  CalibrationSummary calibration = {};
  ProfileSummary profile = {};
  bool calibrationAdvised = false; ///< of this machine's CPU, which has none: the numbers would be better with one
};

enum class Status : uint8_t { Finished, Cancelled };

/// How many innermost loops the code has, and how many of them the document shows.
struct Coverage {
  uint32_t loops = 0;     ///< all of them
  uint32_t hinted = 0;    ///< shown by a hint, or named in its hover
  uint32_t elsewhere = 0; ///< belong to no line of the document
  bool operator==(const Coverage &) const = default;
};

/// Another file of the project that has loops of the code which no line of the document shows.
struct OtherFile {
  std::string path;            ///< absolute, without links
  std::vector<uint32_t> loops; ///< ascending, for AnalyzeRequest::onlyLoops; empty if it has only marked regions
};

/// What the compiler reports that it made of a loop that is no loop in the machine code.
struct LoopFate {
  enum class Kind : uint8_t {
    Unrolled,    ///< completely
    LibraryCall, ///< of a function like memset
    Deleted,     ///< nothing uses what it does, or its results were computed without it
    NeverRuns
  };
  Kind kind = Kind::Unrolled;
  uint32_t iterations = 0; ///< of Unrolled; 0 if unknown
  std::string callee;      ///< of LibraryCall; empty if unknown
  bool operator==(const LoopFate &) const = default;
};

/// A loop statement in C or C++ that left no loop in the machine code.
struct VanishedLoop {
  ByteRange at;                ///< its line, without the white space around it
  std::vector<LoopFate> fates; ///< each once: inlined copies may differ; empty if the compiler reports none
  bool operator==(const VanishedLoop &) const = default;
};

struct AnalysisResult {
  uint64_t id = 0;
  Status status = Status::Finished;
  TargetSummary target;
  std::vector<Region> regions;         ///< in the order of the text; the paths of a loop follow each other
  std::vector<Simulation> simulations; ///< of the regions, each once, without AnalyzeRequest::knownSimulations
  std::vector<ControlFlow> flows;      ///< at most one for each loop; none for loops without a branch inside
  std::vector<Budget> budgets;
  Coverage coverage;
  /// Of a file that was compiled for a run of another one there are none.
  std::vector<VanishedLoop> vanishedLoops;
  std::vector<Finding> findings;  ///< all but those that the server derives from regions and budgets
  std::vector<View> views;        ///< one for each of AnalyzeRequest::documents
  std::vector<std::string> notes; ///< about the user's set-up, not about a line: each is shown once
  uint64_t compileMicros = 0;     ///< wall time of the compiler
  uint64_t analysisMicros = 0;    ///< wall time of the rest
  /// With Version::Head: identifies its text. 0 if there is none or it equals the buffer's. Nothing is analysed in
  /// these cases, nor if it is AnalyzeRequest::knownHead.
  uint64_t head = 0;
  std::vector<OtherFile> otherFiles; ///< with AnalyzeRequest::projectFolder; sorted by path
  /// With AnalyzeRequest::listInputs: the files that the result was made from, programs included; absolute paths,
  /// sorted.
  std::vector<std::string> inputs;
  bool inputsUnknown = false; ///< `inputs` lacks some: the compiler could not list what it reads
  AdviceFacts advice;         ///< with AnalyzeRequest::listCandidates and `listFunction`
  bool hasReasons = false;    ///< Region::whyNot is filled, where the compiler gives a reason
};

struct CpuName {
  std::string name;
  CpuModel model = CpuModel::None;
};

struct CpusResult {
  uint64_t id = 0;
  std::string triple;
  std::vector<CpuName> cpus; ///< sorted by name; empty if LLVM does not know the triple
};

using FromWorker = std::variant<Progress, AnalysisResult, CpusResult>;

} // namespace analysis::wire
