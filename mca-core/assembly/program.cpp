// What a program answers about itself. parse_session.cpp makes it, program_update.cpp changes it.
#include "mca-core/assembly/program_parts.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace mca {

Program::Program(std::unique_ptr<Parts> parts) : parts_(std::move(parts)), contents_(*parts_) {}
Program::~Program() = default;

std::vector<const PointerStatement *> Program::statementsFor(std::span<const uint32_t> instructions) const {
  std::vector<const PointerStatement *> statements;
  if (pointerStatements().empty() || instructions.empty())
    return statements;
  const auto [first, last] = std::ranges::minmax(instructions);
  for (const PointerStatement &statement : pointerStatements())
    if (statement.firstInstruction <= last && statement.endInstruction > first &&
        llvm::any_of(instructions, [&](uint32_t index) { return statement.holdsFor(index); }))
      statements.push_back(&statement);
  return statements;
}

void Program::setNamedStatements(std::vector<PointerStatement> statements) {
  std::erase_if(parts_->pointerStatements, [](const PointerStatement &one) { return one.isNamed; });
  for (PointerStatement &statement : statements) {
    statement.isNamed = true;
    parts_->pointerStatements.push_back(std::move(statement));
  }
}

uint32_t Program::addInstrumentSet(InstrumentSet set, llvm::SmallVector<llvm::mca::UniqueInstrument> made) {
  for (llvm::mca::UniqueInstrument &instrument : made)
    parts_->addedInstruments.push_back(std::move(instrument));
  parts_->instrumentSets.push_back(std::move(set));
  return static_cast<uint32_t>(parts_->instrumentSets.size() - 1);
}

void Program::setInstruments(uint32_t instruction, uint32_t set) {
  parts_->instructions[instruction].instrumentSet = set;
}

std::string_view Program::data(std::string_view section) const {
  const auto found = parts_->data.find(section);
  return found == parts_->data.end() ? std::string_view() : std::string_view(found->second);
}

llvm::MCContext &Program::context() const {
  return *parts_->context;
}

std::vector<uint32_t> Program::instructionsOf(const MarkerRegion &region) const {
  const std::vector<Instruction> &all = contents_.instructions;
  std::vector<uint32_t> inside;
  if (contents_.asLlvmMca && !region.hasBegin) {
    for (uint32_t i = 0; i < all.size(); ++i)
      if (!all[i].placed || region.contains(all[i].offset))
        inside.push_back(i);
    return inside;
  }
  // Offsets ascend with the instructions. llvm-mca gives those without a location to the region from the text's start.
  const auto first = std::ranges::lower_bound(all, region.begin, {}, &Instruction::offset);
  for (auto it = first; it != all.end() && region.contains(it->offset); ++it)
    if (it->placed || !contents_.asLlvmMca)
      inside.push_back(static_cast<uint32_t>(it - all.begin()));
  return inside;
}

} // namespace mca
