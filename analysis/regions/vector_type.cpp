// The vector type at each instruction by data flow through the blocks: not set, set by vsetvli or vsetivli, or taken
// from a register (vsetvl). If ways with different types meet, it is one of several.
#include "analysis/regions/vector_type.h"

#include "analysis/common/comment_syntax.h"
#include "analysis/common/counts.h"
#include "analysis/regions/control_flow.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/RISCVTargetParser.h"

#include <set>

namespace analysis {
namespace {

/// What is known of the vector type at one place. Several: it depends on the way to there.
struct VectorState {
  enum class Kind : uint8_t { Unreached, NotSet, Known, FromRegister, Several };
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

class VectorTypes {
public:
  VectorTypes(const mca::Target &target, const mca::Program &program) : target_(target), program_(program) {
    flow(findBlocks(target, program).blocks);
  }

  void describe(Region &region) const {
    llvm::MapVector<unsigned, size_t> counts; // instructions by type
    std::set<Doubt> doubts;                   // in the order of their kinds, each once
    std::string assumed;
    for (const uint32_t instruction : region.instructions)
      if (usesVectors(instruction)) {
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
  /// A function's caller may have left any type, so that none is set at an entry.
  void flow(const std::vector<BasicBlock> &blocks) {
    states_.assign(program_.instructions().size(), {});
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
        states_[instruction] = state;
        state = after(instruction, state);
      }
      for (const uint32_t successor : blocks[b].successors)
        if (const VectorState merged = joined(in[successor], state); merged != in[successor]) {
          in[successor] = merged;
          work.push_back(successor);
        }
    }
  }

  VectorState after(uint32_t instruction, VectorState before) const {
    const llvm::MCInst &inst = program_.instructions()[instruction].inst;
    const llvm::StringRef name = target_.instructions().getName(inst.getOpcode());
    if (name == "VSETVL")
      return {VectorState::Kind::FromRegister, 0};
    if ((name == "VSETVLI" || name == "VSETIVLI") && inst.getNumOperands() > 2 && inst.getOperand(2).isImm())
      return {VectorState::Kind::Known, static_cast<unsigned>(inst.getOperand(2).getImm())};
    // RISC-V's calling convention: vtype is not preserved across calls.
    const bool isCall = target_.instructions().get(inst.getOpcode()).isCall();
    return isCall ? VectorState{VectorState::Kind::NotSet} : before;
  }

  bool usesVectors(uint32_t instruction) const {
    return llvm::any_of(program_.instructions()[instruction].inst, [&](const llvm::MCOperand &operand) {
      if (!operand.isReg() || !operand.getReg())
        return false;
      llvm::StringRef name = target_.registers().getName(operand.getReg()); // "V8", "V8M2", but not "VL"
      return name.consume_front("V") && !name.empty() && llvm::isDigit(name.front());
    });
  }

  /// The value of an instrument of LLVM's RISCVInstrumentManager, by which its model knows the type.
  std::optional<std::string> instrument(uint32_t instruction, llvm::StringRef kind) const {
    for (const llvm::mca::Instrument *one : program_.instrumentsOf(program_.instructions()[instruction]))
      if (one->getDesc() == kind)
        return one->getData().str();
    return std::nullopt;
  }

  /// Adds what may be wrong with the type that the model assumes. `assumed`: that type, if it is another one.
  void doubt(uint32_t instruction, std::set<Doubt> &doubts, std::string &assumed) const {
    const VectorState &state = states_[instruction];
    const std::optional<std::string> lmul = instrument(instruction, comments::kVectorMultiplier);
    const std::optional<std::string> sew = instrument(instruction, comments::kVectorWidth);
    switch (state.kind) {
    case VectorState::Kind::Known: {
      const bool isSame = lmul == llvm::StringRef(groupOf(state.type)).upper() &&
                          (!sew || *sew == llvm::StringRef(widthOf(state.type)).upper());
      if (isSame)
        break;
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
    case VectorState::Kind::NotSet:
    case VectorState::Kind::Unreached:
      if (!lmul) // the user's comment may say it
        doubts.insert(Doubt::VectorTypeNotSet);
    }
  }

  const mca::Target &target_;
  const mca::Program &program_;
  std::vector<VectorState> states_; // before each instruction
};

} // namespace

void addVectorTypes(const mca::Target &target, const mca::Program &program, std::span<Region> regions) {
  if (!target.triple().isRISCV() || regions.empty())
    return;
  const VectorTypes types(target, program);
  for (Region &region : regions)
    types.describe(region);
}

} // namespace analysis
