// Bottleneck analysis: in how many cycles the machine could not keep up, why, and which chain of instructions is the
// most expensive one. The method and its figures are llvm-mca 22.1's (its command guide, "Bottleneck Analysis").
//
// Two parts work side by side. PressureTracker counts for each instruction in flight how many cycles it was delayed by
// resources, registers and memory, and remembers who holds each resource unit. CriticalGraph gathers from these the
// dependencies between instructions, over three copies of the region so that loop-carried ones have room, and finds the
// most expensive path.
#pragma once

#include "mca-core/views/collectors.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace mca {

enum class PressureReason { Resources, RegisterDependencies, MemoryDependencies };

/// An instruction in flight, as the scheduler sees it at the end of a cycle.
struct DelayedInstruction {
  uint64_t id = 0;
  uint64_t criticalResources = 0; ///< masks of the resources that it waits for
};

/// What is known of an instruction when it issues.
struct IssuedInstruction {
  uint64_t id = 0;
  uint64_t criticalResources = 0;
  CriticalWait registerWait;
  CriticalWait memoryWait;
};

class PressureTracker {
public:
  struct Delays {
    uint32_t resource = 0;
    uint32_t reg = 0;
    uint32_t memory = 0;
  };
  struct Holder {
    uint64_t id = ~0ull;
    uint32_t cycles = 0;
  };

  explicit PressureTracker(const ResourceTable &resources);
  void onDispatched(uint64_t id) { delays_.try_emplace(id); }
  void onExecuted(uint64_t id) { delays_.erase(id); }
  void onIssued(uint64_t id, std::span<const UsedUnit> used);
  void onPressure(PressureReason reason, std::span<const DelayedInstruction> delayed, uint64_t resourceMask);

  const Delays &delaysOf(uint64_t id) { return delays_[id]; }
  /// Adds those who hold units of the resource with this mask and are still in flight.
  void addHolders(uint64_t resourceMask, std::vector<Holder> &holders) const;
  /// By resource: cycles in which it was unavailable to an instruction that was ready.
  const std::vector<uint64_t> &cyclesByResource() const { return cyclesByResource_; }

private:
  void countResources(uint64_t mask);

  const ResourceTable &resources_;
  std::unordered_map<uint64_t, Delays> delays_;
  std::vector<uint32_t> firstUnit_; // by resource, into holders_
  std::vector<Holder> holders_;
  std::vector<uint64_t> cyclesByResource_;
};

class CriticalGraph {
public:
  struct Edge {
    Dependency::Kind kind = Dependency::Kind::Register;
    uint64_t what = 0; ///< register number or resource mask
    uint64_t cost = 0;
    uint32_t from = 0; ///< nodes: position in the region + copy × instructions
    uint32_t to = 0;
    uint32_t frequency = 1;
  };

  explicit CriticalGraph(uint32_t instructions) : instructions_(instructions), nodes_(size_t(instructions) * 3) {}
  /// `from` and `to` are instructions of the region.
  void add(Dependency::Kind kind, uint32_t from, uint32_t to, uint64_t what, uint64_t cost);
  /// Finds the costs of all paths. Edges seen in at most a tenth of the iterations do not count, and what is added
  /// later has no influence.
  void resolve(uint32_t iterations);
  /// The edges of the most expensive path, in order, as they were when the graph was resolved.
  std::vector<Edge> criticalSequence() const;

private:
  struct Node {
    uint32_t predecessors = 0;
    uint32_t visitedPredecessors = 0;
    uint32_t depth = 0;
    uint64_t cost = 0;
    Edge criticalPredecessor;
    std::vector<Edge> edges;
  };
  void addEdge(const Edge &edge);
  void prune(uint32_t iterations);
  void propagate();

  uint32_t instructions_;
  std::vector<Node> nodes_;
};

class BottleneckCollector {
public:
  BottleneckCollector(const ResourceTable &resources, uint32_t instructions, uint32_t iterations);
  void onDispatched(uint64_t id) { tracker_.onDispatched(id); }
  void onExecuted(uint64_t id) { tracker_.onExecuted(id); }
  void onIssued(const IssuedInstruction &issued, std::span<const UsedUnit> used);
  void onPressure(PressureReason reason, std::span<const DelayedInstruction> delayed, uint64_t resourceMask);
  void onStall() { counts_.stalled = true; }
  void onCycleEnd();
  Bottlenecks finish(llvm::MCInstPrinter &printer);

private:
  const ResourceTable &resources_;
  uint32_t instructions_;
  uint32_t iterations_;
  PressureTracker tracker_;
  CriticalGraph graph_;
  Bottlenecks counts_;
  bool resourcesPressed_ = false;
  bool registersPressed_ = false;
  bool memoryPressed_ = false;
  std::vector<PressureTracker::Holder> holders_; // scratch
};

} // namespace mca
