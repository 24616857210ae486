// Renames the body iteration by iteration until the state repeats. The rules are those of engine/register_state.h, but
// without cycles: positions stand for instances, and the limit of moves per cycle never applies.
#include "mca-core/engine/dependencies.h"

#include <algorithm>
#include <utility>

namespace mca {
namespace {

/// Renaming must repeat within this many iterations.
constexpr uint32_t kMaxIterations = 4;

/// A definition: the position of its instruction, counted across iterations, and the index of the write.
struct Writer {
  static constexpr uint32_t kNowhere = ~0u;
  uint32_t position = kNowhere;
  uint32_t write = 0;
  bool operator==(const Writer &) const = default;
};

/// The state of a cell, as in RegisterState.
struct CellState {
  static constexpr uint16_t kNoAlias = 0xFFFF;
  Writer writer;
  uint16_t alias = kNoAlias;
  bool zero = false;
  bool operator==(const CellState &) const = default;
};

/// Renames the registers of one iteration after the other.
class Renaming {
public:
  explicit Renaming(Body &body) : body_(body), cells_(body.cellCount) {}

  /// Appends an iteration to Body::renamed. Returns false if a definition may become available only after its
  /// instruction has executed, because LLVM stops counting then.
  bool addIteration() {
    bool known = true;
    for (const BodyInstruction &instruction : body_.instructions) {
      RenamedInstruction renamed;
      renamed.dependencies.first = static_cast<uint32_t>(body_.dependencies.size());
      renamed.eliminated = instruction.moves.count && eliminate(instruction, renamed);
      if (!renamed.eliminated)
        known &= addDependencies(instruction);
      renamed.dependencies.count = static_cast<uint32_t>(body_.dependencies.size()) - renamed.dependencies.first;
      define(instruction, renamed);
      body_.renamed.push_back(renamed);
      ++position_;
    }
    return known;
  }

  /// Passes over an iteration of a body without moves.
  void skipIteration() {
    for (const BodyInstruction &instruction : body_.instructions) {
      define(instruction, {});
      ++position_;
    }
  }

  /// Returns the state that later dependencies depend on, relative to the current position.
  std::vector<CellState> state() const {
    std::vector<CellState> relative = cells_;
    for (CellState &cell : relative)
      if (cell.writer.position != Writer::kNowhere)
        cell.writer.position = position_ - cell.writer.position;
    return relative;
  }

private:
  bool isZero(Cell cell) const { return cell != kNoCell && cells_[cell].zero; }

  bool eliminate(const BodyInstruction &instruction, RenamedInstruction &renamed) {
    const auto moves = Body::slice(body_.moves, instruction.moves);
    const auto movesZero = [this](const BodyMove &move) { return isZero(move.read); };
    if (body_.files[instruction.moveFile].zeroMovesOnly && !std::all_of(moves.begin(), moves.end(), movesZero))
      return false;
    zeros_ = 0;
    for (const BodyMove &move : moves) {
      const bool isAlias = move.sourceCell != kNoCell && cells_[move.sourceCell].alias != CellState::kNoAlias;
      const uint16_t source = isAlias ? cells_[move.sourceCell].alias : move.source;
      for (const Cell cell : Body::slice(body_.cells, move.targets))
        cells_[cell].alias = source;
      zeros_ |= uint32_t(isZero(move.read)) << move.write;
    }
    for (uint32_t i = 0; i < instruction.writes.count; ++i)
      renamed.zeroMoves += zeros_ >> i & 1;
    return true;
  }

  void define(const BodyInstruction &instruction, const RenamedInstruction &renamed) {
    if (!body_.moves.empty())
      for (uint32_t i = 0; i < instruction.writes.count; ++i) {
        const BodyWrite &write = body_.writes[instruction.writes.first + i];
        const bool zero = write.writesZero || (renamed.eliminated && (zeros_ >> i & 1));
        for (const Cell cell : Body::slice(body_.cells, write.zeros))
          cells_[cell].zero = zero;
      }
    if (!renamed.eliminated)
      for (const BodyStore &store : Body::slice(body_.stores, instruction.stores)) {
        cells_[store.cell].writer = {position_, store.write};
        cells_[store.cell].alias = CellState::kNoAlias;
      }
  }

  bool addDependencies(const BodyInstruction &instruction) {
    bool known = true;
    for (const BodyRead &read : body_.readsOf(instruction))
      if (!read.independent)
        known &= addRead(read);
    for (uint32_t i = 0; instruction.merges && i < instruction.writes.count; ++i)
      known &= addMerge(body_.writes[instruction.writes.first + i], instruction.operandReads + i);
    return known;
  }

  bool addRead(const BodyRead &read) {
    bool known = true;
    const bool isAlias = read.self != kNoCell && cells_[read.self].alias != CellState::kNoAlias;
    const auto cells = Body::slice(body_.cells, isAlias ? body_.values[cells_[read.self].alias] : read.cells);
    for (size_t i = 0; i < cells.size(); ++i) {
      const Writer &writer = cells_[cells[i]].writer;
      const auto same = [&](Cell earlier) { return cells_[earlier].writer == writer; };
      if (writer.position == Writer::kNowhere || std::any_of(cells.begin(), cells.begin() + std::ptrdiff_t(i), same))
        continue;
      const BodyWrite &write = body_.writes[writer.write];
      const int32_t cycles = std::max(0, write.latency - body_.advances[read.advances + write.kind]);
      known &= add(writer, {.delay = cycles, .cycles = cycles, .operand = read.operand});
    }
    return known;
  }

  /// A partial write must not complete before the register that it merges into (WriteState::isReady).
  bool addMerge(const BodyWrite &write, uint32_t operand) {
    if (write.mergedInto == kNoCell || cells_[write.mergedInto].writer.position == Writer::kNowhere)
      return true;
    const Writer &writer = cells_[write.mergedInto].writer;
    const int32_t cycles = std::max(0, body_.writes[writer.write].latency);
    const int32_t delay = std::max(0, write.latency ? cycles + 1 - write.latency : cycles);
    return add(writer, {.delay = delay, .cycles = cycles, .operand = operand});
  }

  bool add(const Writer &writer, OperandWait wait) {
    wait.write = writer.write;
    body_.dependencies.push_back({position_ - writer.position, wait});
    return wait.cycles <= body_.instructions[writer.position % body_.instructions.size()].latency;
  }

  Body &body_;
  std::vector<CellState> cells_;
  uint32_t position_ = 0;
  uint32_t zeros_ = 0; // by definition of the last eliminated move
};

/// Whether a cycle can eliminate as many moves as it can dispatch.
bool hasRoomForMoves(const Body &body, uint32_t dispatchWidth) {
  return std::all_of(body.instructions.begin(), body.instructions.end(), [&](const BodyInstruction &instruction) {
    const uint32_t most = body.files[instruction.moveFile].maxMovesEliminated;
    return !instruction.moves.count || !most ||
           (instruction.microOps >= instruction.moves.count &&
            most >= std::max(dispatchWidth, instruction.moves.count));
  });
}

/// Renames iterations until one starts in the same state as an earlier one. Returns false if that does not happen
/// within kMaxIterations.
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
  std::vector<std::vector<CellState>> starts; // from the second iteration on
  for (uint32_t iteration = 1; iteration <= kMaxIterations; ++iteration) {
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

/// Lists the same dependencies by producer, nearest reader first.
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
