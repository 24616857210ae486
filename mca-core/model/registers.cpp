// Reads the register files of a scheduling model as RegisterFile::addRegisterFile does.
#include "mca-core/model/registers.h"

#include "llvm/ADT/STLExtras.h"

#include <iterator>

namespace mca {

RegisterTable::RegisterTable(const llvm::MCRegisterInfo &info, const llvm::MCSchedModel &model)
    : info_(info), renaming_(info.getNumRegs()), registers_(info.getNumRegs()) {
  if (!model.hasExtraProcessorInfo())
    return;
  const llvm::MCExtraProcessorInfo &extra = model.getExtraProcessorInfo();
  // The model's entry 0 is invalid; file 0 is the one that LLVM adds itself (RegisterFile::initialize).
  for (unsigned i = 1; i < extra.NumRegisterFiles; ++i)
    addFile(extra.RegisterFiles[i], extra.RegisterCostTable);
}

/// A register that a file lists is renamed by itself (RegisterFile::addRegisterFile). Parts that no file lists are
/// renamed as the first listed register that contains them, at its cost.
void RegisterTable::addFile(const llvm::MCRegisterFileDesc &file, const llvm::MCRegisterCostEntry *costs) {
  const auto number = static_cast<uint16_t>(files_.size());
  files_.push_back({file.NumPhysRegs, file.MaxMovesEliminatedPerCycle, file.AllowZeroMoveEliminationOnly});
  for (const llvm::MCRegisterCostEntry &entry :
       llvm::ArrayRef(costs + file.RegisterCostEntryIdx, file.NumRegisterCostEntries))
    for (const llvm::MCPhysReg reg : info_.getRegClass(entry.RegisterClassID)) {
      const auto cost = static_cast<uint16_t>(entry.Cost);
      renaming_[reg] = {number, cost, reg, entry.AllowMoveElimination};
      for (const llvm::MCPhysReg sub : info_.subregs(reg))
        if (Renaming &part = renaming_[sub]; !part.file)
          part = {number, cost, reg, part.allowMoveElimination};
    }
}

const RenamedRegister &RegisterTable::describe(uint16_t number) {
  RenamedRegister &described = *(registers_[number] = std::make_unique<RenamedRegister>());
  static_cast<Renaming &>(described) = renaming_[number];
  llvm::append_range(described.subregisters, info_.subregs(number));
  llvm::append_range(described.superregisters, info_.superregs(number));
  llvm::copy_if(described.subregisters, std::back_inserter(described.realSubregisters),
                [this](uint16_t sub) { return !info_.isArtificial(sub); });
  return described;
}

} // namespace mca
