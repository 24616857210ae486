// Turns instructions into the plain numbers that the simulator needs: scheduling class resolved, instruments applied,
// the target's post-processing done.
//
// LLVM's InstrBuilder is the authority on every instruction. Its result is copied once into a LoweredInstruction and
// cached, so that the next instruction of the same form costs one look-up. An instruction without scheduling data is
// skipped with a reason, because the rest of the region is still worth simulating. Known errors of the model are
// corrected here, between LLVM's data and ours, if the caller requests it (corrections.cpp).
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/model/resources.h"
#include "mca-core/target/errata.h"
#include "mca-core/target/target.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MCA/InstrBuilder.h"

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mca {

/// An instruction that cannot be simulated, and LLVM's reason.
struct SkippedInstruction {
  uint32_t instruction = 0; ///< position in the region
  std::string message;
};

/// Called for each skipped instruction as soon as it is skipped; returns false to stop lowering.
using OnSkipped = llvm::function_ref<bool(const SkippedInstruction &)>;

/// Use of a processor resource, starting at issue (ResourceUsage in LLVM's MCA library).
struct ResourceUse {
  uint64_t mask = 0;   ///< mask of the resource, see ResourceTable; the highest bit is its own
  uint32_t cycles = 0; ///< 0: only releases the resource
  uint32_t units = 1;
  bool reserved = false; ///< the whole group
  bool operator==(const ResourceUse &) const = default;
};

/// What a machine needs to know of an instruction beyond its operands and resources (InstrDesc and InstructionBase in
/// LLVM's MCA library).
struct InstructionProperties {
  uint32_t microOps = 0;
  int32_t latency = 0;  ///< latency of the slowest write, in cycles
  uint64_t buffers = 0; ///< state bits of the buffers that it occupies while it waits
  bool mayLoad = false, mayStore = false;
  bool loadBarrier = false, storeBarrier = false;
  bool beginGroup = false, endGroup = false; ///< of a dispatch group
  bool retireOutOfOrder = false;
  bool optimizableMove = false; ///< the target says that renaming may eliminate it
  bool issuesAtOnce = false;    ///< zero latency, or in-order resources only

  bool isMemory() const { return mayLoad || mayStore; }
};

/// One instruction; registers are LLVM's numbers (0: none).
struct LoweredInstruction : InstructionProperties {
  struct Write {
    uint16_t reg = 0;
    int32_t latency = 0;   ///< cycles
    uint32_t resource = 0; ///< LLVM's number of the write resource, which selects the read-advance
    bool clearsSuperRegisters = false;
    bool writesZero = false;
  };
  struct Read {
    uint16_t reg = 0;
    bool independent = false; ///< of earlier definitions, like the inputs of a zero idiom
    bool advances = false;    ///< the model has read-advance entries for it
    bool isAddress = false;   ///< a part of the address of an operand in memory
    /// A correction, in place of the model's read-advance: cycles from the issue until the operand is needed. Negative:
    /// it is needed before the issue.
    std::optional<int16_t> neededAfter;
    uint32_t schedClass = 0, useIndex = 0;
  };
  llvm::SmallVector<Write, 2> writes;
  llvm::SmallVector<Read, 4> reads;
  llvm::SmallVector<ResourceUse, 4> resources; ///< in LLVM's order
  uint64_t groups = 0;                         ///< state bits of the groups that it uses
  bool overlappingGroups = false;
  /// Equal for two instructions of this Lowering if and only if they are alike; 0: unknown.
  uint32_t kind = 0;
  /// LLVM's own instruction; kept only for targets whose custom behaviour inspects it.
  std::unique_ptr<llvm::mca::Instruction> llvmInstruction;
};

/// Which known errors of LLVM's models are corrected.
enum class Corrections : uint8_t {
  None, ///< llvm-mca's numbers
  Rows, ///< micro-ops and units of single instructions: what a calibration may need for those that it lacks
  All,  ///< also what instructions wait for
};

/// An instruction whose row in LLVM's model is wrong.
struct FoundErratum {
  uint32_t instruction = 0; ///< index among the lowered instructions
  Erratum erratum;
};

/// A region without the instructions that the model does not know.
struct LoweredRegion {
  std::vector<uint32_t> origins; ///< by lowered instruction: its position in the region
  std::vector<const LoweredInstruction *> instructions;
  std::vector<const Instruction *> sources; ///< the same instructions in the program
  std::vector<SkippedInstruction> skipped;
  std::vector<FoundErratum> errata; ///< empty without corrections
};

/// By how many cycles a register may come later than the instruction begins, as the model has it; 0 if it has nothing.
int32_t readAdvanceOf(const LoweredInstruction::Read &read, const Target &target);

/// Lowers regions of programs for one target. Not thread-safe.
class Lowering {
public:
  /// `callLatency`: assumed latency of a call, in cycles. `customBehaviour`: let the target post-process instructions.
  Lowering(const Target &target, unsigned callLatency, bool customBehaviour = true);

  /// The result refers to this Lowering and is valid until the next call.
  LoweredRegion lower(const Program &program, std::span<const uint32_t> region, OnSkipped onSkipped = nullptr,
                      Corrections corrections = Corrections::None);

private:
  bool makeKey(const Program &program, const Instruction &source);
  const Instruction &firstWithSameOpcode(const Program &program, const Instruction &source);
  llvm::Expected<const LoweredInstruction *> lowerCached(const Program &program, const Instruction &source);
  const llvm::MCInst &complete(const Instruction &source);
  llvm::Expected<std::unique_ptr<llvm::mca::Instruction>> build(const Program &program, const Instruction &source);
  std::unique_ptr<LoweredInstruction> copy(std::unique_ptr<llvm::mca::Instruction> built,
                                           const llvm::MCInst &inst) const;
  void correct(const Program &program, LoweredRegion &region, Corrections corrections);
  const LoweredInstruction *corrected(const LoweredInstruction &source, const llvm::MCInst &inst,
                                      const Erratum &erratum);
  void correctRow(const Erratum &erratum, LoweredInstruction &row) const;
  void issueLoadsEarly(const Program &program, LoweredRegion &region);
  const LoweredInstruction *issuedWithOperation(const LoweredInstruction &source, int32_t latency);
  std::optional<int32_t> operationLatency(const LoweredInstruction &source, const llvm::MCInst &inst);

  const Target &target_;
  bool keepsLlvmInstructions_;
  llvm::mca::InstrBuilder builder_;
  std::unique_ptr<llvm::mca::InstrPostProcess> postProcess_;
  llvm::StringMap<std::unique_ptr<LoweredInstruction>> cache_; ///< by opcode, operands and instruments
  std::vector<std::unique_ptr<LoweredInstruction>> uncached_;  ///< of the last region
  std::deque<llvm::MCInst> completed_;                         ///< of the last region; the builder keeps addresses
  ResourceTable resources_;
  std::optional<Errata> errata_; ///< made when first needed
  /// Corrected copies by what they are copies of, and by the kind of the error.
  llvm::DenseMap<std::pair<const LoweredInstruction *, uint32_t>, std::unique_ptr<LoweredInstruction>> corrected_;
  llvm::SmallString<128> key_;
  uint32_t kinds_ = 0;
  llvm::DenseMap<uint64_t, const Instruction *> firstByOpcode_; ///< of the region, by opcode and scheduling class
};

/// Whether the target has simulation rules of its own, such as AMDGPU's s_waitcnt.
bool hasCustomBehaviour(const Target &target);

/// Returns the scheduling class of an instruction with its variants resolved; 0 if there is none.
unsigned resolveSchedClass(const Target &target, const llvm::MCInst &inst, const Program::InstrumentSet &instruments);

} // namespace mca
