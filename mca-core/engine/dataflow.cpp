#include "mca-core/engine/dataflow.h"

#include "mca-core/engine/register_state.h"

#include <algorithm>

namespace mca {
namespace {

/// An instance that another one has to wait for.
struct Producer {
  uint64_t id = WriteRef::kNobody;
  int64_t ready = 0; ///< cycle in which its value is there for the one that waits
};

/// Runs iterations of the body through renaming alone.
class Dataflow {
public:
  explicit Dataflow(const Body &body) : body_(body) { registers_.reset(body); }

  void runIteration() {
    for (const BodyInstruction &instruction : body_.instructions)
      run(instruction);
  }
  int64_t latest() const { return latest_; }

  /// The instances that the latest one waited for, back to the first iteration.
  std::vector<uint64_t> chainOfLatest() const {
    std::vector<uint64_t> chain;
    for (uint64_t id = latestId_; id != WriteRef::kNobody; id = waitedFor_[id])
      chain.push_back(id);
    return chain;
  }

private:
  void run(const BodyInstruction &instruction) {
    const uint64_t id = starts_.size();
    Producer last;
    registers_.startCycle(); // any number of moves may be eliminated
    const bool eliminated = instruction.optimizableMove && registers_.eliminate(instruction);
    if (!eliminated)
      for (const BodyRead &read : body_.readsOf(instruction))
        waitForRead(read, last);
    registers_.define(instruction, id, eliminated, [&](uint32_t number, const WriteRef &merged) {
      // A partial write is complete one cycle after what it is merged into, at the earliest.
      offer(merged, body_.writes[instruction.writes.first + number].latency - 1, last);
    });
    starts_.push_back(last.ready);
    waitedFor_.push_back(last.id);
    if (last.ready + instruction.latency >= latest_) {
      latest_ = last.ready + instruction.latency;
      latestId_ = id;
    }
  }

  void waitForRead(const BodyRead &read, Producer &last) {
    if (read.independent)
      return;
    registers_.forEachWriter(read, [&](const WriteRef &writer) {
      offer(writer, body_.advances[read.advances + body_.writes[writer.write].kind], last);
    });
  }

  void offer(const WriteRef &writer, int64_t advance, Producer &last) {
    const int64_t ready = starts_[writer.id] + std::max<int64_t>(0, body_.writes[writer.write].latency - advance);
    if (last.id == WriteRef::kNobody || ready > last.ready)
      last = {writer.id, std::max<int64_t>(0, ready)};
  }

  const Body &body_;
  RegisterState registers_;
  std::vector<int64_t> starts_;     // by instance
  std::vector<uint64_t> waitedFor_; // by instance
  int64_t latest_ = 0;
  uint64_t latestId_ = WriteRef::kNobody;
};

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
  const size_t count = body.instructions.size();
  const std::vector<uint64_t> instances = dataflow.chainOfLatest();
  for (size_t i = 0; i < instances.size(); ++i)
    // The end of the chain need not be carried on, and its beginning is not in step yet.
    if (instances[i] / count >= kSettled && instances[i] / count + 1 < kIterations)
      limit.chain.push_back(static_cast<uint32_t>(instances[i] % count));
  std::sort(limit.chain.begin(), limit.chain.end());
  limit.chain.erase(std::unique(limit.chain.begin(), limit.chain.end()), limit.chain.end());
  return limit;
}

} // namespace mca
