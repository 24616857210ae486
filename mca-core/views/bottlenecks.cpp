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

PressureTracker::PressureTracker(const ResourceTable &resources)
    : resources_(resources), firstUnit_(resources.size(), 0), cyclesByResource_(resources.size(), 0) {
  uint32_t units = 0;
  for (unsigned resource = 1; resource < resources.size(); ++resource) {
    firstUnit_[resource] = units;
    units += resources.describe(resource).NumUnits;
  }
  holders_.resize(units);
}

void PressureTracker::onIssued(uint64_t id, std::span<const UsedUnit> used) {
  for (const UsedUnit &use : used)
    if (use.unitMask)
      holders_[firstUnit_[use.resource] + use.unit()] = {id, use.cycles};
}

void PressureTracker::onPressure(PressureReason reason, std::span<const DelayedInstruction> delayed,
                                 uint64_t resourceMask) {
  switch (reason) {
  case PressureReason::Resources:
    countResources(resourceMask);
    // llvm-mca looks at the lowest 32 resources only.
    for (const DelayedInstruction &instruction : delayed)
      if (static_cast<uint32_t>(instruction.criticalResources & resourceMask))
        ++delays_[instruction.id].resource;
    break;
  case PressureReason::RegisterDependencies:
    for (const DelayedInstruction &instruction : delayed)
      ++delays_[instruction.id].reg;
    break;
  case PressureReason::MemoryDependencies:
    for (const DelayedInstruction &instruction : delayed)
      ++delays_[instruction.id].memory;
    break;
  }
}

/// A resource counts for itself, a group for each of its members.
void PressureTracker::countResources(uint64_t mask) {
  forEachBit(mask, [this](uint64_t bit) {
    const uint64_t whole = resources_.maskOf(resources_.resourceOf(bit));
    if (whole == bit)
      ++cyclesByResource_[resources_.resourceOf(bit)];
    else
      forEachBit(whole ^ bit, [this](uint64_t member) { ++cyclesByResource_[resources_.resourceOf(member)]; });
  });
}

void PressureTracker::addHolders(uint64_t resourceMask, std::vector<Holder> &holders) const {
  const unsigned resource = resources_.resourceOf(resourceMask);
  for (unsigned unit = 0; unit < resources_.describe(resource).NumUnits; ++unit) {
    const Holder &holder = holders_[firstUnit_[resource] + unit];
    if (holder.cycles && delays_.contains(holder.id))
      holders.push_back(holder);
  }
}

void CriticalGraph::add(Dependency::Kind kind, uint32_t from, uint32_t to, uint64_t what, uint64_t cost) {
  const uint32_t n = instructions_;
  if (from >= to) { // loop-carried: into the next iteration, twice
    addEdge({kind, what, cost, from, to + n});
    addEdge({kind, what, cost, from + n, to + 2 * n});
  } else {
    addEdge({kind, what, cost, from + n, to + n});
  }
}

void CriticalGraph::addEdge(const Edge &edge) {
  std::vector<Edge> &edges = nodes_[edge.from].edges;
  const auto known =
      std::find_if(edges.begin(), edges.end(), [&](const Edge &e) { return e.to == edge.to && e.what == edge.what; });
  if (known != edges.end()) {
    known->cost += edge.cost;
    ++known->frequency;
    return;
  }
  edges.push_back(edge);
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

BottleneckCollector::BottleneckCollector(const ResourceTable &resources, uint32_t instructions, uint32_t iterations)
    : resources_(resources), instructions_(instructions), iterations_(iterations), tracker_(resources),
      graph_(instructions) {}

void BottleneckCollector::onIssued(const IssuedInstruction &issued, std::span<const UsedUnit> used) {
  const auto to = static_cast<uint32_t>(issued.id % instructions_);
  const PressureTracker::Delays delays = tracker_.delaysOf(issued.id);

  forEachBit(issued.criticalResources, [&](uint64_t resource) {
    holders_.clear();
    tracker_.addHolders(resource, holders_);
    for (const PressureTracker::Holder &holder : holders_)
      graph_.add(Dependency::Kind::Resource, holder.id % instructions_, to, resource,
                 holder.cycles + 2ull * delays.resource);
  });
  if (issued.registerWait.cycles)
    graph_.add(Dependency::Kind::Register, issued.registerWait.id % instructions_, to, issued.registerWait.reg,
               issued.registerWait.cycles + 2ull * delays.reg);
  if (issued.memoryWait.cycles)
    graph_.add(Dependency::Kind::Memory, issued.memoryWait.id % instructions_, to, 0,
               issued.memoryWait.cycles + 2ull * delays.memory);
  tracker_.onIssued(issued.id, used);
  // Instructions that issue after the last one of the region do not count any more.
  if (issued.id == uint64_t(iterations_) * instructions_ - 1)
    graph_.resolve(iterations_);
}

void BottleneckCollector::onPressure(PressureReason reason, std::span<const DelayedInstruction> delayed,
                                     uint64_t resourceMask) {
  tracker_.onPressure(reason, delayed, resourceMask);
  resourcesPressed_ |= reason == PressureReason::Resources;
  registersPressed_ |= reason == PressureReason::RegisterDependencies;
  memoryPressed_ |= reason == PressureReason::MemoryDependencies;
}

void BottleneckCollector::onCycleEnd() {
  ++counts_.cycles;
  counts_.pressureCycles += resourcesPressed_ || registersPressed_ || memoryPressed_;
  counts_.resourceCycles += resourcesPressed_;
  counts_.registerDependencyCycles += registersPressed_;
  counts_.memoryDependencyCycles += memoryPressed_;
  counts_.dataDependencyCycles += registersPressed_ || memoryPressed_;
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
