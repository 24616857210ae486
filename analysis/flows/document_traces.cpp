#include "analysis/flows/document_traces.h"

#include "analysis/wire/finding_codes.h"
#include "mca-core/program/encoded_sizes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <array>

namespace analysis {
namespace {

/// A hash of the branches of a walk, which is computed of many at a time.
class WalkDigest {
public:
  void add(const mca::TraceStep &step, uint32_t entry) {
    // Counted from the entry: an edit above the function changes nothing.
    const bool isInside = step.taken && step.target < mca::BranchOutcome::kOutside;
    values_[used_++] = uint64_t{step.instruction - entry} << 32 | (isInside ? step.target - entry : step.target);
    if (used_ == values_.size())
      flush();
  }
  uint64_t take() {
    flush();
    return values_.front();
  }

private:
  void flush() {
    const auto *bytes = reinterpret_cast<const uint8_t *>(values_.data());
    values_.front() = llvm::xxh3_64bits(llvm::ArrayRef(bytes, used_ * sizeof(uint64_t)));
    used_ = 1;
  }

  std::array<uint64_t, 1024> values_{}; ///< the first one is the hash of those before
  size_t used_ = 1;
};

} // namespace

DocumentTraces::DocumentTraces(Context context, std::shared_ptr<const TraceFile> file,
                               const std::vector<TraceComment> &comments)
    : context_(std::move(context)), file_(std::move(file)) {
  constexpr size_t kMaxComments = 100;
  for (const TraceComment &comment : llvm::ArrayRef(comments).take_front(kMaxComments))
    if (!comment.isPath)
      readComment(comment);
  for (const Comment &comment : comments_)
    tracesLeft_ += comment.text.traces.size();
  if (const auto *text = file_ ? std::get_if<mca::TraceText>(&file_->text) : nullptr)
    tracesLeft_ += text->traces.size();
  const WalkCache::Key key = keyOfWalks();
  known_ = context_.walks.find(key);
  for (const Comment &comment : comments_)
    addComment(comment);
  if (file_)
    addFile();
  if (!known_ && !walks_.empty() && !context_.stop.stop_requested())
    context_.walks.insert(key, std::make_shared<WalkCache::Entry::element_type>(std::move(walks_)));
}

// ---- comments ------------------------------------------------------------------------------------------------------

void DocumentTraces::readComment(const TraceComment &comment) {
  const TextLines &lines = context_.map.lines();
  const uint32_t line = lines.lineOf(comment.at.begin);
  const mca::TracePosition start{.line = line + 1, .column = comment.at.begin - lines.range(line).begin + 1};
  auto read = mca::readTraceStatement(lines.text().substr(comment.at.begin, comment.at.end - comment.at.begin), start);
  if (const auto *error = std::get_if<mca::TraceError>(&read))
    return reject(*error, comment);
  mca::TraceText &text = std::get<mca::TraceText>(read);
  if (text.traces.empty())
    return reject({start, "expected a trace: `trace kern: (.L3 T .)x100`"}, comment);
  for (mca::TraceStatement &statement : text.traces)
    if (statement.function.empty())
      statement.function = functionAfter(line + 1);
  comments_.push_back({&comment, std::move(text)});
}

void DocumentTraces::addComment(const Comment &comment) {
  const mca::TokenTargets &targets = targets_.emplace_back(context_.branches, comment.text);
  for (const mca::TraceStatement &statement : comment.text.traces)
    if (const auto error = walk(targets, statement, nullptr))
      return reject(*error, *comment.comment);
}

/// The function that the next instruction in the text belongs to, or else the last one.
std::string DocumentTraces::functionAfter(uint32_t line) const {
  uint32_t next = mca::kNone, nextLine = ~0u;
  for (uint32_t i = 0; i < context_.branches.size(); ++i)
    if (const auto place = context_.map.placeOf(i); place && place->line >= line && place->line < nextLine) {
      next = i;
      nextLine = place->line;
    }
  if (next == mca::kNone && context_.branches.size() > 0)
    next = context_.branches.size() - 1;
  return next == mca::kNone ? std::string()
                            : std::string(context_.branches.functions()[context_.branches.functionOf(next)].name);
}

void DocumentTraces::reject(const mca::TraceError &error, const TraceComment &comment) {
  wire::ByteRange at = comment.at;
  const TextLines &lines = context_.map.lines();
  if (error.position.line) {
    const uint32_t begin = lines.range(error.position.line - 1).begin + error.position.column - 1;
    at.begin = std::clamp(begin, at.begin, at.end);
    const size_t end = lines.text().find_first_of(" \t", at.begin);
    at.end = static_cast<uint32_t>(std::min<size_t>(end, at.end));
  }
  findings_.push_back(
      wire::makeFinding(at, wire::codes::kTraceError, {wire::Sentence::TraceProblem, operandsOf(error)}));
}

/// The message, and whether it names a line of another text than the user's.
std::vector<std::string> DocumentTraces::operandsOf(const mca::TraceError &error) const {
  const bool isInOtherText = error.message.find(" line ") != std::string::npos &&
                             context_.branches.program().text() != context_.map.lines().text();
  return {error.message, isInOtherText ? "1" : ""};
}

// ---- the file ------------------------------------------------------------------------------------------------------

void DocumentTraces::addFile() {
  const auto refuse = [&](const mca::TraceError &error, bool isRead) {
    const mca::TracePosition at = error.position;
    std::vector<std::string> operands = operandsOf(error);
    operands.push_back(llvm::sys::path::filename(file_->path).str());
    operands.push_back(at.line ? std::to_string(at.line) + ":" + std::to_string(at.column) + ": " : "");
    operands.push_back(isRead ? "1" : "");
    findings_.push_back(wire::makeFinding(context_.map.lines().content(0), wire::codes::kTraceRefused,
                                          {wire::Sentence::TraceFileProblem, std::move(operands)}));
  };
  if (const auto *error = std::get_if<mca::TraceError>(&file_->text))
    return refuse(*error, false);
  const auto &text = std::get<mca::TraceText>(file_->text);
  if (!context_.isFileBeside && isOfOtherText(text))
    return;
  const size_t ofComments = traces_.size();
  if (const auto error = readFile(text)) {
    traces_.resize(ofComments);
    refuse(*error, true);
  }
}

bool DocumentTraces::isOfOtherText(const mca::TraceText &text) const {
  const auto isElsewhere = [&](const auto &statement) {
    return !statement.function.empty() && context_.branches.placeOf(statement.function) == mca::kNone;
  };
  return llvm::all_of(text.traces, isElsewhere) && llvm::all_of(text.edges, isElsewhere) &&
         llvm::all_of(text.blocks, isElsewhere) &&
         llvm::all_of(text.paths, [&](const mca::WeightedPath &one) { return isElsewhere(one.path); });
}

std::optional<mca::TraceError> DocumentTraces::readFile(const mca::TraceText &text) {
  const mca::TokenTargets &targets = targets_.emplace_back(
      context_.branches, text, mca::encodedSizes(context_.branches.target(), context_.branches.program()));
  for (const mca::TraceStatement &statement : text.traces)
    if (auto error = walk(targets, statement, file_))
      return error;
  auto counts = mca::findCounts(targets);
  if (auto *error = std::get_if<mca::TraceError>(&counts))
    return std::move(*error);
  counts_ = std::get<mca::ProfileCounts>(std::move(counts));
  measured_ = mca::measuredBranches(counts_.edges);
  return std::nullopt;
}

// ---- walks ---------------------------------------------------------------------------------------------------------

/// All that the walks depend on.
WalkCache::Key DocumentTraces::keyOfWalks() const {
  std::string blob;
  const auto add = [&](auto number) { blob.append(reinterpret_cast<const char *>(&number), sizeof number); };
  const auto addText = [&](std::string_view text) {
    add(text.size());
    blob += text;
  };
  const llvm::XXH128_hash_t text = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(context_.branches.program().text()));
  add(text.low64);
  add(text.high64);
  addText(context_.branches.target().triple().str());
  addText(context_.branches.target().cpu());
  addText(context_.branches.target().features());
  add(file_ ? file_->digest : 0);
  add(context_.isFileBeside);
  for (const auto &[comment, read] : comments_) {
    addText(context_.map.lines().text().substr(comment->at.begin, comment->at.end - comment->at.begin));
    for (const mca::TraceStatement &statement : read.traces) {
      add(statement.position.line);
      add(statement.position.column);
      addText(statement.function);
    }
  }
  return llvm::xxh3_128bits(llvm::arrayRefFromStringRef(blob));
}

/// Does nothing when all steps are used up: such traces are not known.
std::optional<mca::TraceError> DocumentTraces::walk(const mca::TokenTargets &targets,
                                                    const mca::TraceStatement &statement,
                                                    std::shared_ptr<const TraceFile> file) {
  if (known_ ? next_ == known_->size() : stepsLeft_ == 0)
    return std::nullopt;
  if (!known_)
    walks_.push_back(std::make_shared<const WalkedPart>(walkPart(targets, statement)));
  // The same traces come in the same order.
  const std::shared_ptr<const WalkedPart> &walked = known_ ? (*known_)[next_++] : walks_.back();
  if (walked->error || !walked->steps)
    return walked->error;
  traces_.push_back(
      {.targets = &targets,
       .statement = &statement,
       .file = std::move(file),
       .function = std::string(context_.branches.functions()[context_.branches.functionOf(walked->entry)].name),
       .walked = walked});
  return std::nullopt;
}

WalkedPart DocumentTraces::walkPart(const mca::TokenTargets &targets, const mca::TraceStatement &statement) {
  constexpr uint64_t kLeastShare = 100'000, kStopEach = 1 << 16, kPreparation = 50;
  // Preparing a walk costs time, too: a file may have a million statements.
  const uint64_t share = std::max(stepsLeft_ / tracesLeft_--, kLeastShare);
  stepsLeft_ -= std::min<uint64_t>(stepsLeft_, kPreparation + context_.branches.size() / 8);
  const uint64_t limit = std::min(stepsLeft_, share);
  WalkedPart part;
  if (limit == 0)
    return part;
  mca::TraceWalk walk(targets, statement);
  part.entry = walk.entry();
  std::vector<bool> isExecuted(context_.branches.size());
  WalkDigest digest;
  for (mca::TraceStep step; part.steps < limit && walk.next(step); ++part.steps) {
    if (part.steps % kStopEach == 0 && context_.stop.stop_requested())
      return {};
    if (!isExecuted[step.instruction]) {
      isExecuted[step.instruction] = true;
      part.executed.push_back(step.instruction);
    }
    if (step.kind != mca::BranchKind::None)
      digest.add(step, part.entry);
  }
  stepsLeft_ -= part.steps;
  part.error = walk.error();
  llvm::sort(part.executed);
  part.digest = digest.take();
  return part;
}

} // namespace analysis
