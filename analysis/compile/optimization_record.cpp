// A loop's reasons, which are analyses, come before the remark that closes them: a missed or passed vectorization,
// which names the loop's head. A reason itself names the instruction that it is about.
#include "analysis/compile/optimization_record.h"

#include "analysis/compile/compiler_messages.h"
#include "analysis/compile/paths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Remarks/BitstreamRemarkContainer.h"
#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkFormat.h"
#include "llvm/Remarks/RemarkParser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <optional>
#include <tuple>
#include <utility>

namespace analysis {
namespace {

namespace remarks = llvm::remarks;
using llvm::StringRef;
using Kind = LoopRemark::Kind;

constexpr size_t kMaxRemarks = 20'000;

constexpr const char *kRecordFile = "-opt-record-file";

/// Remarks about loops of `#pragma clang loop vectorize(enable)` have an empty pass.
constexpr StringRef kPasses[] = {"",    "loop-vectorize", "slp-vectorizer", "licm",
                                 "gvn", "loop-unroll",    "loop-idiom",     "loop-delete"};
/// Those and few others. clang matches it for each remark that any pass could make; the names in full took it 7 % of a
/// file with many, as LLVM's expressions are slow from 64 states on.
constexpr const char *kPassExpression = "^([gls]|$)";
constexpr StringRef kVectorizer = "loop-vectorize";
/// The missed vectorization whose reasons came before it.
constexpr StringRef kNoReason = "MissedDetails";
/// Analyses that no missed vectorization need follow. They name the loop's head.
constexpr StringRef kLast[] = {"AllDisabled", "PotentiallyFaultingLoadsNotSupported",
                               "UncountableEarlyExitLoopsDisabled", "UncountableEarlyExitUnsupported",
                               "VectorizationNotBeneficial"};
constexpr StringRef kInterleaving = "Interleaving";
/// An analysis of a loop that was vectorized before.
constexpr StringRef kAfterwards = "VectorMixedPrecision";

const remarks::Argument *findArgument(const remarks::Remark &remark, StringRef key) {
  const auto found = llvm::find_if(remark.Args, [&](const remarks::Argument &one) { return one.Key == key; });
  return found == remark.Args.end() ? nullptr : found;
}

/// The number of an argument; 0 if there is none.
uint32_t numberOf(const remarks::Remark &remark, StringRef key) {
  const remarks::Argument *argument = findArgument(remark, key);
  return argument ? argument->getValAsInt<uint32_t>().value_or(0) : 0;
}

/// What a pass did to a loop.
std::optional<LoopRemark> loopRemarkOf(const remarks::Remark &remark) {
  const StringRef pass = remark.PassName, name = remark.RemarkName;
  if (remark.RemarkType != remarks::Type::Passed)
    return std::nullopt;
  if (pass == "loop-idiom") {
    const remarks::Argument *callee = findArgument(remark, "NewFunction");
    if (!callee)
      return std::nullopt;
    return LoopRemark{.kind = Kind::LibraryCall, .callee = libraryFunctionOf(callee->Val)};
  }
  if (pass == "loop-delete")
    return LoopRemark{.kind = name == "NeverExecutes" ? Kind::NeverRuns : Kind::Deleted, .callee = {}};
  if (name == "PartialUnrolled")
    return LoopRemark{.kind = Kind::Unrolled, .unroll = numberOf(remark, "UnrollCount"), .callee = {}};
  if (name == "FullyUnrolled")
    return LoopRemark{.kind = Kind::FullyUnrolled, .unroll = numberOf(remark, "UnrollCount"), .callee = {}};
  if (name == "Interleaved")
    return LoopRemark{.kind = Kind::Interleaved, .interleave = numberOf(remark, "InterleaveCount"), .callee = {}};
  const remarks::Argument *factor = findArgument(remark, "VectorizationFactor");
  if (name != "Vectorized" || !factor)
    return std::nullopt;
  StringRef width = factor->Val;
  LoopRemark made{
      .scalable = width.consume_front("vscale x "), .interleave = numberOf(remark, "InterleaveCount"), .callee = {}};
  if (width.getAsInteger(10, made.width))
    made.width = 0;
  return made;
}

/// Absolute paths of the files that a record names.
class FileNames {
public:
  explicit FileNames(const CompileCommand &command) : command_(command) {}

  const std::string &pathOf(StringRef name) {
    const auto [entry, isNew] = known_.try_emplace(name);
    if (isNew)
      entry->second = find(name);
    return entry->second;
  }

private:
  /// clang leaves out the folder that a file shares with the working directory (CGDebugInfo), except for the root.
  std::string find(StringRef name) const {
    namespace path = llvm::sys::path;
    if (name.empty() || name.front() == '<')
      return name.str();
    if (path::is_absolute(name))
      return absolutePath(name, "/");
    for (const bool wantsCompiled : {true, false})
      for (StringRef folder = command_.directory; folder.size() > 1; folder = path::parent_path(folder))
        if (std::string file = absolutePath(name, folder);
            wantsCompiled ? file == command_.compiledFile : llvm::sys::fs::exists(file))
          return file;
    return absolutePath(name, command_.directory);
  }

  const CompileCommand &command_;
  llvm::StringMap<std::string> known_;
};

/// Sorts the remarks of a record.
class RecordReader {
public:
  explicit RecordReader(const CompileCommand &command) : files_(command) {}

  void read(const remarks::Remark &remark) {
    const StringRef pass = remark.PassName;
    if (!llvm::is_contained(kPasses, pass))
      return;
    const bool isVectorizer = pass.empty() || pass == kVectorizer;
    std::optional<LoopRemark> done = loopRemarkOf(remark);
    if (isVectorizer)
      readVectorizer(remark);
    else if (remark.RemarkType == remarks::Type::Missed && record_.missed.size() < kMaxRemarks)
      record_.missed.push_back(missedOf(remark));
    const RemarkPlace at = placeOf(remark.Loc);
    if (!done || at.path.empty() || record_.loops.size() == kMaxRemarks)
      return;
    std::tie(done->path, done->line, done->column) = std::tie(at.path, at.line, at.column);
    record_.loops.push_back(std::move(*done));
  }

  OptimizationRecord take() { return std::move(record_); }

private:
  void readVectorizer(const remarks::Remark &remark) {
    if (remark.RemarkName == kAfterwards)
      return;
    const bool isDone = remark.RemarkType == remarks::Type::Passed;
    const bool isMissed = remark.RemarkType == remarks::Type::Missed;
    const bool isLast = remark.RemarkName.starts_with(kInterleaving) || llvm::is_contained(kLast, remark.RemarkName);
    std::vector<MissedRemark> &open = open_[remark.FunctionName];
    if (!isDone && remark.RemarkName != kNoReason)
      open.push_back(missedOf(remark));
    if (!isMissed && !isDone && !isLast)
      return;
    VectorizerDecision decision{.function = remark.FunctionName.str(),
                                .head = placeOf(remark.Loc),
                                .vectorized = isDone && remark.RemarkName == "Vectorized",
                                .reasons = std::exchange(open, {})};
    std::vector<VectorizerDecision> &all = record_.decisions;
    const bool continues = (isLast || isDone) && !all.empty() && all.back().head == decision.head &&
                           all.back().function == decision.function && !all.back().vectorized && !decision.vectorized;
    if (continues)
      llvm::append_range(all.back().reasons, decision.reasons);
    else if (all.size() < kMaxRemarks && decision.head.line)
      all.push_back(std::move(decision));
  }

  RemarkPlace placeOf(const std::optional<remarks::RemarkLocation> &at) {
    if (!at)
      return {};
    return {files_.pathOf(at->SourceFilePath), at->SourceLine, at->SourceColumn};
  }

  MissedRemark missedOf(const remarks::Remark &remark) {
    MissedRemark missed{.pass = (remark.PassName.empty() ? kVectorizer : remark.PassName).str(),
                        .name = remark.RemarkName.str(),
                        .function = remark.FunctionName.str(),
                        .at = placeOf(remark.Loc),
                        .text = remark.getArgsAsMsg(),
                        .arguments = {}};
    for (const remarks::Argument &argument : remark.Args)
      if (argument.Key != "String" && !argument.Val.empty())
        missed.arguments.push_back({argument.Key.str(), argument.Val.str(), placeOf(argument.Loc)});
    return missed;
  }

  FileNames files_;
  OptimizationRecord record_;
  llvm::StringMap<std::vector<MissedRemark>> open_; // reasons about a loop whose head is not known yet, by function
};

} // namespace

std::vector<std::string> recordFlags(std::string_view format) {
  // The driver's own flags for this also turn the line directives into line tables. A file under /proc cannot be
  // removed, as clang does with a file of a compile that failed.
  std::vector<std::string> flags;
  for (const std::string_view flag :
       {std::string_view(kRecordFile), std::string_view("/proc/self/fd/2"), std::string_view("-opt-record-format"),
        format, std::string_view("-opt-record-passes"), std::string_view(kPassExpression)})
    flags.insert(flags.end(), {"-Xclang", std::string(flag)});
  return flags;
}

bool removeRemarkFlags(std::vector<std::string> &arguments) {
  if (std::erase(arguments, kLoopMessagesFlag))
    return true;
  const auto file = llvm::find(arguments, kRecordFile);
  if (file == arguments.begin() || file == arguments.end())
    return false;
  const auto begin = std::prev(file);
  arguments.erase(begin, begin + static_cast<ptrdiff_t>(recordFlags("").size()));
  return true;
}

bool writesRecord(const std::vector<std::string> &arguments) {
  return llvm::is_contained(arguments, kRecordFile);
}

PrintedRecord splitRecord(std::string_view errors) {
  size_t record = errors.size();
  for (const std::string_view begin : {std::string_view(remarks::ContainerMagic), std::string_view("--- !")})
    for (size_t at = errors.find(begin); at < record; at = errors.find(begin, at + 1))
      if (at == 0 || errors[at - 1] == '\n')
        record = at;
  return {errors.substr(0, record), errors.substr(record)};
}

OptimizationRecord readRecord(std::string_view record, const CompileCommand &command) {
  RecordReader reader(command);
  const StringRef text = record;
  if (text.empty())
    return {};
  const bool isBitstream = text.starts_with(remarks::ContainerMagic);
  auto parser = remarks::createRemarkParser(isBitstream ? remarks::Format::Bitstream : remarks::Format::YAML, text);
  if (!parser) {
    llvm::consumeError(parser.takeError());
    return {};
  }
  while (true) {
    llvm::Expected<std::unique_ptr<remarks::Remark>> remark = (*parser)->next();
    if (!remark) {
      llvm::consumeError(remark.takeError()); // the end, too
      return reader.take();
    }
    reader.read(**remark);
  }
}

} // namespace analysis
