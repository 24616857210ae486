#include "mca-core/views/json_full.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace mca {
namespace {

namespace json = llvm::json;

constexpr const char *kWaitNames[] = {"RegisterFile", "RetireTokens", "SchedulerFull", "LoadQueue", "StoreQueue",
                                      "Group",        "Register",     "Memory",        "Resource",  "WriteBack",
                                      "TargetRule",   "RetireOrder",  "RetireWidth"};
static_assert(std::size(kWaitNames) == kWaitKinds);

json::Array histogramToJson(const CycleHistogram &histogram) {
  json::Array list;
  for (const CycleCount &entry : histogram)
    list.push_back(json::Object{{"Count", entry.count}, {"Cycles", entry.cycles}});
  return list;
}

json::Object schedulersToJson(const SchedulerStatistics &statistics) {
  json::Array buffers;
  for (const BufferUsage &buffer : statistics.buffers)
    buffers.push_back(json::Object{{"Resource", buffer.resource},
                                   {"Size", buffer.size},
                                   {"MaxUsed", buffer.maxUsed},
                                   {"SumOfCycles", buffer.sumOfCycles}});
  return json::Object{{"Cycles", statistics.cycles},
                      {"MicroOpsIssued", histogramToJson(statistics.microOps)},
                      {"Buffers", std::move(buffers)}};
}

json::Object retirementToJson(const RetireStatistics &statistics) {
  return json::Object{{"Cycles", statistics.cycles},
                      {"InstructionsRetired", histogramToJson(statistics.instructions)},
                      {"Size", statistics.entries},
                      {"MaxUsed", statistics.maxUsed},
                      {"SumOfCycles", statistics.sumOfCycles}};
}

json::Array registerFilesToJson(const RegisterFileStatistics &statistics) {
  json::Array files;
  for (const RegisterFileUsage &file : statistics.files)
    files.push_back(json::Object{{"Name", file.name},
                                 {"PhysicalRegisters", file.physicalRegisters},
                                 {"Mappings", file.mappings},
                                 {"MaxMappings", file.maxMappings},
                                 {"OptimizableMoves", file.optimizableMoves},
                                 {"EliminatedMoves", file.eliminatedMoves},
                                 {"ZeroMoves", file.zeroMoves},
                                 {"MaxEliminatedInCycle", file.maxEliminatedInCycle}});
  return files;
}

json::Array averageWaitsToJson(const Timeline &timeline) {
  json::Array list;
  const auto average = [&](uint64_t cycles) { return double(cycles) / std::max(1u, timeline.iterations); };
  for (size_t i = 0; i < timeline.waits.size(); ++i)
    list.push_back(json::Object{{"Instruction", i},
                                {"Executions", timeline.iterations},
                                {"InScheduler", average(timeline.waits[i].inScheduler)},
                                {"InSchedulerReady", average(timeline.waits[i].inSchedulerReady)},
                                {"BeforeRetire", average(timeline.waits[i].beforeRetire)}});
  return list;
}

const char *nameOf(Dependency::Kind kind) {
  switch (kind) {
  case Dependency::Kind::Register:
    return "Register";
  case Dependency::Kind::Memory:
    return "Memory";
  case Dependency::Kind::Resource:
    return "Resource";
  }
  return "";
}

json::Array criticalSequenceToJson(const Bottlenecks &found) {
  json::Array list;
  for (const Dependency &dependency : found.criticalSequence)
    list.push_back(json::Object{{"Kind", nameOf(dependency.kind)},
                                {"From", dependency.from},
                                {"To", dependency.to},
                                {"LoopCarried", dependency.loopCarried()},
                                {"What", dependency.name},
                                {"Cost", dependency.cost},
                                {"Frequency", dependency.frequency}});
  return list;
}

/// llvm-mca says nothing more when dispatch never stalled; the counts are there all the same.
void completeBottlenecks(json::Object &object, const Bottlenecks &found) {
  object["Stalled"] = found.stalled;
  object["PressureCycles"] = found.pressureCycles;
  object["ResourcePressureCycles"] = found.resourceCycles;
  object["DataDependencyCycles"] = found.dataDependencyCycles;
  object["RegisterDependencyCycles"] = found.registerDependencyCycles;
  object["MemoryDependencyCycles"] = found.memoryDependencyCycles;
  object["CriticalSequence"] = criticalSequenceToJson(found);
}

json::Object reasonToJson(const WaitReason &reason) {
  json::Object object{{"Kind", kWaitNames[static_cast<unsigned>(reason.kind)]}, {"Cycles", reason.cycles}};
  if (!reason.what.empty())
    object["What"] = reason.what;
  if (reason.by != kNoInstruction)
    object["By"] = reason.by;
  if (reason.kind != WaitKind::Resource)
    return object;
  json::Array holders;
  for (const WaitReason::Holder &holder : reason.holders)
    holders.push_back(json::Object{{"Instruction", holder.instruction}, {"Cycles", holder.cycles}});
  object["Holders"] = std::move(holders);
  return object;
}

json::Array segmentsToJson(const Waits &waits) {
  json::Array list;
  const size_t count = waits.instructions.size();
  for (size_t i = 0; i < waits.segments.size(); ++i) {
    json::Array segments;
    for (const WaitSegment &segment : waits.segments[i])
      segments.push_back(json::Object{
          {"From", segment.from}, {"To", segment.to}, {"Reason", segment.reason}, {"By", json::Array(segment.by)}});
    list.push_back(
        json::Object{{"Iteration", i / count}, {"Instruction", i % count}, {"Segments", std::move(segments)}});
  }
  return list;
}

json::Object waitsToJson(const Waits &waits) {
  json::Array instructions;
  for (size_t i = 0; i < waits.instructions.size(); ++i) {
    json::Array reasons;
    for (const WaitReason &reason : waits.instructions[i].reasons)
      reasons.push_back(reasonToJson(reason));
    instructions.push_back(
        json::Object{{"Instruction", i}, {"Cycles", waits.instructions[i].cycles}, {"Reasons", std::move(reasons)}});
  }
  return json::Object{{"Instructions", std::move(instructions)}, {"Timeline", segmentsToJson(waits)}};
}

/// Adds to the instruction what llvm-mca's list does not say of it.
void completeInstruction(json::Object &object, const InstructionInfo &info) {
  object["isCall"] = info.isCall;
  object["LoadBarrier"] = info.loadBarrier;
  object["StoreBarrier"] = info.storeBarrier;
  if (!info.encoding.empty())
    object["Encoding"] = llvm::toHex(info.encoding, /*LowerCase=*/true);
  if (!info.scheduling)
    return;
  object["Opcode"] = info.scheduling->opcode;
  object["BypassLatency"] = info.scheduling->bypassLatency;
  json::Array uses;
  for (const SchedulingDetails::ResourceUse &use : info.scheduling->resources)
    uses.push_back(json::Object{
        {"Resource", use.resource}, {"AcquireAtCycle", use.acquireAtCycle}, {"ReleaseAtCycle", use.releaseAtCycle}});
  object["Resources"] = std::move(uses);
}

json::Array unitsToJson(const ResourcePressure &pressure) {
  json::Array list;
  for (const ResourceUnit &unit : pressure.units)
    list.push_back(json::Object{{"Resource", unit.name}, {"Unit", unit.unit}, {"Units", unit.unitsOfResource}});
  return list;
}

json::Object positionToJson(const SourcePosition &position) {
  return json::Object{{"Line", position.line}, {"Column", position.column}, {"FromMacro", position.fromMacro}};
}

json::Array omittedToJson(std::span<const OmittedInstruction> omitted) {
  json::Array list;
  for (const OmittedInstruction &instruction : omitted) {
    json::Object object = positionToJson(instruction.position);
    object["Text"] = llvm::StringRef(instruction.text).trim();
    object["Message"] = instruction.message;
    list.push_back(std::move(object));
  }
  return list;
}

void addStatistics(json::Object &region, const Report &report) {
  if (report.dispatch)
    if (json::Object *dispatch = region.getObject("DispatchStatistics")) {
      (*dispatch)["Cycles"] = report.dispatch->cycles;
      (*dispatch)["MicroOpsDispatched"] = histogramToJson(report.dispatch->microOps);
    }
  if (report.schedulers)
    region["SchedulerStatistics"] = schedulersToJson(*report.schedulers);
  if (report.retirement)
    region["RetireStatistics"] = retirementToJson(*report.retirement);
  if (report.registerFiles)
    region["RegisterFileStatistics"] = registerFilesToJson(*report.registerFiles);
}

} // namespace

SourcePosition findPosition(const Program &program, uint32_t instruction) {
  const Instruction &source = program.instructions()[instruction];
  const std::string_view before = std::string_view(program.text()).substr(0, source.offset);
  const size_t lineStart = before.rfind('\n') + 1; // 0 when there is none
  return {.line = 1 + static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n')),
          .column = 1 + static_cast<uint32_t>(before.size() - lineStart),
          .fromMacro = source.fromMacro};
}

json::Object toFullJson(const Report &report, const ViewSelection &views, const std::string &regionName,
                        std::span<const SourcePosition> positions, std::span<const OmittedInstruction> omitted) {
  json::Object region = toJson(report, views, regionName);
  if (json::Object *info = region.getObject("InstructionInfoView")) {
    json::Array &list = *info->getArray("InstructionList");
    for (size_t i = 0; i < report.instructions.size(); ++i)
      completeInstruction(*list[i].getAsObject(), report.instructions[i]);
  }
  json::Array sources;
  for (const SourcePosition &position : positions)
    sources.push_back(positionToJson(position));
  region["SourcePositions"] = std::move(sources);
  region["OmittedInstructions"] = omittedToJson(omitted);
  if (views.pressure)
    region["ResourceUnits"] = unitsToJson(report.pressure);
  addStatistics(region, report);
  if (report.timeline)
    region["AverageWaitTimes"] = averageWaitsToJson(*report.timeline);
  if (report.bottlenecks) {
    json::Object &bottlenecks = *region.getObject("BottleneckAnalysis");
    completeBottlenecks(bottlenecks, *report.bottlenecks);
  }
  if (report.waits)
    region["WaitReasons"] = waitsToJson(*report.waits);
  return region;
}

json::Object targetToFullJson(const Target &target, std::span<const ResourceDescription> resources) {
  constexpr const char *kOriginNames[] = {"None", "Own", "Borrowed", "Shared"};
  json::Object object = targetToJson(target);
  json::Array list;
  for (const ResourceDescription &resource : resources)
    list.push_back(
        json::Object{{"Name", resource.name}, {"Units", resource.units}, {"Members", json::Array(resource.members)}});
  object["ResourceDescriptions"] = std::move(list);
  const ModelOrigin &origin = target.modelOrigin();
  object["ModelOrigin"] = json::Object{{"Kind", kOriginNames[static_cast<unsigned>(origin.kind)]},
                                       {"Owner", origin.owner},
                                       {"Sharers", json::Array(origin.sharers)}};
  return object;
}

json::Array diagnosticsToJson(const Program &program) {
  constexpr const char *kSeverities[] = {"Error", "Warning", "Note"};
  json::Array list;
  for (const Diagnostic &diagnostic : program.diagnostics()) {
    const std::string_view before = std::string_view(program.text()).substr(0, diagnostic.begin);
    list.push_back(json::Object{{"Severity", kSeverities[static_cast<unsigned>(diagnostic.severity)]},
                                {"Line", 1 + std::count(before.begin(), before.end(), '\n')},
                                {"Message", diagnostic.message}});
  }
  return list;
}

} // namespace mca
