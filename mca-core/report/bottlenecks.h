// Bottleneck analysis: the cycles in which the machine could not keep up, the reasons, and the most expensive chain of
// instructions. The method and its numbers are llvm-mca 22.1's (BottleneckAnalysis.cpp in llvm/tools/llvm-mca/Views,
// and the command guide's "Bottleneck Analysis").
//
// BottleneckCollector records the holder of each resource unit and counts the cycles in which something was missing, as
// llvm-mca's PressureTracker does. CriticalGraph collects the dependencies between instructions and finds the most
// expensive path, as its DependencyGraph does.
#pragma once

#include "mca-core/engine/machine.h"
#include "mca-core/model/body.h"
#include "mca-core/model/resources.h"
#include "mca-core/report/report.h"

#include <limits>
#include <span>
#include <vector>

namespace llvm {
class MCInstPrinter;
}

namespace mca {

/// The dependencies between instructions, in three copies of the region: a loop-carried one leads from one copy to the
/// next.
class CriticalGraph {
public:
  struct Edge {
    Dependency::Kind kind = Dependency::Kind::Register;
    uint64_t resourceOrRegister = 0; ///< LLVM's register number or the resource's mask
    uint64_t cost = 0;
    uint32_t from = 0; ///< nodes: position in the region + copy × instructions
    uint32_t to = 0;
    uint32_t frequency = 1;
  };

  explicit CriticalGraph(uint32_t instructions) : instructions_(instructions), seenFrom_(instructions) {}
  /// Adds a dependency between two instructions of the region.
  void add(Dependency::Kind kind, uint32_t from, uint32_t to, uint64_t resourceOrRegister, uint64_t cost);
  /// Computes the costs of all paths. Ignores edges seen in at most a tenth of the iterations, and edges added later.
  void resolve(uint32_t iterations);
  /// Returns the edges of the most expensive path in order.
  std::vector<Edge> criticalSequence() const;
  template <typename Visit>
  void visitCounters(Visit &visit) {
    visit(costs_);
    visit(frequencies_);
  }

private:
  struct Node {
    uint32_t predecessors = 0;
    uint32_t visitedPredecessors = 0;
    uint32_t depth = 0;
    uint64_t cost = 0;
    Edge criticalPredecessor;
    std::vector<Edge> edges;
  };
  /// A dependency seen so far; a loop-carried one has two edges.
  struct Seen {
    Dependency::Kind kind = Dependency::Kind::Register;
    uint32_t to = 0;
    uint64_t resourceOrRegister = 0;
    uint32_t number = 0;
  };
  struct SeenFrom {
    std::vector<Seen> all; ///< in the order of their first appearance
    size_t next = 0;       ///< after the last one added, because dependencies usually recur in the same order
  };
  void makeNodes();
  void addEdge(const Edge &edge);
  void prune(uint32_t iterations);
  void propagate();

  uint32_t instructions_;
  std::vector<SeenFrom> seenFrom_; // by instruction
  std::vector<Node> nodes_;        // of the resolved graph
  // By index of the dependency, in the order of their first appearance:
  std::vector<uint64_t> costs_;
  std::vector<uint32_t> frequencies_;
  bool resolved_ = false;
};

class BottleneckCollector {
public:
  BottleneckCollector(const Body &body, const ResourceTable &resources, const std::vector<ResourceState::Slot> &slots,
                      uint32_t iterations);
  /// A further cycle of an instruction's dispatch. If the instruction has already been executed, llvm-mca counts it as
  /// in flight forever from now on, because the event adds it to PressureTracker's map again.
  void onDispatchedFurther(uint64_t id) {
    for (Holder &holder : holders_)
      if (holder.id == id && holder.until <= now_)
        holder.until = std::numeric_limits<int64_t>::max();
  }
  /// `taken`: the units that the instruction took, with indices into the body's resources.
  void onIssued(const IssuedInstruction &issued, std::span<const TakenUnit> taken);
  void onPressure(PressureReason reason, uint64_t resourceMask);
  void onStall() { counts_.stalled = true; }
  void onCyclesEnd(int64_t cycles);
  Bottlenecks finish(llvm::MCInstPrinter &printer);

  /// A holder that has retired matters only by its position in the region.
  template <typename Sink>
  bool describe(uint64_t oldest, Sink &sink) const {
    return llvm::all_of(holders_, [&](const Holder &holder) {
      const uint64_t who = holder.id < oldest ? 1ull << 63 | holder.id % instructions_ : holder.id - oldest;
      return sink(holder.until > now_ ? who : ~0ull) && sink(holder.until > now_ ? holder.cycles : 0);
    });
  }
  template <typename Visit>
  void visitCounters(Visit &visit) {
    visit(counts_.cycles);
    visit(counts_.pressureCycles);
    visit(counts_.resourceCycles);
    visit(counts_.registerDependencyCycles);
    visit(counts_.memoryDependencyCycles);
    visit(counts_.dataDependencyCycles);
    visit(cyclesByResource_);
    graph_.visitCounters(visit);
  }

private:
  struct Holder {
    uint64_t id = 0;
    uint32_t instructionIndex = 0; ///< position in the region
    uint32_t cycles = 0;
    int64_t until = 0; ///< the cycle in which it has been executed and no longer counts
  };
  void addResourceDependencies(const IssuedInstruction &issued);
  void countResources(uint64_t mask, uint64_t cycles);

  const Body &body_;
  const ResourceTable &resources_;
  uint32_t instructions_;
  uint32_t iterations_;
  std::vector<std::vector<uint32_t>> slotsOf_; // by resource
  std::vector<Holder> holders_;                // by slot
  std::vector<uint64_t> cyclesByResource_;     // in which a ready instruction was missing it
  CriticalGraph graph_;
  Bottlenecks counts_;
  int64_t now_ = 0;
  uint64_t pressedResources_ = 0; // in this cycle, like those below
  bool resourcesPressed_ = false;
  bool registersPressed_ = false;
  bool memoryPressed_ = false;
};

} // namespace mca
