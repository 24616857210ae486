#include "analysis/regions/caveats.h"

namespace analysis {
namespace {

bool isCall(const mca::Target &target, const llvm::MCInst &inst) {
  return target.analysis() ? target.analysis()->isCall(inst) : target.instructions().get(inst.getOpcode()).isCall();
}

bool isBranch(const mca::Target &target, const llvm::MCInst &inst) {
  return target.analysis() ? target.analysis()->isBranch(inst) : target.instructions().get(inst.getOpcode()).isBranch();
}

/// Whether a RISC-V instruction works on vector registers (v0 … v31 and their groups), whose length and element width
/// the last vset* decides.
bool usesVectorRegisters(const mca::Target &target, const llvm::MCInst &inst) {
  for (const llvm::MCOperand &operand : inst) {
    if (!operand.isReg() || !operand.getReg())
      continue;
    const llvm::StringRef name = target.registers().getName(operand.getReg());
    if (name.size() > 1 && name[0] == 'V' && name[1] >= '0' && name[1] <= '9')
      return true;
  }
  return false;
}

bool setsVectorTypeByRegister(const mca::Target &target, const llvm::MCInst &inst) {
  return target.instructions().getName(inst.getOpcode()) == "VSETVL";
}

/// LLVM tracks the vector type through vsetvli, vsetivli and instrument comments, in text order.
void addVectorTypeCaveat(const mca::Target &target, const mca::Program &program, Region &region) {
  const auto instructions = program.instructions();
  const auto hasLmul = [&](const mca::Instruction &instruction) {
    for (const llvm::mca::Instrument *instrument : program.instrumentsOf(instruction))
      if (instrument->getDesc() == "RISCV-LMUL")
        return true;
    return false;
  };
  bool assumed = false, byRegister = false;
  for (const uint32_t index : region.instructions) {
    const mca::Instruction &instruction = instructions[index];
    byRegister |= setsVectorTypeByRegister(target, instruction.inst);
    assumed |= usesVectorRegisters(target, instruction.inst) && !hasLmul(instruction);
  }
  if (assumed)
    region.caveats.push_back(
        "no vsetvli, vsetivli or LLVM-MCA-RISCV-LMUL comment comes before some vector instructions: "
        "the model's worst case is assumed");
  else if (byRegister)
    region.caveats.push_back("vsetvl takes the vector type from a register, which cannot be known here: the one in "
                             "force before it is assumed to go on");
}

} // namespace

void addCaveats(const mca::Target &target, const mca::Program &program, bool compiled, Region &region) {
  size_t branches = 0, calls = 0;
  const size_t count = region.instructions.size();
  for (size_t i = 0; i < count; ++i) {
    const llvm::MCInst &inst = program.instructions()[region.instructions[i]].inst;
    calls += isCall(target, inst);
    // The branch that ends the region is none inside it; its delay slot belongs to it.
    const size_t behind = target.instructions().get(inst.getOpcode()).hasDelaySlot() ? 2 : 1;
    branches += i + behind < count && isBranch(target, inst);
  }
  if (region.severalPaths)
    region.caveats.push_back("no path leads through the loop (it has several entries): all of its blocks are "
                             "simulated one after the other, as they are laid out");
  else if (branches && region.kind == wire::RegionKind::Snippet)
    region.caveats.push_back("the text branches: it is simulated from its first to its last line");
  else if (branches && compiled && region.kind == wire::RegionKind::Marker)
    region.caveats.push_back("the marked source branches: its instructions are simulated one after the other, as the "
                             "compiler laid them out");
  if (calls)
    region.caveats.push_back(calls == 1
                                 ? "holds a call: what it executes is not simulated"
                                 : "holds " + std::to_string(calls) + " calls: what they execute is not simulated");
  if (target.triple().isRISCV())
    addVectorTypeCaveat(target, program, region);
}

} // namespace analysis
