// A region lowered to plain numbers for the simulator: no LLVM objects, and every look-up already done.
//
// Registers are represented by cells. Registers that are always written together share a cell, so that renaming touches
// one or two cells where LLVM touches a register and all its parts.
#pragma once

#include "mca-core/model/lowering.h"
#include "mca-core/model/registers.h"
#include "mca-core/model/resources.h"

#include "llvm/ADT/DenseMap.h"

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace mca {

using Cell = uint16_t;
constexpr Cell kNoCell = 0xFFFF;

/// A slice of one of Body's lists.
struct Range {
  uint32_t first = 0;
  uint32_t count = 0;
};

/// A definition of an instruction.
struct BodyWrite {
  int32_t latency = 0;       ///< cycles
  uint16_t kind = 0;         ///< index of the write resource, which selects the read-advance
  uint16_t reg = 0;          ///< LLVM's number; 0: no register is defined
  Range zeros;               ///< in Body::cells: the registers that this write makes zero or not zero
  Cell mergedInto = kNoCell; ///< for a partial write: the cell of the register that it merges into
  bool writesZero = false;
};

/// A definition becomes the writer of this cell.
struct BodyStore {
  uint32_t write = 0; ///< into Body::writes
  Cell cell = 0;
};

/// A register operand that waits for definitions in the region.
struct BodyRead {
  Cell cell = kNoCell;      ///< the first cell of the value; kNoCell: nothing in the region writes it
  Cell self = kNoCell;      ///< the register's own cell, which records whether it is an alias
  uint32_t advances = 0;    ///< into Body::advances: one value per kind of write
  Range cells;              ///< in Body::cells: all cells of the value
  uint16_t operand = 0;     ///< index of the read in the instruction
  bool independent = false; ///< of earlier definitions, like the inputs of a zero idiom
};

/// A move that renaming may eliminate: its definition becomes an alias of its source.
struct BodyMove {
  Range targets;             ///< in Body::cells: the cells that become aliases
  uint16_t source = 0;       ///< into Body::values: the value that is read
  Cell sourceCell = kNoCell; ///< the cell that records whether the source is itself an alias
  Cell read = kNoCell;       ///< the cell that records whether the moved value is a known zero
  uint32_t write = 0;        ///< index of the definition in the instruction
};

/// A use of a resource. Two uses are equal if they request the same.
struct BodyResource : ResourceUse {
  uint8_t index = 0; ///< state index: position of the mask's highest bit
  bool group = false;
  bool onlyUnit = false; ///< every instance takes the same unit, the resource's only one
};

/// What an operand waits for. Both times count from the cycle in which the defining instruction issues. They differ for
/// a partial write: it may start before the register that it merges into is complete, as long as it ends after it.
struct OperandWait {
  int32_t delay = 0;    ///< cycles until the operand is available
  int32_t cycles = 0;   ///< cycles until the definition is complete
  uint32_t operand = 0; ///< index of the read in the waiting instruction, or its number of reads + index of the write
  uint32_t write = 0;   ///< into Body::writes
};

/// A dependency on the instruction `distance` instances earlier.
struct BodyDependency {
  uint32_t distance = 0;
  OperandWait wait;
};

/// The result of renaming an instruction.
struct RenamedInstruction {
  Range dependencies;     ///< in Body::dependencies: the definitions it waits for
  Range dependents;       ///< in Body::dependents: the instructions that wait for it, nearest first
  uint32_t zeroMoves = 0; ///< how many of its eliminated moves forward a known zero
  bool eliminated = false;
};

/// Numbers of physical registers, one 16-bit lane per register file, so that one addition or comparison covers all
/// files.
struct RegisterCounts {
  static constexpr size_t kFiles =
      4; ///< LLVM 22.1's models have at most three, including file 0, which counts all definitions
  static constexpr unsigned kBits = 16;
  static constexpr uint32_t kMaxCount = 0x7FFF; ///< the highest bit of a lane is reserved for carries

  uint64_t lanes = 0;

  uint32_t operator[](size_t file) const { return lanes >> kBits * file & 0xFFFF; }
  void add(size_t file, uint32_t registers) { lanes += uint64_t(registers) << kBits * file; }
};

/// Which stores a memory operation meets, where the text says so of pointers or both have one operand
/// (memory_classes.h). Each bit is a pointer.
struct MemoryClass {
  static constexpr uint32_t kPointers = 64;

  uint64_t waitsFor = 0;   ///< what it loads may have been stored through these pointers
  uint64_t storesTo = 0;   ///< it stores through these
  uint32_t loadsPlace = 0; ///< the place that it loads from, one that is stored to; 0: none
  uint32_t storesPlace = 0;
  auto operator<=>(const MemoryClass &) const = default;
};

/// An instruction of the region. Ranges are slices of the body's lists.
struct BodyInstruction : InstructionProperties {
  Range writes, resources;
  Range reads;                 ///< only reads of registers that the region writes
  Range stores;                ///< in Body::stores
  RegisterCounts allocations;  ///< physical registers that its definitions allocate
  RegisterCounts needs;        ///< physical registers that must be free before dispatch; only for files with a limit
  Range moves;                 ///< empty if it cannot be eliminated
  uint32_t operandReads = 0;   ///< number of reads, including those that wait for nothing
  uint32_t operands = 0;       ///< reads and writes
  uint32_t signature = 0;      ///< index of its resource signature
  uint16_t moveFile = 0;       ///< register file of its first definition
  uint16_t moveCandidates = 0; ///< number of moves in the instruction if renaming may eliminate them
  bool merges = false;         ///< one of its definitions is a partial write
  uint32_t memoryClass = 0;    ///< into Body::memoryClasses, unless that is empty
};

/// What an instruction needs to issue, and what it then takes. Instructions with equal resource uses share one.
struct Signature {
  uint64_t units = 0;  ///< state bits of resources and groups that must have a free unit
  uint64_t groups = 0; ///< state bits of groups that must not be reserved
  Range resources;     ///< in Body::resources
  bool overlappingGroups = false;
  bool issuesAtOnce = false; ///< see BodyInstruction
  bool plain = false;        ///< the masks above decide alone whether it can issue
};

/// A region for the simulator. It refers to no other object, so that it can run on another thread than it was built on.
struct Body {
  std::vector<BodyInstruction> instructions;
  std::vector<BodyWrite> writes;
  std::vector<BodyRead> reads;
  std::vector<BodyStore> stores;
  std::vector<BodyResource> resources;
  std::vector<BodyMove> moves;
  std::vector<Signature> signatures;
  std::vector<Cell> cells;
  std::vector<Range> values;     ///< the cells of each register that moves read
  std::vector<int16_t> advances; ///< read-advance: cycles by which a read may precede the end of the write
  std::vector<RegisterFileLimits> files;
  /// The first iterations as renamed; after the last instruction, execution continues at renamedRepeatFrom. Empty if
  /// the program alone does not determine renaming, see dependencies.h.
  std::vector<RenamedInstruction> renamed;
  std::vector<BodyDependency> dependencies, dependents;
  uint32_t cellCount = 0;
  uint32_t maxOperands = 0;
  int32_t longestLateRead = 0; ///< the most negative read-advance, negated; in cycles
  uint32_t renamedRepeatFrom = 0;
  /// All signatures are plain and the body is monotone, so that no scan order affects which units are found busy.
  bool plain = false;
  /// No issue releases a resource: an instruction that cannot issue stays blocked for the rest of the cycle.
  bool monotone = false;
  /// Different from each other. Empty: MachineOptions::assumeNoAlias holds for all memory operations.
  std::vector<MemoryClass> memoryClasses;
  uint32_t memoryPlaces = 0; ///< those of the classes are numbered from 1 to this

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

/// Builds bodies for one target. Not thread-safe.
class BodyBuilder {
public:
  BodyBuilder(const Target &target, const ResourceTable &resources);

  /// `registerFileSize`: physical registers in file 0, which counts all definitions; 0: unlimited. Does not fill in the
  /// dependencies, see dependencies.h.
  void build(const LoweredRegion &region, uint32_t registerFileSize, Body &body);

private:
  /// Registers that one kind of definition changes together, and their cells once all sets are known.
  struct RegisterSet {
    llvm::SmallVector<uint16_t, 16> registers;
    Range cells;
  };
  enum class SetKind : uint32_t { Writer, Zero, Alias };

  void reset(Body &body);
  void formCells();
  void addSets(const LoweredInstruction &source);
  uint32_t setOf(SetKind kind, uint16_t reg, bool clearsSuperRegisters);
  /// Returns the cells of the next set that addSets() created, in the same order.
  Range nextCells() { return sets_[setsInOrder_[nextSet_++]].cells; }
  void splitCells(const RegisterSet &set);
  void addCell(Cell cell, Range &range);
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
  uint32_t constantAdvance(int16_t cycles);
  uint16_t kindOf(uint32_t writeResource);
  Cell cellOf(uint16_t reg) const { return cellOf_[reg]; }

  const Target &target_;
  const ResourceTable &resources_;
  RegisterTable registers_;
  Body *body_ = nullptr;
  bool hasZeros_ = false;         ///< some definition in the region is known to be zero
  bool tracksZeros_ = false;      ///< and that matters, because moves may be eliminated
  std::vector<Cell> cellOf_;      // by register; kNoCell if nothing writes it
  std::vector<uint16_t> touched_; // registers with a cell
  std::vector<uint32_t> cellSize_, cellHits_;
  std::vector<Cell> cellSplit_;
  llvm::SmallVector<RegisterSet, 0> sets_;
  llvm::DenseMap<uint32_t, uint32_t> setIndex_; // by kind and register
  std::vector<uint32_t> setsInOrder_;           // in the order of the definitions
  size_t nextSet_ = 0;
  llvm::DenseMap<uint32_t, Range> valueCells_;  // by register
  llvm::DenseMap<uint32_t, uint16_t> values_;   // by register
  llvm::DenseMap<uint64_t, uint32_t> advances_; // by scheduling class and operand
  llvm::DenseMap<int32_t, uint32_t> constants_; // rows with one advance for all writes
  std::vector<uint32_t> kinds_;                 // write resources used in the region
};

} // namespace mca
