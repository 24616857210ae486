// Forms the components of a body, chooses how each is represented, and precomputes what every signature takes.
#include "mca-core/engine/resource_state.h"

#include "mca-core/engine/time_wheel.h"

namespace mca {

void ResourceState::reset(const Body &body, bool watched, uint32_t bufferScale) {
  body_ = &body;
  watched_ = watched;
  now_ = 0;
  ready_ = ~0ull;
  busy_ = 0;
  buffers_.reset(processor_, usedBuffers(), bufferScale);
  counted_.reset();
  Candidates candidates = findComponents();
  makeCounted(candidates);
  makeComponents(candidates);
  makeRequests(candidates);
}

/// The state bits of the buffers that the body's instructions wait in.
uint64_t ResourceState::usedBuffers() const {
  uint64_t used = 0;
  for (const BodyInstruction &instruction : body_->instructions)
    used |= instruction.buffers;
  return used;
}

/// Puts resources of one group into one component, and groups that share resources.
ResourceState::Candidates ResourceState::findComponents() {
  Candidates result;
  const auto add = [&result](uint64_t resources) {
    llvm::erase_if(result, [&](const Candidate &other) {
      const bool shares = other.resources & resources;
      resources |= shares ? other.resources : 0;
      return shares;
    });
    result.push_back({.resources = resources});
  };
  for (const Signature &signature : body_->signatures)
    for (const BodyResource &use : Body::slice(body_->resources, signature.resources))
      add(use.mask);
  std::sort(result.begin(), result.end(),
            [](const Candidate &a, const Candidate &b) { return a.resources < b.resources; });
  return result;
}

/// Returns the units in the order in which they are handed out, if they are interchangeable: the units of one resource,
/// or of one group of resources with a unit each. Otherwise returns none.
std::vector<uint32_t> ResourceState::interchangeableUnits(uint64_t resources) const {
  std::vector<uint32_t> slots;
  const uint64_t groups = resources & processor_.groups, members = resources ^ groups;
  if (resources & processor_.zeroBuffers) // their reservations name the resource
    return slots;
  if (!groups && std::has_single_bit(resources)) {
    const auto &resource = processor_.resources[static_cast<unsigned>(std::countr_zero(resources))];
    for (uint32_t unit = resource.slots - 1; unit-- > 0;)
      slots.push_back(resource.firstSlot + unit);
  } else if (std::has_single_bit(groups) && !(members & processor_.multiUnit)) {
    for (uint64_t bits = members; bits; bits ^= std::bit_floor(bits))
      slots.push_back(processor_.resources[63 - static_cast<unsigned>(std::countl_zero(bits))].firstSlot);
  }
  return slots;
}

/// Whether every use in the component takes one unit, any of them, and releases it soon.
bool ResourceState::isCounted(const Candidate &candidate, size_t units) const {
  if (watched_ || units == 0 || units > CountedUnits::kMaxUnits)
    return false;
  const bool group = candidate.resources & processor_.groups;
  for (const Signature &signature : body_->signatures)
    for (const BodyResource &use : Body::slice(body_->resources, signature.resources)) {
      if (!(use.mask & candidate.resources))
        continue;
      const bool anyUnit = use.cycles && use.units == 1 && !use.reserved && use.group == group;
      // Instructions that issue at once take units without checking.
      if (!anyUnit || signature.issuesAtOnce || use.cycles >= CountedUnits::kReleaseRing ||
          (units > 1 && use.cycles > 1))
        return false;
    }
  return true;
}

/// Whether a use can get different units or none, so that its units must be counted.
bool ResourceState::hasChoice(const Candidate &candidate) const {
  return std::any_of(body_->resources.begin(), body_->resources.end(),
                     [&](const BodyResource &use) { return (use.mask & candidate.resources) && !use.onlyUnit; });
}

/// Counts the components that allow it, as long as there are lanes.
void ResourceState::makeCounted(Candidates &candidates) {
  roundRobins_.clear();
  roundRobins_.reserve(candidates.size()); // pointers to the elements must stay valid
  for (Candidate &candidate : candidates) {
    std::vector<uint32_t> slots = interchangeableUnits(candidate.resources);
    if (!counted_.hasLane() || !isCounted(candidate, slots.size()))
      continue;
    candidate.unit = counted_.addLane(slots.size());
    if (!hasChoice(candidate))
      continue;
    candidate.roundRobin =
        &roundRobins_.emplace_back(RoundRobin{.units = static_cast<uint32_t>(slots.size()), .slots = std::move(slots)});
  }
}

/// Gives each other component its automaton, which may have served earlier bodies. All are dropped once they have grown
/// too large together.
void ResourceState::makeComponents(Candidates &candidates) {
  size_t known = 0;
  for (const auto &[component, automaton] : automata_)
    known += automaton.size();
  if (known > kMaxTransitions)
    automata_.clear();
  sinceCheck_ = 0;
  components_.clear();
  components_.reserve(candidates.size()); // pointers to the elements must stay valid
  for (Candidate &candidate : candidates) {
    if (candidate.unit)
      continue;
    ResourceAutomaton &automaton =
        automata_.try_emplace(candidate.resources, processor_, candidate.resources).first->second;
    candidate.component = &components_.emplace_back(Component{.automaton = &automaton,
                                                              .resources = candidate.resources,
                                                              .bit = 1ull << components_.size(),
                                                              .state = ResourceAutomaton::kStart});
  }
}

/// Precomputes what each signature needs and takes, and lays out the counters of all instructions.
void ResourceState::makeRequests(const Candidates &candidates) {
  uint64_t counted = 0;
  for (const Candidate &candidate : candidates)
    counted |= candidate.unit ? candidate.resources : 0;
  const size_t signatures = body_->signatures.size();
  needs_.assign(signatures, {});
  for (size_t i = 0; i < signatures; ++i)
    needs_[i] = {.units = body_->signatures[i].units & ~counted, .all = body_->signatures[i].plain && body_->monotone};
  requests_.clear();
  requests_.resize(signatures);
  for (size_t i = 0; i < signatures; ++i) {
    addCounted(body_->signatures[i], candidates, requests_[i]);
    addComponentUses(body_->signatures[i], candidates, requests_[i]);
    needs_[i].counted = requests_[i].used;
  }
  firstCount_.clear();
  uint32_t end = 0;
  for (const BodyInstruction &instruction : body_->instructions)
    firstCount_.push_back(std::exchange(end, end + requests_[instruction.signature].counts));
  counts_.assign(end, 0);
}

void ResourceState::addCounted(const Signature &signature, const Candidates &candidates, Request &request) {
  for (uint32_t i = 0; i < signature.resources.count; ++i) {
    const BodyResource &use = body_->resources[signature.resources.first + i];
    const auto candidate = std::find_if(candidates.begin(), candidates.end(),
                                        [&](const Candidate &other) { return other.resources & use.mask; });
    if (!candidate->unit)
      continue;
    request.used += candidate->unit;
    if (use.cycles == 1)
      request.oneCycleHolds += candidate->unit;
    else
      request.longHolds.push_back({.used = candidate->unit, .cycles = use.cycles});
    if (!candidate->roundRobin)
      continue;
    request.roundRobinUses.push_back({.of = candidate->roundRobin, .counts = request.counts, .use = i});
    request.counts += candidate->roundRobin->units;
  }
}

void ResourceState::addComponentUses(const Signature &signature, const Candidates &candidates, Request &request) {
  const auto uses = Body::slice(body_->resources, signature.resources);
  for (const Candidate &candidate : candidates) {
    if (candidate.unit)
      continue;
    ComponentUse componentUse{.component = candidate.component, .counts = request.counts};
    for (uint32_t i = 0; i < uses.size(); ++i)
      if (uses[i].mask & candidate.resources) {
        componentUse.uses.push_back(i);
        componentUse.hasChoice |= !uses[i].onlyUnit;
        componentUse.takesOne = uses[i].cycles && !uses[i].reserved;
      }
    if (componentUse.uses.empty())
      continue;
    componentUse.takesOne &= componentUse.hasChoice && componentUse.uses.size() == 1;
    componentUse.slots = static_cast<uint32_t>(candidate.component->automaton->rules().slots().size());
    componentUse.step = stepOf(signature, componentUse);
    if (componentUse.hasChoice)
      request.counts += static_cast<uint32_t>(componentUse.uses.size()) * componentUse.slots;
    request.componentUses.push_back(std::move(componentUse));
  }
}

uint32_t ResourceState::stepOf(const Signature &signature, const ComponentUse &componentUse) const {
  const Component &component = *componentUse.component;
  ResourceRequest request{.groups = signature.groups & component.resources, .overlapping = signature.overlappingGroups};
  for (const uint32_t use : componentUse.uses)
    request.uses.push_back(body_->resources[signature.resources.first + use]);
  return component.automaton->stepOf(request);
}

/// LLVM makes the checks of all components one after the other, and stops at the first check that misses something. So
/// only the components with the lowest failed check count.
uint64_t ResourceState::busyMask(uint32_t signature) {
  Missing all;
  for (const ComponentUse &componentUse : requests_[signature].componentUses) {
    const Component &component = *componentUse.component;
    const Missing missing = component.automaton->missing(component.state, componentUse.step);
    if (!missing.failedCheck || (all.failedCheck && missing.failedCheck > all.failedCheck))
      continue;
    const uint64_t others = all.failedCheck == missing.failedCheck ? all.mask : 0;
    all = {missing.failedCheck, others | missing.mask};
  }
  return all.mask;
}

int64_t ResourceState::nextRelease() const {
  int64_t next = counted_.nextRelease(now_);
  for (uint64_t bits = busy_; bits; bits &= bits - 1) {
    const Component &component = components_[static_cast<unsigned>(std::countr_zero(bits))];
    next = std::min<int64_t>(next, now_ + component.automaton->nextRelease(component.state));
  }
  return next;
}

std::vector<uint32_t> ResourceState::idleStates() const {
  std::vector<uint32_t> states;
  for (const Component &component : components_)
    states.push_back(component.state);
  return states;
}

void ResourceState::restoreIdle(const std::vector<uint32_t> &states) {
  for (size_t i = 0; i < states.size(); ++i)
    components_[i].state = states[i];
}

uint64_t ResourceState::fingerprint() const {
  uint64_t hash = buffers_.fingerprint() ^ counted_.fingerprint();
  for (const Component &component : components_) {
    hash = (hash ^ component.automaton->hash(component.state)) * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 29;
  }
  return hash;
}

/// Limits the memory of a run that keeps finding new states.
void ResourceState::keepSmall() {
  sinceCheck_ = 0;
  const auto isLarge = [](const Component &component) { return component.automaton->size() > kMaxTransitions; };
  if (std::none_of(components_.begin(), components_.end(), isLarge))
    return;
  for (Component &component : components_)
    component.state = component.automaton->clearBut(component.state);
  ++generation_;
}

void ResourceState::mark(std::vector<uint32_t> &mark) const {
  mark.assign(counts_.begin(), counts_.end());
  for (const RoundRobin &roundRobin : roundRobins_)
    mark.push_back(roundRobin.next);
}

void ResourceState::repeat(const std::vector<uint32_t> &mark, uint64_t times) {
  std::vector<uint32_t> steps; // by component: the units that a period advances the order by
  for (size_t i = 0; i < roundRobins_.size(); ++i)
    steps.push_back((roundRobins_[i].next + roundRobins_[i].units - mark[counts_.size() + i]) % roundRobins_[i].units);
  for (uint32_t instructionIndex = 0; instructionIndex < firstCount_.size(); ++instructionIndex) {
    const Request &request = requests_[body_->instructions[instructionIndex].signature];
    uint32_t *const counts = counts_.data() + firstCount_[instructionIndex];
    const uint32_t *const then = mark.data() + firstCount_[instructionIndex];
    for (const RoundRobinUse &use : request.roundRobinUses)
      repeatRoundRobin(use, steps[static_cast<size_t>(use.of - roundRobins_.data())], times, counts + use.counts,
                       then + use.counts);
    for (const ComponentUse &componentUse : request.componentUses)
      for (size_t i = componentUse.counts;
           componentUse.hasChoice && i != componentUse.counts + componentUse.uses.size() * componentUse.slots; ++i)
        counts[i] += (counts[i] - then[i]) * static_cast<uint32_t>(times);
  }
  for (size_t i = 0; i < roundRobins_.size(); ++i)
    roundRobins_[i].next = static_cast<uint32_t>((roundRobins_[i].next + times % roundRobins_[i].units * steps[i]) %
                                                 roundRobins_[i].units);
}

/// Repeats the counts of a period in which every period starts `steps` units later than the one before. After at most
/// as many periods as there are units, the starting unit repeats.
void ResourceState::repeatRoundRobin(const RoundRobinUse &use, uint32_t steps, uint64_t times, uint32_t *counts,
                                     const uint32_t *then) {
  const uint32_t units = use.of->units;
  std::array<uint32_t, CountedUnits::kMaxUnits> inPeriod{};
  for (uint32_t i = 0; i < units; ++i)
    inPeriod[i] = counts[i] - then[i];
  for (uint32_t round = 1; round <= units && round <= times; ++round) {
    const auto periods = static_cast<uint32_t>((times - round) / units + 1);
    for (uint32_t i = 0; i < units; ++i)
      counts[(i + uint64_t(round) * steps) % units] += inPeriod[i] * periods;
  }
}

} // namespace mca
