#include "mca-core/assembly/pointer_statements.h"

#include "mca-core/assembly/program.h"
#include "mca-core/assembly/symbols.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCInstrInfo.h"

#include <algorithm>
#include <utility>

namespace mca {
namespace {

constexpr size_t kMaxNames = 16;
constexpr llvm::StringLiteral kBetween = " \t\r,";

/// Instructions, half-open.
struct Extent {
  uint32_t first = 0;
  uint32_t end = 0;
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

void placePointerStatements(ProgramContents &program, const Target &target) {
  if (program.pointerStatements.empty())
    return;
  std::vector<Extent> all = loopsOf(program, target);
  llvm::append_range(all, functionsOf(program));
  for (PointerStatement &statement : program.pointerStatements) {
    const auto count = static_cast<uint32_t>(program.instructions.size());
    const uint32_t next = std::min(indexAt(program, statement.begin), count ? count - 1 : 0);
    Extent smallest{0, count};
    const auto take = [&](const Extent &one) {
      if (one.end - one.first < smallest.end - smallest.first)
        smallest = one;
    };
    for (const Extent &one : all)
      if (next >= one.first && next < one.end)
        take(one);
    for (const MarkerRegion &region : program.regions.regions())
      if (region.contains(statement.begin))
        take({indexAt(program, region.begin), indexAt(program, region.end)});
    statement.firstInstruction = smallest.first;
    statement.endInstruction = smallest.end;
  }
}

} // namespace mca
