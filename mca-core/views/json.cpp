// The members of llvm-mca's -json, which each view in llvm/tools/llvm-mca/Views prints with toJSON().
#include "mca-core/views/json.h"

namespace mca {
namespace {

namespace json = llvm::json;

/// In full precision, unlike the text.
json::Object summaryToJson(const Summary &summary) {
  return json::Object{{"Iterations", summary.iterations},
                      {"Instructions", summary.instructions},
                      {"TotalCycles", summary.cycles},
                      {"TotaluOps", summary.microOps},
                      {"DispatchWidth", summary.dispatchWidth},
                      {"uOpsPerCycle", summary.microOpsPerCycle()},
                      {"IPC", summary.ipc()},
                      {"BlockRThroughput", summary.blockReciprocalThroughput}};
}

/// Without the text, which the region's "Instructions" has.
json::Object instructionsToJson(const std::vector<InstructionInfo> &instructions) {
  const auto toJson = [](size_t index, const InstructionInfo &info) {
    return json::Object{{"Instruction", index},
                        {"NumMicroOpcodes", info.microOps},
                        {"Latency", info.latency},
                        {"RThroughput", info.reciprocalThroughput},
                        {"mayLoad", info.mayLoad},
                        {"mayStore", info.mayStore},
                        {"hasUnmodeledSideEffects", info.hasSideEffects}};
  };
  return json::Object{{"InstructionList", toArray(instructions, toJson)}};
}

/// The row after the last instruction is that of the whole region. llvm-mca omits cells that are zero.
json::Object pressureToJson(const ResourcePressure &pressure) {
  const size_t units = pressure.units.size();
  const size_t cells = pressure.byInstruction.size();
  json::Array list;
  for (size_t i = 0; i < cells + pressure.perIteration.size(); ++i) {
    const double cycles = i < cells ? pressure.byInstruction[i] : pressure.perIteration[i - cells];
    if (cycles != 0)
      list.push_back(
          json::Object{{"InstructionIndex", i / units}, {"ResourceIndex", i % units}, {"ResourceUsage", cycles}});
  }
  return json::Object{{"ResourcePressureInfo", std::move(list)}};
}

/// Ends at the first entry beyond the limit of cycles, where the text says that it is truncated.
json::Object timelineToJson(const Timeline &timeline) {
  json::Array list;
  for (const TimelineEntry &entry : timeline.entries) {
    if (entry.truncated())
      break;
    list.push_back(json::Object{{"CycleDispatched", entry.dispatched},
                                {"CycleReady", entry.ready},
                                {"CycleIssued", entry.issued},
                                {"CycleExecuted", entry.executed},
                                {"CycleRetired", entry.retired}});
  }
  return json::Object{{"TimelineInfo", std::move(list)}};
}

/// If dispatch never stalled, llvm-mca writes this one member, whatever pressure there was.
json::Object bottlenecksToJson(const Bottlenecks &found) {
  if (!found.found())
    return json::Object{{"PressureIncreaseCycles", 0}};
  const auto edgeToJson = [](const Dependency &dependency) {
    return json::Object{{"FromID", dependency.fromNode},
                        {"ToID", dependency.toNode},
                        {"Type", 1 + static_cast<unsigned>(dependency.kind)}, // 0 is DependencyEdge::DT_INVALID
                        {"ResourceOrRegID", dependency.resourceOrRegister}};
  };
  const auto resourceToJson = [](const auto &resource) { return json::Object{{resource.name, resource.cycles}}; };
  return json::Object{{"PressureIncreaseCycles", found.pressureCycles},
                      {"ResourcePressureCycles", found.resourceCycles},
                      {"DataDependencyCycles", found.dataDependencyCycles},
                      {"RegisterDependencyCycles", found.registerDependencyCycles},
                      {"MemoryDependencyCycles", found.memoryDependencyCycles},
                      {"TotalCycles", found.cycles},
                      {"DependencyEdge", toArray(found.criticalSequence, edgeToJson)},
                      {"ResourcePressure", toArray(found.resources, resourceToJson)}};
}

/// The same abbreviations as in the text.
json::Object dispatchToJson(const DispatchStatistics &statistics) {
  const auto stalls = [&](DispatchStall stall) { return statistics.stalls[static_cast<unsigned>(stall)]; };
  return json::Object{{"RAT", stalls(DispatchStall::RegisterFile)}, {"RCU", stalls(DispatchStall::RetireTokens)},
                      {"SCHEDQ", stalls(DispatchStall::Scheduler)}, {"LQ", stalls(DispatchStall::LoadQueue)},
                      {"SQ", stalls(DispatchStall::StoreQueue)},    {"GROUP", stalls(DispatchStall::Group)},
                      {"USH", stalls(DispatchStall::Custom)}};
}

} // namespace

json::Object toJson(const Report &report, const ViewSelection &views, const std::string &regionName) {
  const auto textOf = [](const InstructionInfo &info) { return info.text; };
  json::Object region{{"Name", regionName}, {"Instructions", toArray(report.instructions, textOf)}};
  if (views.summary)
    region["SummaryView"] = summaryToJson(report.summary);
  if (report.bottlenecks)
    region["BottleneckAnalysis"] = bottlenecksToJson(*report.bottlenecks);
  if (views.instructionInfo)
    region["InstructionInfoView"] = instructionsToJson(report.instructions);
  if (report.dispatch)
    region["DispatchStatistics"] = dispatchToJson(*report.dispatch);
  if (views.pressure)
    region["ResourcePressureView"] = pressureToJson(report.pressure);
  if (report.timeline)
    region["TimelineView"] = timelineToJson(*report.timeline);
  return region;
}

json::Object targetToJson(const Target &target) {
  const llvm::MCSchedModel &model = target.subtarget().getSchedModel();
  json::Array units;
  for (unsigned index = 1; index < model.getNumProcResourceKinds(); ++index) {
    const llvm::MCProcResourceDesc &resource = *model.getProcResource(index);
    if (resource.SubUnitsIdxBegin)
      continue;
    // llvm-mca appends the unit's number as a character code, not as a digit.
    for (unsigned unit = 0; unit < resource.NumUnits; ++unit)
      units.push_back(resource.NumUnits > 1 ? resource.Name + std::string(".") + static_cast<char>(unit)
                                            : std::string(resource.Name));
  }
  return json::Object{{"CPUName", target.subtarget().getCPU()}, {"Resources", std::move(units)}};
}

json::Object parametersToJson(const Target &target, const SimulationOptions &options) {
  const llvm::Triple &triple = target.subtarget().getTargetTriple();
  json::Object parameters{
      {"-mcpu", target.subtarget().getCPU()}, {"-mtriple", triple.getTriple()}, {"-march", triple.getArchName()}};
  // llvm-mca writes the other options only for an out-of-order CPU.
  if (!target.isOutOfOrder())
    return parameters;
  const auto addUnlessZero = [&](const char *name, uint32_t value) {
    if (value)
      parameters[name] = value;
  };
  addUnlessZero("-register-file-size", options.registerFileSize);
  if (!options.noAlias)
    parameters["-noalias"] = false;
  addUnlessZero("-decoder-throughput", options.decoderThroughput);
  addUnlessZero("-micro-op-queue-size", options.microOpQueueSize);
  addUnlessZero("-dispatch", options.dispatchWidth);
  addUnlessZero("-lqueue", options.loadQueueSize);
  addUnlessZero("-squeue", options.storeQueueSize);
  return parameters;
}

} // namespace mca
