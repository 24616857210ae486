// The state of the vector type flows through the blocks: not set, set by one instruction or another, or taken from a
// register (vsetvl). Where ways with different types meet, it is either of them.
#include "analysis/regions/vector_type.h"

#include "analysis/common/comment_syntax.h"
#include "analysis/common/counts.h"
#include "analysis/regions/control_flow.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/TargetParser/RISCVTargetParser.h"

#include <algorithm>
#include <optional>

namespace analysis {
namespace {

struct VectorState {
  enum class Kind : uint8_t { Unreached, NotSet, Known, FromRegister, Several };
  Kind kind = Kind::Unreached;
  unsigned type = 0;  ///< of Known: the immediate of vsetvli
  uint32_t setBy = 0; ///< of Known and FromRegister: the instruction
  bool operator==(const VectorState &) const = default;
};

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

/// "e32, m2", as vsetvli writes it.
std::string describe(unsigned type) {
  const auto [lmul, fractional] = llvm::RISCVVType::decodeVLMUL(llvm::RISCVVType::getVLMUL(type));
  return "e" + std::to_string(llvm::RISCVVType::getSEW(type)) + ", m" + (fractional ? "f" : "") + std::to_string(lmul);
}

class VectorTypes {
public:
  VectorTypes(const mca::Target &target, const mca::Program &program) : target_(target), program_(program) {
    flow(findBlocks(target, program).blocks);
  }

  /// The state before the instruction.
  const VectorState &at(uint32_t instruction) const { return states_[instruction]; }
  bool usesVectors(uint32_t instruction) const;
  /// What LLVM's model is asked with.
  std::optional<std::string> instrument(uint32_t instruction, llvm::StringRef kind) const;

private:
  void flow(const std::vector<BasicBlock> &blocks);
  VectorState behind(uint32_t instruction, VectorState before) const;

  const mca::Target &target_;
  const mca::Program &program_;
  std::vector<VectorState> states_; // by instruction
};

VectorState VectorTypes::behind(uint32_t instruction, VectorState before) const {
  const llvm::MCInst &inst = program_.instructions()[instruction].inst;
  const llvm::StringRef name = target_.instructions().getName(inst.getOpcode());
  if (name == "VSETVL")
    return {VectorState::Kind::FromRegister, 0, instruction};
  if ((name == "VSETVLI" || name == "VSETIVLI") && inst.getNumOperands() > 2 && inst.getOperand(2).isImm())
    return {VectorState::Kind::Known, static_cast<unsigned>(inst.getOperand(2).getImm()), instruction};
  const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
  // No calling convention keeps it.
  return description.isCall() ? VectorState{VectorState::Kind::NotSet} : before;
}

void VectorTypes::flow(const std::vector<BasicBlock> &blocks) {
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
      state = behind(instruction, state);
    }
    for (const uint32_t successor : blocks[b].successors)
      if (const VectorState merged = joined(in[successor], state); !(merged == in[successor])) {
        in[successor] = merged;
        work.push_back(successor);
      }
  }
}

bool VectorTypes::usesVectors(uint32_t instruction) const {
  for (const llvm::MCOperand &operand : program_.instructions()[instruction].inst) {
    if (!operand.isReg() || !operand.getReg())
      continue;
    const llvm::StringRef name = target_.registers().getName(operand.getReg());
    if (name.size() > 1 && name[0] == 'V' && name[1] >= '0' && name[1] <= '9')
      return true;
  }
  return false;
}

std::optional<std::string> VectorTypes::instrument(uint32_t instruction, llvm::StringRef kind) const {
  for (const llvm::mca::Instrument *one : program_.instrumentsOf(program_.instructions()[instruction]))
    if (one->getDesc() == kind)
      return one->getData().str();
  return std::nullopt;
}

/// What can be wrong with the type of an instruction.
struct Doubts {
  bool notSet = false, byRegister = false, several = false;
  std::optional<std::string> other; ///< the model is asked with this one instead
};

class RegionTypes {
public:
  explicit RegionTypes(const VectorTypes &types) : types_(types) {}

  void add(Region &region);

private:
  void look(uint32_t instruction);
  void addCaveats(Region &region) const;

  const VectorTypes &types_;
  llvm::MapVector<unsigned, size_t> counts_; // instructions by type
  Doubts doubts_;
};

void RegionTypes::look(uint32_t instruction) {
  const VectorState &state = types_.at(instruction);
  const std::optional<std::string> lmul = types_.instrument(instruction, comments::kVectorMultiplier);
  const std::optional<std::string> sew = types_.instrument(instruction, comments::kVectorWidth);
  using Kind = VectorState::Kind;
  switch (state.kind) {
  case Kind::Known: {
    ++counts_[state.type];
    const auto [group, fractional] = llvm::RISCVVType::decodeVLMUL(llvm::RISCVVType::getVLMUL(state.type));
    const std::string wanted = std::string("M") + (fractional ? "F" : "") + std::to_string(group);
    const std::string width = "E" + std::to_string(llvm::RISCVVType::getSEW(state.type));
    if (lmul != wanted || (sew && sew != width))
      doubts_.other = lmul ? *lmul + (sew ? " " + *sew : "") : "its worst case";
    break;
  }
  case Kind::FromRegister:
    doubts_.byRegister = true;
    break;
  case Kind::Several:
    doubts_.several = true;
    break;
  case Kind::NotSet:
  case Kind::Unreached:
    doubts_.notSet |= !lmul; // a comment of the user's may tell it
    break;
  }
}

void RegionTypes::addCaveats(Region &region) const {
  using Kind = wire::Caveat::Kind;
  if (doubts_.notSet)
    region.caveats.push_back({.kind = Kind::VectorTypeNotSet});
  if (doubts_.byRegister)
    region.caveats.push_back({.kind = Kind::VectorTypeByRegister});
  if (doubts_.several)
    region.caveats.push_back({.kind = Kind::SeveralVectorTypes});
  if (doubts_.other)
    region.caveats.push_back({.kind = Kind::OtherVectorType, .names = {*doubts_.other}});
}

void RegionTypes::add(Region &region) {
  counts_.clear();
  doubts_ = {};
  for (const uint32_t instruction : region.instructions)
    if (types_.usesVectors(instruction))
      look(instruction);
  for (const auto &[type, count] : counts_)
    region.vectorTypes.push_back(describe(type) + " for " + counted(count, "instruction"));
  addCaveats(region);
}

} // namespace

void addVectorTypes(const mca::Target &target, const mca::Program &program, std::span<Region> regions) {
  if (!target.triple().isRISCV() || regions.empty())
    return;
  const VectorTypes types(target, program);
  RegionTypes adder(types);
  for (Region &region : regions)
    adder.add(region);
}

} // namespace analysis
