#include "tests/differential/reference/bottleneck_observer.h"

#include "llvm/MC/MCInstPrinter.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <deque>

namespace mca::reference {

using llvm::mca::HWInstructionEvent;
using llvm::mca::HWPressureEvent;

namespace {

std::vector<uint64_t> bitsOf(uint64_t mask) {
  std::vector<uint64_t> bits;
  for (unsigned i = 0; i < 64; ++i)
    if (mask >> i & 1)
      bits.push_back(uint64_t(1) << i);
  return bits;
}

} // namespace

void DependencyGraph::add(const DependencyEdge &edge) {
  const uint32_t n = instructions_;
  DependencyEdge placed = edge;
  placed.to += n;
  if (edge.from >= edge.to)
    addBetweenNodes(placed);
  placed.from += n;
  if (edge.from >= edge.to)
    placed.to += n;
  addBetweenNodes(placed);
}

void DependencyGraph::addBetweenNodes(const DependencyEdge &edge) {
  for (DependencyEdge &known : nodes_[edge.from].edges)
    if (known.to == edge.to && known.resourceOrRegister == edge.resourceOrRegister) {
      known.cost += edge.cost;
      ++known.frequency;
      return;
    }
  nodes_[edge.from].edges.push_back(edge);
  ++nodes_[edge.to].incoming;
}

std::vector<DependencyEdge> DependencyGraph::edges() const {
  std::vector<DependencyEdge> all;
  for (const Node &node : nodes_)
    all.insert(all.end(), node.edges.begin(), node.edges.end());
  return all;
}

/// An edge that goes is replaced by the last one, which stays without being looked at: llvm-mca does so.
void DependencyGraph::dropRareEdges(uint32_t iterations) {
  for (Node &node : nodes_) {
    size_t end = node.edges.size();
    for (size_t i = 0; i < end; ++i) {
      const DependencyEdge edge = node.edges[i];
      const bool often = edge.frequency == iterations || double(edge.frequency) / iterations > 0.10;
      if (often)
        continue;
      --nodes_[edge.to].incoming;
      --end;
      node.edges[i] = node.edges[end];
    }
    node.edges.resize(end);
  }
}

/// In topological order, breadth first; what is on a cycle is never reached.
void DependencyGraph::computeCosts() {
  std::deque<Node *> queue;
  for (Node &node : nodes_)
    if (!node.incoming && !node.edges.empty())
      queue.push_back(&node);
  for (; !queue.empty(); queue.pop_front()) {
    const Node &from = *queue.front();
    for (const DependencyEdge &edge : from.edges) {
      Node &to = nodes_[edge.to];
      if (from.cost + edge.cost > to.cost) {
        to.cost = from.cost + edge.cost;
        to.depth = from.depth + 1;
        to.best = edge;
      }
      if (++to.visited == to.incoming)
        queue.push_back(&to);
    }
  }
}

std::vector<DependencyEdge> DependencyGraph::mostExpensivePath(uint32_t iterations) {
  dropRareEdges(iterations);
  computeCosts();
  const Node *node = &nodes_.front();
  for (const Node &other : nodes_)
    if (other.cost > node->cost)
      node = &other;
  std::vector<DependencyEdge> path;
  for (uint32_t left = node->depth; left; --left) {
    path.push_back(node->best);
    node = &nodes_[node->best.from];
  }
  std::reverse(path.begin(), path.end());
  return path;
}

BottleneckObserver::BottleneckObserver(const Setting &setting)
    : setting_(setting), masks_(setting.model), cyclesByResource_(setting.model.getNumProcResourceKinds(), 0),
      graph_(setting.instructions) {}

void BottleneckObserver::onEvent(const HWInstructionEvent &event) {
  const uint64_t id = event.IR.getSourceIndex();
  if (event.Type == HWInstructionEvent::Dispatched)
    inFlight_.try_emplace(id);
  else if (event.Type == HWInstructionEvent::Executed)
    inFlight_.erase(id);
  else if (event.Type == HWInstructionEvent::Issued)
    onIssued(static_cast<const llvm::mca::HWInstructionIssuedEvent &>(event));
}

void BottleneckObserver::onIssued(const llvm::mca::HWInstructionIssuedEvent &event) {
  const uint64_t id = event.IR.getSourceIndex();
  const auto to = static_cast<uint32_t>(id % setting_.instructions);
  const llvm::mca::Instruction &instruction = *event.IR.getInstruction();
  const Delays &delays = inFlight_[id];
  addResourceDependencies(event.IR);
  addDependency(Dependency::Kind::Register, instruction.getCriticalRegDep(), to, delays.reg);
  addDependency(Dependency::Kind::Memory, instruction.getCriticalMemDep(), to, delays.memory);
  for (const auto &[unit, cycles] : event.UsedResources)
    if (unit.second)
      holders_[unit] = {id, cycles.getNumerator()};
  // llvm-mca looks at the graph when the very last instruction issues, whoever has not issued by then.
  if (id + 1 != uint64_t(setting_.instructions) * setting_.options.iterations)
    return;
  if (setting_.dependencies)
    *setting_.dependencies = graph_.edges();
  path_ = graph_.mostExpensivePath(setting_.options.iterations);
}

void BottleneckObserver::addResourceDependencies(const llvm::mca::InstRef &ref) {
  const uint64_t id = ref.getSourceIndex();
  const uint32_t n = setting_.instructions;
  const uint32_t delay = inFlight_[id].resource;
  for (const uint64_t bit : bitsOf(ref.getInstruction()->getCriticalResourceMask())) {
    const unsigned resource = masks_.resourceOf(bit);
    for (const auto &[unit, holder] : holders_)
      if (unit.first == resource && holder.cycles && inFlight_.contains(holder.id))
        graph_.add({.kind = Dependency::Kind::Resource,
                    .resourceOrRegister = bit,
                    .cost = holder.cycles + 2ull * delay,
                    .from = static_cast<uint32_t>(holder.id % n),
                    .to = static_cast<uint32_t>(id % n)});
  }
}

void BottleneckObserver::addDependency(Dependency::Kind kind, const llvm::mca::CriticalDependency &on, uint32_t to,
                                       uint32_t delay) {
  if (on.Cycles)
    graph_.add({.kind = kind,
                .resourceOrRegister = kind == Dependency::Kind::Register ? unsigned(on.RegID) : 0,
                .cost = on.Cycles + 2ull * delay,
                .from = on.IID % setting_.instructions,
                .to = to});
}

void BottleneckObserver::onEvent(const HWPressureEvent &event) {
  if (event.Reason == HWPressureEvent::RESOURCES)
    countPressure(event.ResourceMask);
  for (const llvm::mca::InstRef &ref : event.AffectedInstructions) {
    Delays &delays = inFlight_[ref.getSourceIndex()];
    // llvm-mca looks at the 32 lowest bits only.
    const auto waitsFor = static_cast<uint32_t>(ref.getInstruction()->getCriticalResourceMask() & event.ResourceMask);
    delays.resource += event.Reason == HWPressureEvent::RESOURCES && waitsFor;
    delays.reg += event.Reason == HWPressureEvent::REGISTER_DEPS;
    delays.memory += event.Reason == HWPressureEvent::MEMORY_DEPS;
  }
  resources_ |= event.Reason == HWPressureEvent::RESOURCES;
  registers_ |= event.Reason == HWPressureEvent::REGISTER_DEPS;
  memory_ |= event.Reason == HWPressureEvent::MEMORY_DEPS;
}

/// The pressure on a group is one on each of its members.
void BottleneckObserver::countPressure(uint64_t resourceMask) {
  for (const uint64_t bit : bitsOf(resourceMask)) {
    const uint64_t members = masks_.of(masks_.resourceOf(bit)) & ~bit;
    for (const uint64_t pressed : bitsOf(members ? members : bit))
      ++cyclesByResource_[masks_.resourceOf(pressed)];
  }
}

void BottleneckObserver::onCycleEnd() {
  ++counts_.cycles;
  if (resources_)
    ++counts_.resourceCycles;
  if (registers_)
    ++counts_.registerDependencyCycles;
  if (memory_)
    ++counts_.memoryDependencyCycles;
  if (registers_ || memory_)
    ++counts_.dataDependencyCycles;
  if (resources_ || registers_ || memory_)
    ++counts_.pressureCycles;
  resources_ = registers_ = memory_ = false;
}

void BottleneckObserver::finish(Report &report) {
  report.bottlenecks = counts_;
  for (unsigned resource = 1; resource < cyclesByResource_.size(); ++resource)
    if (cyclesByResource_[resource])
      report.bottlenecks->resources.push_back(
          {setting_.model.getProcResource(resource)->Name, cyclesByResource_[resource]});
  if (!counts_.pressureCycles)
    return;
  for (const DependencyEdge &edge : path_) {
    Dependency dependency{.kind = edge.kind,
                          .from = edge.from % setting_.instructions,
                          .to = edge.to % setting_.instructions,
                          .fromNode = edge.from,
                          .toNode = edge.to,
                          .resourceOrRegister = edge.resourceOrRegister,
                          .cost = edge.cost,
                          .frequency = edge.frequency};
    llvm::raw_string_ostream name(dependency.name);
    if (edge.kind == Dependency::Kind::Register)
      setting_.printer.printRegName(name, static_cast<unsigned>(edge.resourceOrRegister));
    else if (edge.kind == Dependency::Kind::Resource)
      name << setting_.model.getProcResource(masks_.resourceOf(edge.resourceOrRegister))->Name;
    report.bottlenecks->criticalSequence.push_back(std::move(dependency));
  }
}

} // namespace mca::reference
