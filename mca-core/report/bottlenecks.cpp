// Follows PressureTracker and DependencyGraph of llvm/tools/llvm-mca/Views/BottleneckAnalysis.cpp step by step, because
// details of their algorithms, such as the order of edges, decide the result.
#include "mca-core/report/bottlenecks.h"

#include "mca-core/engine/bits.h"
#include "mca-core/report/resource_pressure.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace mca {

void CriticalGraph::add(Dependency::Kind kind, uint32_t from, uint32_t to, uint64_t resourceOrRegister, uint64_t cost) {
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

/// Adds the edges of each dependency. It connects the second copy of the region with itself; a loop-carried one also
/// leads from the first copy to the second, and from the second to the third.
void CriticalGraph::makeNodes() {
  const uint32_t n = instructions_;
  nodes_.resize(size_t(n) * 3);
  for (uint32_t from = 0; from < n; ++from)
    for (const Seen &seen : seenFrom_[from].all) {
      Edge edge{seen.kind, seen.resourceOrRegister, costs_[seen.number], from, seen.to + n, frequencies_[seen.number]};
      const bool carried = from >= seen.to;
      if (carried)
        addEdge(edge);
      edge.from += n;
      edge.to += carried ? n : 0;
      addEdge(edge);
    }
}

void CriticalGraph::addEdge(const Edge &edge) {
  nodes_[edge.from].edges.push_back(edge);
  ++nodes_[edge.to].predecessors;
}

/// Replaces a removed edge by the last one, which stays whatever its own frequency: llvm-mca's results depend on this
/// (DependencyGraph::pruneEdges).
void CriticalGraph::prune(uint32_t iterations) {
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
void CriticalGraph::propagate() {
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

void CriticalGraph::resolve(uint32_t iterations) {
  resolved_ = true;
  makeNodes();
  prune(iterations);
  propagate();
}

std::vector<CriticalGraph::Edge> CriticalGraph::criticalSequence() const {
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

BottleneckCollector::BottleneckCollector(const Body &body, const ResourceTable &resources,
                                         const std::vector<ResourceState::Slot> &slots, uint32_t iterations)
    : body_(body), resources_(resources), instructions_(static_cast<uint32_t>(body.instructions.size())),
      iterations_(iterations), slotsOf_(slotsByResource(resources, slots)), holders_(slots.size()),
      cyclesByResource_(resources.size(), 0), graph_(instructions_) {}

void BottleneckCollector::onIssued(const IssuedInstruction &issued, std::span<const TakenUnit> taken) {
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

/// Adds a dependency on each instruction in flight that holds a unit of a resource that the issued one waited for.
void BottleneckCollector::addResourceDependencies(const IssuedInstruction &issued) {
  forEachBit(issued.criticalResources, [&](unsigned index) {
    const uint64_t resource = bitOf(index);
    for (const uint32_t slot : slotsOf_[resources_.resourceOf(resource)])
      if (const Holder &holder = holders_[slot]; holder.cycles && holder.until > now_)
        graph_.add(Dependency::Kind::Resource, holder.instructionIndex, issued.instructionIndex, resource,
                   holder.cycles + 2ull * issued.delays.resource);
  });
}

void BottleneckCollector::onPressure(PressureReason reason, uint64_t resourceMask) {
  resourcesPressed_ |= reason == PressureReason::Resources;
  registersPressed_ |= reason == PressureReason::RegisterDependencies;
  memoryPressed_ |= reason == PressureReason::MemoryDependencies;
  pressedResources_ |= resourceMask;
}

void BottleneckCollector::onCyclesEnd(int64_t cycles) {
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

/// Adds the cycles to each resource in the mask, and for a group to each of its members instead.
void BottleneckCollector::countResources(uint64_t mask, uint64_t cycles) {
  const auto add = [&](unsigned index) { cyclesByResource_[resources_.resourceOf(bitOf(index))] += cycles; };
  forEachBit(mask, [&](unsigned index) {
    const uint64_t members = resources_.maskOf(resources_.resourceOf(bitOf(index))) ^ bitOf(index);
    if (members)
      forEachBit(members, add);
    else
      add(index);
  });
}

Bottlenecks BottleneckCollector::finish(llvm::MCInstPrinter &printer) {
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

} // namespace mca
