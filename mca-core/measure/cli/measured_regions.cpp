#include "mca-core/measure/cli/measured_regions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>

namespace mca::measure {
namespace {

std::vector<uint32_t> instructionsBetween(uint32_t begin, uint32_t end) {
  const auto all = llvm::seq<uint32_t>(begin, end);
  return {all.begin(), all.end()};
}

/// The offset of an instruction, or of the first label that stands for it.
uint32_t startOf(uint32_t instruction, const Program &program) {
  uint32_t start = program.instructions()[instruction].offset;
  for (const Label &label : program.labels())
    if (label.instruction == instruction)
      start = std::min(start, label.offset);
  return start;
}

std::vector<MeasuredRegion> findLoops(const Program &program, const ProgramBranches &branches) {
  std::vector<MeasuredRegion> loops;
  uint32_t since = 0; // after the last backward branch: a loop that begins before it has one inside
  for (uint32_t i = 0; i < branches.size(); ++i) {
    const Branch &branch = branches.at(i);
    const bool isJump = branch.kind == BranchKind::Jump || branch.kind == BranchKind::ConditionalJump;
    if (!isJump || !branch.isBackward)
      continue;
    if (branch.target >= since)
      loops.push_back({.name = "line " + std::to_string(branches.lineOf(branch.target)),
                       .instructions = instructionsBetween(branch.target, i + 1),
                       .begin = startOf(branch.target, program),
                       .end = program.instructions()[i].offset});
    since = i + 1;
  }
  return loops;
}

} // namespace

std::vector<MeasuredRegion> findRegions(const Program &program, const ProgramBranches &branches) {
  std::vector<MeasuredRegion> regions;
  for (const MarkerRegion &marked : program.markerRegions())
    if (auto instructions = program.instructionsOf(marked); !instructions.empty())
      regions.push_back({marked.name, std::move(instructions), marked.begin, marked.end});
  if (regions.empty())
    regions = findLoops(program, branches);
  if (regions.empty() && branches.size())
    regions.push_back(
        {.instructions = instructionsBetween(0, branches.size()), .end = static_cast<uint32_t>(program.text().size())});
  return regions;
}

bool isForAll(const MeasureStatement &statement, const std::vector<MeasuredRegion> &regions) {
  return llvm::all_of(regions, [&](const MeasuredRegion &region) { return statement.offset < region.begin; });
}

} // namespace mca::measure
