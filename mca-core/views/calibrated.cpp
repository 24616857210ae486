#include "mca-core/views/calibrated.h"

#include "mca-core/views/json.h"
#include "mca-core/views/text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/FormattedStream.h"

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

/// "AMD EPYC 7763 (znver3), 2026-11-23"; "Intel Golden Cove, as documented".
std::string describe(const Calibration &calibration) {
  const CpuIdentity &cpu = calibration.cpu;
  if (calibration.isProfile())
    return cpu.brand + ", as documented";
  const std::string name = cpu.brand.empty() ? cpu.llvmName : cpu.brand + " (" + cpu.llvmName + ")";
  return calibration.date.empty() ? name : name + ", " + calibration.date;
}

std::string rateText(const Rate &rate) {
  const std::string cycles = trimmed(rate.cyclesPerIteration());
  if (rate.isMeasured)
    return "about " + cycles + " (measured over many iterations)";
  return rate.iterations == 1 ? cycles : llvm::formatv("{0} ({1} in {2})", cycles, rate.cycles, rate.iterations).str();
}

struct Bound {
  std::string name;
  double cycles = 0;
};

/// What an iteration takes at least, by limit, the highest first.
std::vector<Bound> boundsOf(const Report &report) {
  double slots = 0;
  for (const CalibratedDetails::OfInstruction &one : report.calibrated->instructions)
    slots += one.slots;
  std::vector<Bound> bounds{{"slots", slots / report.calibrated->slotsPerCycle}};
  for (const auto &[unit, cycles] : llvm::zip(report.pressure.units, report.pressure.perIteration))
    if (cycles > 0)
      bounds.push_back({unit.name, cycles});
  llvm::stable_sort(bounds, [](const Bound &a, const Bound &b) { return a.cycles > b.cycles; });
  return bounds;
}

std::string remarksOf(const CalibratedDetails::OfInstruction &one) {
  std::string remarks = nameOf(one.treatment);
  const auto add = [&](const std::string &remark) { remarks += (remarks.empty() ? "" : ", ") + remark; };
  if (one.isFusedWithNext)
    add("fused");
  if (one.forward)
    add(std::string(nameOf(one.forward->kind)) + " from [" + std::to_string(one.forward->store) + "]");
  return remarks.empty() ? "" : "   <-- " + remarks;
}

json::Object instructionToJson(const CalibratedDetails::OfInstruction &one) {
  json::Object object{{"Slots", one.slots}, {"FusedWithNext", one.isFusedWithNext}, {"FromLLVM", one.isFromLlvm}};
  if (one.treatment != RenameTreatment::None)
    object["AtRename"] = nameOf(one.treatment);
  if (one.forward)
    object["ForwardedFrom"] = json::Object{{"Instruction", one.forward->store},
                                           {"Iterations", one.forward->distance},
                                           {"Kind", nameOf(one.forward->kind)},
                                           {"Latency", one.forward->latency}};
  return object;
}

} // namespace

void printCalibration(llvm::raw_ostream &stream, const Report &report, const Calibration &calibration) {
  const CalibratedDetails &details = *report.calibrated;
  llvm::formatted_raw_ostream out(stream);
  out << "\n\nCalibration:       " << describe(calibration) << "\nLLVM's Values:     " << details.fromLlvm << " of "
      << details.instructions.size() << " instructions\nSteady Cycles:     " << rateText(report.summary.rate)
      << "\nSlots Per Cycle:   " << trimmed(details.slotsPerCycle)
      << "\n\nCycles per iteration that each limit allows:\n";
  for (const Bound &bound : boundsOf(report))
    out << llvm::formatv("{0,8}  {1}\n", trimmed(bound.cycles), bound.name);
  out << (calibration.isProfile() ? "\nAs documented:" : "\nAs measured:")
      << "\n[1]: Slots\n[2]: Values of LLVM's (L)\n\n[1]    [2]    Instructions:\n";
  for (const auto &[one, info] : llvm::zip(details.instructions, report.instructions)) {
    out << ' ' << trimmed(one.slots);
    out.PadToColumn(8) << (one.isFromLlvm ? 'L' : ' ');
    out.PadToColumn(14) << info.text << remarksOf(one) << '\n';
  }
}

json::Object calibrationToJson(const Report &report) {
  const auto boundToJson = [](const Bound &bound) {
    return json::Object{{"Limit", bound.name}, {"Cycles", bound.cycles}};
  };
  const CalibratedDetails &details = *report.calibrated;
  const Rate &rate = report.summary.rate;
  return json::Object{{"SteadyCycles", rate.cycles},
                      {"SteadyIterations", rate.iterations},
                      {"SteadyIsExact", !rate.isMeasured},
                      {"SlotsPerCycle", details.slotsPerCycle},
                      {"FromLLVM", details.fromLlvm},
                      {"Bounds", toArray(boundsOf(report), boundToJson)},
                      {"Resources", toArray(report.pressure.units, [](const ResourceUnit &unit) { return unit.name; })},
                      {"Instructions", toArray(details.instructions, instructionToJson)}};
}

json::Object toJson(const Calibration &calibration) {
  return json::Object{{"CPUName", calibration.cpu.llvmName},
                      {"Brand", calibration.cpu.brand},
                      {"Date", calibration.date},
                      {"MadeBy", calibration.madeBy}};
}

} // namespace mca
