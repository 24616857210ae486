// The vector type at each instruction by data flow through the blocks: not set, set by vsetvli or vsetivli, or taken
// from a register (vsetvl). If ways with different types meet, it is one of several.
//
// RISC-V's calling convention does not preserve it across calls. A called function of the same text is followed: its
// blocks are run from its entry with the caller's type, and what its returns have in common is the type after the call.
#include "analysis/regions/vector_type.h"

#include "analysis/text/comment_syntax.h"
#include "analysis/text/counts.h"
#include "mca-core/program/code_blocks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/RISCVTargetParser.h"

#include <map>
#include <set>

namespace analysis {
namespace {

/// What is known of the vector type at one place. Several: it depends on the way to there.
struct VectorState {
  enum class Kind : uint8_t {
    Unreached,
    NotSet,
    Known,
    FromRegister,
    Several,
    AfterCall, ///< what a function left that is not followed
    Callers    ///< while a called function is followed: as at its entry
  };
  Kind kind = Kind::Unreached;
  unsigned type = 0; ///< of Known: the immediate of vsetvli, encoded as vtype (RISC-V V extension, 3.4)
  bool operator==(const VectorState &) const = default;
};

/// The state where two ways meet. What sets the same type in two places is one type.
VectorState joined(const VectorState &a, const VectorState &b) {
  using Kind = VectorState::Kind;
  if (a.kind == Kind::Unreached)
    return b;
  if (b.kind == Kind::Unreached)
    return a;
  if (a.kind == b.kind && (a.kind != Kind::Known || a.type == b.type))
    return a;
  return {Kind::Several};
}

/// A register group ("m2", "mf4") and an element width ("e32"), as vsetvli writes them.
std::string groupOf(unsigned type) {
  const auto [lmul, fractional] = llvm::RISCVVType::decodeVLMUL(llvm::RISCVVType::getVLMUL(type));
  return (fractional ? "mf" : "m") + std::to_string(lmul);
}
std::string widthOf(unsigned type) {
  return "e" + std::to_string(llvm::RISCVVType::getSEW(type));
}

using Doubt = wire::Caveat::Kind;

bool usesVectors(const mca::Target &target, const mca::Program &program, uint32_t instruction) {
  return llvm::any_of(program.instructions()[instruction].inst, [&](const llvm::MCOperand &operand) {
    if (!operand.isReg() || !operand.getReg())
      return false;
    llvm::StringRef name = target.registers().getName(operand.getReg()); // "V8", "V8M2", but not "VL"
    return name.consume_front("V") && !name.empty() && llvm::isDigit(name.front());
  });
}

/// The vector types at the instructions of a program.
class TypeFlow {
public:
  explicit TypeFlow(const mca::ControlFlow &code)
      : target_(code.target()), program_(code.program()), branches_(code.branches), blocks_(code.blocks) {}

  /// By instruction, before it. A function's caller may have left any type, so that none is set at an entry.
  std::vector<VectorState> states() {
    std::vector<VectorState> states(program_.instructions().size());
    const std::span<const mca::CodeBlock> blocks = blocks_.all();
    std::vector<VectorState> in(blocks.size());
    std::vector<uint32_t> work;
    for (uint32_t b = 0; b < blocks.size(); ++b) {
      if (blocks[b].isEntry || blocks[b].predecessors.empty())
        in[b] = {VectorState::Kind::NotSet};
      work.push_back(b);
    }
    // Each block's state only ever goes from unreached over one type to several.
    for (size_t next = 0; next < work.size(); ++next) {
      const uint32_t b = work[next];
      VectorState state = in[b];
      for (const uint32_t instruction : blocks[b].instructions) {
        states[instruction] = state;
        state = after(instruction, state);
      }
      for (const uint32_t successor : blocks[b].successors)
        if (const VectorState merged = joined(in[successor], state); merged != in[successor]) {
          in[successor] = merged;
          work.push_back(successor);
        }
    }
    return states;
  }

  /// The type that the instruction itself sets, if any.
  std::optional<unsigned> setBy(uint32_t instruction) const {
    const llvm::MCInst &inst = program_.instructions()[instruction].inst;
    const llvm::StringRef name = target_.instructions().getName(inst.getOpcode());
    const bool sets = name == "VSETVLI" || name == "VSETIVLI";
    return sets && inst.getNumOperands() > 2 && inst.getOperand(2).isImm()
               ? std::optional(static_cast<unsigned>(inst.getOperand(2).getImm()))
               : std::nullopt;
  }

private:
  static constexpr unsigned kDeepest = 32;      // calls in calls that are followed
  static constexpr size_t kMostBlocks = 10'000; // that one call goes through: a hostile text may have thousands of both

  VectorState after(uint32_t instruction, VectorState before) {
    if (const std::optional<unsigned> type = setBy(instruction))
      return {VectorState::Kind::Known, *type};
    const llvm::MCInst &inst = program_.instructions()[instruction].inst;
    if (target_.instructions().getName(inst.getOpcode()) == "VSETVL")
      return {VectorState::Kind::FromRegister, 0};
    if (!mca::isCall(branches_.kindOf(instruction)))
      return before;
    const uint32_t callee = branches_.at(instruction).target;
    const VectorState left = callee == mca::kNone ? VectorState{VectorState::Kind::AfterCall} : leftBy(callee);
    return left.kind == VectorState::Kind::Callers ? before : left;
  }

  /// The type when the function that begins with this instruction returns.
  VectorState leftBy(uint32_t entry) {
    // A function that calls itself does not know it yet.
    const auto [known, isNew] = left_.try_emplace(entry, VectorState{VectorState::Kind::AfterCall});
    if (!isNew || depth_ == kDeepest)
      return known->second;
    ++depth_;
    const VectorState state = follow(entry);
    --depth_;
    return left_[entry] = state;
  }

  VectorState follow(uint32_t entry) {
    constexpr VectorState kUnknown{VectorState::Kind::AfterCall};
    std::map<uint32_t, VectorState> in{{blocks_.blockOf(entry), {VectorState::Kind::Callers}}};
    std::vector<uint32_t> work{blocks_.blockOf(entry)};
    VectorState left;
    for (size_t next = 0; next < work.size(); ++next) {
      if (next == kMostBlocks)
        return kUnknown;
      const uint32_t b = work[next];
      const mca::CodeBlock &block = blocks_.at(b);
      VectorState state = in[b];
      const auto begin = next ? block.instructions.begin() : llvm::find(block.instructions, entry);
      for (const uint32_t instruction : llvm::make_range(begin, block.instructions.end()))
        state = after(instruction, state);
      const mca::BranchKind last = branches_.kindOf(block.last);
      if (last == mca::BranchKind::Return)
        left = joined(left, state);
      else if (block.successors.empty() && last != mca::BranchKind::Trap)
        return kUnknown; // it goes on somewhere else
      for (const uint32_t successor : block.successors)
        if (const VectorState merged = joined(in[successor], state); merged != in[successor]) {
          in[successor] = merged;
          work.push_back(successor);
        }
    }
    return left.kind == VectorState::Kind::Unreached ? kUnknown : left;
  }

  const mca::Target &target_;
  const mca::Program &program_;
  const mca::ProgramBranches &branches_;
  const mca::CodeBlocks &blocks_;
  std::map<uint32_t, VectorState> left_; // by entry of a function
  unsigned depth_ = 0;
};

class VectorTypes {
public:
  explicit VectorTypes(const mca::ControlFlow &code) : target_(code.target()), program_(code.program()) {
    TypeFlow flow(code);
    states_ = flow.states();
    std::optional<unsigned> above;
    for (uint32_t i = 0; i < states_.size(); ++i) {
      if (const std::optional<unsigned> type = flow.setBy(i)) {
        above = type;
        setters_.try_emplace(*type, i);
      }
      above_.push_back(above);
    }
  }

  /// `program`: that of the constructor.
  void follow(mca::Program &program) const {
    using Change = std::pair<uint32_t, unsigned>; // from a set of instruments, to a type
    std::map<Change, uint32_t> sets;
    for (uint32_t i = 0; i < states_.size(); ++i) {
      const VectorState &state = states_[i];
      if (state.kind != VectorState::Kind::Known || !uses(i) || isAsked(i, state.type) || isFromComment(i))
        continue;
      const uint32_t before = program.instructions()[i].instrumentSet;
      const auto [known, isNew] = sets.try_emplace({before, state.type}, 0);
      if (isNew)
        known->second = addSet(program, before, setters_.at(state.type));
      program.setInstruments(i, known->second);
    }
  }

  void describe(Region &region) const {
    llvm::MapVector<unsigned, size_t> counts; // instructions by type
    std::set<Doubt> doubts;                   // in the order of their kinds, each once
    std::string assumed;
    for (const uint32_t instruction : region.instructions)
      if (uses(instruction)) {
        doubt(instruction, doubts, assumed);
        if (states_[instruction].kind == VectorState::Kind::Known)
          ++counts[states_[instruction].type];
      }
    for (const auto &[type, count] : counts)
      region.vectorTypes.push_back(widthOf(type) + ", " + groupOf(type) + " for " + counted(count, "instruction"));
    for (const Doubt kind : doubts) {
      region.caveats.push_back({.kind = kind});
      if (kind == Doubt::OtherVectorType)
        region.caveats.back().names = {assumed};
    }
  }

private:
  /// The instruments of a set, but for those of the kinds that vsetvli starts, which are this one's.
  uint32_t addSet(mca::Program &program, uint32_t before, uint32_t setter) const {
    llvm::SmallVector<llvm::mca::UniqueInstrument> made =
        target_.instruments().createInstruments(program.instructions()[setter].inst);
    mca::InstrumentSet set = program.instrumentSets()[before];
    llvm::erase_if(set, [&](const llvm::mca::Instrument *old) {
      return llvm::any_of(made, [&](const auto &one) { return one->getDesc() == old->getDesc(); });
    });
    for (const llvm::mca::UniqueInstrument &one : made)
      set.push_back(one.get());
    return program.addInstrumentSet(std::move(set), std::move(made));
  }

  bool uses(uint32_t instruction) const { return usesVectors(target_, program_, instruction); }

  /// The value of an instrument of LLVM's RISCVInstrumentManager, by which its model knows the type.
  std::optional<std::string> instrument(uint32_t instruction, llvm::StringRef kind) const {
    for (const llvm::mca::Instrument *one : program_.instrumentsOf(program_.instructions()[instruction]))
      if (one->getDesc() == kind)
        return one->getData().str();
    return std::nullopt;
  }

  /// Whether LLVM's model is asked with this type.
  bool isAsked(uint32_t instruction, unsigned type) const {
    const std::optional<std::string> lmul = instrument(instruction, comments::kVectorMultiplier);
    const std::optional<std::string> sew = instrument(instruction, comments::kVectorWidth);
    return lmul == llvm::StringRef(groupOf(type)).upper() && (!sew || *sew == llvm::StringRef(widthOf(type)).upper());
  }

  /// Whether the user said the type, and not the vsetvli above in the text.
  bool isFromComment(uint32_t instruction) const {
    return instrument(instruction, comments::kVectorMultiplier) &&
           !(above_[instruction] && isAsked(instruction, *above_[instruction]));
  }

  /// Adds what may be wrong with the type that the model assumes. `assumed`: that type, if it is another one.
  void doubt(uint32_t instruction, std::set<Doubt> &doubts, std::string &assumed) const {
    const VectorState &state = states_[instruction];
    const std::optional<std::string> lmul = instrument(instruction, comments::kVectorMultiplier);
    switch (state.kind) {
    case VectorState::Kind::Known: {
      if (isAsked(instruction, state.type))
        break;
      const std::optional<std::string> sew = instrument(instruction, comments::kVectorWidth);
      doubts.insert(Doubt::OtherVectorType);
      assumed = lmul ? *lmul + (sew ? " " + *sew : "") : "its worst case";
      break;
    }
    case VectorState::Kind::FromRegister:
      doubts.insert(Doubt::VectorTypeByRegister);
      break;
    case VectorState::Kind::Several:
      doubts.insert(Doubt::SeveralVectorTypes);
      break;
    case VectorState::Kind::AfterCall:
    case VectorState::Kind::NotSet:
    case VectorState::Kind::Unreached:
    case VectorState::Kind::Callers: // never outside of a called function's walk
      if (!lmul)
        doubts.insert(Doubt::VectorTypeNotSet);
      else if (!isFromComment(instruction))
        doubts.insert(Doubt::VectorTypeElsewhere);
    }
  }

  const mca::Target &target_;
  const mca::Program &program_;
  std::vector<VectorState> states_;            // before each instruction
  std::vector<std::optional<unsigned>> above_; // by instruction: set last, in the order of the text
  std::map<unsigned, uint32_t> setters_;       // by type: an instruction that sets it
};

} // namespace

void followVectorTypes(const mca::ControlFlow &code, mca::Program &program) {
  if (code.target().triple().isRISCV() && program.instrumentSets().size() > 1)
    VectorTypes(code).follow(program);
}

void addVectorTypes(const mca::ControlFlow &code, std::span<Region> regions) {
  const auto isOfVectors = [&](const Region &region) {
    return llvm::any_of(region.instructions, [&](uint32_t i) { return usesVectors(code.target(), code.program(), i); });
  };
  if (!code.target().triple().isRISCV() || llvm::none_of(regions, isOfVectors))
    return;
  const VectorTypes types(code);
  for (Region &region : regions)
    types.describe(region);
}

} // namespace analysis
