// An operand is a text that is the same for the same address: x86's from the parts that LLVM has of it, the others' as
// they are printed, because the immediates there are scaled by the size of the access.
#include "mca-core/model/memory_operands.h"

#include "mca-core/program/operands.h"
#include "mca-core/program/x86_instruction.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace mca {
namespace {

using llvm::MCInst;
using llvm::MCInstrDesc;
using llvm::StringRef;

bool startsWithOne(StringRef name, std::initializer_list<StringRef> prefixes) {
  return llvm::any_of(prefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
}

/// An address as it is written, and the registers in it that may change.
struct Operand {
  std::string text;
  llvm::SmallVector<llvm::MCRegister, 3> registers;
};

/// Reads the operands of one target's instructions.
class OperandReader {
public:
  explicit OperandReader(const Target &target) : target_(target) {}

  std::optional<Operand> read(const MCInst &inst, StringRef printed) const {
    if (isHint(inst))
      return std::nullopt;
    if (target_.triple().isX86())
      return readX86(inst);
    if (target_.triple().isAArch64() || target_.triple().isARM() || target_.triple().isThumb())
      return readArm(inst, printed);
    return target_.triple().isRISCV() ? readRiscV(inst, printed) : std::nullopt;
  }

private:
  StringRef nameOf(const MCInst &inst) const { return target_.instructions().getName(inst.getOpcode()); }

  /// Instructions that touch a cache line and no value, and x86's that access another place than their operand's.
  bool isHint(const MCInst &inst) const {
    const StringRef name = nameOf(inst);
    if (!target_.triple().isX86())
      return startsWithOne(name, {"PREFETCH", "PRF", "PLD", "PLI", "t2PLD", "t2PLI", "CBO"});
    const bool isBitTest = name.starts_with("BT") && name.ends_with("mr"); // the register selects the byte
    return isBitTest || startsWithOne(name, {"PREFETCH", "CLFLUSH", "CLWB", "CLDEMOTE", "MOVDIR64B", "ENQCMD"});
  }

  void add(llvm::MCRegister reg, Operand &operand) const {
    if (!reg.isValid() || target_.registers().isConstant(reg))
      return;
    // x86: only jumps write the instruction pointer, and the address does not change.
    const StringRef name = target_.registers().getName(reg);
    if (name != "RIP" && name != "EIP")
      operand.registers.push_back(reg);
  }

  std::optional<Operand> readX86(const MCInst &inst) const {
    const std::optional<X86Address> address = x86AddressOf(inst, target_);
    if (!address)
      return std::nullopt;
    Operand operand;
    llvm::raw_string_ostream out(operand.text);
    for (unsigned i = address->first; i < address->first + X86Address::kOperands; ++i) {
      const llvm::MCOperand &part = inst.getOperand(i);
      if (part.isReg()) {
        out << 'r' << part.getReg().id() << ' ';
        add(part.getReg(), operand);
      } else if (part.isImm()) {
        out << part.getImm() << ' ';
      } else if (part.isExpr()) {
        target_.asmInfo().printExpr(out, *part.getExpr());
        out << ' ';
      } else {
        return std::nullopt;
      }
    }
    return operand;
  }

  /// The first register of the address, which the others follow.
  std::optional<unsigned> baseOf(const MCInst &inst) const {
    const MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
    const unsigned count = std::min<unsigned>(inst.getNumOperands(), description.getNumOperands());
    for (unsigned i = description.getNumDefs(); i < count; ++i)
      if (inst.getOperand(i).isReg() && isAddressBase(target_, description.operands()[i]))
        return i;
    return std::nullopt;
  }

  std::optional<Operand> from(const MCInst &inst, StringRef text) const {
    const std::optional<unsigned> base = baseOf(inst);
    if (!base)
      return std::nullopt;
    Operand operand{.text = text.str(), .registers = {}};
    for (unsigned i = *base; i < inst.getNumOperands(); ++i)
      if (inst.getOperand(i).isReg())
        add(inst.getOperand(i).getReg(), operand);
    return operand;
  }

  /// "[x0, #8]". What follows it, or an exclamation mark, moves the base.
  std::optional<Operand> readArm(const MCInst &inst, StringRef printed) const {
    const size_t begin = printed.rfind('['), end = printed.find(']', begin);
    if (begin == StringRef::npos || end == StringRef::npos || !printed.substr(end + 1).trim().empty())
      return std::nullopt;
    return from(inst, printed.slice(begin, end + 1));
  }

  /// "8(a1)", "%lo(sym)(a1)"; a vector of offsets follows the address, a mask does not matter.
  std::optional<Operand> readRiscV(const MCInst &inst, StringRef printed) const {
    const size_t open = printed.rfind('('), close = printed.find(')', open);
    if (open == StringRef::npos || close == StringRef::npos)
      return std::nullopt;
    const StringRef before = printed.take_front(open);
    const size_t begin = before.find_last_of("\t ,") + 1; // 0 if there is none
    const bool hasOffsets = startsWithOne(nameOf(inst), {"VLUX", "VLOX", "VSUX", "VSOX"});
    return from(inst, hasOffsets ? printed.substr(begin) : printed.slice(begin, close + 1));
  }

  const Target &target_;
};

/// How often each register unit has been written so far, in the whole region or up to an instruction.
class RegisterWrites {
public:
  explicit RegisterWrites(const Target &target) : target_(target) {}

  void execute(const MCInst &inst) {
    const MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
    calls_ += description.isCall();
    const auto write = [this](llvm::MCRegister reg) {
      for (const llvm::MCRegUnit unit : target_.registers().regunits(reg))
        ++writes_[static_cast<unsigned>(unit)];
    };
    for (unsigned i = 0; i < inst.getNumOperands(); ++i) {
      const bool isResult =
          i < description.getNumDefs() || (i >= description.getNumOperands() && description.variadicOpsAreDefs());
      if (isResult && inst.getOperand(i).isReg() && inst.getOperand(i).getReg().isValid())
        write(inst.getOperand(i).getReg());
    }
    for (const llvm::MCPhysReg reg : description.implicit_defs())
      write(reg);
  }

  /// The number of writes that may have changed the operand.
  uint64_t of(const Operand &operand) const {
    uint64_t writes = operand.registers.empty() ? 0 : calls_;
    for (const llvm::MCRegister reg : operand.registers)
      for (const llvm::MCRegUnit unit : target_.registers().regunits(reg))
        writes += writes_.lookup(static_cast<unsigned>(unit));
    return writes;
  }

private:
  const Target &target_;
  llvm::DenseMap<unsigned, uint64_t> writes_;
  uint64_t calls_ = 0;
};

/// Numbers the places of a region, and drops those that are not both stored to and loaded from.
class PlaceFinder {
public:
  PlaceFinder(const RegisterWrites &inRegion, bool inAnyOrder) : inRegion_(inRegion), inAnyOrder_(inAnyOrder) {}

  /// `writes`: up to the instruction.
  void add(const Operand &operand, OperandUse use, const RegisterWrites &writes, PlaceAccess &access) {
    const bool isFixed = !inRegion_.of(operand);
    if (!isFixed && inAnyOrder_)
      return;
    const auto [found, isNew] =
        numbers_.try_emplace(operand.text + '\n' + std::to_string(writes.of(operand)), places_.size());
    if (isNew)
      places_.emplace_back();
    Place &place = places_[found->second];
    if (use.loads && (isFixed || place.isStored)) {
      access.loaded = found->second + 1;
      place.isLoaded = true;
    }
    if (use.stores) {
      access.stored = found->second + 1;
      place.isStored = true;
    }
  }

  MemoryPlaces finish(std::vector<PlaceAccess> accesses) {
    MemoryPlaces found;
    for (Place &place : places_)
      if (place.isLoaded && place.isStored)
        place.number = ++found.count;
    if (!found.count)
      return found;
    const auto numberOf = [&](uint32_t place) { return place ? places_[place - 1].number : 0; };
    for (PlaceAccess &access : accesses) {
      access = {numberOf(access.loaded), numberOf(access.stored)};
      found.loads += access.loaded != 0;
    }
    found.accesses = std::move(accesses);
    return found;
  }

private:
  struct Place {
    bool isLoaded = false, isStored = false;
    uint32_t number = 0; ///< in the result
  };
  const RegisterWrites &inRegion_;
  const bool inAnyOrder_;
  llvm::StringMap<uint32_t> numbers_; ///< by operand and the value of its registers
  std::vector<Place> places_;
};

} // namespace

MemoryPlaces findMemoryPlaces(const Target &target, const Program &program, std::span<const uint32_t> region,
                              std::span<const uint32_t> simulated, llvm::function_ref<StringRef(size_t)> textOf,
                              bool inAnyOrder) {
  const auto instAt = [&](size_t position) -> const MCInst & { return program.instructions()[region[position]].inst; };
  bool loads = false, stores = false;
  for (const uint32_t position : simulated) {
    const OperandUse use = operandUseOf(instAt(position), target);
    loads |= use.loads;
    stores |= use.stores;
  }
  if (!loads || !stores)
    return {};
  RegisterWrites inRegion(target), writes(target);
  for (size_t position = 0; position < region.size(); ++position)
    inRegion.execute(instAt(position));
  const OperandReader reader(target);
  PlaceFinder finder(inRegion, inAnyOrder);
  std::vector<PlaceAccess> accesses(simulated.size());
  size_t next = 0;
  for (size_t position = 0; position < region.size(); ++position) {
    const MCInst &inst = instAt(position);
    if (next < simulated.size() && simulated[next] == position) {
      if (const OperandUse use = operandUseOf(inst, target); use.loads || use.stores)
        if (const std::optional<Operand> operand = reader.read(inst, textOf(next)))
          finder.add(*operand, use, writes, accesses[next]);
      ++next;
    }
    writes.execute(inst);
  }
  return finder.finish(std::move(accesses));
}

} // namespace mca
