// A region lowered to what the simulator needs of it: plain numbers, no LLVM object, everything that can be looked up
// beforehand looked up.
//
// Registers appear as cells. Two registers that every definition of the region writes together are one cell, so that
// renaming touches a cell or two where LLVM touches each register and all its parts.
#pragma once

#include "mca-core/model/lowering.h"
#include "mca-core/model/registers.h"
#include "mca-core/model/resources.h"

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mca {

using Cell = uint16_t;
constexpr Cell kNoCell = 0xFFFF;

/// A part of one of Body's lists.
struct Range {
  uint32_t first = 0;
  uint32_t count = 0;
};

struct BodyWrite {
  int32_t latency = 0;       ///< cycles
  uint16_t kind = 0;         ///< of the write resource, for read-advance
  uint16_t reg = 0;          ///< LLVM's number; 0: nothing is defined
  Range zeros;               ///< whose being zero it decides, in Body::cells
  Cell mergedInto = kNoCell; ///< of a partial write: where to find the writer that it is merged into
  bool writesZero = false;
};

/// A cell that a definition becomes the writer of.
struct BodyStore {
  uint32_t write = 0; ///< into Body::writes
  Cell cell = 0;
};

struct BodyRead {
  Cell cell = kNoCell;      ///< the first one that the value comes from; kNoCell: nothing of the region writes it
  Cell self = kNoCell;      ///< the register's own cell, which knows whether it is an alias
  uint32_t advances = 0;    ///< into Body::advances: one value a kind of write
  Range cells;              ///< all that the value comes from, in Body::cells
  uint16_t operand = 0;     ///< number of the read in the instruction
  bool independent = false; ///< of earlier definitions: a zero idiom's input
};

/// A move that renaming may carry out alone: its definition becomes an alias of what it reads.
struct BodyMove {
  Range targets;             ///< in Body::cells: what becomes an alias
  uint16_t source = 0;       ///< into Body::values: what is read
  Cell sourceCell = kNoCell; ///< where an alias of the source is found
  Cell read = kNoCell;       ///< where to find whether zero is moved
  uint32_t write = 0;        ///< number of the definition in the instruction
};

struct BodyResource {
  uint64_t mask = 0;   ///< of the resource; its highest bit is its own
  uint32_t cycles = 0; ///< 0: only releases it
  uint32_t units = 1;
  uint8_t index = 0; ///< state index: position of the highest bit
  bool reserved = false;
  bool group = false;
  bool onlyUnit = false; ///< each instance takes the same unit, the resource's only one

  /// Whether it asks for the same.
  bool operator==(const BodyResource &other) const {
    return mask == other.mask && cycles == other.cycles && units == other.units && reserved == other.reserved;
  }
};

/// What an operand waits for: a definition, counted from the cycle in which its instruction issues.
struct OperandWait {
  int32_t delay = 0;    ///< cycles until the operand is there
  int32_t cycles = 0;   ///< cycles until the definition is; differs where a partial write is merged into it
  uint32_t operand = 0; ///< number of the read in the instruction that waits, or its reads + number of the write
  uint32_t write = 0;   ///< into Body::writes
};

/// That an instruction waits for another, `distance` instances before it.
struct BodyDependency {
  uint32_t distance = 0;
  OperandWait wait;
};

/// What renaming makes of an instruction.
struct RenamedInstruction {
  Range dependencies;     ///< in Body::dependencies: what it waits for
  Range dependents;       ///< in Body::dependents: what waits for it, nearest first
  uint32_t zeroMoves = 0; ///< how many of its moves pass on a known zero, when it is eliminated
  bool eliminated = false;
};

/// Physical registers by register file, side by side in one word.
struct RegisterCounts {
  static constexpr size_t kFiles = 4; ///< LLVM 22.1's models have at most three, the one that counts all included
  static constexpr unsigned kBits = 16;
  static constexpr uint32_t kMaxCount = 0x7FFF; ///< the highest bit is for sums

  uint64_t lanes = 0;

  uint32_t operator[](size_t file) const { return lanes >> kBits * file & 0xFFFF; }
  void add(size_t file, uint32_t registers) { lanes += uint64_t(registers) << kBits * file; }
};

struct BodyInstruction {
  Range writes, resources;
  Range reads;                ///< only those of what the region writes
  Range stores;               ///< in Body::stores
  RegisterCounts allocations; ///< physical registers that its definitions take
  RegisterCounts needs;       ///< that must be free for it to be dispatched; only of files with a limit
  Range moves;                ///< empty when it cannot be eliminated
  uint32_t microOps = 0;
  int32_t latency = 0;         ///< of its slowest write, in cycles
  uint32_t operandReads = 0;   ///< reads of the instruction, those that wait for nothing included
  uint32_t operands = 0;       ///< reads and writes
  uint32_t signature = 0;      ///< of what it asks of resources
  uint64_t buffers = 0;        ///< state bits
  uint16_t moveFile = 0;       ///< register file of the first definition
  uint16_t moveCandidates = 0; ///< moves that it is made of, if renaming may eliminate such
  bool mayLoad = false, mayStore = false;
  bool loadBarrier = false, storeBarrier = false;
  bool beginGroup = false, endGroup = false;
  bool retireOutOfOrder = false;
  bool optimizableMove = false;
  bool issuesAtOnce = false; ///< zero latency, or in-order resources only
  bool merges = false;       ///< one of its definitions is partial

  bool isMemory() const { return mayLoad || mayStore; }
};

/// What an instruction needs to issue, and what it then takes.
struct Signature {
  uint64_t units = 0;  ///< state bits of resources and groups of which a unit at least must be free
  uint64_t groups = 0; ///< state bits of groups that must not be reserved
  Range resources;     ///< in Body::resources
  bool overlappingGroups = false;
  bool issuesAtOnce = false; ///< see BodyInstruction
  bool plain = false;        ///< the masks above tell all
};

struct Body {
  std::vector<BodyInstruction> instructions;
  std::vector<BodyWrite> writes;
  std::vector<BodyRead> reads;
  std::vector<BodyStore> stores;
  std::vector<BodyResource> resources;
  std::vector<BodyMove> moves;
  std::vector<Signature> signatures;
  std::vector<Cell> cells;
  std::vector<Range> values;     ///< of registers that moves read: their cells
  std::vector<int16_t> advances; ///< cycles by which a read may come before the write is complete
  std::vector<RegisterFileLimits> files;
  /// The instructions of the first iterations as they are renamed; after the last one it goes on at renamedRepeatFrom.
  /// Empty when renaming depends on more than the program.
  std::vector<RenamedInstruction> renamed;
  std::vector<BodyDependency> dependencies, dependents;
  uint32_t cellCount = 0;
  uint32_t writeKinds = 0;
  uint32_t maxOperands = 0;
  int32_t maxLatency = 0;
  int32_t longestLateRead = 0; ///< the largest negative advance, as a positive number of cycles
  uint64_t usedGroups = 0;     ///< state bits of groups that some instruction asks for a unit of
  uint32_t renamedRepeatFrom = 0;
  /// Every signature is plain, and the body is monotone: what is found busy then depends on no order.
  bool plain = false;
  /// Nothing that issues gives anything back: what cannot issue in a cycle cannot issue later in that cycle.
  bool monotone = false;

  template <typename T>
  static std::span<const T> slice(const std::vector<T> &list, Range range) {
    return {list.data() + range.first, range.count};
  }
  std::span<const BodyWrite> writesOf(const BodyInstruction &i) const { return slice(writes, i.writes); }
  std::span<const BodyRead> readsOf(const BodyInstruction &i) const { return slice(reads, i.reads); }
  std::span<const BodyDependency> dependenciesOf(const RenamedInstruction &r) const {
    return slice(dependencies, r.dependencies);
  }
  std::span<const BodyDependency> dependentsOf(const RenamedInstruction &r) const {
    return slice(dependents, r.dependents);
  }
  std::span<const BodyResource> resourcesOf(const BodyInstruction &i) const { return slice(resources, i.resources); }
};

/// Makes bodies of one target. An object serves one thread.
class BodyBuilder {
public:
  BodyBuilder(const Target &target, const ResourceTable &resources);

  /// `registerFileSize`: physical registers of the file that counts all definitions; 0 means unlimited.
  /// Dependencies are left out, see dependencies.h.
  void build(const LoweredRegion &region, uint32_t registerFileSize, Body &body);

private:
  /// Registers that one kind of definition changes together; as cells once all sets are known.
  struct RegisterSet {
    llvm::SmallVector<uint16_t, 16> registers;
    Range cells;
  };
  enum class SetKind : uint32_t { Writer, Zero, Alias };

  void addSets(const LoweredInstruction &source);
  uint32_t setOf(SetKind kind, uint16_t reg, bool clearsSuperRegisters);
  /// The cells of the next of the sets that addSets() asked for, in its order.
  Range nextCells() { return sets_[setsInOrder_[nextSet_++]].cells; }
  void splitCells(const RegisterSet &set);
  void addInstruction(const LoweredInstruction &source);
  void addWrites(const LoweredInstruction &source, BodyInstruction &instruction);
  bool storesTo(Cell cell, const BodyInstruction &instruction) const;
  bool isSupersededBySlowerWrite(uint32_t write, Cell cell, const BodyInstruction &instruction) const;
  void addReads(const LoweredInstruction &source, BodyInstruction &instruction);
  void addRegisterDemand(const LoweredInstruction &source, BodyInstruction &instruction);
  void addMoves(const LoweredInstruction &source, BodyInstruction &instruction);
  void addResources(const LoweredInstruction &source, BodyInstruction &instruction);
  void addSignature(const LoweredInstruction &source, BodyInstruction &instruction);
  bool takesOnlyUnit(const LoweredInstruction &source, const ResourceUse &use) const;
  Range cellsOfValue(uint16_t reg);
  uint16_t valueOf(uint16_t reg);
  uint32_t advancesOf(const LoweredInstruction::Read &read);
  uint16_t kindOf(uint32_t writeResource);
  Cell cellOf(uint16_t reg) const { return cellOf_[reg]; }

  const Target &target_;
  const ResourceTable &resources_;
  RegisterTable registers_;
  Body *body_ = nullptr;
  bool hasZeros_ = false;         ///< some definition of the region is known to be zero
  bool tracksZeros_ = false;      ///< and it matters, as moves may be eliminated
  std::vector<Cell> cellOf_;      // by register; kNoCell for what nothing writes
  std::vector<uint16_t> touched_; // registers with a cell
  std::vector<uint32_t> cellSize_, cellHits_;
  std::vector<Cell> cellSplit_;
  llvm::SmallVector<RegisterSet, 0> sets_;
  llvm::DenseMap<uint32_t, uint32_t> setIndex_; // by kind and register
  std::vector<uint32_t> setsInOrder_;           // as the definitions ask for them
  size_t nextSet_ = 0;
  llvm::DenseMap<uint32_t, Range> valueCells_;  // by register
  llvm::DenseMap<uint32_t, uint16_t> values_;   // by register
  llvm::DenseMap<uint64_t, uint32_t> advances_; // by scheduling class and operand
  std::vector<uint32_t> kinds_;                 // write resources of the region
};

} // namespace mca
