#include "analysis/regions/pointer_names.h"

#include "analysis/wire/finding_codes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <optional>
#include <set>

namespace analysis {
namespace {

constexpr llvm::StringLiteral kMark = "DEBUG_VALUE: ", kArrow = " <- ";

/// The text between the label of a block and its first instruction. Before the label, the comments are about the end of
/// the block above. Labels of debug information may follow.
llvm::StringRef startOf(const mca::Program &program, uint32_t header) {
  const uint32_t end = program.instructions()[header].offset;
  uint32_t begin = end;
  for (const mca::Label &label : program.labels())
    if (label.instruction == header && !label.name.starts_with(".Ltmp") && !label.name.starts_with("Ltmp"))
      begin = label.offset;
  return llvm::StringRef(program.text()).slice(begin, end);
}

/// The registers that hold the variable, by the start of a block; an empty one for a value in no register.
std::set<std::string> registersOf(llvm::StringRef name, llvm::StringRef left) {
  std::set<std::string> registers;
  std::optional<llvm::StringRef> scope; // of the first one: the function that declares it
  while (!left.empty()) {
    const auto [line, rest] = left.split('\n');
    left = rest;
    const size_t mark = line.find(kMark);
    if (mark == llvm::StringRef::npos)
      continue;
    const auto [variable, place] = line.drop_front(mark + kMark.size()).rtrim().split(kArrow);
    // "f:p", or "p" in a block of its own. A C++ function's name may hold colons itself.
    const llvm::StringRef own = variable.drop_front(variable.rfind(':') + 1);
    if (own != name)
      continue;
    if (!scope)
      scope = variable.drop_back(name.size());
    if (*scope != variable.drop_back(name.size()))
      registers.insert(""); // two functions have the name
    llvm::StringRef reg = place;
    registers.insert(reg.consume_front("$") && llvm::all_of(reg, llvm::isAlnum) ? reg.str() : std::string());
  }
  return registers;
}

/// The regions that a comment holds for.
std::vector<const Region *> regionsOf(const PointerComment &comment, std::span<const Region> regions,
                                      const TextLines &lines) {
  std::vector<const Region *> around, below;
  uint32_t nextLine = ~0u;
  const uint32_t line = lines.lineOf(comment.at.begin);
  for (const Region &region : regions) {
    if (region.instructions.empty())
      continue;
    if (region.at.begin <= comment.at.begin && comment.at.end <= region.at.end)
      around.push_back(&region);
    const uint32_t anchor = lines.lineOf(region.anchor);
    if (anchor < line || anchor > nextLine)
      continue;
    if (anchor < nextLine)
      below.clear();
    nextLine = anchor;
    below.push_back(&region);
  }
  return around.empty() ? below : around;
}

/// The statement about registers for one region. Sets `unknown` to the first name that is not in exactly one.
std::optional<mca::PointerStatement> statementOf(const PointerComment &comment, const Region &region,
                                                 const mca::Program &program, std::string &unknown) {
  const auto &instructions = region.body ? region.body->loop.instructions : region.instructions;
  const uint32_t header = region.body ? region.body->loop.header() : instructions.front();
  const auto [first, last] = std::ranges::minmax(instructions);
  mca::PointerStatement statement{.meet = comment.meet,
                                  .begin = comment.at.begin,
                                  .end = comment.at.end,
                                  .firstInstruction = first,
                                  .endInstruction = last + 1};
  const llvm::StringRef start = startOf(program, header);
  for (const std::string &name : comment.names) {
    const std::set<std::string> registers = registersOf(name, start);
    if (registers.size() != 1 || registers.begin()->empty()) {
      unknown = name;
      return std::nullopt;
    }
    statement.names.push_back(*registers.begin());
  }
  return statement;
}

} // namespace

NamedPointers findNamedPointers(const std::vector<PointerComment> &comments, const mca::Program &program,
                                std::span<const Region> regions, const TextLines &lines) {
  NamedPointers found;
  const auto reject = [&](const PointerComment &comment, wire::Words words) {
    found.findings.push_back(wire::makeFinding(comment.at, wire::codes::kPointerStatement, std::move(words)));
  };
  constexpr size_t kMost = mca::mostStatements(mca::PointerStatement::About::Pointers);
  if (comments.size() > kMost)
    reject(comments[kMost],
           {wire::Sentence::PointerProblem,
            {mca::textOf({.meet = comments[kMost].meet, .names = comments[kMost].names}),
             "only the first " + std::to_string(kMost) + " statements about pointers have an effect"}});
  for (const PointerComment &comment : llvm::ArrayRef(comments).take_front(kMost)) {
    const std::vector<const Region *> held = regionsOf(comment, regions, lines);
    std::string unknown;
    size_t understood = 0;
    for (const Region *region : held) {
      std::optional<mca::PointerStatement> statement = statementOf(comment, *region, program, unknown);
      if (!statement)
        continue;
      ++understood;
      // The paths through a loop share its instructions.
      const bool isKnown = llvm::any_of(found.statements, [&](const mca::PointerStatement &one) {
        return one.begin == statement->begin && one.firstInstruction == statement->firstInstruction &&
               one.endInstruction == statement->endInstruction;
      });
      if (!isKnown)
        found.statements.push_back(std::move(*statement));
    }
    if (held.empty())
      reject(comment, {wire::Sentence::PointersWithoutLoop});
    else if (!understood)
      reject(comment, {wire::Sentence::PointerWithoutRegister, {unknown}});
  }
  return found;
}

} // namespace analysis
