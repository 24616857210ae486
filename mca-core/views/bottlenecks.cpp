#include "mca-core/views/bottlenecks.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace mca {
namespace {

/// Calls `visit` with each bit of `mask`, lowest first.
template <typename Visit>
void forEachBit(uint64_t mask, Visit visit) {
  for (; mask; mask &= mask - 1)
    visit(mask & -mask);
}

} // namespace

PressureTracker::PressureTracker(const ResourceTable &resources, const std::vector<ResourceState::Slot> &slots)
    : resources_(resources), slotsOf_(resources.size()), holders_(slots.size()),
      cyclesByResource_(resources.size(), 0) {
  for (uint32_t slot = 0; slot < slots.size(); ++slot)
    if (slots[slot].unitMask)
      slotsOf_[slots[slot].resource].push_back(slot);
}

void PressureTracker::onIssued(const IssuedInstruction &issued, std::span<const BodyResource> uses,
                               std::span<const TakenUnit> taken, int64_t now) {
  for (const TakenUnit &unit : taken)
    holders_[unit.slot] = {issued.id, uses[unit.use].cycles, now + issued.executedIn};
}

void PressureTracker::countResources(uint64_t mask, uint64_t cycles) {
  forEachBit(mask, [&](uint64_t bit) {
    const uint64_t whole = resources_.maskOf(resources_.resourceOf(bit));
    if (whole == bit)
      cyclesByResource_[resources_.resourceOf(bit)] += cycles;
    else
      forEachBit(whole ^ bit, [&](uint64_t member) { cyclesByResource_[resources_.resourceOf(member)] += cycles; });
  });
}

void CriticalGraph::add(Dependency::Kind kind, uint32_t from, uint32_t to, uint64_t what, uint64_t cost) {
  if (resolved_)
    return;
  const uint32_t n = instructions_;
  if (from >= to) { // loop-carried: into the next iteration, twice
    addEdge({kind, what, cost, from, to + n});
    addEdge({kind, what, cost, from + n, to + 2 * n});
  } else {
    addEdge({kind, what, cost, from + n, to + n});
  }
}

void CriticalGraph::addEdge(const Edge &edge) {
  Node &node = nodes_[edge.from];
  for (size_t i = 0; i < node.edges.size(); ++i)
    if (node.edges[i].to == edge.to && node.edges[i].what == edge.what) {
      costs_[node.numbers[i]] += edge.cost;
      ++frequencies_[node.numbers[i]];
      return;
    }
  node.edges.push_back(edge);
  node.numbers.push_back(static_cast<uint32_t>(costs_.size()));
  costs_.push_back(edge.cost);
  frequencies_.push_back(1);
  ++nodes_[edge.to].predecessors;
}

/// The last edge takes the place of one that is removed, and is kept without a look at its own frequency: llvm-mca's
/// results depend on it.
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

/// Visits the nodes so that each comes after all of its predecessors; a node's cost is that of the most expensive path
/// to it. Nodes on a cycle are never reached and keep the cost they have.
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
  for (Node &node : nodes_)
    for (size_t i = 0; i < node.edges.size(); ++i) {
      node.edges[i].cost = costs_[node.numbers[i]];
      node.edges[i].frequency = frequencies_[node.numbers[i]];
    }
  prune(iterations);
  propagate();
}

std::vector<CriticalGraph::Edge> CriticalGraph::criticalSequence() const {
  const auto last =
      std::max_element(nodes_.begin(), nodes_.end(), [](const Node &a, const Node &b) { return a.cost < b.cost; });
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
      iterations_(iterations), tracker_(resources, slots), graph_(instructions_) {}

void BottleneckCollector::onIssued(const IssuedInstruction &issued, std::span<const TakenUnit> taken) {
  const auto positionOf = [this](uint64_t id) { return static_cast<uint32_t>(id % instructions_); };
  forEachBit(issued.criticalResources, [&](uint64_t resource) {
    tracker_.forEachHolder(resource, now_, [&](const PressureTracker::Holder &holder) {
      graph_.add(Dependency::Kind::Resource, positionOf(holder.id), issued.what, resource,
                 holder.cycles + 2ull * issued.delays.resource);
    });
  });
  if (issued.registerWait.cycles)
    graph_.add(Dependency::Kind::Register, positionOf(issued.registerWait.id), issued.what, issued.registerWait.reg,
               issued.registerWait.cycles + 2ull * issued.delays.reg);
  if (issued.memoryWait.cycles)
    graph_.add(Dependency::Kind::Memory, positionOf(issued.memoryWait.id), issued.what, 0,
               issued.memoryWait.cycles + 2ull * issued.delays.memory);
  tracker_.onIssued(issued, body_.resources, taken, now_);
  // Instructions that issue after the last one of the region do not count any more.
  if (issued.last)
    graph_.resolve(iterations_);
}

void BottleneckCollector::onPressure(PressureReason reason, uint64_t resourceMask) {
  resourcesPressed_ |= reason == PressureReason::Resources;
  registersPressed_ |= reason == PressureReason::RegisterDependencies;
  memoryPressed_ |= reason == PressureReason::MemoryDependencies;
  pressedResources_ |= resourceMask;
}

void BottleneckCollector::onCyclesEnd(int64_t cycles) {
  const auto count = static_cast<uint64_t>(cycles);
  counts_.cycles += count;
  counts_.pressureCycles += count * (resourcesPressed_ || registersPressed_ || memoryPressed_);
  counts_.resourceCycles += count * resourcesPressed_;
  counts_.registerDependencyCycles += count * registersPressed_;
  counts_.memoryDependencyCycles += count * memoryPressed_;
  counts_.dataDependencyCycles += count * (registersPressed_ || memoryPressed_);
  tracker_.countResources(pressedResources_, count);
  now_ += cycles;
  pressedResources_ = 0;
  resourcesPressed_ = registersPressed_ = memoryPressed_ = false;
}

Bottlenecks BottleneckCollector::finish(llvm::MCInstPrinter &printer) {
  const std::vector<uint64_t> &byResource = tracker_.cyclesByResource();
  for (unsigned resource = 1; resource < byResource.size(); ++resource)
    if (byResource[resource])
      counts_.resources.push_back({resources_.describe(resource).Name, byResource[resource]});
  if (!counts_.pressureCycles)
    return std::move(counts_);
  for (const CriticalGraph::Edge &edge : graph_.criticalSequence()) {
    Dependency dependency{.kind = edge.kind,
                          .from = edge.from % instructions_,
                          .to = edge.to % instructions_,
                          .fromNode = edge.from,
                          .toNode = edge.to,
                          .what = edge.what,
                          .cost = edge.cost,
                          .frequency = edge.frequency};
    if (edge.kind == Dependency::Kind::Resource) {
      dependency.name = resources_.describe(resources_.resourceOf(edge.what)).Name;
    } else if (edge.kind == Dependency::Kind::Register) {
      llvm::raw_string_ostream name(dependency.name);
      printer.printRegName(name, static_cast<unsigned>(edge.what));
    }
    counts_.criticalSequence.push_back(std::move(dependency));
  }
  return std::move(counts_);
}

} // namespace mca
