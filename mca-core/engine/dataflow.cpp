#include "mca-core/engine/dataflow.h"

#include "mca-core/engine/register_state.h"

#include <algorithm>

namespace mca {
namespace {

/// What an instance has to wait for.
struct Need {
  uint32_t distance = 0; ///< the instance that is so many before it; 0: nothing
  uint32_t write = 0;    ///< into Body::writes
};

/// Runs iterations of the body through renaming alone, or through what that has found.
class Dataflow {
public:
  /// `iterations`: how many there will be at most.
  Dataflow(const Body &body, size_t iterations)
      : body_(body), starts_(iterations * body.instructions.size()), waitedFor_(starts_.size()) {
    if (body.renamed.empty())
      registers_.reset(body);
  }

  void runIteration() {
    if (!body_.renamed.empty())
      return follow();
    for (const BodyInstruction &instruction : body_.instructions)
      rename(instruction);
  }
  int64_t latest() const { return latest_; }

  /// The instances that the latest one waited for, back to the first iteration.
  std::vector<uint64_t> chainOfLatest() const {
    std::vector<uint64_t> chain;
    if (!id_)
      return chain;
    chain.push_back(latestId_);
    while (const uint32_t distance = waitedFor_[chain.back()].distance)
      chain.push_back(chain.back() - distance);
    return chain;
  }
  /// From the one that the instance waited for to the instance.
  DataLink linkTo(uint64_t id) const {
    const Need &need = waitedFor_[id];
    return link(id, need, starts_[id] - starts_[id - need.distance]);
  }
  /// What the instances of the next iteration read.
  std::vector<DataLink> linksOfNextIteration() {
    std::vector<DataLink> links;
    links_ = &links;
    for (const BodyInstruction &instruction : body_.instructions)
      if (body_.renamed.empty())
        rename(instruction);
      else
        listNeeds(instruction);
    links_ = nullptr;
    return links;
  }

private:
  DataLink link(uint64_t to, const Need &need, int64_t cycles) const {
    const uint64_t count = body_.instructions.size(), from = to - need.distance;
    return {.from = static_cast<uint32_t>(from % count),
            .to = static_cast<uint32_t>(to % count),
            .iterations = static_cast<uint32_t>(to / count - from / count),
            .cycles = static_cast<uint32_t>(cycles),
            .reg = body_.writes[need.write].reg,
            .name = {}};
  }

  /// An iteration where who waits for whom has been listed.
  void follow() {
    for (const BodyInstruction &instruction : body_.instructions) {
      int64_t ready = 0;
      const BodyDependency *last = nullptr;
      for (const BodyDependency &dependency : body_.dependenciesOf(nextRenamed()))
        if (dependency.distance <= id_) {
          const int64_t there = starts_[id_ - dependency.distance] + dependency.wait.delay;
          if (!last || there > ready) {
            last = &dependency;
            ready = there;
          }
        }
      finish(instruction, last ? Need{last->distance, last->wait.write} : Need(), ready);
    }
  }
  const RenamedInstruction &nextRenamed() {
    const RenamedInstruction &renamed = body_.renamed[next_];
    if (++next_ == body_.renamed.size())
      next_ = body_.renamedRepeatFrom;
    return renamed;
  }

  void listNeeds(const BodyInstruction &instruction) {
    for (const BodyDependency &dependency : body_.dependenciesOf(nextRenamed()))
      if (dependency.distance <= id_)
        links_->push_back(link(id_, {dependency.distance, dependency.wait.write}, dependency.wait.delay));
    finish(instruction, {}, 0);
  }

  void rename(const BodyInstruction &instruction) {
    need_ = {};
    ready_ = 0;
    registers_.startCycle(); // any number of moves may be eliminated
    const bool eliminated = instruction.optimizableMove && registers_.eliminate(instruction);
    if (!eliminated)
      for (const BodyRead &read : body_.readsOf(instruction))
        waitForRead(read);
    registers_.define(instruction, id_, eliminated, [&](uint32_t number, const WriteRef &merged) {
      // A partial write is complete one cycle after what it is merged into, at the earliest.
      const int32_t latency = body_.writes[instruction.writes.first + number].latency;
      offer(merged, latency ? latency - 1 : 0);
    });
    finish(instruction, need_, ready_);
  }

  void finish(const BodyInstruction &instruction, Need need, int64_t start) {
    starts_[id_] = start;
    waitedFor_[id_] = need;
    if (start + instruction.latency >= latest_) {
      latest_ = start + instruction.latency;
      latestId_ = id_;
    }
    ++id_;
  }

  void waitForRead(const BodyRead &read) {
    if (read.independent)
      return;
    registers_.forEachWriter(read, [&](const WriteRef &writer) {
      offer(writer, body_.advances[read.advances + body_.writes[writer.write].kind]);
    });
  }

  void offer(const WriteRef &writer, int64_t advance) {
    const int64_t cycles = std::max<int64_t>(0, body_.writes[writer.write].latency - advance);
    const int64_t there = starts_[writer.id] + cycles;
    const Need need{static_cast<uint32_t>(id_ - writer.id), writer.write};
    if (links_)
      links_->push_back(link(id_, need, cycles));
    if (!need_.distance || there > ready_) {
      need_ = need;
      ready_ = there;
    }
  }

  const Body &body_;
  RegisterState registers_;                // where they are not listed
  size_t next_ = 0;                        // of what is listed
  uint64_t id_ = 0;                        // of the next instance
  std::vector<int64_t> starts_;            // by instance: the cycle in which it does
  std::vector<Need> waitedFor_;            // by instance: what came last
  std::vector<DataLink> *links_ = nullptr; // where to put what is read, if anywhere
  Need need_;                              // of the present instance, so far
  int64_t ready_ = 0;                      // the cycle in which that is there
  int64_t latest_ = 0;
  uint64_t latestId_ = 0;
};

/// The part of the latest one's chain between two instances of one instruction, nearest the end: what it repeats.
std::vector<DataLink> closedChain(const Dataflow &dataflow, size_t instructions) {
  const std::vector<uint64_t> instances = dataflow.chainOfLatest(); // the latest first
  std::vector<size_t> seenAt(instructions, instances.size());
  std::vector<DataLink> chain;
  for (size_t i = 0; i < instances.size(); ++i) {
    size_t &seen = seenAt[instances[i] % instructions];
    if (seen < i) {
      for (size_t link = i; link-- > seen;)
        chain.push_back(dataflow.linkTo(instances[link]));
      break;
    }
    seen = i;
  }
  const auto first = std::min_element(chain.begin(), chain.end(),
                                      [](const DataLink &a, const DataLink &b) { return a.from < b.from; });
  std::rotate(chain.begin(), first, chain.end());
  return chain;
}

} // namespace

DataflowLimit findDataflowLimit(const Body &body) {
  // A chain may go through several iterations before it closes: measured from the first third on, it has settled.
  constexpr uint32_t kIterations = 48, kSettled = 16;
  DataflowLimit limit;
  if (body.instructions.empty())
    return limit;
  Dataflow dataflow(body, kIterations);
  int64_t settled = 0;
  for (uint32_t i = 0; i < kIterations; ++i) {
    if (i == kSettled)
      settled = dataflow.latest();
    dataflow.runIteration();
  }
  limit.cyclesPerIteration = double(dataflow.latest() - settled) / (kIterations - kSettled);
  if (limit.cyclesPerIteration <= 0)
    return limit;
  limit.chain = closedChain(dataflow, body.instructions.size());
  return limit;
}

std::vector<DataLink> findDataLinks(const Body &body) {
  constexpr uint32_t kBefore = 4; // as many as model/dependencies.cpp tells apart
  Dataflow dataflow(body, kBefore + 1);
  for (uint32_t i = 0; i < kBefore; ++i)
    dataflow.runIteration();
  return dataflow.linksOfNextIteration();
}

} // namespace mca
