// From instructions to what the simulator needs of them: the scheduling class resolved, instruments applied, the
// target's post-processing done.
//
// LLVM's InstrBuilder has the last word on what an instruction is; what it says is copied once into plain numbers
// (LoweredInstruction) and kept, so that the next instruction of the same form costs a look-up. Corrections of a CPU's
// model belong here, between LLVM's data and ours. An instruction that the model says nothing about is skipped with
// its reason; the rest of the region is still worth simulating.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MCA/InstrBuilder.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mca {

struct SkippedInstruction {
  uint32_t instruction = 0; ///< position in the region
  std::string message;
};

/// Told of each instruction that is skipped, when it is; returns false to lower no further one.
using OnSkipped = llvm::function_ref<bool(const SkippedInstruction &)>;

/// Use of one processor resource from issue on.
struct ResourceUse {
  uint64_t mask = 0;   ///< of the resource, see ResourceTable; its highest bit is its own
  uint32_t cycles = 0; ///< 0: only releases it
  uint32_t units = 1;
  bool reserved = false; ///< the whole group
  bool operator==(const ResourceUse &) const = default;
};

/// One instruction, registers by LLVM's numbers (0: none).
struct LoweredInstruction {
  struct Write {
    uint16_t reg = 0;
    int32_t latency = 0;   ///< cycles
    uint32_t resource = 0; ///< LLVM's number of the write resource, for read-advance
    bool clearsSuperRegisters = false;
    bool writesZero = false;
  };
  struct Read {
    uint16_t reg = 0;
    bool independent = false; ///< of earlier definitions: a zero idiom's input
    bool advances = false;    ///< the model has read-advance entries for it
    uint32_t schedClass = 0, useIndex = 0;
  };
  llvm::SmallVector<Write, 2> writes;
  llvm::SmallVector<Read, 4> reads;
  llvm::SmallVector<ResourceUse, 4> resources; ///< in LLVM's order
  uint32_t microOps = 0;
  int32_t latency = 0;  ///< of its slowest write, in cycles
  uint64_t buffers = 0; ///< state bits of the buffers it waits in
  uint64_t groups = 0;  ///< state bits of the groups it uses
  bool mayLoad = false, mayStore = false;
  bool loadBarrier = false, storeBarrier = false;
  bool beginGroup = false, endGroup = false;
  bool retireOutOfOrder = false;
  bool optimizableMove = false;
  bool issuesAtOnce = false; ///< zero latency, or in-order resources only
  bool overlappingGroups = false;
  /// The same for all instructions that are alike and only for them, as long as the Lowering lives; 0: there is none.
  uint32_t kind = 0;
  /// What LLVM made of it; kept only for targets whose custom behaviour looks at it.
  std::unique_ptr<llvm::mca::Instruction> llvmInstruction;
};

struct LoweredRegion {
  std::vector<uint32_t> origins; ///< for each lowered instruction its position in the region
  std::vector<const LoweredInstruction *> instructions;
  std::vector<const Instruction *> sources; ///< the same instructions in the program
  std::vector<SkippedInstruction> skipped;
};

/// Lowers regions of programs for one target.
class Lowering {
public:
  /// `callLatency`: cycles that a call is assumed to take. `customBehaviour`: let the target have the last word on an
  /// instruction.
  Lowering(const Target &target, unsigned callLatency, bool customBehaviour = true);

  /// What is returned refers to the Lowering and is valid until the next call.
  LoweredRegion lower(const Program &program, std::span<const uint32_t> region, OnSkipped onSkipped = nullptr);

private:
  bool makeKey(const Program &program, const Instruction &source);
  const Instruction &firstOfItsKind(const Program &program, const Instruction &source);
  llvm::Expected<std::unique_ptr<llvm::mca::Instruction>> build(const Program &program, const Instruction &source);
  std::unique_ptr<LoweredInstruction> copy(std::unique_ptr<llvm::mca::Instruction> built) const;

  const Target &target_;
  bool keepsLlvmInstructions_;
  llvm::mca::InstrBuilder builder_;
  std::unique_ptr<llvm::mca::InstrPostProcess> postProcess_;
  llvm::StringMap<std::unique_ptr<LoweredInstruction>> known_; ///< by opcode, operands and instruments
  std::vector<std::unique_ptr<LoweredInstruction>> unkeyed_;   ///< of the last region
  llvm::SmallString<128> key_;
  uint32_t kinds_ = 0;
  llvm::DenseMap<uint64_t, const Instruction *> first_; ///< of the region, by opcode and scheduling class
};

/// True when the target has rules of its own for the simulation (AMDGPU's s_waitcnt).
bool hasCustomBehaviour(const Target &target);

/// The scheduling class of an instruction once its variants are resolved. 0 when there is none.
unsigned resolveSchedClass(const Target &target, const llvm::MCInst &inst, const Program::InstrumentSet &instruments);

} // namespace mca
