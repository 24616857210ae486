#include "mca-core/trace/profile_counts.h"

#include "mca-core/trace/trace_lexer.h"
#include "mca-core/trace/trace_walk.h"

#include "llvm/Support/MathExtras.h"

#include <compare>
#include <map>
#include <optional>
#include <set>

namespace mca {
namespace {

constexpr uint64_t kMaxPathInstructions = uint64_t{1} << 24;

/// Branches whose outcomes a path decides.
bool endsPathEdge(BranchKind kind) {
  return kind == BranchKind::ConditionalJump || kind == BranchKind::IndirectJump;
}

class Finder {
public:
  explicit Finder(const TokenTargets &targets) : targets_(targets), branches_(targets.branches()) {}

  std::variant<ProfileCounts, TraceError> run() {
    for (const TraceEdge &edge : targets_.text().edges)
      if (!findEdge(edge))
        return *error_;
    for (const BlockCount &block : targets_.text().blocks)
      if (!findBlock(block))
        return *error_;
    std::set<uint32_t> functionsWithEdges;
    for (const EdgeCount &edge : counts_.edges)
      functionsWithEdges.insert(branches_.functionOf(edge.branch));
    for (const WeightedPath &path : targets_.text().paths)
      if (!walkPath(path, functionsWithEdges))
        return *error_;
    for (const auto &[edge, count] : ofPaths_)
      counts_.edges.push_back({edge.branch, {true, edge.taken, edge.target}, count});
    return std::move(counts_);
  }

private:
  bool fail(TracePosition position, std::string message) {
    error_ = {position, std::move(message)};
    return false;
  }

  /// Checks that a token names an instruction of a function.
  bool isIn(const std::string &function, TracePosition statement, uint32_t token, TracePosition position) {
    const uint32_t entry = branches_.placeOf(function), place = targets_.placeOf(token);
    if (entry == kNone)
      return fail(statement, "the assembly text has no function " + quoted(function));
    if (place == kNone)
      return fail(position, targets_.whyNoPlace(token));
    return branches_.functionOf(place) == branches_.functionOf(entry) ||
           fail(position, quoted(textOf(targets_.token(token))) + " is not in " + quoted(function));
  }

  bool findEdge(const TraceEdge &edge);
  BranchOutcome outcomeOf(uint32_t branch, uint32_t token) const;

  bool findBlock(const BlockCount &block) {
    if (!isIn(block.function, block.position, block.block, block.blockPosition))
      return false;
    counts_.blocks.push_back({targets_.placeOf(block.block), block.count});
    return true;
  }

  struct PathEdge {
    uint32_t branch;
    bool taken;
    uint32_t target;
    auto operator<=>(const PathEdge &) const = default;
  };
  bool walkPath(const WeightedPath &path, const std::set<uint32_t> &functionsWithEdges);

  const TokenTargets &targets_;
  const ProgramBranches &branches_;
  ProfileCounts counts_;
  std::map<PathEdge, uint64_t> ofPaths_;
  uint64_t walked_ = 0; ///< instructions of all paths
  std::optional<TraceError> error_;
};

/// Direct jumps take no tokens in a walk, but profiles may count them.
BranchOutcome Finder::outcomeOf(uint32_t branch, uint32_t token) const {
  const Branch &site = branches_.at(branch);
  if (site.kind != BranchKind::Jump)
    return targets_.outcomeOf(branch, token);
  return {site.target != kNone && site.target == targets_.placeOf(token), true, site.target};
}

bool Finder::findEdge(const TraceEdge &edge) {
  if (!isIn(edge.function, edge.position, edge.from, edge.fromPosition))
    return false;
  for (uint32_t at = targets_.placeOf(edge.from); at != kNone; at = branches_.next(at)) {
    const BranchKind kind = branches_.kindOf(at);
    if (kind == BranchKind::None)
      continue;
    const BranchOutcome outcome = outcomeOf(at, edge.to);
    if (outcome.isValid) {
      counts_.edges.push_back({at, outcome, edge.count, edge.isMeasured, edge.mispredictions});
      return true;
    }
    if (!isCall(kind))
      return fail(edge.toPosition, targets_.whyInvalid(at, edge.to));
  }
  return fail(edge.fromPosition, "there is no branch after " + quoted(textOf(targets_.token(edge.from))));
}

bool Finder::walkPath(const WeightedPath &path, const std::set<uint32_t> &functionsWithEdges) {
  TraceWalk walk(targets_, path.path);
  const uint32_t function = walk.entry() == kNone ? kNone : branches_.functionOf(walk.entry());
  const bool isCounted = !functionsWithEdges.contains(function);
  for (TraceStep step; walk.next(step);) {
    if (++walked_ > kMaxPathInstructions)
      return fail(path.path.position, "the paths until here execute more than 2^24 instructions");
    if (!isCounted || !endsPathEdge(step.kind) || branches_.functionOf(step.instruction) != function)
      continue;
    const uint32_t target = step.taken ? step.target : branches_.at(step.instruction).fallThrough;
    uint64_t &count = ofPaths_[{step.instruction, step.taken, target}];
    count = llvm::SaturatingAdd(count, path.count);
  }
  if (walk.error())
    error_ = walk.error();
  return !walk.error();
}

} // namespace

std::variant<ProfileCounts, TraceError> findCounts(const TokenTargets &targets) {
  return Finder(targets).run();
}

std::vector<MeasuredBranch> measuredBranches(std::span<const EdgeCount> edges) {
  std::map<uint32_t, MeasuredBranch> byBranch;
  for (const EdgeCount &edge : edges)
    if (edge.isMeasured) {
      MeasuredBranch &branch = byBranch[edge.branch];
      branch.instruction = edge.branch;
      branch.mispredictions += edge.mispredictions;
    }
  for (const EdgeCount &edge : edges)
    if (const auto branch = byBranch.find(edge.branch); branch != byBranch.end())
      branch->second.executions += edge.count;
  std::vector<MeasuredBranch> all;
  all.reserve(byBranch.size());
  for (const auto &[instruction, branch] : byBranch)
    all.push_back(branch);
  return all;
}

} // namespace mca
