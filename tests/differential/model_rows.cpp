// Prints what LLVM's scheduling models say of each instruction, one line for each CPU and opcode. ./dev errata compiles
// it with two versions of LLVM, one after the other, and compares what they print:
//
//   x86_64 znver4 ADD32rm uops=1 latency=5 Zn4AGU012=1 Zn4ALU0123=1 read0=4
//
// A resource has the cycles that it is taken, an operand its read-advance. "variant": the row depends on the operands.
// Instructions without a row are left out. A CPU that shares the model of one before has one line:
//
//   x86_64 znver5 = znver4
#include "llvm/ADT/DenseMap.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>

using namespace llvm;

namespace {

void printRow(const MCSubtargetInfo &subtarget, const MCSchedClassDesc &row) {
  if (row.isVariant()) {
    outs() << " variant";
    return;
  }
  const MCSchedModel &model = subtarget.getSchedModel();
  outs() << " uops=" << row.NumMicroOps << " latency=" << MCSchedModel::computeInstrLatency(subtarget, row);
  for (const auto *use = subtarget.getWriteProcResBegin(&row); use != subtarget.getWriteProcResEnd(&row); ++use)
    outs() << ' ' << model.getProcResource(use->ProcResourceIdx)->Name << '='
           << use->ReleaseAtCycle - use->AcquireAtCycle;
  for (const MCReadAdvanceEntry &read : subtarget.getReadAdvanceEntries(row))
    if (read.WriteResourceID == 0) // of any write
      outs() << " read" << read.UseIdx << '=' << read.Cycles;
}

/// LLVM 23 has made the name a function.
StringRef nameOf(const auto &cpu) {
  if constexpr (requires { cpu.key(); })
    return cpu.key();
  else
    return cpu.Key;
}

void printModels(StringRef name) {
  std::string error;
  const Triple triple(name);
  const Target *backend = TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    return;
  const std::unique_ptr<MCInstrInfo> instructions(backend->createMCInstrInfo());
  const std::unique_ptr<MCSubtargetInfo> any(backend->createMCSubtargetInfo(triple, "", ""));
  DenseMap<const MCSchedModel *, StringRef> firstWith;
  for (const auto &cpu : any->getAllProcessorDescriptions()) {
    const std::unique_ptr<MCSubtargetInfo> subtarget(backend->createMCSubtargetInfo(triple, nameOf(cpu), ""));
    const MCSchedModel &model = subtarget->getSchedModel();
    if (!model.hasInstrSchedModel())
      continue;
    const auto [known, isNew] = firstWith.try_emplace(&model, nameOf(cpu));
    if (!isNew) {
      outs() << name << ' ' << nameOf(cpu) << " = " << known->second << '\n';
      continue;
    }
    for (unsigned opcode = 0; opcode < instructions->getNumOpcodes(); ++opcode) {
      const MCInstrDesc &instruction = instructions->get(opcode);
      const MCSchedClassDesc &row = *model.getSchedClassDesc(instruction.getSchedClass());
      if (instruction.isPseudo() || !row.isValid())
        continue;
      outs() << name << ' ' << nameOf(cpu) << ' ' << instructions->getName(opcode);
      printRow(*subtarget, row);
      outs() << '\n';
    }
  }
}

} // namespace

int main() {
  InitializeAllTargetInfos();
  InitializeAllTargetMCs();
  for (const char *architecture : {"x86_64", "aarch64", "armv7", "riscv64", "powerpc64le", "s390x"})
    printModels(architecture);
}
