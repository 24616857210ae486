// What the tokens of a trace mean for a program, and whether a branch can go there.
//
// Every different token is resolved once, so that the walk of a long trace compares indices. A token that names nothing
// in the program is an error only where a walk or an edge uses it.
#pragma once

#include "mca-core/program/branches.h"
#include "mca-core/program/encoded_sizes.h"
#include "mca-core/trace/trace_text.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mca {

/// Where an executed branch went.
struct BranchOutcome {
  /// Targets from here on are outside of the text: each name has its own.
  static constexpr uint32_t kOutside = 1u << 31;
  bool isValid = false; ///< otherwise the branch cannot have gone there
  bool taken = false;
  uint32_t target = kNone; ///< index of an instruction, or from kOutside on; kNone if the text ends there
};

/// Refers to the branches and the text, which must outlive it.
class TokenTargets {
public:
  /// `sizeOf` is for labels with offsets, as addresses of a binary are written: `.L3+0xa`. Offsets count from the label
  /// through the instructions of its section, without the padding of alignments. Empty: such tokens are errors.
  TokenTargets(const ProgramBranches &branches, const TraceText &text, const SizeOf &sizeOf = {});

  const ProgramBranches &branches() const { return branches_; }
  const TraceText &text() const { return text_; }
  const TraceToken &token(uint32_t token) const { return text_.tokens[token]; }
  /// The instruction that a token names, or kNone.
  uint32_t placeOf(uint32_t token) const { return resolved_[token].place; }
  /// What a branch does according to a token. `branch` must have a kind that takes tokens.
  BranchOutcome outcomeOf(uint32_t branch, uint32_t token) const {
    const Branch &site = branches_.at(branch);
    const Resolved &resolved = resolved_[token];
    // Most of the branches of a trace.
    if (site.kind == BranchKind::ConditionalJump && site.target != kNone) {
      if (resolved.kind == TraceToken::Kind::Taken || resolved.place == site.target)
        return {true, true, site.target};
      return {resolved.isNotTaken || (resolved.place != kNone && resolved.place == site.fallThrough), false,
              site.fallThrough};
    }
    return outcomeOfOther(branch, token);
  }
  /// Why a token names no instruction; empty if it names one.
  std::string whyNoPlace(uint32_t token) const;
  /// Why outcomeOf() is not valid.
  std::string whyInvalid(uint32_t branch, uint32_t token) const;

private:
  struct Resolved {
    TraceToken::Kind kind;
    bool isNotTaken; ///< says so of any branch: `.` or N
    uint32_t place;
  };
  BranchOutcome outcomeOfOther(uint32_t branch, uint32_t token) const;
  uint32_t resolve(const TraceToken &token, const SizeOf &sizeOf);
  uint32_t resolveOffset(uint32_t label, uint64_t offset, const SizeOf &sizeOf);
  void placeInstructions(const SizeOf &sizeOf);
  BranchOutcome outside(uint32_t token) const { return {true, true, BranchOutcome::kOutside + token}; }
  BranchOutcome ofConditionalTailCall(uint32_t branch, uint32_t token) const;
  BranchOutcome ofIndirect(uint32_t branch, uint32_t token) const;
  BranchOutcome ofCall(uint32_t branch, uint32_t token) const;
  bool namesOutside(uint32_t token) const;
  bool namesSymbol(const Branch &branch, uint32_t token) const;

  const ProgramBranches &branches_;
  const TraceText &text_;
  bool hasSizes_;
  std::vector<Resolved> resolved_; ///< by token
  // Once offsets are needed: all instructions, section after section, each section in the order of its addresses.
  struct Placed {
    uint32_t instruction;
    uint64_t address; ///< from the start of the first section
  };
  std::vector<Placed> placed_;
  std::vector<uint32_t> rankOf_;      ///< by instruction: its index in `placed_`
  std::vector<uint32_t> sectionEnds_; ///< indices in `placed_`, ascending
};

} // namespace mca
