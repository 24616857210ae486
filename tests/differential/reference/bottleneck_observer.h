// llvm-mca's bottleneck analysis on the events of LLVM's pipeline: cycles with pressure, and the most expensive
// sequence of dependencies.
#pragma once

#include "tests/differential/reference/observers.h"

#include <map>
#include <utility>
#include <vector>

namespace mca::reference {

/// A dependency between two nodes: instructions of three copies of the region, one behind the other.
struct DependencyEdge {
  Dependency::Kind kind = Dependency::Kind::Register;
  uint64_t resourceOrRegister = 0; ///< register number or resource mask
  uint64_t cost = 0;
  uint32_t from = 0;
  uint32_t to = 0;
  uint32_t frequency = 1;
  bool operator==(const DependencyEdge &) const = default;
};

class DependencyGraph {
public:
  explicit DependencyGraph(uint32_t instructions) : instructions_(instructions), nodes_(3 * size_t(instructions)) {}
  /// `edge` names instructions of the region. One that reaches backwards leads into the next copy.
  void add(const DependencyEdge &edge);
  std::vector<DependencyEdge> edges() const;
  /// The edges of the most expensive path. Edges seen in at most a tenth of the iterations do not count.
  std::vector<DependencyEdge> mostExpensivePath(uint32_t iterations);

private:
  struct Node {
    uint32_t incoming = 0;
    uint32_t visited = 0;
    uint32_t depth = 0;
    uint64_t cost = 0;
    DependencyEdge best; // the last edge of the most expensive path to here
    std::vector<DependencyEdge> edges;
  };
  void addBetweenNodes(const DependencyEdge &edge);
  void dropRareEdges(uint32_t iterations);
  void computeCosts();

  uint32_t instructions_;
  std::vector<Node> nodes_;
};

class BottleneckObserver final : public Observer {
public:
  explicit BottleneckObserver(const Setting &setting);
  void onEvent(const llvm::mca::HWInstructionEvent &event) override;
  void onEvent(const llvm::mca::HWPressureEvent &event) override;
  void onEvent(const llvm::mca::HWStallEvent &) override { counts_.stalled = true; }
  void onCycleEnd() override;
  void finish(Report &report) override;

private:
  /// Cycles that an instruction in flight was held back.
  struct Delays {
    uint32_t resource = 0;
    uint32_t reg = 0;
    uint32_t memory = 0;
  };
  /// Who was the last to take a unit.
  struct Holder {
    uint64_t id = 0;
    uint32_t cycles = 0;
  };
  void onIssued(const llvm::mca::HWInstructionIssuedEvent &event);
  void addResourceDependencies(const llvm::mca::InstRef &ref);
  void addDependency(Dependency::Kind kind, const llvm::mca::CriticalDependency &on, uint32_t to, uint32_t delay);
  void countPressure(uint64_t resourceMask);

  Setting setting_;
  ResourceMasks masks_;
  std::map<uint64_t, Delays> inFlight_;
  std::map<std::pair<uint64_t, uint64_t>, Holder> holders_; // by resource and the unit's mask
  std::vector<uint64_t> cyclesByResource_;
  DependencyGraph graph_;
  std::vector<DependencyEdge> path_;
  Bottlenecks counts_;
  bool resources_ = false, registers_ = false, memory_ = false; // pressure in this cycle
};

} // namespace mca::reference
