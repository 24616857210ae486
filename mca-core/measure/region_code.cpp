#include "mca-core/measure/region_code.h"

#include "mca-core/measure/forbidden.h"
#include "mca-core/measure/registers.h"
#include "mca-core/program/branch.h"

#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/MC/MCValue.h"
#include "llvm/MC/TargetRegistry.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

namespace mca::measure {
namespace {

using Bytes = llvm::SmallVector<uint8_t, 16>;

constexpr uint64_t kSymbolBytes = 64;
constexpr size_t kMaxInstructions = 10'000;

template <typename T>
bool fits(int64_t value) {
  return value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max();
}

void appendNumber(Bytes &bytes, int64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

/// A short branch with a displacement of 32 bits instead. False for those that have no such form (loop, jrcxz).
bool lengthen(Bytes &bytes) {
  uint8_t &opcode = bytes[bytes.size() - 2];
  if (opcode == 0xeb) {
    opcode = 0xe9;
    bytes.pop_back();
  } else if ((opcode & 0xf0) == 0x70) {
    const auto condition = static_cast<uint8_t>(opcode & 0x0f);
    opcode = 0x0f;
    bytes.back() = 0x80 | condition;
  } else {
    return false;
  }
  bytes.append(4, 0);
  return true;
}

/// `dec` of a 64-bit register.
Bytes decrement(uint32_t generalRegister) {
  return {static_cast<uint8_t>(0x48 | generalRegister >> 3), 0xff, static_cast<uint8_t>(0xc8 | (generalRegister & 7))};
}

/// `incq` of the note's address.
Bytes countNote() {
  Bytes bytes{0x48, 0xff, 0x04, 0x25};
  appendNumber(bytes, static_cast<int64_t>(CodeRunner::noteAddress()), 4);
  return bytes;
}

} // namespace

/// A piece of the code that emit() makes.
struct RegionCode::Placed {
  uint32_t piece = kNone; ///< kNone: the form's own
  bool isExit = false;    ///< where a branch out of the region goes
  Bytes bytes;
  uint32_t target = kNone; ///< of a branch: index of a Placed
  uint8_t displacementBytes = 0;
  size_t offset = 0;
};

/// Makes the pieces.
class RegionCode::Assembler {
public:
  Assembler(const Target &target, const Program &program, const ProgramBranches &branches,
            std::span<const uint32_t> instructions, MeasureMemory symbols)
      : target_(target), program_(program), branches_(branches), instructions_(instructions), symbols_(symbols),
        registers_(target.registers()),
        emitter_(target.backend().createMCCodeEmitter(target.instructions(), program.context())) {}

  std::variant<RegionCode, RegionRefusal> run() {
    if (instructions_.empty())
      return RegionRefusal{"it has no instructions"};
    if (instructions_.size() > kMaxInstructions)
      return RegionRefusal{"it has more than " + std::to_string(kMaxInstructions) + " instructions"};
    for (const uint32_t instruction : instructions_)
      if (auto reason = add(instruction))
        return RegionRefusal{std::move(*reason), instruction};
    const uint32_t last = instructions_.back();
    const BranchKind kind = branches_.kindOf(last);
    code_.hasClosing_ = code_.pieces_.back().target == kFirst;
    code_.isConditional_ = kind == BranchKind::ConditionalJump;
    if (code_.hasClosing_ && code_.pieces_.size() == 1)
      return RegionRefusal{"it has no instructions but a branch", last};
    code_.symbolCount_ = places_.size();
    chooseCounter();
    return std::move(code_);
  }

private:
  /// Returns why the instruction cannot be measured.
  std::optional<std::string> add(uint32_t instruction) {
    const Branch &branch = branches_.at(instruction);
    const unsigned opcode = program_.instructions()[instruction].inst.getOpcode();
    if (auto reason = whyForbidden(target_.instructions().getName(opcode)))
      return reason;
    switch (branch.kind) {
    case BranchKind::Call:
    case BranchKind::IndirectCall:
      return "it calls a function";
    case BranchKind::Return:
      return "it returns";
    case BranchKind::IndirectJump:
      return "it jumps to a computed address";
    case BranchKind::None:
    case BranchKind::Jump:
    case BranchKind::ConditionalJump:
    case BranchKind::Trap:
      break;
    }
    llvm::MCInst inst = program_.instructions()[instruction].inst;
    noteRegisters(inst);
    Piece &piece = code_.pieces_.emplace_back();
    piece.instruction = instruction;
    const bool isJump = branch.kind == BranchKind::Jump || branch.kind == BranchKind::ConditionalJump;
    return isJump ? addBranch(inst, branch, piece) : addPlain(inst, piece);
  }

  std::optional<std::string> addBranch(const llvm::MCInst &inst, const Branch &branch, Piece &piece) {
    llvm::SmallVector<llvm::MCFixup, 2> fixups;
    encode(inst, piece.bytes, fixups);
    if (fixups.size() != 1 || fixups[0].getOffset() >= piece.bytes.size())
      return "it jumps to an address without a label";
    piece.displacementBytes = static_cast<uint8_t>(piece.bytes.size() - fixups[0].getOffset());
    if (piece.displacementBytes != 1 && piece.displacementBytes != 4)
      return "it has a branch of an unusual form";
    const auto found = llvm::find(instructions_, branch.target);
    piece.target = found == instructions_.end() ? kOutside : static_cast<uint32_t>(found - instructions_.begin());
    // The last line of a copied loop, whose label was not copied.
    if (branch.target == kNone && piece.instruction == instructions_.back())
      piece.target = kFirst;
    return std::nullopt;
  }

  std::optional<std::string> addPlain(const llvm::MCInst &inst, Piece &piece) {
    llvm::SmallVector<llvm::MCFixup, 2> fixups;
    encode(inst, piece.bytes, fixups);
    for (const llvm::MCFixup &fixup : fixups) {
      const std::optional<uint64_t> value = valueOf(*fixup.getValue());
      // LLVM's value counts from the end of the field.
      const uint32_t bias = fixup.isPCRel() ? sizeOf(fixup) : 0;
      const Field field{.position = fixup.getOffset(),
                        .size = sizeOf(fixup),
                        .value = value.value_or(0) - bias,
                        .isRelative = fixup.isPCRel()};
      if (!value || field.position + field.size > piece.bytes.size() || (field.isRelative && field.size != 4))
        return "it needs an address that only a linker can give";
      if (field.isRelative)
        piece.fields.push_back(field);
      else
        std::memcpy(piece.bytes.data() + field.position, &field.value, field.size); // x86 is little-endian, as we are
    }
    return std::nullopt;
  }

  /// The fields that LLVM's X86 backend defines itself have 4 bytes.
  static uint32_t sizeOf(const llvm::MCFixup &fixup) {
    switch (fixup.getKind()) {
    case llvm::FK_Data_1:
      return 1;
    case llvm::FK_Data_2:
      return 2;
    case llvm::FK_Data_8:
      return 8;
    default:
      return 4;
    }
  }

  /// The value of an expression of at most one symbol, whose place is new if it is.
  std::optional<uint64_t> valueOf(const llvm::MCExpr &expression) {
    llvm::MCValue value;
    if (!expression.evaluateAsRelocatable(value, nullptr) || value.getSubSym())
      return std::nullopt;
    if (!value.getAddSym())
      return static_cast<uint64_t>(value.getConstant());
    const auto [place, isNew] = places_.try_emplace(value.getAddSym(), 0);
    if (isNew) {
      if (places_.size() * kSymbolBytes > symbols_.size)
        return std::nullopt;
      place->second = symbols_.begin + (places_.size() - 1) * kSymbolBytes;
    }
    return place->second + static_cast<uint64_t>(value.getConstant());
  }

  void encode(const llvm::MCInst &inst, Bytes &bytes, llvm::SmallVectorImpl<llvm::MCFixup> &fixups) const {
    llvm::SmallString<16> text;
    emitter_->encodeInstruction(inst, text, fixups, target_.subtarget());
    bytes.assign(text.begin(), text.end());
  }

  void noteRegisters(const llvm::MCInst &inst) {
    const auto note = [&](llvm::MCRegister one) {
      if (const auto index = registers_.indexOf(one))
        code_.used_ |= 1u << *index;
      code_.vectorBits_ = std::max(code_.vectorBits_, registers_.vectorBitsOf(one));
    };
    for (const llvm::MCOperand &operand : inst)
      if (operand.isReg() && operand.getReg())
        note(operand.getReg());
    const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
    llvm::for_each(description.implicit_uses(), note);
    llvm::for_each(description.implicit_defs(), note);
  }

  /// Not rsp; those that need no REX prefix last, as they have more uses.
  void chooseCounter() {
    for (uint32_t one = std::size(kRegisterNames); one-- > 0 && code_.counter_ == kNone;)
      if (one != kStackRegister && !code_.uses(one))
        code_.counter_ = one;
  }

  const Target &target_;
  const Program &program_;
  const ProgramBranches &branches_;
  std::span<const uint32_t> instructions_;
  MeasureMemory symbols_;
  GeneralRegisters registers_;
  std::unique_ptr<llvm::MCCodeEmitter> emitter_;
  llvm::DenseMap<const llvm::MCSymbol *, uint64_t> places_;
  RegionCode code_;
};

std::variant<RegionCode, RegionRefusal> RegionCode::assemble(const Target &target, const Program &program,
                                                             const ProgramBranches &branches,
                                                             std::span<const uint32_t> instructions,
                                                             MeasureMemory symbols) {
  return Assembler(target, program, branches, instructions, symbols).run();
}

/// The pieces in their order, with the targets of branches, before any has an offset.
std::vector<RegionCode::Placed> RegionCode::place(Repeating repeating, uint32_t count, bool counted) const {
  const auto bodySize = static_cast<uint32_t>(pieces_.size() - (hasClosing_ && repeating != Repeating::Own));
  const uint32_t copies = repeating == Repeating::Own ? 1 : count, perCopy = bodySize + counted;
  const uint32_t closing = repeating == Repeating::Counted ? 2 : 0;
  const uint32_t over = copies * perCopy + closing; // the jump over the exits
  std::vector<Placed> placed;
  llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 1>> leaving; // a piece -> the branches of its copies
  for (uint32_t copy = 0; copy < copies; ++copy) {
    if (counted)
      placed.push_back({.bytes = countNote()});
    for (uint32_t i = 0; i < bodySize; ++i) {
      const Piece &piece = pieces_[i];
      Placed &one =
          placed.emplace_back(Placed{.piece = i, .bytes = piece.bytes, .displacementBytes = piece.displacementBytes});
      if (piece.target == kOutside)
        leaving[i].push_back(static_cast<uint32_t>(placed.size() - 1));
      else if (piece.target == kFirst && repeating != Repeating::Own)
        one.target = (copy + 1) * perCopy; // the next copy, or what closes the loop
      else if (piece.target != kNone)
        one.target = copy * perCopy + (piece.target == kFirst ? 0 : piece.target + counted);
    }
  }
  if (closing) {
    placed.push_back({.bytes = decrement(counter_)});
    placed.push_back({.bytes = {0x75, 0}, .target = 0, .displacementBytes = 1});
  }
  if (leaving.empty())
    return placed;
  assert(placed.size() == over);
  placed.push_back(
      {.bytes = {0xeb, 0}, .target = static_cast<uint32_t>(over + 1 + leaving.size()), .displacementBytes = 1});
  for (uint32_t i = 0; i < bodySize; ++i) {
    for (const uint32_t branch : leaving.lookup(i))
      placed[branch].target = static_cast<uint32_t>(placed.size());
    if (leaving.contains(i))
      placed.push_back({.piece = i, .isExit = true, .bytes = {0x0f, 0x0b}}); // ud2
  }
  return placed;
}

/// Gives each piece its offset; branches are lengthened until all reach their targets. The last offset is the end.
std::optional<std::vector<RegionCode::Placed>> RegionCode::placeAll(Repeating repeating, uint32_t count,
                                                                    bool counted) const {
  std::vector<Placed> placed = place(repeating, count, counted);
  placed.push_back({}); // a target behind the last piece
  for (bool isStable = false; !isStable;) {
    size_t offset = 0;
    for (Placed &one : placed) {
      one.offset = offset;
      offset += one.bytes.size();
    }
    isStable = true;
    for (Placed &one : placed) {
      if (one.target == kNone || one.displacementBytes == 4)
        continue;
      const auto end = static_cast<int64_t>(one.offset + one.bytes.size());
      if (fits<int8_t>(static_cast<int64_t>(placed[one.target].offset) - end))
        continue;
      if (!lengthen(one.bytes))
        return std::nullopt;
      one.displacementBytes = 4;
      isStable = false;
    }
  }
  return placed;
}

bool RegionCode::emit(CodeToRun &code, Repeating repeating, uint32_t count, bool counted) const {
  if (repeating == Repeating::Counted && counter_ == kNone)
    return false;
  const auto placed = placeAll(repeating, count, counted);
  if (!placed)
    return false;
  code.code.clear();
  code.relative.clear();
  for (const Placed &one : *placed) {
    if (one.piece != kNone && !one.isExit)
      for (const Field &field : pieces_[one.piece].fields)
        code.relative.push_back({static_cast<uint32_t>(one.offset + field.position), field.value});
    code.code.insert(code.code.end(), one.bytes.begin(), one.bytes.end());
    if (one.target == kNone)
      continue;
    const int64_t distance =
        static_cast<int64_t>((*placed)[one.target].offset) - static_cast<int64_t>(code.code.size());
    std::memcpy(code.code.data() + code.code.size() - one.displacementBytes, &distance, one.displacementBytes);
  }
  return true;
}

uint32_t RegionCode::instructionAt(uint32_t offset, Repeating repeating, uint32_t count, bool counted,
                                   bool &isExit) const {
  isExit = false;
  const auto placed = placeAll(repeating, count, counted);
  if (!placed)
    return kNone;
  const auto next = llvm::upper_bound(*placed, offset, [](uint32_t at, const Placed &one) { return at < one.offset; });
  if (next == placed->begin() || std::prev(next)->piece == kNone)
    return kNone;
  isExit = std::prev(next)->isExit;
  return pieces_[std::prev(next)->piece].instruction;
}

} // namespace mca::measure
