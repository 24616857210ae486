// Renames the body iteration by iteration until the state repeats. Instances replace cycles: nothing retires, and the
// limit of moves per cycle never applies.
#include "mca-core/engine/dependencies.h"

#include "mca-core/engine/register_state.h"

#include <algorithm>
#include <utility>

namespace mca {
namespace {

/// Renames the registers of one iteration after the other.
class Renaming {
public:
  explicit Renaming(Body &body) : body_(body) { registers_.reset(body); }

  /// Appends an iteration to Body::renamed. Returns false if a definition may become available only after its
  /// instruction has executed, because LLVM stops counting then (Instruction::cycleEvent).
  bool addIteration() {
    bool known = true;
    for (const BodyInstruction &instruction : body_.instructions) {
      const size_t first = body_.dependencies.size();
      registers_.startCycle();
      RenamedInstruction renamed;
      renamed.eliminated =
          registers_.rename(instruction, id_, [&](const WriteRef &writer, const OperandWait &relative) {
            const OperandWait wait = waitAfter(body_.writes[writer.write].latency, relative);
            body_.dependencies.push_back({static_cast<uint32_t>(id_ - writer.id), wait});
            known &= wait.cycles <= body_.instructions[writer.id % body_.instructions.size()].latency;
          });
      renamed.dependencies = {static_cast<uint32_t>(first), static_cast<uint32_t>(body_.dependencies.size() - first)};
      renamed.zeroMoves = renamed.eliminated ? registers_.zeroMoves() : 0;
      body_.renamed.push_back(renamed);
      ++id_;
    }
    return known;
  }

  /// Passes over an iteration of a body without moves.
  void skipIteration() {
    for (const BodyInstruction &instruction : body_.instructions)
      registers_.define(instruction, id_++, /*eliminated=*/false);
  }

  /// Returns the state that later dependencies depend on, relative to the next instance.
  std::vector<uint64_t> state() const {
    std::vector<uint64_t> words;
    const auto add = [&](auto... values) {
      (words.push_back(values), ...);
      return true;
    };
    registers_.describe(add, /*isStatic=*/false, [&](const WriteRef &writer) {
      return add(writer.id == WriteRef::kNoInstance ? 0 : id_ - writer.id, writer.write);
    });
    return words;
  }

private:
  Body &body_;
  RegisterState registers_;
  uint64_t id_ = 0; ///< the next instance
};

/// Whether a cycle can eliminate as many moves as it can dispatch. Otherwise the limit of its register file
/// (RegisterFile::tryEliminateMoveOrSwap) makes elimination depend on which moves are dispatched together.
bool hasRoomForMoves(const Body &body, uint32_t dispatchWidth) {
  return std::all_of(body.instructions.begin(), body.instructions.end(), [&](const BodyInstruction &instruction) {
    const uint32_t most = body.files[instruction.moveFile].maxMovesEliminated;
    return !instruction.moves.count || !most ||
           (instruction.microOps >= instruction.moves.count &&
            most >= std::max(dispatchWidth, instruction.moves.count));
  });
}

/// Renames iterations until one starts in the same state as an earlier one. Returns false if that does not happen
/// within kDistinctIterations.
bool renameIterations(Body &body) {
  Renaming renaming(body);
  const auto count = static_cast<uint32_t>(body.instructions.size());
  if (body.moves.empty()) {
    // Without moves, all iterations from the second on are alike. The first differs only in dependencies that would
    // reach back before the start.
    renaming.skipIteration();
    body.renamedRepeatFrom = 0;
    return renaming.addIteration();
  }
  std::vector<std::vector<uint64_t>> starts; // from the second iteration on
  for (uint32_t iteration = 1; iteration <= kDistinctIterations; ++iteration) {
    if (!renaming.addIteration())
      return false;
    starts.push_back(renaming.state());
    for (uint32_t earlier = 1; earlier < iteration; ++earlier)
      if (starts[earlier - 1] == starts.back()) {
        body.renamedRepeatFrom = earlier * count;
        return true;
      }
  }
  return false;
}

/// Lists the same dependencies by producer, nearest reader first: one pass counts them, a second one sorts them in.
void addDependents(Body &body) {
  const auto total = static_cast<uint32_t>(body.renamed.size());
  const uint32_t loop = total - body.renamedRepeatFrom;
  const auto indexOf = [&](uint32_t position) { return position < total ? position : position - loop; };
  // A producer's readers are at most one iteration later.
  const uint32_t end = total + static_cast<uint32_t>(body.instructions.size());
  const auto forEach = [&](auto visit) {
    for (uint32_t position = 0; position < end; ++position)
      for (const BodyDependency &dependency : body.dependenciesOf(body.renamed[indexOf(position)]))
        if (dependency.distance <= position && position - dependency.distance < total)
          visit(body.renamed[position - dependency.distance].dependents, dependency);
  };
  forEach([](Range &dependents, const BodyDependency &) { ++dependents.count; });
  uint32_t first = 0;
  for (RenamedInstruction &renamed : body.renamed) {
    renamed.dependents.first = first;
    first += std::exchange(renamed.dependents.count, 0);
  }
  body.dependents.resize(first);
  forEach([&](Range &dependents, const BodyDependency &dependency) {
    body.dependents[dependents.first + dependents.count++] = dependency;
  });
}

} // namespace

void addDependencies(Body &body, uint32_t dispatchWidth) {
  body.renamed.clear();
  body.dependencies.clear();
  body.dependents.clear();
  // A late read may wait for an instruction that retired long ago.
  if (!body.longestLateRead && hasRoomForMoves(body, dispatchWidth) && renameIterations(body))
    addDependents(body);
  else
    body.renamed.clear();
}

} // namespace mca
