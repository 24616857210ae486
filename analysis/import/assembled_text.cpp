#include "analysis/import/assembled_text.h"

#include "mca-core/assembly/assembled_object.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"

#include <algorithm>

namespace analysis {
namespace {

constexpr llvm::StringLiteral kSymbol = "mca.instruction.";

/// The text with a symbol before each instruction. The lines keep their numbers.
std::string withSymbols(const mca::Program &program) {
  const std::string &text = program.text();
  std::string marked;
  marked.reserve(text.size() + program.instructions().size() * 32);
  size_t copied = 0;
  for (uint32_t i = 0; i < program.instructions().size(); ++i) {
    const mca::Instruction &instruction = program.instructions()[i];
    const bool isFirst = i == 0 || program.instructions()[i - 1].offset != instruction.offset;
    if (!isFirst || !instruction.placed)
      continue;
    marked.append(text, copied, instruction.offset - copied);
    marked += kSymbol;
    marked += std::to_string(i) + ": ";
    copied = instruction.offset;
  }
  return marked.append(text, copied);
}

} // namespace

bool haveSameRegisters(const llvm::MCInst &one, const llvm::MCInst &other) {
  return one.getOpcode() == other.getOpcode() && one.getNumOperands() == other.getNumOperands() &&
         llvm::equal(one, other, [](const llvm::MCOperand &left, const llvm::MCOperand &right) {
           return left.isReg() == right.isReg() && (!left.isReg() || left.getReg() == right.getReg());
         });
}

bool areEqual(const llvm::MCInst &one, const llvm::MCInst &other) {
  return haveSameRegisters(one, other) &&
         llvm::equal(one, other, [](const llvm::MCOperand &left, const llvm::MCOperand &right) {
           return left.isImm() == right.isImm() && (!left.isImm() || left.getImm() == right.getImm());
         });
}

AssembledText::AssembledText(const mca::Target &target) : target_(target) {
  context_ =
      std::make_unique<llvm::MCContext>(target.triple(), &target.asmInfo(), &target.registers(), &target.subtarget());
  disassembler_.reset(target.backend().createMCDisassembler(target.subtarget(), *context_));
  printer_ = target.createPrinter(0);
}
AssembledText::~AssembledText() = default;

mca::Result<std::unique_ptr<AssembledText>> AssembledText::assemble(const mca::Target &target,
                                                                    const mca::Program &program) {
  std::unique_ptr<AssembledText> text(new AssembledText(target));
  if (!target.triple().isOSBinFormatELF() || !text->disassembler_ || !text->printer_)
    return mca::Failure{"traces can be imported for ELF programs of targets with an assembler and a disassembler"};
  auto bytes = mca::assembleObject(target, withSymbols(program));
  if (!bytes)
    return mca::Failure{bytes.message()};
  text->bytes_ = std::move(*bytes);
  auto object = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(text->bytes_.data(), text->bytes_.size()), "assembled text"));
  if (!object)
    return mca::Failure{llvm::toString(object.takeError())};
  text->object_ = std::move(*object);
  text->readSymbols(program);
  text->fillGaps();
  text->readRelocations();
  return text;
}

/// The symbol of a macro's first instruction is before the call. A label of the macro may come later, after an
/// alignment, and then the instruction is there.
void AssembledText::readSymbols(const mca::Program &program) {
  const auto count = static_cast<uint32_t>(program.instructions().size());
  llvm::StringMap<std::pair<uint32_t, uint64_t>> labels; // section and offset, by name
  for (const llvm::object::SectionRef section : object_->sections()) {
    auto contents = section.getContents();
    const uint64_t index = section.getIndex();
    sections_.resize(std::max<size_t>(sections_.size(), index + 1));
    if (contents)
      sections_[index] = *contents;
    else
      llvm::consumeError(contents.takeError());
  }
  instructions_.resize(count);
  for (const llvm::object::ELFSymbolRef symbol : llvm::cast<llvm::object::ELFObjectFileBase>(*object_).symbols()) {
    // Our own object file: its symbols can be read.
    llvm::StringRef name = llvm::cantFail(symbol.getName());
    const auto section = llvm::cantFail(symbol.getSection());
    if (section == object_->section_end())
      continue;
    // In Thumb code, the lowest bit is no part of the address.
    const uint64_t offset =
        llvm::cantFail(symbol.getValue()) & (target_.triple().isThumb() ? ~uint64_t{1} : ~uint64_t{0});
    uint32_t instruction = 0;
    if (!name.consume_front(kSymbol)) {
      sizes_[name] = symbol.getSize();
      labels[name] = {static_cast<uint32_t>(section->getIndex()), offset};
    } else if (!name.getAsInteger(10, instruction) && instruction < count) {
      instructions_[instruction].section = static_cast<uint32_t>(section->getIndex());
      instructions_[instruction].offset = offset;
    }
  }
  for (const mca::Label &label : program.labels()) {
    const auto found = labels.find(llvm::StringRef(label.name.data(), label.name.size()));
    if (found == labels.end() || label.instruction >= count)
      continue;
    EncodedInstruction &next = instructions_[label.instruction];
    if (next.section == found->second.first)
      next.offset = std::max(next.offset, found->second.second);
  }
}

/// Finds the ends of all instructions, and the places of those without a symbol: they follow the one before.
void AssembledText::fillGaps() {
  for (uint32_t i = 0; i < instructions_.size(); ++i) {
    EncodedInstruction &one = instructions_[i];
    if (one.section == EncodedInstruction::kNowhere && i > 0 &&
        instructions_[i - 1].section != EncodedInstruction::kNowhere) {
      one.section = instructions_[i - 1].section;
      one.offset = instructions_[i - 1].offset + instructions_[i - 1].bytes.size();
    }
    if (one.section == EncodedInstruction::kNowhere)
      continue;
    const llvm::StringRef rest = sections_[one.section].drop_front(std::min(one.offset, sections_[one.section].size()));
    const auto decoded = decode(rest, one.offset);
    one.bytes = rest.take_front(decoded ? decoded->size : 1);
  }
}

void AssembledText::readRelocations() {
  struct Relocation {
    uint64_t section, offset;
    std::string type;
  };
  std::vector<Relocation> all;
  for (const llvm::object::SectionRef section : object_->sections()) {
    const auto relocated = llvm::cantFail(section.getRelocatedSection());
    if (relocated == object_->section_end())
      continue;
    for (const llvm::object::RelocationRef relocation : section.relocations()) {
      llvm::SmallString<32> type;
      relocation.getTypeName(type);
      all.push_back({relocated->getIndex(), relocation.getOffset(), type.str().str()});
    }
  }
  const auto placeOf = [](const Relocation &one) { return std::pair(one.section, one.offset); };
  std::ranges::stable_sort(all, {}, placeOf);
  for (EncodedInstruction &one : instructions_) {
    if (one.section == EncodedInstruction::kNowhere)
      continue;
    const auto first = std::ranges::lower_bound(all, std::pair(uint64_t{one.section}, one.offset), {}, placeOf);
    if (first != all.end() && first->section == one.section && first->offset < one.offset + one.bytes.size())
      one.relocation = first->type;
  }
}

std::optional<DecodedInstruction> AssembledText::decode(llvm::StringRef bytes, uint64_t address) const {
  DecodedInstruction decoded;
  const auto status = disassembler_->getInstruction(decoded.inst, decoded.size, llvm::arrayRefFromStringRef(bytes),
                                                    address, llvm::nulls());
  if (status != llvm::MCDisassembler::Success || decoded.size == 0)
    return std::nullopt;
  return decoded;
}

std::optional<uint64_t> AssembledText::targetOf(const DecodedInstruction &branch, uint64_t address) const {
  uint64_t target = 0;
  if (!target_.analysis() || !target_.analysis()->evaluateBranch(branch.inst, address, branch.size, target))
    return std::nullopt;
  return target;
}

std::string AssembledText::mnemonicOf(const llvm::MCInst &inst) const {
  const char *name = printer_->getMnemonic(inst).first;
  return name ? llvm::StringRef(name).trim().str() : target_.instructions().getName(inst.getOpcode()).str();
}

} // namespace analysis
