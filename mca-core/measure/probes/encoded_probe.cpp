#include "mca-core/measure/probes/encoded_probe.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/MC/MCInstrDesc.h"
#include "llvm/MC/TargetRegistry.h"

#include <algorithm>
#include <bitset>

namespace mca::measure {
namespace {

using llvm::MCInst;
using llvm::MCOperand;

/// Iterations of the loop around a block, and the instructions in its short and its long body. Together they make a
/// difference of some thousand cycles: virtual machines were seen whose time stamp counter advances in steps of 30
/// cycles. The bodies are long, since the end of a loop wastes up to a cycle of slots, and differently in each.
constexpr uint32_t kIterations = 40;
constexpr uint32_t kShortBody = 120, kLongBody = 480;
/// Instructions of all iterations of a probe that is a loop, in the shorter and in the longer run.
constexpr uint32_t kShortLoop = 3000, kLongLoop = 12000;
constexpr size_t kLoopAlignment = 64;

constexpr uint64_t kDoubleOnes = 0x3ff0'0000'0000'0000;
constexpr uint64_t kFloatOnes = 0x3f80'0000'3f80'0000;
/// At multiples of 8 bytes, a divisor of each width that leaves what it divides as it is: no quotient overflows.
constexpr uint64_t kIntegerFill = 1;
constexpr uint8_t kStackPointer = 4, kShiftCount = 1, kDividendHigh = 2;
/// Offsets into the memory. The low 12 bits of forms and blockers differ: equal ones look like a dependency. So do
/// their places in a line, since loads from one bank of the cache disturb each other.
constexpr uint64_t kFormMemory = 0x1000, kBlockerMemory = 0x2820, kStackMemory = 0x10000;

bool namesDoubles(llvm::StringRef opcode) {
  return opcode.contains("PD") || opcode.contains("SD");
}

} // namespace

struct ProbeEncoder::Parts {
  Parts(const InstanceMaker &maker, MeasureMemory memory)
      : maker(maker), memory(memory), context(maker.target().triple(), &maker.target().asmInfo(),
                                              &maker.target().registers(), &maker.target().subtarget()),
        emitter(maker.target().backend().createMCCodeEmitter(maker.target().instructions(), context)) {}

  const InstanceMaker &maker;
  MeasureMemory memory;
  mutable llvm::MCContext context;
  std::unique_ptr<llvm::MCCodeEmitter> emitter;

  bool append(const MCInst &inst, std::vector<uint8_t> &code) const;
  std::optional<uint8_t> freeRegister(const Probe &probe) const;
  bool appendMasks(const Probe &probe, std::vector<uint8_t> &code) const;
  void setState(const Probe &probe, CodeToRun &code) const;
  std::optional<CodeToRun> build(const Probe &probe, uint8_t counter, uint32_t copies, uint32_t iterations) const;
};

ProbeEncoder::ProbeEncoder(const InstanceMaker &maker, MeasureMemory memory)
    : parts_(std::make_unique<Parts>(maker, memory)) {}

ProbeEncoder::~ProbeEncoder() = default;

bool ProbeEncoder::Parts::append(const MCInst &inst, std::vector<uint8_t> &code) const {
  llvm::SmallString<16> bytes;
  llvm::SmallVector<llvm::MCFixup, 1> fixups;
  emitter->encodeInstruction(inst, bytes, fixups, maker.target().subtarget());
  code.insert(code.end(), bytes.begin(), bytes.end());
  // The distance of a branch stays 0: taken or not, the next instruction follows.
  const bool isBranch = maker.target().instructions().get(inst.getOpcode()).isBranch();
  return !bytes.empty() && (fixups.empty() || isBranch);
}

/// A general register that no instruction of the probe reads or writes, for the loop's counter.
std::optional<uint8_t> ProbeEncoder::Parts::freeRegister(const Probe &probe) const {
  std::bitset<kFamilyRegisters> used;
  used.set(kStackPointer);
  const auto add = [&](llvm::MCRegister reg) {
    if (const auto number = maker.numberOf(reg); number && number->first == RegisterFamily::General)
      used.set(number->second);
  };
  for (const auto *insts : {&probe.setup, &probe.block})
    for (const MCInst &inst : *insts) {
      for (const MCOperand &operand : inst)
        if (operand.isReg())
          add(operand.getReg());
      const llvm::MCInstrDesc &description = maker.target().instructions().get(inst.getOpcode());
      llvm::for_each(description.implicit_uses(), add);
      llvm::for_each(description.implicit_defs(), add);
    }
  for (uint8_t number = 0; number < kFamilyRegisters; ++number)
    if (!used[number])
      return number;
  return std::nullopt;
}

/// Sets all bits of the masks, if the probe reads or writes one.
bool ProbeEncoder::Parts::appendMasks(const Probe &probe, std::vector<uint8_t> &code) const {
  const bool hasMasks = llvm::any_of(probe.block, [&](const MCInst &inst) {
    return llvm::any_of(inst, [&](const MCOperand &operand) {
      const auto number = operand.isReg() ? maker.numberOf(operand.getReg()) : std::nullopt;
      return number && number->first == RegisterFamily::Mask;
    });
  });
  constexpr uint8_t kMasks = 8;
  bool isComplete = true;
  for (uint8_t number = 0; hasMasks && number < kMasks; ++number) {
    const MCOperand mask = MCOperand::createReg(maker.fullRegister(RegisterFamily::Mask, number));
    isComplete &= append(maker.assemble("KXNORQkk", {mask, mask, mask}), code);
  }
  return isComplete;
}

void ProbeEncoder::Parts::setState(const Probe &probe, CodeToRun &code) const {
  const Placement form = formPlacement(), blocker = blockerPlacement();
  llvm::fill(code.registers, 1);
  code.registers[kShiftCount] = 3; // by 1 is a special case of some CPUs
  code.registers[kDividendHigh] = 0;
  code.registers[form.index] = 0;
  code.registers[form.base] = memory.begin + kFormMemory;
  code.registers[blocker.base] = memory.begin + kBlockerMemory;
  code.registers[kStackPointer] = memory.begin + kStackMemory;
  bool hasDoubles = false, hasVectors = false;
  for (const MCInst &inst : probe.block) {
    hasDoubles |= namesDoubles(maker.target().instructions().getName(inst.getOpcode()));
    for (const MCOperand &operand : inst) {
      if (!operand.isReg())
        continue;
      const auto number = maker.numberOf(operand.getReg());
      hasVectors |= number && number->first == RegisterFamily::Vector;
      const llvm::StringRef name = maker.target().registers().getName(operand.getReg());
      const uint32_t bits = name.starts_with("ZMM") ? 512 : name.starts_with("YMM") ? 256 : 128;
      code.vectorBits = std::max(code.vectorBits, bits);
    }
  }
  llvm::fill(code.vectors, hasDoubles ? kDoubleOnes : kFloatOnes);
  code.memoryFill = hasVectors ? code.vectors[0] : kIntegerFill;
  code.repetitions = 10;
}

std::optional<CodeToRun> ProbeEncoder::Parts::build(const Probe &probe, uint8_t counter, uint32_t copies,
                                                    uint32_t iterations) const {
  const llvm::MCRegister counterRegister = maker.fullRegister(RegisterFamily::General, counter);
  CodeToRun code;
  setState(probe, code);
  bool isComplete = appendMasks(probe, code.code);
  for (const MCInst &inst : probe.setup)
    isComplete &= append(inst, code.code);
  isComplete &=
      append(maker.assemble("MOV64ri32", {MCOperand::createReg(counterRegister), MCOperand::createImm(iterations)}),
             code.code);
  const MCInst nop = maker.assemble("NOOP", {});
  while (code.code.size() % kLoopAlignment != 0)
    isComplete &= append(nop, code.code);
  const size_t begin = code.code.size();
  std::vector<uint8_t> block;
  for (const MCInst &inst : probe.block)
    isComplete &= append(inst, block);
  for (uint32_t copy = 0; copy < copies; ++copy)
    code.code.insert(code.code.end(), block.begin(), block.end());
  isComplete &=
      append(maker.assemble("DEC64r", {MCOperand::createReg(counterRegister), MCOperand::createReg(counterRegister)}),
             code.code);
  constexpr size_t kBranchBytes = 6;
  const uint32_t back = static_cast<uint32_t>(begin - (code.code.size() + kBranchBytes));
  // jnz with 32 bits: LLVM's encoder leaves the distance of a branch to the linker.
  code.code.insert(code.code.end(), {0x0f, 0x85});
  for (unsigned byte = 0; byte < 4; ++byte)
    code.code.push_back(static_cast<uint8_t>(back >> (8 * byte)));
  return isComplete && code.code.size() <= CodeToRun::kMaxBytes ? std::optional(code) : std::nullopt;
}

Result<EncodedProbe> ProbeEncoder::encode(const Probe &probe) const {
  const std::optional<uint8_t> counter = parts_->freeRegister(probe);
  if (!counter)
    return Failure{"it uses all registers"};
  const uint32_t size = static_cast<uint32_t>(probe.block.size());
  const uint32_t few = probe.isLoop ? 1 : (kShortBody + size - 1) / size;
  const uint32_t many = probe.isLoop ? 1 : few * (kLongBody / kShortBody);
  uint32_t rounds = probe.isLoop ? (kShortLoop + size - 1) / size : kIterations;
  uint32_t moreRounds = probe.isLoop ? rounds * (kLongLoop / kShortLoop) : kIterations;
  if (probe.executions) {
    rounds = probe.executions;
    moreRounds = 2 * rounds;
  }
  auto shorter = parts_->build(probe, *counter, few, rounds);
  auto longer = parts_->build(probe, *counter, many, moreRounds);
  if (!shorter || !longer)
    return Failure{"it cannot be encoded"};
  return EncodedProbe{.shorter = std::move(*shorter),
                      .longer = std::move(*longer),
                      .copies = double(many) * moreRounds - double(few) * rounds};
}

std::vector<uint8_t> ProbeEncoder::bytesOf(const MCInst &inst) const {
  std::vector<uint8_t> bytes;
  return parts_->append(inst, bytes) ? bytes : std::vector<uint8_t>();
}

} // namespace mca::measure
