// Reads the register files of a scheduling model as RegisterFile::addRegisterFile does.
#include "mca-core/model/registers.h"

namespace mca {

RegisterTable::RegisterTable(const llvm::MCRegisterInfo &info, const llvm::MCSchedModel &model)
    : info_(info), registers_(info.getNumRegs()) {
  readFiles(model);
}

void RegisterTable::readFiles(const llvm::MCSchedModel &model) {
  files_.emplace_back();
  if (!model.hasExtraProcessorInfo())
    return;
  renaming_.resize(info_.getNumRegs());
  const llvm::MCExtraProcessorInfo &extra = model.getExtraProcessorInfo();
  for (unsigned f = 1; f < extra.NumRegisterFiles; ++f) {
    const llvm::MCRegisterFileDesc &file = extra.RegisterFiles[f];
    files_.push_back({file.NumPhysRegs, file.MaxMovesEliminatedPerCycle, file.AllowZeroMoveEliminationOnly});
    const llvm::ArrayRef entries(&extra.RegisterCostTable[file.RegisterCostEntryIdx], file.NumRegisterCostEntries);
    for (const llvm::MCRegisterCostEntry &entry : entries)
      for (const llvm::MCPhysReg reg : info_.getRegClass(entry.RegisterClassID)) {
        const auto number = static_cast<uint16_t>(f);
        renaming_[reg] = {number, static_cast<uint16_t>(entry.Cost), reg, entry.AllowMoveElimination};
        // A sub-register belongs to its widest register, unless a narrower one has it already.
        for (const llvm::MCPhysReg sub : info_.subregs(reg)) {
          Renaming &other = renaming_[sub];
          if (!other.file && (!other.renameAs || info_.isSuperRegister(sub, other.renameAs))) {
            other.file = number;
            other.cost = static_cast<uint16_t>(entry.Cost);
            other.renameAs = reg;
          }
        }
      }
  }
}

const RenamedRegister &RegisterTable::describe(uint16_t number) {
  auto made = std::make_unique<RenamedRegister>();
  if (!renaming_.empty()) {
    const Renaming &renaming = renaming_[number];
    made->file = renaming.file;
    made->cost = renaming.cost;
    made->renameAs = renaming.renameAs;
    made->allowMoveElimination = renaming.allowMoveElimination;
  }
  for (const llvm::MCPhysReg sub : info_.subregs(number)) {
    made->subregisters.push_back(sub);
    if (!info_.isArtificial(sub))
      made->realSubregisters.push_back(sub);
  }
  for (const llvm::MCPhysReg super : info_.superregs(number))
    made->superregisters.push_back(super);
  registers_[number] = std::move(made);
  return *registers_[number];
}

} // namespace mca
