// Counts the cycles that instructions wait, by reason.
//
// A cycle is counted as soon as its reason is certain: at once for dispatch stalls and busy units, when the last
// operand arrives for operands, and at retirement for retirement. Cycles that are not certain yet belong to the state
// that the steady state compares, see describe().
#pragma once

#include "mca-core/engine/machine.h"
#include "mca-core/model/body.h"
#include "mca-core/model/calibrated_body.h"
#include "mca-core/report/report.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mca {

/// The last instructions of a trace: enough for all in flight and those that they wait for.
class RecentInstructions {
public:
  void add(uint32_t instruction) { ring_[size_++ & (kKept - 1)] = instruction; }
  uint64_t size() const { return size_; } ///< since the begin of the trace
  uint32_t operator[](uint64_t id) const { return ring_[id & (kKept - 1)]; }

private:
  static constexpr size_t kKept = 1 << 16;
  std::vector<uint32_t> ring_ = std::vector<uint32_t>(kKept);
  uint64_t size_ = 0;
};

/// The reasons are those of report_waits.h. Counters are lists, so that the steady state can multiply what a period
/// adds to them even if new reasons appear.
class WaitCollector {
public:
  /// `watched`: number of instances whose waits are recorded individually.
  WaitCollector(const Body &body, const ResourceTable &resources, const std::vector<ResourceState::Slot> &slots,
                bool outOfOrder, uint64_t watched);
  /// Along a trace: the instances are these, and only the watched ones count, which begin with `first`.
  void followTrace(const RecentInstructions &trace, uint64_t first) {
    trace_ = &trace;
    first_ = first;
  }

  /// The busy resources of waits are numbers of this body's, and all waits come by onWaited().
  void nameResources(const CalibratedBody &body) { calibrated_ = &body; }

  void onDispatched(uint64_t id);
  /// If a cycle has several reasons, the first counts.
  void onStall(DispatchStall stall) { stall_ = stall_.value_or(stall); }
  void onOperandsReady(const ReadyOperands &operands);
  void onHeld(uint64_t id, uint64_t busy) { held_.push_back({id, busy}); }
  void onStalledInOrder(const InOrderStall &stall) { inOrderStall_ = stall; }
  void onIssued(const IssuedInstruction &issued, std::span<const TakenUnit> taken);
  void onExecuted(uint64_t id);
  void onRetired(uint64_t id);
  /// The cycles [from, to) of an instance's wait. `key`: the register or the resource. `by`: the instance that it waits
  /// for, or none.
  void onWaited(uint64_t id, WaitKind kind, uint64_t key, uint64_t by, int64_t from, int64_t to) {
    count(id, kind, key, by, from, to);
  }
  void onCyclesEnd(int64_t cycles);
  Waits finish(llvm::MCInstPrinter &printer);

  template <typename Visit>
  void visitCounters(Visit &visit) {
    visit(cycles_);
    visit(holderCycles_);
  }
  /// Passes everything that later counts depend on to `sink`, relative to the current cycle and the oldest instance in
  /// flight.
  template <typename Sink>
  bool describe(uint64_t oldest, Sink &sink) const {
    const auto describeHolder = [&](const Holder &holder) {
      return sink(holder.until > now_ ? holder.id - oldest : ~0ull);
    };
    if (!llvm::all_of(holders_, describeHolder) || !llvm::all_of(reservers_, describeHolder))
      return false;
    if (!outOfOrder_)
      return true;
    // How long each instance in flight has waited for its next event. If its operands are ready, its wait for a unit is
    // counted as it passes.
    for (uint64_t id = retired_; id < dispatched_; ++id) {
      const Instance &one = at(id);
      const int64_t since = one.isExecuted ? one.executed : one.operandsReady ? now_ : one.dispatched;
      if (!sink(static_cast<uint64_t>(now_ - since)))
        return false;
    }
    return sink(positionOrNone(lastExecuted_)) && sink(static_cast<uint64_t>(now_ - lastExecution_));
  }

private:
  static constexpr uint64_t kNoInstance = ~0ull;
  /// An instance in flight. Times are cycles.
  struct Instance {
    int64_t dispatched = 0;
    int64_t executed = 0;
    bool operandsReady = false;
    bool isExecuted = false;
  };
  /// The instance that holds a unit or group, and the cycle in which its hold ends.
  struct Holder {
    uint64_t id = kNoInstance;
    int64_t until = 0;
  };
  /// An instruction that is ready, and the resources that are busy.
  struct Held {
    uint64_t id = 0;
    uint64_t busy = 0;
  };
  /// A reason of one instruction; two waits have the same reason if all but `holders` is equal.
  struct Reason {
    WaitKind kind = WaitKind::Register;
    uint64_t key = 0; ///< register number or resource mask
    uint32_t by = kNoInstruction;
    std::vector<uint32_t> holders; ///< indices into holderOf_
  };
  Instance &at(uint64_t id) { return instances_[id & (instances_.size() - 1)]; }
  const Instance &at(uint64_t id) const { return instances_[id & (instances_.size() - 1)]; }
  uint32_t positionOf(uint64_t id) const { return trace_ ? (*trace_)[id] : static_cast<uint32_t>(id % instructions_); }
  bool isWatched(uint64_t id) const { return id - first_ < segments_.size(); }
  bool counts(uint64_t id) const { return !trace_ || isWatched(id); }
  uint32_t positionOrNone(uint64_t id) const { return id == kNoInstance ? kNoInstruction : positionOf(id); }

  void grow();
  uint32_t reasonFor(uint32_t instructionIndex, WaitKind kind, uint64_t key, uint32_t by);
  void count(uint64_t id, WaitKind kind, uint64_t key, uint64_t by, int64_t from, int64_t to);
  void countResource(uint64_t id, uint64_t busy, int64_t cycles);
  uint32_t holderFor(Reason &reason, uint32_t by);
  void addSegment(uint64_t id, uint32_t reason, int64_t from, int64_t to, std::span<const uint32_t> by);
  void findHolders(uint64_t busy);
  std::string nameOf(uint64_t busy) const;
  WaitReason describeReason(uint32_t number, llvm::MCInstPrinter &printer) const;
  void finishInstruction(uint32_t instructionIndex, Waits &waits, llvm::MCInstPrinter &printer);

  const Body &body_;
  const ResourceTable &resources_;
  const CalibratedBody *calibrated_ = nullptr;
  uint32_t instructions_;
  bool outOfOrder_;
  const RecentInstructions *trace_ = nullptr; ///< null in a loop
  uint64_t first_ = 0;                        ///< the first watched instance
  int64_t now_ = 0;
  std::vector<Instance> instances_ = std::vector<Instance>(64); // out of order: a ring of the instances in flight
  uint64_t dispatched_ = 0, retired_ = 0;
  uint64_t lastExecuted_ = kNoInstance;        ///< of the retired instances, the last one to be executed
  int64_t lastExecution_ = -1;                 ///< and the cycle in which it was
  std::vector<std::vector<uint32_t>> slotsOf_; // by resource
  std::vector<Holder> holders_;                // by slot
  std::vector<Holder> reservers_;              // by state index: holders of whole groups

  // In the current cycle:
  std::vector<Held> held_;
  std::vector<uint32_t> holdersNow_; ///< instructions that hold the resources searched last, ascending
  std::optional<DispatchStall> stall_;
  InOrderStall inOrderStall_;

  std::vector<Reason> reasons_;                    // in the order of their first appearance
  std::vector<uint64_t> cycles_;                   // by reason
  std::vector<std::vector<uint32_t>> reasonsOf_;   // by instruction
  std::vector<uint32_t> holderOf_;                 // by reason and holder: an instruction
  std::vector<uint64_t> holderCycles_;             // likewise
  std::vector<std::vector<WaitSegment>> segments_; // by watched instance
};

} // namespace mca
