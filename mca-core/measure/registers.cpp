#include "mca-core/measure/registers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace mca::measure {

GeneralRegisters::GeneralRegisters(const llvm::MCRegisterInfo &registers) : registers_(registers) {
  for (unsigned one = 1; one < registers.getNumRegs(); ++one)
    for (size_t i = 0; i < kRegisterNames.size(); ++i)
      if (llvm::StringRef(registers.getName(one)) == kRegisterNames[i])
        general_[i] = one;
}

std::optional<uint32_t> GeneralRegisters::indexOf(llvm::MCRegister one) const {
  for (size_t i = 0; i < general_.size(); ++i)
    if (one && general_[i] && registers_.isSubRegisterEq(general_[i], one))
      return static_cast<uint32_t>(i);
  return std::nullopt;
}

uint32_t GeneralRegisters::vectorBitsOf(llvm::MCRegister one) const {
  const llvm::StringRef name = registers_.getName(one);
  const bool isMask = name.size() == 2 && name[0] == 'K';
  return isMask ? 512
                : llvm::StringSwitch<uint32_t>(name.take_front(3))
                      .Case("XMM", 128)
                      .Case("YMM", 256)
                      .Case("ZMM", 512)
                      .Default(0);
}

} // namespace mca::measure
