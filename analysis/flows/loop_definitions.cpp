#include "analysis/flows/loop_definitions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCInstrDesc.h"

#include <algorithm>

namespace analysis {
namespace {

/// The registers that a call returns values in, by the architectures' procedure call standards. LLVM's tables of
/// machine code don't have them.
llvm::SmallVector<llvm::StringRef, 4> namesOfResults(const llvm::Triple &triple) {
  if (triple.isX86())
    return {"RAX", "RDX", "XMM0", "XMM1"};
  if (triple.isAArch64())
    return {"X0", "X1", "Q0", "Q1"};
  if (triple.isARM() || triple.isThumb())
    return {"R0", "R1", "D0", "D1"};
  if (triple.isRISCV())
    return {"X10", "X11", "F10_D", "F11_D"};
  return {};
}

/// Empty if they are not known.
std::vector<llvm::MCRegister> registersOfResults(const mca::Target &target) {
  const llvm::SmallVector<llvm::StringRef, 4> names = namesOfResults(target.triple());
  std::vector<llvm::MCRegister> found;
  if (names.empty())
    return found;
  const llvm::MCRegisterInfo &registers = target.registers();
  for (unsigned reg = 1; reg < registers.getNumRegs(); ++reg)
    if (llvm::is_contained(names, llvm::StringRef(registers.getName(reg))))
      found.emplace_back(reg);
  return found;
}

} // namespace

LoopDefinitions::LoopDefinitions(const mca::ProgramBranches &branches, const mca::Loop &loop)
    : target_(branches.target()), loop_(loop), blockOf_(loop.instructions.size()), predecessors_(loop.blocks.size()),
      isConditional_(loop.instructions.size()) {
  for (uint32_t block = 0; block < loop.blocks.size(); ++block) {
    for (uint32_t position = loop.blocks[block].begin; position < loop.blocks[block].end; ++position)
      blockOf_[position] = block;
    for (const uint32_t successor : loop.blocks[block].successors)
      predecessors_[successor].push_back(block);
    if (loop.blocks[block].isLatch)
      predecessors_[loop.headerBlock].push_back(block);
  }
  const std::vector<llvm::MCRegister> results = registersOfResults(target_);
  for (uint32_t position = 0; position < loop.instructions.size(); ++position) {
    const llvm::MCInst &inst = branches.inst(loop.instructions[position]);
    const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
    isConditional_[position] = mca::isPredicated(target_, inst);
    const unsigned described = std::min<unsigned>(description.getNumOperands(), inst.getNumOperands());
    for (unsigned i = 0; i < described; ++i) {
      const bool isWritten = i < description.getNumDefs() || description.operands()[i].isOptionalDef(); // ARM's flags
      if (isWritten && inst.getOperand(i).isReg())
        note(position, inst.getOperand(i).getReg());
    }
    for (const llvm::MCPhysReg reg : description.implicit_defs())
      note(position, reg);
    if (!description.isCall())
      continue;
    for (const llvm::MCRegister reg : results)
      note(position, reg);
    if (results.empty())
      writesOfAll_.push_back(position);
  }
}

void LoopDefinitions::note(uint32_t position, llvm::MCRegister reg) {
  if (!reg.isValid())
    return;
  for (const llvm::MCRegUnit unit : target_.registers().regunits(reg)) {
    Positions &ofUnit = writes_[static_cast<unsigned>(unit)];
    if (ofUnit.empty() || ofUnit.back() != position)
      ofUnit.push_back(position);
  }
}

void LoopDefinitions::forEach(uint32_t position, llvm::MCRegister reg, llvm::function_ref<void(uint32_t)> found) const {
  const llvm::MCRegisterInfo &registers = target_.registers();
  if (!reg.isValid() || registers.isConstant(reg))
    return;
  // Artificial units are the upper parts that a write of the lower part clears: those of X0 in W0.
  for (const llvm::MCRegUnit unit : registers.regunits(reg))
    if (!registers.isArtificialRegUnit(unit))
      ofUnit(position, unit, found);
}

/// Goes through the blocks against the flow of control, each once, until something was written on each way.
void LoopDefinitions::ofUnit(uint32_t position, llvm::MCRegUnit unit, llvm::function_ref<void(uint32_t)> found) const {
  const auto written = writes_.find(static_cast<unsigned>(unit));
  const Positions *writes = written == writes_.end() ? nullptr : &written->second;
  if (!writes && writesOfAll_.empty())
    return;
  const uint32_t block = blockOf_[position];
  if (findIn(writes, loop_.blocks[block].begin, position, found))
    return;
  std::vector<uint32_t> work = predecessors_[block];
  std::vector<bool> seen(loop_.blocks.size());
  while (!work.empty()) {
    const uint32_t one = work.back();
    work.pop_back();
    if (seen[one])
      continue;
    seen[one] = true;
    if (!findIn(writes, loop_.blocks[one].begin, loop_.blocks[one].end, found))
      llvm::append_range(work, predecessors_[one]);
  }
}

/// Finds the last write at positions from `begin` to before `end`, and those before it that it may not replace. Returns
/// whether there is one that always writes.
bool LoopDefinitions::findIn(const Positions *writes, uint32_t begin, uint32_t end,
                             llvm::function_ref<void(uint32_t)> found) const {
  for (; end > begin; --end) {
    uint32_t last = mca::kNone;
    for (const Positions *positions : {writes, &writesOfAll_}) {
      if (!positions)
        continue;
      const auto after = llvm::lower_bound(*positions, end);
      if (after != positions->begin() && *(after - 1) >= begin && (last == mca::kNone || *(after - 1) > last))
        last = *(after - 1);
    }
    if (last == mca::kNone)
      return false;
    found(last);
    if (!isConditional_[last])
      return true;
    end = last + 1; // the loop goes on before it
  }
  return false;
}

} // namespace analysis
