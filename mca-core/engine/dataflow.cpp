#include "mca-core/engine/dataflow.h"

#include "mca-core/engine/register_state.h"

#include <algorithm>

namespace mca {
namespace {

/// An instance that another one has to wait for.
struct Producer {
  uint64_t id = WriteRef::kNobody;
  int64_t ready = 0; ///< cycle in which its value is there for the one that waits
  uint16_t reg = 0;  ///< that it is waited for
};

/// Runs iterations of the body through renaming alone, or through what that has found.
class Dataflow {
public:
  explicit Dataflow(const Body &body) : body_(body) { registers_.reset(body); }

  void runIteration() {
    for (const BodyInstruction &instruction : body_.instructions)
      if (body_.renamed.empty())
        rename(instruction);
      else
        follow(instruction);
  }
  int64_t latest() const { return latest_; }

  /// The instances that the latest one waited for, back to the first iteration.
  std::vector<uint64_t> chainOfLatest() const {
    std::vector<uint64_t> chain;
    for (uint64_t id = latestId_; id != WriteRef::kNobody; id = waitedFor_[id].id)
      chain.push_back(id);
    return chain;
  }
  /// From the one that the instance waited for to the instance.
  DataLink linkTo(uint64_t id) const {
    const Producer &producer = waitedFor_[id];
    return link(producer.id, id, starts_[id] - starts_[producer.id], producer.reg);
  }
  /// What the instances of the next iteration read.
  std::vector<DataLink> linksOfNextIteration() {
    std::vector<DataLink> links;
    links_ = &links;
    runIteration();
    links_ = nullptr;
    return links;
  }

private:
  DataLink link(uint64_t from, uint64_t to, int64_t cycles, uint16_t reg) const {
    const uint64_t count = body_.instructions.size();
    return {.from = static_cast<uint32_t>(from % count),
            .to = static_cast<uint32_t>(to % count),
            .iterations = static_cast<uint32_t>(to / count - from / count),
            .cycles = static_cast<uint32_t>(cycles),
            .reg = reg,
            .name = {}};
  }

  /// Where who waits for whom has been listed.
  void follow(const BodyInstruction &instruction) {
    const RenamedInstruction &renamed = body_.renamed[next_];
    if (++next_ == body_.renamed.size())
      next_ = body_.renamedRepeatFrom;
    Producer last;
    for (const BodyDependency &dependency : body_.dependenciesOf(renamed))
      if (dependency.distance <= starts_.size())
        offer({starts_.size() - dependency.distance, dependency.wait.write}, dependency.wait.delay, last);
    finish(instruction, last);
  }

  void rename(const BodyInstruction &instruction) {
    const uint64_t id = starts_.size();
    Producer last;
    registers_.startCycle(); // any number of moves may be eliminated
    const bool eliminated = instruction.optimizableMove && registers_.eliminate(instruction);
    if (!eliminated)
      for (const BodyRead &read : body_.readsOf(instruction))
        waitForRead(read, last);
    registers_.define(instruction, id, eliminated, [&](uint32_t number, const WriteRef &merged) {
      // A partial write is complete one cycle after what it is merged into, at the earliest.
      const int32_t latency = body_.writes[instruction.writes.first + number].latency;
      offerValue(merged, latency ? latency - 1 : 0, last);
    });
    finish(instruction, last);
  }

  void finish(const BodyInstruction &instruction, const Producer &last) {
    const uint64_t id = starts_.size();
    starts_.push_back(last.ready);
    waitedFor_.push_back(last);
    if (last.ready + instruction.latency >= latest_) {
      latest_ = last.ready + instruction.latency;
      latestId_ = id;
    }
  }

  void waitForRead(const BodyRead &read, Producer &last) {
    if (read.independent)
      return;
    registers_.forEachWriter(read, [&](const WriteRef &writer) {
      offerValue(writer, body_.advances[read.advances + body_.writes[writer.write].kind], last);
    });
  }

  void offerValue(const WriteRef &writer, int64_t advance, Producer &last) {
    offer(writer, std::max<int64_t>(0, body_.writes[writer.write].latency - advance), last);
  }

  void offer(const WriteRef &writer, int64_t cycles, Producer &last) {
    const BodyWrite &write = body_.writes[writer.write];
    const int64_t ready = starts_[writer.id] + cycles;
    if (links_)
      links_->push_back(link(writer.id, starts_.size(), cycles, write.reg));
    if (last.id == WriteRef::kNobody || ready > last.ready)
      last = {writer.id, std::max<int64_t>(0, ready), write.reg};
  }

  const Body &body_;
  RegisterState registers_;                // where they are not listed
  size_t next_ = 0;                        // of what is listed
  std::vector<int64_t> starts_;            // by instance
  std::vector<Producer> waitedFor_;        // by instance
  std::vector<DataLink> *links_ = nullptr; // where to put what is read, if anywhere
  int64_t latest_ = 0;
  uint64_t latestId_ = WriteRef::kNobody;
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
  Dataflow dataflow(body);
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
  Dataflow dataflow(body);
  for (uint32_t i = 0; i < kBefore; ++i)
    dataflow.runIteration();
  return dataflow.linksOfNextIteration();
}

} // namespace mca
