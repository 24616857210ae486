// Follows register renaming without a machine: every instance starts as soon as its operands are available, and what it
// loads has been stored.
#include "mca-core/engine/dataflow.h"

#include "mca-core/engine/dependencies.h"
#include "mca-core/engine/register_state.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace mca {
namespace {

/// The definition, or the store, that an instance waits for.
struct Need {
  static constexpr uint32_t kStore = ~0u;

  uint32_t distance = 0; ///< how many instances earlier; 0: it waits for none
  uint32_t write = 0;    ///< into Body::writes, or kStore
};

/// Runs iterations of the body with register dependencies only. It follows the precomputed dependencies if there are
/// any, and renames otherwise.
class Dataflow {
public:
  /// `iterations`: the maximum number of iterations.
  Dataflow(const Body &body, size_t iterations)
      : body_(body), storesBefore_(findStoresBefore(body)), starts_(iterations * body.instructions.size()),
        waitedFor_(starts_.size()) {
    if (body.renamed.empty())
      registers_.reset(body);
  }

  void runIteration() {
    for (const BodyInstruction &instruction : body_.instructions) {
      Need last;
      int64_t start = 0;
      const auto consider = [&](uint32_t distance, const OperandWait &wait) {
        const int64_t arrival = starts_[id_ - distance] + wait.delay;
        if (links_)
          links_->push_back(link(id_, {distance, wait.write}, wait.delay));
        if (!last.distance || arrival > start) {
          last = {distance, wait.write};
          start = arrival;
        }
      };
      if (body_.renamed.empty()) {
        registers_.startCycle(); // no limit of eliminated moves per cycle
        registers_.rename(instruction, id_, [&](const WriteRef &writer, const OperandWait &wait) {
          consider(static_cast<uint32_t>(id_ - writer.id), waitAfter(body_.writes[writer.write].latency, wait));
        });
      } else {
        for (const BodyDependency &dependency : body_.dependenciesOf(nextRenamed()))
          if (dependency.distance <= id_)
            consider(dependency.distance, dependency.wait);
      }
      for (const uint32_t distance : storesBefore_[id_ % body_.instructions.size()])
        if (distance <= id_)
          if (const int64_t arrival = starts_[id_ - distance] + latencyOf(id_ - distance);
              !last.distance || arrival > start) {
            last = {distance, Need::kStore};
            start = arrival;
          }
      finish(instruction, last, start);
    }
  }

  /// Returns the chain of instances that leads to the latest one, latest first.
  std::vector<uint64_t> chainOfLatest() const {
    std::vector<uint64_t> chain;
    if (!id_)
      return chain;
    chain.push_back(latestId_);
    while (const uint32_t distance = waitedFor_[chain.back()].distance)
      chain.push_back(chain.back() - distance);
    return chain;
  }
  /// Returns the link to the instance from the one that it waited for.
  DataLink linkTo(uint64_t id) const {
    const Need &need = waitedFor_[id];
    return link(id, need, starts_[id] - starts_[id - need.distance]);
  }
  /// Returns the links of the next iteration.
  std::vector<DataLink> linksOfNextIteration() {
    std::vector<DataLink> links;
    links_ = &links;
    runIteration();
    links_ = nullptr;
    return links;
  }

private:
  DataLink link(uint64_t to, const Need &need, int64_t cycles) const {
    const uint64_t count = body_.instructions.size(), from = to - need.distance;
    const bool isMemory = need.write == Need::kStore;
    return {.from = static_cast<uint32_t>(from % count),
            .to = static_cast<uint32_t>(to % count),
            .iterations = static_cast<uint32_t>(to / count - from / count),
            .cycles = static_cast<uint32_t>(cycles),
            .write = isMemory ? 0 : need.write,
            .isMemory = isMemory,
            .reg = isMemory ? uint16_t{0} : body_.writes[need.write].reg,
            .name = {}};
  }

  int64_t latencyOf(uint64_t id) const { return body_.instructions[id % body_.instructions.size()].latency; }

  const RenamedInstruction &nextRenamed() {
    const RenamedInstruction &renamed = body_.renamed[next_];
    if (++next_ == body_.renamed.size())
      next_ = body_.renamedRepeatFrom;
    return renamed;
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

  const Body &body_;
  const std::vector<std::vector<uint32_t>> storesBefore_;
  RegisterState registers_;                // only without precomputed dependencies
  size_t next_ = 0;                        // into Body::renamed
  uint64_t id_ = 0;                        // the next instance
  std::vector<int64_t> starts_;            // by instance: its first cycle
  std::vector<Need> waitedFor_;            // by instance: its last operand
  std::vector<DataLink> *links_ = nullptr; // if set, collects the links
  int64_t latest_ = 0;
  uint64_t latestId_ = 0;
};

/// Returns the slowest circle within the chain of the latest instance: a part that leads back to its first instruction.
/// Most of the chain repeats one circle, but its ends may differ.
std::vector<DataLink> slowestCircle(const Dataflow &dataflow, size_t instructions) {
  const std::vector<uint64_t> instances = dataflow.chainOfLatest(); // latest first
  constexpr size_t kNotOpen = ~size_t(0);
  std::vector<size_t> openAt(instructions, kNotOpen); // by instruction: its index in `open`
  std::vector<uint64_t> open;                         // instances of different instructions, latest first
  std::vector<DataLink> slowest;
  for (const uint64_t instance : instances) {
    const size_t instructionIndex = instance % instructions;
    if (const size_t first = openAt[instructionIndex]; first != kNotOpen) {
      std::vector<DataLink> circle;
      for (; open.size() > first; open.pop_back()) {
        circle.push_back(dataflow.linkTo(open.back()));
        openAt[open.back() % instructions] = kNotOpen;
      }
      if (cyclesPerIterationOf(circle) > cyclesPerIterationOf(slowest))
        slowest = std::move(circle);
    }
    openAt[instructionIndex] = open.size();
    open.push_back(instance);
  }
  const auto first = std::min_element(slowest.begin(), slowest.end(),
                                      [](const DataLink &a, const DataLink &b) { return a.from < b.from; });
  std::rotate(slowest.begin(), first, slowest.end());
  return slowest;
}

/// Counts each link from the arrival of the preceding link's value, instead of from the start of its instruction.
void countFromArrival(const Body &body, std::vector<DataLink> &circle) {
  // By link: the cycles after its start at which an instruction needs the link's value.
  std::vector<int64_t> early;
  for (const DataLink &link : circle)
    early.push_back(link.isMemory ? 0 : std::max<int64_t>(0, body.writes[link.write].latency - int64_t(link.cycles)));
  const auto taken = [&](size_t i) {
    return int64_t(circle[i].cycles) + early[i] - early[(i ? i : circle.size()) - 1];
  };
  // An instruction needs every operand before its own result is complete.
  for (bool changed = true; std::exchange(changed, false);)
    for (size_t i = circle.size(); i-- > 0;)
      if (const int64_t cycles = taken(i); cycles < 0) {
        early[(i ? i : circle.size()) - 1] += cycles;
        changed = true;
      }
  std::vector<uint32_t> cycles;
  for (size_t i = 0; i < circle.size(); ++i)
    cycles.push_back(static_cast<uint32_t>(taken(i)));
  for (size_t i = 0; i < circle.size(); ++i)
    circle[i].cycles = cycles[i];
}

/// A read of a copy after a later write to its source: LLVM's alias makes that write reach the reader through the move.
struct LateRead {
  uint32_t writer = 0, reader = 0; ///< instructions of the region
  LateCopy copy;
};

/// Follows renaming for a few iterations, and records the first move of each alias.
class LateReads {
public:
  explicit LateReads(const Body &body) : body_(body), movedAt_(body.cellCount) {
    if (body.moves.empty())
      return;
    registers_.reset(body);
    for (uint64_t id = 0; id < kDistinctIterations * body.instructions.size(); ++id)
      rename(id);
  }
  std::vector<LateRead> found;

private:
  const BodyInstruction &at(uint64_t id) const { return body_.instructions[id % body_.instructions.size()]; }

  void rename(uint64_t id) {
    const BodyInstruction &instruction = at(id);
    const auto moves = Body::slice(body_.moves, instruction.moves);
    std::vector<Moved> origins;
    for (const BodyMove &move : moves)
      origins.push_back(registers_.isAlias(move.sourceCell) ? movedAt_[move.sourceCell] : Moved{id, move.write});
    registers_.startCycle(); // no limit of eliminated moves per cycle
    const bool eliminated = registers_.eliminate(instruction);
    for (size_t i = 0; eliminated && i < moves.size(); ++i)
      for (const Cell cell : Body::slice(body_.cells, moves[i].targets))
        movedAt_[cell] = origins[i];
    for (const BodyRead &read : body_.readsOf(instruction))
      if (!eliminated && !read.independent && registers_.isAlias(read.self))
        recordReader(id, read);
    registers_.define(instruction, id, eliminated);
  }

  void recordReader(uint64_t id, const BodyRead &read) {
    const Moved &moved = movedAt_[read.self];
    const auto count = static_cast<uint32_t>(body_.instructions.size());
    registers_.forEachWriter(read, [&](const WriteRef &writer) {
      if (writer.id > moved.id)
        found.push_back({.writer = static_cast<uint32_t>(writer.id % count),
                         .reader = static_cast<uint32_t>(id % count),
                         .copy = {.move = static_cast<uint32_t>(moved.id % count),
                                  .write = writer.write,
                                  .reg = body_.writes[at(moved.id).writes.first + moved.write].reg}});
    });
  }

  struct Moved {
    uint64_t id = 0;
    uint32_t write = 0; ///< index of the definition in the instruction
  };
  const Body &body_;
  RegisterState registers_;
  std::vector<Moved> movedAt_; // by cell, for aliases
};

/// Returns the late copies in a chain, each once.
std::vector<LateCopy> lateCopiesOf(const Body &body, std::span<const DataLink> chain) {
  std::vector<LateCopy> copies;
  if (body.moves.empty() || chain.empty())
    return copies;
  const LateReads late(body);
  for (const DataLink &link : chain)
    for (const LateRead &read : late.found)
      if (!link.isMemory && read.writer == link.from && read.reader == link.to && read.copy.write == link.write &&
          std::none_of(copies.begin(), copies.end(),
                       [&](const LateCopy &known) { return known.move == read.copy.move; })) {
        copies.push_back(read.copy);
        copies.back().sourceReg = body.writes[read.copy.write].reg;
      }
  return copies;
}

} // namespace

double cyclesPerIterationOf(std::span<const DataLink> circle) {
  uint64_t cycles = 0, iterations = 0;
  for (const DataLink &link : circle) {
    cycles += link.cycles;
    iterations += link.iterations;
  }
  return iterations ? double(cycles) / double(iterations) : 0;
}

std::vector<std::vector<uint32_t>> findStoresBefore(const Body &body) {
  std::vector<std::vector<uint32_t>> distances(body.instructions.size());
  if (body.memoryClasses.empty())
    return distances;
  constexpr uint64_t kNone = ~0ull;
  std::vector<uint64_t> last(MemoryClass::kPointers + body.memoryPlaces, kNone); // by pointer and place: an instance
  const uint64_t count = body.instructions.size();
  // The second iteration has stores of the first one before it.
  for (uint64_t id = 0; id < 2 * count; ++id) {
    const BodyInstruction &code = body.instructions[id % count];
    const MemoryClass &memory = body.memoryClasses[code.memoryClass];
    const auto forEach = [&](uint64_t pointers, uint32_t place, const auto &visit) {
      for (; pointers; pointers &= pointers - 1)
        visit(last[static_cast<size_t>(std::countr_zero(pointers))]);
      if (place)
        visit(last[MemoryClass::kPointers + place - 1]);
    };
    if (id >= count && code.mayLoad)
      forEach(memory.waitsFor, memory.loadsPlace, [&](uint64_t store) {
        if (store != kNone)
          distances[id - count].push_back(static_cast<uint32_t>(id - store));
      });
    if (code.mayStore)
      forEach(memory.storesTo, memory.storesPlace, [&](uint64_t &store) { store = id; });
  }
  return distances;
}

DataflowLimit findDataflowLimit(const Body &body) {
  // Enough for the slowest circle to outweigh what comes before it; a circle may span several iterations.
  constexpr uint32_t kIterations = 48;
  DataflowLimit limit;
  if (body.instructions.empty())
    return limit;
  Dataflow dataflow(body, kIterations);
  for (uint32_t i = 0; i < kIterations; ++i)
    dataflow.runIteration();
  limit.chain = slowestCircle(dataflow, body.instructions.size());
  limit.cyclesPerIteration = cyclesPerIterationOf(limit.chain);
  countFromArrival(body, limit.chain);
  limit.lateCopies = lateCopiesOf(body, limit.chain);
  return limit;
}

std::vector<DataLink> findDataLinks(const Body &body) {
  Dataflow dataflow(body, kDistinctIterations + 1);
  for (uint32_t i = 0; i < kDistinctIterations; ++i)
    dataflow.runIteration();
  return dataflow.linksOfNextIteration();
}

void keepLateCopies(Body &body) {
  for (const LateRead &late : LateReads(body).found)
    body.instructions[late.copy.move].moves = {};
}

} // namespace mca
