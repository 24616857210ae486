// Bottleneck analysis: the cycles in which the machine could not keep up, the reasons, and the most expensive chain of
// instructions. The method and its numbers are llvm-mca 22.1's (BottleneckAnalysis.cpp in llvm/tools/llvm-mca/Views,
// and the command guide's "Bottleneck Analysis").
//
// Both follow llvm-mca's algorithms step by step, because details such as the order of edges decide the result.
// BottleneckCollector records the holder of each resource unit and counts the cycles in which something was missing, as
// llvm-mca's PressureTracker does. CriticalGraph collects the dependencies between instructions and finds the most
// expensive path, as its DependencyGraph does.
#pragma once

#include "mca-core/engine/bits.h"
#include "mca-core/engine/machine.h"
#include "mca-core/model/body.h"
#include "mca-core/report/resource_pressure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>
#include <span>
#include <vector>

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
  /// Adds a dependency between two instructions of the region, or its cost to the one that is known.
  void add(Dependency::Kind kind, uint32_t from, uint32_t to, uint64_t resourceOrRegister, uint64_t cost) {
    if (resolved_)
      return;
    SeenFrom &seen = seenFrom_[from];
    const auto isSame = [&](const Seen &one) { return one.to == to && one.resourceOrRegister == resourceOrRegister; };
    size_t place = seen.next;
    if (place >= seen.all.size() || !isSame(seen.all[place]))
      place = static_cast<size_t>(llvm::find_if(seen.all, isSame) - seen.all.begin());
    seen.next = place + 1 < seen.all.size() ? place + 1 : 0;
    if (place < seen.all.size()) {
      costs_[seen.all[place].number] += cost;
      ++frequencies_[seen.all[place].number];
      return;
    }
    seen.all.push_back({kind, to, resourceOrRegister, static_cast<uint32_t>(costs_.size())});
    costs_.push_back(cost);
    frequencies_.push_back(1);
  }
  /// Computes the costs of all paths. Ignores edges seen in at most a tenth of the iterations, and edges added later.
  void resolve(uint32_t iterations) {
    resolved_ = true;
    makeNodes();
    prune(iterations);
    propagate();
  }
  /// Returns the edges of the most expensive path in order.
  std::vector<Edge> criticalSequence() const {
    // Of several most expensive nodes the first (DependencyGraph::getCriticalSequence).
    const auto last =
        std::max_element(nodes_.begin(), nodes_.end(), [](const Node &a, const Node &b) { return a.cost < b.cost; });
    if (last == nodes_.end())
      return {};
    std::vector<Edge> sequence(last->depth);
    const Node *node = &*last;
    for (auto edge = sequence.rbegin(); edge != sequence.rend(); ++edge) {
      *edge = node->criticalPredecessor;
      node = &nodes_[edge->from];
    }
    return sequence;
  }
  template <typename Visit>
  void visitCounters(Visit &visit) {
    visit(costs_);
    visit(frequencies_);
  }

private:
  /// An instruction in one copy of the region. Costs and depths are those of the most expensive path to it.
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
  /// Adds the edges of each dependency. It connects the second copy of the region with itself; a loop-carried one also
  /// leads from the first copy to the second, and from the second to the third.
  void makeNodes() {
    const uint32_t n = instructions_;
    nodes_.resize(size_t(n) * 3);
    for (uint32_t from = 0; from < n; ++from)
      for (const Seen &seen : seenFrom_[from].all) {
        Edge edge{seen.kind,   seen.resourceOrRegister,  costs_[seen.number], from,
                  seen.to + n, frequencies_[seen.number]};
        const bool carried = from >= seen.to;
        if (carried)
          addEdge(edge);
        edge.from += n;
        edge.to += carried ? n : 0;
        addEdge(edge);
      }
  }
  void addEdge(const Edge &edge) {
    nodes_[edge.from].edges.push_back(edge);
    ++nodes_[edge.to].predecessors;
  }
  /// Replaces a removed edge by the last one, which stays whatever its own frequency: llvm-mca's results depend on this
  /// (DependencyGraph::pruneEdges).
  void prune(uint32_t iterations) {
    for (Node &node : nodes_) {
      size_t kept = node.edges.size();
      for (size_t i = 0; i < kept; ++i) {
        const uint32_t frequency = node.edges[i].frequency;
        if (frequency == iterations || double(frequency) / iterations > 0.10)
          continue;
        --nodes_[node.edges[i].to].predecessors;
        std::swap(node.edges[i], node.edges[--kept]);
      }
      node.edges.resize(kept);
    }
  }
  /// Visits each node after all of its predecessors. A node's cost is that of the most expensive path to it. Nodes on a
  /// closed path are never visited and keep their cost (DependencyGraph::propagateThroughEdges).
  void propagate() {
    std::vector<uint32_t> current, next;
    for (uint32_t id = 0; id < nodes_.size(); ++id)
      if (nodes_[id].predecessors == 0 && !nodes_[id].edges.empty())
        current.push_back(id);
    while (!current.empty()) {
      for (const uint32_t id : current) {
        const Node &node = nodes_[id];
        for (const Edge &edge : node.edges) {
          Node &to = nodes_[edge.to];
          const uint64_t cost = node.cost + edge.cost;
          if (cost > to.cost) {
            to.criticalPredecessor = edge;
            to.cost = cost;
            to.depth = node.depth + 1;
          }
          if (++to.visitedPredecessors == to.predecessors)
            next.push_back(edge.to);
        }
      }
      std::swap(current, next);
      next.clear();
    }
  }

  uint32_t instructions_;
  std::vector<SeenFrom> seenFrom_; // by instruction
  std::vector<Node> nodes_;        // of the resolved graph
  // By index of the dependency, in the order of their first appearance:
  std::vector<uint64_t> costs_;
  std::vector<uint32_t> frequencies_;
  bool resolved_ = false;
};

/// Counts per cycle which kinds of pressure there were, and passes each issued instruction's last waits to the graph.
class BottleneckCollector {
public:
  BottleneckCollector(const Body &body, const ResourceTable &resources, const std::vector<ResourceState::Slot> &slots,
                      uint32_t iterations)
      : body_(body), resources_(resources), instructions_(static_cast<uint32_t>(body.instructions.size())),
        iterations_(iterations), slotsOf_(slotsByResource(resources, slots)), holders_(slots.size()),
        cyclesByResource_(resources.size(), 0), graph_(instructions_) {}
  /// A further cycle of an instruction's dispatch. If the instruction has already been executed, llvm-mca counts it as
  /// in flight forever from now on, because the event adds it to PressureTracker's map again.
  void onDispatchedFurther(uint64_t id) {
    for (Holder &holder : holders_)
      if (holder.id == id && holder.until <= now_)
        holder.until = std::numeric_limits<int64_t>::max();
  }
  /// `taken`: the units that the instruction took, with indices into the body's resources.
  void onIssued(const IssuedInstruction &issued, std::span<const TakenUnit> taken) {
    addResourceDependencies(issued);
    const auto addWait = [&](Dependency::Kind kind, const CriticalWait &wait, uint64_t reg, uint32_t delay) {
      if (!wait.cycles)
        return;
      // The earlier instance is usually in the same iteration, which saves the division.
      const uint64_t distance = issued.id - wait.id;
      const uint64_t from =
          distance <= issued.instructionIndex ? issued.instructionIndex - distance : wait.id % instructions_;
      graph_.add(kind, static_cast<uint32_t>(from), issued.instructionIndex, reg, wait.cycles + 2ull * delay);
    };
    addWait(Dependency::Kind::Register, issued.registerWait, issued.registerWait.reg, issued.delays.reg);
    addWait(Dependency::Kind::Memory, issued.memoryWait, 0, issued.delays.memory);
    for (const TakenUnit &unit : taken)
      holders_[unit.slot] = {issued.id, issued.instructionIndex, body_.resources[unit.use].cycles,
                             now_ + issued.executedIn};
    // Instructions that issue after the last one of the program no longer count.
    if (issued.last)
      graph_.resolve(iterations_);
  }
  /// `resourceMask`: the resources that were missing, if that is the reason.
  void onPressure(PressureReason reason, uint64_t resourceMask) {
    resourcesPressed_ |= reason == PressureReason::Resources;
    registersPressed_ |= reason == PressureReason::RegisterDependencies;
    memoryPressed_ |= reason == PressureReason::MemoryDependencies;
    pressedResources_ |= resourceMask;
  }
  void onStall() { counts_.stalled = true; }
  void onCyclesEnd(int64_t cycles) {
    const auto count = static_cast<uint64_t>(cycles);
    const bool dataPressed = registersPressed_ || memoryPressed_;
    counts_.cycles += count;
    counts_.pressureCycles += count * (resourcesPressed_ || dataPressed);
    counts_.resourceCycles += count * resourcesPressed_;
    counts_.registerDependencyCycles += count * registersPressed_;
    counts_.memoryDependencyCycles += count * memoryPressed_;
    counts_.dataDependencyCycles += count * dataPressed;
    countResources(pressedResources_, count);
    now_ += cycles;
    pressedResources_ = 0;
    resourcesPressed_ = registersPressed_ = memoryPressed_ = false;
  }
  Bottlenecks finish(llvm::MCInstPrinter &printer) {
    for (unsigned resource = 1; resource < resources_.size(); ++resource)
      if (cyclesByResource_[resource])
        counts_.resources.push_back({resources_.describe(resource).Name, cyclesByResource_[resource]});
    if (!counts_.pressureCycles)
      return std::move(counts_);
    for (const CriticalGraph::Edge &edge : graph_.criticalSequence()) {
      Dependency &dependency =
          counts_.criticalSequence.emplace_back(Dependency{.kind = edge.kind,
                                                           .from = edge.from % instructions_,
                                                           .to = edge.to % instructions_,
                                                           .fromNode = edge.from,
                                                           .toNode = edge.to,
                                                           .resourceOrRegister = edge.resourceOrRegister,
                                                           .cost = edge.cost,
                                                           .frequency = edge.frequency});
      if (edge.kind == Dependency::Kind::Resource) {
        dependency.name = resources_.describe(resources_.resourceOf(edge.resourceOrRegister)).Name;
      } else if (edge.kind == Dependency::Kind::Register) {
        llvm::raw_string_ostream name(dependency.name);
        printer.printRegName(name, static_cast<unsigned>(edge.resourceOrRegister));
      }
    }
    return std::move(counts_);
  }

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
  /// Adds a dependency on each instruction in flight that holds a unit of a resource that the issued one waited for.
  void addResourceDependencies(const IssuedInstruction &issued) {
    forEachBit(issued.criticalResources, [&](unsigned index) {
      const uint64_t resource = bitOf(index);
      for (const uint32_t slot : slotsOf_[resources_.resourceOf(resource)])
        if (const Holder &holder = holders_[slot]; holder.cycles && holder.until > now_)
          graph_.add(Dependency::Kind::Resource, holder.instructionIndex, issued.instructionIndex, resource,
                     holder.cycles + 2ull * issued.delays.resource);
    });
  }
  /// Adds the cycles to each resource in the mask, and for a group to each of its members instead.
  void countResources(uint64_t mask, uint64_t cycles) {
    const auto add = [&](unsigned index) { cyclesByResource_[resources_.resourceOf(bitOf(index))] += cycles; };
    forEachBit(mask, [&](unsigned index) {
      const uint64_t members = resources_.maskOf(resources_.resourceOf(bitOf(index))) ^ bitOf(index);
      if (members)
        forEachBit(members, add);
      else
        add(index);
    });
  }

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
