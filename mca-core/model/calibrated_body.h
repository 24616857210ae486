// A region as a Calibration describes it: plain numbers for the calibrated machine, laid over LLVM's.
//
// Where the calibration has no value, LLVM's is used: micro-ops as slots, the latency of definitions and read-advances,
// and its processor resources beside the calibrated ones. LLVM's groups hold what their members hold, as conjunctive
// resources do. Instructions with such values are counted.
//
// calibration/rules.h has the facts and rules, and what holds without them; their values are used as they are. A row
// whose treatment at rename needs a rule that is off is as good as missing. Pointers are taken to begin a line when the
// region begins, apart from what the code before it shows (program/entry_offsets.h).
#pragma once

#include "mca-core/calibration/calibration.h"
#include "mca-core/model/body.h"
#include "mca-core/program/entry_offsets.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mca {

/// Ticks of one unit of a resource, and of one slot. Divisible by all numbers up to 8 and by 16.
constexpr uint32_t kTicksPerUnit = 1680;
/// Values of a calibration are small enough, by its table.
inline uint32_t ticksOf(double units) {
  return static_cast<uint32_t>(std::lround(units * kTicksPerUnit));
}
/// The most that the machine computes with: as much as a form of a calibration may have (calibration_file.h).
constexpr int32_t kMaxLatency = 10'000; // cycles

/// What one instruction takes of a resource.
struct CalibratedUse {
  uint16_t resource = 0; ///< into CalibratedBody::resources
  uint32_t ticks = 0;    ///< more than the resource's for one that holds it for several cycles
  bool operator==(const CalibratedUse &) const = default;
};

/// A micro-op that waits for one of several ports, which renaming chooses.
struct PortUse {
  uint32_t ports = 0;    ///< a bit for each, by its number below CalibratedBody::portCount
  uint32_t ticks = 0;    ///< as CalibratedUse::ticks
  uint16_t resource = 0; ///< the group of all of them, into CalibratedBody::resources
  bool operator==(const PortUse &) const = default;
};

/// An operand that the instruction waits for. Registers that the region does not write are no sources.
struct CalibratedSource {
  Cell cell = 0;
  uint16_t operand = 0; ///< as FormOperand::number
  int32_t slack = 0;    ///< cycles after the start of the computation at which it is early enough
  uint16_t reg = 0;     ///< LLVM's number
};

/// What an instruction produces: the value of cells, or what it stores.
struct CalibratedDestination {
  Range cells;            ///< in CalibratedBody::cells; none for what it stores
  uint32_t latencies = 0; ///< into CalibratedBody::latencies: from the loaded value or the start, then of each source
  bool isMemory = false;
};

/// The load of an instruction that reads what an earlier instruction of the region stores.
struct StoreForward {
  enum class Kind : uint8_t { General, Vector, Partial, Renamed, Predicted };
  Kind kind = Kind::General;
  uint32_t store = 0;    ///< the storing instruction
  uint32_t distance = 0; ///< iterations before this one
  int32_t latency = 0;   ///< cycles from the store's data to the load's value
  uint32_t loadedBytes = 0;
  bool isOneAddress = false; ///< each execution of the two is to the same address
};

enum class SlotKind : uint8_t { General, Vector };

struct CalibratedInstruction {
  uint32_t slots = 0;         ///< ticks
  bool isUnlaminated = false; ///< its operation was taken apart from its load
  SlotKind slotKind = SlotKind::General;
  RenameTreatment treatment = RenameTreatment::None;
  uint16_t codeBytes = 0;     ///< 0: the target cannot encode it
  uint16_t entries = 1;       ///< of the reorder buffer
  bool isTakenBranch = false; ///< in each iteration; along a trace, the next instruction decides
  bool isBranch = false, isConditional = false, isIndirect = false;
  bool isBeforeNext = false; ///< the body's next instruction follows it in the text
  bool mayLoad = false, mayStore = false;
  bool isFloatAdd = false;        ///< an addition of floats, if they are faster one after the other
  bool fusedWithNext = false;     ///< this one and the next one are one instruction for the machine
  bool fusedWithPrevious = false; ///< it needs nothing of its own
  /// Values that are LLVM's: slots and resources, or a latency.
  bool slotsAreLlvms = false, latencyIsLlvms = false;
  /// In CalibratedBody::uses, in this order: of the load, the computation, the store.
  Range loadUses, uses, storeUses;
  Range groupUses;               ///< likewise; bounds that follow from its ports, so what runs does not look at them
  Range loadPorts, ports;        ///< in CalibratedBody::portUses: of the load, of all else
  Range addressSources, sources; ///< in CalibratedBody::sources
  Range destinations;            ///< in CalibratedBody::destinations
  int32_t loadLatency = 0;       ///< cycles from the address to the loaded value
  uint32_t commitTicks = 0;      ///< of a cycle that its store takes to leave, kTicksPerUnit for a cycle
  uint32_t forward = kNone;      ///< into CalibratedBody::forwards

  bool isFromLlvm() const { return slotsAreLlvms || latencyIsLlvms; }
};

struct BodyResourceLimit {
  std::string name;
  uint32_t ticksPerCycle = 0;
  uint32_t dependentTicks = 0; ///< in addition for an instruction that waits for an operand
  bool isLlvms = false;
};

/// The limits of the machine. 0: no such limit.
struct CalibratedLimits {
  uint32_t slots = 0, vectorSlots = 0; ///< ticks per cycle
  uint32_t codeBytes = 0;              ///< ticks per cycle, kTicksPerUnit for a byte
  uint32_t takenBranchTicks = 0;       ///< ticks of a cycle that a taken branch takes, kTicksPerUnit for a cycle
  uint32_t overrideCycles = 0;         ///< of fetch, see CalibrationFacts::overridePenalty
  uint32_t targetCycles = 0;           ///< likewise, targetPenalty
  uint32_t fetchQueue = 0;             ///< at least 1 if there is a limit of fetch
  uint32_t reorderBuffer = 0, scheduler = 0, vectorScheduler = 0, loadQueue = 0, storeQueue = 0;
  uint32_t retired = 0; ///< entries per cycle
  int32_t loadLatency = 0;
  int32_t floatAddDelay = 0; ///< cycles of an addition of floats that waits for another kind of instruction
  uint32_t lostSlots = 0;    ///< ticks
  /// Of a cycle's instructions, the first ones, among which those are that were taken apart, and how many of them.
  uint32_t unlaminatedWithin = 0, unlaminatedPerCycle = 0;
  uint32_t leastCycles = 0;
  bool wholeCycles = false;

  /// Whether an instruction that was taken apart waits for the next cycle. `takenTicks`: of this cycle's slots,
  /// `unlaminated` of them by instructions of two.
  bool holdsBack(const CalibratedInstruction &code, uint32_t takenTicks, uint32_t unlaminated) const {
    if (!code.isUnlaminated || takenTicks == 0)
      return false;
    const uint32_t before = takenTicks / kTicksPerUnit - unlaminated;
    return (unlaminatedWithin && before >= unlaminatedWithin) ||
           (unlaminatedPerCycle && unlaminated >= unlaminatedPerCycle);
  }
};

/// A region for the calibrated machine. It refers to no other object.
struct CalibratedBody {
  CalibratedLimits limits;
  std::vector<BodyResourceLimit> resources;
  std::vector<CalibratedInstruction> instructions;
  std::vector<CalibratedUse> uses;
  std::vector<PortUse> portUses;
  uint32_t portCount = 0;
  bool takesPortsInTurn = false; ///< where equally few micro-ops wait for several; else the first of them is taken
  std::vector<CalibratedSource> sources;
  std::vector<CalibratedDestination> destinations;
  std::vector<int32_t> latencies; ///< cycles; negative: the destination does not depend on the source
  std::vector<Cell> cells;
  std::vector<StoreForward> forwards;
  uint32_t cellCount = 0;
  bool dependsOnAlignment = false; ///< whether CalibratedRegion::unaligned would change how often accesses cross lines

  template <typename T>
  static std::span<const T> slice(const std::vector<T> &list, Range range) {
    return {list.data() + range.first, range.count};
  }
  /// How many instructions have values of LLVM's.
  uint32_t countFromLlvm() const;
};

/// What a region is, beyond its instructions.
struct CalibratedRegion {
  bool isTrace = false; ///< the instructions of a trace, in text order, and no iteration
  /// By instruction: how many instances earlier the stores are that a text says it waits for. Or empty.
  std::vector<std::vector<uint32_t>> storesBefore;
  std::span<const EntryOffset> entryOffsets = {};
  bool unaligned = false; ///< KnownLines::unaligned
};

/// Lays a calibration over lowered regions. Not thread-safe.
class CalibratedBodyBuilder {
public:
  /// All of them have to outlive it.
  CalibratedBodyBuilder(const Target &target, const ResourceTable &resources, const Calibration &calibration);
  ~CalibratedBodyBuilder();

  CalibratedBody build(const Program &program, const LoweredRegion &region, const CalibratedRegion &how);

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace mca
