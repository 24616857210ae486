#include "mca-core/model/dependencies.h"

#include <algorithm>

namespace mca {
namespace {

/// A definition: the position of its instruction, counted through the iterations, and the number of the write.
struct Writer {
  static constexpr uint32_t kNobody = ~0u;
  uint32_t position = kNobody;
  uint32_t write = 0;
  bool operator==(const Writer &) const = default;
};

/// Renames the registers of the iterations one after the other.
class Renaming {
public:
  explicit Renaming(Body &body) : body_(body), writers_(body.cellCount) {}

  void define(const BodyInstruction &instruction, uint32_t position) {
    for (const BodyStore &store : Body::slice(body_.stores, instruction.stores))
      writers_[store.cell] = {position, store.write};
  }

  /// Lists what the instruction waits for. Returns false when that is not all there is to say.
  bool addDependencies(BodyInstruction &instruction, uint32_t position) {
    instruction.dependencies.first = static_cast<uint32_t>(body_.dependencies.size());
    bool known = true;
    for (const BodyRead &read : body_.readsOf(instruction))
      if (!read.independent)
        known &= addRead(read, position);
    for (uint32_t i = 0; instruction.merges && i < instruction.writes.count; ++i)
      known &= addMerge(body_.writes[instruction.writes.first + i], instruction.operandReads + i, position);
    instruction.dependencies.count = static_cast<uint32_t>(body_.dependencies.size()) - instruction.dependencies.first;
    return known;
  }

private:
  bool addRead(const BodyRead &read, uint32_t position) {
    bool known = true;
    const auto cells = Body::slice(body_.cells, read.cells);
    for (size_t i = 0; i < cells.size(); ++i) {
      const Writer &writer = writers_[cells[i]];
      const auto same = [&](Cell earlier) { return writers_[earlier] == writer; };
      if (writer.position == Writer::kNobody || std::any_of(cells.begin(), cells.begin() + std::ptrdiff_t(i), same))
        continue;
      const BodyWrite &write = body_.writes[writer.write];
      const int32_t cycles = std::max(0, write.latency - body_.advances[read.advances + write.kind]);
      known &= add(writer, position, {.delay = cycles, .cycles = cycles, .operand = read.operand});
    }
    return known;
  }

  /// A partial write must not complete before what it is merged into.
  bool addMerge(const BodyWrite &write, uint32_t operand, uint32_t position) {
    if (write.mergedInto == kNoCell || writers_[write.mergedInto].position == Writer::kNobody)
      return true;
    const Writer &writer = writers_[write.mergedInto];
    const int32_t cycles = std::max(0, body_.writes[writer.write].latency);
    const int32_t delay = std::max(0, write.latency ? cycles + 1 - write.latency : cycles);
    return add(writer, position, {.delay = delay, .cycles = cycles, .operand = operand});
  }

  bool add(const Writer &writer, uint32_t position, OperandWait wait) {
    wait.write = writer.write;
    body_.dependencies.push_back({position - writer.position, wait});
    const BodyInstruction &producer = body_.instructions[writer.position % body_.instructions.size()];
    return wait.cycles <= producer.latency;
  }

  Body &body_;
  std::vector<Writer> writers_; // by cell
};

/// The same from the producers' side, nearest first.
void addDependents(Body &body) {
  const size_t count = body.instructions.size();
  const auto producerOf = [&](size_t consumer, const BodyDependency &dependency) -> BodyInstruction & {
    return body.instructions[(consumer + count - dependency.distance) % count];
  };
  for (size_t i = 0; i < count; ++i)
    for (const BodyDependency &dependency : body.dependenciesOf(body.instructions[i]))
      ++producerOf(i, dependency).dependents.count;
  uint32_t first = 0;
  for (BodyInstruction &instruction : body.instructions) {
    instruction.dependents.first = first;
    first += std::exchange(instruction.dependents.count, 0);
  }
  body.dependents.resize(first);
  for (size_t i = 0; i < count; ++i)
    for (const BodyDependency &dependency : body.dependenciesOf(body.instructions[i])) {
      Range &dependents = producerOf(i, dependency).dependents;
      body.dependents[dependents.first + dependents.count++] = dependency;
    }
  for (const BodyInstruction &instruction : body.instructions) {
    const auto begin = body.dependents.begin() + instruction.dependents.first;
    std::stable_sort(begin, begin + instruction.dependents.count,
                     [](const BodyDependency &a, const BodyDependency &b) { return a.distance < b.distance; });
  }
}

} // namespace

void addDependencies(Body &body) {
  body.dependencies.clear();
  body.dependents.clear();
  // A late read may wait for what has retired long ago.
  body.renamesStatically = body.moves.empty() && !body.longestLateRead;
  if (!body.renamesStatically)
    return;
  // From the second iteration on it is always the same; in the first, what is before the beginning is not there.
  Renaming renaming(body);
  const auto count = static_cast<uint32_t>(body.instructions.size());
  for (uint32_t i = 0; i < count; ++i)
    renaming.define(body.instructions[i], i);
  for (uint32_t i = 0; i < count; ++i) {
    body.renamesStatically &= renaming.addDependencies(body.instructions[i], count + i);
    renaming.define(body.instructions[i], count + i);
  }
  if (body.renamesStatically)
    addDependents(body);
}

} // namespace mca
