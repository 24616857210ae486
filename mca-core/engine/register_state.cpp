#include "mca-core/engine/register_state.h"

#include <algorithm>

namespace mca {

RegisterState::RegisterState(const Body &body)
    : body_(body), map_(body.registers.size()), used_(body.registers.files().size(), 0), changed_(used_.size(), 0),
      wanted_(used_.size(), 0), movesEliminated_(used_.size(), 0) {}

void RegisterState::startCycle() {
  std::fill(movesEliminated_.begin(), movesEliminated_.end(), 0);
}

bool RegisterState::hasRoom(const BodyInstruction &instruction) {
  std::fill(wanted_.begin(), wanted_.end(), 0);
  for (uint32_t i = 0; i < instruction.writes; ++i) {
    const BodyWrite &write = body_.writes[instruction.firstWrite + i];
    // A definition that was taken away still asks for one register of file 0.
    const uint16_t file = write.reg == kNoRegister ? 0 : body_.registers[write.reg].file;
    const uint16_t cost = write.reg == kNoRegister ? 1 : body_.registers[write.reg].cost;
    if (file)
      wanted_[file] += cost;
    wanted_[0] += cost;
  }
  for (size_t file = 0; file < wanted_.size(); ++file) {
    const uint32_t size = body_.registers.files()[file].size;
    if (wanted_[file] && size && size < used_[file] + std::min(wanted_[file], size))
      return false;
  }
  return true;
}

bool RegisterState::canEliminate(const BodyWrite &write, const BodyRead &read, unsigned file) const {
  const RenamedRegister &from = body_.registers[read.reg];
  const RenamedRegister &to = body_.registers[write.reg];
  if (from.file != file || to.file != file)
    return false;
  if (to.renameAs == kNoRegister || !body_.registers[to.renameAs].allowMoveElimination)
    return false;
  if (to.renameAs != write.reg && !write.clearsSuperRegisters)
    return false; // only part of the register would be moved
  return !body_.registers.files()[file].zeroMovesOnly || map_[read.reg].zero;
}

void RegisterState::alias(const BodyWrite &write, const BodyRead &read) {
  const auto wholeOf = [this](RegisterIndex reg) {
    return body_.registers[reg].renameAs == kNoRegister ? reg : body_.registers[reg].renameAs;
  };
  RegisterIndex source = wholeOf(read.reg);
  if (map_[source].alias != kNoRegister)
    source = map_[source].alias;
  const RegisterIndex target = wholeOf(write.reg);
  map_[target].alias = source;
  for (const RegisterIndex sub : body_.registers[target].realSubregisters)
    map_[sub].alias = source;
}

bool RegisterState::eliminate(const BodyInstruction &instruction, std::vector<bool> &zeros) {
  const uint32_t count = instruction.writes;
  if (count != instruction.reads || count == 0 || count > 2)
    return false;
  const BodyWrite *writes = &body_.writes[instruction.firstWrite];
  const BodyRead *reads = &body_.reads[instruction.firstRead];
  const unsigned file = body_.registers[writes[0].reg].file;
  const uint32_t limit = body_.registers.files()[file].maxMovesEliminated;
  if (limit && movesEliminated_[file] + count > limit)
    return false;
  for (uint32_t i = 0; i < count; ++i)
    if (!canEliminate(writes[count - 1 - i], reads[i], file))
      return false;
  zeros.assign(count, false);
  for (uint32_t i = 0; i < count; ++i) {
    alias(writes[count - 1 - i], reads[i]);
    zeros[count - 1 - i] = map_[reads[i].reg].zero;
    ++movesEliminated_[file];
  }
  return true;
}

void RegisterState::allocate(RegisterIndex reg) {
  const RenamedRegister &renamed = body_.registers[reg];
  for (const uint16_t file : {renamed.file, uint16_t(0)}) {
    used_[file] += renamed.cost;
    changed_[file] += renamed.cost;
    if (!file)
      break;
  }
}

WriteRef RegisterState::define(const BodyWrite &write, uint32_t writeIndex, uint64_t id, bool eliminated, bool zero) {
  WriteRef mergedInto;
  if (write.reg == kNoRegister)
    return mergedInto;
  RegisterIndex reg = write.reg;
  bool allocates = !zero && !eliminated;
  const RegisterIndex renameAs = body_.registers[reg].renameAs;
  if (renameAs != kNoRegister && renameAs != reg) {
    reg = renameAs;
    if (!write.clearsSuperRegisters) {
      allocates = false;
      if (map_[reg].writer.id != WriteRef::kNobody && map_[reg].writer.id != id)
        mergedInto = map_[reg].writer;
    }
  }
  const RegisterIndex zeroed = write.clearsSuperRegisters ? reg : write.reg;
  map_[zeroed].zero = zero;
  for (const RegisterIndex sub : body_.registers[zeroed].realSubregisters)
    map_[sub].zero = zero;

  const WriteRef self{id, writeIndex};
  if (!eliminated) {
    // Of two definitions of one register by one instruction the slower one counts.
    const WriteRef &other = map_[reg].writer;
    const bool keepsOther = other.id == id && body_.writes[other.write].latency > write.latency;
    if (allocates)
      allocate(reg);
    if (keepsOther)
      return mergedInto;
    map_[reg].writer = self;
    map_[reg].alias = kNoRegister;
    for (const RegisterIndex sub : body_.registers[reg].realSubregisters) {
      map_[sub].writer = self;
      map_[sub].alias = kNoRegister;
    }
  }
  if (!write.clearsSuperRegisters)
    return mergedInto;
  for (const RegisterIndex super : body_.registers[reg].superregisters) {
    if (!eliminated) {
      map_[super].writer = self;
      map_[super].alias = kNoRegister;
    }
    map_[super].zero = zero;
  }
  return mergedInto;
}

void RegisterState::retire(const BodyWrite &write, bool zero) {
  if (write.reg == kNoRegister)
    return;
  RegisterIndex reg = write.reg;
  bool frees = !zero;
  const RegisterIndex renameAs = body_.registers[reg].renameAs;
  if (renameAs != kNoRegister && renameAs != reg) {
    reg = renameAs;
    frees = frees && write.clearsSuperRegisters;
  }
  if (!frees)
    return;
  const RenamedRegister &renamed = body_.registers[reg];
  for (const uint16_t file : {renamed.file, uint16_t(0)}) {
    used_[file] -= renamed.cost;
    changed_[file] += renamed.cost;
    if (!file)
      break;
  }
}

} // namespace mca
