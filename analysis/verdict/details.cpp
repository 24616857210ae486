#include "analysis/verdict/details.h"

#include "analysis/wording/words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace analysis {
namespace {

/// Waits are left out below this many cycles per iteration: they round to nothing.
constexpr double kVisibleWait = 0.05;

std::vector<wire::ResourceUse> pressureOf(const mca::ResourcePressure &pressure, size_t instruction) {
  std::vector<wire::ResourceUse> uses;
  for (size_t unit = 0; unit < pressure.units.size(); ++unit)
    if (pressure.at(instruction, unit) >= kVisiblePressure)
      uses.push_back({unitName(pressure.units[unit]), pressure.at(instruction, unit)});
  return uses;
}

std::vector<wire::Wait> waitsOf(const mca::Report &report, const mca::InstructionWaits &waits) {
  std::vector<wire::Wait> result;
  for (const mca::WaitReason &reason : waits.reasons) {
    const double cycles = double(reason.cycles) / report.summary.iterations;
    if (cycles < kVisibleWait)
      break; // most cycles come first
    result.push_back(waitOf(reason, report, report.summary.iterations));
  }
  return result;
}

std::vector<std::vector<uint32_t>> needsOf(size_t instructions, std::span<const mca::DataLink> links) {
  std::vector<std::vector<uint32_t>> needs(instructions);
  for (const mca::DataLink &link : links)
    needs[link.to].push_back(link.from);
  for (std::vector<uint32_t> &producers : needs) {
    std::sort(producers.begin(), producers.end());
    producers.erase(std::unique(producers.begin(), producers.end()), producers.end());
  }
  return needs;
}

} // namespace

std::vector<wire::InstructionDetails> detailsOf(const AnalysedRegion &analysed) {
  const mca::Report &report = *analysed.report;
  std::vector<wire::InstructionDetails> details(report.instructions.size());
  std::vector<std::vector<uint32_t>> needs = needsOf(details.size(), analysed.links);
  for (size_t i = 0; i < details.size(); ++i) {
    const mca::InstructionInfo &info = report.instructions[i];
    wire::InstructionDetails &instruction = details[i];
    instruction.text = flatText(info.text);
    instruction.microOps = info.microOps;
    instruction.latency = info.effectiveLatency;
    instruction.reciprocalThroughput = info.reciprocalThroughput;
    instruction.pressure = pressureOf(report.pressure, i);
    if (analysed.waits)
      instruction.waits = waitsOf(report, analysed.waits->instructions[i]);
    instruction.needs = std::move(needs[i]);
    instruction.loads = info.mayLoad;
  }
  return details;
}

std::vector<uint32_t> chainOf(const mca::DataflowLimit &limit) {
  std::vector<uint32_t> chain;
  for (const mca::DataLink &link : limit.chain)
    chain.push_back(link.from);
  return chain;
}

wire::ByteRange textRangeOf(const mca::Program &program, const mca::Target &target, uint32_t instruction) {
  const uint32_t offset = program.instructions()[instruction].offset;
  llvm::StringRef text = llvm::StringRef(program.text()).drop_front(offset);
  text = text.take_front(text.find_first_of("\r\n"));
  const llvm::MCAsmInfo &syntax = target.asmInfo();
  for (const llvm::StringRef end : {syntax.getCommentString(), llvm::StringRef(syntax.getSeparatorString()),
                                    llvm::StringRef("/*"), llvm::StringRef("//")})
    text = text.take_front(text.find(end));
  return {offset, offset + static_cast<uint32_t>(text.rtrim().size())};
}

} // namespace analysis
