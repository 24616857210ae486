#include "mca-core/assembly/pointer_statements.h"

#include "mca-core/assembly/program.h"
#include "mca-core/assembly/symbols.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCInstrInfo.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mca {
namespace {

constexpr size_t kMaxNames = 16;
constexpr llvm::StringLiteral kBetween = " \t\r,";

/// Instructions, half-open.
struct Extent {
  uint32_t first = 0;
  uint32_t end = 0;
  uint32_t size() const { return end - first; }
};

/// A piece of code, and the statements (half-open) in it.
struct Piece {
  Extent code;
  size_t firstStatement = 0;
  size_t endStatement = 0;
};

/// The first instruction at the offset or after it.
uint32_t indexAt(const ProgramContents &program, uint32_t offset) {
  const auto at = std::ranges::lower_bound(program.instructions, offset, {}, &Instruction::offset);
  return static_cast<uint32_t>(at - program.instructions.begin());
}

/// From the target of each backward branch to the branch.
std::vector<Extent> loopsOf(const ProgramContents &program, const Target &target) {
  llvm::DenseMap<const llvm::MCSymbol *, uint32_t> places;
  for (const Label &label : program.labels)
    places[label.symbol] = label.instruction;
  std::vector<Extent> loops;
  for (uint32_t i = 0; i < program.instructions.size(); ++i) {
    const llvm::MCInst &inst = program.instructions[i].inst;
    const llvm::MCInstrDesc &description = target.instructions().get(inst.getOpcode());
    if (!description.isBranch() || description.isCall())
      continue;
    for (const llvm::MCOperand &operand : inst)
      if (const llvm::MCSymbol *symbol = operand.isExpr() ? firstSymbolIn(*operand.getExpr()) : nullptr)
        if (const auto place = places.find(symbol); place != places.end() && place->second <= i)
          loops.push_back({place->second, i + 1});
  }
  return loops;
}

/// From the label of each function to that of the next one; the text if it declares none.
std::vector<Extent> functionsOf(const ProgramContents &program) {
  const auto end = static_cast<uint32_t>(program.instructions.size());
  std::vector<Extent> functions{{0, end}};
  for (const Label &label : program.labels)
    if (program.functions.contains(label.symbol) && label.instruction >= functions.back().first) {
      functions.back().end = label.instruction;
      functions.push_back({label.instruction, end});
    }
  return functions;
}

} // namespace

std::optional<PointerStatement> readPointerStatement(std::string_view comment, uint32_t offset) {
  llvm::StringRef rest = comment;
  rest = rest.take_front(rest.find("*/")).split('\n').first.ltrim("#/;@!*| \t");
  if (!rest.consume_front("mca:"))
    return std::nullopt;
  const auto next = [&rest] {
    rest = rest.ltrim(kBetween);
    const llvm::StringRef word = rest.take_front(rest.find_first_of(kBetween));
    rest = rest.drop_front(word.size());
    return word;
  };
  const auto placeOf = [&](const char *at) { return offset + static_cast<uint32_t>(at - comment.data()); };
  const std::string_view keyword = next();
  const bool isSameOperands = keyword == kSameOperands;
  if (keyword != kAlias && keyword != kDistinct && !isSameOperands)
    return std::nullopt;
  PointerStatement statement{.about =
                                 isSameOperands ? PointerStatement::About::Operands : PointerStatement::About::Pointers,
                             .meet = keyword != kDistinct,
                             .begin = placeOf(keyword.data()),
                             .end = placeOf(keyword.data() + keyword.size())};
  for (llvm::StringRef name = next(); !name.empty(); name = next()) {
    if (statement.names.size() == kMaxNames) // what is left of the line is one name, which is that of no register
      name = {name.data(), static_cast<size_t>(std::exchange(rest, {}).end() - name.data())};
    statement.end = placeOf(name.end());
    name.consume_front("%");
    statement.names.push_back(name.str());
  }
  return statement;
}

std::string textOf(const PointerStatement &statement) {
  if (isAboutOperands(&statement))
    return std::string(kSameOperands);
  return std::string(statement.meet ? kAlias : kDistinct) + " " + llvm::join(statement.names, ", ");
}

/// Each piece of code takes the statements that no smaller one has taken.
void placePointerStatements(ProgramContents &program, const Target &target) {
  const auto count = static_cast<uint32_t>(program.instructions.size());
  const auto own = llvm::make_range(program.pointerStatements.begin(),
                                    std::ranges::find(program.pointerStatements, true, &PointerStatement::isNamed));
  if (own.empty())
    return;
  std::vector<uint32_t> begins, nexts; // by statement; both ascend
  for (const PointerStatement &statement : own) {
    begins.push_back(statement.begin);
    nexts.push_back(std::min(indexAt(program, statement.begin), count ? count - 1 : 0));
  }
  const auto firstOf = [](const std::vector<uint32_t> &places, uint32_t place) {
    return static_cast<size_t>(llvm::lower_bound(places, place) - places.begin());
  };
  std::vector<Piece> pieces{{{0, count}, 0, begins.size()}};
  for (const std::vector<Extent> &extents : {loopsOf(program, target), functionsOf(program)})
    for (const Extent &one : extents)
      pieces.push_back({one, firstOf(nexts, one.first), firstOf(nexts, one.end)});
  for (const MarkerRegion &region : program.regions.regions())
    pieces.push_back({{indexAt(program, region.begin), indexAt(program, region.end)},
                      firstOf(begins, region.begin),
                      region.end == MarkerRegion::kOpen ? begins.size() : firstOf(begins, region.end + 1)});
  llvm::stable_sort(pieces, [](const Piece &a, const Piece &b) { return a.code.size() < b.code.size(); });
  std::vector<size_t> open(begins.size() + 1); // by statement: one that is not after the next one without a place
  std::iota(open.begin(), open.end(), size_t{0});
  const auto nextOpen = [&](size_t statement) {
    while (open[statement] != statement)
      statement = open[statement] = open[open[statement]];
    return statement;
  };
  for (const Piece &piece : pieces)
    for (size_t i = nextOpen(piece.firstStatement); i < piece.endStatement; i = nextOpen(i)) {
      PointerStatement &statement = own.begin()[static_cast<ptrdiff_t>(i)];
      const Extent held = statement.isBeyond ? Extent() : piece.code;
      statement.firstInstruction = held.first;
      statement.endInstruction = held.end;
      open[i] = i + 1;
    }
}

} // namespace mca
