// Each jump is followed back through at most 200 instructions: many jumps in a long function would cost its square.
#include "analysis/regions/jump_tables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSymbol.h"

#include <algorithm>

namespace analysis {
namespace {

/// Instructions before a jump that are searched for its table.
constexpr uint32_t kFarthest = 200;

/// The computed jump that ends a block, which an instruction in its delay slot may follow.
uint32_t jumpOf(const JumpBlock &block, const mca::Target &target, const mca::Program &program) {
  const auto isDelayed = [&](uint32_t index) {
    return target.instructions().get(program.instructions()[index].inst.getOpcode()).hasDelaySlot();
  };
  const llvm::ArrayRef<uint32_t> all = block.instructions;
  return all.size() > 1 && isDelayed(all[all.size() - 2]) ? all[all.size() - 2] : all.back();
}

/// Whether only the code below comes next.
bool goesStraightOn(const Flow &flow) {
  return flow.fallsThrough && !flow.target && !flow.isIndirect;
}

} // namespace

JumpTables::JumpTables(const mca::Target &target, const mca::Program &program, const std::vector<JumpBlock> &blocks,
                       llvm::function_ref<uint32_t(const llvm::MCSymbol *)> targetOf)
    : target_(target), program_(program), blocks_(blocks) {
  for (const mca::TableEntry &entry : program.tableEntries())
    if (const llvm::MCSymbol *symbol = entry.table ? symbolIn(entry.value) : nullptr)
      if (const uint32_t block = targetOf(symbol); block != kNone)
        tables_[entry.table].push_back(block);
  if (tables_.empty())
    return;
  for (uint32_t block = 0; block < blocks.size(); ++block)
    if (blocks[block].flow.isIndirect)
      if (const Found found = findTable(block); found.table) {
        found_[block] = found;
        if (found.isCertain)
          used_.insert(found.table);
      }
}

/// A table of the compiler's own, under a label that only this text knows, is that of one `switch`: the jumps of others
/// do not share it. Arrays of labels in the source may serve many jumps.
std::vector<uint32_t> JumpTables::targetsOf(uint32_t block) const {
  const Found found = found_.lookup(block);
  if (!found.table || (!found.isCertain && found.table->isTemporary() && used_.contains(found.table)))
    return {};
  std::vector<uint32_t> targets;
  llvm::DenseSet<uint32_t> seen;
  const uint32_t unchanged = firstUnchanged(block);
  for (const uint32_t target : tables_.find(found.table)->second)
    if ((target < unchanged || target > block) && seen.insert(target).second)
      targets.push_back(target);
  return targets;
}

/// The table that the jump names, or that the closest instruction before it names which writes a register that the
/// address is computed from; else, as a guess, the closest that an instruction of the function reads.
JumpTables::Found JumpTables::findTable(uint32_t block) const {
  const uint32_t jump = jumpOf(blocks_[block], target_, program_);
  const llvm::MCInst &branch = program_.instructions()[jump].inst;
  Registers sources = addressOf(branch);
  bool isWritten = target_.instructions().get(branch.getOpcode()).mayLoad();
  Found closest;
  uint32_t distance = 0;
  for (uint32_t at = block;; --at) {
    for (const uint32_t index : llvm::reverse(blocks_[at].instructions)) {
      if (distance++ > kFarthest)
        return closest;
      const llvm::MCInst &inst = program_.instructions()[index].inst;
      const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
      const auto isSource = [&](llvm::MCRegister reg) { return writes(inst, reg); };
      const bool computes = index == jump || llvm::any_of(sources, isSource);
      const llvm::MCSymbol *symbol = symbolOf(inst);
      const bool namesTable = symbol && tables_.contains(symbol);
      if (namesTable && computes)
        return {symbol, /*isCertain=*/true};
      if (namesTable && !closest.table && (description.mayLoad() || !description.mayStore()))
        closest.table = symbol;
      if (!computes || index == jump)
        continue;
      isWritten = true;
      // Before the block each register stays a source: who wrote it last on the way here is not known.
      if (at != block)
        continue;
      llvm::erase_if(sources, isSource);
      for (const llvm::MCOperand &operand :
           llvm::drop_begin(inst, std::min<size_t>(description.getNumDefs(), inst.size())))
        if (operand.isReg() && operand.getReg())
          sources.push_back(operand.getReg());
    }
    if (at == 0 || blocks_[at].isEntry)
      break;
  }
  // A register that the function was called with holds no address of a place inside of it.
  return isWritten ? closest : Found();
}

/// The registers that the target is computed from. PowerPC's `bctr` does not name its own.
JumpTables::Registers JumpTables::addressOf(const llvm::MCInst &jump) const {
  Registers registers;
  for (const llvm::MCOperand &operand : jump)
    if (operand.isReg() && operand.getReg())
      registers.push_back(operand.getReg());
  if (registers.empty())
    llvm::append_range(registers, target_.instructions().get(jump.getOpcode()).implicit_uses());
  return registers;
}

bool JumpTables::writes(const llvm::MCInst &inst, llvm::MCRegister reg) const {
  const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
  const auto overlaps = [&](llvm::MCRegister written) { return target_.registers().regsOverlap(reg, written); };
  const auto defs = llvm::ArrayRef(inst.begin(), std::min<size_t>(description.getNumDefs(), inst.size()));
  return llvm::any_of(
             defs, [&](const llvm::MCOperand &def) { return def.isReg() && def.getReg() && overlaps(def.getReg()); }) ||
         llvm::any_of(description.implicit_defs(), overlaps);
}

bool JumpTables::mayChange(const llvm::MCInst &inst, const Registers &address, bool isInMemory) const {
  const llvm::MCInstrDesc &description = target_.instructions().get(inst.getOpcode());
  return description.isCall() || (isInMemory && description.mayStore()) ||
         llvm::any_of(address, [&](llvm::MCRegister reg) { return writes(inst, reg); });
}

/// The first block of the straight code that ends with the jump and does not change its target: one that goes back to
/// this code once would do so for ever.
uint32_t JumpTables::firstUnchanged(uint32_t block) const {
  const llvm::MCInst &jump = program_.instructions()[jumpOf(blocks_[block], target_, program_)].inst;
  const Registers address = addressOf(jump);
  const bool isInMemory = target_.instructions().get(jump.getOpcode()).mayLoad();
  const auto changes = [&](uint32_t index) {
    return mayChange(program_.instructions()[index].inst, address, isInMemory);
  };
  uint32_t first = block + 1;
  while (first > 0 && llvm::none_of(blocks_[first - 1].instructions, changes)) {
    --first;
    if (first == 0 || blocks_[first].isEntry || !goesStraightOn(blocks_[first - 1].flow))
      break;
  }
  return first;
}

} // namespace analysis
