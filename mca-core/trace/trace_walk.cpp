#include "mca-core/trace/trace_walk.h"

#include "mca-core/trace/trace_lexer.h"

#include <algorithm>

namespace mca {

using Kind = TraceToken::Kind;

// ---- tokens --------------------------------------------------------------------------------------------------------

TokenCursor::TokenCursor(const TraceText &text, TraceSequence sequence)
    : nodes_(text.nodes), at_(sequence.begin), end_(sequence.end) {
  enterGroups();
}

void TokenCursor::enterGroups() {
  for (; at_ < end_ && nodes_[at_].token == TraceNode::kGroup; ++at_)
    groups_.push_back({at_, nodes_[at_].repeats});
  if (at_ < end_)
    remaining_ = nodes_[at_].repeats;
}

void TokenCursor::advance() {
  if (--remaining_ > 0)
    return;
  ++at_;
  while (!groups_.empty() && at_ == nodes_[groups_.back().node].end) {
    if (--groups_.back().remaining > 0) {
      at_ = groups_.back().node + 1;
      break;
    }
    groups_.pop_back();
  }
  enterGroups();
}

// ---- the start -----------------------------------------------------------------------------------------------------

TraceWalk::TraceWalk(const TokenTargets &targets, const TraceStatement &trace)
    : targets_(&targets), branches_(&targets.branches()), tokens_(targets.text(), trace.sequence),
      position_(trace.position) {
  start(trace);
  start_ = at_;
}

void TraceWalk::start(const TraceStatement &trace) {
  if (!findEntry(trace) || tokens_.isAtEnd())
    return;
  const uint32_t token = tokens_.node().token, place = targets_->placeOf(token);
  at_ = entry_;
  if (place != kNone && trace.function.empty())
    entry_ = branches_->functions()[branches_->functionOf(place)].entry;
  const bool isPlaced = place != kNone && branches_->functionOf(place) == branches_->functionOf(entry_);
  if (!isPlaced && targets_->token(token).kind != Kind::Entry)
    return;
  takeToken();
  if (isPlaced)
    at_ = place;
  if (isEnding_)
    at_ = kNone;
}

bool TraceWalk::findEntry(const TraceStatement &trace) {
  const auto functions = branches_->functions();
  const auto failHere = [&](std::string message) {
    error_ = {trace.position, std::move(message)};
    return false;
  };
  if (functions.empty())
    return failHere("the assembly text has no instructions");
  if (!trace.function.empty()) {
    entry_ = branches_->placeOf(trace.function);
    return entry_ != kNone || failHere("the assembly text has no function " + quoted(trace.function));
  }
  const auto named =
      std::find_if(functions.begin(), functions.end(), [](const auto &one) { return !one.name.empty(); });
  entry_ = named == functions.end() ? functions.front().entry : named->entry;
  return true;
}

// ---- branches ------------------------------------------------------------------------------------------------------

/// Executes a branch, an instruction in a delay slot or the last one of a section.
bool TraceWalk::executeOther(TraceStep &step) {
  if (!isInDelaySlot_ && branches_->kindOf(at_) != BranchKind::None)
    return executeBranch(step);
  moveTo(isInDelaySlot_ ? afterDelaySlot_ : branches_->next(at_));
  isInDelaySlot_ = false;
  return true;
}

bool TraceWalk::executeBranch(TraceStep &step) {
  step.kind = branches_->kindOf(at_);
  switch (step.kind) {
  case BranchKind::Jump:
    step.taken = true;
    step.target = branches_->at(at_).target;
    return executeJump(step);
  case BranchKind::Trap:
    return fail("execution ends in " + lineOf(at_) + ", but the trace goes on");
  default:
    return executeWithToken(step);
  }
}

bool TraceWalk::executeJump(const TraceStep &step) {
  const Branch &jump = branches_->at(at_);
  if (isInEndlessLoop())
    return fail("the jump in " + lineOf(at_) + " is in a loop without a branch that takes a token");
  if (step.target != kNone)
    return goTo(at_, step.target);
  if (!jump.symbol || branches_->isPrivate(jump.symbolName()))
    return fail("the target of the jump in " + lineOf(at_) + " is not a label of the assembly text");
  return returnFrom(at_);
}

/// Without tokens, the next instruction depends on the last one alone: a jump that comes again comes forever. Brent's
/// algorithm compares each with one before it, the first, second, fourth, … since the last token.
bool TraceWalk::isInEndlessLoop() {
  if (jumps_++ > 0 && at_ == anchor_)
    return true;
  if (jumps_ == nextAnchor_) {
    anchor_ = at_;
    nextAnchor_ *= 2;
  }
  return false;
}

bool TraceWalk::executeWithToken(TraceStep &step) {
  const uint32_t branch = at_, token = tokens_.node().token;
  const BranchOutcome outcome = targets_->outcomeOf(branch, token);
  if (!outcome.isValid)
    return fail(targets_->whyInvalid(branch, token));
  takeToken();
  step.taken = outcome.taken;
  step.target = outcome.taken ? outcome.target : kNone;
  if (!outcome.taken)
    return goTo(branch, outcome.target);
  switch (step.kind) {
  case BranchKind::Call:
  case BranchKind::IndirectCall:
    return call(step);
  case BranchKind::Return:
    return returnFrom(branch);
  default:
    return outcome.target >= BranchOutcome::kOutside ? returnFrom(branch) : goTo(branch, outcome.target);
  }
}

bool TraceWalk::call(const TraceStep &step) {
  const uint32_t back = branches_->at(step.instruction).fallThrough;
  if (step.target >= BranchOutcome::kOutside)
    return goTo(step.instruction, back);
  // A call of what follows it only pushes the address, as 32-bit x86 code does to know where it is.
  if (step.target != back) {
    if (returns_.size() == kMaxCalls)
      return fail("the call in " + lineOf(step.instruction) + " is nested deeper than " + std::to_string(kMaxCalls) +
                  " calls");
    returns_.push_back(back);
  }
  return goTo(step.instruction, step.target);
}

/// Returns to the caller. If that is unknown, the trace has to start again or to end.
bool TraceWalk::returnFrom(uint32_t branch) {
  if (!returns_.empty()) {
    const uint32_t back = returns_.back();
    returns_.pop_back();
    // Returns are no endless loop: there are as many as there were calls.
    jumps_ = 0;
    nextAnchor_ = 1;
    return goTo(branch, back);
  }
  if (isEnding_)
    return goTo(branch, kNone);
  const TraceToken &token = targets_->token(tokens_.node().token);
  if (token.kind != Kind::Entry)
    return fail("the trace is out of its function after " + lineOf(branch) + ": expected `ENTRY` or the end, found " +
                quoted(textOf(token)));
  takeToken();
  return goTo(branch, entry_);
}

/// Continues at the destination, after the delay slot of the branch.
bool TraceWalk::goTo(uint32_t branch, uint32_t destination) {
  const uint32_t slot = branches_->next(branch);
  const uint32_t after = isEnding_ ? kNone : destination;
  isInDelaySlot_ = branches_->at(branch).hasDelaySlot && slot != kNone;
  if (isInDelaySlot_) {
    afterDelaySlot_ = after;
    at_ = slot;
  } else {
    moveTo(after);
  }
  return true;
}

void TraceWalk::takeToken() {
  tokens_.advance();
  isEnding_ = tokens_.isAtEnd();
  jumps_ = 0;
  nextAnchor_ = 1;
}

bool TraceWalk::fail(std::string message) {
  error_ = {tokens_.isAtEnd() ? position_ : tokens_.node().position, std::move(message)};
  at_ = kNone;
  return false;
}

void TraceWalk::failAtEndOfText() {
  fail("the code ends after " + lineOf(at_) + ", but the trace goes on");
}

} // namespace mca
