#include "analysis/profile/function_match.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/TargetRegistry.h"

#include <algorithm>
#include <optional>

namespace analysis {
namespace {

using llvm::StringRef;

struct Encoded {
  llvm::SmallString<16> bytes;
  llvm::SmallVector<llvm::MCFixup, 2> fixups; ///< what is filled in later
};

/// Whether linkers replace the instruction of a fixup by another one of the same length: x86's loads from the GOT, and
/// AArch64's pairs that make an address.
bool isReplacedByLinkers(StringRef fixup) {
  return llvm::any_of(
      llvm::ArrayRef<llvm::StringLiteral>{"relax", "movq_load", "gottpoff", "pcrel_adrp", "add_imm12", "ldst_imm12"},
      [&](StringRef part) { return fixup.contains(part); });
}

} // namespace

/// One comparison.
class FunctionMatcher::Walk {
public:
  Walk(const FunctionMatcher &matcher, const ProfiledFunction &function)
      : matcher_(matcher), branches_(matcher.branches_), target_(branches_.target()), function_(function),
        code_(function.code) {}

  Match run(uint32_t entry) {
    const uint32_t of = branches_.functionOf(entry);
    for (uint32_t i = entry; i != mca::kNone && branches_.functionOf(i) == of; i = branches_.next(i))
      if (std::string difference = take(i); !difference.empty())
        return {{}, {}, std::move(difference)};
    if (std::string difference = checkEnd(); !difference.empty())
      return {{}, {}, std::move(difference)};
    for (size_t i = 0; i < match_.instructions.size(); ++i)
      if (std::string difference = checkTarget(i); !difference.empty())
        return {{}, {}, std::move(difference)};
    return std::move(match_);
  }

private:
  struct Decoded {
    llvm::MCInst inst;
    uint64_t size = 0;
  };

  std::optional<Decoded> decode(uint64_t offset) const {
    Decoded decoded;
    const auto status = matcher_.disassembler_->getInstruction(decoded.inst, decoded.size,
                                                               llvm::arrayRefFromStringRef(code_.drop_front(offset)),
                                                               function_.address + offset, llvm::nulls());
    if (status != llvm::MCDisassembler::Success || decoded.size == 0)
      return std::nullopt;
    return decoded;
  }

  StringRef mnemonicOf(const llvm::MCInst &inst) const {
    const char *name = matcher_.printer_->getMnemonic(inst).first;
    return name ? StringRef(name).trim() : target_.instructions().getName(inst.getOpcode());
  }

  /// What assemblers fill gaps in code with: one instruction, or x86's prefixes and the instruction after them.
  bool isPadding(const llvm::MCInst &inst) const {
    const StringRef name = mnemonicOf(inst);
    return name.starts_with("nop") || name.ends_with("nop") || name == "data16" || name == "int3";
  }

  Encoded encode(const llvm::MCInst &inst) const {
    Encoded encoded;
    matcher_.emitter_->encodeInstruction(inst, encoded.bytes, encoded.fixups, target_.subtarget());
    return encoded;
  }

  bool isAt(const Encoded &encoded, uint64_t offset) const {
    if (offset + encoded.bytes.size() > code_.size())
      return false;
    const StringRef theirs = code_.substr(offset, encoded.bytes.size());
    if (theirs == encoded.bytes) // so it is for most
      return true;
    llvm::SmallString<16> filledIn = encoded.bytes; // with the bits of theirs that nothing says before linking
    for (const llvm::MCFixup &fixup : encoded.fixups) {
      const llvm::MCFixupKindInfo info = matcher_.backend_->getFixupKindInfo(fixup.getKind());
      if (isReplacedByLinkers(info.Name))
        return true;
      for (unsigned bit = info.TargetOffset; bit < unsigned{info.TargetOffset} + info.TargetSize; ++bit)
        if (const size_t byte = fixup.getOffset() + bit / 8; byte < filledIn.size()) {
          const unsigned mask = 1u << bit % 8;
          filledIn[byte] = static_cast<char>((filledIn[byte] & ~mask) | (theirs[byte] & mask));
        }
    }
    return theirs == filledIn;
  }

  /// The size of an instruction that is the text's and begins at an offset; 0 if another one is there.
  uint64_t sizeAt(const llvm::MCInst &ours, uint64_t offset) const {
    const Encoded encoded = encode(ours);
    if (encoded.bytes.empty())
      return 0;
    if (isAt(encoded, offset))
      return encoded.bytes.size();
    if (!matcher_.backend_->mayNeedRelaxation(ours.getOpcode(), ours.getOperands(), target_.subtarget()))
      return 0;
    llvm::MCInst longer = ours;
    matcher_.backend_->relaxInstruction(longer, target_.subtarget());
    const Encoded relaxed = encode(longer);
    return relaxed.bytes.size() > encoded.bytes.size() && isAt(relaxed, offset) ? relaxed.bytes.size() : 0;
  }

  /// Takes the next instruction of the text. Returns the difference, or an empty text.
  std::string take(uint32_t instruction) {
    const llvm::MCInst &ours = branches_.inst(instruction);
    uint64_t offset = ends_.empty() ? 0 : ends_.back();
    for (;;) {
      if (const uint64_t size = sizeAt(ours, offset)) {
        match_.instructions.push_back(instruction);
        match_.offsets.push_back(offset);
        ends_.push_back(offset + size);
        return {};
      }
      const auto theirs = offset < code_.size() ? decode(offset) : std::nullopt;
      if (!theirs || ends_.empty() || !isPadding(theirs->inst))
        return differenceAt(instruction, theirs);
      offset += theirs->size;
    }
  }

  std::string where(uint32_t instruction) const {
    return "instruction " + std::to_string(match_.instructions.size() + 1) + " (line " +
           std::to_string(branches_.lineOf(instruction)) + " of the assembly)";
  }

  std::string differenceAt(uint32_t instruction, const std::optional<Decoded> &theirs) const {
    const std::string ours = "`" + mnemonicOf(branches_.inst(instruction)).str() + "`";
    if (!theirs)
      return "the program's ends before " + where(instruction) + ", " + ours;
    const std::string other = "`" + mnemonicOf(theirs->inst).str() + "`";
    return "the program has " + (other == ours ? "another " + other : other + " for " + ours) + " as " +
           where(instruction);
  }

  /// After the last instruction there may only be padding.
  std::string checkEnd() const {
    for (uint64_t offset = ends_.empty() ? 0 : ends_.back(); offset < code_.size();) {
      const auto theirs = decode(offset);
      if (!theirs || !isPadding(theirs->inst))
        return "the program's has more instructions than the text's";
      offset += theirs->size;
    }
    return ends_.empty() ? "the text's has no instructions" : "";
  }

  /// A branch within the function has to go to the same instruction in both codes, or to the padding before it.
  std::string checkTarget(size_t index) const {
    const uint32_t instruction = match_.instructions[index];
    const mca::Branch &branch = branches_.at(instruction);
    const bool isJump = branch.kind == mca::BranchKind::Jump || branch.kind == mca::BranchKind::ConditionalJump;
    if (!isJump || branch.target == mca::kNone || !target_.analysis())
      return {};
    const auto found = std::ranges::lower_bound(match_.instructions, branch.target);
    const auto theirs = decode(match_.offsets[index]);
    uint64_t address = 0;
    if (found == match_.instructions.end() || *found != branch.target || !theirs ||
        !target_.analysis()->evaluateBranch(theirs->inst, function_.address + match_.offsets[index], theirs->size,
                                            address))
      return {}; // it leaves the function, or the part of it
    const size_t to = static_cast<size_t>(found - match_.instructions.begin());
    const uint64_t earliest = to == 0 ? 0 : ends_[to - 1], offset = address - function_.address;
    if (offset >= earliest && offset <= match_.offsets[to])
      return {};
    return "the program's branch in line " + std::to_string(branches_.lineOf(instruction)) +
           " of the assembly goes elsewhere";
  }

  const FunctionMatcher &matcher_;
  const mca::ProgramBranches &branches_;
  const mca::Target &target_;
  const ProfiledFunction &function_;
  const StringRef code_;
  Match match_;
  std::vector<uint64_t> ends_; ///< of each instruction, as an offset
};

FunctionMatcher::FunctionMatcher(const mca::ProgramBranches &branches) : branches_(branches) {
  const mca::Target &target = branches.target();
  context_ =
      std::make_unique<llvm::MCContext>(target.triple(), &target.asmInfo(), &target.registers(), &target.subtarget());
  disassembler_.reset(target.backend().createMCDisassembler(target.subtarget(), *context_));
  printer_ = target.createPrinter(0);
  emitter_.reset(target.backend().createMCCodeEmitter(target.instructions(), branches.program().context()));
  backend_.reset(target.backend().createMCAsmBackend(target.subtarget(), target.registers(), target.mcOptions()));
}
FunctionMatcher::~FunctionMatcher() = default;

FunctionMatcher::Match FunctionMatcher::match(uint32_t entry, const ProfiledFunction &function) const {
  if (!disassembler_ || !printer_ || !emitter_ || !backend_ || !branches_.target().triple().isLittleEndian())
    return {{}, {}, "the machine code of this target cannot be compared"};
  if (function.code.empty())
    return {{}, {}, "the profile lacks the function's machine code"};
  return Walk(*this, function).run(entry);
}

} // namespace analysis
