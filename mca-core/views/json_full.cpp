// Extends the object of views/json.cpp instead of writing its own, so that a reader of llvm-mca's -json can read ours.
#include "mca-core/views/json.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace mca {
namespace {

namespace json = llvm::json;

/// By WaitKind; docs/json.md explains each.
constexpr const char *kWaitNames[] = {"RegisterFile", "RetireTokens", "SchedulerFull", "LoadQueue", "StoreQueue",
                                      "Group",        "Register",     "Memory",        "Resource",  "WriteBack",
                                      "TargetRule",   "RetireOrder",  "RetireWidth"};
static_assert(std::size(kWaitNames) == kWaitKinds);

/// In how many cycles something happened so many times.
json::Array histogramToJson(const CycleHistogram &histogram) {
  return toArray(histogram, [](const CycleCount &entry) {
    return json::Object{{"Count", entry.count}, {"Cycles", entry.cycles}};
  });
}

json::Object schedulersToJson(const SchedulerStatistics &statistics) {
  const auto bufferToJson = [](const BufferUsage &buffer) {
    return json::Object{{"Resource", buffer.resource},
                        {"Size", buffer.size},
                        {"MaxUsed", buffer.maxUsed},
                        {"SumOfCycles", buffer.sumOfCycles}};
  };
  return json::Object{{"Cycles", statistics.cycles},
                      {"MicroOpsIssued", histogramToJson(statistics.microOps)},
                      {"Buffers", toArray(statistics.buffers, bufferToJson)}};
}

json::Object retirementToJson(const RetireStatistics &statistics) {
  return json::Object{{"Cycles", statistics.cycles},
                      {"InstructionsRetired", histogramToJson(statistics.instructions)},
                      {"Size", statistics.entries},
                      {"MaxUsed", statistics.maxUsed},
                      {"SumOfCycles", statistics.sumOfCycles}};
}

json::Object registerFileToJson(const RegisterFileUsage &file) {
  return json::Object{{"Name", file.name},
                      {"PhysicalRegisters", file.physicalRegisters},
                      {"Mappings", file.mappings},
                      {"MaxMappings", file.maxMappings},
                      {"OptimizableMoves", file.optimizableMoves},
                      {"EliminatedMoves", file.eliminatedMoves},
                      {"ZeroMoves", file.zeroMoves},
                      {"MaxEliminatedInCycle", file.maxEliminatedInCycle}};
}

/// In full precision; the text rounds to tenths.
json::Array averageWaitsToJson(const Timeline &timeline) {
  const auto average = [&](uint64_t cycles) { return double(cycles) / std::max(1u, timeline.iterations); };
  return toArray(timeline.waits, [&](size_t index, const WaitTimes &waits) {
    return json::Object{{"Instruction", index},
                        {"Executions", timeline.iterations},
                        {"InScheduler", average(waits.inScheduler)},
                        {"InSchedulerReady", average(waits.inSchedulerReady)},
                        {"BeforeRetire", average(waits.beforeRetire)}};
  });
}

json::Object dependencyToJson(const Dependency &dependency) {
  constexpr const char *kKinds[] = {"Register", "Memory", "Resource"};
  return json::Object{{"Kind", kKinds[static_cast<unsigned>(dependency.kind)]},
                      {"From", dependency.from},
                      {"To", dependency.to},
                      {"LoopCarried", dependency.loopCarried()},
                      {"What", dependency.name},
                      {"Cost", dependency.cost},
                      {"Frequency", dependency.frequency}};
}

/// Adds the counts, which llvm-mca omits if dispatch never stalled.
void completeBottlenecks(json::Object &object, const Bottlenecks &found) {
  object["Stalled"] = found.stalled;
  object["PressureCycles"] = found.pressureCycles;
  object["ResourcePressureCycles"] = found.resourceCycles;
  object["DataDependencyCycles"] = found.dataDependencyCycles;
  object["RegisterDependencyCycles"] = found.registerDependencyCycles;
  object["MemoryDependencyCycles"] = found.memoryDependencyCycles;
  object["CriticalSequence"] = toArray(found.criticalSequence, dependencyToJson);
}

/// "By" is absent if no instruction can be named; only resources have "Holders".
json::Object reasonToJson(const WaitReason &reason) {
  json::Object object{{"Kind", kWaitNames[static_cast<unsigned>(reason.kind)]}, {"Cycles", reason.cycles}};
  if (!reason.what.empty())
    object["What"] = reason.what;
  if (reason.by != kNoInstruction)
    object["By"] = reason.by;
  if (reason.kind != WaitKind::Resource)
    return object;
  object["Holders"] = toArray(reason.holders, [](const WaitReason::Holder &holder) {
    return json::Object{{"Instruction", holder.instruction}, {"Cycles", holder.cycles}};
  });
  return object;
}

/// Segments are stored by entry of the timeline, one iteration after the other.
json::Array timelineToJson(const Waits &waits) {
  const size_t count = waits.instructions.size();
  return toArray(waits.segments, [&](size_t index, const std::vector<WaitSegment> &segments) {
    return json::Object{
        {"Iteration", index / count}, {"Instruction", index % count}, {"Segments", segmentsToJson(segments)}};
  });
}

json::Object waitsToJson(const Waits &waits) {
  return json::Object{{"Instructions", instructionWaitsToJson(waits)}, {"Timeline", timelineToJson(waits)}};
}

/// Returns line and column, in bytes, of an offset in the text. Both are 1-based, as in compilers' messages.
std::pair<size_t, size_t> positionOf(std::string_view text, uint32_t offset) {
  const std::string_view before = text.substr(0, offset);
  const size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
  return {1 + static_cast<size_t>(llvm::count(before, '\n')), 1 + before.size() - lineStart};
}

json::Object positionToJson(const Program &program, uint32_t instruction) {
  const Instruction &source = program.instructions()[instruction];
  const auto [line, column] = positionOf(program.text(), source.offset);
  return json::Object{{"Line", line}, {"Column", column}, {"FromMacro", source.fromMacro}};
}

/// Adds the properties of an instruction that llvm-mca's list lacks.
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
  object["Resources"] = toArray(info.scheduling->resources, [](const SchedulingDetails::ResourceUse &use) {
    return json::Object{
        {"Resource", use.resource}, {"AcquireAtCycle", use.acquireAtCycle}, {"ReleaseAtCycle", use.releaseAtCycle}};
  });
}

json::Object unitToJson(const ResourceUnit &unit) {
  return json::Object{{"Resource", unit.name}, {"Unit", unit.unit}, {"Units", unit.unitsOfResource}};
}

/// llvm-mca's JSON has the dispatch stalls only; the other statistics it prints as text.
void addStatistics(json::Object &region, const Report &report) {
  if (report.dispatch) {
    json::Object &dispatch = *region.getObject("DispatchStatistics");
    dispatch["Cycles"] = report.dispatch->cycles;
    dispatch["MicroOpsDispatched"] = histogramToJson(report.dispatch->microOps);
  }
  if (report.schedulers)
    region["SchedulerStatistics"] = schedulersToJson(*report.schedulers);
  if (report.retirement)
    region["RetireStatistics"] = retirementToJson(*report.retirement);
  if (report.registerFiles)
    region["RegisterFileStatistics"] = toArray(report.registerFiles->files, registerFileToJson);
}

} // namespace

json::Array instructionWaitsToJson(const Waits &waits) {
  return toArray(waits.instructions, [](size_t index, const InstructionWaits &instruction) {
    return json::Object{{"Instruction", index},
                        {"Cycles", instruction.cycles},
                        {"Reasons", toArray(instruction.reasons, reasonToJson)}};
  });
}

json::Array segmentsToJson(std::span<const WaitSegment> segments) {
  return toArray(segments, [](const WaitSegment &segment) {
    return json::Object{
        {"From", segment.from}, {"To", segment.to}, {"Reason", segment.reason}, {"By", json::Array(segment.by)}};
  });
}

json::Object pressureToFullJson(const Bottlenecks &found) {
  json::Object object;
  completeBottlenecks(object, found);
  object["TotalCycles"] = found.cycles;
  object["ResourcePressure"] = toArray(found.resources, [](const Bottlenecks::Resource &resource) {
    return json::Object{{resource.name, resource.cycles}};
  });
  return object;
}

/// toJson() has added the objects that are extended here, under the same conditions.
json::Object toFullJson(const Simulation &simulation, const ViewSelection &views, const std::string &regionName,
                        const Program &program, std::span<const uint32_t> instructions, PrintInstruction textOf) {
  const Report &report = simulation.report;
  json::Object region = toJson(report, views, regionName);
  if (json::Object *info = region.getObject("InstructionInfoView")) {
    json::Array &list = *info->getArray("InstructionList");
    for (size_t i = 0; i < report.instructions.size(); ++i)
      completeInstruction(*list[i].getAsObject(), report.instructions[i]);
  }
  region["SourcePositions"] = toArray(
      simulation.instructions, [&](uint32_t position) { return positionToJson(program, instructions[position]); });
  region["OmittedInstructions"] = toArray(simulation.skipped, [&](const SkippedInstruction &skipped) {
    json::Object object = positionToJson(program, instructions[skipped.instruction]);
    object["Text"] = llvm::StringRef(textOf(instructions[skipped.instruction])).trim().str();
    object["Message"] = skipped.message;
    return object;
  });
  json::Array statements;
  for (const PointerStatement *statement : program.statementsFor(instructions))
    statements.push_back(mca::textOf(*statement));
  if (!statements.empty())
    region["PointerStatements"] = std::move(statements);
  if (views.pressure)
    region["ResourceUnits"] = toArray(report.pressure.units, unitToJson);
  addStatistics(region, report);
  if (report.timeline)
    region["AverageWaitTimes"] = averageWaitsToJson(*report.timeline);
  if (report.bottlenecks)
    completeBottlenecks(*region.getObject("BottleneckAnalysis"), *report.bottlenecks);
  if (report.waits)
    region["WaitReasons"] = waitsToJson(*report.waits);
  return region;
}

json::Object targetToFullJson(const Target &target, std::span<const ResourceDescription> resources) {
  constexpr const char *kOriginNames[] = {"None", "Own", "Borrowed", "Shared"};
  json::Object object = targetToJson(target);
  object["ResourceDescriptions"] = toArray(resources, [](const ResourceDescription &resource) {
    return json::Object{{"Name", resource.name}, {"Units", resource.units}, {"Members", json::Array(resource.members)}};
  });
  const ModelOrigin &origin = target.modelOrigin();
  object["ModelOrigin"] = json::Object{{"Kind", kOriginNames[static_cast<unsigned>(origin.kind)]},
                                       {"Owner", origin.owner},
                                       {"Sharers", json::Array(origin.sharers)}};
  return object;
}

/// Lines are enough here: editors get ranges from the library.
json::Array diagnosticsToJson(const Program &program) {
  constexpr const char *kSeverities[] = {"Error", "Warning", "Note"};
  return toArray(program.diagnostics(), [&](const Diagnostic &diagnostic) {
    return json::Object{{"Severity", kSeverities[static_cast<unsigned>(diagnostic.severity)]},
                        {"Line", positionOf(program.text(), diagnostic.begin).first},
                        {"Message", diagnostic.message}};
  });
}

} // namespace mca
