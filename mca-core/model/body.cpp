// Builds a Body: collects the register sets that definitions touch, splits the registers into cells, and lowers each
// instruction. docs/engine.md names LLVM's source for each rule.
#include "mca-core/model/body.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

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
  reset(body);
  body.files = registers_.files();
  body.files[0].size = registerFileSize;
  bool hasMoves = false;
  for (const LoweredInstruction *instruction : region.instructions) {
    hasMoves |= instruction->optimizableMove;
    for (const LoweredInstruction::Write &write : instruction->writes)
      hasZeros_ |= write.writesZero;
  }
  tracksZeros_ = hasMoves && hasZeros_;
  for (const LoweredInstruction *instruction : region.instructions)
    addSets(*instruction);
  formCells();
  body.advances.assign(kinds_.size(), 0); // the row for reads without an advance
  for (const LoweredInstruction *instruction : region.instructions)
    addInstruction(*instruction);
}

/// Empties the body and everything that belongs to the last region. The lists keep their memory.
void BodyBuilder::reset(Body &body) {
  const auto clear = [](auto &...lists) { (lists.clear(), ...); };
  body_ = &body;
  clear(body.instructions, body.writes, body.reads, body.stores, body.resources, body.moves, body.signatures,
        body.cells, body.values, body.advances, body.memoryClasses, body.renamed);
  body.maxOperands = 0;
  body.longestLateRead = 0;
  body.memoryPlaces = 0;
  body.plain = body.monotone = true;
  for (const uint16_t reg : touched_)
    cellOf_[reg] = kNoCell;
  clear(touched_, cellSize_, sets_, setIndex_, setsInOrder_, valueCells_, values_, advances_, constants_, kinds_);
  nextSet_ = 0;
  hasZeros_ = false;
}

/// Splits the registers into cells, and lists the cells of each set.
void BodyBuilder::formCells() {
  for (const RegisterSet &set : sets_)
    splitCells(set);
  body_->cellCount = static_cast<uint32_t>(cellSize_.size());
  for (RegisterSet &set : sets_) {
    set.cells.first = static_cast<uint32_t>(body_->cells.size());
    for (const uint16_t reg : set.registers)
      addCell(cellOf(reg), set.cells);
  }
}

/// Appends a cell to Body::cells, unless `range`, which must be at its end, contains it.
void BodyBuilder::addCell(Cell cell, Range &range) {
  if (llvm::is_contained(Body::slice(body_->cells, range), cell))
    return;
  body_->cells.push_back(cell);
  ++range.count;
}

/// Collects the registers that renaming changes for each definition: those whose writer it becomes, those that it makes
/// zero or not zero (both in RegisterFile::addRegisterWrite), and those that become aliases if it is an eliminated move
/// (RegisterFile::tryEliminateMoveOrSwap). It also collects the write resources, which give read-advances their rows.
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

/// Returns the number of the set. A write does not update artificial parts, which no instruction can address
/// (MCRegisterInfo::isArtificial), but it may update registers that contain the written one.
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

/// Splits cells until the set is a union of cells (partition refinement): registers of a cell that is only partly in
/// the set move to a new one, and registers that no earlier set contains form one of their own.
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
  // The size of a cell before this call is its size plus that of the part that has been split off.
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

/// Adds an instruction. The steps depend on earlier ones: a use of a resource on whether the instruction is a move, and
/// the signature on the uses.
void BodyBuilder::addInstruction(const LoweredInstruction &source) {
  BodyInstruction instruction{source};
  addWrites(source, instruction);
  addReads(source, instruction);
  addRegisterDemand(source, instruction);
  addMoves(source, instruction);
  addResources(source, instruction);
  addSignature(source, instruction);
  instruction.operands = instruction.operandReads + instruction.writes.count;
  body_->maxOperands = std::max(body_->maxOperands, instruction.operands);
  body_->instructions.push_back(instruction);
}

/// Adds the definitions. Those that the target's InstrPostProcess has removed (register 0) stay: operands are numbered
/// with them, and in order their latency counts (findFirstWriteBackCycle in InOrderIssueStage.cpp).
void BodyBuilder::addWrites(const LoweredInstruction &source, BodyInstruction &instruction) {
  instruction.writes.first = static_cast<uint32_t>(body_->writes.size());
  instruction.stores.first = static_cast<uint32_t>(body_->stores.size());
  for (size_t i = 0; i < source.writes.size(); ++i) {
    const LoweredInstruction::Write &write = source.writes[i];
    const auto number = static_cast<uint32_t>(body_->writes.size());
    BodyWrite &lowered = body_->writes.emplace_back(BodyWrite{
        .latency = write.latency, .kind = kindOf(write.resource), .reg = write.reg, .writesZero = write.writesZero});
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

/// Adds the reads. Registers that the region never writes are always available, so their reads are left out.
void BodyBuilder::addReads(const LoweredInstruction &source, BodyInstruction &instruction) {
  instruction.reads.first = static_cast<uint32_t>(body_->reads.size());
  instruction.operandReads = static_cast<uint32_t>(source.reads.size());
  for (size_t i = 0; i < source.reads.size(); ++i) {
    const LoweredInstruction::Read &read = source.reads[i];
    const Range cells = read.reg ? cellsOfValue(read.reg) : Range();
    if (!cells.count)
      continue;
    body_->reads.push_back({.cell = body_->cells[cells.first],
                            .self = cellOf(read.reg),
                            .advances = read.neededAfter ? constantAdvance(*read.neededAfter)
                                        : read.advances  ? advancesOf(read)
                                                         : 0,
                            .cells = cells,
                            .operand = static_cast<uint16_t>(i),
                            .independent = read.independent});
  }
  instruction.reads.count = static_cast<uint32_t>(body_->reads.size()) - instruction.reads.first;
}

/// Returns the register's own cell, then those of its parts: the definitions of all of them contribute to its value
/// (RegisterFile::collectWrites). Unlike the sets, this includes artificial parts.
Range BodyBuilder::cellsOfValue(uint16_t reg) {
  const auto [entry, isNew] = valueCells_.try_emplace(reg);
  if (!isNew)
    return entry->second;
  Range range{static_cast<uint32_t>(body_->cells.size()), 0};
  const auto add = [&](uint16_t part) {
    if (cellOf(part) != kNoCell)
      addCell(cellOf(part), range);
  };
  add(reg);
  for (const uint16_t sub : registers_[reg].subregisters)
    add(sub);
  return entry->second = range;
}

/// Returns the number of the register's value, by which aliases refer to it.
uint16_t BodyBuilder::valueOf(uint16_t reg) {
  const auto [entry, isNew] = values_.try_emplace(reg, static_cast<uint16_t>(body_->values.size()));
  if (isNew)
    body_->values.push_back(cellsOfValue(reg));
  return entry->second;
}

/// Returns the read's row in Body::advances. The advance depends on the scheduling class and operand of the read and on
/// the write resource (MCSubtargetInfo::getReadAdvanceCycles), so a row serves all reads of the same class and operand.
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

/// Returns the row in Body::advances of a read whose advance is corrected.
uint32_t BodyBuilder::constantAdvance(int16_t cycles) {
  const auto [entry, isNew] = constants_.try_emplace(cycles, static_cast<uint32_t>(body_->advances.size()));
  if (isNew) {
    body_->advances.insert(body_->advances.end(), kinds_.size(), cycles);
    body_->longestLateRead = std::max<int32_t>(body_->longestLateRead, -cycles);
  }
  return entry->second;
}

/// Numbers the write resources that the region uses, to keep the rows of read-advances short.
uint16_t BodyBuilder::kindOf(uint32_t writeResource) {
  const auto kind = static_cast<uint16_t>(llvm::find(kinds_, writeResource) - kinds_.begin());
  if (kind == kinds_.size())
    kinds_.push_back(writeResource);
  return kind;
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
  // More than the whole file can never be free. LLVM caps the demand as well, so that the instruction can proceed.
  for (size_t file = 0; file < body_->files.size(); ++file)
    instruction.needs.add(file, std::min(needs[file], body_->files[file].size));
}

/// A move or exchange can be eliminated if it stays in one register file and moves whole registers
/// (RegisterFile::canEliminateMove, tryEliminateMoveOrSwap). LLVM pairs the first read with the last definition: an
/// exchange reads its registers in the order in which it writes them, and each receives the other's value. The two
/// conditions that depend on the state, the limit per cycle and known zeros, are left to RegisterState::eliminate().
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
    const uint32_t targets = setOf(SetKind::Alias, registers_[write.reg].wholeOf(write.reg), false);
    body_->moves.push_back({.targets = sets_[targets].cells,
                            .source = valueOf(whole),
                            .sourceCell = cellOf(whole),
                            .read = cellOf(from),
                            .write = static_cast<uint32_t>(count - 1 - i)});
  }
  instruction.moves.count = static_cast<uint32_t>(count);
}

void BodyBuilder::addResources(const LoweredInstruction &source, BodyInstruction &instruction) {
  instruction.resources.first = static_cast<uint32_t>(body_->resources.size());
  for (const ResourceUse &use : source.resources)
    body_->resources.push_back({use, static_cast<uint8_t>(llvm::Log2_64(use.mask)), isGroup(use.mask),
                                !instruction.moves.count && takesOnlyUnit(source, use)});
  instruction.resources.count = static_cast<uint32_t>(source.resources.size());
}

/// Whether every instance takes the resource's only unit (ResourceManager::selectPipe), so that its uses need no
/// counter. Eliminated moves take none, so moves are excluded by the caller.
bool BodyBuilder::takesOnlyUnit(const LoweredInstruction &source, const ResourceUse &use) const {
  if (!use.cycles || use.reserved || isGroup(use.mask) ||
      resources_.describe(resources_.resourceOf(use.mask)).NumUnits != 1)
    return false;
  // A group that the instruction also uses might take the unit.
  return llvm::none_of(source.resources,
                       [&](const ResourceUse &other) { return &other != &use && (other.mask & use.mask); });
}

/// Finds the instruction's signature, or adds it. A use of zero cycles ends a reservation
/// (ResourceManager::releaseResource) and may thus make units available at issue, so a body with one is not monotone.
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
  const auto found = llvm::find_if(body_->signatures, same);
  instruction.signature = static_cast<uint32_t>(found - body_->signatures.begin());
  if (found == body_->signatures.end())
    body_->signatures.push_back(signature);
}

} // namespace mca
