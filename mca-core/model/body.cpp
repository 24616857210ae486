// Builds a Body: collects the register sets that definitions touch, splits the registers into cells, and lowers each
// instruction. docs/engine.md names LLVM's source for each rule.
#include "mca-core/model/body.h"

#include <algorithm>
#include <bit>

namespace mca {
namespace {

/// Whether the mask has more than one bit, as only groups do.
bool isGroup(uint64_t mask) {
  return mask & (mask - 1);
}

} // namespace

BodyBuilder::BodyBuilder(const Target &target, const ResourceTable &resources)
    : target_(target), resources_(resources), registers_(target.registers(), target.subtarget().getSchedModel()),
      cellOf_(registers_.size(), kNoCell) {}

void BodyBuilder::build(const LoweredRegion &region, uint32_t registerFileSize, Body &body) {
  body_ = &body;
  body.instructions.clear();
  body.writes.clear();
  body.reads.clear();
  body.stores.clear();
  body.resources.clear();
  body.moves.clear();
  body.signatures.clear();
  body.cells.clear();
  body.values.clear();
  body.advances.clear();
  body.renamed.clear();
  body.files = registers_.files();
  body.files[0].size = registerFileSize;
  body.cellCount = body.writeKinds = body.maxOperands = 0;
  body.maxLatency = body.longestLateRead = 0;
  body.usedGroups = 0;
  body.plain = body.monotone = true;
  for (const uint16_t reg : touched_)
    cellOf_[reg] = kNoCell;
  touched_.clear();
  cellSize_.clear();
  sets_.clear();
  setIndex_.clear();
  setsInOrder_.clear();
  nextSet_ = 0;
  valueCells_.clear();
  values_.clear();
  advances_.clear();
  kinds_.clear();

  bool hasMoves = false;
  hasZeros_ = false;
  for (const LoweredInstruction *instruction : region.instructions) {
    hasMoves |= instruction->optimizableMove;
    for (const LoweredInstruction::Write &write : instruction->writes)
      hasZeros_ |= write.writesZero;
  }
  tracksZeros_ = hasMoves && hasZeros_;
  for (const LoweredInstruction *instruction : region.instructions)
    addSets(*instruction);
  for (const RegisterSet &set : sets_)
    splitCells(set);
  body.cellCount = static_cast<uint32_t>(cellSize_.size());
  for (RegisterSet &set : sets_) {
    set.cells.first = static_cast<uint32_t>(body.cells.size());
    for (const uint16_t reg : set.registers)
      if (std::find(body.cells.begin() + set.cells.first, body.cells.end(), cellOf(reg)) == body.cells.end())
        body.cells.push_back(cellOf(reg));
    set.cells.count = static_cast<uint32_t>(body.cells.size()) - set.cells.first;
  }
  body.writeKinds = static_cast<uint32_t>(kinds_.size());
  body.advances.assign(body.writeKinds, 0); // the row for reads without an advance
  for (const LoweredInstruction *instruction : region.instructions)
    addInstruction(*instruction);
}

/// Collects the registers that renaming changes for each definition.
void BodyBuilder::addSets(const LoweredInstruction &source) {
  for (const LoweredInstruction::Write &write : source.writes) {
    kindOf(write.resource);
    if (!write.reg)
      continue;
    const uint16_t whole = registers_[write.reg].wholeOf(write.reg);
    setsInOrder_.push_back(setOf(SetKind::Writer, whole, write.clearsSuperRegisters));
    if (tracksZeros_)
      setsInOrder_.push_back(
          setOf(SetKind::Zero, write.clearsSuperRegisters ? whole : write.reg, write.clearsSuperRegisters));
    if (source.optimizableMove)
      setOf(SetKind::Alias, whole, false);
  }
}

uint32_t BodyBuilder::setOf(SetKind kind, uint16_t reg, bool clearsSuperRegisters) {
  const uint32_t key = reg | uint32_t(clearsSuperRegisters) << 16 | static_cast<uint32_t>(kind) << 17;
  const auto [entry, isNew] = setIndex_.try_emplace(key, static_cast<uint32_t>(sets_.size()));
  if (!isNew)
    return entry->second;
  RegisterSet &set = sets_.emplace_back();
  const RenamedRegister &renamed = registers_[reg];
  set.registers.push_back(reg);
  set.registers.append(renamed.realSubregisters.begin(), renamed.realSubregisters.end());
  if (clearsSuperRegisters)
    set.registers.append(renamed.superregisters.begin(), renamed.superregisters.end());
  return entry->second;
}

/// Splits cells until the set is a union of cells: registers of a cell that is only partly in the set move to a new
/// one.
void BodyBuilder::splitCells(const RegisterSet &set) {
  cellHits_.assign(cellSize_.size(), 0);
  cellSplit_.assign(cellSize_.size(), kNoCell);
  for (const uint16_t reg : set.registers)
    if (cellOf(reg) != kNoCell)
      ++cellHits_[cellOf(reg)];
  const auto newCell = [this] {
    cellSize_.push_back(0);
    return static_cast<Cell>(cellSize_.size() - 1);
  };
  Cell fresh = kNoCell;
  for (const uint16_t reg : set.registers) {
    const Cell old = cellOf(reg);
    if (old == kNoCell) {
      if (fresh == kNoCell)
        fresh = newCell();
      cellOf_[reg] = fresh;
      ++cellSize_[fresh];
      touched_.push_back(reg);
    } else if (old < cellHits_.size() &&
               cellHits_[old] != cellSize_[old] + (cellSplit_[old] == kNoCell ? 0 : cellSize_[cellSplit_[old]])) {
      if (cellSplit_[old] == kNoCell)
        cellSplit_[old] = newCell();
      cellOf_[reg] = cellSplit_[old];
      ++cellSize_[cellSplit_[old]];
      --cellSize_[old];
    }
  }
}

void BodyBuilder::addInstruction(const LoweredInstruction &source) {
  BodyInstruction instruction;
  instruction.microOps = source.microOps;
  instruction.latency = source.latency;
  instruction.buffers = source.buffers;
  instruction.mayLoad = source.mayLoad;
  instruction.mayStore = source.mayStore;
  instruction.loadBarrier = source.loadBarrier;
  instruction.storeBarrier = source.storeBarrier;
  instruction.beginGroup = source.beginGroup;
  instruction.endGroup = source.endGroup;
  instruction.retireOutOfOrder = source.retireOutOfOrder;
  instruction.optimizableMove = source.optimizableMove;
  instruction.issuesAtOnce = source.issuesAtOnce;
  addWrites(source, instruction);
  addReads(source, instruction);
  addRegisterDemand(source, instruction);
  addMoves(source, instruction);
  addResources(source, instruction);
  addSignature(source, instruction);
  instruction.operands = instruction.operandReads + instruction.writes.count;
  body_->maxOperands = std::max(body_->maxOperands, instruction.operands);
  body_->maxLatency = std::max(body_->maxLatency, instruction.latency);
  body_->instructions.push_back(instruction);
}

void BodyBuilder::addWrites(const LoweredInstruction &source, BodyInstruction &instruction) {
  instruction.writes.first = static_cast<uint32_t>(body_->writes.size());
  instruction.stores.first = static_cast<uint32_t>(body_->stores.size());
  for (size_t i = 0; i < source.writes.size(); ++i) {
    const LoweredInstruction::Write &write = source.writes[i];
    const auto number = static_cast<uint32_t>(body_->writes.size());
    BodyWrite &lowered = body_->writes.emplace_back();
    lowered.latency = write.latency;
    lowered.kind = kindOf(write.resource);
    lowered.reg = write.reg;
    lowered.writesZero = write.writesZero;
    if (!write.reg)
      continue;
    const uint16_t whole = registers_[write.reg].wholeOf(write.reg);
    // No merge with a register that the same instruction wrote first (RegisterFile::addRegisterWrite).
    if (whole != write.reg && !write.clearsSuperRegisters && !storesTo(cellOf(whole), instruction)) {
      lowered.mergedInto = cellOf(whole);
      instruction.merges = true;
    }
    const Range cells = nextCells();
    if (tracksZeros_)
      lowered.zeros = nextCells();
    if (!isSupersededBySlowerWrite(number, cellOf(whole), instruction))
      for (const Cell cell : Body::slice(body_->cells, cells))
        body_->stores.push_back({number, cell});
  }
  instruction.writes.count = static_cast<uint32_t>(source.writes.size());
  instruction.stores.count = static_cast<uint32_t>(body_->stores.size()) - instruction.stores.first;
}

/// Of two definitions of a register in one instruction, the slower one counts; on a tie, the later one
/// (RegisterFile::addRegisterWrite).
bool BodyBuilder::isSupersededBySlowerWrite(uint32_t write, Cell cell, const BodyInstruction &instruction) const {
  for (size_t i = body_->stores.size(); i-- > instruction.stores.first;)
    if (body_->stores[i].cell == cell)
      return body_->writes[body_->stores[i].write].latency > body_->writes[write].latency;
  return false;
}

bool BodyBuilder::storesTo(Cell cell, const BodyInstruction &instruction) const {
  return std::any_of(body_->stores.begin() + instruction.stores.first, body_->stores.end(),
                     [cell](const BodyStore &store) { return store.cell == cell; });
}

void BodyBuilder::addReads(const LoweredInstruction &source, BodyInstruction &instruction) {
  instruction.reads.first = static_cast<uint32_t>(body_->reads.size());
  instruction.operandReads = static_cast<uint32_t>(source.reads.size());
  for (size_t i = 0; i < source.reads.size(); ++i) {
    const LoweredInstruction::Read &read = source.reads[i];
    const Range cells = read.reg ? cellsOfValue(read.reg) : Range();
    if (!cells.count)
      continue;
    BodyRead &lowered = body_->reads.emplace_back();
    lowered.cell = body_->cells[cells.first];
    lowered.self = cellOf(read.reg);
    lowered.advances = read.advances ? advancesOf(read) : 0;
    lowered.cells = cells;
    lowered.operand = static_cast<uint16_t>(i);
    lowered.independent = read.independent;
  }
  instruction.reads.count = static_cast<uint32_t>(body_->reads.size()) - instruction.reads.first;
}

/// Returns the register's own cell, then those of its parts.
Range BodyBuilder::cellsOfValue(uint16_t reg) {
  const auto [entry, isNew] = valueCells_.try_emplace(reg);
  if (!isNew)
    return entry->second;
  Range range{static_cast<uint32_t>(body_->cells.size()), 0};
  const auto add = [&](uint16_t part) {
    const Cell cell = cellOf(part);
    if (cell == kNoCell ||
        std::find(body_->cells.begin() + range.first, body_->cells.end(), cell) != body_->cells.end())
      return;
    body_->cells.push_back(cell);
    ++range.count;
  };
  add(reg);
  for (const uint16_t sub : registers_[reg].subregisters)
    add(sub);
  return entry->second = range;
}

uint16_t BodyBuilder::valueOf(uint16_t reg) {
  const auto [entry, isNew] = values_.try_emplace(reg, static_cast<uint16_t>(body_->values.size()));
  if (isNew)
    body_->values.push_back(cellsOfValue(reg));
  return entry->second;
}

uint32_t BodyBuilder::advancesOf(const LoweredInstruction::Read &read) {
  const auto [entry, isNew] = advances_.try_emplace(uint64_t(read.schedClass) << 32 | read.useIndex,
                                                    static_cast<uint32_t>(body_->advances.size()));
  if (!isNew)
    return entry->second;
  const llvm::MCSubtargetInfo &subtarget = target_.subtarget();
  const llvm::MCSchedClassDesc *sched = subtarget.getSchedModel().getSchedClassDesc(read.schedClass);
  for (const uint32_t kind : kinds_) {
    const int advance = subtarget.getReadAdvanceCycles(sched, read.useIndex, kind);
    body_->advances.push_back(static_cast<int16_t>(advance));
    body_->longestLateRead = std::max(body_->longestLateRead, -advance);
  }
  return entry->second;
}

uint16_t BodyBuilder::kindOf(uint32_t writeResource) {
  const auto found = std::find(kinds_.begin(), kinds_.end(), writeResource);
  if (found != kinds_.end())
    return static_cast<uint16_t>(found - kinds_.begin());
  kinds_.push_back(writeResource);
  return static_cast<uint16_t>(kinds_.size() - 1);
}

/// Counts the physical registers that the definitions allocate, and those that must be free before dispatch
/// (RegisterFile::allocatePhysRegs, isAvailable).
void BodyBuilder::addRegisterDemand(const LoweredInstruction &source, BodyInstruction &instruction) {
  RegisterCounts needs;
  const auto add = [](RegisterCounts &counts, uint16_t file, uint32_t registers) {
    if (file)
      counts.add(file, registers);
    counts.add(0, registers);
  };
  for (const LoweredInstruction::Write &write : source.writes) {
    // RegisterFile::isAvailable charges one register even for a removed definition.
    if (!write.reg) {
      add(needs, 0, 1);
      continue;
    }
    const RenamedRegister &defined = registers_[write.reg];
    add(needs, defined.file, defined.cost);
    const uint16_t whole = defined.wholeOf(write.reg);
    if (write.writesZero || (whole != write.reg && !write.clearsSuperRegisters))
      continue;
    const RenamedRegister &renamed = whole == write.reg ? defined : registers_[whole];
    add(instruction.allocations, renamed.file, renamed.cost);
  }
  for (size_t file = 0; file < body_->files.size(); ++file)
    instruction.needs.add(file, std::min(needs[file], body_->files[file].size));
}

/// A move or exchange can be eliminated if it stays in one register file and moves whole registers
/// (RegisterFile::canEliminateMove, tryEliminateMoveOrSwap).
void BodyBuilder::addMoves(const LoweredInstruction &source, BodyInstruction &instruction) {
  instruction.moves.first = static_cast<uint32_t>(body_->moves.size());
  const size_t count = source.writes.size();
  if (!source.optimizableMove || count != source.reads.size() || count == 0)
    return;
  instruction.moveFile = source.writes[0].reg ? registers_[source.writes[0].reg].file : 0;
  instruction.moveCandidates = static_cast<uint16_t>(count);
  if (count > 2 || (body_->files[instruction.moveFile].zeroMovesOnly && !hasZeros_))
    return;
  for (size_t i = 0; i < count; ++i) {
    const LoweredInstruction::Write &write = source.writes[count - 1 - i];
    const uint16_t from = source.reads[i].reg;
    if (!from || !write.reg)
      return;
    const RenamedRegister &renamed = registers_[write.reg];
    if (registers_[from].file != instruction.moveFile || renamed.file != instruction.moveFile)
      return;
    if (!renamed.renameAs || !registers_[renamed.renameAs].allowMoveElimination)
      return;
    if (renamed.renameAs != write.reg && !write.clearsSuperRegisters)
      return; // a partial move
  }
  for (size_t i = 0; i < count; ++i) {
    const LoweredInstruction::Write &write = source.writes[count - 1 - i];
    const uint16_t from = source.reads[i].reg, whole = registers_[from].wholeOf(from);
    BodyMove move;
    move.targets = sets_[setOf(SetKind::Alias, registers_[write.reg].wholeOf(write.reg), false)].cells;
    move.source = valueOf(whole);
    move.sourceCell = cellOf(whole);
    move.read = cellOf(from);
    move.write = static_cast<uint32_t>(count - 1 - i);
    body_->moves.push_back(move);
  }
  instruction.moves.count = static_cast<uint32_t>(count);
}

void BodyBuilder::addResources(const LoweredInstruction &source, BodyInstruction &instruction) {
  instruction.resources.first = static_cast<uint32_t>(body_->resources.size());
  for (const ResourceUse &use : source.resources) {
    BodyResource resource;
    resource.mask = use.mask;
    resource.cycles = use.cycles;
    resource.units = use.units;
    resource.index = static_cast<uint8_t>(63 - std::countl_zero(use.mask));
    resource.reserved = use.reserved;
    resource.group = isGroup(use.mask);
    resource.onlyUnit = !instruction.moves.count && takesOnlyUnit(source, use);
    if (resource.group)
      body_->usedGroups |= 1ull << resource.index;
    body_->resources.push_back(resource);
  }
  instruction.resources.count = static_cast<uint32_t>(source.resources.size());
}

bool BodyBuilder::takesOnlyUnit(const LoweredInstruction &source, const ResourceUse &use) const {
  if (!use.cycles || use.reserved || isGroup(use.mask) ||
      resources_.describe(resources_.resourceOf(use.mask)).NumUnits != 1)
    return false;
  // A group that the instruction also uses might take the unit.
  return std::none_of(source.resources.begin(), source.resources.end(),
                      [&](const ResourceUse &other) { return &other != &use && (other.mask & use.mask); });
}

void BodyBuilder::addSignature(const LoweredInstruction &source, BodyInstruction &instruction) {
  Signature signature{.groups = source.groups,
                      .resources = instruction.resources,
                      .overlappingGroups = source.overlappingGroups,
                      .issuesAtOnce = source.issuesAtOnce,
                      .plain = !source.overlappingGroups};
  const auto uses = body_->resourcesOf(instruction);
  for (const BodyResource &use : uses) {
    if (use.units && !use.reserved)
      signature.units |= 1ull << use.index;
    if (use.reserved || use.units != 1)
      signature.plain = false;
    body_->monotone &= use.cycles && !use.reserved;
  }
  body_->plain = body_->plain && signature.plain && body_->monotone;
  const auto same = [&](const Signature &other) {
    return other.units == signature.units && other.groups == signature.groups &&
           other.overlappingGroups == signature.overlappingGroups && other.issuesAtOnce == signature.issuesAtOnce &&
           std::ranges::equal(
               uses, Body::slice(body_->resources, other.resources),
               [](const BodyResource &a, const BodyResource &b) { return a == b && a.onlyUnit == b.onlyUnit; });
  };
  const auto found = std::find_if(body_->signatures.begin(), body_->signatures.end(), same);
  instruction.signature = static_cast<uint32_t>(found - body_->signatures.begin());
  if (found == body_->signatures.end())
    body_->signatures.push_back(signature);
}

} // namespace mca
