#include "analysis/regions/memory_bytes.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCInstrDesc.h"

#include <algorithm>
#include <numeric>

namespace analysis {
namespace {

/// Of vectors as long as the CPU has them: SVE's and the V extension's are of at least 128 bits.
constexpr uint32_t kLeastVectorBytes = 16;

/// The bytes of an operand by the word that Intel's syntax has before `ptr`; 0 for another word.
uint32_t bytesOfWord(llvm::StringRef word) {
  return llvm::StringSwitch<uint32_t>(word)
      .Case("byte", 1)
      .Case("word", 2)
      .Case("dword", 4)
      .Case("fword", 6)
      .Case("qword", 8)
      .Case("tbyte", 10)
      .Case("xmmword", 16)
      .Case("ymmword", 32)
      .Case("zmmword", 64)
      .Default(0);
}

uint32_t bytesOfLetter(char letter) {
  return llvm::StringSwitch<uint32_t>(llvm::StringRef(&letter, 1))
      .Case("B", 1)
      .Case("H", 2)
      .Case("W", 4)
      .Case("D", 8)
      .Default(0);
}

/// "C_FLDSP", "LBU", "AMOADD_W": the letter after the L or S, or after the last underscore.
uint32_t riscvBytes(llvm::StringRef name) {
  name.consume_front("C_");
  name.consume_front("F");
  if (name.starts_with("V"))
    return kLeastVectorBytes;
  if (const auto [rest, letter] = name.split('_'); !letter.empty())
    return bytesOfLetter(letter.front());
  const bool isAccess = name.size() > 1 && (name.front() == 'L' || name.front() == 'S');
  return isAccess ? bytesOfLetter(name[1]) : 0;
}

} // namespace

uint32_t accessBytes(llvm::StringRef name) {
  name.consume_front("LD");
  name.consume_front("ST");
  name = name.drop_while([](char c) { return c == 'U' || c == 'R' || c == 'P' || c == 'N'; });
  if (name.starts_with("BB") || name.starts_with("SB") || name.starts_with("Bro") || name.starts_with("Bp"))
    return 1;
  if (name.starts_with("HH") || name.starts_with("SH") || name.starts_with("Hro") || name.starts_with("Hp"))
    return 2;
  switch (name.empty() ? 0 : name.front()) {
  case 'W':
  case 'S':
    return 4;
  case 'X':
  case 'D':
    return 8;
  case 'Q':
    return 16;
  default:
    return 0;
  }
}

Structure structureOf(llvm::StringRef name) {
  if (!name.starts_with("LD") && !name.starts_with("ST"))
    return {};
  const auto [count, lanes] = name.drop_front(std::min<size_t>(name.size(), 3)).split('v');
  const auto registers =
      llvm::StringSwitch<uint32_t>(count).Case("One", 1).Case("Two", 2).Case("Three", 3).Case("Four", 4).Default(0);
  llvm::StringRef element = lanes;
  uint32_t elements = 0;
  if (!registers || element.consumeInteger(10, elements))
    return {};
  const auto bytes =
      llvm::StringSwitch<uint32_t>(element.take_front()).Case("b", 1).Case("h", 2).Case("s", 4).Case("d", 8).Default(0);
  return bytes ? Structure{registers, elements * bytes} : Structure{};
}

MemoryBytes::MemoryBytes(const mca::Target &target)
    : target_(target), printer_(target.triple().isX86() ? target.createPrinter(1) : nullptr) {}

uint32_t MemoryBytes::of(const llvm::MCInst &inst) const {
  const Accesses accesses = accessesOf(inst);
  return std::accumulate(accesses.begin(), accesses.end(), 0u);
}

uint32_t MemoryBytes::widest(const llvm::MCInst &inst) const {
  const Accesses accesses = accessesOf(inst);
  return accesses.empty() ? 0 : *std::max_element(accesses.begin(), accesses.end());
}

MemoryBytes::Accesses MemoryBytes::accessesOf(const llvm::MCInst &inst) const {
  const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
  const llvm::StringRef name = target_.instructions().getName(inst.getOpcode());
  if ((!description.mayLoad() && !description.mayStore()) || name.starts_with("PREFETCH") || name.starts_with("PRFM"))
    return {};
  if (printer_)
    return onX86(inst);
  if (const uint32_t bytes = target_.triple().isRISCV() ? riscvBytes(name) : 0)
    return {bytes};
  if (target_.triple().isAArch64() && (name.starts_with("LD") || name.starts_with("ST"))) {
    if (const Structure structure = structureOf(name); structure.bytes)
      return Accesses(structure.registers, structure.bytes);
    const llvm::StringRef kind = name.drop_front(2);
    if (const uint32_t bytes = accessBytes(name))
      return Accesses(kind.starts_with("P") || kind.starts_with("NP") ? 2 : 1, bytes);
  }
  return ofRegisters(inst);
}

MemoryBytes::Accesses MemoryBytes::onX86(const llvm::MCInst &inst) const {
  llvm::SmallString<128> text;
  llvm::raw_svector_ostream out(text);
  printer_->printInst(&inst, 0, "", target_.subtarget(), out);
  Accesses accesses;
  llvm::StringRef rest = text.str();
  for (size_t at; (at = rest.find(" ptr ")) != llvm::StringRef::npos; rest = rest.drop_front(at + 1)) {
    const llvm::StringRef before = rest.take_front(at);
    if (const uint32_t bytes = bytesOfWord(before.drop_front(before.find_last_of(" \t,") + 1)))
      accesses.push_back(bytes);
  }
  const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
  if (accesses.size() == 1 && description.mayLoad() && description.mayStore())
    accesses.push_back(accesses.front());
  return accesses;
}

MemoryBytes::Accesses MemoryBytes::ofRegisters(const llvm::MCInst &inst) const {
  const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
  const unsigned count = std::min<unsigned>(inst.getNumOperands(), description.getNumOperands());
  const unsigned defs = std::min<unsigned>(description.getNumDefs(), count);
  const auto bytesOf = [&](unsigned operand) -> uint32_t {
    const llvm::MCOperandInfo &info = description.operands()[operand];
    if (!inst.getOperand(operand).isReg() || info.RegClass < 0 || info.isLookupRegClassByHwMode())
      return 0;
    return target_.registers().getRegClass(static_cast<unsigned>(info.RegClass)).getSizeInBits() / 8;
  };
  Accesses accesses;
  for (unsigned i = 0; i < defs && description.mayLoad(); ++i)
    accesses.push_back(bytesOf(i));
  unsigned stored = defs; // what is stored stands before its address
  while (stored < count && !bytesOf(stored))
    ++stored;
  if (description.mayStore() && stored < count)
    accesses.push_back(bytesOf(stored));
  return accesses;
}

} // namespace analysis
