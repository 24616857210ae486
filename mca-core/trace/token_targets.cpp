#include "mca-core/trace/token_targets.h"

#include "mca-core/trace/trace_lexer.h"

#include <algorithm>

namespace mca {
namespace {

using Kind = TraceToken::Kind;

const char *nounOf(BranchKind kind) {
  switch (kind) {
  case BranchKind::Call:
  case BranchKind::IndirectCall:
    return "call";
  case BranchKind::Return:
    return "return";
  case BranchKind::IndirectJump:
    return "indirect jump";
  default:
    return "branch";
  }
}

} // namespace

TokenTargets::TokenTargets(const ProgramBranches &branches, const TraceText &text, const SizeOf &sizeOf)
    : branches_(branches), text_(text), hasSizes_(sizeOf != nullptr) {
  resolved_.reserve(text.tokens.size());
  for (const TraceToken &token : text.tokens)
    resolved_.push_back(
        {token.kind, token.kind == Kind::FallThrough || token.kind == Kind::NotTaken, resolve(token, sizeOf)});
}

uint32_t TokenTargets::resolve(const TraceToken &token, const SizeOf &sizeOf) {
  if (token.kind == Kind::Line)
    return branches_.firstOnLine(token.value);
  if (token.kind != Kind::Name)
    return kNone;
  const uint32_t label = branches_.placeOf(token.name);
  return label == kNone || token.value == 0 ? label : resolveOffset(label, token.value, sizeOf);
}

uint32_t TokenTargets::resolveOffset(uint32_t label, uint64_t offset, const SizeOf &sizeOf) {
  if (!sizeOf)
    return kNone;
  if (placed_.empty())
    placeInstructions(sizeOf);
  const uint32_t rank = rankOf_[label];
  const auto begin = placed_.begin() + rank;
  const auto end = placed_.begin() + *std::upper_bound(sectionEnds_.begin(), sectionEnds_.end(), rank);
  const auto found = std::lower_bound(begin, end, offset, [&](const Placed &one, uint64_t distance) {
    return one.address - begin->address < distance;
  });
  return found != end && found->address - begin->address == offset ? found->instruction : kNone;
}

/// Follows each section from its first instruction; others may stand between the lines of a section.
void TokenTargets::placeInstructions(const SizeOf &sizeOf) {
  std::vector<bool> isFirst(branches_.size(), true);
  for (uint32_t i = 0; i < branches_.size(); ++i)
    if (branches_.next(i) != kNone)
      isFirst[branches_.next(i)] = false;
  rankOf_.resize(branches_.size());
  uint64_t address = 0;
  for (uint32_t first = 0; first < branches_.size(); ++first) {
    if (!isFirst[first])
      continue;
    for (uint32_t at = first; at != kNone; at = branches_.next(at)) {
      rankOf_[at] = static_cast<uint32_t>(placed_.size());
      placed_.push_back({at, address});
      address += sizeOf(at);
    }
    sectionEnds_.push_back(static_cast<uint32_t>(placed_.size()));
  }
}

// ---- outcomes ------------------------------------------------------------------------------------------------------

/// A name of a function elsewhere.
bool TokenTargets::namesOutside(uint32_t token) const {
  const TraceToken &named = text_.tokens[token];
  return named.kind == Kind::Name && named.value == 0 && resolved_[token].place == kNone &&
         !branches_.isPrivate(named.name);
}

bool TokenTargets::namesSymbol(const Branch &branch, uint32_t token) const {
  const TraceToken &named = text_.tokens[token];
  return named.kind == Kind::Name && named.value == 0 && branch.symbol && named.name == branch.symbolName();
}

BranchOutcome TokenTargets::outcomeOfOther(uint32_t branch, uint32_t token) const {
  const Branch &site = branches_.at(branch);
  if (resolved_[token].isNotTaken && (site.isPredicated || site.kind == BranchKind::ConditionalJump))
    return {true, false, site.fallThrough};
  switch (site.kind) {
  case BranchKind::ConditionalJump:
    return ofConditionalTailCall(branch, token);
  case BranchKind::IndirectJump:
    return ofIndirect(branch, token);
  case BranchKind::Call:
  case BranchKind::IndirectCall:
    return ofCall(branch, token);
  case BranchKind::Return:
    return {resolved_[token].kind == Kind::Return, true, kNone};
  default:
    return {};
  }
}

/// A conditional branch to a function elsewhere, or to something that is no label.
BranchOutcome TokenTargets::ofConditionalTailCall(uint32_t branch, uint32_t token) const {
  const Branch &site = branches_.at(branch);
  const uint32_t place = resolved_[token].place;
  if (place != kNone && place == site.fallThrough)
    return {true, false, place};
  const bool isTaken = resolved_[token].kind == Kind::Taken && site.symbol;
  return isTaken || namesSymbol(site, token) ? outside(token) : BranchOutcome{};
}

BranchOutcome TokenTargets::ofIndirect(uint32_t branch, uint32_t token) const {
  const uint32_t place = resolved_[token].place;
  if (place != kNone)
    return {branches_.mayJumpTo(branch, place), true, place};
  return !branches_.hasTable(branch) && namesOutside(token) ? outside(token) : BranchOutcome{};
}

BranchOutcome TokenTargets::ofCall(uint32_t branch, uint32_t token) const {
  const Branch &site = branches_.at(branch);
  const uint32_t place = resolved_[token].place;
  if (site.target != kNone)
    return {place == site.target, true, place};
  if (site.symbol)
    return namesSymbol(site, token) ? outside(token) : BranchOutcome{};
  if (place != kNone)
    return {branches_.hasLabel(place), true, place};
  return namesOutside(token) ? outside(token) : BranchOutcome{};
}

// ---- messages ------------------------------------------------------------------------------------------------------

std::string TokenTargets::whyNoPlace(uint32_t token) const {
  if (resolved_[token].place != kNone)
    return {};
  const TraceToken &named = text_.tokens[token];
  const std::string text = quoted(textOf(named));
  if (named.kind == Kind::Line)
    return "the assembly text has no instruction in line " + std::to_string(named.value) + " or after it";
  if (named.kind == Kind::Address)
    return text + " is an address of a binary: expected a label of the assembly text";
  if (named.kind != Kind::Name)
    return text + " names no instruction";
  if (branches_.placeOf(named.name) == kNone)
    return quoted(named.name) + " is not a label of the assembly text";
  return hasSizes_ ? "no instruction starts at " + text
                   : text + " has an offset, but the sizes of the instructions are not known";
}

std::string TokenTargets::whyInvalid(uint32_t branch, uint32_t token) const {
  const Branch &site = branches_.at(branch);
  const TraceToken &named = text_.tokens[token];
  const std::string text = quoted(textOf(named));
  const std::string place =
      "the " + std::string(nounOf(site.kind)) + " in line " + std::to_string(branches_.lineOf(branch));
  const bool isPlace = named.kind == Kind::Name || named.kind == Kind::Line || named.kind == Kind::Address;
  const bool calls = isCall(site.kind);
  if (site.kind == BranchKind::Return)
    return "expected `RET` for " + place + ", found " + text;
  if (isPlace && !(calls && named.kind == Kind::Name && !branches_.isPrivate(named.name) && named.value == 0))
    if (const std::string why = whyNoPlace(token); !why.empty())
      return why;
  if (site.kind == BranchKind::Call && site.symbol)
    return place + " calls " + quoted(site.symbolName()) + ", not " + text;
  if (calls)
    return "expected the function that " + place + " calls, found " + text;
  if (site.kind == BranchKind::ConditionalJump && named.kind == Kind::Taken)
    return "the target of " + place + " is not a label";
  if (!isPlace)
    return "expected a successor of " + place + ", found " + text;
  return text + " is not a successor of " + place;
}

} // namespace mca
