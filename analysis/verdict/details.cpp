#include "analysis/verdict/details.h"

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
    wire::Wait &wait = result.emplace_back();
    wait.what = phraseOf(reason, report);
    wait.cycles = cycles;
    if (reason.by != mca::kNoInstruction)
      wait.by.push_back(reason.by);
    for (const mca::WaitReason::Holder &holder : reason.holders)
      wait.by.push_back(holder.instruction);
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

/// Who must come first, as far as it can be named.
std::string memoryPhrase(const mca::WaitReason &reason, const mca::Report &report) {
  if (reason.by == mca::kNoInstruction)
    return "for an earlier load or store";
  const mca::InstructionInfo &first = report.instructions[reason.by];
  return first.mayStore ? "for an earlier store" : "for an earlier load";
}

/// Of a long list of resources the first two.
std::string firstNames(const std::string &names) {
  const auto commas = static_cast<size_t>(std::count(names.begin(), names.end(), ','));
  if (commas < 2)
    return names;
  return names.substr(0, names.find(',', names.find(',') + 1)) + " and " + std::to_string(commas - 1) + " more";
}

} // namespace

std::string registerInWords(const std::string &printed) {
  const llvm::StringRef name = llvm::StringRef(printed).ltrim('%');
  if (name.empty())
    return "a register";
  return (llvm::all_of(name, llvm::isDigit) ? "register " : "") + name.str();
}

std::string listOf(const std::vector<std::string> &names, size_t most) {
  std::string text;
  const size_t named = std::min(names.size(), most);
  for (size_t i = 0; i < named; ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

std::string flatText(std::string text) {
  std::replace(text.begin(), text.end(), '\t', ' ');
  const auto repeats = [](char a, char b) { return a == ' ' && b == ' '; };
  text.erase(std::unique(text.begin(), text.end(), repeats), text.end());
  return text;
}

std::string phraseOf(const mca::WaitReason &reason, const mca::Report &report) {
  using mca::WaitKind;
  switch (reason.kind) {
  case WaitKind::RegisterFile:
    return "for a free physical register";
  case WaitKind::RetireTokens:
    return "for room in the reorder buffer";
  case WaitKind::SchedulerFull:
    return "for room in the scheduler";
  case WaitKind::LoadQueue:
    return "for room in the load queue";
  case WaitKind::StoreQueue:
    return "for room in the store queue";
  case WaitKind::Group:
    return "for a unit without a queue";
  case WaitKind::Register:
    return "for " + registerInWords(reason.what);
  case WaitKind::Memory:
    return memoryPhrase(reason, report);
  case WaitKind::Resource:
    return "for " + firstNames(reason.what);
  case WaitKind::WriteBack:
    return "for an earlier instruction to write its result";
  case WaitKind::TargetRule:
    return "for a rule of the target's own";
  case WaitKind::RetireOrder:
    return "for an earlier instruction to retire";
  case WaitKind::RetireWidth:
    return "for its turn to retire";
  }
  return "";
}

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
