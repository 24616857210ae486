// First which data is reached, then what it says. Both go through the data once, in text order: data that is reached
// only through other data comes after it.
#include "mca-core/assembly/code_data.h"

#include "mca-core/assembly/symbols.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>

namespace mca {
namespace {

using Bytes = llvm::ArrayRef<uint8_t>;

Bytes bytesOf(llvm::StringRef text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

// ---- what an instruction does --------------------------------------------------------------------------------------

/// ARM predicates almost every instruction: under a condition, control falls through.
bool isPredicated(const Target &target, const llvm::MCInst &inst, const llvm::MCInstrDesc &description) {
  constexpr int64_t kAlways = 14; // the condition code AL of the ARM architecture
  const int operand = target.triple().isARM() || target.triple().isThumb() ? description.findFirstPredOperandIdx() : -1;
  if (operand < 0 || static_cast<unsigned>(operand) >= inst.getNumOperands())
    return false;
  const llvm::MCOperand &predicate = inst.getOperand(static_cast<unsigned>(operand));
  return predicate.isImm() && predicate.getImm() != kAlways;
}

struct Effect {
  bool fallsThrough = true;
  bool isCall = false; ///< of a function that may not return
  bool isJump = false; ///< it leads elsewhere, unless it returns
  const llvm::MCSymbol *target = nullptr;
};

Effect effectOf(const Target &target, const llvm::MCInst &inst) {
  const llvm::MCInstrDesc &description = target.instructions().get(inst.getOpcode());
  const llvm::MCInstrAnalysis tables(&target.instructions());
  const llvm::MCInstrAnalysis &analysis = target.analysis() ? *target.analysis() : tables;
  const bool isReturn = analysis.isReturn(inst);
  Effect effect{.isCall = analysis.isCall(inst) && !isReturn && !description.isBarrier()};
  effect.isJump = analysis.isBranch(inst) || effect.isCall;
  // What an indirect jump names is a table, or a pointer.
  if ((effect.isJump || description.isBarrier()) && !analysis.isIndirectBranch(inst) && !description.mayLoad())
    for (const llvm::MCOperand &operand : inst)
      if (operand.isExpr())
        if (const llvm::MCSymbol *symbol = firstSymbolIn(*operand.getExpr()))
          effect.target = symbol;
  const bool writesProgramCounter = (target.triple().isARM() || target.triple().isThumb()) && !effect.isCall &&
                                    analysis.mayAffectControlFlow(inst, target.registers());
  const bool ends = isReturn || description.isBarrier() || description.isTrap() || analysis.isIndirectBranch(inst) ||
                    writesProgramCounter || analysis.isUnconditionalBranch(inst);
  effect.fallsThrough = !ends || analysis.isConditionalBranch(inst) || isPredicated(target, inst, description);
  return effect;
}

// ---- bytes and instructions ----------------------------------------------------------------------------------------

/// Whether all bytes are prefixes of an x86 instruction (Intel's manual, volume 2, 2.1.1 and 2.2.1).
bool arePrefixes(const Target &target, Bytes bytes) {
  constexpr std::array<uint8_t, 11> kLegacy{0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3};
  return target.triple().isX86() && !bytes.empty() && llvm::all_of(bytes, [&](uint8_t byte) {
           return llvm::is_contained(kLegacy, byte) || (target.triple().isX86_64() && (byte & 0xf0) == 0x40);
         });
}

class Decoder {
public:
  Decoder(const Target &target, llvm::MCContext &context) : target_(target), context_(context) {}

  struct Decoded {
    llvm::MCInst inst;
    size_t size;
  };
  /// The instruction that the bytes begin with, if it refers to no other place.
  std::optional<Decoded> decode(Bytes bytes, const llvm::MCSubtargetInfo &subtarget) {
    constexpr size_t kLongest = 32; // no target has longer ones, and prefixes need not end
    bytes = bytes.take_front(kLongest);
    std::optional<Decoded> decoded = decodeOne(bytes, subtarget);
    // LLVM decodes some prefixes as instructions, but parses them as flags of the next one.
    if (!decoded || !arePrefixes(target_, bytes.take_front(decoded->size)))
      return decoded;
    std::optional<Decoded> rest = decode(bytes.drop_front(decoded->size), subtarget);
    if (rest) {
      rest->size += decoded->size;
      rest->inst.setFlags(rest->inst.getFlags() | flagOf(decoded->inst));
    }
    return rest;
  }

  struct Encoded {
    llvm::SmallString<16> bytes;
    bool hasFixups = false; ///< some of the bytes are filled in by the assembler or a linker
  };
  std::optional<Encoded> encode(const llvm::MCInst &inst, const llvm::MCSubtargetInfo &subtarget) {
    if (!emitter_)
      emitter_.reset(target_.backend().createMCCodeEmitter(target_.instructions(), context_));
    if (!emitter_)
      return std::nullopt;
    Encoded encoded;
    llvm::SmallVector<llvm::MCFixup, 2> fixups;
    emitter_->encodeInstruction(inst, encoded.bytes, fixups, subtarget);
    encoded.hasFixups = !fixups.empty();
    return encoded;
  }

private:
  std::optional<Decoded> decodeOne(Bytes bytes, const llvm::MCSubtargetInfo &subtarget) {
    if (&subtarget != subtarget_) {
      subtarget_ = &subtarget;
      disassembler_.reset(target_.backend().createMCDisassembler(subtarget, context_));
    }
    Decoded decoded{};
    uint64_t size = 0;
    if (!disassembler_ || bytes.empty() ||
        disassembler_->getInstruction(decoded.inst, size, bytes, 0, llvm::nulls()) == llvm::MCDisassembler::Fail ||
        size == 0 || size > bytes.size())
      return std::nullopt;
    decoded.size = size;
    const bool isPlain = llvm::all_of(decoded.inst, [](const llvm::MCOperand &operand) {
      return operand.isReg() || operand.isImm() || operand.isSFPImm() || operand.isDFPImm();
    });
    return isPlain ? std::optional(std::move(decoded)) : std::nullopt;
  }

  /// The flag of X86BaseInfo.h (IPREFIXES), which LLVM does not install, for a prefix that is an instruction.
  unsigned flagOf(const llvm::MCInst &prefix) const {
    return llvm::StringSwitch<unsigned>(target_.instructions().getName(prefix.getOpcode()))
        .Case("REPNE_PREFIX", 1u << 2)
        .Case("REP_PREFIX", 1u << 3)
        .Case("LOCK_PREFIX", 1u << 4)
        .Default(0);
  }

  const Target &target_;
  llvm::MCContext &context_;
  const llvm::MCSubtargetInfo *subtarget_ = nullptr;
  std::unique_ptr<llvm::MCDisassembler> disassembler_;
  std::unique_ptr<llvm::MCCodeEmitter> emitter_;
};

// ---- the data of a program -----------------------------------------------------------------------------------------

/// How sure it is that control flow reaches data.
enum class Reach : uint8_t {
  No,
  IfCode, ///< what comes after it is dead code otherwise
  Yes
};

class CodeDataDecoder {
public:
  CodeDataDecoder(const ProgramContents &program, const Target &target, llvm::MCContext &context,
                  std::span<const CodeData> data)
      : program_(program), target_(target), decoder_(target, context), data_(data), decoded_(data.size()) {
    for (const Instruction &instruction : program.instructions)
      if (const Effect effect = effectOf(target, instruction.inst); effect.target)
        targets_.insert(effect.target);
  }

  std::vector<DecodedData> take() {
    for (size_t i = 0; i < data_.size();) {
      const size_t end = endOfRun(i);
      if (const Reach reach = reachOf(i, end); reach != Reach::No)
        decodeRun(i, end, reach);
      i = end;
    }
    const bool isEmpty = llvm::all_of(decoded_, [](const DecodedData &one) {
      return one.instructions.empty() && !one.isUnread && !one.next && !one.nextFlags;
    });
    return isEmpty ? std::vector<DecodedData>() : std::move(decoded_);
  }

private:
  /// The last thing in a section before some data.
  struct Before {
    uint32_t instruction = kNone;
    size_t data = SIZE_MAX; ///< the run of data after the instruction that ends with it, if there is one
    bool fallsThrough = false;
  };

  /// A run is data without labels and instructions between, which may share an instruction.
  size_t endOfRun(size_t begin) const {
    size_t end = begin + 1;
    while (end < data_.size() && data_[end].section == data_[begin].section &&
           data_[end].instruction == data_[begin].instruction && data_[end].label == data_[begin].label &&
           data_[end].subtarget == data_[begin].subtarget && !data_[end - 1].endsUnknown)
      ++end;
    return end;
  }

  /// The labels of the section from `begin` on that stand before the data.
  template <typename Function>
  bool anyLabelBefore(const CodeData &data, uint32_t begin, const Function &holds) const {
    const auto labels = llvm::ArrayRef(program_.labels).take_front(data.label).drop_front(std::min(begin, data.label));
    return llvm::any_of(labels, [&](const Label &label) { return label.section == data.section && holds(label); });
  }

  /// Whether an instruction comes right after the data.
  bool isBeforeInstruction(const CodeData &last) const {
    return last.instruction < program_.instructions.size() && !last.endsUnknown &&
           program_.instructions[last.instruction].section == last.section;
  }
  bool hasLabelAfter(const CodeData &last, const llvm::MCSymbol *symbol = nullptr) const {
    for (size_t i = last.label; i < program_.labels.size() && program_.labels[i].instruction == last.instruction; ++i)
      if (program_.labels[i].section == last.section && (!symbol || program_.labels[i].symbol == symbol))
        return true;
    return false;
  }

  Reach reachOf(size_t begin, size_t end) {
    const CodeData &first = data_[begin], &last = data_[end - 1];
    for (; read_ < first.instruction; ++read_)
      before_[program_.instructions[read_].section] = {.instruction = read_};
    Before &before = before_[first.section];
    const Before known = std::exchange(before, {before.instruction, begin, false});
    const auto afterInstruction = std::ranges::upper_bound(
        program_.labels, known.instruction == kNone ? 0 : known.instruction, {}, &Label::instruction);
    const auto ownLabels = known.instruction == kNone ? program_.labels.begin() : afterInstruction;
    const uint32_t firstLabel = std::max(std::exchange(label_[first.section], first.label),
                                         static_cast<uint32_t>(ownLabels - program_.labels.begin()));
    const bool isTarget = anyLabelBefore(first, firstLabel, [&](const Label &label) {
      return targets_.contains(label.symbol) || program_.functions.contains(label.symbol);
    });
    const bool hasLabel = anyLabelBefore(first, firstLabel, [](const Label &) { return true; });
    if (isTarget || (known.data != SIZE_MAX ? known.fallsThrough : fallsInto(known.instruction, last, hasLabel)))
      return Reach::Yes;
    return hasLabel && isBeforeInstruction(last) && !hasLabelAfter(last) ? Reach::IfCode : Reach::No;
  }

  /// Whether the instruction falls through to the data up to `last`. What comes after a call with a label of its own
  /// may be data, if the function does not return; and a text calls the label after a constant for its address.
  bool fallsInto(uint32_t instruction, const CodeData &last, bool hasLabel) const {
    if (instruction == kNone)
      return !hasLabel;
    const auto instAt = [&](uint32_t index) -> const llvm::MCInst & { return program_.instructions[index].inst; };
    const bool isDelaySlot =
        instruction && target_.instructions().get(instAt(instruction - 1).getOpcode()).hasDelaySlot();
    const Effect effect = effectOf(target_, instAt(isDelaySlot ? instruction - 1 : instruction));
    if (!effect.fallsThrough)
      return false;
    return !effect.isCall || (!hasLabel && !(effect.target && hasLabelAfter(last, effect.target)));
  }

  /// Decodes one instruction after the other, and gives each to the data of its first byte.
  void decodeRun(size_t begin, size_t end, Reach reach) {
    std::string text;
    std::vector<size_t> ends; // of the data in the text
    for (size_t i = begin; i < end; ++i)
      ends.push_back((text += data_[i].bytes).size());
    const Bytes bytes = bytesOf(text);
    const CodeData &last = data_[end - 1];
    const auto dataAt = [&](size_t offset) {
      return begin + static_cast<size_t>(std::ranges::upper_bound(ends, offset) - ends.begin());
    };
    size_t at = 0;
    bool fallsThrough = true;
    while (at < bytes.size() && fallsThrough && !isPrefixOfNext(bytes.drop_front(at), last)) {
      std::optional<Decoder::Decoded> one = decoder_.decode(bytes.drop_front(at), *last.subtarget);
      const Effect effect = one ? effectOf(target_, one->inst) : Effect();
      if (!one || effect.isJump)
        break;
      fallsThrough = effect.fallsThrough;
      decoded_[dataAt(at)].instructions.push_back(std::move(one->inst));
      at += one->size;
    }
    const bool isRead =
        !fallsThrough || (at == bytes.size() ? !last.endsUnknown : readPrefixes(bytes.drop_front(at), end - 1));
    before_[last.section].fallsThrough = fallsThrough && (isRead || reach == Reach::Yes);
    if (isRead)
      return;
    if (reach == Reach::Yes)
      decoded_[at == bytes.size() ? end - 1 : dataAt(at)].isUnread = true;
    else
      std::fill_n(decoded_.begin() + static_cast<ptrdiff_t>(begin), end - begin, DecodedData());
  }

  bool isPrefixOfNext(Bytes rest, const CodeData &last) const {
    return isBeforeInstruction(last) && arePrefixes(target_, rest);
  }

  /// Makes the bytes a part of the instruction after them. Returns false if they are no prefixes of it.
  bool readPrefixes(Bytes prefixes, size_t index) {
    const CodeData &data = data_[index];
    if (!isPrefixOfNext(prefixes, data))
      return false;
    const llvm::MCInst &spelled = program_.instructions[data.instruction].inst;
    const std::optional<Decoder::Encoded> encoded = decoder_.encode(spelled, *data.subtarget);
    if (!encoded)
      return false;
    if (arePrefixes(target_, bytesOf(encoded->bytes))) // `rex64` is an instruction for LLVM
      return true;
    const std::string together = llvm::toStringRef(prefixes).str() + encoded->bytes.str().str();
    std::optional<Decoder::Decoded> whole = decoder_.decode(bytesOf(together), *data.subtarget);
    if (!whole || whole->size != together.size())
      return false;
    if (whole->inst.getOpcode() == spelled.getOpcode())
      decoded_[index].nextFlags = whole->inst.getFlags() & ~spelled.getFlags(); // a string instruction may repeat now
    else if (encoded->hasFixups)
      return false;
    else
      decoded_[index].next = std::move(whole->inst);
    return true;
  }

  const ProgramContents &program_;
  const Target &target_;
  Decoder decoder_;
  std::span<const CodeData> data_;
  std::vector<DecodedData> decoded_;
  llvm::DenseSet<const llvm::MCSymbol *> targets_;          ///< of branches and calls
  uint32_t read_ = 0;                                       ///< instructions of before_
  llvm::DenseMap<const llvm::MCSection *, Before> before_;  ///< the data that is next
  llvm::DenseMap<const llvm::MCSection *, uint32_t> label_; ///< the labels that stand before the last data
};

} // namespace

std::vector<DecodedData> decodeCodeData(const ProgramContents &program, const Target &target, llvm::MCContext &context,
                                        std::span<const CodeData> data) {
  return CodeDataDecoder(program, target, context, data).take();
}

bool isInsnDirective(const Target &target, const llvm::MCInst &inst) {
  return (target.triple().isRISCV() || target.triple().isSystemZ()) &&
         target.instructions().getName(inst.getOpcode()).starts_with("Insn");
}

std::optional<llvm::MCInst> decodeInsn(const Target &target, llvm::MCContext &context, const llvm::MCInst &inst,
                                       const llvm::MCSubtargetInfo &subtarget) {
  Decoder decoder(target, context);
  const std::optional<Decoder::Encoded> encoded = decoder.encode(inst, subtarget);
  std::optional<Decoder::Decoded> decoded = encoded ? decoder.decode(bytesOf(encoded->bytes), subtarget) : std::nullopt;
  if (!decoded || decoded->size != encoded->bytes.size() || isInsnDirective(target, decoded->inst))
    return std::nullopt;
  decoded->inst.setLoc(inst.getLoc());
  const auto symbol = llvm::find_if(inst, [](const llvm::MCOperand &operand) { return operand.isExpr(); });
  if (symbol == inst.end())
    return std::move(decoded->inst);
  // The symbol is the immediate, which is the last operand of RISC-V's instructions with one.
  llvm::MCOperand &last = decoded->inst.getOperand(decoded->inst.getNumOperands() - 1);
  if (!target.triple().isRISCV() || !last.isImm())
    return std::nullopt;
  last = *symbol;
  return std::move(decoded->inst);
}

} // namespace mca
