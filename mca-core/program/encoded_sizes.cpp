#include "mca-core/program/encoded_sizes.h"

#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/TargetRegistry.h"

namespace mca {

SizeOf encodedSizes(const Target &target, const Program &program) {
  const std::shared_ptr<llvm::MCCodeEmitter> emitter(
      target.backend().createMCCodeEmitter(target.instructions(), program.context()));
  if (!emitter)
    return {};
  return [emitter, &target, &program](uint32_t instruction) {
    llvm::SmallString<16> bytes;
    llvm::SmallVector<llvm::MCFixup, 2> fixups;
    emitter->encodeInstruction(program.instructions()[instruction].inst, bytes, fixups, target.subtarget());
    return static_cast<uint32_t>(bytes.size());
  };
}

} // namespace mca
