// LLVM's tables have no size of a memory operand. It is in the syntax of Intel for x86, and in the names that LLVM
// gives to the instructions of AArch64 and RISC-V. docs/llvm-upgrade.md lists these names among what an upgrade may
// change.
#include "mca-core/program/memory_bytes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCInstrDesc.h"

#include <algorithm>
#include <iterator>

namespace mca {
namespace {

/// Of vectors as long as the CPU has them: SVE's and the V extension's are of at least 128 bits.
constexpr uint32_t kLeastVectorBytes = 16;

/// The bytes of an operand by the word that Intel's syntax has before `ptr`.
constexpr std::pair<llvm::StringLiteral, uint32_t> kWords[] = {
    {"byte", 1},   {"word", 2},   {"dword", 4},    {"fword", 6},    {"qword", 8},
    {"tbyte", 10}, {"xword", 10}, {"xmmword", 16}, {"ymmword", 32}, {"zmmword", 64}};

/// 1, 2, 4 or 8: the position of a letter among four; 0 if it is none of them.
uint32_t bytesOfLetter(llvm::StringRef letters, char letter) {
  const size_t at = letters.find(letter);
  return at == llvm::StringRef::npos ? 0 : 1u << at;
}

/// "C_FLDSP", "LBU", "AMOADD_W": the letter after the L or S, or after the last underscore.
uint32_t riscvBytes(llvm::StringRef name) {
  name.consume_front("C_");
  name.consume_front("F");
  if (name.starts_with("V"))
    return kLeastVectorBytes;
  constexpr llvm::StringLiteral kLetters = "BHWD";
  if (const auto [rest, letter] = name.split('_'); !letter.empty())
    return bytesOfLetter(kLetters, letter.front());
  const bool isAccess = name.size() > 1 && (name.front() == 'L' || name.front() == 'S');
  return isAccess ? bytesOfLetter(kLetters, name[1]) : 0;
}

} // namespace

uint32_t accessBytes(llvm::StringRef name) {
  // What follows LD or ST and the letters of unscaled, register and pair accesses: LDRSBWui, LDURHHi, STPQpost.
  static constexpr std::pair<llvm::StringLiteral, uint32_t> kBytes[] = {
      {"BB", 1}, {"SB", 1}, {"Bro", 1}, {"Bp", 1}, {"HH", 2}, {"SH", 2}, {"Hro", 2},
      {"Hp", 2}, {"W", 4},  {"S", 4},   {"X", 8},  {"D", 8},  {"Q", 16}};
  name.consume_front("LD");
  name.consume_front("ST");
  name = name.ltrim("URPN");
  const auto *found = llvm::find_if(kBytes, [&](const auto &one) { return name.starts_with(one.first); });
  return found == std::end(kBytes) ? 0 : found->second;
}

Structure structureOf(llvm::StringRef name) {
  if (!name.starts_with("LD") && !name.starts_with("ST"))
    return {};
  auto [count, lanes] = name.drop_front(std::min<size_t>(name.size(), 3)).split('v'); // "Two", "8h_POST"
  const auto registers =
      llvm::StringSwitch<uint32_t>(count).Case("One", 1).Case("Two", 2).Case("Three", 3).Case("Four", 4).Default(0);
  uint32_t elements = 0;
  if (!registers || lanes.consumeInteger(10, elements) || lanes.empty())
    return {};
  const uint32_t bytes = bytesOfLetter("bhsd", lanes.front());
  return bytes ? Structure{registers, elements * bytes} : Structure{};
}

MemoryBytes::MemoryBytes(const Target &target)
    : target_(target), printer_(target.triple().isX86() ? target.createPrinter(1) : nullptr) {}

uint32_t MemoryBytes::of(const llvm::MCInst &inst) const {
  const Accesses accesses = accessesOf(inst);
  return llvm::sum_of(accesses);
}

uint32_t MemoryBytes::widest(const llvm::MCInst &inst) const {
  const Accesses accesses = accessesOf(inst);
  return accesses.empty() ? 0 : *llvm::max_element(accesses);
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

/// Intel's syntax has the size before each operand in memory: "dword ptr [rax]".
MemoryBytes::Accesses MemoryBytes::x86Operands(const llvm::MCInst &inst) const {
  llvm::SmallString<128> text;
  llvm::raw_svector_ostream out(text);
  printer_->printInst(&inst, 0, "", target_.subtarget(), out);
  Accesses accesses;
  llvm::StringRef rest = text.str();
  for (size_t at; (at = rest.find(" ptr ")) != llvm::StringRef::npos; rest = rest.drop_front(at + 1)) {
    const llvm::StringRef before = rest.take_front(at);
    const llvm::StringRef word = before.drop_front(before.find_last_of(" \t,(") + 1);
    for (const auto &[name, bytes] : kWords)
      if (word == name)
        accesses.push_back(bytes);
  }
  return accesses;
}

uint32_t MemoryBytes::ofX86Operand(const llvm::MCInst &inst) const {
  const Accesses accesses = x86Operands(inst);
  return accesses.empty() ? 0 : accesses.front();
}

/// An instruction that loads and stores has one operand for both.
MemoryBytes::Accesses MemoryBytes::onX86(const llvm::MCInst &inst) const {
  Accesses accesses = x86Operands(inst);
  const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
  if (accesses.size() == 1 && description.mayLoad() && description.mayStore())
    accesses.push_back(accesses.front());
  return accesses;
}

/// The sizes of the registers that are loaded or stored, for names that do not say it.
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
  // What is stored stands before its address: the first register after those that are written.
  for (unsigned i = defs; i < count && description.mayStore(); ++i)
    if (const uint32_t stored = bytesOf(i)) {
      accesses.push_back(stored);
      break;
    }
  return accesses;
}

} // namespace mca
