#include "mca-core/views/calibrated.h"

#include "mca-core/views/json.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/FormattedStream.h"

#include <algorithm>

namespace mca {
namespace {

namespace json = llvm::json;

std::string trimmed(double value) {
  return formatRounded(value, 2);
}

const char *nameOf(RenameTreatment treatment) {
  switch (treatment) {
  case RenameTreatment::None:
    return "";
  case RenameTreatment::Zero:
    return "zero";
  case RenameTreatment::BreaksDependency:
    return "breaks-dependency";
  case RenameTreatment::Eliminated:
    return "eliminated";
  case RenameTreatment::Immediate:
    return "immediate";
  }
  return "";
}

const char *nameOf(StoreForward::Kind kind) {
  switch (kind) {
  case StoreForward::Kind::General:
    return "general";
  case StoreForward::Kind::Vector:
    return "vector";
  case StoreForward::Kind::Partial:
    return "partial";
  case StoreForward::Kind::Renamed:
    return "renamed";
  case StoreForward::Kind::Predicted:
    return "predicted";
  }
  return "";
}

const char *nameOf(CalibratedWait::Kind kind) {
  switch (kind) {
  case CalibratedWait::Kind::None:
    return "nothing";
  case CalibratedWait::Kind::Fetch:
    return "fetch";
  case CalibratedWait::Kind::Slots:
    return "slots";
  case CalibratedWait::Kind::ReorderBuffer:
    return "reorder buffer";
  case CalibratedWait::Kind::Scheduler:
    return "scheduler";
  case CalibratedWait::Kind::LoadQueue:
    return "load queue";
  case CalibratedWait::Kind::StoreQueue:
    return "store queue";
  case CalibratedWait::Kind::Operand:
    return "operand";
  case CalibratedWait::Kind::Memory:
    return "memory";
  case CalibratedWait::Kind::Resource:
    return "resource";
  }
  return "";
}

std::string rateText(const CalibratedReport &report) {
  const std::string cycles = trimmed(report.rate.cyclesPerIteration());
  if (!report.rateIsExact)
    return "about " + cycles + " (measured over many iterations)";
  return report.rate.iterations == 1
             ? cycles
             : llvm::formatv("{0} ({1} in {2})", cycles, report.rate.cycles, report.rate.iterations).str();
}

void printSummary(llvm::raw_ostream &out, const CalibratedReport &report, const Calibration &calibration) {
  out << "Iterations:        " << report.iterations << "\nInstructions:      " << report.instructions
      << "\nTotal Cycles:      " << report.cycles
      << "\nTotal Slots:       " << trimmed(report.slots() * report.iterations)
      << "\n\nSlots Per Cycle:   " << trimmed(report.slotsPerCycle) << "\nIPC:               " << trimmed(report.ipc())
      << "\nSteady Cycles:     " << rateText(report) << "\nCalibration:       " << describeCalibration(calibration)
      << "\nLLVM's Values:     " << report.fromLlvm << " of " << report.code.size() << " instructions\n";
}

/// What an iteration takes at least, by limit, the highest first.
std::vector<CalibratedBound> boundsOf(const CalibratedReport &report) {
  std::vector<CalibratedBound> bounds = report.frontEnd;
  for (const CalibratedResourceReport &resource : report.resources)
    if (resource.perIteration > 0)
      bounds.push_back({resource.name, resource.bound()});
  std::ranges::stable_sort(bounds, std::ranges::greater(), &CalibratedBound::cycles);
  return bounds;
}

void printBounds(llvm::raw_ostream &out, const CalibratedReport &report) {
  out << "\n\nCycles per iteration that each limit allows:\n";
  for (const CalibratedBound &bound : boundsOf(report))
    out << llvm::formatv("{0,8}  {1}\n", trimmed(bound.cycles), bound.name);
}

std::string remarksOf(const CalibratedInstructionReport &code) {
  std::string remarks = nameOf(code.treatment);
  const auto add = [&](const std::string &remark) { remarks += (remarks.empty() ? "" : ", ") + remark; };
  if (code.fusedWithNext)
    add("fused");
  if (code.forward)
    add(std::string(nameOf(code.forward->kind)) + " from [" + std::to_string(code.forward->store) + "]");
  return remarks;
}

void printInstructions(llvm::raw_ostream &stream, const CalibratedReport &report) {
  llvm::formatted_raw_ostream out(stream);
  out << "\n\nInstruction Info:\n[1]: Slots\n[2]: Latency\n[3]: MayLoad\n[4]: MayStore\n[5]: Values of LLVM's (L)\n"
         "[6]: Cycles that it waits\n\n[1]    [2]    [3]    [4]    [5]    [6]    Instructions:\n";
  for (const CalibratedInstructionReport &code : report.code) {
    out << ' ' << trimmed(code.slots);
    out.PadToColumn(8) << code.latency;
    out.PadToColumn(15) << (code.mayLoad ? '*' : ' ');
    out.PadToColumn(22) << (code.mayStore ? '*' : ' ');
    out.PadToColumn(29) << (code.isFromLlvm ? 'L' : ' ');
    out.PadToColumn(36) << code.wait.cycles;
    out.PadToColumn(42) << code.text;
    const std::string remarks = remarksOf(code), wait = describeWait(report, code.wait);
    if (!remarks.empty() || !wait.empty())
      out << "   <-- " << remarks << (remarks.empty() || wait.empty() ? "" : "; ") << wait;
    out << '\n';
  }
}

/// Units that each instruction uses, and what an iteration uses of what there is.
void printPressure(llvm::raw_ostream &stream, const CalibratedReport &report) {
  constexpr unsigned kWidth = 7;
  llvm::formatted_raw_ostream out(stream);
  const size_t count = report.resources.size();
  const auto printRow = [&](const auto &cell) {
    for (size_t i = 0; i < count; ++i) {
      out << cell(i);
      out.PadToColumn(static_cast<unsigned>(i + 1) * kWidth);
    }
  };
  const auto units = [](double value) { return value < 0.005 ? std::string(" - ") : trimmed(value); };
  out << "\n\nResources:\n";
  for (size_t i = 0; i < count; ++i) {
    out << '[' << i << ']';
    out.PadToColumn(6) << "- " << report.resources[i].name << (report.resources[i].isLlvms ? " (LLVM's)" : "") << ": "
                       << trimmed(report.resources[i].capacity) << " per cycle\n";
  }
  const auto printHeader = [&] { printRow([](size_t i) { return "[" + std::to_string(i) + "]"; }); };
  out << "\n\nResource pressure per iteration:\n";
  printHeader();
  out << '\n';
  printRow([&](size_t i) { return units(report.resources[i].perIteration); });
  out << "\n\nResource pressure by instruction:\n";
  printHeader();
  out << "Instructions:\n";
  for (const CalibratedInstructionReport &code : report.code) {
    printRow([&](size_t i) { return units(code.uses[i]); });
    out << code.text << '\n';
  }
}

json::Object waitToJson(const CalibratedReport &report, const CalibratedWait &wait) {
  json::Object object{{"For", nameOf(wait.kind)}, {"Cycles", wait.cycles}};
  if (wait.instruction != kNone)
    object["Instruction"] = wait.instruction;
  if (wait.kind == CalibratedWait::Kind::Resource)
    object["Resource"] = report.resources[wait.resource].name;
  return object;
}

json::Object instructionToJson(const CalibratedReport &report, const CalibratedInstructionReport &code) {
  json::Object uses;
  for (size_t i = 0; i < code.uses.size(); ++i)
    if (code.uses[i] > 0)
      uses[report.resources[i].name] = code.uses[i];
  json::Object object{
      {"Instruction", code.text},    {"Slots", code.slots},          {"Latency", code.latency},
      {"mayLoad", code.mayLoad},     {"mayStore", code.mayStore},    {"FusedWithNext", code.fusedWithNext},
      {"FromLLVM", code.isFromLlvm}, {"Resources", std::move(uses)}, {"Wait", waitToJson(report, code.wait)}};
  if (code.treatment != RenameTreatment::None)
    object["AtRename"] = nameOf(code.treatment);
  if (code.forward)
    object["ForwardedFrom"] = json::Object{{"Instruction", code.forward->store},
                                           {"Iterations", code.forward->distance},
                                           {"Kind", nameOf(code.forward->kind)},
                                           {"Latency", code.forward->latency}};
  return object;
}

json::Object summaryToJson(const CalibratedReport &report) {
  const auto boundToJson = [](const CalibratedBound &bound) {
    return json::Object{{"Limit", bound.name}, {"Cycles", bound.cycles}};
  };
  return json::Object{{"Iterations", report.iterations},
                      {"Instructions", report.instructions},
                      {"TotalCycles", report.cycles},
                      {"SlotsPerCycle", report.slotsPerCycle},
                      {"IPC", report.ipc()},
                      {"SteadyCycles", report.rate.cycles},
                      {"SteadyIterations", report.rate.iterations},
                      {"SteadyIsExact", report.rateIsExact},
                      {"FromLLVM", report.fromLlvm},
                      {"Bounds", toArray(boundsOf(report), boundToJson)}};
}

json::Array resourcesToJson(const CalibratedReport &report) {
  return toArray(report.resources, [](const CalibratedResourceReport &resource) {
    return json::Object{{"Name", resource.name},
                        {"UnitsPerCycle", resource.capacity},
                        {"UnitsPerIteration", resource.perIteration},
                        {"FromLLVM", resource.isLlvms}};
  });
}

} // namespace

std::string describeCalibration(const Calibration &calibration) {
  const CpuIdentity &cpu = calibration.cpu;
  const std::string name = cpu.brand.empty() ? cpu.llvmName : cpu.brand + " (" + cpu.llvmName + ")";
  return calibration.date.empty() ? name : name + ", " + calibration.date;
}

std::string describeWait(const CalibratedReport &report, const CalibratedWait &wait) {
  using Kind = CalibratedWait::Kind;
  if (wait.kind == Kind::None)
    return "";
  if (wait.kind == Kind::Resource)
    return "waits for " + report.resources[wait.resource].name;
  if (wait.kind != Kind::Operand && wait.kind != Kind::Memory)
    return std::string("waits for ") + nameOf(wait.kind);
  if (wait.instruction == kNone)
    return "";
  const llvm::StringRef text = report.code[wait.instruction].text;
  return "waits for " + std::string(wait.kind == Kind::Memory ? "what is stored by " : "") + "[" +
         std::to_string(wait.instruction) + "] " + text.split('\t').first.str();
}

void printCalibrated(llvm::raw_ostream &out, const CalibratedReport &report, const Calibration &calibration,
                     const ViewSelection &views, uint32_t timelineMaxCycles) {
  if (views.summary) {
    printSummary(out, report, calibration);
    printBounds(out, report);
  }
  if (views.instructionInfo)
    printInstructions(out, report);
  if (views.pressure)
    printPressure(out, report);
  if (report.times.empty())
    return;
  Report timeline = timelineOf(report, timelineMaxCycles);
  printTimeline(out, timeline);
}

json::Object toJson(const CalibratedReport &report, const ViewSelection &views, const std::string &regionName) {
  const auto codeToJson = [&](const CalibratedInstructionReport &code) { return instructionToJson(report, code); };
  json::Object region{{"Name", regionName}};
  if (views.summary)
    region["SummaryView"] = summaryToJson(report);
  if (views.instructionInfo)
    region["Instructions"] = toArray(report.code, codeToJson);
  if (views.pressure)
    region["Resources"] = resourcesToJson(report);
  if (!report.times.empty())
    region["TimelineView"] = toArray(report.times, [](const CalibratedTimes &times) {
      return json::Object{{"CycleDispatched", times.renamed},
                          {"CycleReady", times.ready},
                          {"CycleIssued", times.issued},
                          {"CycleExecuted", times.executed},
                          {"CycleRetired", times.retired}};
    });
  return region;
}

json::Object toJson(const Calibration &calibration) {
  return json::Object{{"CPUName", calibration.cpu.llvmName},
                      {"Brand", calibration.cpu.brand},
                      {"Date", calibration.date},
                      {"MadeBy", calibration.madeBy}};
}

} // namespace mca
