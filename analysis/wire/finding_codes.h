// The codes of all findings of worker and server.
//
// A code is stable: editors show it, settings and scripts name it, and docs/diagnostics has a page of its name. A
// finding has the severity of its code (makeFinding): Error for mistakes that the user has to fix, Warning for missing
// or wrong numbers, Information and Hint for results of the simulation. Where one varies, the code that changes it says
// why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace analysis::wire {

/// At most this many findings are published for a document, the first ones: more are of no use in an editor.
constexpr size_t kMaxFindings = 1000;
/// Longer messages are truncated: a parser's may quote a whole line, and names may have any length. In bytes.
constexpr size_t kMaxMessageBytes = 600;

namespace codes {

// The text and how it is read.
inline constexpr const char *kParseError = "parse-error";
inline constexpr const char *kForeignDialect = "foreign-dialect";
inline constexpr const char *kMostlyUnread = "mostly-unread";
inline constexpr const char *kUnreadableData = "unreadable-data";
inline constexpr const char *kMarkerError = "marker-error";
inline constexpr const char *kBufferSettings = "buffer-settings";
inline constexpr const char *kPointerStatement = "pointer-statement";
inline constexpr const char *kTraceError = "trace-error";
inline constexpr const char *kTraceRefused = "trace-refused";
inline constexpr const char *kEmptyRegion = "empty-region";
inline constexpr const char *kMarkerStopsVectorizer = "marker-stops-vectorizer";
inline constexpr const char *kLoopsElsewhere = "loops-elsewhere";
inline constexpr const char *kTooManyRegions = "too-many-regions";

// Compiling.
inline constexpr const char *kCompileError = "compile-error";
inline constexpr const char *kNotSaved = "not-saved";
inline constexpr const char *kInferredCommand = "inferred-command";
inline constexpr const char *kNoCompileCommand = "no-compile-command";
inline constexpr const char *kUnoptimized = "unoptimized-code";

// The target and its model.
inline constexpr const char *kInferredTarget = "inferred-target";
inline constexpr const char *kMissingFeature = "missing-feature";
inline constexpr const char *kUnknownTarget = "unknown-target";
inline constexpr const char *kUnknownCpu = "unknown-cpu";
inline constexpr const char *kUnknownFeature = "unknown-feature";
inline constexpr const char *kAssumedCpu = "assumed-cpu";
inline constexpr const char *kNoSchedulingModel = "no-scheduling-model";
inline constexpr const char *kBorrowedModel = "borrowed-model";
inline constexpr const char *kCalibrationUnusable = "calibration-unusable";
inline constexpr const char *kProfileUnusable = "profile-unusable";
inline constexpr const char *kAssumedVectorType = "assumed-vector-type";
inline constexpr const char *kNoSchedulingData = "no-scheduling-data";
inline constexpr const char *kNotSimulated = "not-simulated";

// What the simulation shows.
inline constexpr const char *kResourceBottleneck = "resource-bottleneck";
inline constexpr const char *kDispatchLimit = "dispatch-limit";
inline constexpr const char *kRegisterDependency = "register-dependency";
inline constexpr const char *kMemoryDependency = "memory-dependency";
inline constexpr const char *kBufferLimit = "buffer-limit";
inline constexpr const char *kInOrderStall = "in-order-stall";
inline constexpr const char *kCall = "call";
inline constexpr const char *kIndirectJump = "indirect-jump";
inline constexpr const char *kMispredictedBranch = "mispredicted-branch";
inline constexpr const char *kOffPath = "off-path";

// Comparisons.
inline constexpr const char *kBudgetExceeded = "budget-exceeded";
inline constexpr const char *kBudgetUnchecked = "budget-unchecked";
inline constexpr const char *kSlowerThanBaseline = "slower-than-baseline";
inline constexpr const char *kRegionSlower = "region-slower";

// The worker.
inline constexpr const char *kWorkerCrashed = "worker-crashed";
inline constexpr const char *kAnalysisTimeout = "analysis-timeout";
inline constexpr const char *kOutOfMemory = "out-of-memory";

// `mca-lsp --check`.
inline constexpr const char *kNotAnalysed = "not-analysed";

// Configuration files.
inline constexpr const char *kConfigUnreadable = "config-unreadable";
inline constexpr const char *kConfigUnknownKey = "config-unknown-key";
inline constexpr const char *kConfigBadValue = "config-bad-value";
inline constexpr const char *kConfigNotAllowed = "config-not-allowed";

} // namespace codes

/// The values are those of LSP 3.17's DiagnosticSeverity.
enum class Severity : uint8_t { Error = 1, Warning = 2, Information = 3, Hint = 4 };

/// What the worker's findings say, by their codes. A code may have several sentences, and one may be of several codes.
enum class Sentence : uint8_t {
  None,     ///< the finding has a message
  OfParser, ///< LLVM's parser has the words: `parse-error`, `marker-error`, `unreadable-data`
  CompiledLinesUnread,
  ForeignDialect,
  MostlyUnread,
  RegionMostlyUnread,
  // `buffer-settings`
  NotKeyAndValue,
  UnknownKey,
  BadIterations,
  BadTripCount,
  BadSyntax,
  BudgetWithoutMarker,
  NoPartOfBudget,
  UnknownCondition,
  NotPositive,
  // `pointer-statement`
  PointersWithoutLoop,
  PointerWithoutRegister,
  PointerProblem,
  // `trace-error`, `trace-refused`
  TraceProblem,
  TraceFileProblem,
  PathWithoutLoop,
  NoOutcome,
  PathLeaves,
  PathThroughIndirectJump,
  TooFewOutcomes,
  TooManyOutcomes,
  // regions
  EmptyRegion,
  MarkerStopsVectorizer,
  LoopsElsewhere, ///< the messages of its related places are the functions' names
  TooManyRegions,
  NotSimulated,
  // compiling
  NoFile,
  NotSaved,
  InferredCommand,
  NoCompileCommand,
  Unoptimized,
  // the target and its model
  InferredTarget,
  MissingFeature,
  UnknownCpu,
  UnknownFeature,
  AssumedCpu,
  NoSchedulingModel,
  BorrowedModel,
  SharedModel,
  CalibrationUnusable,
  ProfileUnusable,
  NoSchedulingData,
  Last = NoSchedulingData
};

struct FindingKind {
  const char *code;
  Severity severity;
  const char *summary;  ///< one sentence
  bool ofSetUp = false; ///< about the set-up, often the same text for each file: --check prints it once
};

/// Every code, in the order of the documentation.
inline constexpr FindingKind kFindingKinds[] = {
    {codes::kParseError, Severity::Error, "A line of assembly could not be read."},
    {codes::kForeignDialect, Severity::Warning, "The text is written for another assembler, which is not supported."},
    {codes::kMostlyUnread, Severity::Warning,
     "Most of a text or a region could not be read, so that it has no number."},
    {codes::kUnreadableData, Severity::Warning,
     "Data that control flow runs into cannot be read as instructions, and is left out."},
    {codes::kMarkerError, Severity::Error, "A marker comment has no partner, or a name that is taken."},
    {codes::kBufferSettings, Severity::Warning, "A comment `mca:` holds something that is no setting."},
    {codes::kPointerStatement, Severity::Warning, "A comment `mca: alias` or `mca: distinct` does not fit the code."},
    {codes::kTraceError, Severity::Error, "A comment with a branch trace or a path does not fit the code."},
    {codes::kTraceRefused, Severity::Information, "The document's trace file does not fit the code, and is not used."},
    {codes::kEmptyRegion, Severity::Warning, "The compiler made no instruction for the marked lines."},
    {codes::kMarkerStopsVectorizer, Severity::Warning,
     "A marker written as `asm volatile` keeps its loop from being vectorized."},
    {codes::kLoopsElsewhere, Severity::Hint, "The code has loops that belong to no line of this file."},
    {codes::kTooManyRegions, Severity::Warning, "The text has more regions than are analysed."},
    {codes::kCompileError, Severity::Error, "The file does not compile."},
    {codes::kNotSaved, Severity::Information, "The text differs from the file, which is what would be compiled."},
    {codes::kInferredCommand, Severity::Information, "The compile command is that of another file."},
    {codes::kNoCompileCommand, Severity::Information, "No compile command names the file.", true},
    {codes::kUnoptimized, Severity::Information, "The compile command does not optimize.", true},
    {codes::kInferredTarget, Severity::Information, "The target is inferred from the text or its CPU.", true},
    {codes::kMissingFeature, Severity::Warning, "Instructions need a feature that the CPU lacks."},
    {codes::kUnknownTarget, Severity::Error, "LLVM has no such target."},
    {codes::kUnknownCpu, Severity::Error, "LLVM knows no CPU of that name for the target."},
    {codes::kUnknownFeature, Severity::Warning, "LLVM knows no feature of that name for the target.", true},
    {codes::kAssumedCpu, Severity::Information, "Nothing names the CPU, so this machine's is simulated.", true},
    {codes::kNoSchedulingModel, Severity::Warning, "LLVM has no scheduling model for the CPU.", true},
    {codes::kBorrowedModel, Severity::Information, "The CPU is simulated on another CPU's scheduling model.", true},
    {codes::kCalibrationUnusable, Severity::Warning, "A calibration cannot be used, so the numbers are LLVM's.", true},
    {codes::kProfileUnusable, Severity::Warning, "A profile cannot be used, so loops have no shares of time.", true},
    {codes::kAssumedVectorType, Severity::Information,
     "A RISC-V vector instruction is simulated without its vector type being known."},
    {codes::kNoSchedulingData, Severity::Warning, "An instruction has no scheduling data and is left out."},
    {codes::kNotSimulated, Severity::Warning, "A region cannot be simulated."},
    {codes::kResourceBottleneck, Severity::Information, "One unit of the CPU is busy nearly all the time."},
    {codes::kDispatchLimit, Severity::Information, "The CPU cannot dispatch the micro-ops any faster."},
    {codes::kRegisterDependency, Severity::Information,
     "A chain of registers from one iteration to the next takes nearly all the time."},
    {codes::kMemoryDependency, Severity::Information,
     "Each iteration waits for a store, or the memory order, of the one before, nearly all the time."},
    {codes::kBufferLimit, Severity::Information, "A full buffer keeps the CPU from finding more to do."},
    {codes::kInOrderStall, Severity::Information,
     "The instructions of an in-order CPU wait for one thing in most of the cycles."},
    {codes::kCall, Severity::Hint, "A loop calls functions that are not simulated."},
    {codes::kIndirectJump, Severity::Information, "A region jumps to a computed address."},
    {codes::kMispredictedBranch, Severity::Information, "The mispredictions of one branch take much of a loop's time."},
    {codes::kOffPath, Severity::Hint, "A line is not on the path of the loop that the hint shows."},
    {codes::kBudgetExceeded, Severity::Warning, "A region is slower than the budget below its marker allows."},
    {codes::kBudgetUnchecked, Severity::Warning, "A budget could not be checked."},
    {codes::kSlowerThanBaseline, Severity::Warning, "A region is slower than in the baseline."},
    {codes::kRegionSlower, Severity::Information, "A region is slower than at the last save or in git's `HEAD`."},
    {codes::kWorkerCrashed, Severity::Warning, "The analysis crashed."},
    {codes::kAnalysisTimeout, Severity::Warning, "The analysis took too long and was ended."},
    {codes::kOutOfMemory, Severity::Warning, "The analysis ran out of memory."},
    {codes::kNotAnalysed, Severity::Error, "A file could not be read or analysed."},
    {codes::kConfigUnreadable, Severity::Error, "A configuration file is not JSON, or cannot be read."},
    {codes::kConfigUnknownKey, Severity::Warning, "A configuration file has a key that is no setting."},
    {codes::kConfigBadValue, Severity::Error, "A setting in a configuration file has a wrong value."},
    {codes::kConfigNotAllowed, Severity::Warning, "A folder's configuration sets what only the user may set."},
};

/// The kind with that code, or null.
constexpr const FindingKind *findFindingKind(std::string_view code) {
  for (const FindingKind &kind : kFindingKinds)
    if (code == kind.code)
      return &kind;
  return nullptr;
}

/// Information for a code that is not in the table.
constexpr Severity severityOf(std::string_view code) {
  const FindingKind *kind = findFindingKind(code);
  return kind ? kind->severity : Severity::Information;
}

} // namespace analysis::wire
