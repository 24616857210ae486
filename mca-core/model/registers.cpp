#include "mca-core/model/registers.h"

namespace mca {

RegisterTable::RegisterTable(const llvm::MCRegisterInfo &info, const llvm::MCSchedModel &model, uint32_t fileSize)
    : info_(info) {
  readFiles(model, fileSize);
}

void RegisterTable::readFiles(const llvm::MCSchedModel &model, uint32_t fileSize) {
  files_.push_back({.size = fileSize});
  if (!model.hasExtraProcessorInfo())
    return;
  const llvm::MCExtraProcessorInfo &extra = model.getExtraProcessorInfo();
  for (unsigned f = 1; f < extra.NumRegisterFiles; ++f) {
    const llvm::MCRegisterFileDesc &file = extra.RegisterFiles[f];
    files_.push_back({file.NumPhysRegs, file.MaxMovesEliminatedPerCycle, file.AllowZeroMoveEliminationOnly});
    const llvm::ArrayRef entries(&extra.RegisterCostTable[file.RegisterCostEntryIdx], file.NumRegisterCostEntries);
    for (const llvm::MCRegisterCostEntry &entry : entries)
      for (const llvm::MCPhysReg reg : info_.getRegClass(entry.RegisterClassID)) {
        const auto number = static_cast<uint16_t>(f);
        renaming_[reg] = {number, static_cast<uint16_t>(entry.Cost), reg, entry.AllowMoveElimination};
        // A sub-register lives in its widest register, unless a narrower one has it already.
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

void RegisterTable::insert(unsigned llvmRegister) {
  const auto [entry, isNew] = index_.try_emplace(llvmRegister, static_cast<RegisterIndex>(registers_.size()));
  if (!isNew)
    return;
  registers_.emplace_back().llvm = static_cast<uint16_t>(llvmRegister);
}

void RegisterTable::add(unsigned llvmRegister) {
  const auto addFamily = [this](unsigned reg) {
    insert(reg);
    for (const llvm::MCPhysReg sub : info_.subregs(reg))
      insert(sub);
    for (const llvm::MCPhysReg super : info_.superregs(reg))
      insert(super);
  };
  addFamily(llvmRegister);
  if (const unsigned renameAs = renaming_.lookup(llvmRegister).renameAs)
    addFamily(renameAs);
}

void RegisterTable::finish() {
  for (RenamedRegister &reg : registers_) {
    const Renaming renaming = renaming_.lookup(reg.llvm);
    reg.file = renaming.file;
    reg.cost = renaming.cost;
    reg.allowMoveElimination = renaming.allowMoveElimination;
    if (const auto found = index_.find(renaming.renameAs); renaming.renameAs && found != index_.end())
      reg.renameAs = found->second;
    for (const llvm::MCPhysReg sub : info_.subregs(reg.llvm))
      if (const auto found = index_.find(sub); found != index_.end()) {
        reg.subregisters.push_back(found->second);
        if (!info_.isArtificial(sub))
          reg.realSubregisters.push_back(found->second);
      }
    for (const llvm::MCPhysReg super : info_.superregs(reg.llvm))
      if (const auto found = index_.find(super); found != index_.end())
        reg.superregisters.push_back(found->second);
  }
}

} // namespace mca
