#include "analysis/import/branch_recorder.h"

#include "analysis/import/trace_notation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace analysis {
namespace {

using mca::Branch;
using mca::BranchKind;
using mca::kNone;

constexpr uint64_t kMaxTokens = 1u << 24; ///< of all traces, before folding
constexpr uint64_t kMaxItems = 1u << 22;  ///< after folding; the format has at most 2^23
constexpr uint64_t kMinTokens = 256;      ///< of a trace in a recording with gaps
constexpr size_t kMaxDepth = 1u << 20;    ///< of calls, as in a walk
constexpr size_t kMaxThreads = 1024, kMaxTraces = 4096, kMaxEdges = 1u << 20;
constexpr unsigned kMaxStatements = 64; ///< of a function
constexpr uint64_t kPage = 4096;
constexpr uint64_t kOutside = uint64_t{1} << 63;
constexpr uint64_t kAddressBits = (uint64_t{1} << 61) - 1; ///< so that no key is one of DenseMap's own

} // namespace

BranchRecorder::BranchRecorder(const mca::Program &program, const mca::ProgramBranches &branches,
                               const Placement &placement, const ProgramImage &image, std::set<uint32_t> chosen)
    : program_(program), branches_(branches), placement_(placement), image_(image), chosen_(std::move(chosen)) {
  if (!image.isMovable())
    base_ = 0;
  labels_ = labelNotations(program, branches);
  thread(0);
}

// ---- addresses -----------------------------------------------------------------------------------------------------

void BranchRecorder::map(const MappedSegment &segment) {
  if (!image_.isMovable())
    return;
  if (segment.size == 0 && segment.path.empty()) {
    base_ = segment.address - image_.firstCode();
    return;
  }
  const auto address = image_.addressOf(segment.fileOffset);
  if (address && llvm::sys::path::filename(segment.path) == llvm::sys::path::filename(image_.path()))
    base_ = segment.address - *address;
}

/// Finds out where the program was loaded: a function of the text is entered first at its entry.
void BranchRecorder::symbol(uint64_t address, std::string_view name) {
  if (base_)
    return;
  const uint32_t entry = branches_.placeOf(name);
  if (entry == kNone || placement_.addressOf(entry) == Placement::kNoAddress)
    return;
  if (const uint64_t distance = address - placement_.addressOf(entry); distance % kPage == 0)
    base_ = distance;
}

BranchRecorder::Destination BranchRecorder::destinationOf(uint64_t address) const {
  const uint64_t inFile = address - base_.value_or(0);
  return {inFile, placement_.instructionAt(inFile)};
}

uint64_t BranchRecorder::pageOf(uint32_t instruction) const {
  return placement_.addressOf(instruction) / kPage;
}

bool BranchRecorder::isEntry(uint32_t instruction) const {
  return branches_.functions()[branches_.functionOf(instruction)].entry == instruction;
}

// ---- the recording -------------------------------------------------------------------------------------------------

void BranchRecorder::thread(uint64_t number) {
  if (thread_ && number == threadNumber_)
    return;
  threadNumber_ = number;
  const auto known = threads_.find(number);
  if (known != threads_.end())
    thread_ = &known->second;
  else
    thread_ = threads_.size() < kMaxThreads ? &threads_[number] : nullptr;
}

void BranchRecorder::visit(uint64_t address) {
  if (base_)
    arrive(destinationOf(address), Predicted::Unknown);
}

void BranchRecorder::taken(uint64_t from, uint64_t to, Predicted predicted) {
  if (!thread_)
    return;
  const uint32_t branch = destinationOf(from).instruction;
  const Destination destination = destinationOf(to);
  if (branch == kNone) {
    if (thread_->at != kNone)
      lose();
    arrive(destination, predicted);
    return;
  }
  if (!advanceTo(branch) || !resolve(branch, destination, predicted)) {
    lose();
    land(destination);
  }
}

void BranchRecorder::notTaken(uint64_t from, Predicted predicted) {
  const uint32_t branch = destinationOf(from).instruction;
  if (!thread_ || branch == kNone || branches_.kindOf(branch) == BranchKind::None)
    return;
  const uint32_t next = branches_.at(branch).fallThrough;
  if (next == kNone || !advanceTo(branch) || !resolve(branch, {0, next}, predicted))
    lose();
}

void BranchRecorder::gap() {
  hasGaps_ = true;
  if (!thread_)
    return;
  lose();
  for (auto &[function, owner] : owners_)
    if (owner.thread == threadNumber_ && owner.open != kNone)
      endTrace(owner.open);
}

void BranchRecorder::edge(uint64_t from, uint64_t to, uint64_t count, std::optional<uint64_t> mispredictions) {
  const uint32_t branch = destinationOf(from).instruction;
  const Destination destination = destinationOf(to);
  if (branch == kNone || !isChosen(branches_.functionOf(branch)))
    return;
  const std::optional<bool> taken = outcomeOf(branch, destination);
  RecordedEdge *edge =
      taken && branches_.kindOf(branch) != BranchKind::Jump ? edgeOf(branch, destination, *taken) : nullptr;
  if (!edge)
    return;
  edge->count = llvm::SaturatingAdd(edge->count, count);
  if (!mispredictions)
    return;
  edge->measured = llvm::SaturatingAdd(edge->measured, count);
  edge->mispredictions = llvm::SaturatingAdd(edge->mispredictions, std::min(*mispredictions, count));
}

void BranchRecorder::run(uint64_t begin, uint64_t last, uint64_t count) {
  const uint32_t end = destinationOf(last).instruction;
  uint32_t at = destinationOf(begin).instruction;
  if (at == kNone || end == kNone || !isChosen(branches_.functionOf(at)))
    return;
  for (; at != end && at != kNone && branches_.functionOf(at) == branches_.functionOf(end); at = branches_.next(at)) {
    const bool mayPass = branches_.kindOf(at) == BranchKind::ConditionalJump || branches_.at(at).isPredicated;
    if (!mayPass || branches_.at(at).fallThrough == kNone)
      continue;
    if (RecordedEdge *edge = edgeOf(at, {0, branches_.at(at).fallThrough}, false))
      edge->count = llvm::SaturatingAdd(edge->count, count);
  }
}

void BranchRecorder::line(std::string_view file, std::string_view function, uint32_t line, uint64_t count) {
  if (linePlaces_.empty())
    findLines();
  const auto found = linePlaces_.find({llvm::sys::path::filename(file).str(), line});
  // Of a line with several blocks, nothing says which one executed.
  if (found == linePlaces_.end() || found->second.size() != 1)
    return;
  const uint32_t place = *found->second.begin(), itsFunction = branches_.functionOf(place);
  if (isChosen(itsFunction) && (function.empty() || function == branches_.functions()[itsFunction].name))
    blocks_[place] = std::max(blocks_[place], count);
}

void BranchRecorder::findLines() {
  std::map<uint32_t, std::string> files;
  for (const mca::LineFile &file : program_.lineFiles())
    files[file.number] = llvm::sys::path::filename(file.name).str();
  std::vector<uint32_t> leaders(branches_.size());
  for (uint32_t i = 0; i < branches_.size(); ++i)
    leaders[i] = i;
  for (uint32_t i = 0; i < branches_.size(); ++i)
    if (const uint32_t next = branches_.nextAfterPlain(i);
        next != kNone && !branches_.hasLabel(next) && branches_.functionOf(next) == branches_.functionOf(i))
      leaders[next] = leaders[i];
  for (uint32_t i = 0; i < branches_.size(); ++i)
    if (const uint32_t entry = program_.instructions()[i].line; entry != kNone && program_.lines()[entry].line)
      linePlaces_[{files[program_.lines()[entry].file], program_.lines()[entry].line}].insert(leaders[i]);
}

// ---- following it through the text ---------------------------------------------------------------------------------

void BranchRecorder::arrive(const Destination &to, Predicted predicted) {
  if (!thread_)
    return;
  if (thread_->at == kNone) {
    if (to.instruction != kNone)
      arriveFromOutside(to);
    return;
  }
  const bool follows = follow(to, predicted);
  // `rep movsb` is reached again for each of its repetitions.
  thread_->repeats = !follows && to.instruction == thread_->at;
  if (follows || thread_->repeats)
    return;
  lose();
  land(to);
}

void BranchRecorder::arriveFromOutside(const Destination &to) {
  std::vector<Frame> &frames = thread_->frames;
  const auto waits = [&](const Frame &frame) { return frame.pending == to.instruction; };
  if (!frames.empty() && !waits(frames.back()) && isEntry(to.instruction)) {
    land(to);
    return;
  }
  const auto found = std::find_if(frames.rbegin(), frames.rend(), waits);
  if (found == frames.rend()) {
    lose();
    land(to);
    return;
  }
  // A jump out of code that was called back (longjmp, an exception) leaves its frames.
  loseFrames(static_cast<size_t>(frames.rend() - found));
  frames.back().pending = kNone;
  thread_->at = to.instruction;
}

/// Begins at a place without knowing how execution came there.
void BranchRecorder::land(const Destination &to) {
  if (to.instruction == kNone)
    return;
  if (isEntry(to.instruction)) {
    if (!enter(branches_.functionOf(to.instruction), kNone, kNone))
      return;
  } else if (thread_->frames.empty()) {
    thread_->frames.emplace_back();
  }
  thread_->at = to.instruction;
}

/// Executes up to a branch without a taken one. Returns false if that is impossible.
bool BranchRecorder::advanceTo(uint32_t branch) {
  if (thread_->at == kNone) {
    lose();
    thread_->frames.emplace_back();
    thread_->at = branch;
    return true;
  }
  uint32_t at = thread_->at;
  for (uint32_t steps = 0; at != branch; ++steps) {
    if (at == kNone || steps > branches_.size())
      return false;
    const BranchKind kind = branches_.kindOf(at);
    const uint32_t next = kind == BranchKind::None ? branches_.next(at) : branches_.at(at).fallThrough;
    const bool mayPass =
        kind == BranchKind::None || kind == BranchKind::ConditionalJump || branches_.at(at).isPredicated;
    if (!mayPass || next == kNone ||
        (kind != BranchKind::None && !write(at, {0, next}, /*taken=*/false, Predicted::Unknown)))
      return false;
    at = next;
  }
  thread_->at = branch;
  return true;
}

/// Executes from here to a place, over at most one branch.
///
/// A block of qemu's ends at its first branch, whether labels are before that or not. So a place that lies before the
/// branch and is its successor, too, was reached by the branch, unless the block cannot have held it: blocks end at
/// pages and after instructions that repeat themselves. A return to code outside of the text does not come here.
bool BranchRecorder::follow(const Destination &to, Predicted predicted) {
  const uint32_t start = thread_->at;
  bool isPassed = false;
  uint32_t at = start;
  for (uint32_t steps = 0; at != kNone && steps <= branches_.size(); ++steps) {
    if (branches_.kindOf(at) != BranchKind::None)
      break;
    at = branches_.next(at);
    isPassed |= at != kNone && at == to.instruction;
  }
  const bool returnsAnywhere = at != kNone && branches_.kindOf(at) == BranchKind::Return && !thread_->frames.empty() &&
                               thread_->frames.back().returnTo == kNone;
  const bool mustPass = isPassed && (thread_->repeats || returnsAnywhere || pageOf(start) != pageOf(to.instruction));
  if (at != kNone && !mustPass && resolve(at, to, predicted))
    return true;
  if (isPassed)
    thread_->at = to.instruction;
  return isPassed;
}

/// Whether a branch was taken if execution continued at a place; nothing if it cannot have continued there.
std::optional<bool> BranchRecorder::outcomeOf(uint32_t branch, const Destination &to) const {
  const Branch &site = branches_.at(branch);
  const bool isOutside = to.instruction == kNone;
  const bool passes = site.fallThrough != kNone && to.instruction == site.fallThrough;
  const bool isDirect =
      site.kind == BranchKind::Call || site.kind == BranchKind::Jump || site.kind == BranchKind::ConditionalJump;
  if (isDirect && site.target != kNone && to.instruction == site.target)
    return true;
  if (passes && (site.kind == BranchKind::ConditionalJump || site.isPredicated))
    return false;
  switch (site.kind) {
  case BranchKind::ConditionalJump:
  case BranchKind::Jump:
    return site.target == kNone && site.symbol && isOutside ? std::optional(true) : std::nullopt;
  case BranchKind::Call:
    return site.target == kNone && (isOutside || passes) ? std::optional(true) : std::nullopt;
  case BranchKind::IndirectCall:
    return isOutside || branches_.hasLabel(to.instruction) ? std::optional(true) : std::nullopt;
  case BranchKind::IndirectJump:
    return (isOutside ? !branches_.hasTable(branch) : branches_.mayJumpTo(branch, to.instruction)) ? std::optional(true)
                                                                                                   : std::nullopt;
  case BranchKind::Return:
    return true;
  default:
    return std::nullopt;
  }
}

bool BranchRecorder::resolve(uint32_t branch, const Destination &to, Predicted predicted) {
  const std::optional<bool> taken = outcomeOf(branch, to);
  const BranchKind kind = branches_.kindOf(branch);
  if (!taken)
    return false;
  if (kind == BranchKind::Return && *taken) {
    const uint32_t back = thread_->frames.back().returnTo;
    if (back != kNone && back != to.instruction)
      return false;
  }
  if (kind != BranchKind::Jump && !write(branch, to, *taken, predicted))
    return false;
  if (!*taken) {
    thread_->at = to.instruction;
    return true;
  }
  if (isCall(kind))
    return executeCall(branch, to);
  return kind == BranchKind::Return ? executeReturn(to) : executeJump(to);
}

bool BranchRecorder::executeCall(uint32_t branch, const Destination &to) {
  const uint32_t back = branches_.at(branch).fallThrough;
  if (to.instruction == kNone) {
    thread_->frames.back().pending = back;
    thread_->at = kNone;
    return true;
  }
  // A trace begins at a function's entry, and a computed call may lead to any label.
  const uint32_t function = isEntry(to.instruction) ? branches_.functionOf(to.instruction) : kNone;
  // A call of what follows it only pushes the address. And code outside of the text may not be in the recording.
  if (to.instruction != back && !enter(function, back, thread_->frames.back().trace))
    return false;
  thread_->at = to.instruction;
  return true;
}

bool BranchRecorder::executeReturn(const Destination &to) {
  const Frame frame = leaveFrame();
  thread_->at = to.instruction;
  if (frame.returnTo == kNone && to.instruction != kNone) {
    // The caller is in the text, but its call was not recorded.
    loseFrames(0);
    thread_->frames.emplace_back();
  }
  return true;
}

/// Executes a jump, to a label or as a call at the end of a function.
bool BranchRecorder::executeJump(const Destination &to) {
  thread_->at = to.instruction;
  if (to.instruction != kNone) {
    Frame &frame = thread_->frames.back();
    if (frame.trace == kNone && isEntry(to.instruction))
      beginTrace(frame, branches_.functionOf(to.instruction));
    return true;
  }
  const Frame frame = leaveFrame();
  if (frame.returnTo != kNone)
    thread_->frames.back().pending = frame.returnTo;
  return true;
}

// ---- frames and traces ---------------------------------------------------------------------------------------------

bool BranchRecorder::enter(uint32_t function, uint32_t returnTo, uint32_t trace) {
  if (thread_->frames.size() >= kMaxDepth)
    return false;
  Frame &frame = thread_->frames.emplace_back(Frame{.returnTo = returnTo, .trace = trace});
  if (trace == kNone && function != kNone)
    beginTrace(frame, function);
  return true;
}

void BranchRecorder::beginTrace(Frame &frame, uint32_t function) {
  if (!isChosen(function) || isTruncated_)
    return;
  const auto [found, isNew] = owners_.try_emplace(function, Owner{.thread = threadNumber_});
  Owner &owner = found->second;
  if (owner.thread != threadNumber_ || owner.isActive)
    return;
  if (owner.open == kNone) {
    if (owner.statements == kMaxStatements || traces_.size() == kMaxTraces)
      return;
    ++owner.statements;
    owner.open = static_cast<uint32_t>(traces_.size());
    traces_.push_back({function, std::make_unique<TokenFolder>()});
  }
  owner.isActive = frame.beginsTrace = true;
  frame.trace = owner.open;
  traces_[frame.trace].tokens->beginCall();
  append(frame.trace, tokenNamed("ENTRY"));
}

BranchRecorder::Frame BranchRecorder::leaveFrame() {
  const Frame frame = thread_->frames.back();
  thread_->frames.pop_back();
  if (frame.beginsTrace) {
    traces_[frame.trace].tokens->endCall();
    owners_[traces_[frame.trace].function].isActive = false;
  }
  return frame;
}

/// Ends the statement of a trace. One that is too short for its kind of recording is discarded.
void BranchRecorder::endTrace(uint32_t trace) {
  Owner &owner = owners_[traces_[trace].function];
  owner.open = kNone;
  owner.isActive = false;
  if (!hasGaps_ || traces_[trace].tokens->tokens() >= kMinTokens || trace + 1 != traces_.size())
    return;
  traces_.pop_back();
  --owner.statements;
}

/// Leaves all frames but the first `kept`, without knowing how.
void BranchRecorder::loseFrames(size_t kept) {
  while (thread_->frames.size() > kept) {
    const Frame frame = thread_->frames.back();
    thread_->frames.pop_back();
    if (frame.beginsTrace)
      endTrace(frame.trace);
  }
}

void BranchRecorder::lose() {
  loseFrames(0);
  thread_->at = kNone;
}

void BranchRecorder::append(uint32_t trace, uint32_t token) {
  if (writtenTokens_ == kMaxTokens || writtenItems_ >= kMaxItems)
    isTruncated_ = true;
  if (isTruncated_)
    return;
  TokenFolder &tokens = *traces_[trace].tokens;
  const size_t before = tokens.size();
  tokens.add(token);
  ++writtenTokens_;
  writtenItems_ += tokens.size();
  writtenItems_ -= before;
}

std::vector<const RecordedTrace *> BranchRecorder::traces() const {
  std::vector<const RecordedTrace *> written;
  for (const RecordedTrace &trace : traces_)
    if (!trace.tokens->isEmpty() && (!hasGaps_ || trace.tokens->tokens() >= kMinTokens))
      written.push_back(&trace);
  return written;
}

// ---- edges ---------------------------------------------------------------------------------------------------------

/// Counts an execution of a branch, and writes its token.
bool BranchRecorder::write(uint32_t branch, const Destination &to, bool taken, Predicted predicted) {
  RecordedEdge *edge = edgeOf(branch, to, taken);
  if (!edge)
    return false;
  const uint32_t trace = thread_->frames.back().trace;
  if (trace != kNone || isChosen(branches_.functionOf(branch))) {
    ++edge->count;
    edge->measured += predicted != Predicted::Unknown;
    edge->mispredictions += predicted == Predicted::Wrong;
  }
  if (trace != kNone)
    append(trace, edge->token);
  return true;
}

/// The edge of a branch; null if there are too many.
RecordedEdge *BranchRecorder::edgeOf(uint32_t branch, const Destination &to, bool taken) {
  const BranchKind kind = branches_.kindOf(branch);
  // A return is one edge, wherever it goes, and so is a call of a named function elsewhere.
  const bool isOne = kind == BranchKind::Return || (kind == BranchKind::Call && branches_.at(branch).target == kNone);
  const uint64_t place = isOne ? 0 : to.instruction == kNone ? kOutside | (to.address & kAddressBits) : to.instruction;
  const std::pair key(branch, (place & kOutside) | (place << 1 & ~kOutside) | uint64_t{taken});
  const auto known = edges_.find(key);
  if (known != edges_.end())
    return &known->second;
  if (edges_.size() == kMaxEdges)
    return nullptr;
  return &edges_.try_emplace(key, RecordedEdge{branch, tokenNamed(tokenFor(branch, to, taken))}).first->second;
}

std::string BranchRecorder::tokenFor(uint32_t branch, const Destination &to, bool taken) const {
  const Branch &site = branches_.at(branch);
  if (!taken)
    return ".";
  if (site.kind == BranchKind::Return)
    return "RET";
  // In the text, a call may name an alias, which is no label.
  if (site.kind == BranchKind::Call && site.target == kNone)
    return quotedName(site.symbolName());
  if (to.instruction != kNone && !labels_[to.instruction].empty())
    return labels_[to.instruction];
  if (site.kind == BranchKind::ConditionalJump)
    return "T";
  const llvm::StringRef name = image_.nameAt(to.address);
  const bool isUsable = !name.empty() && branches_.placeOf(name) == kNone && !branches_.isPrivate(name);
  return quotedName(isUsable ? name.str() : "0x" + llvm::utohexstr(to.address, /*LowerCase=*/true));
}

uint32_t BranchRecorder::tokenNamed(const std::string &name) {
  const auto [known, isNew] = tokens_.try_emplace(name, static_cast<uint32_t>(names_.size()));
  if (isNew)
    names_.push_back(name);
  return known->second;
}

std::vector<RecordedEdge> BranchRecorder::edges() const {
  std::vector<RecordedEdge> edges;
  for (const auto &[key, edge] : edges_)
    if (edge.count > 0)
      edges.push_back(edge);
  llvm::sort(edges, [](const RecordedEdge &one, const RecordedEdge &other) {
    return std::pair(one.branch, one.token) < std::pair(other.branch, other.token);
  });
  return edges;
}

std::vector<RecordedBlock> BranchRecorder::blocks() const {
  std::vector<RecordedBlock> blocks;
  for (const auto &[instruction, count] : blocks_)
    blocks.push_back({instruction, count});
  return blocks;
}

} // namespace analysis
