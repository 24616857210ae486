// Walks a trace over a program: which instructions executed, one by one, and where each branch went.
//
// Between two branches the program says what executes, and at a branch the next token does. Exactly one token belongs
// to each executed conditional branch, indirect jump, call and return; direct jumps take none. A token that is no
// successor of its branch is an error, so a trace of another version of the code is refused and not misread.
//
//   where              token
//   start              ENTRY: the entry of the trace's function, or of the text's first one. A label or a line of that
//                      function: there. Anything else: ENTRY was left out.
//   conditional branch T or a place: taken; N, `.` or the place after the branch: not taken
//   indirect jump      a place, which the jump's table must name, or otherwise any label of its function. The name of a
//                      function elsewhere is a tail call.
//   call               the callee. If the text holds it, the walk follows it, otherwise it steps over the call.
//   return             RET. The walk continues after the call that it followed. If there is none, the trace ends or
//                      goes on with ENTRY: the function was called again.
//   predicated         on ARM, `.` or N for a call, a return or an indirect jump that was not executed
//
// A direct jump to a function elsewhere is a tail call, which returns like the function that jumps. The walk ends after
// the branch of the last token; what follows that branch until the next one is not walked.
//
// A walk takes memory only for the calls and groups that are open, at most 2^20 calls. It costs a few nanoseconds an
// instruction.
#pragma once

#include "mca-core/trace/token_targets.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mca {

/// The tokens of a sequence in the order of their execution, without expanding repeats in memory.
class TokenCursor {
public:
  TokenCursor(const TraceText &text, TraceSequence sequence);
  bool isAtEnd() const { return at_ >= end_; }
  /// The token's node, which is not a group. Not at the end.
  const TraceNode &node() const { return nodes_[at_]; }
  void advance();

private:
  struct OpenGroup {
    uint32_t node;
    uint64_t remaining; ///< runs, this one included
  };
  void enterGroups();

  std::span<const TraceNode> nodes_;
  uint32_t at_;
  uint32_t end_;
  uint64_t remaining_ = 0; ///< runs of the token, this one included
  std::vector<OpenGroup> groups_;
};

/// One executed instruction.
struct TraceStep {
  uint32_t instruction = 0; ///< index in the program
  BranchKind kind = BranchKind::None;
  bool taken = false; ///< of a branch: whether it went to its target
  /// Of a taken branch other than a return: the index of the instruction that it went to, or a number from
  /// BranchOutcome::kOutside on for each function elsewhere. What a predictor of targets has to predict.
  uint32_t target = kNone;
  bool isInScope = true; ///< whether it counts, where only a part of a trace does; see StepSource
};

/// Refers to the targets, which must outlive it. A copy continues on its own.
class TraceWalk {
public:
  TraceWalk(const TokenTargets &targets, const TraceStatement &trace);

  /// Yields the next executed instruction. Returns false at the end and after an error.
  bool next(TraceStep &step) {
    if (at_ == kNone)
      return false;
    step = {.instruction = at_};
    const uint32_t following = branches_->nextAfterPlain(at_);
    if (following == kNone)
      return executeOther(step);
    at_ = following;
    return true;
  }

  /// How many calls that the walk followed have not returned.
  size_t depth() const { return returns_.size(); }
  /// Whether the next instruction is in the delay slot of the branch before it.
  bool isInDelaySlot() const { return isInDelaySlot_; }
  /// The instruction that the trace starts with; kNone if it has an error there.
  uint32_t entry() const { return start_; }
  /// Why the walk ended early, at the place of the token in the trace's text.
  const std::optional<TraceError> &error() const { return error_; }

private:
  static constexpr size_t kMaxCalls = 1u << 20;

  void start(const TraceStatement &trace);
  bool findEntry(const TraceStatement &trace);
  bool executeOther(TraceStep &step);
  bool executeBranch(TraceStep &step);
  bool executeJump(const TraceStep &step);
  bool isInEndlessLoop();
  bool executeWithToken(TraceStep &step);
  bool call(const TraceStep &step);
  bool returnFrom(uint32_t branch);
  bool goTo(uint32_t branch, uint32_t destination);
  /// Continues at an instruction, or ends.
  void moveTo(uint32_t instruction) {
    if (instruction == kNone && !isEnding_)
      failAtEndOfText();
    at_ = instruction;
  }
  void takeToken();
  bool fail(std::string message);
  void failAtEndOfText();
  std::string lineOf(uint32_t instruction) const { return "line " + std::to_string(branches_->lineOf(instruction)); }

  const TokenTargets *targets_;
  const ProgramBranches *branches_;
  TokenCursor tokens_;
  TracePosition position_; ///< of the statement
  uint32_t entry_ = kNone;
  uint32_t start_ = kNone;
  uint32_t at_ = kNone; ///< the next instruction; kNone at the end
  bool isInDelaySlot_ = false;
  uint32_t afterDelaySlot_ = kNone; ///< where execution goes on
  bool isEnding_ = false;           ///< the last token was taken
  uint64_t jumps_ = 0;              ///< direct jumps since the last token
  uint64_t nextAnchor_ = 1;         ///< the count at which a jump becomes the anchor
  uint32_t anchor_ = kNone;         ///< an earlier jump
  std::vector<uint32_t> returns_;
  std::optional<TraceError> error_;
};

} // namespace mca
