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

#include "analysis/wire/region.h"
#include "analysis/wire/view.h"

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace analysis::wire {

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
  std::vector<std::string> allowedCompilers; ///< globs of absolute paths that "project" runs wherever they are named
  std::string cpuSource;                     ///< who set `cpu`, for the reader; empty: "set in the configuration"
  bool operator==(const Settings &) const = default;
};

// ---- server to worker ----------------------------------------------------------------------------------------------

/// Which text is analysed.
enum class Version : uint8_t {
  Buffer, ///< the request's
  Head    ///< that of the same file in git HEAD
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
  std::vector<DocumentRequest> documents;
  /// The compiler's output for the same path, text and settings may be used again, if the worker still has it: nothing
  /// was saved since.
  bool reuseCompiled = false;
  Version version = Version::Buffer;
  /// With Version::Head: AnalysisResult::head of the last such result for the same path and settings, which need not be
  /// analysed again; 0 for none.
  uint64_t knownHead = 0;
  std::vector<uint64_t> knownSimulations; ///< Simulation::id of those that the server has, which need not be sent
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
  std::vector<Region> regions;         ///< in the order of the text; the paths of a loop follow each other
  std::vector<Simulation> simulations; ///< of the regions, each once, but for AnalyzeRequest::knownSimulations
  std::vector<Budget> budgets;
  Coverage coverage;
  std::vector<Finding> findings;  ///< those that do not follow from a region or a budget
  std::vector<View> views;        ///< of AnalyzeRequest::documents, in their order
  std::vector<std::string> notes; ///< for the user's set-up rather than for a line: each is shown once
  uint64_t compileMicros = 0;     ///< wall time of the compiler
  uint64_t analysisMicros = 0;    ///< wall time of the rest
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
